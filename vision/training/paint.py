"""Paint flat things: boards in the style of the game, tables, cards, the room behind.

Colours are blue, green, red, as in OpenCV.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Rng = np.random.Generator
BOARD_SIDE = 480
TABLE_SIDE = 640
PIECE_TONES = [(66, 70, 91), (94, 202, 243), (53, 53, 226), (175, 110, 0), (130, 147, 140), (45, 45, 45)]


def cloud(rng: Rng, side: int, grain: float) -> NDArray[np.float32]:
    """Return a square of smooth random noise, `side` pixels wide, with about `grain` waves along each side. The values
    have mean 0 and a standard deviation of about 1."""
    few = max(int(grain), 2)
    small = rng.standard_normal((few + 1, few + 1)).astype(np.float32)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)


def colour(rng: Rng, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]) -> Floats:
    """Return a random colour in blue, green, red; the ranges are in HSV, with `hue` from 0 to 180."""
    hsv = [rng.uniform(*hue) % 180, rng.uniform(*saturation), rng.uniform(*value)]
    return np.asarray(cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0], float)


def _mixed(base: Floats, other: Floats, amount: NDArray[Any]) -> Floats:
    return np.asarray(base + (other - base) * amount[..., None])


def board(rng: Rng) -> Image:
    """Paint a field board: sixteen patches of soil, green lanes, bushes along them, perhaps one bare edge."""
    side = BOARD_SIDE
    rim = 0.0 if rng.random() < 0.5 else rng.uniform(0.005, 0.04)  # beyond the outermost lanes
    lanes = rim + (1 - 2 * rim) * np.array([0.0, 0.25, 0.5, 0.75, 1.0]) + [0, *rng.normal(0, 0.006, 3), 0]
    width = rng.uniform(0.012, 0.075)  # of the board's side
    greens = colour(rng, (24, 42), (90, 190), (140, 225))
    soil = colour(rng, (10, 27), (60, 150), (140, 220))
    shade = greens * rng.uniform(0.55, 0.9) if rng.random() < 0.7 else (greens + soil) / 2
    art = np.empty((side, side, 3))
    art[:] = greens
    soft = rng.uniform(0.004, 0.03)
    inside, core = _plots(lanes, width, soft, rng.uniform(0.02, 0.08), rng.uniform(0.4, 1.0))
    art = _mixed(art, shade, inside)
    art = _mixed(art, soil, np.clip(core * rng.uniform(0.75, 1.0), 0, 1).astype(np.float32))
    if rim:
        at = np.minimum(np.arange(side), side - 1 - np.arange(side)) / side
        outer = (np.minimum(at[:, None], at[None, :]) < rim - width * 0.3).astype(np.float32)
        edge = soil if rng.random() < 0.5 else (greens + soil) / 2 * rng.uniform(0.5, 1.0)
        art = _mixed(art, edge, cv2.GaussianBlur(outer, (0, 0), 1.0))
    for grain, strength in ((6, 0.05), (40, rng.uniform(0.01, 0.07)), (160, rng.uniform(0.0, 0.06))):
        art *= 1 + (cloud(rng, side, grain) * strength)[..., None]
    if rng.random() < 0.6:  # the printed board's bare edge
        tan = colour(rng, (12, 24), (80, 150), (150, 220))
        strip = np.clip((np.arange(side) / side - rng.uniform(0.965, 0.985)) * 80, 0, 1).astype(np.float32)
        art = _mixed(art, tan, np.repeat(strip[:, None], side, 1) * np.float32(rng.uniform(0.4, 1)))
    canvas = np.clip(art, 0, 255).astype(np.uint8)
    _bushes(rng, canvas, lanes, width)
    return np.asarray(np.rot90(canvas, int(rng.integers(4))), np.uint8).copy()


def _plots(
    lanes: Floats, width: float, soft: float, round_by: float, spread: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return two masks from 0 to 1: how far each pixel is inside a plot, and inside its bare middle. `lanes` has the
    middles of the lanes and `width` their width, as shares of the board. `soft` and `spread` say how far edges and
    middles fade; `round_by` is the radius of corners."""
    at = (np.arange(BOARD_SIDE) + 0.5) / BOARD_SIDE
    inside = np.zeros((BOARD_SIDE, BOARD_SIDE), np.float32)
    core = np.zeros_like(inside)
    for top, bottom in pairwise(lanes):
        for left, right in pairwise(lanes):
            half = np.array([right - left, bottom - top]) / 2 - width / 2
            dx = np.abs(at[None, :] - (left + right) / 2) - half[0] + round_by
            dy = np.abs(at[:, None] - (top + bottom) / 2) - half[1] + round_by
            away = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - round_by
            inside = np.maximum(inside, np.clip(-away / soft, 0, 1).astype(np.float32))
            core = np.maximum(core, np.clip(-away / (half.min() * spread), 0, 1).astype(np.float32))
    return inside, core


def _bushes(rng: Rng, canvas: Image, lanes: Floats, width: float) -> None:
    """Paint clumps along the plots' edges or dots over the lanes, and twigs in the soil, on the board `canvas`. `lanes`
    has the middles of the lanes, `width` their width, both as shares of the board's side."""
    side = BOARD_SIDE
    dark = colour(rng, (32, 60), (70, 190), (60, 130))
    clumped = rng.random() < 0.65
    size = rng.uniform(0.004, 0.011)
    for lane in lanes:
        for across in (False, True):
            for _ in range(int(rng.integers(8, 22) if clumped else rng.integers(14, 45))):
                along = rng.random()
                off = width * rng.choice([-0.55, 0.55]) if clumped else rng.normal(0, 0.012)
                for k in range(int(rng.integers(1, 6)) if clumped else 1):
                    spot = np.array([along + k * size * 1.6, lane + off + rng.normal(0, 0.003)])
                    x, y = (spot if across else spot[::-1]) * side
                    tone = dark * rng.uniform(0.75, 1.25)
                    radius = max(int(size * side * rng.uniform(0.7, 1.3)), 1)
                    cv2.circle(canvas, (int(x), int(y)), radius, tone.tolist(), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 60))):
        x, y = rng.integers(0, side, 2)
        tone = (colour(rng, (120, 170), (20, 90), (90, 150)) if rng.random() < 0.7 else dark).tolist()
        cv2.ellipse(canvas, (int(x), int(y)), (int(rng.integers(1, 4)), 1), rng.uniform(0, 180), 0, 360, tone, -1)


def wood(rng: Rng) -> Floats:
    """Paint wood: streaks in one direction, planks and knots, half of the time in the hue of a board."""
    side = TABLE_SIDE
    light = rng.random() < 0.6
    base = colour(rng, (8, 26), (30, 150), (120, 235) if light else (35, 120))
    streaks = cv2.resize(rng.standard_normal((int(rng.integers(60, 400)), 1)).astype(np.float32), (1, side))
    field = np.repeat(streaks, side, 1) * 0.6
    field += (
        cv2.resize(rng.standard_normal((side // 3, int(rng.integers(3, 30)))).astype(np.float32), (side, side)) * 0.4
    )
    bend = cloud(rng, side, 4) * rng.uniform(2, 14)
    rows, columns = np.mgrid[0:side, 0:side].astype(np.float32)
    bent = cv2.remap(field.astype(np.float32), columns, rows + bend, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    out = base * (1 + (bent * rng.uniform(0.03, 0.16))[..., None])
    plank = int(side / rng.integers(1, 6))
    for top in range(0, side, plank):
        out[top : top + plank] *= rng.uniform(0.88, 1.1)
        out[top : top + 1] *= rng.uniform(0.4, 1)
    return np.asarray(out)


def checked(rng: Rng) -> Floats:
    """Paint tablecloths, tiles and the grids of other games: squares that are not our board."""
    side = TABLE_SIDE
    cells = int(rng.integers(3, 24))
    a, b = (colour(rng, (0, 180), (0, 200), (40, 240)) for _ in range(2))
    cell = side / cells
    lines = (np.arange(side) // cell).astype(int)
    if rng.random() < 0.6:
        mask = ((lines[:, None] + lines[None, :]) % 2).astype(np.float32)
    elif rng.random() < 0.5:
        mask = ((lines[:, None] % 2) * 0.5 + (lines[None, :] % 2) * 0.5).astype(np.float32)
    else:
        near = np.minimum(np.arange(side) % cell, cell - np.arange(side) % cell) < max(cell * rng.uniform(0.02, 0.1), 1)
        mask = np.maximum(near[:, None], near[None, :]).astype(np.float32)
    return _mixed(np.broadcast_to(a, (side, side, 3)), b, mask) * (1 + cloud(rng, side, 90)[..., None] * 0.03)


def cloth(rng: Rng) -> Floats:
    """Paint felt, neoprene, paint or marble: one tone with fine and coarse unevenness."""
    side = TABLE_SIDE
    base = colour(rng, (0, 180), (0, 170), (25, 245))
    out = base * (1 + (cloud(rng, side, 3) * rng.uniform(0, 0.12) + cloud(rng, side, 300) * 0.04)[..., None])
    if rng.random() < 0.35:
        veins = np.abs(cloud(rng, side, 9) + 0.5 * cloud(rng, side, 30)) < rng.uniform(0.03, 0.2)
        soft = cv2.GaussianBlur(veins.astype(np.float32), (0, 0), rng.uniform(0.8, 4))
        out[:] = _mixed(out, base * rng.uniform(0.4, 1.4), soft * np.float32(rng.uniform(0.2, 0.8)))
    return np.asarray(out)


def clutter(rng: Rng) -> Floats:
    """Paint overlapping shapes in any colour: rugs, prints, boxes, other games' boards."""
    out = cloth(rng)
    for _ in range(int(rng.integers(8, 60))):
        tone = colour(rng, (0, 180), (0, 230), (20, 250)).tolist()
        x, y = (int(v) for v in rng.integers(0, TABLE_SIDE, 2))
        size = rng.integers(6, 110, 2)
        turn = float(rng.choice([0, 0, rng.uniform(0, 180)]))
        if rng.random() < 0.5:
            box = cv2.boxPoints(((x, y), (int(size[0]), int(size[1])), turn)).astype(np.int32)
            cv2.fillPoly(out, [box], tone)
        else:
            cv2.ellipse(out, (x, y), (int(size[0]) // 2, int(size[1]) // 2), turn, 0, 360, tone, -1)
    return out


def table(rng: Rng) -> Image:
    """Paint a table top of any kind."""
    kinds: list[Callable[[Rng], Floats]] = [wood, cloth, checked, clutter]
    kind = kinds[int(rng.choice(4, p=[0.45, 0.27, 0.16, 0.12]))]
    out = np.clip(kind(rng), 0, 255).astype(np.uint8)
    return np.asarray(np.rot90(out, int(rng.integers(4))), np.uint8).copy()


def card(rng: Rng) -> Image:
    """Paint a card of the game's format: a picture, a white field with coloured squares, lines of words; or a back."""
    high, wide = 190, 116
    paper = colour(rng, (12, 30), (20, 110), (150, 245))
    out = np.empty((high, wide, 3), np.uint8)
    out[:] = paper.astype(np.uint8)
    kind = rng.random()
    if kind < 0.12:
        out[:] = colour(rng, (0, 180), (40, 200), (10, 140)).astype(np.uint8)
    elif kind < 0.25:  # a resource card
        cv2.rectangle(out, (8, 25), (wide - 8, high - 25), (215, 215, 222), -1)
        cv2.rectangle(out, (30, 60), (wide - 30, 115), PIECE_TONES[rng.integers(5)], -1)
    else:
        grain = int(rng.choice([4, 8, 14]))
        art = cv2.resize(rng.uniform(0, 255, (grain, grain, 3)).astype(np.float32), (wide - 8, 88), interpolation=2)
        out[6:94, 4 : wide - 4] = np.clip(art * rng.uniform(0.5, 1) + rng.uniform(0, 60, 3), 0, 255).astype(np.uint8)
        cv2.rectangle(out, (14, 98), (wide - 14, 150), (235, 235, 238), -1)
        for k in range(int(rng.integers(2, 7))):
            x, y = 36 + 15 * (k % 3), 106 + 15 * (k // 3)
            cv2.rectangle(out, (x, y), (x + 13, y + 13), PIECE_TONES[rng.integers(5)], -1)
        for y in range(158, high - 6, 8):
            cv2.line(out, (12, y), (wide - int(rng.integers(12, 50)), y), (40, 50, 60), 2)
    return np.asarray(np.rot90(out, int(rng.integers(4))), np.uint8).copy()


def room(rng: Rng) -> Image:
    """Return a blurred random picture, 320 pixels wide and high, of the room behind the table."""
    grain = int(rng.integers(3, 12))
    few = rng.uniform(10, 230) * rng.uniform(0.3, 1.5, (grain, grain, 1)) * rng.uniform(0.7, 1.3, (grain, grain, 3))
    return np.asarray(np.clip(cv2.resize(few, (320, 320), interpolation=cv2.INTER_CUBIC), 0, 255), np.uint8)


Shelf = dict[str, list[Image]]


@lru_cache(maxsize=2)
def shelf(seed: int, boards: int = 40, tables: int = 60) -> Shelf:
    """Return lists of painted pictures by kind: "board", "table", "card" and "room". They are used in many pictures,
    since painting takes long; `boards` and `tables` are numbers of them."""
    rng = np.random.default_rng(seed)
    return {
        "board": [board(rng) for _ in range(boards)],
        "table": [table(rng) for _ in range(tables)],
        "card": [card(rng) for _ in range(40)],
        "room": [room(rng) for _ in range(12)],
    }
