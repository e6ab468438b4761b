"""Copenhagen: which tiles, special tiles and ends of the game are refused, and which are not."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.core import score
from scorer.games.copenhagen.tiles import COPIES, KINDS, SHAPES
from tests.scorer.houses import NOTHING, Record, along, codes, faults, house, record, tile, up, with_tiles


def test_there_are_21_kinds_and_62_tiles_in_the_box() -> None:
    assert len(KINDS) == 21
    most = {2: 3, 3: 3, 4: 3, 5: 1}  # what the box holds
    assert COPIES[4] == most
    assert all(COPIES[players][size] <= most[size] for players in COPIES for size in most)
    assert sum(most[kind.size] for kind in KINDS.values() if kind.has_brick) + 12 == 62


@pytest.mark.parametrize(
    ("kind", "ways"),
    [
        *(("purple-2", 4), ("purple-3", 4), ("red-3", 8), ("green-4", 4), ("red-4", 4), ("blue-4", 8), ("yellow-4", 8)),
        *(("purple-5", 4), ("green-5", 4), ("red-5", 8), ("blue-5", 4), ("yellow-5", 8), ("white-1", 1)),
    ],
)
def test_tiles_turn_and_mirror(kind: str, ways: int) -> None:
    assert len(KINDS[kind].orientations) == len(SHAPES[kind]) == ways


@pytest.mark.parametrize(
    ("kind", "cells", "brick"),
    [
        ("blue-4", [(1, 1), (1, 2), (1, 3), (2, 1)], (1, 3)),
        ("blue-4", [(2, 1), (2, 2), (2, 3), (1, 1)], (2, 3)),
        ("yellow-4", [(1, 1), (2, 1), (2, 2), (3, 2)], (2, 2)),
        ("yellow-4", [(2, 1), (3, 1), (1, 2), (2, 2)], (2, 1)),
        ("yellow-5", [(1, 3), (2, 3), (2, 2), (2, 1), (3, 1)], (3, 1)),
        ("yellow-5", [(3, 3), (2, 3), (2, 2), (2, 1), (1, 1)], (3, 3)),
        ("red-5", [(1, 1), (2, 1), (1, 2), (2, 2), (3, 1)], (3, 1)),
        ("green-5", [(2, 1), (1, 2), (2, 2), (3, 2), (2, 3)], (2, 1)),
        ("blue-5", [(1, 1), (1, 2), (1, 3), (2, 2), (3, 2)], (3, 2)),
        ("green-4", [(1, 1), (2, 1), (3, 1), (2, 2)], (2, 2)),
    ],
)
def test_both_sides_of_a_tile_may_be_used(kind: str, cells: list[tuple[int, int]], brick: tuple[int, int]) -> None:
    assert codes(with_tiles(tile(kind, *cells, brick=brick))) == []


@pytest.mark.parametrize(
    ("laid", "wanted"),
    [
        (tile("pink-2", (1, 1), (2, 1), brick=(1, 1)), [("unknown_tile", "/tile")]),
        (tile("white-2", (1, 1), (2, 1)), [("unknown_tile", "/tile")]),
        (tile("purple-3", (1, 1), (2, 1), (2, 2), brick=(1, 1)), [("shape", "/cells")]),
        (tile("purple-3", (1, 1), (2, 1), brick=(1, 1)), [("shape", "/cells")]),
        (tile("purple-3", (1, 1), (2, 1), (2, 1), brick=(1, 1)), [("shape", "/cells")]),
        (tile("purple-2", brick=(1, 1)), [("shape", "/cells")]),
        (tile("purple-3", (1, 1), (2, 1), (3, 1), brick=(2, 1)), [("brick_position", "/brick")]),
        (tile("red-3", (1, 1), (2, 1), (2, 2), brick=(2, 1)), [("brick_position", "/brick")]),
        (tile("purple-3", (1, 1), (2, 1), (3, 1), brick=(4, 1)), [("brick_position", "/brick")]),
        (tile("purple-3", (1, 1), (2, 1), (3, 1)), [("brick_position", "/brick")]),
        (tile("blue-4", (1, 1), (1, 2), (1, 3), (2, 1), brick=(2, 1)), [("brick_position", "/brick")]),
        (tile("purple-2", (5, 1), (6, 1), brick=(5, 1)), [("off_board", "/cells")]),
        (tile("purple-2", (1, 0), (1, 1), brick=(1, 1)), [("off_board", "/cells")]),
        (tile("purple-2", (3, 4), (4, 4), brick=(3, 4)), [("unsupported", "/cells")]),
        (tile("purple-2", (3, 9), (3, 10), brick=(3, 9)), [("off_board", "/cells"), ("unsupported", "/cells")]),
    ],
)
def test_a_single_wrong_tile_is_pointed_out(laid: Record, wanted: list[tuple[str, str]]) -> None:
    assert faults(with_tiles(laid)) == [(code, f"/players/0/tiles/0{where}") for code, where in wanted]


def test_the_brick_may_be_left_out_of_a_special_tile_only() -> None:
    coat = up("purple-3", 3, 1)
    special: Record = {"tile": "white-1", "cells": [[4, 1]]}
    assert codes(with_tiles(coat, special)) == []
    special["brick"] = [4, 1]
    assert faults(with_tiles(coat, special)) == [("brick_position", "/players/0/tiles/1/brick")]
    del coat["brick"], special["brick"]
    assert faults(with_tiles(coat, special)) == [("brick_position", "/players/0/tiles/0/brick")]


@pytest.mark.parametrize(
    "broken",
    [
        {"tile": "purple-2", "cells": [[1, 1], [2]], "brick": [1, 1]},
        {"tile": "purple-2", "cells": [[1, 1], "A2"], "brick": [1, 1]},
        {"tile": "purple-2", "cells": [[1, 1], [2, 1.5]], "brick": [1, 1]},
        {"tile": "purple-2", "cells": [[1, 1], [2, True]], "brick": [1, 1]},
        {"tile": 2, "cells": [[1, 1], [2, 1]], "brick": [1, 1]},
        {"tile": "purple-2", "brick": [1, 1]},
        "purple-2",
    ],
)
def test_a_tile_that_cannot_be_read_makes_no_other_float(broken: Any) -> None:
    found = faults(with_tiles(broken, along("red-2", 1, 2)))
    assert found and all(where.startswith("/players/0/tiles/0") for _, where in found)


def test_two_tiles_on_one_space_overlap() -> None:
    finished = with_tiles(along("purple-3", 1, 1), along("red-2", 3, 1))
    assert faults(finished) == [("overlap", "/players/0/tiles/1/cells")]
    assert "C1" in score(finished)["problems"][0]["message"]


@pytest.mark.parametrize(
    "tiles",
    [
        pytest.param([along("red-2", 1, 2), along("blue-2", 1, 1)], id="entered in any order"),
        pytest.param([up("red-2", 1, 1), along("purple-5", 1, 3)], id="one space is enough"),
        pytest.param([up("purple-3", 1, 1), along("purple-5", 1, 4), along("green-3", 3, 1)], id="below an overhang"),
        pytest.param(
            [up("red-2", 1, 1), tile("red-3", (1, 3), (2, 3), (2, 2), brick=(2, 2))], id="hanging down over a hole"
        ),
    ],
)
def test_a_house_that_could_be_laid_in_some_order_is_legal(tiles: list[Record]) -> None:
    assert codes(with_tiles(*tiles)) == []


@pytest.mark.parametrize(
    ("tiles", "floating"),
    [
        pytest.param([up("red-2", 1, 1), along("blue-2", 2, 2)], [1], id="beside a tile is not above it"),
        pytest.param([along("red-2", 1, 2), along("blue-2", 1, 3)], [0, 1], id="a whole stack in the air"),
        pytest.param(
            [
                tile("red-3", (1, 3), (2, 3), (1, 4), brick=(1, 4)),
                tile("blue-3", (2, 4), (3, 4), (3, 3), brick=(3, 3)),
                tile("yellow-3", (4, 4), (4, 3), (5, 3), brick=(5, 3)),
            ],
            [0, 1, 2],
            id="tiles that could only hold each other up",
        ),
    ],
)
def test_tiles_that_no_order_supports_are_pointed_out(tiles: list[Record], floating: list[int]) -> None:
    assert faults(with_tiles(*tiles)) == [("unsupported", f"/players/0/tiles/{at}/cells") for at in floating]


def test_a_ring_of_tiles_in_which_each_rests_on_the_next_floats() -> None:
    lower = tile("red-3", (2, 5), (2, 4), (3, 4), brick=(3, 4))  # C4 is below C5, B5 is the top
    upper = tile("blue-3", (3, 5), (3, 6), (2, 6), brick=(3, 5))  # B6 is above B5, C5 is above C4
    assert [code for code, _ in faults(with_tiles(lower, upper))] == ["unsupported", "unsupported"]


@pytest.mark.parametrize(
    ("players", "kind", "most"),
    [
        *((2, "green-2", 2), (2, "green-3", 2), (2, "purple-5", 1)),
        *((3, "green-2", 2), (3, "green-3", 3), (3, "purple-4", 2)),
        *((4, "green-2", 3), (4, "purple-4", 3), (4, "purple-5", 1)),
    ],
)
def test_tiles_of_a_kind_run_out_over_all_players(players: int, kind: str, most: int) -> None:
    houses = [[along(kind, 1, floor) for floor in range(1, 6)][:most], [along(kind, 1, 1)]]
    finished: Record = {
        "game": "copenhagen",
        "table": {},
        "players": [{"name": str(n), "tiles": houses[n] if n < 2 else []} for n in range(players)],
    }
    assert faults(finished) == [("supply", "/players/1/tiles/0/tile")]
    finished["players"][1]["tiles"] = []
    assert faults(finished) == []


# -- special tiles ---

SPECIAL = tile("white-1", (4, 1))


def test_a_special_tile_needs_a_coat_of_arms() -> None:
    assert faults(with_tiles(along("purple-3", 1, 1), SPECIAL)) == [("white_exceeds_coats", "/players/0/tiles/1/tile")]
    assert codes(with_tiles(up("purple-3", 3, 1), SPECIAL)) == []


def test_a_finished_coat_floor_earns_a_special_tile() -> None:
    floors = [along("purple-5", 1, 1), along("green-3", 1, 2), along("red-2", 4, 2)]
    assert codes(with_tiles(*floors, tile("white-1", (1, 3)))) == []
    assert codes(with_tiles(*floors, tile("white-1", (1, 3)), tile("white-1", (2, 3)))) == ["white_exceeds_coats"]


def test_a_special_tile_may_finish_the_coat_floor_that_brings_the_next() -> None:
    coat = [up("purple-3", 3, 1), along("red-2", 1, 1), along("red-2", 1, 2), along("blue-2", 4, 1)]
    chain = [tile("white-1", (4, 2)), tile("white-1", (5, 2))]
    # The first is earned on C3; the second finishes floor 2, too late for itself.
    assert codes(with_tiles(*coat, *chain)) == ["white_exceeds_coats"]
    domino = [up("yellow-2", 5, 2), tile("white-1", (4, 2)), tile("white-1", (4, 3))]
    assert codes(with_tiles(*coat, *domino)) == []


def test_a_special_tile_cannot_carry_the_tile_that_earns_it() -> None:
    assert codes(with_tiles(up("blue-2", 3, 2), tile("white-1", (3, 1)))) == ["white_exceeds_coats"]
    held = tile("blue-3", (2, 2), (3, 2), (3, 3), brick=(2, 2))
    assert codes(with_tiles(held, along("red-2", 1, 1), tile("white-1", (3, 1)))) == []


def test_no_more_than_twelve_special_tiles_are_in_the_box() -> None:
    finished = with_tiles(players=4)
    for player in finished["players"]:
        player["tiles"] = [tile("white-1", (column, 1)) for column in (1, 2, 3, 4)]
    assert [where for code, where in faults(finished) if code == "supply"] == [
        f"/players/3/tiles/{at}/tile" for at in range(4)
    ]


# -- the end ---

ELEVEN = house("WWWWW", "WWWWW", "WWWWW", "WWWWW", "WWWWW", "BWWWW")
TWELVE = house("WWWWW", "WWWWW", "WWWWW", "WWWWW", "WWWWW", "WWWWW")


@pytest.mark.parametrize(
    ("finished", "wanted"),
    [
        (record(ELEVEN, end="card"), []),
        (record(TWELVE, end="points"), []),
        (record(TWELVE, end=None), []),
        (record(ELEVEN, end=None), []),
        (record(ELEVEN, end="points"), [("end_points_but_nobody_at_12", "/table/end")]),
        (record(TWELVE, end="card"), [("end_card_but_someone_at_12", "/table/end")]),
        (record(TWELVE, TWELVE, end="points"), [("two_players_at_12", "/players")]),
        (record(TWELVE, TWELVE, end=None), [("two_players_at_12", "/players")]),
        (record(TWELVE, ["X...."] * 9, end="card"), [("bad_symbol", f"/players/1/grid/{row}/0") for row in range(9)]),
    ],
)
def test_the_end_agrees_with_the_totals(finished: Record, wanted: list[tuple[str, str]]) -> None:
    assert faults(finished) == wanted


@pytest.mark.parametrize(
    ("typed", "end", "wanted"),
    [
        ([{"total": 13}, {"total": 12}], None, [("two_players_at_12", "/players")]),
        ([{"window_floors": 12}, {"floors": 3}], "points", []),  # 12 points and 3
        ([{"window_floors": 12}, {"floors": 3}], "card", [("end_card_but_someone_at_12", "/table/end")]),
        ([{"total": 11}, {"floors": 6}], "points", [("end_points_but_nobody_at_12", "/table/end")]),
        ([{"total": 11}, {}], "points", []),  # nobody knows what Bob has
        ([{"total": 12}, {"columns": 3}], "card", [("bad_number", "/players/1/typed/columns")]),
    ],
)
def test_typed_totals_agree_with_the_end(typed: list[Record], end: str | None, wanted: list[tuple[str, str]]) -> None:
    finished = record(NOTHING, NOTHING, end=end)
    finished["players"] = [{"name": name, "typed": lines} for name, lines in zip(("Ann", "Bob"), typed, strict=True)]
    assert faults(finished) == wanted


def test_a_typed_total_is_held_against_a_house() -> None:
    finished = record(TWELVE, NOTHING, end="points")
    finished["players"][1] = {"name": "Bob", "typed": {"floors": 6, "window_columns": 16}, "empty_spaces": 3}
    assert [fault for fault in faults(finished) if fault[0] != "not_buildable"] == [("two_players_at_12", "/players")]


def test_a_tie_of_typed_totals_asks_for_the_empty_spaces() -> None:
    finished = record(ELEVEN, NOTHING)
    finished["players"][1] = {"name": "Bob", "typed": {"floors": 7, "columns": 4}}
    result = score(finished)
    assert result["needs"] == [{"input": "empty_spaces", "players": ["Bob"], "where": ["/players/1/empty_spaces"]}]
    finished["players"][1]["empty_spaces"] = 6
    assert score(finished)["winners"] == ["Bob"]


COLOURS = ("purple", "green", "red", "blue", "yellow")
LAYERS = [
    *(up(kind, column, 1) for column, kind in enumerate(["purple-3"] * 3 + ["green-3"] * 2, 1)),
    *(up(f"{colour}-2", column, floor) for floor in (4, 6) for column, colour in enumerate(COLOURS, 1)),
]  # seven floors, each tile on its own column: 1 + 2 + 2 and twice 1 + 2, together 11
TOPS = [up(f"{colour}-2", column, 8) for column, colour in enumerate(COLOURS, 1)]  # each finishes a column, 2 points


def test_one_last_tile_may_bring_twelve() -> None:
    assert faults(with_tiles(*LAYERS, end="card", players=4)) == []
    finished = with_tiles(*LAYERS, TOPS[2], end="points", players=4)
    assert faults(finished) == [] and score(finished)["players"][0]["total"] == 13


@pytest.mark.parametrize("tops", [2, 3, 4])
def test_a_house_with_twelve_points_before_any_last_tile_came_too_late(tops: int) -> None:
    finished = with_tiles(*LAYERS, *TOPS[:tops], end="points", players=4)
    assert faults(finished) == [("game_should_have_ended_earlier", "/players/0/tiles")]


def test_special_tiles_may_belong_to_the_last_turn() -> None:
    # The tile on D8 covers the coat on D9 for 13, and the special tile on C8 is laid in the same turn.
    finished = with_tiles(*LAYERS, TOPS[3], tile("white-1", (3, 8)), end="points", players=4)
    assert faults(finished) == []
    # Two special tiles and column A: without the last tile on D8 or A8, the rest has 13 points all the same.
    finished = with_tiles(*LAYERS, TOPS[3], TOPS[0], tile("white-1", (3, 8)), end="points", players=4)
    assert faults(finished) == [("game_should_have_ended_earlier", "/players/0/tiles")]


def test_without_the_special_tiles_of_the_last_turn_the_rest_must_stand() -> None:
    # Column C is finished by two special tiles; without them and the tile on D8 there were 11 points.
    specials = [tile("white-1", (3, 8)), tile("white-1", (3, 9))]
    finished = with_tiles(*LAYERS, TOPS[3], *specials, end="points", players=4)
    assert faults(finished) == [] and score(finished)["players"][0]["total"] == 15
