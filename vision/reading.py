"""Define readings of photos, in the shape that pages, commands and the API share (README, "Readings")."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.contract import Problem
from scorer.sentences import Sentence
from vision.problems import problem

DOUBTFUL = 0.97  # a square is in doubt, and gets its ring, if it is less sure than this (README, "How sure")
DOUBTED = DOUBTFUL - 0.01  # the most that a square can be sure of whose board or place is in doubt
Point = tuple[float, float]


class VisionError(Exception):
    """Signal that the photo can't be used: `code` names the problem, `message` says what is wrong and what to do."""

    code = "photo"

    def __init__(self, message: Sentence) -> None:
        self.message = message
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Square:
    """Hold the likeliest piece of a square, how sure it is, the runners-up, and the cubes on top."""

    label: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...] = ()
    on_top: tuple[str, ...] = ()

    @property
    def is_doubtful(self) -> bool:
        return self.confidence < DOUBTFUL

    def doubted(self) -> Square:
        """Return the square with a confidence low enough to count as doubtful."""
        return replace(self, confidence=min(self.confidence, DOUBTED))


@dataclass(frozen=True, slots=True)
class Board:
    """Hold a board; its corners are clockwise from the one with the smallest x + y. Row 0 runs from corner 0 to corner
    1."""

    corners: tuple[Point, ...]
    confidence: float
    grid: tuple[tuple[Square, ...], ...]

    def doubted(self, only: Collection[tuple[int, int]] | None = None) -> Board:
        """Return the board with every square marked as doubtful, or just those whose row and column are in `only`."""
        grid = tuple(
            tuple(square.doubted() if only is None or (i, j) in only else square for j, square in enumerate(row))
            for i, row in enumerate(self.grid)
        )
        return replace(self, grid=grid)


@dataclass(frozen=True, slots=True)
class Card:
    """Hold a card that was read: its id, the text of its title, how sure it is, and its corners."""

    id: str
    text: str
    confidence: float
    box: tuple[Point, ...]


@dataclass(slots=True)
class Reading:
    file: str = ""
    size: tuple[int, int] = (0, 0)
    boards: list[Board] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    stages: dict[str, float] = field(default_factory=dict)  # milliseconds, in the order they were spent

    @property
    def ok(self) -> bool:
        return not any(one.level == "error" for one in self.problems)

    def to_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "ok": self.ok,
            "ms": round(sum(self.stages.values())),
            "size": list(self.size),
            "boards": [_board(board) for board in self.boards],
            "cards": [
                {"id": c.id, "text": c.text, "confidence": round(c.confidence, 3), "box": _points(c.box)}
                for c in self.cards
            ],
            "problems": [{"code": p.code, "message": p.message, "level": p.level} for p in self.problems],
        }

    def to_keep(self) -> dict[str, Any]:
        """Return the reading for storing, with codes and values of problems instead of sentences."""
        problems = [{"code": p.code, "values": dict(p.message.values)} for p in self.problems]
        return {**self.to_json(), "problems": problems}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> Reading:
        """Return a reading from the result of `to_json` or `to_keep`, from a worker or the database."""
        return cls(
            kept["file"],
            (kept["size"][0], kept["size"][1]),
            [_board_from(board) for board in kept["boards"]],
            [Card(c["id"], c["text"], c["confidence"], _pairs(c["box"])) for c in kept["cards"]],
            [problem(p["code"], **p.get("values", {})) for p in kept["problems"]],
            {"all": kept["ms"]},
        )


@dataclass(frozen=True, slots=True)
class Look:
    """Hold a photo as a page shows it: its reading, a copy without metadata, and a JPEG of each board.

    The boards are read first; while `cards_follow`, nothing is known about the cards.
    """

    reading: Reading
    picture: bytes | None = None
    boards: tuple[bytes, ...] = ()
    cards_follow: bool = False


def _board_from(board: dict[str, Any]) -> Board:
    grid = tuple(
        tuple(
            Square(s["label"], s["confidence"], tuple((a, c) for a, c in s["alternatives"]), tuple(s["on_top"]))
            for s in row
        )
        for row in board["grid"]
    )
    return Board(_pairs(board["corners"]), board["confidence"], grid)


def _pairs(points: list[list[float]]) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in points)


def _board(board: Board) -> dict[str, Any]:
    return {
        "corners": _points(board.corners),
        "confidence": round(board.confidence, 3),
        "grid": [[_square(square) for square in row] for row in board.grid],
    }


def _square(square: Square) -> dict[str, Any]:
    return {
        "label": square.label,
        "confidence": round(square.confidence, 3),
        "alternatives": [[label, round(share, 3)] for label, share in square.alternatives],
        "on_top": list(square.on_top),
    }


def _points(points: tuple[Point, ...]) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in points]
