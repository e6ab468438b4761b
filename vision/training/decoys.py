"""Paint flat things that look like a board: other games' grids, tiles, hexagons, mats, posters."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.training.paint import Floats, Image, Rng, cloud, colour

UNIT = 96  # pixels of a cell


def _tone(rng: Rng) -> Floats:
    """Return a colour, which half of the time is one that boards have."""
    if rng.random() < 0.5:
        return colour(rng, (10, 45), (50, 190), (90, 230))
    return colour(rng, (0, 180), (0, 230), (30, 250))


def _sheet(shape: tuple[int, ...], tone: Floats) -> Image:
    return np.full(shape, np.clip(tone, 0, 255), np.uint8)


def _aged(rng: Rng, art: Image) -> Image:
    """Return the art as printed: a little uneven, soft or sharp."""
    side = max(art.shape[:2])
    uneven = 1 + cloud(rng, side, 8) * rng.uniform(0, 0.06) + cloud(rng, side, 120) * rng.uniform(0, 0.06)
    worn = art.astype(float) * uneven[: art.shape[0], : art.shape[1], None]
    if rng.random() < 0.5:
        worn = np.asarray(cv2.GaussianBlur(worn, (0, 0), rng.uniform(0.5, 4)), float)
    return np.asarray(np.clip(worn, 0, 255), np.uint8)


def _symbol(rng: Rng, art: Image, x: int, y: int, reach: float, tone: Floats) -> None:
    kind = int(rng.integers(4))
    if kind == 0:
        cv2.circle(art, (x, y), int(reach), tone.tolist(), -1 if rng.random() < 0.5 else 3, cv2.LINE_AA)
    elif kind == 1:
        cv2.rectangle(art, (int(x - reach), int(y - reach)), (int(x + reach), int(y + reach)), tone.tolist(), -1)
    elif kind == 2:
        letter = chr(int(rng.integers(48, 91)))
        cv2.putText(
            art, letter, (int(x - reach), int(y + reach)), cv2.FONT_HERSHEY_DUPLEX, reach / 14, tone.tolist(), 3
        )
    else:
        points = rng.normal((x, y), reach * 0.7, (5, 2))
        cv2.fillConvexPoly(art, cv2.convexHull(points.astype(np.int32)), tone.tolist(), cv2.LINE_AA)


def grid(rng: Rng) -> Image:
    """Paint another game's grid: other numbers of cells, or four by four cells that are no plots of soil."""
    rows, columns = int(rng.integers(2, 11)), int(rng.integers(2, 11))
    if rng.random() < 0.6:
        columns = rows
    ground, line = _tone(rng), _tone(rng)
    wide = UNIT * rng.uniform(0.02, 0.16)
    fills = [_tone(rng) for _ in range(int(rng.choice([1, 1, 2, 5])))]
    is_like_ours = (rows, columns) == (4, 4) and len(fills) == 1
    if is_like_ours:
        fills.append(colour(rng, (90, 170), (80, 230), (60, 250)))
    edge = int(UNIT * rng.choice([0, rng.uniform(0, 1)]))
    art = _sheet((rows * UNIT + 2 * edge, columns * UNIT + 2 * edge, 3), ground)
    art[edge : edge + rows * UNIT, edge : edge + columns * UNIT] = line
    checkered, marked = rng.random() < 0.5, rng.choice([0.0, 0.0, rng.random()])
    round_cells = rng.random() < 0.25
    for row in range(rows):
        for column in range(columns):
            fill = fills[(row + column if checkered else int(rng.integers(99))) % len(fills)]
            x0, y0 = edge + column * UNIT, edge + row * UNIT
            low, high = int(wide / 2), int(UNIT - wide / 2)
            if round_cells:
                cv2.circle(art, (x0 + UNIT // 2, y0 + UNIT // 2), (high - low) // 2, fill.tolist(), -1, cv2.LINE_AA)
            else:
                cv2.rectangle(art, (x0 + low, y0 + low), (x0 + high, y0 + high), fill.tolist(), -1)
            if is_like_ours or rng.random() < marked:
                _symbol(rng, art, x0 + UNIT // 2, y0 + UNIT // 2, UNIT * rng.uniform(0.12, 0.35), _tone(rng))
    return _aged(rng, art)


def tiles(rng: Rng) -> Image:
    """Paint square tiles laid side by side, each with fields, roads and houses of its own."""
    rows, columns = int(rng.integers(2, 8)), int(rng.integers(2, 8))
    field, road, wall = _tone(rng), _tone(rng), _tone(rng)
    art = np.empty((rows * UNIT, columns * UNIT, 3), np.uint8)
    gap = int(rng.integers(0, 6))
    for row in range(rows):
        for column in range(columns):
            tile = _sheet((UNIT, UNIT, 3), field * rng.uniform(0.85, 1.15) if rng.random() < 0.8 else _tone(rng))
            middle = (rng.uniform(0.3, 0.7, 2) * UNIT).astype(int)
            for _ in range(int(rng.integers(0, 4))):
                out = np.array([(UNIT // 2, 0), (UNIT, UNIT // 2), (UNIT // 2, UNIT), (0, UNIT // 2)])[rng.integers(4)]
                cv2.line(tile, middle.tolist(), out.tolist(), road.tolist(), int(rng.integers(3, 16)), cv2.LINE_AA)
            if rng.random() < 0.5:
                spot = (rng.uniform(0, 1, 2) * UNIT).astype(int).tolist()
                cv2.ellipse(
                    tile, spot, (int(rng.integers(10, 60)), int(rng.integers(10, 40))), 0, 0, 360, wall.tolist(), -1
                )
            for _ in range(int(rng.integers(0, 8))):
                x, y = (int(v) for v in rng.integers(0, UNIT, 2))
                cv2.circle(tile, (x, y), int(rng.integers(1, 7)), _tone(rng).tolist(), -1, cv2.LINE_AA)
            if gap:
                cv2.rectangle(tile, (0, 0), (UNIT - 1, UNIT - 1), (field * 0.3).tolist(), gap)
            art[row * UNIT : (row + 1) * UNIT, column * UNIT : (column + 1) * UNIT] = tile
    return _aged(rng, art)


def hexagons(rng: Rng) -> Image:
    """Paint an island of hexagons with a number on each."""
    across = int(rng.integers(3, 8))
    reach = UNIT * 0.56
    high = int((across * 1.5 + 1.5) * reach)
    art = _sheet((high, int(across * 1.75 * reach + 2 * reach), 3), _tone(rng))
    tones, line = [_tone(rng) for _ in range(5)], _tone(rng)
    angles = np.pi / 3 * np.arange(6) + np.pi / 6
    for row in range(across):
        for column in range(across):
            x, y = (column + 0.9 + row % 2 / 2) * 1.74 * reach, (row * 1.5 + 1.3) * reach
            ring = np.column_stack([x + reach * np.cos(angles), y + reach * np.sin(angles)]).astype(np.int32)
            cv2.fillConvexPoly(art, ring, tones[int(rng.integers(5))].tolist(), cv2.LINE_AA)
            cv2.polylines(art, [ring], True, line.tolist(), int(rng.integers(1, 9)), cv2.LINE_AA)
            if rng.random() < 0.5:
                _symbol(rng, art, int(x), int(y), reach * 0.3, _tone(rng))
    return _aged(rng, art)


def mat(rng: Rng) -> Image:
    """Paint a player's mat or a poster: frames, rows of fields, lines of words, a picture."""
    wide, high = int(rng.integers(300, 700)), int(rng.integers(300, 700))
    art = _sheet((high, wide, 3), _tone(rng))
    for _ in range(int(rng.integers(2, 14))):
        x, y = int(rng.integers(0, wide)), int(rng.integers(0, high))
        w, h = int(rng.integers(20, wide // 2)), int(rng.integers(20, high // 2))
        cv2.rectangle(art, (x, y), (x + w, y + h), _tone(rng).tolist(), -1 if rng.random() < 0.6 else 4)
    if rng.random() < 0.7:
        count, cell = int(rng.integers(3, 8)), int(rng.integers(24, 70))
        x, y = int(rng.integers(0, wide // 2)), int(rng.integers(0, high // 2))
        for row in range(int(rng.integers(1, 4))):
            for k in range(count):
                at = (x + k * cell, y + row * cell)
                cv2.rectangle(art, at, (at[0] + cell - 5, at[1] + cell - 5), _tone(rng).tolist(), -1)
    for y in range(int(rng.integers(10, 60)), high, int(rng.integers(14, 60))):
        cv2.line(art, (12, y), (int(rng.integers(20, wide)), y), (40, 45, 50), int(rng.integers(1, 4)))
    return _aged(rng, art)


KINDS: tuple[Callable[[Rng], Image], ...] = (grid, grid, grid, tiles, hexagons, mat)


def decoy(rng: Rng) -> Image:
    """Paint one of the things in this module, at random."""
    return KINDS[int(rng.integers(len(KINDS)))](rng)
