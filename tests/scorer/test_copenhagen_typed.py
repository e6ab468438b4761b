"""Copenhagen: lines typed instead of a house are refused if no house can show them."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.core import score
from scorer.games.copenhagen.facade import SECTIONS
from scorer.games.copenhagen.state import RULES
from scorer.games.copenhagen.typed_lines import COUNTS
from tests.scorer.houses import NOTHING, record


def problems(typed: dict[str, int], **facts: int) -> list[tuple[str, str, str]]:
    finished = record(NOTHING, NOTHING, end=None)
    finished["players"][0] = {"name": "Ann", "typed": typed, **facts}
    return [(p["code"], p["where"].removeprefix("/players/0/"), p["level"]) for p in score(finished)["problems"]]


def error(where: str) -> list[tuple[str, str, str]]:
    return [("bad_number", where, "error")]


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ({}, []),
        ({"floors": 3, "window_floors": 4, "columns": 2, "window_columns": 4}, []),
        ({"window_floors": 12}, []),
        ({"floors": 9, "columns": 10}, []),
        ({"floors": 8, "window_floors": 2, "columns": 6, "window_columns": 8}, []),
        ({"window_floors": 18, "window_columns": 20}, [("not_buildable", "typed/window_floors", "warning")]),
        # 37 windows leave 8 spaces for brickwork; 5 tiles of 4 windows, 3 of 3, and 7 special tiles bring 36.
        ({"window_floors": 2, "window_columns": 16}, [("not_buildable", "typed/window_floors", "warning")]),
        ({"floors": 10}, error("typed/floors")),
        ({"floors": 6, "window_floors": 8}, error("typed/floors")),
        ({"window_floors": 20}, error("typed/floors")),
        ({"columns": 12}, error("typed/columns")),
        ({"columns": 6, "window_columns": 12}, error("typed/columns")),
        ({"window_floors": 3}, error("typed/window_floors")),
        ({"columns": 3}, error("typed/columns")),
        ({"window_columns": 6}, error("typed/window_columns")),
        ({"floors": -1}, error("typed/floors")),
        ({"window_columns": -4}, error("typed/window_columns")),
        ({"floors": -1, "window_floors": 4}, error("typed/window_floors")),
        ({"columns": -2, "window_columns": 8}, error("typed/window_columns")),
        ({"floors": 9}, error("typed/columns")),
        ({"columns": 10, "floors": 8}, error("typed/floors")),
        ({"window_floors": 18, "columns": 10}, error("typed/window_floors")),
    ],
)
def test_lines_are_checked_alone_and_against_each_other(typed: dict[str, int], wanted: list[Any]) -> None:
    assert problems(typed) == wanted


@pytest.mark.parametrize(
    ("typed", "empty", "wanted"),
    [
        ({}, 45, []),
        ({}, 46, error("empty_spaces")),
        ({"floors": 5}, 20, []),
        ({"floors": 5}, 21, [("bad_number", "empty_spaces", "warning")]),
        ({"floors": 5}, 5, []),
        ({"floors": 5}, 4, [("bad_number", "empty_spaces", "warning")]),
        ({"floors": 9, "columns": 10}, 0, []),
    ],
)
def test_empty_spaces_are_checked_against_the_lines(typed: dict[str, int], empty: int, wanted: list[Any]) -> None:
    assert problems(typed, empty_spaces=empty) == wanted


def test_more_windows_than_floors_are_told_as_they_were_counted() -> None:
    finished = record(NOTHING, NOTHING, end=None)
    finished["players"][0] = {"name": "Ann", "typed": {"floors": -1, "window_floors": 4}}
    [problem] = score(finished)["problems"]
    assert problem["message"] == "Only 1 floor is finished, so 2 can’t be all windows."


def test_a_number_of_columns_in_place_of_their_points_is_recognised() -> None:
    finished = record(NOTHING, NOTHING, end=None)
    finished["players"][0] = {"name": "Ann", "typed": {"columns": 3}}
    [problem] = score(finished)["problems"]
    assert problem["message"].endswith("If you have 3 of them, enter 6.")


def test_what_is_counted_brings_the_points_of_the_lines() -> None:
    assert [count.rule for count in COUNTS] == list(RULES)
    worth = {section.kind: (section.points, section.points_all_windows) for section in SECTIONS}
    assert [count.each for count in COUNTS] == [*worth["floor"], *worth["column"]]
