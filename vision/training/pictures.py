"""Make pictures of tables with boards, pieces and other things, and photos of them (`phone.py`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.games.tiny_towns import CUBES, LABELS
from vision.training import paint, villagers
from vision.training.drawing import Camera, Rng, camera
from vision.training.phone import Picture, Plate, photographed
from vision.training.pieces import Solid, prism, turned
from vision.training.scene import CARDBOARD, Scene

SIZES = [(1024, 768), (1024, 768), (768, 1024), (960, 720), (800, 800), (1000, 562)]
FILLS = (0.24, 1.05)
ROWS = [(1, 2), (2, 2), (2, 3), (2, 3), (2, 3), (3, 3), (3, 3), (3, 3)]  # of a table full of boards


def picture(
    rng: Rng,
    shelf: paint.Shelf,
    stage: Callable[[Rng, tuple[int, int], Camera, paint.Shelf], Scene] = Scene,
    sizes: Sequence[tuple[int, int]] = SIZES,
    fills: tuple[float, float] = FILLS,
    harsh: bool = True,
) -> Picture:
    """Return one photo of a table, made by `plate` and then taken by `photographed`. `stage` makes the scene from the
    painted pictures in `shelf`, in one of `sizes` (width, height). The first board and its margin fill a share
    within `fills` of the shorter side. Without `harsh`, rare changes are left out."""
    return photographed(rng, plate(rng, shelf, stage, sizes, fills), harsh)


def plate(
    rng: Rng,
    shelf: paint.Shelf,
    stage: Callable[[Rng, tuple[int, int], Camera, paint.Shelf], Scene] = Scene,
    sizes: Sequence[tuple[int, int]] = SIZES,
    fills: tuple[float, float] = FILLS,
    full: float = 0.0,
) -> Plate:
    """Return a picture of a table before hand, lens and phone change it. `stage` makes the scene from the painted
    pictures in `shelf`, in one of `sizes` (width, height). The first board and its margin fill a share within
    `fills` of the shorter side. The share `full` of pictures is full of boards and twice as wide and high."""
    size = sizes[int(rng.integers(len(sizes)))]
    elevation = _elevation(rng)
    fill = float(np.exp(rng.uniform(*np.log(fills))))
    places = _rows(rng) if full and rng.random() < full else []
    across = 5.0
    if places:
        across = 2 * max(abs(v - 2) for x, y, _ in places for v in (x, y)) + 5
        size, fill = (size[0] * 2, size[1] * 2), rng.uniform(0.75, 1.1)
    scene = stage(rng, size, camera(rng, size, fill, elevation, across), shelf)
    scene.table()
    scene.taken += [(x, y, 2.4) for x, y, _ in places] or [(2, 2, 2.4)]
    if places:
        for x, y, yaw in places:
            corner = np.array([x, y]) - (turned(yaw) @ [2.0, 2, 0])[:2]
            _board(scene, (float(corner[0]), float(corner[1])), yaw, main=rng.random() < 0.5)
    elif rng.random() > scene.boardless:
        _board(scene, (0.0, 0.0), 0.0, main=True)
    elif rng.random() < 0.7:
        _other_game(scene, 2, 2)
    _around(scene)
    scene.shadows()
    scene.stand()
    return Plate(scene.canvas, scene.towns, scene.shrink, scene.blur)


def _elevation(rng: Rng) -> float:
    """Return a random angle of the camera above the table, in degrees.

    Low angles are more frequent than in real photos, as pieces hide each other most then.
    """
    kind = rng.random()
    if kind < 0.45:
        return float(rng.uniform(18, 45))
    return float(rng.uniform(45, 82)) if kind < 0.8 else float(90 - abs(rng.normal(0, 8)))


def _rows(rng: Rng) -> list[tuple[float, float, float]]:
    """Return where boards lie in loose rows around (2, 2): x, y and angle of each."""
    rows, columns = ROWS[int(rng.integers(len(ROWS)))][:: int(rng.choice([1, -1]))]
    gap = rng.uniform(0.15, 1.2)
    grid = (np.mgrid[0:rows, 0:columns].reshape(2, -1).T - (np.array([rows, columns]) - 1) / 2) * (4 + gap) + 2
    grid = grid + rng.normal(0, gap / 8, grid.shape)
    yaws = rng.integers(4, size=len(grid)) * np.pi / 2 + rng.normal(0, gap / 12, len(grid))
    return [(float(x), float(y), float(yaw)) for (x, y), yaw in zip(grid, yaws, strict=True)]


def _board(scene: Scene, origin: tuple[float, float], yaw: float, main: bool) -> None:
    rng, before = scene.rng, len(scene.towns)
    spin = scene.board(origin, yaw)
    if len(scene.towns) == before:
        return
    density = 0.0 if rng.random() < 0.06 else rng.uniform(*scene.density)
    standing = scene.build(origin, spin, scene.towns[-1], density)
    if scene.visited and rng.random() < scene.visited:
        villagers.come(scene, origin, spin, scene.towns[-1], standing)
    if main and rng.random() < 0.25:  # spare pieces right beside the board
        for _ in range(int(rng.integers(1, 3))):
            spot = np.array([rng.uniform(-0.4, 4.4), rng.choice([-0.32, 4.32]) + rng.normal(0, 0.1)])
            spot = spot if rng.random() < 0.5 else spot[::-1]
            label = "monument" if rng.random() < 0.5 else str(rng.choice(LABELS[1:]))
            scene.heap(spot[0], spot[1], -CARDBOARD, 1, [label], 0.02)


def _around(scene: Scene) -> None:
    """Add at random a few boards, prints, cards, heaps of pieces, mugs and boxes around board 0, at free spots."""
    rng = scene.rng
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        spot = scene.place(2.5, 4.2, 8.0)
        if spot and scene.towns:
            yaw = rng.uniform(0, 2 * np.pi)
            corner = np.array(spot) - (turned(yaw) @ [2.0, 2, 0])[:2]
            _board(scene, (float(corner[0]), float(corner[1])), yaw, main=False)
    if rng.random() < 0.15 and (spot := scene.place(2.3, 4.2, 8.0)):
        _other_game(scene, *spot)
    scene.cards(int(rng.choice([0, 0, 1, 2, 4, 7])))
    for _ in range(int(rng.choice([0, 1, 1, 2, 4]))):
        if spot := scene.place(0.9, 3.2, 7.5):
            kind = [str(rng.choice(LABELS[1:]))] if rng.random() < 0.7 else list(CUBES)
            scene.heap(*spot, -CARDBOARD, int(rng.integers(1, 13)), kind, rng.uniform(0.2, 0.6))
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        if spot := scene.place(1.2, 3.9, 8.0):
            scene.solids.append(thing(rng, spot))


def thing(rng: Rng, spot: tuple[float, float]) -> Solid:
    """Return something tall that stands at `spot`: a mug, a glass or a box."""
    if rng.random() < 0.6:
        angles = 2 * np.pi * np.arange(28) / 28
        ring, high = np.column_stack([np.cos(angles), np.sin(angles)]) * rng.uniform(0.4, 1.1), rng.uniform(0.3, 2.4)
    else:
        wide, deep, high = rng.uniform(0.3, 1.2), rng.uniform(0.2, 1.0), rng.uniform(0.1, 1.5)
        ring = np.array([(-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep)])
    faces, normals = prism(ring, high)
    up = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float)
    spin = turned(rng.uniform(0, 2 * np.pi))
    base = np.array([*spot, -CARDBOARD])
    tone = paint.colour(rng, (0, 180), (0, 200), (30, 245))
    return Solid(
        "thing", [(f @ up.T + [0, 0, high / 2]) @ spin.T + base for f in faces], normals @ up.T @ spin.T, base, tone
    )


def _other_game(scene: Scene, x: float, y: float) -> None:
    """Lay a square or oblong print that is not our board, with its middle at `x`, `y`."""
    rng = scene.rng
    texture = scene.pick("table") if rng.random() < 0.7 else scene.pick("card")
    unit = rng.uniform(2.5, 5) / texture.shape[0]
    spin = turned(rng.uniform(0, 2 * np.pi)) * unit
    middle = spin[:, :2] @ (np.array(texture.shape[1::-1]) / 2)
    scene.lay(texture, np.column_stack([spin[:, 0], spin[:, 1], np.array([x, y, -CARDBOARD + 0.02]) - middle]))
