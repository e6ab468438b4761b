"""Read one frame of a camera quickly: where boards are, and what would make a better photo. Squares are not read."""

from __future__ import annotations

from time import process_time

import cv2
import numpy as np

from scorer.contract import Problem
from vision import locate
from vision.closeup import Found
from vision.contract import GameReader
from vision.decode import Photo, PhotoFile
from vision.lattice import square_of
from vision.problems import problem
from vision.read import advice_on
from vision.reading import Board, Reading, VisionError
from vision.rectify import Image, Shape, flattened

CHECKS = 8  # looks from close by that a frame may cost
SECONDS = 0.25  # of processor time, after which no further look is taken
PHOTO = 2600  # pixels of the longer side that the photo will have
CLOSE = 44.0  # pixels of that photo along a square, below which it is taken from closer
GRAIN = 12  # pixels along a square that is looked at for glare
WHITE = 247  # all colours of a pixel in glare are at least so bright,
SHINING = 0.35  # and so much of a square is


def look(data: bytes, reader: GameReader) -> Reading:
    """Return the boards in a camera's frame without their squares, and hints for taking a better photo. `data` is the
    frame's file; if it can't be used, the result says why."""
    began, reading = process_time(), Reading()
    try:
        picture = PhotoFile(data).decoded()
        reading.size = picture.size
        if reader.boards is None:
            found, is_settled = locate.glimpse(picture.pixels, reader.shape, CHECKS, SECONDS)
        else:
            found, is_settled = list(reader.boards(picture.pixels)), True
        reading.boards = [Board(_corners(one, picture), one.confidence, ()) for one in found]
        reading.problems = _advice(picture, found, reader.shape)
        if not is_settled:
            reading.problems.append(problem("unsure"))
    except VisionError as fault:
        reading.problems.append(Problem(fault.code, fault.message))
    reading.stages["quick"] = (process_time() - began) * 1000
    return reading


def _corners(found: Found, picture: Photo) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in found.corners * picture.scale)


def _advice(picture: Photo, found: list[Found], shape: Shape) -> list[Problem]:
    """Return the problems that a photo like this frame would have, small boards and reflected lamps included. `found`
    are the boards in the frame."""
    larger = PHOTO / max(picture.pixels.shape)
    advice = [one for one in advice_on(picture, found, shape) if one.code != "small"]
    if any(square_of(one.corners, shape) * larger < CLOSE for one in found):
        advice.append(problem("small"))
    for one in found:
        shining = _shining(picture.pixels, one, shape)
        if shining is not None:
            x, y = shining * picture.scale
            advice.append(problem("glare", x=round(x), y=round(y)))
    return advice


def _shining(picture: Image, found: Found, shape: Shape) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    """Return the middle, in pixels, of the square of the board `found` with most glare; None if none has much."""
    rows, columns = shape
    flat = flattened(picture, found.corners, (columns * GRAIN, rows * GRAIN)).min(axis=2) >= WHITE
    shares = flat.reshape(rows, GRAIN, columns, GRAIN).mean(axis=(1, 3))
    row, column = np.unravel_index(shares.argmax(), shares.shape)
    if shares[row, column] < SHINING:
        return None
    square = np.array([[[(column + 0.5) / columns, (row + 0.5) / rows]]])
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    plane = cv2.getPerspectiveTransform(unit, found.corners.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(square, plane)[0, 0], float)
