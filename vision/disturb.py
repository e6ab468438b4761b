"""Disturb pictures as other light, phones and hands would: 22 kinds, reproducible.

This is for measuring only. `training/pictures.py` disturbs the pictures that networks learn from.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

import cv2
import numpy as np

from vision.rectify import Floats, Image

Rng = np.random.Generator
Disturbed = tuple[Image, Floats]  # and where the points of the old picture lie in the new one, 3 x 3
SEED = 14
STAYS = np.eye(3)


def _toned(curve: Callable[[Floats], Floats]) -> Callable[[Image, Rng], Disturbed]:
    """Return a function that changes the tones of a picture as `curve` says. `curve` maps an array of values from 0 to
    1 that has a column for each colour channel."""
    values = np.repeat(np.arange(256)[:, None] / 255.0, 3, axis=1)
    table = np.clip(np.round(curve(values) * 255), 0, 255).astype(np.uint8).reshape(1, 256, 3)
    return lambda image, _: (np.asarray(cv2.LUT(image, table), np.uint8), STAYS)


def _saturated(share: float) -> Callable[[Image, Rng], Disturbed]:
    def change(image: Image, _: Rng) -> Disturbed:
        grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        return np.asarray(cv2.addWeighted(image, share, grey, 1 - share, 0), np.uint8), STAYS

    return change


def _compressed(quality: int) -> Callable[[Image, Rng], Disturbed]:
    def change(image: Image, _: Rng) -> Disturbed:
        file = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8), STAYS

    return change


def _turned(degrees: float) -> Callable[[Image, Rng], Disturbed]:
    """Return a function that turns a picture clockwise by `degrees`. The picture grows, and its new areas get its mean
    colour."""

    def change(image: Image, _: Rng) -> Disturbed:
        high, wide = image.shape[:2]
        frame = np.vstack([cv2.getRotationMatrix2D((wide / 2, high / 2), -degrees, 1.0), [0, 0, 1]])
        size = np.round(np.abs(frame[:2, :2]) @ [wide, high]).astype(int)
        frame[:2, 2] += size / 2 - [wide / 2, high / 2]
        tone = image.reshape(-1, 3).mean(axis=0).tolist()
        turned = cv2.warpAffine(image, frame[:2], (int(size[0]), int(size[1])), borderValue=tone)
        return np.asarray(turned, np.uint8), frame

    return change


def _resized(image: Image, share: float) -> Disturbed:
    high, wide = image.shape[:2]
    size = (max(round(wide * share), 1), max(round(high * share), 1))
    way = cv2.INTER_AREA if share < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=way), np.uint8), np.diag(
        [size[0] / wide, size[1] / high, 1]
    )


def _half(image: Image, _: Rng) -> Disturbed:
    return _resized(image, 0.5)


def _small(image: Image, _: Rng) -> Disturbed:
    return _resized(image, 640 / max(image.shape[:2]))


def _unsharp(image: Image, _: Rng) -> Disturbed:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), max(1.0, 0.0016 * max(image.shape))), np.uint8), STAYS


def _shaken(image: Image, rng: Rng) -> Disturbed:
    length = max(5, round(0.006 * max(image.shape))) | 1
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * (length // 2)
    start, end = (tuple(int(v) for v in np.round(length // 2 + way * reach)) for way in (-1, 1))
    cv2.line(kernel, start, end, 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8), STAYS


def _noisy(image: Image, rng: Rng) -> Disturbed:
    return np.clip(image + rng.normal(0, 14, image.shape), 0, 255).astype(np.uint8), STAYS


def _shaded(image: Image, rng: Rng) -> Disturbed:
    """Return the picture with a soft-edged shadow over one side, in a random direction. The matrix in the result says
    that no point moves."""
    high, wide = image.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    across = np.cos(angle) * (np.arange(wide)[None] / wide - 0.5) + np.sin(angle) * (
        np.arange(high)[:, None] / high - 0.5
    )
    dark = 0.4 + 0.6 / (1 + np.exp(-across * 40))
    return np.clip(image * dark[..., None], 0, 255).astype(np.uint8), STAYS


KINDS: dict[str, Callable[[Image, Rng], Disturbed]] = {
    "JPEG quality 20": _compressed(20),
    "JPEG quality 40": _compressed(40),
    "cool light": _toned(lambda v: v * [1.0, 1.0, 0.75]),
    "warm light": _toned(lambda v: v * [0.75, 1.0, 1.0]),
    "greenish light": _toned(lambda v: v * [0.85, 1.0, 0.85]),
    "exposure x 0.4": _toned(lambda v: v * 0.4),
    "exposure x 1.8": _toned(lambda v: v * 1.8),
    "gamma 0.5": _toned(lambda v: v**0.5),
    "gamma 1.8": _toned(lambda v: v**1.8),
    "contrast x 0.6": _toned(lambda v: 0.5 + (v - 0.5) * 0.6),
    "saturation x 0.4": _saturated(0.4),
    "saturation x 1.6": _saturated(1.6),
    "turned 20 degrees": _turned(20),
    "turned 45 degrees": _turned(45),
    "turned 90 degrees": _turned(90),
    "turned 180 degrees": _turned(180),
    "half as large": _half,
    "640 px": _small,
    "unsharp": _unsharp,
    "shaken": _shaken,
    "noisy": _noisy,
    "half in shadow": _shaded,
}


def disturbed(name: str, image: Image) -> Iterator[tuple[str, Image, Floats]]:
    """Yield for each kind of disturbance its name, the disturbed picture, and a 3 x 3 matrix. The matrix maps points of
    the old picture to the new one. The random numbers depend only on `name`, that of the photo, and on the kind."""
    for kind, change in KINDS.items():
        rng = np.random.default_rng([SEED, zlib.crc32(f"{name} {kind}".encode())])
        yield kind, *change(image, rng)
