"""What a result says of its points and of what is still open."""

from __future__ import annotations

from typing import Any, cast

import pytest

from scorer.report import aligned, open_question, score_of, verdict
from scorer.result import PlayerResult, Result
from scorer.sentences import as_it_is


@pytest.mark.parametrize(
    ("player", "words"),
    [
        ({"total": 12}, "12"),
        ({"total": 12, "final": True, "range": [12, 12]}, "12"),
        ({"total": 12, "final": False, "range": [12, 18]}, "12 to 18"),
        ({"total": 12, "final": False, "range": [12, 12]}, "12"),
        ({"total": 12, "final": False, "range": [12, None]}, "at least 12"),
        ({"total": 0, "final": False, "range": [None, 18]}, "at most 18"),
        ({"total": 0, "final": False, "range": [None, None]}, "still to count"),
    ],
)
def test_a_total_says_how_far_it_is_open(player: dict[str, Any], words: str) -> None:
    assert str(score_of(cast(PlayerResult, player))) == words


COUNTED = {"input": "x", "label": as_it_is("Doves"), "players": ["Ann"]}
ENTERED = {"input": "y", "players": ["Bob"]}


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"winners": [], "decided_by": None}, "There is no winner yet. Still to count: Doves (Ann)."),
        ({"winners": ["Ann"], "decided_by": None}, "Ann wins either way. Still to count: Doves (Ann)."),
        (
            {"winners": ["Ann", "Bob"], "decided_by": None},
            "Ann and Bob are tied. To break the tie, enter: Doves (Ann).",
        ),
    ],
)
def test_the_open_question_depends_on_who_may_still_win(result: dict[str, Any], words: str) -> None:
    assert str(open_question(None, cast(Result, {**result, "needs": [COUNTED]}))) == words


@pytest.mark.parametrize(
    ("winners", "begins"), [([], "There is no winner yet. Enter: "), (["Ann"], "Ann wins either way. Still to enter: ")]
)
def test_facts_are_entered_unless_all_are_counts(winners: list[str], begins: str) -> None:
    result = {"winners": winners, "decided_by": None, "needs": [COUNTED, ENTERED]}
    assert str(open_question(None, cast(Result, result))).startswith(begins)


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert aligned([("Ann", "12", ""), ("Jose\u0301", "3", "x"), ("\u5b89", "100", "")]) == [
        "Ann    12",
        "Jose\u0301    3  x",
        "\u5b89    100",
    ]


@pytest.mark.parametrize(
    ("result", "unknown", "words"),
    [
        ({"winners": [], "decided_by": None}, (), "A score is missing, so there is no winner yet."),
        ({"winners": ["Bob"], "decided_by": "points"}, (), "Bob wins with 9."),
        ({"winners": ["Bob"], "decided_by": "points"}, (0,), "Bob wins with 9."),
        ({"winners": ["Bob"], "decided_by": "points"}, (1,), "Bob wins with ?."),
        ({"winners": ["Bob"], "decided_by": None}, (), "Bob wins with 9."),
    ],
)
def test_the_verdict_names_the_winner_and_the_points(
    result: dict[str, Any], unknown: tuple[int, ...], words: str
) -> None:
    players = [{"total": 5, "winner": False}, {"total": 9, "winner": "Bob" in result["winners"]}]
    assert str(verdict(None, cast(Result, {**result, "needs": [], "players": players}), unknown)) == words
