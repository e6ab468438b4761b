"""Pictures for the pages: a straightened board, a clean copy of a photo to keep. Nothing but pixels goes into them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.decode import decode
from vision.reading import Point
from vision.rectify import flattened

SIDE = 800  # pixels of a straightened board, its margin included
MARGIN = 0.12  # of the board's side, around it: pieces lean over the edge
KEPT = 1600  # pixels along the longer side of a photo that is kept
QUALITY = 82


def straightened(photo: bytes, corners: Sequence[Point]) -> bytes:
    """A board seen from straight above, as a JPEG; `corners` as a reading tells them. Raises VisionError."""
    picture = decode(photo, KEPT)
    flat = flattened(picture.pixels, np.array(corners, float) / picture.scale, SIDE, MARGIN)
    return _jpeg(flat)


def kept(photo: bytes) -> bytes:
    """The photo upright, no larger than needed, without anything the telephone wrote beside it. Raises VisionError."""
    pixels = decode(photo, KEPT).pixels
    shrink = KEPT / max(pixels.shape)
    if shrink < 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    return _jpeg(pixels)


def _jpeg(pixels: np.typing.NDArray[np.uint8]) -> bytes:
    _, encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return encoded.tobytes()
