"""The skill rating against worked numbers: the paper's algorithm 4 by hand, and what OpenSkill publishes for it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.history.rating import DOUBT, LUCK, MEAN, Rating, rate


def test_two_beginners_by_hand() -> None:
    spread = math.sqrt(2 * (DOUBT**2 + LUCK**2))  # 13.176
    gain = DOUBT**2 / spread * 0.5  # each had an even chance
    winner, loser = rate([Rating(), Rating()], [1, 2])
    assert winner.skill == pytest.approx(MEAN + gain)
    assert loser.skill == pytest.approx(MEAN - gain)
    left = math.sqrt(1 - DOUBT**2 / spread**2 * (DOUBT / spread) * 0.25)
    assert winner.doubt == loser.doubt == pytest.approx(DOUBT * left)


def test_four_beginners_as_openskill_publishes() -> None:
    after = rate([Rating()] * 4, [1, 2, 3, 4])
    assert [rating.skill for rating in after] == pytest.approx([27.795085, 26.552825, 24.689435, 20.962655])
    assert [rating.doubt for rating in after] == pytest.approx([8.263161, 8.179214, 8.083731, 8.083731])


def test_two_beginners_as_openskill_publishes() -> None:
    winner, loser = rate([Rating(), Rating()], [1, 2])
    assert (winner.skill, winner.doubt) == pytest.approx((27.635231, 8.065506))
    assert (loser.skill, loser.doubt) == pytest.approx((22.364769, 8.065506))


@given(st.lists(st.integers(1, 4), min_size=2, max_size=6))
def test_equal_places_of_equals_stay_equal_and_nobody_gets_more_doubtful(ranks: list[int]) -> None:
    after = rate([Rating()] * len(ranks), ranks)
    by_rank = {rank: rating for rank, rating in zip(ranks, after, strict=True)}
    assert [by_rank[rank] for rank in ranks] == after
    assert all(rating.doubt <= DOUBT for rating in after)
    assert by_rank[min(ranks)].skill >= MEAN - 1e-9
    assert by_rank[max(ranks)].skill <= MEAN + 1e-9


def test_beating_the_better_is_worth_more() -> None:
    better, worse = Rating(30, 3), Rating(20, 3)
    expected = rate([better, worse], [1, 2])[0].skill - 30
    surprise = rate([better, worse], [2, 1])[1].skill - 20
    assert surprise > expected
