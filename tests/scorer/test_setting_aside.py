"""Players set aside score as if they had typed nothing, without the record being read again."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.contract import Game, Json
from scorer.core import judge, load, score_as, without_seats
from tests.conftest import EXAMPLES, Example
from tests.scorer.test_fuzz import ANYTHING, places, replaced


def with_empty_sheets(record: Json, seats: set[int]) -> Json:
    players = record["players"]
    empty = [{"name": p["name"], "typed": {}} if seat in seats else p for seat, p in enumerate(players)]
    return {**record, "players": empty}


def assert_alike(game: Game, record: Json, seats: set[int]) -> None:
    assert judge(game, without_seats(game, load(game, record), seats)) == score_as(
        game, with_empty_sheets(record, seats)
    )


@given(st.sampled_from(EXAMPLES), st.sets(st.integers(0, 5)))
def test_of_an_example(example: Example, seats: set[int]) -> None:
    assert_alike(example.game, example.record, seats)


@settings(max_examples=600)
@given(st.sampled_from(EXAMPLES), st.sets(st.integers(0, 5)), st.data())
def test_of_a_record_with_parts_replaced_or_taken_out(example: Example, seats: set[int], data: st.DataObject) -> None:
    record: Any = copy.deepcopy(example.record)
    for _ in range(data.draw(st.integers(1, 3))):
        ways = [path for path in places(record) if len(path) > 2 or path[:1] == ("table",)]
        path = data.draw(st.sampled_from(ways or [("table",)]))
        if path[-1] != "name":
            record = replaced(record, path, data.draw(ANYTHING))
    if data.draw(st.booleans()):
        emptied = data.draw(st.integers(0, len(record["players"]) - 1))
        record["players"][emptied] = {"name": record["players"][emptied]["name"]}
    assert_alike(example.game, record, seats)
