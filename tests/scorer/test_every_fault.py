"""A value that cannot be read hides nothing that is wrong elsewhere, and no fault is an echo of it."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.core import score

Record = dict[str, Any]
CARDS = {"red": "farm", "grey": "well", "orange": "chapel", "green": "tavern", "yellow": "theater", "black": "factory"}
BARE = [["empty"] * 4 for _ in range(3)]
TERRACE = {"deck": "terrace", "base": "terrace", "edges": ["terrace", "terrace"]}
PIER = {"deck": "pier", "base": "pier", "edges": ["pier", "pier"]}
GARDENS = ["P"] * 6


def codes(record: Record) -> set[str]:
    return {problem["code"] for problem in score(record)["problems"]}


def town(first_row: list[str], name: str = "Ann", **facts: Any) -> Record:
    return {"name": name, "grid": [first_row, *BARE], **facts}


def tiny(*towns: Record, mode: str = "standard", **cards: Any) -> Record:
    return {"game": "tiny_towns", "table": {"mode": mode, "cards": {**CARDS, **cards}}, "players": list(towns)}


def street(*cards: Record, name: str = "Ann") -> Record:
    return {"name": name, "streets": [list(cards)]}


def tenby(*players: Record, **table: Any) -> Record:
    return {"game": "tenby", "table": table, "players": list(players)}


def builder(name: str, patrons: Any, rows: list[str], **plan: Any) -> Record:
    return {"name": name, "rows": rows, "patrons": patrons, "plan": {"achieved": False, **plan}}


def pier(*players: Record, **table: Any) -> Record:
    return {"game": "pier_18", "table": table, "players": list(players)}


def architect(name: str, **facts: Any) -> Record:
    plain = {"coins": 10, "chapel_steps": 0, "gate_steps": 0, "cards": {"0": 2}, "unused_tiles": 0}
    return {"name": name, **plain, "bridge": [*GARDENS, *NUMBERED[name]], **facts}


NUMBERED = {
    "Ann": ["C60", "G59", "I58", "E57", "U56", "C55"],
    "Bob": ["C50", "G49", "I48", "E47", "U46", "C45"],
    "": ["C40", "G39", "I38", "E37", "U36", "C35"],
}


def bridge(*players: Record, **table: Any) -> Record:
    order = [player["name"] for player in players]
    return {"game": "old_london_bridge", "table": {"chapel_order": order, **table}, "players": list(players)}


def without(record: Record, *path: Any) -> Record:
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return record


SEA = ["..", "..", "..", "..", "..", ".."]
CARD = {"name": "Manager", "target": "business"}
FOUND_TOGETHER = [
    (
        "a town beside an unknown mode",
        tiny(town(["inn", "empty", "empty", "empty"]), mode="duel"),
        {"unknown_option", "building_not_in_play"},
    ),
    (
        "a town beside a missing card",
        without(tiny(town(["granary", "inn", "empty", "empty"])), "table", "cards", "red"),
        {"missing_field", "building_not_in_play"},
    ),
    (
        "a card of the table beside an unreadable number",
        tiny(town(["empty"] * 4, cavern_cubes="two"), mode="solo", green="inn"),
        {"bad_number", "not_in_solo"},
    ),
    (
        "a card of Tenby beside an unknown ruling",
        tenby(street({**TERRACE, "features": {"bench": 9}}), rulings={"secret_tie": "maybe"}),
        {"unknown_option", "feature_over_max"},
    ),
    (
        "an accolade beside an unreadable feature",
        tenby(street({**TERRACE, "features": {"bench": "x"}}), accolades={"mode": "open_sea", "cards": [CARD, CARD]}),
        {"bad_number", "accolade_duplicate"},
    ),
    (
        "a symbol on a pier without a second player",
        pier(builder("Ann", 4, ["X.", *SEA])),
        {"player_count", "unknown_symbol"},
    ),
    (
        "a symbol beside unreadable sections",
        pier(builder("Ann", 4, ["X.", *SEA]), builder("Bob", 0, SEA), sections_per_card="three"),
        {"bad_number", "unknown_symbol"},
    ),
    (
        "a garden beside coins that are missing",
        bridge(
            architect("Ann", bridge=["P5", *GARDENS[1:], *NUMBERED["Ann"]]),
            without(architect("Bob"), "coins"),
        ),
        {"missing_field", "garden_with_number"},
    ),
    (
        "the chapel order beside unreadable coins",
        bridge(architect("Ann", coins="x"), architect("Bob"), chapel_order=["Ann"]),
        {"bad_number", "chapel_order_not_a_permutation"},
    ),
    (
        "empty spaces beside unreadable steps",
        bridge(architect("Ann", gate_steps="x"), architect("Bob", bridge=["C5"])),
        {"bad_number", "empty_costs_unknown"},
    ),
]
FOUND_ALONE = [
    (
        "no building is out of play where its card is wrong",
        tiny(town(["granary", "empty", "empty", "empty"]), red="inn"),
        {"wrong_card"},
    ),
    (
        "no monument is held twice where one of them is unknown",
        tiny(town(["empty"] * 4, monument="big_ben"), town(["empty"] * 4, "Bob", monument="architects_guild")),
        {"unknown_monument"},
    ),
    (
        "cubes may lie on a square that cannot be read",
        tiny(town(["mill", "empty", "empty", "empty"], warehouse_cubes={"A1": 2}), black="warehouse"),
        {"unknown_building"},
    ),
    (
        "a square that cannot be read may hold a building",
        tiny(town(["mill", "monument", "empty", "empty"], monument="shrine_of_the_elder_tree", shrine_count=2)),
        {"unknown_building"},
    ),
    (
        "cubes may lie anywhere in a town of another shape",
        tiny({"name": "Ann", "grid": BARE, "warehouse_cubes": {"A1": 2}}, black="warehouse"),
        {"grid_size"},
    ),
    (
        "accolades of an unknown mode are not counted",
        tenby(street(TERRACE), accolades={"mode": "low_tide", "cards": [{**CARD, "name": name} for name in "ABCDE"]}),
        {"unknown_option"},
    ),
    (
        "a holder whose name cannot be read holds the card all the same",
        tenby(
            street(TERRACE),
            street(PIER, name="B" * 41),
            accolades={
                "mode": "ebb_flow",
                "cards": [{**CARD, "holder": "Ann"}, {"name": "Gulls", "target": "seagull", "holder": "Bob"}],
            },
        ),
        {"bad_name"},
    ),
    (
        "nobody is missing from the chapel order if a name cannot be read",
        bridge(architect("Ann"), architect(""), chapel_order=["Ann", "Bob"]),
        {"bad_name"},
    ),
    (
        "a bridge that cannot be read has no empty spaces",
        bridge(architect("Ann", bridge="C60"), architect("Bob")),
        {"unreadable"},
    ),
    (
        "a face that is no word asks for nothing",
        bridge(without(architect("Ann"), "chapel_steps"), architect("Bob"), scoring={"chapel": 5}),
        {"unknown_option"},
    ),
    (
        "four players are not judged as three",
        pier(*[builder(name, 2, SEA) for name in ("Ann", "Bob", "Cid", "Dee")]),
        {"player_count"},
    ),
]


@pytest.mark.parametrize(
    ("record", "expected"), [case[1:] for case in FOUND_TOGETHER], ids=[c[0] for c in FOUND_TOGETHER]
)
def test_faults_far_from_one_another_are_all_told(record: Record, expected: set[str]) -> None:
    assert codes(record) == expected


@pytest.mark.parametrize(("record", "expected"), [case[1:] for case in FOUND_ALONE], ids=[c[0] for c in FOUND_ALONE])
def test_what_cannot_be_read_is_told_without_an_echo(record: Record, expected: set[str]) -> None:
    assert codes(record) == expected
