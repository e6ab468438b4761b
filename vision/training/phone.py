"""Turn a plate (a picture of a table) into a photo with its truth: add hand, light, lens and phone."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass

import cv2
import numpy as np

from vision.training import paint
from vision.training.drawing import Rng
from vision.training.pieces import Floats, Image, turned
from vision.training.scene import Town

TURNED, CROPPED = 0.18, 0.12  # shares of the pictures


@dataclass(frozen=True, slots=True)
class Picture:
    image: Image
    towns: list[Town]


@dataclass(slots=True)
class Plate:
    """Hold a picture of a table, before hand, lens and phone change it; one plate can be photographed many times."""

    image: Image
    towns: list[Town]
    shrink: float  # it may be made so much smaller
    blur: float  # a lens out of focus spreads over more of a larger picture


def photographed(rng: Rng, taken: Plate, harsh: bool = True) -> Picture:
    """Return the plate as somebody's phone sees it, sometimes with a hand in the way; the plate is unchanged.

    If not `harsh`, leave out the rare turns, cuts, casts and exposures that still have to be read.
    """
    made = Plate(taken.image.copy(), deepcopy(taken.towns), taken.shrink, taken.blur)
    _hand(rng, made)
    return _photographed(rng, made, harsh)


def _hand(rng: Rng, taken: Plate) -> None:
    """Draw a hand over one picture in seven. It reaches in from the edge, over a corner of a board or beside it. Note
    in the truth which squares it covers."""
    if rng.random() > 0.14:
        return
    size = np.array(taken.image.shape[1::-1])
    goal = rng.uniform(0.1, 0.9, 2) * size
    if taken.towns and rng.random() < 0.6:
        corners = taken.towns[0].corners
        k = int(rng.integers(4))
        goal = corners[k] + (corners[(k + 1) % 4] - corners[k]) * rng.uniform(0, 1)
        goal = goal + rng.normal(0, 0.04, 2) * size
    start = goal.copy()
    axis = int(rng.integers(2))
    start[axis] = rng.choice([-0.1, 1.1]) * size[axis]
    wide = rng.uniform(0.05, 0.11) * max(size)
    skin = paint.colour(rng, (4, 16), (40, 130), (80, 240))
    mask = np.zeros(taken.image.shape[:2], np.uint8)
    wrist = goal + (start - goal) * min(1.6 * wide / (np.linalg.norm(start - goal) + 1), 0.9)
    cv2.line(mask, _at(start), _at(wrist), 255, int(wide), cv2.LINE_AA)
    for k in range(4):
        tip = goal + rng.normal(0, 0.35 * wide, 2)
        root = wrist + (k - 1.5) * 0.3 * wide * np.array([-(goal - wrist)[1], (goal - wrist)[0]]) / (
            np.linalg.norm(goal - wrist) + 1
        )
        cv2.line(mask, _at(root), _at(tip), 255, max(int(wide * 0.3), 2), cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), wide * 0.12).astype(np.float32) / 255
    shade = (skin * (0.55 + 0.5 * soft[..., None]) * rng.uniform(0.7, 1.1)).clip(0, 255)
    cover = (mask / np.float32(255))[..., None]
    taken.image = (taken.image * (1 - cover) + shade * cover).astype(np.uint8)
    for town in taken.towns:
        cover_squares(town, mask)


def _at(point: Floats) -> tuple[int, int]:
    return int(np.clip(point[0], -5000, 5000)), int(np.clip(point[1], -5000, 5000))


def cover_squares(town: Town, mask: Image) -> None:
    """Note in `town.hidden` how much of every square of the board the `mask` covers."""
    side = 64
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    flat = cv2.warpPerspective(mask, cv2.getPerspectiveTransform(town.corners.astype(np.float32), square), (side, side))
    cells = flat.reshape(4, side // 4, 4, side // 4).mean(axis=(1, 3)) / 255
    town.hidden = [max(a, float(b)) for a, b in zip(town.hidden, cells.ravel(), strict=True)]


def _cut_off(town: Town, size: Floats) -> None:
    """Mark as hidden the squares of a board whose middle is outside a picture of this size (width, height)."""
    unit = np.array([(0, 0), (4, 0), (4, 4), (0, 4)], np.float32)
    plane = cv2.getPerspectiveTransform(unit, town.corners.astype(np.float32))
    middles = np.array([(i % 4 + 0.5, i // 4 + 0.5) for i in range(16)])
    seen = cv2.perspectiveTransform(middles[None], plane)[0]
    inside = np.all((seen > 2) & (seen < size - 2), axis=1)
    town.hidden = [hidden if there else 1.0 for hidden, there in zip(town.hidden, inside, strict=True)]


def _photographed(rng: Rng, taken: Plate, harsh: bool) -> Picture:
    """Return a photo of the plate after light, glare, lens, sensor, white balance and compression, with the new
    corners. If not `harsh`, leave out rare changes."""
    image, towns = taken.image, taken.towns
    before = np.array(image.shape[1::-1])
    image = _lit(rng, image, towns)
    shrink = rng.uniform(taken.shrink, 1.0)
    size = (int(image.shape[1] * shrink), int(image.shape[0] * shrink))
    image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    for town in towns:
        town.corners = town.corners * (np.array(size) / before)
    if rng.random() < 0.55:
        image = cv2.GaussianBlur(image, (0, 0), taken.blur * rng.uniform(0.3, 1.6 if rng.random() < 0.8 else 2.6))
    if rng.random() < 0.08:
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    if rng.random() < 0.12:  # a copy of a copy
        few = rng.uniform(0.35, 0.8)
        image = cv2.resize(cv2.resize(image, None, fx=few, fy=few, interpolation=cv2.INTER_AREA), size)
    if harsh and rng.random() < TURNED:
        image = _turned(rng, image, towns)
    if harsh and rng.random() < CROPPED:
        image = _cropped(rng, image, towns)
    return _edited(rng, Picture(_developed(rng, image, harsh), towns))


def _turned(rng: Rng, image: Image, towns: list[Town]) -> Image:
    """Return the picture turned by any angle, on a larger sheet or cut to the old one. The boards' corners in `towns`
    are turned too."""
    high, wide = image.shape[:2]
    for town in towns:
        _cut_off(town, np.array([wide, high], float))
    angle = rng.uniform(0, 360) if rng.random() < 0.75 else float(rng.choice([90, 180, 270]))
    frame = cv2.getRotationMatrix2D((wide / 2, high / 2), angle, 1.0)
    size = np.array([wide, high], float)
    if rng.random() < 0.6 or angle in (90, 270):
        size = np.abs(frame[:, :2]) @ size
    frame[:, 2] += size / 2 - [wide / 2, high / 2]
    for town in towns:
        town.corners = town.corners @ frame[:, :2].T + frame[:, 2]
    border = int(rng.choice([cv2.BORDER_CONSTANT, cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE, cv2.BORDER_REFLECT]))
    tone = [255.0] * 3 if rng.random() < 0.3 else [float(rng.choice([0, 0, 128]))] * 3
    return np.asarray(
        cv2.warpAffine(image, frame, (round(size[0]), round(size[1])), borderMode=border, borderValue=tone), np.uint8
    )


def _cropped(rng: Rng, image: Image, towns: list[Town]) -> Image:
    """Return a random part of the picture that contains the middle of the first board. The boards' corners in `towns`
    are moved too."""
    size = np.array(image.shape[1::-1])
    middle = towns[0].corners.mean(0) if towns else size / 2
    first = np.floor(np.minimum(rng.uniform(0, 0.4, 2) * size, np.clip(middle - 40, 0, None))).astype(int)
    last = np.ceil(np.maximum(rng.uniform(0.6, 1.0, 2) * size, np.clip(middle + 40, None, size))).astype(int)
    for town in towns:
        town.corners = town.corners - first
        _cut_off(town, (last - first).astype(float))
    return image[first[1] : last[1], first[0] : last[0]].copy()


def _edited(rng: Rng, taken: Picture) -> Picture:
    """Return the picture as people edit it before sending: with lines, dots and a frame."""
    image, size = taken.image, np.array(taken.image.shape[1::-1])
    if rng.random() < 0.1:
        for _ in range(int(rng.integers(2, 40))):
            tone = paint.colour(rng, (0, 180), (60, 255), (100, 255)).tolist()
            start, end = rng.uniform(0, 1, 2) * size, rng.uniform(-0.2, 1.2, 2) * size
            if rng.random() < 0.5:
                cv2.line(image, _at(start), _at(end), tone, int(rng.integers(1, 3)), cv2.LINE_AA)
            else:
                cv2.circle(image, _at(start), int(rng.integers(2, 22)), tone, 1, cv2.LINE_AA)
    if rng.random() < 0.05:
        tone = paint.colour(rng, (0, 180), (60, 255), (100, 255)).astype(np.uint8)
        for _ in range(int(rng.integers(1, 4))):
            middle, spread = rng.uniform(0, 1, 2) * size, rng.uniform(0.02, 0.12, 2) * size
            dots = (middle + rng.normal(0, 1, (int(rng.integers(200, 5000)), 2)) * spread).astype(int)
            dots = dots[((dots >= 0) & (dots < size)).all(1)]
            image[dots[:, 1], dots[:, 0]] = tone
    if rng.random() < 0.06:
        tone = [255, 255, 255] if rng.random() < 0.6 else [0, 0, 0]
        for town in taken.towns:
            _cut_off(town, size)
        top, bottom, left, right = (int(v) for v in rng.uniform(0, 0.2, 4) * max(size))
        image = cv2.copyMakeBorder(image, top, bottom, left, right, cv2.BORDER_CONSTANT, value=tone)
        for town in taken.towns:
            town.corners = town.corners + np.array([left, top])
    return Picture(image, taken.towns)


def _lit(rng: Rng, image: Image, towns: list[Town]) -> Image:
    """Return the picture with uneven light, and sometimes with one or two reflections of a lamp. Most reflections are
    near the first of the boards `towns`, which is not changed."""
    high, wide = image.shape[:2]
    field = np.exp(rng.normal(0, rng.uniform(0.02, 0.22), (3, 3))).astype(np.float32)
    light = cv2.resize(field, (wide, high), interpolation=cv2.INTER_CUBIC)
    out = image * light[..., None]
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        spot = rng.uniform(0, 1, 2) * [wide, high]
        if towns and rng.random() < 0.6:
            spot = towns[0].corners.mean(0) + rng.normal(0, 0.12, 2) * [wide, high]
        reach = rng.uniform(0.02, 0.13) * max(wide, high)
        turn = turned(rng.uniform(0, np.pi))[:2, :2] * [[1.0], [rng.uniform(0.3, 1)]]
        columns, rows = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
        away = np.stack([columns - spot[0], rows - spot[1]], -1) @ turn.T.astype(np.float32) / np.float32(reach)
        glow = np.exp(-0.5 * (away**2).sum(-1))
        texture = 1 + 0.25 * rng.standard_normal((high // 2 + 1, wide // 2 + 1)).astype(np.float32)
        glow *= cv2.resize(texture, (wide, high))
        out += glow[..., None] * np.float32(rng.uniform(20, 160))
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def _developed(rng: Rng, image: Image, harsh: bool) -> Image:
    """Return the picture after white balance, exposure, tone curve, saturation, noise, sharpening and JPEG. If not
    `harsh`, leave out rare casts and exposures."""
    if rng.random() < 0.3:  # the telephone smooths
        image = cv2.bilateralFilter(image, 5, rng.uniform(10, 60), 2.0)
    tint = np.exp(rng.normal(0, 0.02 if rng.random() < 0.3 else 0.12, 3))
    if harsh and rng.random() < 0.25:  # a white balance that missed: cold or warm light, a tube's green
        tint *= np.exp(np.array([1.0, 0, -1.0]) * rng.uniform(-0.3, 0.3) + np.array([0, rng.normal(0, 0.08), 0]))
    seen = float(np.percentile(image[::8, ::8].max(-1), rng.uniform(60, 95)))  # the telephone exposes for the picture
    exposure = float(np.clip(rng.uniform(130, 235) / max(seen, 10), 0.5, 3) ** rng.uniform(0.6, 1))
    if harsh and rng.random() < 0.3:  # or for the window behind it
        exposure *= np.exp(rng.uniform(np.log(0.33), np.log(2.0)))
    gamma = float(
        np.exp(rng.normal(0, 0.2) if not harsh or rng.random() < 0.8 else rng.uniform(np.log(0.45), np.log(2.1)))
    )
    ramp = (np.arange(256) / 255.0)[:, None] * tint * exposure
    curve = np.clip(ramp, 0, 1.4) ** gamma
    bend = rng.uniform(0, 0.35)
    curve = (1 - bend) * curve + bend * (3 * np.clip(curve, 0, 1) ** 2 - 2 * np.clip(curve, 0, 1) ** 3)
    image = cv2.LUT(image, (np.clip(curve, 0, 1) * 255).astype(np.uint8).reshape(1, 256, 3))
    keep = rng.uniform(0.7, 1.35) if not harsh or rng.random() < 0.75 else rng.uniform(0.25, 1.9)
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    image = cv2.addWeighted(image, keep, grey, 1 - keep, 0)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        amount = rng.uniform(0.2, 1.0)
        image = cv2.addWeighted(image, 1 + amount, soft, -amount, 0)
    if rng.random() < 0.7:
        grain = rng.normal(0, rng.uniform(1, 11), (image.shape[0], image.shape[1], 1)).astype(np.float32)
        if rng.random() < 0.5:
            grain = grain + rng.normal(0, rng.uniform(1, 6), image.shape).astype(np.float32)
        image = np.clip(image + grain, 0, 255).astype(np.uint8)
    quality = int(rng.integers(38, 97) if not harsh or rng.random() < 0.75 else rng.integers(12, 45))
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1), np.uint8)
