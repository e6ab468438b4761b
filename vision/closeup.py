"""Check in flattened close-ups whether something is a board, and find its corners more exactly.

A board is recognised by the crossings of the lanes between its squares.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision import rectify
from vision.lattice import (
    STRIDE,
    UNIT,
    Lattice,
    agreement,
    from_first,
    is_sane,
    lattice_of,
    placed,
    stepped,
    worst_side,
)
from vision.looking import FIRST, Look, Views
from vision.rectify import Floats, Image, Shape


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the thresholds for checking boards in close-ups."""

    hidden: float = 0.25  # of what can be seen of a crossing: with less it is hidden
    covered: int = 3  # crossings beside each other that are hidden by more than a piece
    accept: float = 0.5
    hint: float = 0.2  # a candidate that may be a board in another light,
    beside: float = 0.3  # and one that may be some squares off
    sure: float = 0.7
    looks: int = 3  # that follow where a candidate leads
    settled: float = 0.03  # of the side: corners that moved less need no further look
    doubted: float = 0.65  # below which a board may be misplaced,
    side: float = 0.4  # if the crossings of one of its sides are seen less than this
    skewed: float = 0.3  # further than that from its shape no board's corners are, not even in a cropped picture


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Found:
    """Hold the corners of what may be a board, and how well it passed the check.

    The corners are clockwise; rows run from the first to the second.
    """

    corners: Floats
    confidence: float
    hidden: int = 0  # neighbouring crossings in the picture that are not seen
    worst_side: float = 0.0  # how well the crossings along the side that is seen least are seen, up to 1

    @property
    def is_covered(self) -> bool:
        """Return whether something like a hand or a mug covers part of the board."""
        return self.hidden >= LIMITS.covered

    @property
    def is_doubtful(self) -> bool:
        """Return whether the board failed the check and is kept only because nothing better was found."""
        return self.confidence < LIMITS.accept

    @property
    def is_badly_placed(self) -> bool:
        """Return whether the corners may be off by whole squares: they fit badly, and one side is hardly seen."""
        return self.confidence < LIMITS.doubted and self.worst_side < LIMITS.side


def fitted(picture: Image, corners: Floats, shape: Shape) -> float:
    """Return how well the corners that a person marked fit a board of this shape, from 0 to 1."""
    lattice = lattice_of(shape)
    seen, _ = Views(picture).close_by(corners, lattice, FIRST)
    return agreement(seen, lattice.corners_there, lattice)[0]


def checked(views: Views, corners: Floats, lattice: Lattice, look: Look) -> tuple[Found, int]:
    """Improve the `corners` of a possible board in close-ups, and check them. Return the checked board and the number
    of close-ups made; `look` says how the picture is prepared for the network."""
    found, looks, beside = _followed(views, corners, lattice, look)
    if LIMITS.beside < found.confidence < LIMITS.sure:
        other, more, _ = _followed(views, beside, lattice, look)
        looks += more
        if other.confidence > found.confidence:
            found = other
    high, wide = views.picture.shape[:2]
    if found.confidence > 0 and rectify.skew(found.corners, (wide, high), lattice.shape) > LIMITS.skewed:
        found = replace(found, confidence=0.0)
    return found, looks


def _followed(views: Views, corners: Floats, lattice: Lattice, look: Look) -> tuple[Found, int, Floats]:
    """Improve a possible board's corners in up to three close-ups, and check them. Return the best result, the number
    of close-ups made, and a second guess at the corners. The second guess is about a square or two off, and is tried
    if the result is bad."""
    best, looks, beside = Found(corners, 0.0), 0, corners
    while looks < LIMITS.looks and is_sane(corners):
        looks += 1
        seen, frame = views.close_by(corners, lattice, look)
        there = placed(seen, lattice)
        if there is None:
            break
        agreed, high = agreement(seen, there, lattice)
        found = _from_close(there, frame)
        if agreed > best.confidence and is_sane(found):
            hidden = _hidden(high, found, views.picture, lattice)
            best = Found(from_first(found, lattice), agreed, hidden, worst_side(high, lattice))
        if agreed < LIMITS.sure:
            there, second, *_ = stepped(seen, there, lattice)
            beside = _from_close(second, frame)
        corners = _from_close(there, frame)
        if np.abs(there - lattice.corners_there).max() < LIMITS.settled * max(lattice.shape) * lattice.spacing:
            break
    return best, looks, beside


def _from_close(points: Floats, frame: Floats) -> Floats:
    """Return points of a close-up's maps as points of the picture; `frame` is the 3 x 3 matrix from the picture to the
    close-up."""
    return np.asarray(cv2.perspectiveTransform(((points + 0.375) * STRIDE)[None], np.linalg.inv(frame))[0])


def _hidden(high: Floats, corners: Floats, picture: Image, lattice: Lattice) -> int:
    """Return the size of the largest group of neighbouring crossings that are in the picture but not seen. `high` says
    how well each crossing of the board with these corners is seen."""
    plane = cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32))
    points = cv2.perspectiveTransform(lattice.points[None], plane)[0]
    within = ((points > 0) & (points < picture.shape[1::-1])).all(axis=1)
    gone = ((high < LIMITS.hidden) & within).reshape(-1, lattice.shape.columns + 1).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(gone, connectivity=4)
    return int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))
