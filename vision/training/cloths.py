"""Paint tablecloths and mats with patterns: tartan, stripes, flowers, and mats in a board's own colours.

The functions for single patterns, such as `tartan`, return arrays of TABLE_SIDE x TABLE_SIDE x 3 (blue, green, red).
`cloth` chooses one, adds a weave and returns an ordinary image.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.paint import TABLE_SIDE, Floats, Image, Rng, cloud, colour


def _any_tone(rng: Rng) -> Floats:
    return colour(rng, (0, 180), (20, 230), (50, 245))


def _weave(rng: Rng) -> NDArray[np.float32]:
    """Return a random pattern of threads: an array of TABLE_SIDE x TABLE_SIDE factors of brightness, each about 1."""
    fine = rng.standard_normal((TABLE_SIDE, TABLE_SIDE)).astype(np.float32) * rng.uniform(0.01, 0.06)
    return np.asarray(1 + fine + cloud(rng, TABLE_SIDE, 5) * rng.uniform(0, 0.06), np.float32)


def tartan(rng: Rng) -> Floats:
    """Paint crossing bands of two to five colours; where bands cross, their colours mix."""
    tones = [_any_tone(rng) for _ in range(int(rng.integers(2, 6)))]
    period = int(TABLE_SIDE / rng.integers(2, 9))

    def bands() -> Floats:
        row = np.tile(tones[0], (period, 1))
        for _ in range(int(rng.integers(2, 7))):
            start, wide = rng.integers(0, period), max(int(period * rng.uniform(0.02, 0.3)), 1)
            row[(start + np.arange(wide)) % period] = tones[int(rng.integers(len(tones)))]
        return np.resize(row, (TABLE_SIDE, 3))

    across = bands()
    along = across if rng.random() < 0.6 else bands()
    return np.asarray((across[:, None] + along[None]) / 2)


def stripes(rng: Rng) -> Floats:
    """Paint stripes of two or three colours."""
    tones = np.array([_any_tone(rng) for _ in range(int(rng.integers(2, 4)))])
    count = int(rng.integers(2, 14)) * len(tones)
    which = (np.arange(TABLE_SIDE) * count // TABLE_SIDE) % len(tones)
    return np.broadcast_to(tones[which][:, None], (TABLE_SIDE, TABLE_SIDE, 3)).copy()


def gingham(rng: Rng) -> Floats:
    """Paint a checked cloth with squares in three strengths of one colour."""
    full, pale = _any_tone(rng), colour(rng, (0, 180), (0, 60), (190, 250))
    count = int(rng.integers(6, 40))
    band = (np.arange(TABLE_SIDE) * count // TABLE_SIDE) % 2
    share = (band[:, None] + band[None]) / 2
    return np.asarray(pale + (full - pale) * share[..., None])


def flowers(rng: Rng) -> Floats:
    """Paint large flowers strewn over one colour."""
    out = np.empty((TABLE_SIDE, TABLE_SIDE, 3))
    out[:] = _any_tone(rng)
    for _ in range(int(rng.integers(15, 90))):
        middle, reach = rng.integers(0, TABLE_SIDE, 2), rng.uniform(8, 42)
        petals, tone, turn = int(rng.integers(4, 9)), _any_tone(rng).tolist(), rng.uniform(0, 6.3)
        for k in range(petals):
            angle = turn + 2 * np.pi * k / petals
            at = middle + reach * 0.62 * np.array([np.cos(angle), np.sin(angle)])
            cv2.ellipse(
                out, (int(at[0]), int(at[1])), (int(reach * 0.5), int(reach * 0.3)), np.degrees(angle), 0, 360, tone, -1
            )
        cv2.circle(out, (int(middle[0]), int(middle[1])), int(reach * 0.28), _any_tone(rng).tolist(), -1)
    return out


def own_colours(rng: Rng) -> Floats:
    """Paint a mat in the colours of a board, plain, blotched or with a lattice of lanes that is finer or coarser."""
    greens, soil = colour(rng, (24, 50), (60, 200), (80, 225)), colour(rng, (10, 27), (60, 150), (110, 220))
    base, other = (greens, soil) if rng.random() < 0.6 else (soil, greens)
    out = np.empty((TABLE_SIDE, TABLE_SIDE, 3))
    out[:] = base
    if rng.random() < 0.5:
        share = np.clip(cloud(rng, TABLE_SIDE, rng.uniform(3, 30)) - rng.uniform(-0.5, 1), 0, 1)
        out += (other - base) * share[..., None]
    if rng.random() < 0.65:
        cells = rng.uniform(3, 30)
        at = (np.arange(TABLE_SIDE) * cells / TABLE_SIDE) % 1
        lane = (at < rng.uniform(0.03, 0.15)).astype(np.float32)
        share = np.maximum(lane[:, None], lane[None]) * rng.uniform(0.3, 1)
        tone = other if rng.random() < 0.5 else base * rng.uniform(0.5, 1.5)
        out += (tone - out) * share[..., None]
    return out


def terrazzo(rng: Rng) -> Floats:
    """Paint chips of stone strewn over cement."""
    out = np.empty((TABLE_SIDE, TABLE_SIDE, 3))
    out[:] = colour(rng, (0, 180), (0, 50), (120, 240))
    tones = [_any_tone(rng).tolist() for _ in range(int(rng.integers(2, 6)))]
    largest = rng.uniform(6, 40)
    for _ in range(int(40_000 / largest)):
        chip = rng.uniform(0, TABLE_SIDE, 2) + rng.normal(0, largest * rng.uniform(0.1, 0.5), (6, 2))
        cv2.fillConvexPoly(out, cv2.convexHull(chip.astype(np.int32)), tones[int(rng.integers(len(tones)))])
    return out


def patchwork(rng: Rng) -> Floats:
    """Paint a quilt: squares of many stripes and tones, sewn together with pale seams."""
    count = int(rng.integers(4, 16))
    side = -(-TABLE_SIDE // count)
    out = np.empty((count * side, count * side, 3))
    for row in range(count):
        for column in range(count):
            patch = np.ones((side, side, 3)) * _any_tone(rng)
            if rng.random() < 0.5:
                patch[:: int(rng.integers(2, 9))] = _any_tone(rng)
            patch[:2], patch[:, :2] = 225, 225
            turned = np.rot90(patch, int(rng.integers(4)))
            out[row * side : (row + 1) * side, column * side : (column + 1) * side] = turned
    return np.asarray(out[:TABLE_SIDE, :TABLE_SIDE])


def marble(rng: Rng) -> Floats:
    """Paint a slab with veins that wander across it."""
    ground, vein = colour(rng, (0, 180), (0, 60), (60, 240)), colour(rng, (0, 180), (0, 90), (30, 250))
    columns, rows = np.meshgrid(np.arange(TABLE_SIDE), np.arange(TABLE_SIDE))
    bent = (columns + rows * rng.uniform(-1, 1)) / TABLE_SIDE * rng.uniform(3, 20)
    bent = bent + cloud(rng, TABLE_SIDE, 5) + cloud(rng, TABLE_SIDE, 20) * 0.4
    share = np.abs(np.sin(bent)) ** rng.uniform(3, 30)
    return np.asarray(ground + (vein - ground) * share[..., None])


def herringbone(rng: Rng) -> Floats:
    """Paint a floor of short planks that meet at right angles, each of its own shade of one wood."""
    wood, wide = colour(rng, (5, 25), (40, 170), (60, 230)), int(rng.integers(14, 44))
    rows, columns = np.mgrid[0:TABLE_SIDE, 0:TABLE_SIDE]
    along, across = (rows + columns) // wide, (rows - columns) // wide
    is_turned = (along + across) // 4 % 2 == 0
    plank = np.where(is_turned, along * 31 + across // 4 * 17, across * 29 + along // 4 * 13) % 97
    seam = np.where(is_turned, (rows + columns) % wide, (rows - columns) % wide) < max(wide // 12, 1)
    shade = 1 + rng.normal(0, rng.uniform(0.04, 0.2), 97)[plank]
    return np.asarray(wood * np.where(seam, rng.uniform(0.4, 0.8), shade)[..., None])


def mosaic(rng: Rng) -> Floats:
    """Paint small round tiles of a few colours in pale cement."""
    step = rng.uniform(16, 60)
    ys, xs = np.arange(-1, TABLE_SIDE / (0.866 * step) + 2), np.arange(-1, TABLE_SIDE / step + 2)
    middles = np.array([((x + (y % 2) / 2) * step, y * 0.866 * step) for y in ys for x in xs])
    seeds = np.ones((TABLE_SIDE, TABLE_SIDE), np.uint8)
    inside = middles[((middles > 0) & (middles < TABLE_SIDE - 1)).all(1)].astype(int)
    seeds[inside[:, 1], inside[:, 0]] = 0
    away, owner = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    tones = np.array([_any_tone(rng) for _ in range(int(rng.integers(2, 6)))])
    out = tones[rng.integers(0, len(tones), int(owner.max()) + 1)[owner]]
    out[away > step * 0.46] = rng.uniform(150, 240)
    return np.asarray(out)


def newsprint(rng: Rng) -> Floats:
    """Paint pages of a paper: columns of words, headlines and grey pictures."""
    out = np.full((TABLE_SIDE, TABLE_SIDE, 3), rng.uniform(170, 235)) * rng.uniform(0.9, 1.0, 3)
    columns, line = int(rng.integers(3, 9)), int(rng.integers(5, 14))
    wide = TABLE_SIDE // columns
    for column in range(columns):
        y = int(rng.integers(0, 3 * line))
        while y < TABLE_SIDE:
            kind, left = rng.random(), column * wide + 4
            high = int(line * (0.5 if kind < 0.9 else rng.uniform(1, 3) if kind < 0.96 else rng.uniform(5, 12)))
            right = left + int((wide - 8) * (1 if rng.random() < 0.8 else rng.uniform(0.2, 1)))
            tone = [float(rng.uniform(20, 90) if kind < 0.96 else rng.uniform(60, 190))] * 3
            if kind < 0.96:
                for x in range(left, right, max(line, 4)):
                    cv2.rectangle(out, (x, y), (min(x + int(line * 0.8), right), y + high), tone, -1)
            else:
                cv2.rectangle(out, (left, y), (right, y + high), tone, -1)
            y += high + line // 2 + 1
    return out


KINDS: tuple[Callable[[Rng], Floats], ...] = (tartan, stripes, gingham, flowers, own_colours, own_colours)


# Never to learn from: only honest sets have these, of one look each.
UNLEARNED: dict[str, tuple[Callable[[Rng], Floats], ...]] = {
    "stone": (terrazzo, patchwork, marble),
    "paper": (herringbone, mosaic, newsprint),
}


def cloth(rng: Rng, kinds: Sequence[Callable[[Rng], Floats]] = KINDS) -> Image:
    """Return the picture of a woven cloth or mat, turned at random. One of the functions in `kinds`, chosen at random,
    paints it."""
    woven: NDArray[Any] = kinds[int(rng.integers(len(kinds)))](rng) * _weave(rng)[..., None]
    return np.asarray(np.rot90(np.clip(woven, 0, 255).astype(np.uint8), int(rng.integers(4))), np.uint8).copy()
