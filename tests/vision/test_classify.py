"""From the network's numbers to labels."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.conftest import drawn
from vision import classify
from vision.games.tiny_towns import CUBES, LABELS, PIECES


def test_shares_add_up_to_one_and_a_higher_temperature_is_less_sure() -> None:
    raw = np.array([[1.0, 4.0, 2.0]])
    cool, warm = classify.shares(raw), classify.shares(raw, 3.0)
    assert cool.sum() == pytest.approx(1) and warm.sum() == pytest.approx(1)
    assert warm.max() < cool.max()


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
        assert all(share <= square.confidence for _, share in square.alternatives)
        assert square.label not in dict(square.alternatives)


def test_only_black_buildings_carry_cubes() -> None:
    for seed in (1, 2, 3):
        taken = drawn(seed)
        for town in taken.towns[:1]:
            for row in classify.classify(taken.image, town.corners, PIECES):
                assert all(square.label == "factory" for square in row if square.on_top)
