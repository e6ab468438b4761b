"""Draw a whole table: these towns with cards around them, photographed from a seat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.vision.conftest import SEED, file_of
from vision.games.tiny_towns import CARDS
from vision.training import cards, paint
from vision.training.drawing import Camera, Light
from vision.training.pieces import make, turned
from vision.training.scene import CARDBOARD, Scene

LETTERS = {
    ".": "empty", "c": "cottage", "f": "farm", "w": "well", "o": "chapel", "t": "tavern", "y": "theater",
    "b": "factory", "m": "monument",
}  # fmt: skip
APART = 5.2  # from one board to the next, in squares
CARD_HIGH, CARD_ACROSS = 2.6, 1.75  # the latter from one to the next


def from_above(size: tuple[int, int], middle: Sequence[float], across: float) -> Camera:
    """Return a camera high above the table, slightly to one side, with so many squares across the picture."""
    focal = 1.3 * size[0]
    away = np.array([0.0, -0.28, 1.0]) / np.hypot(0.28, 1.0)
    eye = np.array([*middle, 0.0]) + away * focal * across / size[0]
    right, forward = np.array([1.0, 0, 0]), -away
    down = np.cross(forward, right)
    turn = np.array([right, down, forward])
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    return Camera(lens @ np.column_stack([turn, -turn @ eye]), eye)


def photo(towns: Sequence[str], known: Sequence[str], size: tuple[int, int] = (2600, 1950), seed: int = 10) -> bytes:
    """Return a JPEG of these towns side by side, each four words of letters, and of these cards behind them."""
    rng = np.random.default_rng(SEED + seed)
    wide = max(APART * len(towns), CARD_ACROSS * len(known))
    lens = from_above(size, (wide / 2 - 0.6, 2 + 1.4), wide + 0.9)
    scene = Scene(rng, size, lens, paint.shelf(SEED, 6, 8))
    scene.light = Light(np.array([0.3, -0.4, 0.87]), 0.2, 0.6, 0.44, 0.3)
    texture = scene.pick("table")
    scale = 24 / texture.shape[0]
    scene.lay(
        texture, np.diag([scale, scale, 1.0]) + np.array([[0, 0, -6], [0, 0, -6], [0, 0, -CARDBOARD - 1]]), wrap=True
    )
    for number, town in enumerate(towns):
        origin = (APART * number, 0.0)
        spin = scene.board(origin, 0.0)
        for row, letters in enumerate(town.split()):
            for column, letter in enumerate(letters):
                if letter != ".":
                    # Row 0 is the far one, since pictures are read from the top.
                    at = spin @ np.array([column + 0.5, 3 - row + 0.5, 0]) + np.append(origin, 0)
                    scene.solids.append(make(rng, LETTERS[letter], at, float(rng.normal(0, 0.1)), False, 1.0))
    for number, card in enumerate(known):
        sheet = cards.painted(rng, card, CARDS)
        unit = CARD_HIGH / sheet.shape[0]
        spin = turned(0.0) * unit
        across = sheet.shape[1] * unit
        place = np.array([number * (across + 0.25) - 0.4, 4.6 + CARD_HIGH, -CARDBOARD + 0.01])
        scene.lay(sheet, np.column_stack([spin[:, 0], -spin[:, 1], place]))
    scene.shadows()
    scene.stand()
    return file_of(scene.canvas, quality=88)
