"""From the network's numbers to labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.conftest import drawn
from vision import classify, rectify
from vision.games.tiny_towns import CUBES, LABELS, PIECES
from vision.rectify import Floats, Image
from vision.training import calibrate


def test_shares_add_up_to_one_and_the_surest_stays_so() -> None:
    shares = classify.shares(np.array([[1.0, 4.0, 2.0], [900.0, -900.0, 0.0]]))
    assert shares.sum(axis=1) == pytest.approx([1, 1])
    assert list(shares.argmax(axis=1)) == [1, 0]


def test_confidence_grows_with_the_share_and_is_one_at_no_share() -> None:
    sure = [classify.confidence_of(share) for share in (0.0, 0.2, 0.5, 0.8, 0.99, 1.0)]
    assert sure == sorted(sure)
    assert 0 <= sure[0] < sure[-1] <= 1


def test_the_fit_finds_the_line_that_answers_were_drawn_from() -> None:
    """Answers right as often as slope 1.5 and offset -0.5 say, told at odds as they are."""
    rng = np.random.default_rng(1)
    told = rng.normal(1.0, 2.0, 20_000)
    right = rng.random(len(told)) < 1 / (1 + np.exp(-(1.5 * told - 0.5)))
    assert calibrate.fit(told, right) == pytest.approx((1.5, -0.5), abs=0.08)


FAR, NEAR, SURE = 0.5, 0.9, 0.999  # shares of the likeliest label


def raw_with(label: int, share: float) -> np.ndarray:
    """The answer for a square that gives a label such a share."""
    out = np.zeros(len(LABELS) + 20)
    out[label] = np.log(share / (1 - share) * (len(LABELS) - 1))
    return out


@pytest.mark.parametrize(
    ("share", "others", "asked"),
    [
        (SURE, SURE, [("squares", 16)]),
        (NEAR, SURE, [("squares", 16), ("alone", 2)]),
        (FAR, SURE, [("squares", 16), ("squares", 16), ("alone", 2)]),
        (FAR, NEAR, [("squares", 16), ("squares", 16), ("alone_harsh", 32)]),
    ],
)
def test_more_is_asked_about_a_square_the_less_sure_it_is(
    share: float, others: float, asked: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One square may be a well; the others are empty, more or less surely. Seen alone all are stone cubes."""
    well, cube, told = LABELS.index("well"), LABELS.index("cube_stone"), []

    def seen(stack: Image, model: Path) -> Floats:
        told.append((model.stem, len(stack)))
        return np.stack([raw_with(cube, SURE)] * len(stack))

    board = np.stack([raw_with(0, others)] * 16)
    board[6] = raw_with(well, share)
    monkeypatch.setattr(classify, "seen", seen)
    monkeypatch.setattr(classify, "compared", lambda _features, _model: board.copy())
    got = classify.answers(np.zeros((16, rectify.PATCH, rectify.PATCH, 4), np.uint8), PIECES)
    assert told == asked
    for square, sure in ((5, others), (6, share)):
        wanted = board[square] if sure == SURE else (board[square] + raw_with(cube, SURE)) / 2
        assert np.allclose(got[square], wanted)


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
