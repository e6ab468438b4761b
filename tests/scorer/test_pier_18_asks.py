"""Tell what the form of Pier 18 asks for, and how long its boards are."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.contract import BoardInput, Input
from scorer.core import load
from scorer.games.pier_18 import GAME
from scorer.games.pier_18.cards import LONGEST
from scorer.games.pier_18.guide import guide
from scorer.games.pier_18.inputs import asks


def record(*players: dict[str, Any], **table: Any) -> dict[str, Any]:
    names = ["Ann", "Bob", "Cid"]
    entered = [{"name": name, **player} for name, player in zip(names, players, strict=False)]
    return {"game": "pier_18", "table": table, "players": entered}


def named(entered: dict[str, Any], player: int | None = 0) -> dict[str, Input]:
    return {asked.name: asked for asked in asks(load(GAME, entered), player)}


@pytest.mark.parametrize(
    ("players", "table", "rows", "length"),
    [
        (2, {}, None, 6),
        (3, {}, None, 5),
        (3, {"sections_per_card": 3}, None, 7),
        (2, {}, [".."] * 9, 9),
        (2, {}, ["S."], 6),
        (2, {"sections_per_card": 500}, None, LONGEST),
        (2, {}, "no list", 6),
    ],
)
def test_the_board_is_as_long_as_the_pier_or_the_shortest_there_is(
    players: int, table: dict[str, Any], rows: Any, length: int
) -> None:
    entered = record({} if rows is None else {"rows": rows}, *[{}] * (players - 1), **table)
    rows_asked = named(entered)["rows"]
    assert isinstance(rows_asked, BoardInput) and rows_asked.size == (length, 2)
    assert guide(load(GAME, entered), 0)["length"] == length


def test_sections_are_added_and_taken_off_within_what_the_cards_allow() -> None:
    def may(rows: int, **table: Any) -> tuple[bool, bool]:
        entered = guide(load(GAME, record({"rows": [".."] * rows}, {}, **table)), 0)
        return entered["add"], entered["remove"]

    assert may(6) == (True, False)
    assert may(7) == (True, True)
    assert may(12, sections_per_card=2) == (False, True)
    assert may(LONGEST) == (False, True)


def test_the_last_players_patrons_follow_from_the_others() -> None:
    assert named(record({}, {"patrons": 1}, {"typed": {"patrons": 2}}))["patrons"].default == 0
    assert named(record({}, {"patrons": 1}))["patrons"].default == 3
    assert named(record({}, {"patrons": 1}, {}))["patrons"].default is None
    assert named(record({}, {"patrons": "x"}))["patrons"].default is None


def test_the_points_of_a_plan_are_asked_for_when_it_is_achieved() -> None:
    assert "plan/points" not in named(record({"plan": {"achieved": False}}, {}))
    assert "plan/points" in named(record({"plan": {"achieved": True}}, {}))
    assert named(record({}, {}))["plan/date"].in_doubt


def test_a_plan_with_a_goal_is_described_for_the_box() -> None:
    described = {"plan/card/points", "plan/card/date", "plan/card/sections"}
    assert not described & set(named(record({"plan": {"achieved": True}}, {})))
    plan = {"achieved": True, "card": {"name": "Many poets"}}
    asked = set(named(record({"plan": plan}, {})))
    assert described <= asked and "plan/points" not in asked
    assert "plan/points" in named(record({"plan": {**plan, "points": 3}}, {}))  # to be corrected


def test_the_sea_end_of_the_pier_is_the_plan() -> None:
    """Nothing covers the last card."""
    card, rows = {"name": "Many poets"}, ["..", "..", "..", "..", "..", "P.", "SF"]

    def seen(plan: dict[str, Any], painted: list[str], **table: Any) -> tuple[Any, Any]:
        found = guide(load(GAME, record({"rows": painted, "plan": {"achieved": False, "card": plan}}, {}, **table)), 0)
        return found["seen"], found["lay"]

    assert seen(card, rows) == ([], [])  # nobody knows how many sections a card has
    assert seen(card, rows, sections_per_card=2) == (["P.", "SF"], [])
    known = {**card, "sections": ["P.", "SF"]}
    assert seen(known, rows) == ([], [])
    assert seen(known, rows[:-2]) == (["..", ".."], ["P.", "SF"])
    assert seen({"sections": ["P.", "SF"]}, rows[:-2]) == ([], [])  # without a goal


def test_a_pier_entered_card_by_card_is_kept_and_shown() -> None:
    entered = record({"cards": [{"sections": ["S.", ".P"]}, {"sections": ["F.", ".F"], "covers": 1}]}, {})
    assert "rows" not in named(entered) and named(entered)["cards"].kind == "data"
    assert guide(load(GAME, entered), 0)["rows"] == ["S.", "F.", ".F"]


def test_a_player_who_typed_is_asked_nothing() -> None:
    assert named(record({"typed": {"poets": 3}}, {})) == {}
    assert guide(load(GAME, record({"typed": {}}, {})), 0)["rows"] == []
