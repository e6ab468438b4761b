"""Typed lines that no table can show."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.core import score


def told(game: str, table: dict[str, Any], *typed: dict[str, int]) -> list[tuple[str, str]]:
    players = [{"name": name, "typed": points} for name, points in zip("ABCD", typed, strict=False)]
    result = score({"game": game, "table": table, "players": players})
    return [(problem["code"], problem["where"]) for problem in result["problems"]]


BRIDGE = {"chapel_order": ["A", "B"]}


def test_no_prize_of_the_bridge_is_paid_twice() -> None:
    assert told("old_london_bridge", BRIDGE, {"inn": 5}, {"inn": 5}) == [("prize_twice", "/players/1/typed/inn")]
    assert told("old_london_bridge", BRIDGE, {"gate": 4}, {}) == [("no_such_prize", "/players/0/typed/gate")]
    assert told("old_london_bridge", BRIDGE, {"inn": 5}, {"inn": 0}) == []
    expert = {**BRIDGE, "scoring": {"inn": "hand_count"}}
    assert told("old_london_bridge", expert, {"inn": 7}, {"inn": 7}) == []


def test_empty_spaces_never_pay() -> None:
    assert told("old_london_bridge", BRIDGE, {"empty": 2}, {}) == [("bad_number", "/players/0/typed/empty")]


def test_a_town_has_the_cards_of_its_table() -> None:
    cards = {"red": "farm", "grey": "well", "orange": "chapel", "green": "tavern", "yellow": "theater", "black": "bank"}
    table = {"mode": "standard", "cards": cards}
    assert told("tiny_towns", table, {"inn": 4, "tavern": 5}) == [("not_on_this_table", "/players/0/typed/inn")]
    assert told("tiny_towns", table, {"tavern": 5, "empty": -2, "monument": 6}) == []


def test_two_cards_of_one_colour_cannot_both_pay() -> None:
    found = told("tiny_towns", {}, {"inn": 6}, {"tavern": 5})
    assert found == [("two_of_one_colour", "/players/1/typed/tavern")]
    assert told("tiny_towns", {}, {"inn": 6}, {"tavern": 0, "well": 3}) == []


@pytest.mark.parametrize(
    "typed", [{"floors": 10}, {"columns": 5}, {"window_columns": 2}, {"floors": -1}, {"total": 39}]
)
def test_a_house_has_nine_floors_and_five_columns(typed: dict[str, int]) -> None:
    assert [code for code, _ in told("copenhagen", {}, typed, {})] == ["bad_number"]


def test_a_range_is_told_with_its_line() -> None:
    record = {"game": "tiny_towns", "table": {}, "players": [{"name": "A", "typed": {"empty": 3}}]}
    [problem] = score(record)["problems"]
    assert problem["message"] == "“Empty squares” brings -16 to 0 points; this is 3."
