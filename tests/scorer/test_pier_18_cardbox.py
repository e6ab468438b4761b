"""The card box of Pier 18: plans by their goals, as Tenby's box holds its cards."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.games.pier_18.cardbox import CARDBOX

POETS = {"name": "Poets on both sides", "points": 5, "date": "06-14", "sections": ["P.", ".P", "S."]}


def box(*plans: Any, **others: Any) -> dict[str, Any]:
    return {"format": "tidemark-cards", "version": 1, "game": "pier_18", "plans": list(plans), **others}


def test_a_sound_box_is_exported_by_name() -> None:
    assert CARDBOX.empty() == box()
    fishers = {"name": "Five fishers"}
    assert CARDBOX.export(box(POETS, fishers)) == (box(fishers, POETS), [])
    assert CARDBOX.kinds == {"plans": "Plans"}


@pytest.mark.parametrize(
    ("faulty", "code", "where"),
    [
        (box({"points": 4}), "missing_field", "/plans/0/name"),
        (box({"name": " "}), "missing_field", "/plans/0/name"),
        (box({"name": 4}), "missing_field", "/plans/0/name"),
        (box(POETS, {"name": "poets on  BOTH sides"}), "duplicate_name", "/plans/1/name"),
        (box({**POETS, "points": -1}), "bad_number", "/plans/0/points"),
        (box({**POETS, "date": "31-12"}), "bad_date", "/plans/0/date"),
        (box({**POETS, "sections": ["P"]}), "row_width", "/plans/0/sections/0"),
        (box({**POETS, "sections": ["Q."]}), "unknown_symbol", "/plans/0/sections/0"),
        (box({**POETS, "achieved": True}), "unknown_field", "/plans/0/achieved"),
        ({**box(), "game": "tenby"}, "unknown_game", "/game"),
        ({**box(), "version": 2}, "unreadable", "/version"),
    ],
)
def test_a_fault_is_told_with_its_place_and_stops_an_import(faulty: Any, code: str, where: str) -> None:
    assert (code, where) in [(problem.code, problem.where) for problem in CARDBOX.export(faulty)[1]]
    assert CARDBOX.merge(box(POETS), faulty, ()).box == box(POETS)


def test_two_descriptions_complete_or_contradict_each_other() -> None:
    short = {"name": "Poets on both sides", "points": 5}
    merged = CARDBOX.merge(box(short), box(POETS), ())
    assert (merged.box, merged.completed) == (box(POETS), (("plans", "Poets on both sides"),))
    theirs = {**POETS, "points": 4, "date": "06-15"}
    merged = CARDBOX.merge(box(POETS), box(theirs), ())
    assert [conflict.fields for conflict in merged.conflicts] == [("points", "date")]
    assert merged.box == box(POETS)
    assert CARDBOX.put(box(POETS), "plans", theirs).box == box(theirs)
    assert CARDBOX.remove(box(POETS), "plans", "POETS on both sides") == box()


def test_of_a_plan_at_the_table_the_box_keeps_what_is_printed() -> None:
    assert CARDBOX.described("plans", POETS) == (POETS, [])
    assert CARDBOX.described("plans", {**POETS, "achieved": True}) == (POETS, [])
    assert CARDBOX.described("plans", {"points": 3})[0] is None
    assert CARDBOX.described("plans", "nothing")[0] is None


@pytest.mark.parametrize(
    ("plan", "words"),
    [(POETS, "5 points, 14 June"), ({"name": "Five fishers"}, ""), ({"name": "Jetty", "points": 1}, "1 point")],
)
def test_the_box_says_in_a_few_words_what_is_in_it(plan: dict[str, Any], words: str) -> None:
    assert CARDBOX.summary("plans", plan) == words


@pytest.mark.parametrize(("name", "named"), [("Five fishers", True), (" ", False), ("", False), (None, False)])
def test_a_goal_in_words_is_a_name(name: Any, named: bool) -> None:
    assert CARDBOX.is_named(name) is named
