"""Tell how much a record may hold before anybody looks into it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorer import games
from scorer.bounds import LONGEST_KEY, MOST_VALUES, faults
from scorer.core import score, score_text
from tests.conftest import EXAMPLES

LARGEST_BODY = 128 * 1024


def values(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(values, inner))


def test_the_largest_table_has_a_tenth_of_what_there_is_room_for() -> None:
    assert max(values(example.record) for example in EXAMPLES) * 10 < MOST_VALUES


@pytest.mark.parametrize("number", [MOST_VALUES - 2, MOST_VALUES - 1])
def test_every_value_counts_however_deep(number: int) -> None:
    wide, deep = {"players": [0] * number}, {"players": [[0]] * (number // 2)}
    assert bool(faults(wide)) is (2 + number > MOST_VALUES)
    assert bool(faults(deep)) is (2 + 2 * (number // 2) > MOST_VALUES)


def test_a_name_of_a_field_is_short() -> None:
    assert not faults({"k" * LONGEST_KEY: 1})
    assert faults({"players": [{"k" * (LONGEST_KEY + 1): 1}]})


@pytest.mark.parametrize("game", games.ids())
def test_a_record_as_large_as_is_taken_makes_a_bounded_answer(game: str) -> None:
    long, many = "x" * 60_000, [0] * 30_000
    for table, player in (
        ({}, {"name": long}),
        ({long: 1}, {}),
        ({}, {long: {"a": 1, "b": 2}}),
        ({"confirmed": [long]}, {"typed": {long: 1}}),
        ({}, {"streets": [many]}),
        ({f"k{number}": number for number in range(8_000)}, {}),
        ({}, {"name": "a", "typed": {"/" * 90 + str(number): 1 for number in range(1_000)}}),
    ):
        text = json.dumps({"game": game, "table": table, "players": [player]})
        assert len(text) <= LARGEST_BODY
        result = score_text(text)
        assert not result["ok"] and len(result["problems"]) <= 100
        assert len(json.dumps(result)) < 100_000


def test_a_record_too_large_is_one_fault() -> None:
    [problem] = score({"game": "tenby", "table": {}, "players": [{"name": "a", "streets": [[{}] * 6400]}]})["problems"]
    assert (problem["code"], problem["where"]) == ("too_many", "")
    assert problem["message"] == "A record can hold at most 5000 values."
