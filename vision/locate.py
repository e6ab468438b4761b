"""Find every board in a picture.

A small network looks at the whole picture, and marks boards and the crossings of the lines between squares. Boards
marked as one area are separated. Each candidate is flattened and checked in a close-up. If none passes, a slower search
looks in other tones, with less noise, and at parts of the picture. If an area is marked, belongs to no board found and
has crossings, it is looked at separately. What is still open then is reported. The cost of the search is limited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import process_time

import cv2
import numpy as np

from vision import blobs, closeup
from vision.closeup import Found, checked
from vision.lattice import Lattice, lattice_of, orders, peaks, promise_of, side_of, snapped
from vision.looking import AGAIN, CROWDED, EVEN, FIRST, MODEL, WHOLE, Look, Part, Seen, Views
from vision.rectify import Floats, Image, Shape

LIKELY, PERHAPS = 0.5, 0.2  # where a map says that there are boards
SECOND = replace(FIRST, model=CROWDED)


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the thresholds for finding boards."""

    doubtful: float = 0.35  # accepted if nothing better is there, and said to be doubtful
    # Mean height of the crossings that makes a look from close by worth while, at first and in the slower search.
    promise: tuple[float, float] = (0.32, 0.36)
    promising: float = 0.4  # and that makes it a hint even if nothing comes of it
    first: int = 24  # looks from close by that the first and the evened look may take,
    checks: int = 14  # the slower search, and that at each part
    seconds: float = 3.0  # of processor time, after which no further look is taken
    same: float = 0.06  # of the side: candidates so near each other are one
    few: float = 0.5  # of the crossings that a fit needs: a mark with fewer is no candidate
    unexplained: int = 60  # cells of the first look, marked as a board, that boards found leave over
    parts: int = 4  # parts looked at because something there is unexplained
    even: float = 0.5  # to which evened tones must mark what is looked at
    around: float = 2.2  # times as large as what is unexplained is the part that is looked at
    margin: float = 1.3  # times its size is what a board found explains,
    explained: float = 1.15  # and where the crossings are its own
    least: float = 0.3  # of the picture's longer side is such a part,
    most: float = 0.8  # and at most: a larger one shows little more than the whole picture did
    overlap: float = 0.3  # of a board under another one: one of the two is wrong
    covered: float = 0.6  # of a candidate under a board: it is the same board


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Located:
    """Hold the boards found, largest first, and the middles of other places that may be boards."""

    boards: list[Found]
    unexplained: list[Floats]


def locate(picture: Image, shape: Shape) -> Located:
    """Return all boards of this shape in the picture."""
    search = _Search(picture, lattice_of(shape))
    search.look(FIRST)
    if search.shows_crossings([FIRST]) and not search.is_settled:
        search.look(EVEN)
        if not search.found:
            search.look_again()
        if not search.is_settled:
            search.look_closer()
    found = search.found or _distinct(search.looked, LIMITS.doubtful)[:1]
    boards = sorted(found, key=lambda board: -side_of(board.corners))
    return Located(boards, [middle for middle, _ in search.unexplained(LIKELY)])


def glimpse(picture: Image, shape: Shape, checks: int, seconds: float) -> tuple[list[Found], bool]:
    """Return the boards found by one look at the whole picture, and whether the result is certain. It is certain if all
    pass the check well and nothing else may be a board. No close-up starts after `checks` close-ups or `seconds` of
    processor time."""
    search = _Search(picture, lattice_of(shape))
    search.left, search.until = checks, process_time() + seconds
    search.look(FIRST)
    return search.found, search.is_settled


class _Search:
    """Search one picture for boards, which are then in `found`. What was tried is remembered, so that nothing is tried
    twice."""

    def __init__(self, picture: Image, lattice: Lattice) -> None:
        self.views = Views(picture)
        self.lattice = lattice
        self.seen: dict[Look, Seen] = {}
        self.tried: list[tuple[Look, Floats]] = []
        self.looked: list[Found] = []  # all that was taken for a board, with how well each passes the check
        self.found: list[Found] = []  # those that passed
        self.hints: list[Found] = []  # those that may be boards in another light
        self.left = LIMITS.first  # looks from close by that may yet be taken
        self.until = process_time() + LIMITS.seconds

    @property
    def is_settled(self) -> bool:
        """Return whether boards were found that passed well, and nothing else may be a board."""
        return bool(self.found) and not (
            any(not _overlaps(hint, self.found) for hint in self.hints)
            or min(board.confidence for board in self.found) < closeup.LIMITS.sure
            or self.unexplained(LIKELY)
        )

    def unexplained(self, level: float, even: float = 0.0) -> list[tuple[Floats, Floats]]:
        """Return middle and size, in pixels, of areas that look like a board but belong to none found, largest first.
        An area counts if the network marks it above `level`. If the tones were also evened out, its strongest mark
        in that look must be at least `even`."""
        seen = self.seen[FIRST]
        mask = (seen.maps[0] > level).astype(np.uint8)
        _blank(mask, seen, self.found, LIMITS.margin)
        left = []
        for part in blobs.marked(mask, LIMITS.unexplained)[: LIMITS.parts]:
            if (self.seen.get(EVEN, seen).maps[0] * part).max() >= even:
                cells = np.argwhere(part)[:, ::-1]
                left.append((seen.on_picture(cells.mean(axis=0)), (np.ptp(cells, axis=0) + 1) / seen.scale))
        return left

    def shows_crossings(self, looks: Iterable[Look], part: Part = WHOLE) -> bool:
        """Return whether any of the looks shows enough crossings in a part of the picture to calculate a board's
        corners. Looks that were not made, and crossings of boards found with certainty, don't count."""
        return any(self._crossings(look, part) >= self.lattice.fewest for look in looks if look in self.seen)

    def _crossings(self, look: Look, part: Part) -> int:
        """Count the crossings that a look shows in `part`, without those of boards that were found with certainty."""
        seen = self.seen[look]
        crossings = peaks(seen.maps)
        sure = [board for board in self.found if board.confidence >= closeup.LIMITS.doubted]
        _blank(crossings, seen, sure, LIMITS.explained)
        ends = np.array([part[:2], np.add(part[:2], part[2:])]) * self.views.size
        (left, top), (right, bottom) = np.maximum(seen.on_maps(ends), 0).astype(int)
        return int(crossings[top : bottom + 1, left : right + 1].sum())

    def look_again(self) -> None:
        """Check fainter marks too, and look at the picture with noise smoothed away."""
        self.left = LIMITS.checks
        for look in (FIRST, EVEN, *AGAIN):
            self.look(look, PERHAPS)
            if self.is_settled:
                break

    def look_closer(self) -> None:
        """Look with the second network, then at parts of the picture, until no marked area is left without a board."""
        self.left = LIMITS.checks
        if self.shows_crossings((FIRST, EVEN)) and self.unexplained(PERHAPS):
            self.look(SECOND)
        for look, level in self.closer_looks():
            if self.is_settled:
                break
            if self.shows_crossings((FIRST, EVEN, SECOND), look.part):
                self.left = LIMITS.checks
                self.look(look, level)

    def closer_looks(self) -> Iterator[tuple[Look, float]]:
        """Yield a look, and its level, for each part of the picture to see larger.

        These are marked areas without a board, and doubtful boards. If such a part is most of the picture, fainter
        marks of an earlier look are to be checked instead.
        """
        size = self.views.size
        places = self.unexplained(PERHAPS, LIMITS.even)
        places += [
            (board.corners.mean(axis=0), np.ptp(board.corners, axis=0))
            for board in self.found
            if board.confidence < closeup.LIMITS.doubted
        ]
        for middle, extent in places[: LIMITS.parts]:
            side = max(extent.max() * LIMITS.around, LIMITS.least * size.max())
            if side > LIMITS.most * size.max():
                yield EVEN, PERHAPS
                continue
            wide = np.minimum(side, size)
            corner = np.clip(middle - wide / 2, 0, size - wide)
            left, top, across, down = (float(v) for v in np.concatenate([corner / size, wide / size]))
            yield Look((left, top, across, down), even=True, model=CROWDED), LIKELY

    def look(self, look: Look, level: float = LIKELY) -> None:
        """Run the network as `look` says, and check what it marks above `level`, unless that was checked before."""
        if process_time() > self.until:
            return
        for corners, promise in self._candidates(look, level):
            if self.left > 0 and process_time() < self.until and not self._is_known(corners, look):
                self.tried.append((look, corners))
                found, looks = checked(self.views, corners, self.lattice, look)
                self.left -= looks
                self.looked.append(found)
                if not found.is_doubtful:
                    self.found = _distinct(self.looked)
                if found.confidence > closeup.LIMITS.hint or promise > LIMITS.promising:
                    self.hints.append(found)

    def _candidates(self, look: Look, level: float) -> Iterator[tuple[Floats, float]]:
        """Yield corners that may be a board's, likeliest first, each with that likelihood (0 to 1). `look` says how to
        run the network; areas that it marks above `level` are tried."""
        if look not in self.seen:
            self.seen[look] = self.views.seen(look)
        seen = self.seen[look]
        marked = peaks(seen.maps)
        fewest = LIMITS.few * self.lattice.fewest
        found = [
            quad
            for blob in blobs.quads(seen.maps[0], level)
            if _marks_within(marked, blob) >= fewest and not self._is_explained(seen.on_picture(blob))
            for quad in orders(blob, self.lattice)
        ]
        quads = [snapped(seen.maps, quad, self.lattice) for quad in found]
        promises = [promise_of(seen.maps, quad, self.lattice) for quad in quads]
        for index in np.argsort(promises)[::-1]:
            if promises[index] >= LIMITS.promise[level == PERHAPS]:
                yield seen.on_picture(quads[index]), promises[index]

    def _is_explained(self, corners: Floats) -> bool:
        """Return whether a board that passed well covers these corners."""
        sure = [board for board in self.found if board.confidence >= closeup.LIMITS.sure]
        return _overlaps(Found(corners, 0.0), sure, LIMITS.covered)

    def _is_known(self, corners: Floats, look: Look) -> bool:
        """Return whether these corners need no check.

        They were tried with the same tones and network, or lie on a board that was found.
        """
        place = Found(corners, 0.0)
        if look.model != MODEL and _overlaps(place, self.found):
            return True  # what the first network found stays where it is
        if self._is_explained(corners):
            return True
        near = LIMITS.same * side_of(corners)
        way = (look.even, look.soft, look.model)
        tried = [there for one, there in self.tried if (one.even, one.soft, one.model) == way]
        return any(np.abs(there - corners).max() < near for there in tried)


def _blank(mask: Image, seen: Seen, boards: Iterable[Found], margin: float) -> None:
    """Set the mask to 0 where these boards are, each enlarged by the factor `margin`. The mask has a cell for each cell
    of the network's maps `seen`."""
    for board in boards:
        there = seen.on_maps(blobs.grown(board.corners, margin))
        cv2.fillConvexPoly(mask, np.clip(there, -999, 9999).round().astype(np.int32), 0)


def _marks_within(mask: Image, corners: Floats) -> int:
    """Return the number of cells of the mask that are 1 within the corners, enlarged by `LIMITS.margin`."""
    place = np.zeros_like(mask)
    cv2.fillConvexPoly(place, np.clip(blobs.grown(corners, LIMITS.margin), -999, 9999).round().astype(np.int32), 1)
    return cv2.countNonZero(mask & place)


def _distinct(boards: Iterable[Found], accept: float = closeup.LIMITS.accept) -> list[Found]:
    """Return the boards with a confidence of at least `accept`; of boards that overlap, only the best."""
    kept: list[Found] = []
    for board in sorted((b for b in boards if b.confidence >= accept), key=lambda b: -b.confidence):
        if not _overlaps(board, kept):
            kept.append(board)
    return kept


def _overlaps(board: Found, others: Sequence[Found], share: float = LIMITS.overlap) -> bool:
    """Return whether one of the others covers more than this share of the board."""
    shape = board.corners.astype(np.float32)
    least = share * cv2.contourArea(shape)
    return any(cv2.intersectConvexConvex(shape, other.corners.astype(np.float32))[0] >= least for other in others)
