"""The geometry of one board: the camera behind it, the upright, the patches."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.conftest import drawn
from vision import rectify
from vision.games.tiny_towns import DAYLIGHT, SHAPE
from vision.rectify import Floats
from vision.training.drawing import Camera, camera

SIZE = (1024, 768)
BOARD = np.array([(0, 0, 0), (0, 4, 0), (4, 4, 0), (4, 0, 0)], float)  # clockwise in the picture


def seen_from(elevation: float, seed: int = 0) -> tuple[Camera, Floats]:
    lens = camera(np.random.default_rng(seed), SIZE, 0.6, elevation)
    return lens, lens.see(BOARD)


@pytest.mark.parametrize("elevation", [20, 35, 50, 65])
def test_the_elevation_of_the_camera_follows_from_four_corners(elevation: float) -> None:
    for seed in range(5):
        _, corners = seen_from(elevation, seed)
        assert rectify.view_of(corners, SIZE, SHAPE).elevation == pytest.approx(elevation, abs=7)


@pytest.mark.parametrize("elevation", [25, 45, 70, 88])
def test_what_stands_upright_on_the_board_points_where_the_camera_saw_it(elevation: float) -> None:
    for seed in range(5):
        lens, corners = seen_from(elevation, seed)
        view = rectify.view_of(corners, SIZE, SHAPE)
        foot, top = np.array([[1.5, 2.5, 0.0]]), np.array([[1.5, 2.5, 0.5]])
        seen = lens.see(np.array([[2.5, 1.5, 0.5]])) - lens.see(np.array([[2.5, 1.5, 0.0]]))  # board x is the world's y
        ours = rectify.project(view.camera, top) - rectify.project(view.camera, foot)
        square = np.linalg.norm(corners[1] - corners[0]) / 4
        assert np.linalg.norm(seen - ours) < 0.12 * square


def test_the_outline_of_a_square_lies_around_the_middle_of_its_patch() -> None:
    _, corners = seen_from(50)
    view = rectify.view_of(corners, SIZE, SHAPE)
    for row in range(4):
        for column in range(4):
            outline = rectify.outline_of(view, row, column, rectify.patch_frame(view, row, column))
            assert np.all(np.abs(outline.mean(axis=0) - rectify.PATCH / 2) < rectify.PATCH * 0.25)
            assert outline.mean(axis=0)[1] > rectify.PATCH / 2 - 1  # the base is below what stands on it


def test_patches_have_four_channels_and_the_outline_is_the_fourth() -> None:
    taken = drawn(1)
    stack = rectify.patches(taken.image, taken.towns[0].corners, SHAPE, DAYLIGHT)
    assert stack.shape == (16, rectify.PATCH, rectify.PATCH, 4)
    oblong = rectify.patches(taken.image, taken.towns[0].corners, rectify.Shape(3, 5), DAYLIGHT)
    assert len(oblong) == len(rectify.dazzled(taken.image, taken.towns[0].corners, rectify.Shape(3, 5))) == 15
    assert all(0.03 < (patch[..., 3] > 127).mean() < 0.6 for patch in stack)


def test_light_of_any_colour_gives_the_same_patches() -> None:
    taken = drawn(1)
    corners = taken.towns[0].corners
    dim = np.clip(taken.image * [0.8, 0.7, 0.6], 0, 255).astype(np.uint8)
    plain, seen = (rectify.patches(image, corners, SHAPE, DAYLIGHT) for image in (taken.image, dim))
    assert np.abs(plain.astype(int) - seen.astype(int)).mean() < 6


def test_a_flattened_board_fills_the_square() -> None:
    corners = np.array([(100, 50), (300, 80), (320, 260), (90, 240)], float)
    picture = np.zeros((300, 400, 3), np.uint8)
    import cv2

    cv2.fillConvexPoly(picture, corners.astype(np.int32), (255, 255, 255))
    assert rectify.flattened(picture, corners, (64, 64)).mean() > 245
    assert rectify.flattened(picture, corners, (64, 64), margin=0.5).mean() == pytest.approx(255 / 4, abs=12)


@pytest.mark.parametrize("elevation", [20, 45, 88])
def test_a_square_seen_by_a_lens_is_not_skewed(elevation: float) -> None:
    for seed in range(5):
        assert rectify.skew(seen_from(elevation, seed)[1], SIZE, SHAPE) < 0.12


def test_an_oblong_seen_from_above_is_skewed() -> None:
    for seed in range(5):
        assert rectify.skew(seen_from(88, seed)[0].see(BOARD * [1, 1.5, 1]), SIZE, SHAPE) > 0.3


def test_a_kite_is_no_square_seen_by_any_lens() -> None:
    assert rectify.skew(np.array([(300, 300), (500, 200), (900, 640), (280, 600)], float), SIZE, SHAPE) > 0.3
