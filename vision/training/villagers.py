"""Add pieces of the expansion Villagers: wooden animals, towers of grey discs, cubes that stay on buildings.

None of them changes a label: a villager on an empty square leaves it empty, and a tower is one grey building.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.games.tiny_towns import CUBES
from vision.training.drawing import Rng
from vision.training.pieces import Floats, Solid, make, prism, turned
from vision.training.scene import OFF, Scene, Town, overlap

# Animals from the side, drawn for this project as `pieces.OUTLINES` are: a hedgehog, a hare, a squirrel, a bear.
ANIMALS = [
    [
        (0.1, 0), (0.36, 0), (0.36, 0.08), (0.62, 0.08), (0.62, 0), (0.86, 0), (0.86, 0.14), (1.0, 0.24), (0.86, 0.38),
        (0.8, 0.58), (0.84, 0.78), (0.7, 0.76), (0.66, 0.94), (0.52, 0.86), (0.42, 1.0), (0.32, 0.84), (0.18, 0.84),
        (0.18, 0.66), (0.04, 0.56), (0.1, 0.4), (0, 0.24),
    ],
    [
        (0.08, 0), (0.9, 0), (0.9, 0.1), (0.74, 0.14), (0.76, 0.4), (0.96, 0.5), (0.98, 0.62), (0.8, 0.7), (0.74, 1.0),
        (0.64, 0.98), (0.62, 0.74), (0.54, 0.98), (0.44, 0.94), (0.48, 0.62), (0.3, 0.5), (0.14, 0.34), (0.02, 0.3),
        (0, 0.16),
    ],
    [
        (0.3, 0), (0.9, 0), (0.9, 0.1), (0.78, 0.16), (0.82, 0.42), (0.96, 0.58), (1.0, 0.74), (0.86, 0.84),
        (0.82, 0.98), (0.72, 0.86), (0.6, 0.8), (0.56, 0.56), (0.42, 0.4), (0.38, 0.7), (0.42, 0.92), (0.28, 1.0),
        (0.08, 0.9), (0, 0.6), (0.08, 0.26),
    ],
    [
        (0.08, 0), (0.38, 0), (0.4, 0.12), (0.58, 0.12), (0.6, 0), (0.92, 0), (0.9, 0.3), (1.0, 0.36), (0.96, 0.5),
        (0.82, 0.54), (0.8, 0.66), (0.86, 0.86), (0.82, 0.98), (0.68, 0.94), (0.5, 1.0), (0.32, 0.94), (0.18, 0.98),
        (0.14, 0.86), (0.2, 0.66), (0.18, 0.54), (0.04, 0.5), (0, 0.36), (0.1, 0.3),
    ],
]  # fmt: skip
SIZE = (0.42, 0.46)  # across and high: taller than a cottage
THICKNESS = 0.26
# The publisher shows a dark brown one; nobody knows whether all are, so other woods and stains occur as well.
WOOD = [(70, 46, 34), (52, 34, 26), (96, 62, 40), (140, 98, 62), (190, 150, 104), (60, 56, 52), (120, 108, 96)]
MOST = 3  # of one player
BESIDE = (0.26, 0.42)  # squares from the middle, on a square with a building
TRIES = 8
TOWERS, LEVELS = 0.4, (2, 8)  # of the towns with a grey building, and how high
TOPPED = 0.15  # of the yellow and grey buildings: Blacksmiths and Outhouses keep a cube


class Visited(Scene):
    """Build a table at which some players have villagers."""

    visited = 0.3


def come(scene: Scene, origin: Sequence[float], spin: Floats, town: Town, standing: dict[int, Solid]) -> None:
    """Add villagers, towers and cubes to the board `town`; `standing` has the pieces on its squares, by the square's
    number. The board's first corner is at `origin`; `spin` is its 3 x 3 rotation."""
    rng = scene.rng
    wells = [index for index, label in enumerate(town.grid) if label == "well"]
    tower = int(rng.choice(wells)) if wells and rng.random() < TOWERS else None
    for index, piece in standing.items():
        if index == tower:
            _stack(scene, piece)
        elif town.grid[index] in ("theater", "well") and rng.random() < TOPPED:
            _on(scene, piece, [make(rng, str(rng.choice(CUBES)), _top(piece).tolist(), rng.uniform(0, 3))])
    kind, rgb = int(rng.integers(len(ANIMALS))), _stain(rng)
    for index in rng.permutation(16)[: int(rng.integers(MOST + 1))]:
        row, column = divmod(int(index), 4)
        middle = spin @ np.array([row + 0.5, column + 0.5, 0]) + np.append(origin, 0)
        if (animal := _room_for(rng, middle, kind, rgb, standing, int(index))) is not None:
            scene.solids.append(animal)


def _room_for(rng: Rng, middle: Floats, kind: int, rgb: Floats, standing: dict[int, Solid], index: int) -> Solid | None:
    """Return a wooden animal at a free spot on the square `index`, or None if none was found. If a piece in `standing`
    is on the square, the animal stands beside it. `kind` is the animal's number in ANIMALS, `rgb` its colour, and
    `middle` the square's middle."""
    for _ in range(TRIES):
        away = rng.uniform(*BESIDE) if index in standing else rng.uniform(0, OFF)
        angle = rng.uniform(0, 2 * np.pi)
        animal = carved(rng, kind, middle + away * np.array([np.cos(angle), np.sin(angle), 0]), rgb)
        if not any(overlap(animal, other) for other in standing.values()):
            return animal
    return None


def carved(rng: Rng, kind: int, at: Floats, rgb: Floats) -> Solid:
    """Return a wooden animal at `at`, turned at random; `kind` is its number in ANIMALS, `rgb` its colour."""
    width, height = (side * rng.uniform(0.85, 1.2) for side in SIZE)
    outline = np.array(ANIMALS[kind])
    if rng.random() < 0.5:
        outline = (np.array([1.0, 0.0]) + outline * [-1, 1])[::-1]
    faces, normals = prism((outline - [0.5, 0]) * [width, height], THICKNESS * rng.uniform(0.85, 1.2))
    turn = turned(rng.uniform(0, 2 * np.pi))
    return Solid("villager", [face @ turn.T + at for face in faces], normals @ turn.T, at, rgb)


def _stain(rng: Rng) -> Floats:
    rgb = rng.dirichlet(np.full(len(WOOD), 0.4)) @ np.array(WOOD, float)
    return np.asarray(np.clip(rgb * rng.uniform(0.75, 1.25) * rng.uniform(0.93, 1.07, 3), 2, 255))


def _top(piece: Solid) -> Floats:
    return piece.base * [1, 1, 0] + [0, 0, max(float(face[:, 2].max()) for face in piece.faces)]


def _stack(scene: Scene, well: Solid) -> None:
    """Add discs on the grey building `well`, hardly ever right above each other."""
    rng, discs = scene.rng, [well]
    for _ in range(int(rng.integers(*LEVELS)) - 1):
        at = _top(discs[-1]) + np.append(rng.normal(0, 0.015, 2), 0)
        disc = make(rng, "well", at, rng.uniform(0, 3))
        discs.append(replace(disc, rgb=well.rgb * rng.uniform(0.95, 1.05)))
    _on(scene, well, discs[1:])


def _on(scene: Scene, piece: Solid, above: list[Solid]) -> None:
    """Insert the solids `above` right after the piece that they stand on, as `Drawing.stand` expects."""
    at = next(i for i, solid in enumerate(scene.solids) if solid is piece) + 1
    scene.solids[at:at] = above
