"""Split the areas that the network's map marks as boards, and put four corners around each part."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.lattice import in_order, is_convex
from vision.rectify import Floats, Image

SMALLEST = 30  # cells that a board must cover
LARGEST = 6  # so many blobs of a map are looked at
PART = 0.25  # of the largest part of a blob that another must have to be a board too
GROWN = 1.08  # times as large are boards as they are marked
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)


def quads(boards: Floats, level: float) -> Iterator[Floats]:
    """Yield four corners around each area of the map `boards` that is above `level`, largest first. The map says for
    each cell how likely it shows a board. If an area seems to hold several boards, each of them gets corners too."""
    count, areas, stats, _ = cv2.connectedComponentsWithStats((boards > level).astype(np.uint8))
    for index in sorted(range(1, count), key=lambda i: -stats[i, cv2.CC_STAT_AREA])[:LARGEST]:
        if stats[index, cv2.CC_STAT_AREA] >= SMALLEST:
            blob = (areas == index).astype(np.uint8)
            pieces = parts(blob)
            for piece in pieces if len(pieces) == 1 else [*pieces, blob]:
                yield from _around(piece)


def marked(mask: Image, smallest: int) -> list[Image]:
    """Return each connected area of a mask as a mask of its own, largest first.

    Boards side by side are separated first. Areas of fewer than `smallest` cells are left out.
    """
    count, areas, stats, _ = cv2.connectedComponentsWithStats(mask)
    large = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= smallest]
    pieces = [piece for i in large for piece in parts((areas == i).astype(np.uint8))]
    return sorted((piece for piece in pieces if piece.sum() >= smallest), key=lambda one: -int(one.sum()))


def parts(blob: Image) -> list[Image]:
    """Return a mask for each board in the mask `blob`, in which boards side by side may form one area."""
    left, top, wide, high = cv2.boundingRect(blob)
    window = np.s_[max(top - 1, 0) : top + high + 1, max(left - 1, 0) : left + wide + 1]
    pieces = _parts(blob[window])
    if len(pieces) == 1:
        return [blob]
    whole = [np.zeros_like(blob) for _ in pieces]
    for place, piece in zip(whole, pieces, strict=True):
        place[window] = piece
    return whole


def _parts(blob: Image) -> list[Image]:
    away = cv2.distanceTransform(blob, cv2.DIST_L1, 3)  # in steps of CROSS
    for steps in range(1, min(int(away.max()), max(blob.shape)) + 1):
        count, pieces = cv2.connectedComponents((away > steps).astype(np.uint8))
        if count < 3:
            continue
        sizes = [
            int(cv2.dilate((pieces == i).astype(np.uint8), CROSS, iterations=steps).sum()) for i in range(1, count)
        ]
        least = max(SMALLEST, PART * max(sizes))
        large = [i for i, size in enumerate(sizes, 1) if size >= least]
        if len(large) > 1:
            beside = (~np.isin(pieces, large)).astype(np.uint8)
            _, nearest = cv2.distanceTransformWithLabels(beside, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_CCOMP)
            owned = [np.asarray(blob * (nearest == nearest[pieces == i][0]), np.uint8) for i in large]
            return [part for one in owned for part in parts(one)]
    return [blob]


def _around(mask: Image) -> Iterator[Floats]:
    """Yield once the four corners of the area in `mask`, or nothing for a tiny area. They are moved outwards by the
    factor GROWN, since the network marks boards too small. If the area is not nearly four-sided, they are those of
    the smallest rectangle around it."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea)).astype(np.float32)
    area = cv2.contourArea(hull)
    if len(hull) < 4 or area < 8:
        return
    tight = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), float).reshape(-1, 2)
    if len(tight) == 4 and area * 0.9 < cv2.contourArea(tight.astype(np.float32)) < area * 1.25 and is_convex(tight):
        yield grown(tight, GROWN)
    else:
        yield grown(np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), float), GROWN)


def grown(corners: Floats, by: float) -> Floats:
    """Return the corners moved away from their middle by the factor `by`."""
    middle = corners.mean(axis=0)
    return in_order(middle + (corners - middle) * by)
