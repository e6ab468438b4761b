"""Lay a table: boards, pieces on them, cards and heaps around them.

Board 0 is at (0, 0) to (4, 4) at height 0; the table is lower by the thickness of a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.games.tiny_towns import CUBES, LABELS
from vision.training import paint
from vision.training.drawing import Camera, Drawing, Rng, fixed
from vision.training.pieces import Floats, Image, Solid, leaned, make, turned

CARDBOARD = 0.08  # squares
CARD = (1.84, 3.04)
BLACK_TOPPED = 0.55  # how many black buildings carry cubes
LEANING = 0.07  # how many pieces lean on a neighbour
PAIRS = ("cottage", "cube_glass", "theater", "cube_wheat")
OFF = 0.25  # squares that a piece may stand off the middle of its own


@dataclass(slots=True)
class Town:
    """Hold one board of a picture, or a decoy: its corners in the picture, and what is on its squares."""

    corners: Floats
    grid: list[str]  # sixteen labels, row by row
    on_top: dict[int, list[str]] = field(default_factory=dict)
    hidden: list[float] = field(default_factory=lambda: [0.0] * 16)  # share covered by a hand or a mug
    is_decoy: bool = False  # something that looks like a board; only the corners mean anything


def moved(solid: Solid, base: Floats) -> Solid:
    return Solid(solid.label, [face + base - solid.base for face in solid.faces], solid.normals, base, solid.rgb)


def overlap(one: Solid, other: Solid) -> bool:
    """Return whether two pieces intersect, seen from above."""
    if np.hypot(*(one.base - other.base)[:2]) > 1.1:
        return False
    return cv2.intersectConvexConvex(_foot(one), _foot(other))[0] > 0.002


def _foot(solid: Solid) -> Image:
    return np.asarray(cv2.convexHull(np.vstack(solid.faces)[:, :2].astype(np.float32)))


class Scene(Drawing):
    """Build a picture of a table with boards, pieces, cards and other things."""

    shrink = 0.45  # it may be made so much smaller when all is drawn
    blur = 1.0  # a lens out of focus spreads over more of a larger picture
    boardless = 0.1  # how many have no board
    density = (0.1, 1.0)  # of the pieces on a board
    visited = 0.0  # how many boards have villagers
    paired = 0.0  # how many have mostly blue or yellow pieces, which only their shapes tell apart

    def __init__(self, rng: Rng, size: tuple[int, int], lens: Camera, shelf: paint.Shelf) -> None:
        super().__init__(rng, size, lens)
        self.shelf = shelf
        self.towns: list[Town] = []
        self.taken: list[tuple[float, float, float]] = []  # circles on the table: x, y, radius

    def pick(self, kind: str) -> Image:
        stock = self.shelf[kind]
        return stock[int(self.rng.integers(len(stock)))]

    def table(self) -> None:
        """Draw the room, the table top, perhaps the table's far edge."""
        rng = self.rng
        self.canvas = cv2.resize(self.pick("room"), self.size, interpolation=cv2.INTER_LINEAR)
        texture = self.pick("table")
        scale = np.exp(rng.uniform(np.log(6), np.log(30))) / texture.shape[0]
        spin = turned(rng.uniform(0, 2 * np.pi)) * scale
        plane = np.column_stack([spin[:, 0], spin[:, 1], [rng.uniform(-9, 9), rng.uniform(-9, 9), -CARDBOARD]])
        behind = self.canvas.copy()
        self.lay(texture, plane, wrap=True)
        if rng.random() < 0.4:
            self._edge(behind)

    def _edge(self, behind: Image) -> None:
        """Let the table end at a straight line somewhere beyond the board; `behind` is the picture of what is behind
        it."""
        angle, far = self.rng.uniform(0, 2 * np.pi), self.rng.uniform(3.6, 14)
        out = np.array([np.cos(angle), np.sin(angle), 0])
        along = np.array([-out[1], out[0], 0])
        start = np.array([2, 2, -CARDBOARD]) + out * far
        ends = start + np.outer([-60, -20, 0, 20, 60], along)
        ends = ends[self.camera.depth(ends) > 1]
        if len(ends) < 2:
            return
        line = self.camera.see(ends[[0, -1]])
        normal = np.array([line[0, 1] - line[1, 1], line[1, 0] - line[0, 0]])
        inner = self.camera.see(np.array([[2.0, 2, 0]]))[0]
        columns, rows = np.arange(self.size[0]), np.arange(self.size[1])
        side = normal[0] * (columns[None, :] - line[0, 0]) + normal[1] * (rows[:, None] - line[0, 1])
        beyond = side * np.sign(normal @ (inner - line[0])) < 0
        self.canvas = np.where(beyond[..., None], behind, self.canvas).astype(np.uint8)

    def place(self, radius: float, near: float = 3.2, far: float = 9.0) -> tuple[float, float] | None:
        """Return the middle of a free spot for a circle with this radius, or None. It is `near` to `far` squares from
        the middle of board 0."""
        for _ in range(12):
            angle, away = self.rng.uniform(0, 2 * np.pi), self.rng.uniform(near, far)
            x, y = 2 + away * np.cos(angle), 2 + away * np.sin(angle)
            if all(np.hypot(x - a, y - b) > radius + r for a, b, r in self.taken):
                self.taken.append((x, y, radius))
                return x, y
        return None

    def board(self, origin: Sequence[float], yaw: float) -> Floats:
        """Lay a board with its first corner at `origin`, turned by `yaw`. Return the 3 x 3 rotation from board to
        world."""
        spin = turned(yaw)
        corners = np.array([(0, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0)], float) @ spin.T + np.append(origin, 0)
        if self.camera.depth(corners).min() < 1:
            return spin
        lower = corners - [0, 0, CARDBOARD]
        rim = self.camera.see(np.vstack([corners, lower]))
        dark = self.rng.uniform(15, 120) * self.rng.uniform(0.8, 1.1, 3)
        for i in range(4):
            j = (i + 1) % 4
            cv2.fillConvexPoly(self.canvas, fixed(rim[[i, j, 4 + j, 4 + i]]), dark.tolist(), cv2.LINE_AA, 4)
        art = self.pick("board")
        unit = 4 / art.shape[0]
        self.lay(art, np.column_stack([spin[:, 0] * unit, spin[:, 1] * unit, np.append(origin, 0)]))
        # Board coordinates run clockwise in the picture; the world's x and y run anticlockwise seen from above.
        self.towns.append(Town(self.camera.see(corners[[0, 3, 2, 1]]), ["empty"] * 16))
        return spin

    def build(self, origin: Sequence[float], spin: Floats, town: Town, density: float) -> dict[int, Solid]:
        """Put pieces on the share `density` of a board's squares, note them in `town`, and return them by square. The
        board's first corner is at `origin`; `spin` is its 3 x 3 rotation."""
        rng = self.rng
        weights = np.array([1.0] * 8 + [rng.choice([0.2, 1.0])] * 5)
        weights[LABELS.index("factory") - 1] *= 1.5
        if rng.random() < 0.3:
            weights *= rng.dirichlet(np.full(13, 0.6)) + 0.01
        if self.paired and rng.random() < self.paired:
            weights[[LABELS.index(label) - 1 for label in PAIRS]] *= 4
        aligned, scale = rng.random() < 0.3, rng.uniform(0.95, 1.05)
        loose = rng.choice([0.04, 0.09, 0.15])  # tidy, usual and untidy players
        standing: dict[int, Solid] = {}
        for index in range(16):
            if rng.random() > density:
                continue
            row, column = divmod(index, 4)
            label = LABELS[1 + int(rng.choice(13, p=weights / weights.sum()))]
            yaw = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.15) if aligned else rng.uniform(0, 2 * np.pi)
            middle = spin @ np.array([row + 0.5, column + 0.5, 0]) + np.append(origin, 0)
            off = np.append(np.clip(rng.normal(0, loose, 2), -OFF, OFF), 0)
            lying = label not in CUBES and label != "well" and rng.random() < 0.05
            beside = [standing[i] for i in (index - 1, index - 4) if i in standing and (i != index - 1 or column)]
            for off_by in (off, off / 2, off * 0):
                piece = make(rng, label, middle + off_by, yaw, lying, scale)
                if not any(overlap(piece, other) for other in standing.values()):
                    break
            leaning = self._leaning(piece, middle, beside) if rng.random() < LEANING and not lying else None
            standing[index] = leaning or piece
            self.solids.append(standing[index])
            town.grid[index] = label
            if label == "factory" and not leaning and rng.random() < BLACK_TOPPED:
                town.on_top[index] = self._load(piece, yaw, lying)
        return standing

    def _leaning(self, piece: Solid, middle: Floats, beside: list[Solid]) -> Solid | None:
        """Return the piece tilted against one of the pieces `beside` it, or None if that is not near enough. `middle`
        is the middle of its square."""
        if not beside:
            return None
        other = beside[int(self.rng.integers(len(beside)))]
        gap = other.base[:2] - middle[:2]
        towards = gap / np.linalg.norm(gap)
        pushed = np.append(middle[:2] + towards * self.rng.uniform(0.1, OFF), middle[2])
        piece = moved(piece, pushed)
        ahead = np.append(towards, 0)
        free = min(float((face @ ahead).min()) for face in other.faces) - max(
            float((face @ ahead).max()) for face in piece.faces
        )
        high = min(max(float(face[:, 2].max()) for face in solid.faces) for solid in (piece, other)) - middle[2]
        if not 0.02 < free < 0.6 * high:
            return None
        return leaned(piece, towards, float(np.arcsin(free / high)))

    def _load(self, piece: Solid, yaw: float, lying: bool) -> list[str]:
        """Put one to three cubes on the black building `piece`, and return their labels. The piece is turned by `yaw`
        and may be `lying`."""
        rng = self.rng
        count = int(rng.choice([1, 2, 3], p=[0.72, 0.16, 0.12]))
        roof = max(float(face[:, 2].max()) for face in piece.faces) - (0 if lying else rng.uniform(0.0, 0.07))
        along = turned(yaw) @ [1.0, 0, 0]
        offsets = {1: [rng.uniform(-0.22, 0.22)], 2: [-0.17, 0.17], 3: [-0.28, 0.02, 0.31]}[count]
        cubes = []
        for k, offset in enumerate(offsets):
            cube = str(rng.choice(CUBES))
            at = piece.base + along * (offset + rng.normal(0, 0.02))
            if count == 3 and k == 2 and rng.random() < 0.3:  # the third one on top of the others
                at = piece.base + np.array([0, 0, 0.3])
            at = at + np.append(rng.normal(0, 0.03, 2), roof)
            askew = rng.normal(0, 0.35) if rng.random() < 0.7 else rng.uniform(0, 3)
            self.solids.append(make(rng, cube, at, yaw + askew))
            cubes.append(cube)
        return cubes

    def heap(self, x: float, y: float, z: float, count: int, labels: Sequence[str], spread: float) -> None:
        """Add `count` loose pieces with random `labels` around x, y, z; the larger `spread`, the farther they lie
        apart."""
        rng = self.rng
        for _ in range(count):
            label = str(rng.choice(labels))
            at = np.array([x, y, z + max(0.0, rng.normal(0, 0.08))]) + np.append(rng.normal(0, spread, 2), 0)
            lying = label not in CUBES and label != "well" and rng.random() < 0.5
            self.solids.append(make(rng, label, at, rng.uniform(0, 2 * np.pi), lying))

    def cards(self, count: int) -> None:
        rng = self.rng
        for _ in range(count):
            spot = self.place(1.3, 3.4, 9.0)
            if spot is None:
                continue
            texture = self.pick("card")
            unit = CARD[1] / max(texture.shape[:2])
            spin = turned(rng.uniform(0, 2 * np.pi)) * unit * rng.uniform(0.8, 1.2)
            middle = spin[:, :2] @ (np.array(texture.shape[1::-1]) / 2)
            origin = np.array([*spot, -CARDBOARD + 0.01]) - middle
            self.lay(texture, np.column_stack([spin[:, 0], spin[:, 1], origin]))
