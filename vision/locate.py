"""Finds every board in a picture, or none.

A small network looks at the whole picture and marks where boards lie and where their lanes cross. Boards side by side
that are marked as one are taken apart. Each candidate is
then flattened and looked at again from close by: the crossings found there give the corners, and how many of them are
where they ought to be is the check. If nothing passes it, a slower search looks in other tones, softer,
and at parts of the picture. Wherever something is marked as a board that no board found explains, the part around it
is looked at by itself; what stays unexplained is reported. What the search may cost is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import cv2
import numpy as np

from vision import rectify
from vision.lattice import (
    CLOSE,
    STRIDE,
    UNIT,
    Lattice,
    agreement,
    from_first,
    in_order,
    is_convex,
    is_sane,
    lattice_of,
    orders,
    placed,
    promise_of,
    side_of,
    snapped,
    stepped,
    worst_side,
)
from vision.network import network
from vision.rectify import Floats, Image, Shape

MODEL = Path(__file__).parent / "model" / "finder.onnx"
# A second opinion, learned from crowded tables: it finds more of them, and places boards of clear photos less well.
CROWDED = MODEL.with_name("finder_crowded.onnx")
WIDE = 512  # side of the first look; that of the second is `lattice.CLOSE`


@dataclass(frozen=True, slots=True)
class Limits:
    """Thresholds of this stage."""

    smallest: int = 30  # cells of the first look that a board must cover
    part: float = 0.25  # of the largest part of a blob that another must have to be a board too
    hidden: float = 0.25  # of what can be seen of a crossing: with less it is hidden
    covered: int = 3  # crossings beside each other that are hidden by more than a piece
    accept: float = 0.5
    doubtful: float = 0.35  # accepted if nothing better is there, and said to be doubtful
    hint: float = 0.2  # a candidate that may be a board in another light
    sure: float = 0.7
    middle: float = 0.5  # where the middle tone of a good photograph lies
    looks: int = 3
    # Mean height of the crossings that makes a second look worth while, at first and in the slower search.
    promise: tuple[float, float] = (0.24, 0.3)
    promising: float = 0.4  # and that makes it a hint even if nothing comes of it
    first: int = 24  # second looks that the first and the evened look may take,
    checks: int = 14  # the slower search, and that at each part
    wide: int = 9  # looks of the first one's size that a whole search may take
    seconds: float = 3.0  # of processor time, after which no further look is taken
    same: float = 0.06  # of the side: candidates so near each other are one
    settled: float = 0.03  # of the side: corners that moved less need no further look
    doubted: float = 0.65  # below which a board may be misplaced,
    side: float = 0.4  # if the crossings of one of its sides are seen less than this
    unexplained: int = 60  # cells of the first look, marked as a board, that boards found leave over
    parts: int = 4  # parts looked at because something there is unexplained
    around: float = 2.2  # times as large as what is unexplained is the part that is looked at
    skewed: float = 0.3  # further than that from its shape no board's corners are, not even in a cropped picture
    margin: float = 1.3  # times its size is what a board found explains
    widest: float = 0.3  # of the picture's longer side is such a part at least
    overlap: float = 0.3
    match: float = 0.6


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Found:
    """A board's corners, clockwise, its rows from the first to the second, and how well they pass the check."""

    corners: Floats
    confidence: float
    hidden: int = 0  # crossings beside each other, all within the picture, of which nothing is seen
    worst_side: float = 0.0  # how well the crossings along the side that is seen least are seen, up to 1

    @property
    def is_covered(self) -> bool:
        """A hand or a mug lies over a part of it."""
        return self.hidden >= LIMITS.covered

    @property
    def is_doubtful(self) -> bool:
        """Nothing better was there."""
        return self.confidence < LIMITS.accept

    @property
    def is_badly_placed(self) -> bool:
        """Return whether its lattice may be some squares off: it fits badly, and one side is hardly seen."""
        return self.confidence < LIMITS.doubted and self.worst_side < LIMITS.side


@dataclass(frozen=True, slots=True)
class Located:
    """The boards found, the largest first, and the middles of what else may be one."""

    boards: list[Found]
    unexplained: list[Floats]


def maps(look: Image, model: Path = MODEL) -> Floats:
    """Return the network's answer for a square picture: boards, corners, edge points, inner points."""
    net = network(model)
    net.setInput(np.ascontiguousarray(look.transpose(2, 0, 1)[None], np.float32) / np.float32(255))
    return np.asarray(net.forward()[0], float)


@dataclass(frozen=True, slots=True)
class Look:
    """A way of looking for boards: at which part of the picture, how large, how it was prepared."""

    part: tuple[float, float, float, float] = (0, 0, 1, 1)  # left, top, width, height in shares of the picture
    side: int = WIDE
    size: float = 1.0  # of the network's square; less leaves room around
    even: bool = False  # its tones evened out
    soft: bool = False  # thin lines that somebody drew over the picture, and noise, smoothed away
    model: Path = MODEL


CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)
LIKELY, PERHAPS = 0.5, 0.2  # where a map says that there are boards
FIRST = Look()
# In a light of another colour or strength boards resemble themselves once the tones are evened out.
EVEN = Look(even=True)
# The slower search: the whole picture in other ways.
AGAIN = (
    Look(soft=True),
    Look(even=True, soft=True),
    *(Look(side=CLOSE, size=0.9, even=even, soft=soft) for even in (False, True) for soft in (False, True)),
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


def locate(picture: Image, shape: Shape) -> Located:
    """Search a picture for all its boards of this shape."""
    search = _Search(picture, lattice_of(shape))
    search.look(FIRST)
    if not search.is_settled:
        search.look(EVEN)
    if not search.found and search.marks(FIRST, EVEN):
        search.left = LIMITS.checks
        for look in (FIRST, EVEN, *AGAIN):
            search.look(look, PERHAPS)
            if search.is_settled:
                break
    if not search.is_settled and search.marks(FIRST, EVEN):
        search.look_closer()
    found = search.found or _distinct(search.looked, LIMITS.doubtful)[:1]
    boards = sorted(found, key=lambda board: -side_of(board.corners))
    return Located(boards, [middle for middle, _ in search.unexplained(LIKELY)])


class _Search:
    """A search through one picture, which remembers what was looked at, so that nothing is looked at twice."""

    def __init__(self, picture: Image, lattice: Lattice) -> None:
        self.tones = {False: picture}
        self.lattice = lattice
        self.seen: dict[Look, tuple[Floats, Floats, list[int]]] = {}
        self.tried: list[tuple[Look, Floats]] = []
        self.looked: list[Found] = []  # all that was taken for a board, with how well each passes the check
        self.hints: list[Found] = []  # those of them that may be boards in another light
        self.left = LIMITS.first  # second looks that may yet be taken
        self.until = process_time() + LIMITS.seconds

    @property
    def found(self) -> list[Found]:
        return _distinct(self.looked)

    @property
    def is_settled(self) -> bool:
        """Boards were found that passed well, and nothing else may be one."""
        found = self.found
        return bool(found) and not (
            any(not _overlaps(hint, found) for hint in self.hints)
            or min(board.confidence for board in found) < LIMITS.sure
            or self.unexplained(LIKELY)
        )

    def unexplained(self, level: float) -> list[tuple[Floats, Floats]]:
        """Return the middle and the extent of whatever the first look marks beside the boards found, largest first.

        In pixels of the picture. What the network marks around a board a little too generously is not counted.
        """
        seen, frame, _ = self.seen[FIRST]
        mask = (seen[0] > level).astype(np.uint8)
        for board in self.found:
            there = (_grown(board.corners, LIMITS.margin) * frame[0, 0] + frame[:, 2]) / STRIDE - 0.375
            cv2.fillConvexPoly(mask, np.clip(there, -999, 9999).round().astype(np.int32), 0)
        count, areas = cv2.connectedComponents(mask)
        parts = [part for i in range(1, count) for part in _parts((areas == i).astype(np.uint8))]
        scale = STRIDE / frame[0, 0]
        left = []
        for part in sorted(parts, key=lambda one: -int(one.sum())):
            if part.sum() >= LIMITS.unexplained:
                cells = np.argwhere(part)[:, ::-1]
                middle = (cells.mean(axis=0) + 0.375) * scale - frame[:, 2] / frame[0, 0]
                left.append((middle, (np.ptp(cells, axis=0) + 1) * scale))
        return left[: LIMITS.parts]

    def marks(self, *looks: Look) -> bool:
        """Return whether any of these looks marks something that may be a board."""
        return any((self.seen[look][0][0] > PERHAPS).sum() >= LIMITS.smallest for look in looks if look in self.seen)

    def look_closer(self) -> None:
        """Ask the second network, then both about the parts around what is unexplained, until nothing is."""
        self.left = LIMITS.checks
        if self.unexplained(PERHAPS):
            self.look(replace(FIRST, model=CROWDED))
        for look in self.closer_looks():
            if self.is_settled:
                break
            self.left = LIMITS.checks
            self.look(replace(look, model=CROWDED))
            self.look(replace(look, even=True), PERHAPS)

    def closer_looks(self) -> Iterator[Look]:
        """Yield looks at the parts around what is unexplained, and around boards that passed badly."""
        size = np.array(self.tones[False].shape[1::-1], float)
        places = self.unexplained(PERHAPS)
        places += [
            (board.corners.mean(axis=0), np.ptp(board.corners, axis=0))
            for board in self.found
            if board.confidence < LIMITS.doubted
        ]
        for middle, extent in places[: LIMITS.parts]:
            wide = np.minimum(np.maximum(extent.max() * LIMITS.around, LIMITS.widest * size.max()), size)
            corner = np.clip(middle - wide / 2, 0, size - wide)
            left, top, across, down = (float(v) for v in np.concatenate([corner / size, wide / size]))
            yield Look((left, top, across, down))

    def look(self, look: Look, level: float = LIKELY) -> None:
        """Check whatever this look takes for a board and that was not checked before."""
        wide = sum(one.side == WIDE for one in self.seen)
        if process_time() > self.until or (look not in self.seen and wide >= LIMITS.wide):
            return
        for corners, promise in self._candidates(look, level):
            if self.left > 0 and process_time() < self.until and not self._is_known(corners, look):
                self.tried.append((look, corners))
                found, looks = _checked(self.tones[look.even], corners, self.lattice, look.soft, look.model)
                self.left -= looks
                self.looked.append(found)
                if found.confidence > LIMITS.hint or promise > LIMITS.promising:
                    self.hints.append(found)

    def _candidates(self, look: Look, level: float) -> Iterator[tuple[Floats, float]]:
        """Corners that this look may mean, and how much speaks for each, the most promising first."""
        if look.even not in self.tones:
            self.tones[True] = evened(self.tones[False])
        if look not in self.seen:
            self.seen[look] = _seen(self.tones[look.even], look)
        maps, frame, corner = self.seen[look]
        found = [quad for blob in _blobs(maps, level) for quad in orders(blob, self.lattice)]
        quads = [snapped(maps, quad, self.lattice) for quad in found]
        promises = [promise_of(maps, quad, self.lattice) for quad in quads]
        for index in np.argsort(promises)[::-1]:
            if promises[index] >= LIMITS.promise[level == PERHAPS]:
                corners = ((quads[index] + 0.375) * STRIDE - frame[:, 2]) / frame[0, 0] + corner
                yield corners, promises[index]

    def _is_known(self, corners: Floats, look: Look) -> bool:
        """It was tried in these tones, or lies on a board that passed well."""
        near = LIMITS.same * side_of(corners)
        way = (look.even, look.soft, look.model)
        tried = [there for one, there in self.tried if (one.even, one.soft, one.model) == way]
        if look.model != MODEL and _overlaps(Found(corners, 0.0), self.found):
            return True  # what the first network found stays where it is
        sure = [board.corners for board in self.looked if board.confidence >= LIMITS.sure]
        return any(np.abs(there - corners).max() < near for there in tried) or any(_match(corners, it) for it in sure)


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


def fitted(picture: Image, corners: Floats, shape: Shape) -> float:
    """Return how well corners that somebody gave pass the check."""
    lattice = lattice_of(shape)
    close, _ = _close_by(picture, corners, lattice)
    return agreement(maps(close), lattice.corners_there, lattice)[0]


def _close_by(picture: Image, corners: Floats, lattice: Lattice) -> tuple[Image, Floats]:
    """A look at one board from close by, and the homography from the picture to it."""
    frame = rectify.flat_frame(corners, (CLOSE, CLOSE), lattice.filled)
    return np.asarray(cv2.warpPerspective(picture, frame, (CLOSE, CLOSE)), np.uint8), frame


def _seen(picture: Image, look: Look) -> tuple[Floats, Floats, list[int]]:
    """Return what the network makes of a look, the matrix that brought the part there, and the part's corner."""
    high, wide = picture.shape[:2]
    left, top = round(look.part[0] * wide), round(look.part[1] * high)
    part = picture[top : top + round(look.part[3] * high), left : left + round(look.part[2] * wide)]
    small, frame = letterbox(part, look.side, look.size)
    return maps(_softened(small) if look.soft else small, look.model), frame, [left, top]


def _blobs(seen: Floats, level: float) -> Iterator[Floats]:
    """Yield four corners around each of the largest blobs in the map of boards, and around the parts of each."""
    count, areas, stats, _ = cv2.connectedComponentsWithStats((seen[0] > level).astype(np.uint8))
    for index in sorted(range(1, count), key=lambda i: -stats[i, cv2.CC_STAT_AREA])[:6]:
        if stats[index, cv2.CC_STAT_AREA] >= LIMITS.smallest:
            blob = (areas == index).astype(np.uint8)
            parts = _parts(blob)
            for part in parts if len(parts) == 1 else [*parts, blob]:
                yield from _quads(part)


def _parts(blob: Image) -> list[Image]:
    """Return what a blob falls into when it is worn down: boards that lie side by side are marked as one."""
    worn = blob
    for steps in range(1, max(blob.shape) + 1):
        worn = np.asarray(cv2.erode(worn, CROSS), np.uint8)
        count, pieces = cv2.connectedComponents(worn)
        if count == 1:
            break
        if count == 2:
            continue
        sizes = [
            int(cv2.dilate((pieces == i).astype(np.uint8), CROSS, iterations=steps).sum()) for i in range(1, count)
        ]
        least = max(LIMITS.smallest, LIMITS.part * max(sizes))
        large = [i for i, size in enumerate(sizes, 1) if size >= least]
        if len(large) > 1:
            beside = (~np.isin(pieces, large)).astype(np.uint8)
            _, nearest = cv2.distanceTransformWithLabels(beside, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_CCOMP)
            owned = [np.asarray(blob * (nearest == nearest[pieces == i][0]), np.uint8) for i in large]
            return [part for one in owned for part in _parts(one)]
    return [blob]


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
        yield _grown(tight, 1.08)
    else:
        yield _grown(np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), float), 1.08)


def _grown(corners: Floats, by: float) -> Floats:
    middle = corners.mean(axis=0)
    return in_order(middle + (corners - middle) * by)


def _hidden(high: Floats, corners: Floats, picture: Image, lattice: Lattice) -> int:
    """Return how many crossings beside each other are hidden, of those that lie in the picture."""
    plane = cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32))
    points = cv2.perspectiveTransform(lattice.points[None], plane)[0]
    within = ((points > 0) & (points < picture.shape[1::-1])).all(axis=1)
    gone = ((high < LIMITS.hidden) & within).reshape(-1, lattice.shape.columns + 1).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(gone, connectivity=4)
    return int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def _checked(picture: Image, corners: Floats, lattice: Lattice, soft: bool, model: Path = MODEL) -> tuple[Found, int]:
    """Second looks: better corners for a candidate and how well the picture bears them out; how many there were."""
    found, looks, beside = _followed(picture, corners, lattice, soft, model)
    if LIMITS.hint < found.confidence < LIMITS.sure:
        other, more, _ = _followed(picture, beside, lattice, soft, model)
        looks += more
        if other.confidence > found.confidence:
            found = other
    size = (picture.shape[1], picture.shape[0])
    if found.confidence > 0 and rectify.skew(found.corners, size, lattice.shape) > LIMITS.skewed:
        found = replace(found, confidence=0.0)
    return found, looks


def _followed(picture: Image, corners: Floats, lattice: Lattice, soft: bool, model: Path) -> tuple[Found, int, Floats]:
    """Return where a candidate leads, after how many looks, and the corners some squares off that fit second best."""
    best, looks, beside = Found(corners, 0.0), 0, corners
    while looks < LIMITS.looks and is_sane(corners):
        looks += 1
        close, frame = _close_by(picture, corners, lattice)
        seen = maps(_softened(close) if soft else close, model)
        there = placed(seen, lattice)
        if there is None:
            break
        agreed, high = agreement(seen, there, lattice)
        found = _from_close(there, frame)
        if agreed > best.confidence and is_sane(found):
            hidden = _hidden(high, found, picture, lattice)
            best = Found(from_first(found, lattice), agreed, hidden, worst_side(high, lattice))
        if agreed < LIMITS.sure:
            there, second, *_ = stepped(seen, there, lattice)
            beside = _from_close(second, frame)
        corners = _from_close(there, frame)
        if np.abs(there - lattice.corners_there).max() < LIMITS.settled * max(lattice.shape) * lattice.spacing:
            break
    return best, looks, beside


def _from_close(points: Floats, frame: Floats) -> Floats:
    """From the maps of a second look to the picture."""
    return np.asarray(cv2.perspectiveTransform(((points + 0.375) * STRIDE)[None], np.linalg.inv(frame))[0])


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


def _match(one: Floats, other: Floats) -> bool:
    """Return whether two quadrilaterals mean the same board: they share most of what either covers."""
    if not is_convex(one):
        return False
    a, b = one.astype(np.float32), other.astype(np.float32)
    shared = cv2.intersectConvexConvex(a, b)[0]
    return bool(shared > LIMITS.match * (cv2.contourArea(a) + cv2.contourArea(b) - shared))
