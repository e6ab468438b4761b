"""Render the tables of `scene.py` in realistic light with Blender's Cycles (Debian's package `blender`).

Blender runs as a separate process and gets one scene after another; its renderings replace the drawings. It adds
indirect light, soft edges and gloss.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from vision.training import cloths, crowd, paint
from vision.training.drawing import Camera, Rng
from vision.training.phone import Picture, Plate
from vision.training.pictures import plate
from vision.training.pieces import Floats, Image, Solid
from vision.training.scene import CARDBOARD, Scene

SCRIPT = Path(__file__).parent / "blender_scene.py"
CROWDED = [(720, 540), (540, 720), (640, 640)]
LARGE = [(960, 720), (720, 960), (832, 832)]  # so that pieces are recognisable on most of several boards
SEVERAL = 2
SIZES = [(416, 416), (480, 360), (360, 480)]  # every pixel costs, so the board fills the picture
FILLS = (0.5, 1.2)
FULL = 0.85  # share of the tables full of boards: what a picture costs is then shared by many
TABLE = 60.0  # squares to either side
FINISHES = ["matte", "satin", "satin", "gloss"]


class Renders(Protocol):
    """Describe a class that renders scenes given as JSON, such as `Studio`."""

    def texture(self, image: Image) -> str: ...

    def render(self, scene: dict[str, Any]) -> Image: ...


class Studio:
    """Run a Blender that waits for scenes; use it in a `with`."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.textures: dict[int, tuple[Image, str]] = {}  # the image too, so that its id stays its own

    def __enter__(self) -> Studio:
        command = ["blender", "--background", "--factory-startup", "--threads", "1", "--python", str(SCRIPT)]
        self.process = subprocess.Popen(  # noqa: S603  nothing of the command comes from outside
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        self.folder.cleanup()

    def texture(self, image: Image) -> str:
        """Return the path of a file with the image, for Blender; each image is written once."""
        if id(image) not in self.textures:
            path = str(Path(self.folder.name) / f"{len(self.textures)}.png")
            cv2.imwrite(path, image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            self.textures[id(image)] = image, path
        return self.textures[id(image)][1]

    def render(self, scene: dict[str, Any]) -> Image:
        assert self.process.stdin
        assert self.process.stdout
        folder = Path(self.folder.name)
        (folder / "scene.json").write_text(json.dumps({**scene, "out": str(folder / "out.png")}))
        self.process.stdin.write(f"{folder / 'scene.json'}\n")
        self.process.stdin.flush()
        while (line := self.process.stdout.readline()) != "rendered\n":
            if not line:
                raise RuntimeError("Blender stopped; start it by hand on the scene to see why")
        return np.asarray(cv2.imread(str(folder / "out.png")), np.uint8)

    def plate(self, rng: Rng, shelf: paint.Shelf) -> Plate:
        return plate(rng, shelf, partial(Staged, self), SIZES, FILLS, FULL)

    def crowded_plate(self, rng: Rng, shelf: paint.Shelf) -> Plate:
        return crowd.plate(rng, shelf, partial(StagedCrowd, self), LARGE, SEVERAL)

    def crowd(self, rng: Rng, shelf: paint.Shelf, look: str = "") -> Picture:
        """Return a photo of a crowded table; `look` may name one of `cloths.UNLEARNED` for its table top."""
        stage = partial(Unlearned, look, self) if look else partial(StagedCrowd, self)
        return crowd.crowd(rng, shelf, stage, CROWDED)


class Staged(Scene):
    """Describe a scene for Blender instead of drawing it."""

    shrink = 0.65
    blur = 0.6
    boardless = 0.0
    density = (0.5, 1.0)
    visited = 0.3

    def __init__(self, studio: Renders, rng: Rng, size: tuple[int, int], lens: Camera, shelf: paint.Shelf) -> None:
        super().__init__(rng, size, lens, shelf)
        self.studio = studio
        self.strength = float(np.clip(np.exp(rng.normal(0, 0.3)), 0.4, 1.7))  # of all light together
        self.sheets: list[dict[str, Any]] = []
        self.paints = str(rng.choice(FINISHES))  # of all wooden pieces, more or less

    def lay(self, texture: Image, plane: Floats, wrap: bool = False) -> None:
        high, wide = texture.shape[:2]
        if wrap:
            across = np.linalg.inv(plane[:2, :2])
            ends = np.array([(-TABLE, -TABLE), (TABLE, -TABLE), (TABLE, TABLE), (-TABLE, TABLE)])
            pixels = (ends - plane[:2, 2]) @ across.T
        else:
            pixels = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float)
        corners = np.column_stack([pixels, np.ones(4)]) @ plane.T
        uv = np.column_stack([pixels[:, 0] / wide, 1 - pixels[:, 1] / high])
        self.sheets.append(
            {
                "texture": self.studio.texture(texture),
                "corners": corners.tolist(),
                "uv": uv.tolist(),
                **self._finish(str(self.rng.choice(FINISHES))),
            }
        )

    def board(self, origin: Sequence[float], yaw: float) -> Floats:
        before = len(self.towns)
        spin = super().board(origin, yaw)
        if len(self.towns) > before:
            self.solids.append(self._card(origin, spin))
        return spin

    def _card(self, origin: Sequence[float], spin: Floats) -> Solid:
        """Return a board's cardboard as a solid, just below its print. The board's first corner is at `origin`; `spin`
        is its rotation."""
        rim = np.array([(0, 0), (4, 0), (4, 4), (0, 4)], float)
        faces = []
        for i in range(4):
            a, b = rim[i], rim[(i + 1) % 4]
            faces.append(np.array([(*a, -CARDBOARD), (*b, -CARDBOARD), (*b, -0.004), (*a, -0.004)]))
        faces += [np.column_stack([rim, np.full(4, z)])[::step] for z, step in ((-0.004, 1), (-CARDBOARD, -1))]
        base = np.append(origin, 0)
        tone = self.rng.uniform(15, 200) * self.rng.uniform(0.85, 1.0, 3)
        return Solid("card", [face @ spin.T + base for face in faces], np.zeros((6, 3)), base, tone)

    def shadows(self) -> None:
        """Do nothing, since the path tracer makes shadows."""

    def stand(self) -> None:
        rng = self.rng
        matrix, (wide, high) = self.camera.matrix[:, :3], self.size
        across = matrix[0] - wide / 2 * matrix[2]
        down = matrix[1] - high / 2 * matrix[2]
        focal = float(np.linalg.norm(across))
        self.canvas = self.studio.render(
            {
                "size": self.size,
                "lens": focal / wide,
                "axes": [(across / focal).tolist(), (-down / focal).tolist(), (-matrix[2]).tolist()],
                "eye": self.camera.eye.tolist(),
                "sheets": self.sheets,
                "solids": [self._wood(solid) for solid in self.solids if self._near(solid)],
                "room": self.studio.texture(self.pick("room")) if rng.random() < 0.6 else None,
                "ambient": self.light.ambient * self.strength,
                "tint": (0.8 * np.array(_hue(rng))).tolist(),
                "lamps": self._lamps(),
                "seed": int(rng.integers(1 << 30)),
            }
        )

    def _near(self, solid: Solid) -> bool:
        """Return whether the solid is in the picture or throws its shadow there."""
        if self.camera.depth(solid.base[None])[0] < 1:
            return False
        seen = self.camera.see(solid.base[None])[0] / self.size
        return solid.label == "card" or bool((seen > -0.4).all() and (seen < 1.4).all())

    def _wood(self, solid: Solid) -> dict[str, Any]:
        rng = self.rng
        return {
            "faces": [face.tolist() for face in solid.faces],
            "rgb": (np.clip(solid.rgb, 0, 255) / 255).tolist(),
            **self._finish(self.paints if rng.random() < 0.8 else str(rng.choice(FINISHES))),
            "bevel": 0.0 if solid.label in ("thing", "card") else rng.uniform(0.004, 0.035),
        }

    def _finish(self, kind: str) -> dict[str, float]:
        """Return random values for how a surface of this kind (matte, satin or gloss) reflects light. The keys are
        "rough", "gloss", "coat", "linen" and "fine", as the Blender scene expects them."""
        rng = self.rng
        rough, gloss, coat = {
            "matte": ((0.65, 1.0), (0.02, 0.35), 0.0),
            "satin": ((0.3, 0.7), (0.2, 0.6), 0.2),
            "gloss": ((0.08, 0.35), (0.4, 0.9), 0.7),
        }[kind]
        return {
            "rough": rng.uniform(*rough),
            "gloss": rng.uniform(*gloss),
            "coat": rng.uniform(0, 1) if rng.random() < coat else 0.0,
            "linen": rng.uniform(0.03, 0.3) if rng.random() < 0.4 else 0.0,
            "fine": float(np.exp(rng.uniform(np.log(4), np.log(40)))),
        }

    def _lamps(self) -> list[dict[str, Any]]:
        """Return one to three lamps, brightest first, each with its place, size, power and colour."""
        rng, lamps = self.rng, []
        share = self.light.direct * self.strength
        for _ in range(int(rng.choice([1, 1, 2, 3]))):
            height, angle = np.radians(rng.uniform(15, 88)), rng.uniform(0, 2 * np.pi)
            towards = [np.cos(angle) * np.cos(height), np.sin(angle) * np.cos(height), np.sin(height)]
            lamps.append(
                {
                    "at": (np.array([2, 2, 0]) + np.array(towards) * 14).tolist(),
                    "size": float(np.exp(rng.uniform(np.log(0.4), np.log(9)))),
                    "power": share,
                    "rgb": _hue(rng),
                }
            )
            share *= rng.uniform(0.2, 0.8)
        return lamps


class StagedCrowd(crowd.Crowd, Staged):
    """Describe a crowded table for Blender instead of drawing it."""

    shrink = 0.8
    density = Staged.density

    def __init__(self, studio: Renders, rng: Rng, size: tuple[int, int], lens: Camera, shelf: paint.Shelf) -> None:
        Staged.__init__(self, studio, rng, size, lens, shelf)
        self.prepare()


class Unlearned(StagedCrowd):
    """Build a crowded table with a table top and a shade that no network learned from; `look` names both."""

    def __init__(
        self, look: str, studio: Renders, rng: Rng, size: tuple[int, int], lens: Camera, shelf: paint.Shelf
    ) -> None:
        self.kinds, self.cast = cloths.UNLEARNED[look], crowd.SHADES[look]
        super().__init__(studio, rng, size, lens, shelf)

    def shade(self, image: Image) -> Image:
        return self.cast(self.rng, image)


def _hue(rng: Rng) -> list[float]:
    """Return a random colour of a lamp in red, green, blue, with a mean of about 1.

    Most are between candle and overcast sky.
    """
    kind = rng.random()
    if kind < 0.85:
        warm = rng.uniform(-1, 0.6)  # log of blue over red
        rgb = np.exp(np.array([-0.5, 0.0, 0.5]) * warm * rng.choice([0.4, 1.0]))
        rgb[1] *= np.exp(rng.normal(0.02, 0.05))
    else:
        rgb = 1 - rng.uniform(0.1, 0.6) * rng.dirichlet([0.6, 0.6, 0.6])
    return list(map(float, np.clip(rgb / rgb.mean(), 0.2, 1.8)))
