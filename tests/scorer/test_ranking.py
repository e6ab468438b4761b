"""Places and the ladder of tie-breaks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.contract import Line, Missing, Sheet, Step, TieBreak
from scorer.ranking import Ranking, rank
from scorer.result import questions
from scorer.sentences import say
from scorer.spans import certain

LADDER = (Step("turns", say("fewest turns"), "fewest"), Step("symbols", say("most symbols"), "most"))


def sheet(name: str, points: int, turns: int | None = 0, symbols: int | None = 0, *needs: Missing) -> Sheet:
    line = Line("line", say("Line"), points, say("for the test"))
    rungs = (TieBreak("turns", turns, where=f"/{name}/turns"), TieBreak("symbols", symbols, where=f"/{name}/symbols"))
    return Sheet(name, (line,), rungs, needs)


def ranked(*sheets: Sheet) -> tuple[tuple[int, ...], tuple[str, ...], str | None]:
    standing = rank(sheets, LADDER)
    return standing.ranks, standing.winners, standing.decided_by


def test_more_points_win() -> None:
    assert ranked(sheet("Ann", 3), sheet("Bob", 5), sheet("Cid", -2)) == ((2, 1, 3), ("Bob",), "points")


def test_the_first_rung_that_differs_decides() -> None:
    assert ranked(sheet("Ann", 5, 2, 9), sheet("Bob", 5, 1, 0)) == ((2, 1), ("Bob",), "turns")
    assert ranked(sheet("Ann", 5, 2, 9), sheet("Bob", 5, 2, 0)) == ((1, 2), ("Ann",), "symbols")


def test_each_rung_looks_only_at_those_still_tied() -> None:
    sheets = sheet("Ann", 5, 1, 3), sheet("Bob", 5, 1, 4), sheet("Cid", 5, 2, 9), sheet("Dee", 4, 0, 99)
    assert ranked(*sheets) == ((2, 1, 3, 4), ("Bob",), "symbols")


def test_equal_on_every_rung_is_shared_and_the_next_place_is_left_out() -> None:
    assert ranked(sheet("Ann", 5), sheet("Bob", 5), sheet("Cid", 1)) == ((1, 1, 3), ("Ann", "Bob"), "shared")


def test_a_fact_nobody_entered_stops_the_ladder_and_is_asked_for() -> None:
    standing = rank([sheet("Ann", 5, None, 3), sheet("Bob", 5, 2, 9), sheet("Cid", 5, None, 1)], LADDER)
    question = {"input": "turns", "players": ["Ann", "Cid"], "where": ["/Ann/turns", "/Cid/turns"]}
    assert (standing.ranks, standing.winners, standing.decided_by) == ((1, 1, 1), ("Ann", "Bob", "Cid"), None)
    assert questions(standing.needs) == [question]


def test_nothing_is_asked_for_a_tie_below_the_victory() -> None:
    standing = rank([sheet("Ann", 9), sheet("Bob", 5, None), sheet("Cid", 5, None)], LADDER)
    assert standing == Ranking((1, 2, 2), ("Ann",), "points", ())


def test_lower_places_are_told_apart_as_far_as_facts_are_known() -> None:
    assert ranked(sheet("Ann", 9), sheet("Bob", 5, 2), sheet("Cid", 5, 1))[0] == (1, 3, 2)


NEED = Missing("amount", "Bob", "/table/amounts/Bob")


def open_sheet(name: str, low: int | None, high: int | None, turns: int | None = 0) -> Sheet:
    """A player whose only line is still to count."""
    line = Line("line", say("Line"), certain((low, high)), say("for the test"), span=(low, high))
    return replace(sheet(name, 0, turns, 0, NEED), lines=(line,))


@pytest.mark.parametrize(
    ("sheets", "winners", "decided_by"),
    [
        ([open_sheet("Ann", 9, None), sheet("Cid", 3)], ("Ann",), "points"),
        ([open_sheet("Ann", 9, None), sheet("Cid", 9)], (), None),
        ([open_sheet("Ann", 2, 8), sheet("Cid", 9)], ("Cid",), "points"),
        ([open_sheet("Ann", 2, 9), sheet("Cid", 9)], (), None),
        ([open_sheet("Ann", None, 8), sheet("Cid", 9)], ("Cid",), "points"),
        ([open_sheet("Ann", None, None), sheet("Cid", 99)], (), None),
        ([open_sheet("Ann", 9, 12), open_sheet("Cid", None, 8)], ("Ann",), "points"),
        ([open_sheet("Ann", 2, 8), sheet("Cid", 9, 1), sheet("Dee", 9, 2)], ("Cid",), "turns"),
        ([open_sheet("Ann", 2, 9), sheet("Cid", 9, 1), sheet("Dee", 9, 2)], (), None),
    ],
)
def test_a_winner_is_named_only_if_no_answer_can_change_it(
    sheets: list[Sheet], winners: tuple[str, ...], decided_by: str | None
) -> None:
    standing = rank(sheets, LADDER)
    assert (standing.winners, standing.decided_by) == (winners, decided_by)
    assert questions(standing.needs) == [{"input": "amount", "players": ["Bob"], "where": ["/table/amounts/Bob"]}]


def test_a_rung_that_a_game_mode_does_not_have_is_passed_over() -> None:
    def town(name: str, symbols: int) -> Sheet:
        return Sheet(name, (), (TieBreak("symbols", symbols),))

    assert ranked(town("Ann", 1), town("Bob", 2)) == ((2, 1), ("Bob",), "symbols")
