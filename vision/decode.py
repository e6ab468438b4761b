"""Decode a photo safely: few formats, limited sizes, upright, in sRGB, and without metadata.

A JPEG is decoded at a half, quarter or eighth of its size if that is enough for reading, which saves most of the time.
The header shows the cost of any other file, and a costly file is refused before decoding.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image, ImageCms

from scorer.sentences import Sentence
from vision import problems
from vision.problems import problem
from vision.reading import VisionError

Pixels = NDArray[np.uint8]

FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")
MAX_BYTES = 40_000_000
MAX_PIXELS = 50_000_000
MAX_WHOLE = 25_000_000  # of formats whose decoders hold several copies of the whole picture
MAX_MEMORY = 300_000_000  # bytes that a decoder may hold at a time
MAX_SCANNED = 1_000_000_000  # pixels times scans of a progressive JPEG, each of which goes over all of them: about 2 s
# Bytes a pixel that the decoders hold, measured. A progressive JPEG keeps two bytes for each of its coefficients.
HELD = {"PNG": 4, "WEBP": 16, "HEIF": 8}
COEFFICIENT = 2
BAND = 32  # rows of the small picture that are converted at a time
MAX_SIDE = 20_000
MIN_SIDE = 64
ENOUGH = 900  # pixels along the longer side for a first reading
MOST = 1600
PLAIN_MODES = ("RGB", "CMYK", "L")
SCAN = b"\xff\xda"  # begins a scan of a JPEG; never occurs within one
ORIENTATION = 0x0112
UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# What Pillow's parsers raise on files that are not what they say: whatever they run into. Each kind is named, so that
# the fuzz tests notice a new one.
BROKEN = (
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError, EOFError, OverflowError,
    RuntimeError, MemoryError, NotImplementedError, ZeroDivisionError, AssertionError, struct.error, zlib.error,
    Image.DecompressionBombError, Image.DecompressionBombWarning,
)  # fmt: skip

pillow_heif.register_heif_opener(thumbnails=False)


class NotAPhoto(VisionError):
    code = "not_a_photo"


class TooLarge(VisionError):
    code = "too_large"


class TooSmall(VisionError):
    code = "too_small"


class Damaged(VisionError):
    code = "damaged"


class TooSlow(VisionError):
    code = "too_slow"


@dataclass(frozen=True, slots=True)
class Photo:
    """Hold the pixels (blue, green, red) of the upright picture, perhaps shrunk; `size` is the full size."""

    pixels: Pixels
    size: tuple[int, int]

    @property
    def scale(self) -> float:
        """Return how many pixels of the full size one pixel of this photo stands for, along one side."""
        return float(self.size[0] / self.pixels.shape[1])

    def halved(self, enough: int) -> Photo:
        """Return the photo halved as often as possible with at least `enough` pixels left on its longer side."""
        high, wide = self.pixels.shape[:2]
        share = 1
        while max(high, wide) >= 2 * share * enough:
            share *= 2
        if share == 1:
            return self
        smaller = cv2.resize(self.pixels, (-(-wide // share), -(-high // share)), interpolation=cv2.INTER_AREA)
        return Photo(np.asarray(smaller, np.uint8), self.size)


class PhotoFile:
    """Hold the bytes of one photo, which are decoded on demand, and again if more pixels are needed."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.photo: Photo | None = None

    def decoded(self, enough: int = ENOUGH) -> Photo:
        """Return the photo with at least `enough` pixels on its longer side, or with all that the file has. Raise
        VisionError if the file can't be used."""
        if self.photo is None or (max(self.photo.pixels.shape) < enough and self.photo.scale > 1):
            self.photo = decode(self.data, enough)
            return self.photo
        return self.photo.halved(enough)


def decode(data: bytes, enough: int = ENOUGH) -> Photo:
    """Return the picture in these bytes, with at least `enough` pixels on its longer side if the file has them. Raise
    VisionError if the file can't be used."""
    if len(data) > MAX_BYTES:
        raise TooLarge(problems.too_large(megabytes=MAX_BYTES // 1_000_000))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            opened = Image.open(io.BytesIO(data), formats=FORMATS)
        except BROKEN as fault:
            raise _unopened(fault) from fault
        with opened:
            _refuse_costly(opened, data)
            return _read(opened, enough)


def _refuse_costly(picture: Image.Image, data: bytes) -> None:
    """Raise VisionError if the picture is too small, or would need more pixels, memory or time than we allow. `data` is
    its file."""
    wide, high = picture.size
    most = MAX_PIXELS if picture.format in ("JPEG", "PNG") else MAX_WHOLE
    if picture.format in HELD:
        most = min(most, MAX_MEMORY // HELD[picture.format])
    elif "progressive" in picture.info or "progression" in picture.info:
        if wide * high * data.count(SCAN) > MAX_SCANNED:
            raise TooSlow(problems.problem("too_slow").message)
        most = min(most, int(MAX_MEMORY / (COEFFICIENT * _coefficients(picture))))
    if wide * high > most or max(wide, high) > MAX_SIDE:
        raise TooLarge(_too_many(most))
    if min(wide, high) < MIN_SIDE:
        raise TooSmall(problems.too_small(wide, high))


def _coefficients(picture: Image.Image) -> float:
    """Return how many numbers a JPEG stores per pixel, such as 1.5 if colours have half the resolution."""
    samples = [across * down for _, across, down, _ in picture.layer]  # type: ignore[attr-defined]
    return float(sum(samples) / max(samples, default=1))


def _unopened(fault: BaseException) -> VisionError:
    if isinstance(fault, Image.DecompressionBombError | Image.DecompressionBombWarning | MemoryError):
        return TooLarge(_too_many())
    return NotAPhoto(problem("not_a_photo").message)


def _too_many(most: int = MAX_PIXELS) -> Sentence:
    return problems.too_large(megapixels=most // 1_000_000)


def _read(picture: Image.Image, enough: int) -> Photo:
    wide, high = picture.size
    try:
        share = enough / max(wide, high)
        picture.draft("RGB", (max(int(wide * share), 1), max(int(high * share), 1)))
        picture.load()
        turn = UPRIGHT.get(picture.getexif().get(ORIENTATION, 1))
        pixels = _shrunk(picture, max(enough, MOST))
        if pixels is not picture:
            picture.close()  # what follows makes copies
        pixels = _in_srgb(pixels)
    except MemoryError as fault:
        raise TooLarge(_too_many()) from fault
    except BROKEN as fault:
        raise Damaged(problem("damaged").message) from fault
    if turn in (UPRIGHT[5], UPRIGHT[6], UPRIGHT[7], UPRIGHT[8]):
        wide, high = high, wide
    if turn is not None:
        pixels = pixels.transpose(turn)
    return Photo(
        cv2.cvtColor(np.asarray(pixels, np.uint8), cv2.COLOR_RGB2BGR).astype(np.uint8, copy=False), (wide, high)
    )


def _shrunk(picture: Image.Image, most: int) -> Image.Image:
    """Return the picture shrunk by a whole factor, to less than twice `most` pixels on its longer side.

    Modes other than PLAIN_MODES become RGB, in bands: a second copy would take as much memory as the decoder did.
    """
    factor = max(int(max(picture.size) / most), 1)
    if picture.mode in PLAIN_MODES:
        return picture.reduce(factor) if factor > 1 else picture
    wide, high = picture.size
    small = Image.new("RGB", (-(-wide // factor), -(-high // factor)))
    small.info = dict(picture.info)  # the colour profile
    band = BAND * factor
    for top in range(0, high, band):
        part = _opaque(picture.crop((0, top, wide, min(top + band, high))))
        small.paste(part.reduce(factor) if factor > 1 else part, (0, top // factor))
    return small


def _opaque(picture: Image.Image) -> Image.Image:
    """Return the picture in RGB, on grey where it is transparent."""
    if picture.mode in ("P", "PA", "LA", "RGBA", "RGBa", "La"):
        picture = picture.convert("RGBA")
        ground = Image.new("RGBA", picture.size, (128, 128, 128, 255))
        return Image.alpha_composite(ground, picture).convert("RGB")
    return _eight_bits(picture).convert("RGB")


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Return a picture of sixteen-bit greys scaled to eight bits, since Pillow would clip them; others unchanged."""
    if picture.mode.startswith("I;16") or picture.mode == "I":
        return Image.fromarray((np.asarray(picture, np.int32) >> 8).clip(0, 255).astype(np.uint8))
    return picture


def _in_srgb(picture: Image.Image) -> Image.Image:
    """Return the picture converted from its colour profile to sRGB; an unreadable profile is ignored."""
    profile = picture.info.get("icc_profile")
    if isinstance(profile, bytes) and profile:
        change = _change(profile, picture.mode)
        if change is not None:
            return ImageCms.applyTransform(picture, change) or picture
    return picture.convert("RGB")


@lru_cache(maxsize=8)
def _change(profile: bytes, mode: str) -> ImageCms.ImageCmsTransform | None:
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "srgb" in ImageCms.getProfileDescription(source).lower():
            return None
        return ImageCms.buildTransform(source, ImageCms.createProfile("sRGB"), mode, "RGB")
    except (*BROKEN, ImageCms.PyCMSError):
        return None
