"""Find pale sheets in a picture, such as the fields that cards print their patterns on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import Floats, Image


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the thresholds for finding pale sheets."""

    short: float = 18.0  # pixels along a field's shorter side below which its squares melt into each other
    largest: float = 0.4  # of the picture
    slim: float = 5.0  # long side over short side, as steep views show it
    full: float = 0.82  # of its hull, of a sheet
    pale: float = 60.0  # how bright a field's darkest channel must be
    plain: float = 1.6  # how much lighter half of a field's rim may be than the other half


LIMITS = Limits()
# A quarter turn of the unit square about its middle, none to three times.
QUARTERS = [
    (np.array([(1, 0), (0, 1)]), (0, 0)),
    (np.array([(0, 1), (-1, 0)]), (1, 0)),
    (np.array([(-1, 0), (0, -1)]), (1, 1)),
    (np.array([(0, -1), (1, 0)]), (0, 1)),
]


def sheets(picture: Image) -> list[Floats]:
    """Return the four corners of each sheet in the picture that is pale and of one colour along its rim."""
    found = _foursided(picture)
    if not found:
        return []
    along = np.array([(0.12, 0.12), (0.37, 0.1), (0.63, 0.1), (0.88, 0.12)])
    ring = np.concatenate([along @ turn + shift for turn, shift in QUARTERS])
    soft = cv2.blur(picture, (3, 3))
    quads = np.array(found)
    u, v = ring[:, 0, None], ring[:, 1, None]
    weights = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)[:, :, 0]
    points = np.einsum("rk,qkd->qrd", weights, quads)
    x = np.clip(points[..., 0].astype(int), 0, picture.shape[1] - 1)
    y = np.clip(points[..., 1].astype(int), 0, picture.shape[0] - 1)
    rims = np.sort(soft[y, x].astype(float), axis=1)
    low, high = rims[:, len(ring) // 4], rims[:, -len(ring) // 4]
    keeps = (low.min(axis=1) > LIMITS.pale) & (high / np.maximum(low, 1) < LIMITS.plain).all(axis=1)
    return [corners for corners, keep in zip(found, keeps, strict=True) if keep]


def _foursided(picture: Image) -> list[Floats]:
    """Return the corners, clockwise, of each shape that may be a pale sheet."""
    found: dict[tuple[int, ...], Floats] = {}
    area = picture.shape[0] * picture.shape[1]
    for mask in _masks(picture):
        outlines, within = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        for outline, (*_, hole_in) in zip(outlines, within[0] if outlines else (), strict=True):
            corners = None if hole_in >= 0 else _corners(np.asarray(outline), area)
            if corners is not None:
                grain = max(4.0, 0.05 * float(np.sqrt(cv2.contourArea(corners.astype(np.float32)))))
                found.setdefault(tuple(np.round(_sorted(corners) / grain).astype(int).ravel()), corners)
    return list(found.values())


def _sorted(corners: Floats) -> Floats:
    return corners[np.lexsort((corners[:, 0], corners[:, 1]))]


def _masks(picture: Image) -> Iterator[Image]:
    """Yield masks that may show sheets: areas brighter than their surroundings, and areas enclosed by edges."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    longest = max(grey.shape)
    for share, above in ((8, -6), (16, -6), (30, -4)):
        block = max(longest // share, 15) | 1
        yield np.asarray(
            cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, above), np.uint8
        )
    soft = cv2.GaussianBlur(grey, (0, 0), 0.8)
    for low, high in ((20, 60), (60, 150)):
        edges = cv2.dilate(cv2.Canny(soft, low, high), np.ones((3, 3), np.uint8))
        yield np.asarray(255 - edges, np.uint8)


def _corners(outline: NDArray[Any], area: float) -> Floats | None:
    """Return the corners of an outline that is nearly four-sided, or None if its shape or size is wrong. `area` is the
    number of pixels of the whole picture."""
    if len(outline) < 4:
        return None
    hull = cv2.convexHull(outline)
    size = cv2.contourArea(hull)
    if not LIMITS.short**2 < size < LIMITS.largest * area:
        return None
    corners = cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(float)
    if len(corners) != 4:
        box = cv2.minAreaRect(hull)
        corners = cv2.boxPoints(box).astype(float)
    if size < LIMITS.full * cv2.contourArea(corners.astype(np.float32)):
        return None
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    short, long = sorted((lengths[0::2].mean(), lengths[1::2].mean()))
    if short < LIMITS.short or long > LIMITS.slim * short:
        return None
    return corners if cv2.contourArea(corners.astype(np.float32), True) > 0 else corners[::-1]
