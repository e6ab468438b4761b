"""From the network's numbers to labels."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.conftest import drawn
from vision import classify, rectify
from vision.games.tiny_towns import CUBES, LABELS, PIECES, SHAPE
from vision.rectify import Floats, Image
from vision.training import calibrate


def test_shares_add_up_to_one_and_the_surest_stays_so() -> None:
    shares = classify.shares(np.array([[1.0, 4.0, 2.0], [900.0, -900.0, 0.0]]))
    assert shares.sum(axis=1) == pytest.approx([1, 1])
    assert list(shares.argmax(axis=1)) == [1, 0]


def test_confidence_grows_with_the_share_and_is_one_at_no_share() -> None:
    sure = classify.confidences(np.array([0.0, 0.2, 0.5, 0.8, 0.99, 1.0])).tolist()
    assert sure == sorted(sure)
    assert 0 <= sure[0] < sure[-1] <= 1


def test_a_square_is_less_sure_on_a_board_that_is_hard_to_read() -> None:
    clear, hard = (classify.confidences(np.array([0.95, *[others] * 15]))[0] for others in (0.99, 0.6))
    assert clear > hard + 0.01


def test_the_fit_finds_the_line_that_answers_were_drawn_from() -> None:
    """Answers right as often as slope 1.5, 0.4 for the board and offset -0.5 say, told at odds as they are."""
    rng = np.random.default_rng(1)
    rows = np.column_stack([rng.normal(1.0, 2.0, 20_000), rng.normal(1.0, 1.0, 20_000), np.ones(20_000)])
    right = rng.random(len(rows)) < 1 / (1 + np.exp(-rows @ [1.5, 0.4, -0.5]))
    assert calibrate.fit(rows, right) == pytest.approx((1.5, 0.4, -0.5), abs=0.08)


@pytest.mark.parametrize("least", [0.9, 0.9999])
def test_a_board_is_seen_mirrored_too_unless_every_square_is_clear(
    least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_it_is, mirrored = np.zeros((16, 34)), np.full((16, 34), 3.0)
    as_it_is[:, 0] = 20.0
    as_it_is[5, 0] = np.log(least / (1 - least) * 13)  # against thirteen labels at 0: this share

    def seen(stack: Image, model: Path) -> Image:
        assert (len(stack), model.stem) == (16, "squares")
        return stack

    def compared(stack: Image, model: Path) -> Floats:
        assert model.stem == "board"
        return mirrored if stack[0, 0, -1, 0] else as_it_is  # what was on the left is on the right

    monkeypatch.setattr(classify, "seen", seen)
    monkeypatch.setattr(classify, "compared", compared)
    stack = np.zeros((16, rectify.PATCH, rectify.PATCH, 4), np.uint8)
    stack[:, :, 0] = 1
    is_clear = least >= classify.LIMITS.clear
    assert is_clear is (least > 0.99)
    assert np.allclose(classify.answers(stack, PIECES), as_it_is if is_clear else (as_it_is + mirrored) / 2)


def test_a_square_that_dazzled_the_camera_is_in_doubt() -> None:
    """A lamp mirrored on the board leaves white where something may stand; the squares beside it say what they said."""
    taken = drawn(1)
    corners = taken.towns[0].corners
    before = [square for row in classify.classify(taken.image, corners, PIECES) for square in row]
    sure = [i for i, square in enumerate(before) if not square.is_doubtful]
    outline = rectify.plane_of(corners, SHAPE) @ np.array([(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]).T
    assert 0 in sure and 15 in sure
    white = taken.image.copy()
    cv2.fillConvexPoly(white, np.round(outline[:2] / outline[2]).T.astype(np.int32), (255, 255, 255))
    after = [square for row in classify.classify(white, corners, PIECES) for square in row]
    assert after[0].is_doubtful
    assert not after[15].is_doubtful


def chances(**counts: int) -> np.ndarray:
    """Certain numbers of cubes of each colour."""
    out = np.zeros((5, 4))
    for i, name in enumerate(("wood", "wheat", "brick", "glass", "stone")):
        out[i, counts.get(name, 0)] = 1
    return out


@pytest.mark.parametrize(
    ("counts", "cubes"),
    [
        ({}, ()),
        ({"stone": 1}, ("cube_stone",)),
        ({"wood": 2}, ("cube_wood", "cube_wood")),
        ({"wheat": 1, "glass": 1}, ("cube_glass", "cube_wheat")),
        ({"brick": 3, "stone": 1}, ("cube_brick", "cube_brick", "cube_brick")),
    ],
)
def test_cubes_on_top_are_counted_up_to_three(counts: dict[str, int], cubes: tuple[str, ...]) -> None:
    assert tuple(sorted(classify._cubes(chances(**counts), CUBES))) == cubes


def test_a_grid_has_sixteen_squares_with_confidence_and_runners_up() -> None:
    taken = drawn(1)
    grid = classify.classify(taken.image, taken.towns[0].corners, PIECES)
    squares = [square for row in grid for square in row]
    assert len(squares) == 16
    for square in squares:
        assert square.label in LABELS and 0 <= square.confidence <= 1
        assert all(share > 0 for _, share in square.alternatives)
        assert square.confidence + sum(share for _, share in square.alternatives) <= 1 + 1e-6
        assert square.label not in dict(square.alternatives)


def test_only_black_buildings_carry_cubes() -> None:
    for seed in (1, 2, 3):
        taken = drawn(seed)
        for town in taken.towns[:1]:
            for row in classify.classify(taken.image, town.corners, PIECES):
                assert all(square.label == "factory" for square in row if square.on_top)
