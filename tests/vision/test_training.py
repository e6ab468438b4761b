"""The pictures that the networks learn from: the same for the same seed, and true."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.conftest import PHOTOS, drawn
from vision import locate, rectify
from vision.games.tiny_towns import LABELS
from vision.training import dataset, paint, pieces
from vision.training.drawing import camera
from vision.training.pictures import picture
from vision.training.pieces import Floats, Image
from vision.training.scene import CARDBOARD
from vision.training.studio import Staged

MODELS = Path(rectify.__file__).parent / "model"


def test_the_same_seed_draws_the_same_picture() -> None:
    shelf = paint.shelf(3, 2, 2)
    one, two = (picture(np.random.default_rng(11), shelf) for _ in range(2))
    assert np.array_equal(one.image, two.image)
    assert [t.grid for t in one.towns] == [t.grid for t in two.towns]


@pytest.mark.parametrize("label", LABELS[1:])
@pytest.mark.parametrize("lying", [False, True])
def test_every_face_of_a_piece_looks_outwards_and_it_stands_on_the_ground(label: str, lying: bool) -> None:
    solid = pieces.make(np.random.default_rng(1), label, (0, 0, 0), 0.4, lying and not label.startswith("cube"))
    low = min(face[:, 2].min() for face in solid.faces)
    assert low == pytest.approx(0, abs=1e-6)
    volume = 0.0
    for face, normal in zip(solid.faces, solid.normals, strict=True):
        around = np.cross(face[1:-1] - face[0], face[2:] - face[0]).sum(axis=0) / 2
        assert np.linalg.norm(normal) == pytest.approx(1, abs=1e-3)
        volume += abs(around @ normal) * (face[0] @ normal) / 3
    assert 0.005 < volume < 0.2  # cubic squares: only a closed surface that faces outwards gives its volume


def test_the_camera_sees_the_board_clockwise() -> None:
    lens = camera(np.random.default_rng(2), (800, 600), 0.6, 40)
    corners = lens.see(np.array([(0, 0, 0), (0, 4, 0), (4, 4, 0), (4, 0, 0)], float))
    assert cv2.contourArea(corners.astype(np.float32), True) > 0


class Desk:
    """Takes down what would be rendered."""

    def __init__(self) -> None:
        self.scene: dict[str, Any] = {}

    def texture(self, image: Image) -> str:
        return f"{image.shape[1]} x {image.shape[0]}"

    def render(self, scene: dict[str, Any]) -> Image:
        self.scene = scene
        return np.zeros((*scene["size"][::-1], 3), np.uint8)


def as_blender_sees(scene: dict[str, Any], points: Floats) -> Floats:
    """Its camera looks along its own -z, y up; the lens is given in widths of the picture."""
    seen = (points - scene["eye"]) @ np.array(scene["axes"]).T
    wide, high = scene["size"]
    flat = seen[:, :2] / -seen[:, 2:] * scene["lens"] * wide
    placed: Floats = flat * [1, -1] + [wide / 2, high / 2]
    return placed


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_blender_is_told_of_the_scene_that_the_truth_speaks_of(seed: int) -> None:
    desk, rng = Desk(), np.random.default_rng(seed)
    size = (400, 300)
    stage = Staged(desk, rng, size, camera(rng, size, 0.8, 50), paint.shelf(3, 2, 2))
    stage.table()
    spin = stage.board((0.0, 0.0), 0.0)
    stage.build((0.0, 0.0), spin, stage.towns[0], 1.0)
    stage.shadows()
    stage.stand()
    ground, board = desk.scene["sheets"]
    corners = np.array(board["corners"])
    clockwise = as_blender_sees(desk.scene, corners[[0, 3, 2, 1]])
    assert clockwise == pytest.approx(stage.towns[0].corners, abs=0.01)
    assert board["uv"] == [[0, 1], [1, 1], [1, 0], [0, 0]]
    assert all(z == pytest.approx(CARDBOARD * -1) for *_, z in ground["corners"])
    assert len(desk.scene["solids"]) == 1 + 16 + sum(map(len, stage.towns[0].on_top.values()))
    for solid in desk.scene["solids"][1:]:
        points = np.array([point for face in solid["faces"] for point in face])
        assert as_blender_sees(desk.scene, points) == pytest.approx(stage.camera.see(points), abs=0.01)


def test_material_for_training_has_the_shapes_the_networks_take() -> None:
    into: dict[str, list[Any]] = {kind: [] for kind in dataset.KINDS}
    rng = np.random.default_rng(4)
    for seed in (1, 2, 3):
        dataset.cut(rng, drawn(seed), into)
    assert all(look.shape == (locate.WIDE, locate.WIDE, 3) for look in into["whole"])
    assert all(look.shape == (locate.CLOSE, locate.CLOSE, 3) for look in into["close"])
    assert len(into["patches"]) == len(into["labels"]) == len(into["tops"]) > 0
    assert all(patch.shape == (rectify.PATCH, rectify.PATCH, 4) for patch in into["patches"])


def test_the_networks_are_small() -> None:
    assert sum(file.stat().st_size for file in MODELS.glob("*.onnx")) < 5_000_000


def test_photos_are_made_with_a_truth_that_can_be_evaluated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["photos", str(tmp_path), "--count", "2", "--seed", "5"])
    runpy.run_module("vision.training.photos", run_name="__main__")
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert sorted(truth) == ["00.jpg", "01.jpg"]
    assert set(json.loads((PHOTOS / "truth.json").read_text())["00.jpg"]) == set(truth["00.jpg"])
