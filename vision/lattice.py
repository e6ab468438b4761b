"""Find the corners of a board by its lattice: the lines between its squares and where they cross.

The crossings come from the network's maps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import Floats, Image, Shape, skew

CLOSE = 256  # side of a look at one board from close by
MARGIN = 0.2  # of the board's side, around it in that look
STRIDE = 4  # pixels of a look along one cell of its maps
STEPS = np.array([(x, y) for x in range(-2, 3) for y in range(-2, 3) if abs(x) + abs(y) < 3])  # squares off
UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the thresholds for fitting a lattice."""

    peak: float = 0.25  # a crossing seen
    high: float = 0.6  # a crossing that cannot be seen better
    snap: float = 0.4  # of a square: how far a crossing may lie from where it is expected
    near: float = 0.25  # of a square: how far it may lie from where the first look has it
    tight: float = 0.1  # of a square: how far it may lie once the corners are fitted
    filled: float = 0.85  # share of its place that a board is sure to be marked in
    crossings: float = 0.4  # share of all that must be seen for the corners to be fitted
    better: float = 1.15  # times as well must a lattice a square off fit
    visible: float = 0.6  # share of the crossings of a lattice a square off that must be within the look


LIMITS = Limits()


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Hold where the crossings of a board lie, row by row: on a board of side 1, and in a close-up."""

    shape: Shape
    points: Floats
    kinds: NDArray[np.int_]  # which map of the network shows each: 1 a corner, 2 a point of an edge, 3 one inside
    steps: Floats  # some squares off, on a board of side 1
    filled: tuple[float, float]  # shares of a look's width and height that the board takes
    spacing: float  # of the crossings in the maps of a look
    there: Floats  # where they lie in these maps if the corners are right

    @property
    def corners_there(self) -> Floats:
        """Return the board's corners, clockwise, as points in the network's maps of a close-up, like `there`."""
        last = self.shape.columns
        return self.there[[0, last, len(self.there) - 1, len(self.there) - 1 - last]]

    @property
    def fewest(self) -> float:
        """Return how many crossings must be seen at least to calculate the board's corners."""
        return LIMITS.crossings * len(self.points)

    @property
    def is_square(self) -> bool:
        """Return whether the board looks the same after a quarter turn."""
        return self.shape.rows == self.shape.columns


@lru_cache
def lattice_of(shape: Shape) -> Lattice:
    rows, columns = shape
    points = np.array([(x, y) for y in np.linspace(0, 1, rows + 1) for x in np.linspace(0, 1, columns + 1)])
    kinds = np.array([1 + (0 < x < columns) + (0 < y < rows) for y in range(rows + 1) for x in range(columns + 1)])
    longest = max(shape)
    share = np.array([columns, rows]) / longest / (1 + 2 * MARGIN)
    there = (points * CLOSE * share + CLOSE * (1 - share) / 2) / STRIDE - 0.375
    spacing = CLOSE / (1 + 2 * MARGIN) / longest / STRIDE
    return Lattice(shape, points, kinds, STEPS / (columns, rows), (share[0], share[1]), spacing, there)


def orders(corners: Floats, lattice: Lattice) -> list[Floats]:
    """Return the corners in each order that may be right. A board with as many rows as columns has one, the given
    order. Any other has two, as its rows may also run from the second corner to the third."""
    return [corners] if lattice.is_square else [corners, np.roll(corners, -1, axis=0)]


def in_likelier_order(corners: Floats, lattice: Lattice, size: tuple[int, int]) -> Floats:
    """Return the corners in the order in which the board's squares look most like squares.

    `size` is the picture's width and height.
    """
    return min(orders(in_order(corners), lattice), key=lambda order: skew(order, size, lattice.shape))


def from_first(corners: Floats, lattice: Lattice) -> Floats:
    """Return the corners clockwise from the one with the smallest x + y.

    If rows of an oblong board would then run the other way, begin with the next corner.
    """
    ordered = in_order(corners)
    is_turned = bool((ordered[[0, 2]] == corners[1]).all(axis=1).any())
    return orders(ordered, lattice)[-1 if is_turned else 0]


def in_order(corners: Floats) -> Floats:
    """Return the corners clockwise in the picture, from the one with the smallest x + y."""
    middle = corners.mean(axis=0)
    around = corners[np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))]
    return np.asarray(np.roll(around, -int(np.argmin(around.sum(axis=1))), axis=0))


def snapped(seen: Floats, quad: Floats, lattice: Lattice) -> Floats:
    """Return the corners `quad` moved so that the board's lattice fits the crossings in the network's maps `seen`. If
    too few crossings are seen, return them unchanged."""
    before = None
    for _ in range(3):
        expected = _within(quad, lattice.points)
        points, weights = crossings(seen, expected, LIMITS.snap * square_of(quad, lattice.shape), lattice)
        better = None if before is not None and np.array_equal(points, before) else fit(points, weights, lattice)
        if better is None:
            break
        quad, before = better, points
    return quad


def promise_of(seen: Floats, quad: Floats, lattice: Lattice) -> float:
    """Return how likely a board has the corners `quad`, from 0 to 1, judged by the network's maps `seen`."""
    reach = LIMITS.near * square_of(quad, lattice.shape)
    return float(heights(seen, _within(quad, lattice.points), reach, lattice).mean())


def heights(seen: Floats, expected: Floats, reach: float, lattice: Lattice) -> Floats:
    """Return how well the network's maps `seen` show each crossing, from 0 to 1. A crossing is looked for within
    `reach` cells of its position in `expected`."""
    return _at(_highest(seen, reach), expected, lattice)


def _highest(seen: Floats, reach: float) -> Floats:
    """Return the network's maps `seen`, each cell replaced by the highest value within `reach` cells of it."""
    size = 2 * max(round(reach), 1) + 1
    return np.stack([cv2.dilate(one, np.ones((size, size), np.uint8)) for one in seen])


def _at(highest: Floats, expected: Floats, lattice: Lattice) -> Floats:
    """Return how well each crossing of the lattice is seen at its point in `expected`, from 0 to 1. Points outside the
    maps give 0. `highest` has the maps after `_highest`."""
    side = highest.shape[1]
    x, y = np.clip(np.round(expected), 0, side - 1).astype(int).T
    inside = ((expected >= 0) & (expected < side)).all(axis=1)
    return np.asarray(np.clip(highest[lattice.kinds, y, x] / LIMITS.high, 0, 1) * inside)


def crossings(seen: Floats, expected: Floats, reach: float, lattice: Lattice) -> tuple[Floats, Floats]:
    """Return where the network's maps `seen` show each crossing, and how strongly. It is looked for within `reach`
    cells of its position in `expected`, and stays there if seen too weakly."""
    side = seen.shape[1]
    radius = max(round(reach), 1)
    inside = ((expected >= 0) & (expected < side)).all(axis=1)
    middles = np.round(np.where(inside[:, None], expected, 0)).astype(int)
    around = _windows(seen, lattice.kinds, middles, radius).reshape(len(expected), -1)
    peaks = around.argmax(axis=1)
    weights = np.where(inside, around[np.arange(len(around)), peaks], 0)
    high = weights >= LIMITS.peak
    window = 2 * radius + 1
    down, across = np.divmod(peaks, window)
    tops = middles + np.stack([across, down], axis=1) - radius
    points = expected.copy()
    points[high] = _summits(seen, lattice.kinds[high], tops[high])
    return points, weights


def peaks(seen: Floats) -> Image:
    """Return a mask with the size of one of the network's maps `seen`; 1 marks a crossing. Such a cell is clear enough
    in one of the maps of crossings, and no neighbour is higher."""
    high = seen[1:].max(axis=0)
    return np.asarray((high >= LIMITS.peak) & (high == cv2.dilate(high, np.ones((3, 3), np.uint8))), np.uint8)


def _windows(seen: Floats, kinds: NDArray[np.int_], middles: NDArray[np.int_], radius: int) -> Floats:
    """Return an array of squares, one around each point in `middles`, 2 x `radius` + 1 cells wide. The cells are those
    of a map in `seen`; `kinds` has the number of the map for each point. Cells outside the map are 0."""
    reach, last = np.arange(-radius, radius + 1), seen.shape[1] - 1
    rows, columns = middles[:, 1, None, None] + reach[:, None], middles[:, 0, None, None] + reach
    y, x = np.clip(rows, 0, last), np.clip(columns, 0, last)
    return np.asarray(seen[kinds[:, None, None], y, x] * ((y == rows) & (x == columns)))


def _summits(seen: Floats, kinds: NDArray[np.int_], tops: NDArray[np.int_]) -> Floats:
    """Return the exact middle of each crossing: the centre of mass of the cells around its highest cell. `tops` has the
    highest cells, and `kinds` the number of the map in `seen` that shows each crossing."""
    bumps, reach = _windows(seen, kinds, tops, 2), np.arange(-2, 3)
    mass = bumps.sum(axis=(1, 2))
    off = np.stack([bumps.sum(axis=1) @ reach, bumps.sum(axis=2) @ reach], axis=1)
    return np.asarray(tops + off / mass[:, None])


def fit(points: Floats, weights: Floats, lattice: Lattice) -> Floats | None:
    """Return the corners of the board whose crossings are at these points, or None if no board fits them. `weights`
    says how strongly each point is seen; at least `lattice.fewest` must be."""
    good = weights >= LIMITS.peak
    if good.sum() < max(lattice.fewest, 4):
        return None
    rows = points.reshape(lattice.shape.rows + 1, lattice.shape.columns + 1, 2)
    spacing = max(float(np.median(np.linalg.norm(np.diff(rows, axis=1), axis=2))), 0.5)
    plane, _ = cv2.findHomography(lattice.points[good], points[good], cv2.RANSAC, max(0.15 * spacing, 0.5))
    if plane is None:
        return None
    corners = np.asarray(cv2.perspectiveTransform(UNIT[None].astype(float), plane)[0])
    return corners if is_convex(corners) else None


def placed(seen: Floats, lattice: Lattice) -> Floats | None:
    """Return the board's corners as points of a close-up's maps `seen`, or None if too few crossings are seen."""
    return fit(*crossings(seen, lattice.there, LIMITS.snap * lattice.spacing, lattice), lattice)


def agreement(seen: Floats, corners: Floats, lattice: Lattice) -> tuple[float, Floats]:
    """Return how well the network's maps `seen` show a board with these corners, then how well they show each crossing.
    All numbers are from 0 to 1."""
    high = heights(seen, _within(corners, lattice.points), LIMITS.tight * lattice.spacing, lattice)
    place = np.zeros(seen.shape[1:], np.uint8)
    cv2.fillConvexPoly(place, np.clip(corners, -999, 999).round().astype(np.int32), 1)
    inside = float((seen[0] * place).sum()) / max(int(place.sum()), 1)
    return float(high.mean()) * min(inside / LIMITS.filled, 1.0), high


def worst_side(high: Floats, lattice: Lattice) -> float:
    """Return how well crossings are seen on the board's worst side; a low value means corners off by a square.

    `high` says how well each crossing is seen.
    """
    rows = high.reshape(lattice.shape.rows + 1, lattice.shape.columns + 1)
    return float(min(side.mean() for side in (rows[0], rows[-1], rows[:, 0], rows[:, -1])))


def stepped(seen: Floats, corners: Floats, lattice: Lattice) -> list[Floats]:
    """Return these corners and copies of them shifted by up to two squares. The best fit to the network's maps `seen`
    comes first. A shifted copy still shares many crossings, so it comes before these corners only if it fits 15%
    better."""
    fits = []
    visible = LIMITS.visible * len(lattice.points)
    highest = _highest(seen, LIMITS.near * lattice.spacing)
    for step in lattice.steps:
        points = _within(corners, lattice.points + step)
        inside = ((points >= 0) & (points < seen.shape[1])).all(axis=1).sum()
        high = float(_at(highest, points, lattice).sum()) / max(int(inside), visible)
        fits.append(high if step.any() else high * LIMITS.better)
    return [_within(corners, UNIT + lattice.steps[index]) for index in np.argsort(fits)[::-1]]


def _within(corners: Floats, points: Floats) -> Floats:
    """Return the points of a board (side 1) as points of a picture in which the board has these corners."""
    plane = cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(points[None].astype(float), plane)[0])


def side_of(corners: Floats) -> float:
    return float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))))


def square_of(corners: Floats, shape: Shape) -> float:
    """Return the side of an average square of the board, in pixels: the root of its area in the picture."""
    return float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32))) / (shape.rows * shape.columns)))


def is_convex(corners: Floats) -> bool:
    return cv2.isContourConvex(corners.astype(np.float32))


def is_sane(corners: Floats) -> bool:
    """Return whether a board can have these corners in a picture: convex, and no side tiny or 12 times another."""
    if not np.isfinite(corners).all() or not is_convex(corners):
        return False
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return bool(sides.min() > 16 and sides.max() < 12 * sides.min() and np.abs(corners).max() < 20_000)
