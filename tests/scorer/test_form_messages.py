"""Tell how values may be spelled, and how faults speak of them: to people who write records, and to those who tap a
form.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from scorer import games
from scorer.core import judge, load, score
from scorer.form_messages import in_words

CARDS = {"red": "farm", "grey": "well", "orange": "chapel", "green": "tavern", "yellow": "theater", "black": "factory"}
BARE = [["empty"] * 4 for _ in range(4)]


def tiny(town: dict[str, Any], **table: Any) -> dict[str, Any]:
    return {"game": "tiny_towns", "table": {"cards": CARDS, **table}, "players": [{"name": "Ann", **town}]}


def written(record: dict[str, Any], where: str) -> str:
    """Return the one message about a place, as whoever wrote the record reads it."""
    [found] = [one["message"] for one in score(record)["problems"] if one["where"] == where]
    return found


def message(where: str, town: dict[str, Any], **table: Any) -> str:
    """Return the one message about a place, as a form tells it."""
    game = games.find("tiny_towns")
    assert game is not None
    result = judge(game, in_words(game, load(game, tiny(town, **table))))
    [found] = [one["message"] for one in result["problems"] if one["where"] == where]
    return found


def test_a_missing_field_is_called_by_its_label_or_its_name() -> None:
    assert message("/players/0/grid", {}) == "Enter “Town”."
    assert written(tiny({}), "/players/0/grid") == "Enter “grid”."


def test_choices_are_told_by_their_printed_names_or_their_ids() -> None:
    told = message("/table/mode", {"grid": BARE}, mode="duel")
    assert told == "Choose one of Standard, Town Hall, Solo. You entered “duel”."
    told = written(tiny({"grid": BARE}, mode="duel"), "/table/mode")
    assert told == "Choose one of standard, town_hall, solo. You entered “duel”."


def test_what_is_nearly_spelled_right_is_suggested() -> None:
    cards = {**CARDS, "yellow": "theatre", "green": "feast_hal"}
    assert message("/table/cards/green", {"grid": BARE}, cards=cards) == (
        "There is no “feast_hal” here. Did you mean Feast Hall?"
    )
    record = tiny({"grid": [["cotage", "empty", "empty", "empty"], *BARE[1:]]}, cards=cards)
    assert written(record, "/table/cards/green") == "There is no “feast_hal” here. Did you mean feast_hall?"
    assert written(record, "/table/cards/yellow") == "There is no “theatre” here. Did you mean theater?"
    assert written(record, "/players/0/grid/0/0") == "There is no “cotage” here. Did you mean cottage?"
    town = record["players"][0]["grid"]
    assert message("/players/0/grid/0/0", {"grid": town}) == "There is no “cotage” here. Did you mean Cottage?"
    typed = {**tiny({}), "players": [{"name": "Ann", "typed": {"cotages": 3}}]}
    assert written(typed, "/players/0/typed/cotages") == "There is no line “cotages”. Did you mean cottage?"


def test_a_cube_left_on_a_square_is_to_be_taken_off() -> None:
    record = tiny({"grid": [["cube_wood", "empty", "empty", "empty"], *BARE[1:]]})
    told = "Remove the cube. At the end of the game this square is empty."
    assert written(record, "/players/0/grid/0/0") == told


def test_values_are_shown_as_they_are_written() -> None:
    assert written(tiny({"grid": BARE, "shrine_count": True}), "/players/0/shrine_count").endswith(
        ". You entered true."
    )
    assert written(tiny({"grid": BARE, "shrine_count": "x"}), "/players/0/shrine_count").endswith(". You entered “x”.")
    assert written(tiny({"grid": BARE, "shrine_count": 2.5}), "/players/0/shrine_count").endswith(". You entered 2.5.")


SEA = ["..", "..", "..", "..", "..", ".."]
TERRACE = {"deck": "terrace", "base": "terrace", "edges": ["sea", "terrace"]}
SPELLED = [
    (
        tiny(
            {"grid": [["TAVERN", "Warehouse", "empty", "Empty"], *BARE[1:]], "warehouse_cubes": {"b1": "2"}},
            cards={**CARDS, "green": "Tavern", "black": "WAREHOUSE"},
            mode="Town Hall",
        ),
        tiny(
            {"grid": [["tavern", "warehouse", "empty", "empty"], *BARE[1:]], "warehouse_cubes": {"B1": 2}},
            cards={**CARDS, "black": "warehouse"},
            mode="town_hall",
        ),
    ),
    (
        {"game": "tiny_towns", "table": {}, "players": [{"name": "Ann", "typed": {"Taverns": "9"}}]},
        {"game": "tiny_towns", "table": {}, "players": [{"name": "Ann", "typed": {"tavern": 9}}]},
    ),
    (
        {
            "game": "tenby",
            "table": {"accolades": {"mode": "The Open Sea", "cards": [{"name": "Most", "target": "Benches"}]}},
            "players": [
                {
                    "name": "Ann",
                    "streets": [
                        [
                            {
                                "deck": "Terrace",
                                "base": "TERRACE",
                                "edges": ["Sea", "terrace"],
                                "buildings": ["Red"],
                                "features": {"Benches": "2", "Lamp posts": 1.0},
                                "score": {"type": "Per", "target": "Seagulls", "points": "3", "range": "White"},
                            }
                        ]
                    ],
                }
            ],
        },
        {
            "game": "tenby",
            "table": {"accolades": {"mode": "open_sea", "cards": [{"name": "Most", "target": "bench"}]}},
            "players": [
                {
                    "name": "Ann",
                    "streets": [
                        [
                            {
                                **TERRACE,
                                "buildings": ["red"],
                                "features": {"bench": 2, "lamp_post": 1},
                                "score": {"type": "per", "target": "seagull", "points": 3, "range": "white"},
                            }
                        ]
                    ],
                }
            ],
        },
    ),
    (
        {
            "game": "pier_18",
            "table": {"lovers_across": "must be empty", "sections_per_card": "2"},
            "players": [
                {"name": "Ann", "rows": ["s.", "P.", *SEA], "patrons": "4", "plan": {"achieved": "True"}},
                {"name": "Bob", "rows": SEA, "patrons": 0, "plan": {"achieved": False}},
            ],
        },
        {
            "game": "pier_18",
            "table": {"lovers_across": "must_be_empty", "sections_per_card": 2},
            "players": [
                {"name": "Ann", "rows": ["S.", "P.", *SEA], "patrons": 4, "plan": {"achieved": True}},
                {"name": "Bob", "rows": SEA, "patrons": 0, "plan": {"achieved": False}},
            ],
        },
    ),
    (
        {
            "game": "copenhagen",
            "table": {"end": "The End of Game card was drawn"},
            "players": [
                {"name": "Ann", "tiles": [{"tile": "Purple 3", "cells": [["1", 1], [2, 1], [3, 1]], "brick": [1, 1]}]},
                {"name": "Bob", "grid": [*["....."] * 8, "wwb.."]},
            ],
        },
        {
            "game": "copenhagen",
            "table": {"end": "card"},
            "players": [
                {"name": "Ann", "tiles": [{"tile": "purple-3", "cells": [[1, 1], [2, 1], [3, 1]], "brick": [1, 1]}]},
                {"name": "Bob", "grid": [*["....."] * 8, "WWB.."]},
            ],
        },
    ),
    (
        {
            "game": "old_london_bridge",
            "table": {"scoring": {"inn": "Most inns"}},
            "players": [
                {"name": "Ann", "coins": "3", "bridge": ["c 56", "p"]},
                {"name": "Bob", "coins": 5, "summary": {"buildings": 2, "types": {"chapels": 1, "g": 1}}},
            ],
        },
        {
            "game": "old_london_bridge",
            "table": {"scoring": {"inn": "most_inns"}},
            "players": [
                {"name": "Ann", "coins": 3, "bridge": ["C56", "P"]},
                {"name": "Bob", "coins": 5, "summary": {"buildings": 2, "types": {"C": 1, "G": 1}}},
            ],
        },
    ),
]


@pytest.mark.parametrize(
    ("spelled", "right"), SPELLED, ids=[f"{one['game']}-{n}" for n, (one, _) in enumerate(SPELLED)]
)
def test_labels_capitals_and_numbers_in_quotes_are_read(spelled: dict[str, Any], right: dict[str, Any]) -> None:
    game = games.find(right["game"])
    assert game is not None
    before = copy.deepcopy(spelled)
    loaded = load(game, spelled)
    assert not loaded.faults and loaded.record == right
    assert score(spelled) == score(right)
    assert spelled == before, "a record that somebody else holds stays as it is"


def test_two_spellings_of_one_square_are_a_fault() -> None:
    cubes = {"warehouse_cubes": {"b1": 1, "B 1": 2}, "grid": [["empty", "warehouse", "empty", "empty"], *BARE[1:]]}
    told = score(tiny(cubes, cards={**CARDS, "black": "warehouse"}))["problems"]
    assert [problem["code"] for problem in told] == ["unknown_square"]


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
    assert line_of({"orange": "cloister"}, "cloister", *in_line) == ("No Cloister is in a corner of the town")
    hungry = ["farm", *["cottage"] * 5]
    assert line_of({}, "farm", *hungry).endswith("Feeding other buildings instead would not score more")
