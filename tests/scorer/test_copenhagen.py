"""Copenhagen: what houses score, what they missed by a space, and what is no grid."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.core import score
from scorer.games.copenhagen import GAME
from scorer.games.copenhagen.facade import from_rows, points, to_rows
from scorer.games.copenhagen.score import one_short
from scorer.games.copenhagen.state import House, State
from tests.scorer.houses import EMPTY, NOTHING, Record, faults, house, record

LETTERS = st.lists(st.text("WB.", min_size=5, max_size=5), min_size=9, max_size=9)


def first_lines(finished: Record) -> dict[str, int]:
    result = score(finished)
    assert result["ok"], result["problems"]
    return {line["rule"]: line["points"] for line in result["players"][0]["lines"]}


# -- what a house scores ---


@pytest.mark.parametrize(
    ("grid", "lines"),
    [
        pytest.param(house("WWWW."), {}, id="four spaces of a floor are nothing"),
        pytest.param(house("WWWWW"), {"window_floors": 2}, id="a floor of windows"),
        pytest.param(house("WWBWW"), {"floors": 1}, id="one brick keeps a floor from being doubled"),
        pytest.param(house("BBBBB"), {"floors": 1}, id="brickwork alone is not doubled"),
        pytest.param(house(*["..W.."] * 8), {}, id="eight spaces of a column are nothing"),
        pytest.param(house(*["..W.."] * 9), {"window_columns": 4}, id="a column of windows"),
        pytest.param(house(*["..B.."] * 9), {"columns": 2}, id="a column of brickwork"),
        pytest.param(house("BWWWW", *["W...."] * 8), {"floors": 1, "columns": 2}, id="a brick in floor and column"),
        pytest.param(house(EMPTY, EMPTY, "WWWWW"), {"window_floors": 2}, id="any floor counts, held up or not"),
        pytest.param(house("WWWWW", "BWWWW", "WWWWW"), {"floors": 1, "window_floors": 4}, id="sorts are added up"),
    ],
)
def test_finished_floors_and_columns_score(grid: list[str], lines: dict[str, int]) -> None:
    assert first_lines(record(grid)) == lines


def test_a_full_house_of_windows_is_worth_38() -> None:
    assert points(from_rows(["WWWWW"] * 9)) == 9 * 2 + 5 * 4


@pytest.mark.parametrize(("rows", "total"), [(["BBBBB"] * 9, 19), (["BWWWW"] * 9, 27), (NOTHING, 0)])
def test_totals_beyond_the_track_are_kept(rows: list[str], total: int) -> None:
    assert points(from_rows(rows)) == total


def test_a_line_names_its_sections_and_spaces() -> None:
    [floors, windows] = score(record(house("BWWWW", "WWWWW", "WBWWW")))["players"][0]["lines"]
    assert floors["why"] == "Floors 1 and 3 with brickwork: 1 each"
    assert floors["cells"] == ["A1", "B1", "C1", "D1", "E1", "A3", "B3", "C3", "D3", "E3"]
    assert windows["why"] == "Floor 2, all windows: 2"
    assert windows["cells"] == ["A2", "B2", "C2", "D2", "E2"]


@given(LETTERS)
def test_a_house_mirrored_left_to_right_scores_the_same(rows: list[str]) -> None:
    assert points(from_rows(rows)) == points(from_rows([row[::-1] for row in rows]))
    assert list(to_rows(from_rows(rows))) == rows


@given(LETTERS)
def test_sections_are_counted_as_one_would_by_eye(rows: list[str]) -> None:
    lines = [(1, row) for row in rows] + [(2, "".join(column)) for column in zip(*rows, strict=True)]
    total = sum(worth * (1 if "B" in line else 2) for worth, line in lines if "." not in line)
    assert points(from_rows(rows)) == total


# -- one space short ---


def test_sections_one_space_short_are_told_with_what_they_would_have_brought() -> None:
    grid = house("WWWW.", "BW.WW", "WW..W", "W....", "W....", "W....", "W....", "W....")
    found = [(near.section, near.missing, near.with_window, near.with_brick) for near in one_short(from_rows(grid))]
    assert found == [("Floor 1", "E1", 2, 1), ("Floor 2", "C2", 1, 1), ("Column A", "A9", 2, 2)]


def test_one_space_can_be_missing_in_a_floor_and_a_column() -> None:
    grid = house(*["W...."] * 8, ".WWWW")
    assert [(near.section, near.with_window) for near in one_short(from_rows(grid))] == [
        ("Floor 9", 2),
        ("Column A", 4),
    ]


def better(grid: list[str]) -> tuple[int, tuple[str, ...], str] | None:
    assert GAME.what_if is not None
    found = GAME.what_if.best(State((House("Ann", tuple(grid)),)), 0)
    return None if found is None else (found.total, found.cells, found.why)


def test_the_best_special_tile_is_named() -> None:
    grid = house("WWWW.", *["W...."] * 6, "..WWW")
    why = "A special tile on E1 would also finish Floor 1: 2 points instead of 0"
    assert better(grid) == (2, ("E1",), why)
    both = house(*["W...."] * 8, ".WWWW")
    why = "A special tile on A9 would also finish Floor 9 and Column A: 6 points instead of 0"
    assert better(both) == (6, ("A9",), why)


def test_a_special_tile_is_not_suggested_in_the_air_or_where_it_gains_nothing() -> None:
    held = better(house("WW...", ".WWWW"))
    assert held is not None and held[:2] == (2, ("A2",))
    assert better(house(".WW..", ".WWWW")) is None
    assert better(["WWWWW"] * 9) is None


# -- grids ---


@pytest.mark.parametrize(
    ("grid", "wanted"),
    [
        (NOTHING[1:], [("grid_size", "/players/0/grid")]),
        ([*NOTHING, EMPTY], [("grid_size", "/players/0/grid")]),
        ([*NOTHING[1:], "WWWWWW"], [("grid_size", "/players/0/grid/8")]),
        ([*NOTHING[1:], "WXWWw"], [("bad_symbol", "/players/0/grid/8/1"), ("bad_symbol", "/players/0/grid/8/4")]),
        (["W😀...", *NOTHING[1:]], [("bad_symbol", "/players/0/grid/0/1")]),
        ([*NOTHING[1:], 5], [("unreadable", "/players/0/grid/8")]),
        ([*NOTHING[1:], "?"], [("grid_size", "/players/0/grid/8"), ("bad_symbol", "/players/0/grid/8/0")]),
    ],
)
def test_a_grid_is_nine_floors_of_five_known_letters(grid: list[Any], wanted: list[tuple[str, str]]) -> None:
    wrong = record(NOTHING)
    wrong["players"][0]["grid"] = grid
    assert faults(wrong) == wanted


def test_a_house_is_a_grid_or_tiles_and_not_both() -> None:
    both = record(NOTHING)
    both["players"][0]["tiles"] = []
    assert faults(both) == [("unknown_field", "/players/0/grid")]
    del both["players"][1]["grid"]
    assert ("missing_field", "/players/1/grid") in faults(both)


def test_facades_know_their_empty_spaces() -> None:
    assert from_rows(NOTHING).empty_spaces == 45
    assert from_rows(house("WWWWW", "WB..W")).empty_spaces == 37
