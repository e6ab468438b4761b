"""Tell where records have names of players: they are found in the declared places and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.contract import Json
from scorer.record_names import place_with_seats, seats_of, with_names, with_seats

ORDERS = ("chapel_order/*", "companion/rounds/*/chapel_order/*")
AMOUNTS = ("cards/*/holder", "cards/*/amounts/{name}")


def table(names: list[str], **facts: Json) -> dict[str, Any]:
    return {"game": "any", "table": facts, "players": [{"name": name} for name in names]}


def test_names_become_seats_and_come_back() -> None:
    cards = [{"name": "Ann", "holder": "Bob", "amounts": {"Ann": 2, "Bob": 1}}]
    record = table(["Ann", "Bob"], cards=cards, chapel_order=["Bob", "Ann"])
    saved, places = with_seats(record, (*ORDERS, *AMOUNTS))
    assert saved["players"] == [{"name": 0}, {"name": 1}]
    assert saved["table"]["chapel_order"] == [1, 0]
    assert saved["table"]["cards"] == [{"name": "Ann", "holder": 1, "amounts": {"0": 2, "1": 1}}]
    assert places == [
        "/table/chapel_order/0",
        "/table/chapel_order/1",
        "/table/cards/0/holder",
        "/table/cards/0/amounts/0#",
        "/table/cards/0/amounts/1#",
    ]
    assert record["table"]["chapel_order"] == ["Bob", "Ann"], "the record itself stays as it is"
    assert with_names(saved, places, ["Cid", "Dee"])["table"] == {
        "cards": [{"name": "Ann", "holder": "Dee", "amounts": {"Cid": 2, "Dee": 1}}],
        "chapel_order": ["Dee", "Cid"],
    }


def test_a_name_that_nobody_at_the_table_has_stays_text() -> None:
    record = table(["Ann", "Bob"], chapel_order=["Cid", "Ann"], cards=[{"amounts": {"Cid": 3, "0": 1}}])
    saved, places = with_seats(record, (*ORDERS, *AMOUNTS))
    assert saved["table"] == {"chapel_order": ["Cid", 0], "cards": [{"amounts": {"Cid": 3, "0": 1}}]}
    assert with_names(saved, places, ["Ann", "Bob"]) == record


def test_somebody_may_be_called_unknown_or_like_a_seat() -> None:
    record = table(["unknown", "0"], chapel_order=["0", "unknown"], cards=[{"amounts": {"0": 5, "unknown": 6}}])
    saved, places = with_seats(record, (*ORDERS, *AMOUNTS))
    assert saved["table"] == {"chapel_order": [1, 0], "cards": [{"amounts": {"1": 5, "0": 6}}]}
    assert with_names(saved, places, ["unknown", "0"]) == record


def test_a_name_with_a_slash_keeps_its_place() -> None:
    record = table(["A/B~c"], cards=[{"amounts": {"a/b~c": 5}}])
    saved, places = with_seats(record, AMOUNTS)
    assert places == ["/table/cards/0/amounts/0#"]
    assert with_names(saved, places, ["A/B~c"])["table"] == {"cards": [{"amounts": {"A/B~c": 5}}]}
    assert place_with_seats("/table/cards/0/amounts/A~1B~0c", AMOUNTS, seats_of(record)) == "/table/cards/0/amounts/0"


@pytest.mark.parametrize("where", ["", "/players/0/name", "/table", "/table/cards/Ann", "/table/amounts/Ann"])
def test_only_keys_in_declared_places_are_names(where: str) -> None:
    assert place_with_seats(where, AMOUNTS, {"ann": 1}) == where


@pytest.mark.parametrize("record", [{}, {"players": 3}, {"players": [None, {"name": 5}], "table": []}, {"table": "x"}])
def test_a_record_that_is_none_yet_has_no_names(record: Json) -> None:
    assert with_seats(record, (*ORDERS, *AMOUNTS))[1] == [] and seats_of(record) == {}
