"""Paint cards on a table, laid out as a game's reader expects them, to test the reading of cards.

The titles, patterns and colours are those that the reader knows; pictures and lettering are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image as Sheets
from PIL import ImageDraw, ImageFont

from vision.contract import Cards
from vision.patterns import NOTHING, TONES
from vision.training.paint import Floats, Image, Rng, wood

Spot = tuple[float, float]
UNIT = 150  # pixels of a field's height on a painted card
WHITE = np.array([222.0, 224.0, 234.0])
PARCHMENT, SCROLL, TRUNK = (226, 196, 122), (104, 68, 48), (86, 62, 46)


def painted(rng: Rng, card: str, known: Cards) -> Image:
    """Return a picture of a card, upright, in blue, green, red; `card` is its id in `known`."""
    left, top = known.around_field[0]
    right, bottom = known.around_field[2]
    across = UNIT * known.field
    size = round((right - left) * across), round((bottom - top) * UNIT)

    def spot(x: float, y: float) -> Spot:
        return (x - left) * across, (y - top) * UNIT

    def box(area: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        return (*spot(*area[:2]), *spot(*area[2:]))

    sheet = Sheets.fromarray(_picture(rng, size))
    pen = ImageDraw.Draw(sheet)
    pen.rectangle(box((left, top, right, -2.05)), fill=PARCHMENT)
    pen.rectangle(box((left, 1.12, right, bottom)), fill=PARCHMENT)
    pen.rectangle(box((left, -0.12, right, 1.12)), fill=TRUNK)
    pen.rectangle(box((0, 0, 1, 1)), fill=tuple(WHITE.astype(int).tolist()))
    title = dict(known.titles)[card]
    font = ImageFont.load_default(round(UNIT * min(0.34, 3.4 / len(title))))
    pen.text(spot(left + 0.06, -2.48), title, font=font, fill=(38, 30, 24))
    pen.rectangle(box((0.82, -2.55, 1.1, -1.8)), fill=PARCHMENT)
    pen.rectangle(box((0.82, -2.57, 1.04, -2.46)), fill=SCROLL)
    sign = tuple((WHITE * known.signs[known.colours[card]]).astype(int).tolist())
    pen.polygon(
        [spot(*p) for p in ((0.89, -2.04), (0.89, -2.26), (0.96, -2.38), (1.03, -2.26), (1.03, -2.04))], fill=sign
    )
    for corner, other, tone in _squares(known, card):
        pen.rectangle((*spot(*corner), *spot(*other)), fill=tone)
    pen.text(
        spot(left + 0.06, 1.3), "2 for each of them", font=ImageFont.load_default(round(UNIT * 0.2)), fill=(70, 60, 50)
    )
    return np.asarray(sheet)[:, :, ::-1].copy()


def _squares(known: Cards, card: str) -> Iterator[tuple[Spot, Spot, tuple[int, ...]]]:
    """Yield each square of the card's pattern: upper left corner, lower right corner, and colour.

    Corners are shares of the width and height of the card's pale field.
    """
    rows = known.patterns[card]
    high = 0.38 if len(rows) < 3 else 0.28
    wide = high / known.field
    for i, row in enumerate(rows):
        for j, letter in enumerate(row):
            if letter != NOTHING:
                x, y = 0.5 + (j - len(row) / 2) * wide, 0.5 + (i - len(rows) / 2) * high
                tone = (WHITE * TONES[letter]).clip(0, 255).astype(int).tolist()
                yield (x + 0.008, y + 0.015), (x + wide - 0.008, y + high - 0.015), tuple(tone)


def _picture(rng: Rng, size: tuple[int, int]) -> Image:
    """Return a colourful random picture, in place of a building's picture on a card."""
    few = rng.integers(20, 235, (7, 5, 3), np.uint8)
    return np.asarray(cv2.resize(few, size, interpolation=cv2.INTER_CUBIC), np.uint8)


@lru_cache(maxsize=4)
def _ground(seed: int, size: tuple[int, int]) -> Image:
    ground = cv2.resize(wood(np.random.default_rng(seed)), size, interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(ground, 0, 255), np.uint8)


def table(
    rng: Rng, cards: Sequence[str], known: Cards, size: tuple[int, int] = (2000, 1500), tilt: float = 0.35
) -> tuple[Image, list[Floats]]:
    """Return a picture of these cards on a wooden table, each at its own angle, and the cards' corners. `size` is its
    width and height. The table is seen from a seat, so its far side is narrower. A `tilt` of 0 makes no difference;
    1 leaves a fifth of the width."""
    picture = _ground(int(rng.integers(4)), size).copy()
    wide, high = size
    columns = max(1, int(np.ceil(np.sqrt(len(cards) * 1.2))))
    lines = int(np.ceil(len(cards) / columns))
    cell = np.array([wide / columns, high / lines])
    places = []
    for number, card in enumerate(cards):
        sheet = painted(rng, card, known)
        down, across = sheet.shape[:2]
        scale = 0.92 * cell.min() / float(np.hypot(down, across))
        turn = rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * scale
        middle = cell * (number % columns + 0.5, number // columns + 0.5)
        corners = (
            np.array([(0, 0), (across, 0), (across, down), (0, down)]) - (across / 2, down / 2)
        ) @ spin.T + middle
        places.append(corners)
        _lay(picture, sheet, corners)
    seat = np.array([(tilt * 0.4 * wide, 0), (wide - tilt * 0.4 * wide, 0), (wide, high), (0, high)], np.float32)
    whole = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    view = cv2.getPerspectiveTransform(whole, seat)
    seen = cv2.warpPerspective(picture, view, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8), [cv2.perspectiveTransform(c[None], view.astype(float))[0] for c in places]


def _lay(picture: Image, sheet: Image, corners: Floats) -> None:
    down, across = sheet.shape[:2]
    flat = np.array([(0, 0), (across, 0), (across, down), (0, down)], np.float32)
    frame = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    size = (picture.shape[1], picture.shape[0])
    laid = cv2.warpPerspective(sheet, frame, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((down, across), 255, np.uint8), frame, size)
    picture[mask > 128] = laid[mask > 128]
