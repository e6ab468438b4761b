"""Define the wooden pieces as solids: outlines drawn for this project, extruded, standing or lying on a board.

Lengths are in squares (a quarter of the board's side), x along the piece, y through its thickness, z up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.games.tiny_towns import CUBES

Floats = NDArray[np.float64]
Image = NDArray[Any]

# Outlines as seen from the front, each in a box of width 1 and height 1 from the bottom left.
OUTLINES: dict[str, list[tuple[float, float]]] = {
    "cottage": [
        (0.02, 0), (0.25, 0), (0.25, 0.28), (0.43, 0.28), (0.43, 0), (0.98, 0), (0.95, 0.08), (0.94, 0.55), (1.0, 0.6),
        (0.93, 0.68), (0.93, 0.98), (0.7, 0.98), (0.7, 0.84), (0.52, 1.0), (0.06, 0.64), (0.07, 0.1),
    ],
    "farm": [
        (0, 0), (0.97, 0), (0.97, 0.29), (1.0, 0.32), (0.94, 0.64), (0.67, 0.84), (0.4, 0.64), (0.34, 0.33),
        (0.26, 0.31), (0.26, 0.86), (0.22, 0.96), (0.13, 1.0), (0.04, 0.96), (0, 0.86),
    ],
    "chapel": [
        (0.02, 0), (0.2, 0), (0.2, 0.15), (0.27, 0.15), (0.27, 0), (1, 0), (1, 0.17), (0.93, 0.3), (0.92, 0.36),
        (0.81, 0.44), (0.6, 0.44), (0.51, 0.52), (0.42, 0.44), (0.15, 0.44), (0.14, 0.68), (0.085, 1.0), (0.045, 0.7),
        (0.03, 0.36),
    ],
    "tavern": [
        (0.05, 0), (0.24, 0), (0.24, 0.18), (0.38, 0.18), (0.38, 0), (0.55, 0), (0.55, 0.18), (0.69, 0.18), (0.69, 0),
        (0.96, 0), (0.94, 0.26), (1.0, 0.34), (0.66, 0.68), (0.59, 0.76), (0.59, 0.97), (0.49, 0.97), (0.48, 0.88),
        (0.38, 1.0), (0.22, 0.74), (0.02, 0.52), (0.0, 0.4), (0.05, 0.28),
    ],
    "theater": [
        (0, 0), (0.24, 0), (0.25, 0.15), (0.33, 0.21), (0.4, 0.15), (0.41, 0), (1, 0), (1, 0.17), (0.96, 0.21),
        (0.96, 0.52), (1.0, 0.57), (0.93, 0.7), (0.92, 0.8), (0.85, 0.84), (0.75, 1.0), (0.54, 0.67), (0.52, 0.74),
        (0.18, 0.74), (0.09, 0.28), (0, 0.25),
    ],
    "factory": [
        (0, 0), (0.26, 0), (0.27, 0.23), (0.36, 0.23), (0.36, 0), (0.63, 0), (0.63, 0.15), (0.68, 0.15), (0.68, 0),
        (0.88, 0), (0.88, 0.15), (0.92, 0.15), (0.92, 0), (1, 0), (1, 0.58), (0.96, 0.62), (0.85, 0.82), (0.73, 0.64),
        (0.61, 0.83), (0.49, 0.84), (0.37, 1.0), (0.25, 0.81), (0.12, 1.0), (0, 0.79),
    ],
    "monument": [
        (0, 0), (0.42, 0), (0.42, 0.11), (0.58, 0.11), (0.58, 0), (1, 0), (1, 0.06), (0.94, 0.06), (0.87, 0.85),
        (0.96, 0.9), (0.96, 1.0), (0.82, 1.0), (0.82, 0.95), (0.7, 0.95), (0.7, 1.0), (0.56, 1.0), (0.56, 0.95),
        (0.44, 0.95), (0.44, 1.0), (0.3, 1.0), (0.3, 0.95), (0.18, 0.95), (0.18, 1.0), (0.04, 1.0), (0.04, 0.9),
        (0.13, 0.85), (0.06, 0.06), (0, 0.06),
    ],
}  # fmt: skip
# Width and height; every building is one thickness.
SIZES = {"cottage": (0.46, 0.37), "farm": (0.58, 0.5), "chapel": (0.73, 0.58), "tavern": (0.42, 0.5),
         "theater": (0.63, 0.5), "factory": (0.84, 0.53), "monument": (0.32, 0.66)}  # fmt: skip
THICKNESS = 0.29
CUBE = 0.31
WELL = (0.38, 0.15)  # across and high

# Paint in daylight and as some lights and cameras show it (RGB). Pieces of one family share theirs, although the paints
# differ a little: in a photo nobody can count on that, and a reader that does overlooks the shape.
BLUE = [(0, 128, 176), (25, 75, 175), (0, 105, 165), (40, 130, 175)]
RED = [(196, 48, 38), (215, 28, 25), (222, 48, 32)]
GREY = [(178, 190, 195), (160, 160, 185), (175, 175, 165), (150, 155, 140), (135, 140, 128)]
YELLOW = [(252, 196, 40), (245, 165, 25), (243, 190, 60), (240, 160, 30)]
PAINT = {
    "cottage": BLUE,
    "farm": RED,
    "well": GREY,
    "chapel": [(246, 132, 40), (240, 100, 25)],
    "tavern": [(10, 88, 62), (14, 48, 42), (25, 70, 50), (8, 30, 26), (22, 46, 30)],
    "theater": YELLOW,
    "factory": [(26, 30, 40), (38, 34, 42), (18, 40, 56), (13, 14, 18), (48, 50, 56)],
    "monument": [(172, 66, 140), (140, 28, 150), (150, 50, 95)],
    "cube_wood": [(76, 50, 42), (62, 38, 28), (66, 52, 50), (98, 66, 50), (44, 29, 25)],
    "cube_wheat": YELLOW,
    "cube_brick": RED,
    "cube_glass": BLUE,
    "cube_stone": GREY,
}


@dataclass(frozen=True, slots=True)
class Solid:
    """Hold a solid in the world: its faces and their outward normals; the two ends come last."""

    label: str
    faces: list[Floats]
    normals: Floats
    base: Floats  # the centre of its base
    rgb: Floats


def prism(outline: Floats, thickness: float) -> tuple[list[Floats], Floats]:
    """Return the faces and normals of a solid whose front and back have this outline.

    The outline has x and z, anticlockwise seen from the front; y goes from -`thickness`/2 to `thickness`/2.
    """
    n = len(outline)
    after = np.roll(outline, -1, axis=0)
    front = np.column_stack([outline[:, 0], np.full(n, -thickness / 2), outline[:, 1]])
    back = front + np.array([0, thickness, 0])
    sides = [np.array([front[i], front[(i + 1) % n], back[(i + 1) % n], back[i]]) for i in range(n)]
    along = after - outline
    normals = np.column_stack([along[:, 1], np.zeros(n), -along[:, 0]])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9
    caps = np.array([[0, -1, 0], [0, 1, 0]], float)
    return [*sides, front, back[::-1]], np.vstack([normals, caps])


def turned(yaw: float) -> Floats:
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def paint(rng: np.random.Generator, label: str) -> Floats:
    """Return a random red, green, blue colour like those of pieces with this label in photos."""
    known = np.array(PAINT[label], float)
    weights = rng.dirichlet(np.full(len(known), 0.7))
    rgb = weights @ known
    grey = rgb.mean()
    rgb = grey + (rgb - grey) * rng.uniform(0.75, 1.15)
    rgb = np.clip(rgb * rng.uniform(0.82, 1.15) * rng.uniform(0.93, 1.07, 3) + rng.uniform(-4, 8), 2, 255)
    return np.asarray(rgb)


def make(
    rng: np.random.Generator, label: str, at: Sequence[float], yaw: float, lying: bool = False, scale: float = 1.0
) -> Solid:
    """Return the wooden piece with this label, turned by `yaw` radians about the upright axis. The middle of its base
    is at `at`. With `lying` it lies on its side; `scale` is its size, 1 for the usual one."""
    wobble = scale * rng.uniform(0.97, 1.03)
    if label in CUBES:
        half = CUBE * wobble * rng.uniform(0.87, 1.1) / 2
        outline = np.array([(-half, 0), (half, 0), (half, 2 * half), (-half, 2 * half)])
        faces, normals = prism(outline, 2 * half)
    elif label == "well":
        across, high = WELL[0] * wobble * rng.uniform(0.93, 1.12) / 2, WELL[1] * wobble * rng.uniform(0.8, 2.1)
        sides = 10 if rng.random() < 0.7 else 24
        angles = 2 * np.pi * np.arange(sides) / sides
        faces, normals = prism(np.column_stack([np.cos(angles), np.sin(angles)]) * across, high)
        faces, normals = _tipped(faces, normals, lift=high / 2)
    else:
        width, height = (side * wobble * rng.uniform(0.8, 1.12) for side in SIZES[label])
        outline = np.array(OUTLINES[label])
        if rng.random() < 0.5:  # both ways round, since one sees it from behind as well
            outline = (np.array([1.0, 0.0]) + outline * [-1, 1])[::-1]
        thick = THICKNESS * wobble * rng.uniform(0.87, 1.17)
        faces, normals = prism((outline - [0.5, 0]) * [width, height], thick)
        if lying:
            faces, normals = _tipped([f - [0, 0, height / 2] for f in faces], normals, lift=thick / 2)
    spin, base = turned(yaw), np.asarray(at, float)
    return Solid(label, [f @ spin.T + base for f in faces], normals @ spin.T, base, paint(rng, label))


def leaned(solid: Solid, towards: Floats, angle: float) -> Solid:
    """Return the piece tilted by `angle` (in radians) in the direction `towards`, over its lowest edge on that side.
    `towards` is x and y, of length 1."""
    ahead = np.append(towards, 0)
    edge = solid.base * [0, 0, 1] + ahead * max(float((face @ ahead).max()) for face in solid.faces)
    c, s = np.cos(angle), np.sin(angle)
    up = np.array([0, 0, 1.0])
    across = np.cross(up, ahead)
    over = np.outer(across, across) + c * (np.outer(ahead, ahead) + np.outer(up, up))
    over += s * (np.outer(ahead, up) - np.outer(up, ahead))
    faces = [(face - edge) @ over.T + edge for face in solid.faces]
    lift = solid.base[2] - min(float(face[:, 2].min()) for face in faces)  # a roof may reach farther than the foot
    faces = [face + np.array([0, 0, lift]) for face in faces]
    return Solid(solid.label, faces, solid.normals @ over.T, solid.base, solid.rgb)


def _tipped(faces: list[Floats], normals: Floats, lift: float) -> tuple[list[Floats], Floats]:
    """Return the faces and normals of a piece laid on its back, raised by `lift`."""
    over = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float)
    return [f @ over.T + [0, 0, lift] for f in faces], normals @ over.T
