"""Faults speak of fields and cards as the form and the box call them, and only of what is on this table."""

from __future__ import annotations

from typing import Any

from scorer.core import score

CARDS = {"red": "farm", "grey": "well", "orange": "chapel", "green": "tavern", "yellow": "theater", "black": "factory"}
BARE = [["empty"] * 4 for _ in range(4)]


def message(where: str, town: dict[str, Any], **table: Any) -> str:
    record = {"game": "tiny_towns", "table": {"cards": CARDS, **table}, "players": [{"name": "Ann", **town}]}
    [found] = [one["message"] for one in score(record)["problems"] if one["where"] == where]
    return found


def test_a_missing_field_is_called_by_its_label() -> None:
    assert message("/players/0/grid", {}) == "Enter “Town”: it is missing."


def test_choices_are_told_by_their_printed_names() -> None:
    told = message("/table/mode", {"grid": BARE}, mode="duel")
    assert told == "Choose one of Standard, Town Hall, Solo; this is “duel”."


def test_only_cards_that_this_table_can_play_with_are_told() -> None:
    plain = message("/table/cards/red", {"grid": BARE}, cards={**CARDS, "red": "inn"})
    assert "Farm" in plain and "farm" not in plain
    more = message("/table/cards/red", {"grid": BARE}, cards={**CARDS, "red": "inn"}, expansions=["villagers"])
    assert len(more) >= len(plain)


def test_a_range_is_the_field_s_own() -> None:
    told = message("/players/0/cavern_cubes", {"grid": BARE, "cavern_cubes": "two"})
    assert told.endswith("; this is “two”.")
    told = message("/players/0/master_builder_turns", {"grid": BARE, "master_builder_turns": -2})
    assert told == "Enter a whole number from 0 to 99 for “Turns as Master Builder”; this is “-2”."


def line_of(cards: dict[str, str], rule: str, *pieces: str) -> str:
    squares = [*pieces, *["empty"] * (16 - len(pieces))]
    grid = [squares[row : row + 4] for row in (0, 4, 8, 12)]
    table = {"mode": "town_hall", "cards": {**CARDS, **cards}}
    result = score({"game": "tiny_towns", "table": table, "players": [{"name": "Ann", "grid": grid}]})
    assert result["ok"], result["problems"]
    [why] = [line["why"] for line in result["players"][0]["lines"] if line["rule"] == rule]
    return str(why)


def test_reasons_are_read_once() -> None:
    in_line = ["empty", "cloister"]
    assert line_of({"orange": "cloister"}, "cloister", *in_line) == (
        "no Cloister stands in a corner of the town, and only those there count"
    )
    hungry = ["farm", *["cottage"] * 5]
    assert line_of({}, "farm", *hungry).endswith("feeding others instead brings no more points")
