"""Tell what the page that lays a Copenhagen house tile by tile offers: tiles go only where they can."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.contract import LettersInput
from scorer.core import load, score
from scorer.games.copenhagen import GAME
from scorer.games.copenhagen.guide import guide, legal_drops, removable
from scorer.games.copenhagen.inputs import asks
from scorer.games.copenhagen.state import House, State, Tile, dump_tile
from scorer.games.copenhagen.tiles import KINDS, Kind, Placement, laid
from scorer.games.copenhagen.validate import validate

DOMINO = Tile("red-2", ((1, 1), (1, 2)), (1, 1))


def faults(*tiles: Tile) -> list[tuple[str, str]]:
    """Return what is wrong with a house of these tiles, but for how many there are in the box."""
    state = State((House("Ann", tiles=tiles), House("Bob", tiles=())))
    return [(problem.code, problem.where) for problem in validate(state) if problem.code != "supply"]


def laid_there(kind: Kind, placement: Placement) -> Tile:
    return Tile(kind.id, *laid(placement.pattern, placement.corner))


def test_a_first_tile_goes_on_the_bottom_floor() -> None:
    drops = legal_drops(KINDS["red-2"], [])
    assert len(drops) == 2 * 4 + 2 * 5  # along floor 1 or up from it, the brick at either end
    assert {placement.corner[1] for placement in drops} == {1}


@pytest.mark.parametrize(
    ("tile", "wanted"),
    [
        (Tile("blue-2", ((1, 3), (2, 3)), (2, 3)), []),
        (Tile("blue-2", ((2, 1), (3, 1)), (2, 1)), []),
        (Tile("blue-2", ((2, 2), (3, 2)), (2, 2)), [("unsupported", "/cells")]),
        (Tile("blue-2", ((1, 2), (2, 2)), (2, 2)), [("overlap", "/cells")]),
        (Tile("blue-2", ((0, 1), (-1, 1)), (0, 1)), [("off_board", "/cells")]),
        (Tile("blue-3", ((2, 1), (3, 1), (4, 1)), (2, 1)), [("shape", "/cells")]),
        (Tile("blue-2", ((2, 1), (3, 1)), None), [("brick_position", "/brick")]),
        (Tile("beige-2", ((2, 1), (3, 1)), (2, 1)), [("unknown_tile", "/tile")]),
    ],
)
def test_a_tile_laid_next_is_judged_with_those_before_it(tile: Tile, wanted: list[tuple[str, str]]) -> None:
    assert faults(DOMINO, tile) == [(code, f"/players/0/tiles/1{where}") for code, where in wanted]


def test_a_tile_others_rest_on_stays() -> None:
    above = Tile("blue-2", ((1, 3), (2, 3)), (2, 3))
    beside = Tile("green-2", ((2, 1), (3, 1)), (2, 1))
    assert removable([DOMINO, above, beside]) == [1, 2]


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_what_is_offered_is_what_is_legal(seed: int) -> None:
    """A house grown only by offered drops is sound, and every way to lay a tile is offered unless it has a fault."""
    chance = random.Random(seed)
    tiles: list[Tile] = []
    for _ in range(5):
        kind = chance.choice([kind for kind in KINDS.values() if kind.has_brick])
        drops = legal_drops(kind, tiles)
        for placement in legal_drops(kind, []):
            assert (placement in drops) is (not faults(*tiles, laid_there(kind, placement)))
        if drops:
            tiles.append(laid_there(kind, chance.choice(drops)))
    ann = {"name": "Ann", "tiles": [dump_tile(tile) for tile in tiles]}
    record = {"game": "copenhagen", "table": {}, "players": [ann, {"name": "Bob", "tiles": []}]}
    assert {problem["code"] for problem in score(record)["problems"]} <= {"supply"}
    taken = removable(tiles)
    for index in range(len(tiles)):
        ann["tiles"] = [dump_tile(tile) for at, tile in enumerate(tiles) if at != index]
        floats = "unsupported" in {problem["code"] for problem in score(record)["problems"]}
        assert floats is (index not in taken)


def record(*players: Any) -> dict[str, Any]:
    return {"game": "copenhagen", "table": {}, "players": list(players)}


def test_the_guide_counts_tiles_down_and_tells_where_they_go() -> None:
    laid_out = record({"name": "Ann", "tiles": [dump_tile(DOMINO)]}, {"name": "Bob", "tiles": [dump_tile(DOMINO)]})
    guided = guide(load(GAME, laid_out), 0)
    json.dumps(guided)
    left = {tile["id"]: tile["left"] for tile in guided["tiles"]}
    assert (left["red-2"], left["blue-2"], left["purple-5"], left["white-1"]) == (0, 2, 1, 12)
    assert [tile["is_removable"] for tile in guided["laid"]] == [True]
    special = guide(load(GAME, laid_out), 0, "lay/white-1/0")
    [turn] = special["turns"]
    assert turn["pattern"] == ["W"] and turn["fits"] and special["fits"]
    puts = {square["name"]: square["put"] for row in special["squares"] for square in row if square["put"]}
    assert sorted(puts) == ["A3", "B1", "C1", "D1", "E1"]
    assert puts["A3"] == ["tiles/-", {"tile": "white-1", "cells": [[1, 3]], "brick": None}]


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.id)
def test_a_chosen_tile_can_be_turned_every_way(kind: Kind) -> None:
    house = load(GAME, record({"name": "Ann", "tiles": []}))
    for index, pattern in enumerate(kind.orientations):
        guided = guide(house, 0, f"lay/{kind.id}/{index}")
        assert [turn["pattern"] for turn in guided["turns"]] == [list(one) for one in kind.orientations]
        assert [turn["is_chosen"] for turn in guided["turns"]].index(True) == index
        corners = {place.corner for place in legal_drops(kind, ()) if place.pattern == pattern}
        assert sum(bool(square["put"]) for row in guided["squares"] for square in row) == len(corners)
    for odd in ("", "lay", "lay/red-9/0", f"lay/{kind.id}/99"):
        assert guide(house, 0, odd)["turns"] == []


@pytest.mark.parametrize(
    "player",
    [
        {"name": "Ann"},
        {"name": "Ann", "typed": {}},
        {"name": "Ann", "grid": ["W" * 7] * 12},
        {"name": "Ann", "tiles": [{"tile": "?", "cells": [[50, -50]]}]},
        {"name": "Ann", "tiles": "none"},
        None,
    ],
)
def test_the_guide_copes_with_what_is_half_entered(player: Any) -> None:
    assert len(guide(load(GAME, record(player)), 0)["tiles"]) == (21 if player and "tiles" in player else 0)
    assert guide(load(GAME, record(player)), 7)["near"] == []


def test_the_guide_tells_how_close_a_grid_is() -> None:
    grid = ["....."] * 8 + ["WWWW."]
    assert guide(load(GAME, record({"name": "Ann", "grid": grid})), 0)["near"] == [
        {"section": "Floor 1", "missing": "E1", "with_window": 2, "with_brick": 1}
    ]


def test_a_house_is_asked_for_as_a_grid_until_a_tile_is_laid() -> None:
    table = load(GAME, record({"name": "Ann"}, {"name": "Bob", "tiles": []}))
    assert [[asked.name for asked in asks(table, index)] for index in (None, 0, 1)] == [
        ["end"],
        ["grid"],
        ["tiles"],
    ]


def test_the_form_calls_the_spaces_by_their_names() -> None:
    grid = next(asked for asked in GAME.inputs if isinstance(asked, LettersInput))
    assert grid.cells[0][0] == "A9" and grid.cells[8] == ("A1", "B1", "C1", "D1", "E1")


def test_every_kind_of_tile_is_in_the_catalogue_with_its_pattern() -> None:
    assert {entry.id: entry.pattern for entry in GAME.cards.catalogue} == {
        kind.id: kind.pattern for kind in KINDS.values()
    }
