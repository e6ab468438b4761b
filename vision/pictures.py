"""Make the pictures of a photo for pages: a clean copy and straightened boards, decoded only once.

The pictures contain nothing but pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import cv2
import numpy as np

from vision.contract import GameReader
from vision.decode import Photo, PhotoFile, Pixels
from vision.read import read_file
from vision.reading import Look, Point, Reading, VisionError
from vision.rectify import Shape, flattened

SIDE = 800  # pixels of a straightened board's longer side, its margin included
MARGIN = 0.12  # of the board's width and height, around it: pieces lean over the edge
KEPT = 1600  # pixels along the longer side of a photo that is kept
QUALITY = 82


def look(
    data: bytes,
    reader: GameReader,
    corners: Sequence[Point] | None = None,
    cards: bool = True,
    keep: bool = True,
    first: Callable[[Look], None] | None = None,
) -> Look:
    """Read a photo and make its pictures; problems are in the result, not raised. `corners` and `cards` are as in
    `read`, and `keep` adds a copy without metadata. If cards are read too, `first` is called before that, with the
    boards."""
    file = PhotoFile(data)
    with suppress(VisionError):  # the reading will say so too
        file.decoded(KEPT)  # what the most demanding step of the boards wants, for all of them
    shown: list[Look] = []

    def show_boards(reading: Reading) -> None:
        shown.append(replace(_looked(reading, file, keep, reader.shape), cards_follow=True))
        if first:
            first(shown[0])

    reading = read_file(file, corners, cards, reader, show_boards)
    return (
        replace(shown[0], reading=reading, cards_follow=False) if shown else _looked(reading, file, keep, reader.shape)
    )


def _looked(reading: Reading, file: PhotoFile, keep: bool, shape: Shape) -> Look:
    """Return the reading with its pictures, or alone if the file could not be opened as a photo."""
    if reading.size == (0, 0):
        return Look(reading)
    picture = file.decoded(KEPT)
    boards = tuple(straightened(picture, board.corners, shape) for board in reading.boards)
    return Look(reading, kept(picture) if keep else None, boards)


def straightened(picture: Photo, corners: Sequence[Point], shape: Shape) -> bytes:
    """Return a JPEG of a board as if seen from straight above; `corners` are in pixels of the full size."""
    size = (round(SIDE * shape.columns / max(shape)), round(SIDE * shape.rows / max(shape)))
    return _jpeg(flattened(picture.pixels, np.array(corners, float) / picture.scale, size, MARGIN))


def cut_out(data: bytes, boards: Sequence[Sequence[Point]]) -> Look:
    """Return a JPEG of each board, cut out of the photo in `data`; `boards` has the corners of each. The reading in the
    result has only the size of the photo."""
    picture = PhotoFile(data).decoded(KEPT)
    frames = [frame(corners, picture.size) for corners in boards]
    cut = tuple(_jpeg(picture.pixels[top:bottom, left:right]) for left, top, right, bottom in frames)
    return Look(Reading(size=picture.size), boards=cut)


def frame(corners: Sequence[Point], size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the part of a picture that shows a board. A margin of MARGIN of the board's
    width and height is added, as far as the picture reaches. `corners` are the board's; `size` is the picture's
    width and height."""
    points = np.array(corners, float)
    edge = MARGIN * np.ptp(points, axis=0)
    left, top = np.clip(points.min(axis=0) - edge, 0, size).astype(int)
    right, bottom = np.clip(points.max(axis=0) + edge, 0, size).astype(int)
    return int(left), int(top), int(right), int(bottom)


def kept(picture: Photo) -> bytes:
    """Return the upright photo as a JPEG, no larger than needed and without metadata."""
    pixels = picture.pixels
    shrink = KEPT / max(pixels.shape)
    if shrink < 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    return _jpeg(pixels)


def _jpeg(pixels: Pixels) -> bytes:
    _, encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return encoded.tobytes()
