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


@pytest.mark.parametrize(
    ("line", "points"),
    # 16 Warehouses of 3 cubes; 1 or 5 Almshouses; 12 Chapels and 4 fed Cottages; 16 Cloisters, 4 of them in corners.
    [("warehouse", -48), ("warehouse", 0), ("almshouse", -1), ("almshouse", -5), ("chapel", 48), ("cloister", 64)],
)
def test_points_that_a_town_can_show_are_taken(line: str, points: int) -> None:
    assert told("tiny_towns", {}, {line: points}) == []


@pytest.mark.parametrize(
    ("line", "points"),
    [("warehouse", 1), ("almshouse", 6), ("almshouse", 27), ("tavern", 7), ("farm", 1), ("bank", 21), ("inn", 13)],
)
def test_points_that_no_town_can_show_are_refused(line: str, points: int) -> None:
    assert told("tiny_towns", {}, {line: points}) == [("bad_number", f"/players/0/typed/{line}")]


def test_coins_that_count_twice_can_be_typed() -> None:
    table = {"expansions": ["fortune"]}
    assert told("tiny_towns", table, {"coins": 10}) == []  # five, at the Estival Festival
    assert told("tiny_towns", table, {"coins": 11}) == [("bad_number", "/players/0/typed/coins")]
