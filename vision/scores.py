"""Compare readings with the truth about their photos: boards found, squares right, mistakes without a ring."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.reading import DOUBTFUL, Board, Reading
from vision.rectify import Floats

NEAR = 0.12  # of the side: corners closer than this to the truth's belong to its board


@dataclass(slots=True)
class Score:
    """Hold how well one board was read: whether it was found, and which of its squares are right."""

    name: str
    found: bool = False
    corner_error: float = float("nan")  # worst corner, in board sides
    squares: int = 0
    right: int = 0
    tops: int = 0
    tops_right: int = 0
    mistakes: list[tuple[str, str, str, float]] = field(default_factory=list)  # square, truth, read, confidence
    told: list[tuple[bool, float]] = field(default_factory=list)  # of every square: whether it is right, how sure

    @property
    def rings(self) -> int:
        """Return the number of squares that are right and yet in doubt."""
        return sum(right and sure < DOUBTFUL for right, sure in self.told)


@dataclass(slots=True)
class Photo:
    name: str
    boards: list[Score]
    false_boards: int
    stages: dict[str, float]


@dataclass(frozen=True, slots=True)
class Sums:
    """Hold the sums of the scores of many photos, such as the number of squares read right."""

    boards: int
    found: int
    false_boards: int
    squares: int
    right: int
    whole: int
    sure_and_wrong: int
    rings: int

    @classmethod
    def of(cls, photos: list[Photo]) -> Sums:
        scores = [score for photo in photos for score in photo.boards]
        return cls(
            len(scores),
            sum(s.found for s in scores),
            sum(p.false_boards for p in photos),
            sum(s.squares for s in scores),
            sum(s.right for s in scores),
            sum(s.right == s.squares for s in scores),
            sum(m[3] >= DOUBTFUL for s in scores for m in s.mistakes),
            sum(s.rings for s in scores),
        )

    @property
    def share(self) -> float:
        """Return the percentage of squares read right."""
        return 100 * self.right / max(self.squares, 1)

    @property
    def rings_each(self) -> float:
        """Return the number of squares per board found that are right and yet marked as doubtful."""
        return self.rings / max(self.found, 1)


def worst_corner(truth: Floats, read_as: Floats) -> tuple[float, int]:
    """Return how far off the worst corner in `read_as` is, in sides of the board, and a shift. The shift (0 to 3) says
    by how many places they must be moved on to fit `truth` best."""
    side = float(np.linalg.norm(np.roll(truth, -1, axis=0) - truth, axis=1).max())
    apart = [float(np.linalg.norm(np.roll(read_as, turn, axis=0) - truth, axis=1).max()) for turn in range(4)]
    best = int(np.argmin(apart))
    return apart[best] / side, best


def _turned(cells: list[list[Any]], quarters: int) -> list[list[Any]]:
    """Return the grid of cells turned clockwise by so many quarter turns."""
    return [list(row) for row in np.rot90(np.array(cells, dtype=object), -quarters)]


def compare(name: str, truth: dict[str, Any], board: Board | None) -> Score:
    """Return how well a board was read; `board` is None if it was not found. `truth` is its entry in truth.json, and
    `name` a name for reports. The reading is turned to fit the truth best."""
    score = Score(name)
    wanted: list[list[str]] = truth["grid"]
    score.squares = sum(label != "unknown" for row in wanted for label in row)
    if board is None:
        return score
    score.found = True
    score.corner_error, _ = worst_corner(_clockwise(np.array(truth["corners"], float)), np.array(board.corners))
    tries = [_turned([list(row) for row in board.grid], turn) for turn in range(4)]
    best = max(tries, key=lambda cells: _agreeing(wanted, cells))
    on_top: dict[str, Any] = truth.get("on_top", {})
    for i, row in enumerate(wanted):
        for j, label in enumerate(row):
            square = best[i][j]
            if label == "unknown":
                continue
            score.told.append((square.label == label, square.confidence))
            if square.label == label:
                score.right += 1
            else:
                score.mistakes.append((f"{i},{j}", label, square.label, square.confidence))
            if isinstance(cube := on_top.get(f"{i},{j}"), str) and cube.startswith("cube_"):
                score.tops += 1
                score.tops_right += square.on_top == (cube,)
    return score


def _agreeing(wanted: list[list[str]], cells: list[list[Any]]) -> int:
    return sum(
        w == c.label for row, read_row in zip(wanted, cells, strict=True) for w, c in zip(row, read_row, strict=True)
    )


def _clockwise(corners: Floats) -> Floats:
    x, y = corners[:, 0], corners[:, 1]
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
    return corners if area > 0 else corners[::-1]


def judge(name: str, truth: dict[str, Any], reading: Reading) -> Photo:
    """Return the scores of a photo's boards, how many boards found do not exist, and the times of reading. `truth` is
    what truth.json says about the photo, and `name` its file."""
    left = list(reading.boards)
    scores = []
    for number, board in enumerate(truth["boards"]):
        corners = _clockwise(np.array(board["corners"], float))
        near = [(worst_corner(corners, np.array(b.corners))[0], i) for i, b in enumerate(left)]
        apart, index = min(near, default=(9.0, -1))
        match = left.pop(index) if apart < NEAR else None
        if board.get("inside", True):
            scores.append(compare(f"{name}#{number}", board, match))
    outside = [b for b in truth["boards"] if not b.get("inside", True)]
    return Photo(name, scores, max(0, len(left) - len(outside)), reading.stages)
