"""Run a network on a picture or part of it, to find boards and the crossings of the lines between squares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from vision import rectify
from vision.lattice import CLOSE, STRIDE, Lattice
from vision.network import network
from vision.rectify import Floats, Image

MODEL = Path(__file__).parent / "model" / "finder.onnx"
# A second opinion, learned from crowded tables: it finds more of them, and places boards of clear photos less well.
CROWDED = MODEL.with_name("finder_crowded.onnx")
WIDE = 512  # side of a look; that of a look from close by is `lattice.CLOSE`
MIDDLE = 0.5  # the middle tone of a good photo
THUMBNAIL = 160  # pixels along the copy whose tones are measured


Part = tuple[float, float, float, float]  # of the picture: left, top, width and height in shares of its own
WHOLE: Part = (0, 0, 1, 1)


@dataclass(frozen=True, slots=True)
class Look:
    """Describe one run of the network: the part of the picture, how it is prepared, and the network."""

    part: Part = WHOLE
    even: bool = False  # its tones evened out
    soft: bool = False  # thin lines that somebody drew over the picture, and noise, smoothed away
    model: Path = MODEL


FIRST = Look()
# In a light of another colour or strength boards resemble themselves once the tones are evened out.
EVEN = Look(even=True)
# The slower search: the whole picture in other ways.
AGAIN = (Look(soft=True), Look(even=True, soft=True))


@dataclass(frozen=True, slots=True)
class Seen:
    """Hold the four maps that the network answered with, and how their cells correspond to the picture's pixels."""

    maps: Floats  # boards, corners, edge points, inner points
    scale: float  # cells of the maps to a pixel of the picture
    shift: Floats  # where the maps have the picture's first pixel

    def on_picture(self, cells: Floats) -> Floats:
        return np.asarray((cells - self.shift) / self.scale)

    def on_maps(self, pixels: Floats) -> Floats:
        return np.asarray(pixels * self.scale + self.shift)


def maps(look: Image, model: Path = MODEL) -> Floats:
    """Return the four maps with which the network answers for the square picture `look`. They say how likely each cell
    shows a board, its corner, a crossing on its edge, or a crossing inside."""
    net = network(model, look.shape[0] >= WIDE)
    net.setInput(np.ascontiguousarray(look.transpose(2, 0, 1)[None], np.float32) / np.float32(255))
    return np.asarray(net.forward()[0], float)


def letterbox(picture: Image, side: int, size: float = 1.0) -> tuple[Image, Floats]:
    """Return the whole picture in a black square, and the 2 x 3 matrix that maps it there.

    The square is `side` pixels wide; the picture's longer side takes the share `size` of it.
    """
    high, wide = picture.shape[:2]
    scale = side * size / max(high, wide)
    small = cv2.resize(
        picture, (max(round(wide * scale), 1), max(round(high * scale), 1)), interpolation=cv2.INTER_AREA
    )
    top, left = (side - small.shape[0]) // 2, (side - small.shape[1]) // 2
    out = np.zeros((side, side, 3), np.uint8)
    out[top : top + small.shape[0], left : left + small.shape[1]] = small
    return out, np.array([[scale, 0, left], [0, scale, top]])


def evened(picture: Image) -> Image:
    """Return the picture with the tones of each colour stretched from dark to light, as in a good photo."""
    small = cv2.resize(picture, (THUMBNAIL, THUMBNAIL), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    low, high = np.percentile(small, 1, axis=0), np.percentile(small, 99, axis=0)
    middle = np.median(np.clip((small - low) / np.maximum(high - low, 1), 0, 1), axis=0).mean()
    bend = float(np.clip(np.log(MIDDLE) / np.log(np.clip(middle, 0.05, 0.95)), 0.5, 2.0))
    steps = np.arange(256)[:, None]
    curve = np.clip((steps - low) / np.maximum(high - low, 1), 0, 1) ** bend
    table = np.round(8 + 240 * curve).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(picture, table), np.uint8)


class Views:
    """Prepare a picture for the network: with plain or evened tones, and each part resized only once."""

    def __init__(self, picture: Image) -> None:
        self.picture = picture
        self.size = np.array(picture.shape[1::-1], float)
        self._small: dict[tuple[Part, bool], tuple[Image, Floats]] = {}

    @cached_property
    def _evened(self) -> Image:
        return evened(self.picture)

    def seen(self, look: Look) -> Seen:
        """Return what the network sees: its maps of a part of the picture, prepared as `look` says."""
        picture = self._evened if look.even else self.picture
        high, wide = picture.shape[:2]
        left, top = round(look.part[0] * wide), round(look.part[1] * high)
        key = (look.part, look.even)
        if key not in self._small:
            part = picture[top : top + round(look.part[3] * high), left : left + round(look.part[2] * wide)]
            self._small[key] = letterbox(part, WIDE)
        small, frame = self._small[key]
        scale = float(frame[0, 0])
        answer = maps(_softened(small) if look.soft else small, look.model)
        return Seen(answer, scale / STRIDE, (frame[:, 2] - scale * np.array([left, top])) / STRIDE - 0.375)

    def close_by(self, corners: Floats, lattice: Lattice, look: Look) -> tuple[Floats, Floats]:
        """Return the maps of a close-up of one board, and the 3 x 3 matrix from the picture to it. `look` says how the
        picture is prepared for the network."""
        frame = rectify.flat_frame(corners, (CLOSE, CLOSE), lattice.filled)
        picture = self._evened if look.even else self.picture
        flat = np.asarray(cv2.warpPerspective(picture, frame, (CLOSE, CLOSE)), np.uint8)
        return maps(_softened(flat) if look.soft else flat, look.model), frame


def _softened(look: Image) -> Image:
    return np.asarray(cv2.medianBlur(look, 5), np.uint8)
