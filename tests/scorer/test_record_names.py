"""Where records have names of players: every game declares the places, and names are found there and nowhere else."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from scorer.contract import Game, Json
from scorer.core import load, score
from scorer.record_names import place_with_seats, renamed, seats_of, with_names, with_seats
from tests.conftest import EXAMPLES, GAMES, Example

ORDERS = ("chapel_order/*", "companion/rounds/*/chapel_order/*")
AMOUNTS = ("cards/*/holder", "cards/*/amounts/{name}")


def table(names: list[str], **facts: Json) -> dict[str, Any]:
    return {"game": "any", "table": facts, "players": [{"name": name} for name in names]}


def names_in(value: Json, names: set[str], here: str = "") -> Iterator[str]:
    """Yield the pointer of every text that reads like a name; that of a key ends in #."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in names:
                yield f"{here}/{key}#"
            yield from names_in(inner, names, f"{here}/{key}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from names_in(inner, names, f"{here}/{at}")
    elif isinstance(value, str) and value in names:
        yield here


def called_apart(record: Json) -> Json:
    """The record with names that stand for nothing else."""
    names = [player["name"] for player in record["players"]]
    apart = {name: f"Qx{seat}zq" for seat, name in enumerate(names)}
    places = list(names_in(record, set(names)))

    def change(value: Json, here: str) -> Json:
        if isinstance(value, dict):
            return {
                apart[key] if f"{here}/{key}#" in places else key: change(inner, f"{here}/{key}")
                for key, inner in value.items()
            }
        if isinstance(value, list):
            return [change(inner, f"{here}/{at}") for at, inner in enumerate(value)]
        return apart[value] if here in places else value

    return change(record, "")


# -- what the games declare -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_every_name_of_an_example_stands_in_a_declared_place(example: Example) -> None:
    record = called_apart(example.record)
    assert score(record)["ok"], "the names of the example stand for nothing else"
    names = {player["name"] for player in record["players"]}
    saved, places = with_seats(record, example.game.names)
    seats = {str(seat) for seat in range(len(names))}
    assert list(names_in(saved, names)) == [], "a name is left in the record"
    assert {place.rpartition("/")[2] for place in places if place.endswith("#")} <= {f"{seat}#" for seat in seats}
    expected = sorted(names_in({"table": record["table"]}, names))
    by_seat = [place_with_seats(place.removesuffix("#"), example.game.names, seats_of(record)) for place in expected]
    assert sorted(place.removesuffix("#") for place in places) == sorted(by_seat)
    again = with_names(copy.deepcopy(saved), places, [player["name"] for player in record["players"]])
    assert again == record and list(again["table"]) == list(record["table"])


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_name_is_found_however_it_is_spelled_there(example: Example) -> None:
    record = called_apart(example.record)
    _, places = with_seats(record, example.game.names)
    loud = {player["name"]: player["name"].upper() for player in record["players"]}
    spelled = {**record, "table": renamed(record["table"], example.game.names, loud)}
    assert with_seats(spelled, example.game.names)[1] == places
    assert score(spelled) == score(record)


def noted(game: Game, record: Json) -> Json:
    """A table with notes in every input that the companion asks for; those of orders name everybody."""
    assert game.companion is not None
    names = [player["name"] for player in record["players"]]
    notes: dict[str, Any] = copy.deepcopy(game.companion.blank)
    for _ in range(4):
        for asked in game.companion.asks(load(game, record), notes):
            value = [*names] if asked.kind == "order" else 1
            *way, last = asked.name.split("/")
            holder: Any = notes
            for step in way:
                holder = holder[int(step)] if isinstance(holder, list) else holder.setdefault(step, {})
            holder[last] = value
    return {**record, "table": {**record["table"], "companion": notes}}


ACCOMPANIED = [example for example in EXAMPLES if example.game.companion]


@pytest.mark.parametrize("example", ACCOMPANIED, ids=str)
def test_every_name_in_the_notes_of_a_companion_stands_in_a_declared_place(example: Example) -> None:
    record = noted(example.game, called_apart(example.record))
    names = {player["name"] for player in record["players"]}
    saved, places = with_seats(record, example.game.names)
    assert list(names_in(saved, names)) == []
    found = sorted(place for place in places if place.startswith("/table/companion/"))
    assert found == sorted(names_in({"table": {"companion": record["table"]["companion"]}}, names))


def test_the_order_of_every_round_is_among_them() -> None:
    [example] = [one for one in EXAMPLES if str(one) == "old_london_bridge/paid_in_every_round"]
    _, places = with_seats(noted(example.game, called_apart(example.record)), example.game.names)
    assert "/table/companion/chapel_order/2" in places and "/table/companion/rounds/0/chapel_order/0" in places


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_input_that_is_an_order_of_players_is_declared(game: Game) -> None:
    orders = {one.name for one in game.inputs if one.kind == "order"}
    assert {f"{name}/*" for name in orders} <= set(game.names)


# -- how names are told from other texts ------------------------------------------------------------------------------


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
