"""Finds every board in a picture, or none.

A small network looks at the whole picture and marks where boards lie and where their lanes cross. Each candidate is
then flattened and looked at again from close by: the twenty-five crossings found there give the corners, and how many
of them are where they ought to be is the check. If nothing passes it, a slower search looks at parts of the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision import rectify
from vision.rectify import Floats, Image

MODEL = Path(__file__).parent / "model" / "finder.onnx"
WIDE = 384  # side of the first look
CLOSE = 256  # side of the second
MARGIN = 0.2  # of the board's side, around it in the second look
STRIDE = 4
STEPS = np.linspace(0, 1, 5)
LATTICE = np.array([(x, y) for y in STEPS for x in STEPS])
KIND = np.array([1 + (0 < i % 5 < 4) + (0 < i // 5 < 4) for i in range(25)])  # corner, edge, inside
UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


@dataclass(frozen=True, slots=True)
class Limits:
    """Thresholds of this stage."""

    smallest: int = 30  # cells of the first look that a board must cover
    peak: float = 0.25  # a crossing seen
    hidden: float = 0.15  # below this a crossing is hidden
    covered: int = 3  # crossings beside each other that are hidden by more than a piece
    snap: float = 0.4  # of a square: how far a crossing may lie from where it is expected
    tight: float = 0.1  # of a square: how far it may lie once the corners are fitted
    crossings: int = 10  # of 25 that must be seen for the corners to be fitted
    accept: float = 0.5
    doubtful: float = 0.35  # accepted if nothing better is there, and said to be doubtful
    hint: float = 0.2  # a candidate that may be a board in another light
    sure: float = 0.7
    middle: float = 0.5  # where the middle tone of a good photograph lies
    looks: int = 3
    settled: float = 0.03  # of the side: corners that moved less need no further look
    distant: float = 160.0  # pixels along a board below which the first look may have missed others
    overlap: float = 0.3


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Found:
    """A board's corners, clockwise from the one with the smallest x + y, and how well they pass the check."""

    corners: Floats
    confidence: float
    hidden: int = 0  # crossings beside each other, all within the picture, of which nothing is seen

    @property
    def is_covered(self) -> bool:
        """A hand or a mug lies over a part of it."""
        return self.hidden >= LIMITS.covered

    @property
    def is_doubtful(self) -> bool:
        """Nothing better was there."""
        return self.confidence < LIMITS.accept


@lru_cache(maxsize=2)
def _network(_side: int) -> cv2.dnn.Net:
    """One copy for each size of look, since a network that changes its size plans its memory anew."""
    return cv2.dnn.readNetFromONNX(str(MODEL))


def maps(look: Image) -> Floats:
    """The network's answer for a square picture: boards, corners, edge points, inner points."""
    network = _network(look.shape[0])
    network.setInput(np.ascontiguousarray(look.transpose(2, 0, 1)[None], np.float32) / np.float32(255))
    return np.asarray(network.forward()[0], float)


@dataclass(frozen=True, slots=True)
class Look:
    """A way of looking for boards: at which part of the picture, how large, how it was prepared."""

    part: tuple[float, float, float, float] = (0, 0, 1, 1)  # left, top, width, height in shares of the picture
    size: float = 1.0  # of the network's square; less leaves room around
    soft: bool = False  # thin lines that somebody drew over the picture, and noise, smoothed away
    masks: tuple[float, ...] = (0.5,)


FIRST = (Look(),)
# The slower search: the whole picture in other ways, then parts of it as if each were the whole.
AGAIN = tuple(Look(size=size, soft=soft, masks=(0.5, 0.2)) for size in (1.0, 0.6) for soft in (False, True))
PARTS = tuple(
    Look((left, top, share, share))
    for share, starts in ((0.7, (0.0, 0.3)), (0.5, (0.0, 0.25, 0.5)))
    for top in starts
    for left in starts
)


def letterbox(picture: Image, side: int, size: float = 1.0) -> tuple[Image, Floats]:
    """The whole picture in a square, and the 2 x 3 matrix that brought it there."""
    high, wide = picture.shape[:2]
    scale = side * size / max(high, wide)
    small = cv2.resize(
        picture, (max(round(wide * scale), 1), max(round(high * scale), 1)), interpolation=cv2.INTER_AREA
    )
    top, left = (side - small.shape[0]) // 2, (side - small.shape[1]) // 2
    out = np.zeros((side, side, 3), np.uint8)
    out[top : top + small.shape[0], left : left + small.shape[1]] = small
    return out, np.array([[scale, 0, left], [0, scale, top]])


def locate(picture: Image) -> list[Found]:
    """All boards, the largest first."""
    looked = _looked(picture, FIRST)
    found = _distinct(looked)
    if not found or _is_unsure(looked, found):
        # In a light of another colour or strength boards resemble themselves once the tones are evened out.
        even = evened(picture)
        looked += _looked(even, FIRST)
        found = _distinct(looked)
        if not found or _is_unsure(looked, found):
            looked += [*_looked(picture, AGAIN), *_looked(even, AGAIN)]
            found = _distinct(looked)
        if all(_side(board.corners) < LIMITS.distant for board in found):  # none, or a whole table from afar
            looked += _looked(even if not found else picture, PARTS)
            found = _distinct(looked)
    if not found:
        found = _distinct(looked, LIMITS.doubtful)[:1]
    return sorted(found, key=lambda board: -_side(board.corners))


def _looked(picture: Image, looks: Iterable[Look]) -> list[Found]:
    """All that these looks take for boards, with how well each passes the check."""
    return [_checked(picture, corners, look.soft) for look in looks for corners in _candidates(picture, look)]


def _is_unsure(looked: Sequence[Found], found: Sequence[Found]) -> bool:
    """Something may be a board besides those found, or these are small or hardly passed."""
    rest = [board for board in looked if LIMITS.hint < board.confidence < LIMITS.accept]
    return (
        any(not _overlaps(board, found) for board in rest)
        or min(board.confidence for board in found) < LIMITS.sure
        or all(_side(board.corners) < LIMITS.distant for board in found)
    )


def evened(picture: Image) -> Image:
    """The picture with its darkest and lightest tones of each colour where a good photograph has them."""
    small = cv2.resize(picture, (160, 160), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    low, high = np.percentile(small, 1, axis=0), np.percentile(small, 99, axis=0)
    middle = np.median(np.clip((small - low) / np.maximum(high - low, 1), 0, 1), axis=0).mean()
    bend = float(np.clip(np.log(LIMITS.middle) / np.log(np.clip(middle, 0.05, 0.95)), 0.5, 2.0))
    steps = np.arange(256)[:, None]
    curve = np.clip((steps - low) / np.maximum(high - low, 1), 0, 1) ** bend
    table = np.round(8 + 240 * curve).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(picture, table), np.uint8)


def fitted(picture: Image, corners: Floats) -> float:
    """How well corners that somebody gave pass the check."""
    frame = rectify.flat_frame(corners, CLOSE, MARGIN)
    seen = maps(np.asarray(cv2.warpPerspective(picture, frame, (CLOSE, CLOSE)), np.uint8))
    return _agreement(seen, _lattice_there())[0]


def in_order(corners: Floats) -> Floats:
    """Clockwise in the picture, from the corner with the smallest x + y."""
    middle = corners.mean(axis=0)
    around = corners[np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))]
    return np.asarray(np.roll(around, -int(np.argmin(around.sum(axis=1))), axis=0))


def _candidates(picture: Image, look: Look) -> Iterator[Floats]:
    """Rough corners of what a look takes for boards."""
    high, wide = picture.shape[:2]
    left, top = round(look.part[0] * wide), round(look.part[1] * high)
    part = picture[top : top + round(look.part[3] * high), left : left + round(look.part[2] * wide)]
    small, frame = letterbox(part, WIDE, look.size)
    seen = maps(_softened(small) if look.soft else small)
    for level in look.masks:
        count, areas, stats, _ = cv2.connectedComponentsWithStats((seen[0] > level).astype(np.uint8))
        for index in sorted(range(1, count), key=lambda i: -stats[i, cv2.CC_STAT_AREA])[:6]:
            if stats[index, cv2.CC_STAT_AREA] < LIMITS.smallest:
                continue
            for quad in _quads((areas == index).astype(np.uint8)):
                corners = _snapped(seen, quad)
                yield ((corners + 0.375) * STRIDE - frame[:, 2]) / frame[0, 0] + [left, top]


def _softened(look: Image) -> Image:
    return np.asarray(cv2.medianBlur(look, 5), np.uint8)


def _quads(mask: Image) -> Iterator[Floats]:
    """Four corners around a blob, and others if the first hardly cover it; boards are marked a little too small."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea)).astype(np.float32)
    area = cv2.contourArea(hull)
    if len(hull) < 4 or area < 8:
        return
    tight = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), float).reshape(-1, 2)
    if len(tight) == 4 and area * 0.9 < cv2.contourArea(tight.astype(np.float32)) < area * 1.25 and is_convex(tight):
        yield _grown(tight)
    else:
        yield _grown(np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), float))


def _grown(corners: Floats) -> Floats:
    middle = corners.mean(axis=0)
    return in_order(middle + (corners - middle) * 1.08)


def _snapped(seen: Floats, quad: Floats) -> Floats:
    """The quad moved so that its lattice meets the crossings the network saw, if enough of them are seen."""
    for _ in range(3):
        plane = cv2.getPerspectiveTransform(UNIT, quad.astype(np.float32))
        expected = cv2.perspectiveTransform(LATTICE[None], plane)[0]
        reach = LIMITS.snap * np.sqrt(abs(cv2.contourArea(quad.astype(np.float32)))) / 4
        points, weights = _crossings(seen, expected, reach)
        better = _fit(points, weights)
        if better is None:
            break
        quad = better
    return quad


def _crossings(seen: Floats, expected: Floats, reach: float) -> tuple[Floats, Floats]:
    """Where the crossings really are near where they are expected: the middle of the bump, and its height."""
    points, weights = expected.copy(), np.zeros(len(expected))
    side = seen.shape[1]
    radius = max(round(reach), 1)
    for i, (x, y) in enumerate(expected):
        x0, y0 = max(round(x) - radius, 0), max(round(y) - radius, 0)
        window = seen[KIND[i], y0 : max(round(y) + radius + 1, 0), x0 : max(round(x) + radius + 1, 0)]
        if window.size == 0 or not (0 <= x < side and 0 <= y < side):
            continue
        top, left = np.unravel_index(int(window.argmax()), window.shape)
        weights[i] = window[top, left]
        if weights[i] >= LIMITS.peak:
            points[i] = _summit(seen[KIND[i]], x0 + int(left), y0 + int(top))
    return points, weights


def _summit(bumps: Floats, x: int, y: int) -> tuple[float, float]:
    """The centre of mass around a peak."""
    x0, y0 = max(x - 2, 0), max(y - 2, 0)
    window = bumps[y0 : y + 3, x0 : x + 3]
    mass = window.sum()
    rows, columns = np.mgrid[0 : window.shape[0], 0 : window.shape[1]]
    return x0 + float((columns * window).sum() / mass), y0 + float((rows * window).sum() / mass)


def _fit(points: Floats, weights: Floats) -> Floats | None:
    """Corners of the board whose lattice runs through the points seen."""
    good = weights >= LIMITS.peak
    if good.sum() < LIMITS.crossings:
        return None
    spacing = max(float(np.median(np.linalg.norm(np.diff(points.reshape(5, 5, 2), axis=1), axis=2))), 0.5)
    plane, _ = cv2.findHomography(LATTICE[good], points[good], cv2.RANSAC, max(0.15 * spacing, 0.5))
    if plane is None:
        return None
    corners = np.asarray(cv2.perspectiveTransform(UNIT[None].astype(float), plane)[0])
    return corners if is_convex(corners) else None


def _lattice_there() -> Floats:
    """Where the crossings lie in the second look's maps if the corners are right."""
    low, width = CLOSE * MARGIN / (1 + 2 * MARGIN), CLOSE / (1 + 2 * MARGIN)
    return np.asarray((LATTICE * width + low) / STRIDE - 0.375)


def _agreement(seen: Floats, expected: Floats) -> tuple[float, Floats]:
    """How many crossings are seen where they ought to be, if the board fills the place between them; and each alone."""
    spacing = CLOSE / (1 + 2 * MARGIN) / 4 / STRIDE
    _, weights = _crossings(seen, expected, LIMITS.tight * spacing)
    place = np.zeros(seen.shape[1:], np.uint8)
    cv2.fillConvexPoly(place, np.clip(expected[[0, 4, 24, 20]], -999, 999).round().astype(np.int32), 1)
    inside = float((seen[0] * place).sum()) / max(int(place.sum()), 1)
    return float(np.clip(weights / 0.6, 0, 1).mean() * min(inside / 0.85, 1.0)), weights


def _hidden(weights: Floats, corners: Floats, picture: Image) -> int:
    """How many crossings beside each other are hidden, of those that lie in the picture."""
    plane = cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32))
    points = cv2.perspectiveTransform(LATTICE[None], plane)[0]
    within = ((points > 0) & (points < picture.shape[1::-1])).all(axis=1)
    gone = ((weights < LIMITS.hidden) & within).reshape(5, 5).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(gone, connectivity=4)
    return int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def _checked(picture: Image, corners: Floats, soft: bool) -> Found:
    """The second look: better corners for a candidate, and how well the picture bears them out."""
    best = Found(corners, 0.0)
    spacing = CLOSE / (1 + 2 * MARGIN) / 4 / STRIDE
    expected = _lattice_there()
    for _ in range(LIMITS.looks):
        if not is_sane(corners):
            break
        frame = rectify.flat_frame(corners, CLOSE, MARGIN)
        close = np.asarray(cv2.warpPerspective(picture, frame, (CLOSE, CLOSE)), np.uint8)
        seen = maps(_softened(close) if soft else close)
        there = _fit(*_crossings(seen, expected, LIMITS.snap * spacing))
        if there is None:
            break
        plane = cv2.getPerspectiveTransform(UNIT, there.astype(np.float32))
        agreed, weights = _agreement(seen, cv2.perspectiveTransform(LATTICE[None], plane)[0])
        moved = float(np.abs(there - expected[[0, 4, 24, 20]]).max()) / (4 * spacing)
        corners = cv2.perspectiveTransform(((there + 0.375) * STRIDE)[None], np.linalg.inv(frame))[0]
        if agreed > best.confidence and is_sane(corners):
            best = Found(in_order(corners), agreed, _hidden(weights, corners, picture))
        if moved < LIMITS.settled:
            break
    return best


def _side(corners: Floats) -> float:
    return float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))))


def is_convex(corners: Floats) -> bool:
    return cv2.isContourConvex(corners.astype(np.float32))


def is_sane(corners: Floats) -> bool:
    """A quadrilateral that a square board can look like: convex, not a sliver, no corner sharper than sight allows."""
    if not np.isfinite(corners).all() or not is_convex(corners):
        return False
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return bool(sides.min() > 16 and sides.max() < 12 * sides.min() and np.abs(corners).max() < 20_000)


def _distinct(boards: Iterable[Found], accept: float = LIMITS.accept) -> list[Found]:
    """Those that pass the check; of those that lie on each other the best."""
    kept: list[Found] = []
    for board in sorted((b for b in boards if b.confidence >= accept), key=lambda b: -b.confidence):
        if not _overlaps(board, kept):
            kept.append(board)
    return kept


def _overlaps(board: Found, others: Sequence[Found]) -> bool:
    shape = board.corners.astype(np.float32)
    least = LIMITS.overlap * cv2.contourArea(shape)
    return any(cv2.intersectConvexConvex(shape, other.corners.astype(np.float32))[0] >= least for other in others)
