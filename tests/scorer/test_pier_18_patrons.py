"""Pier 18: who attracts the patron during the game."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.games.pier_18.patrons import patron_phase

ANN = {"name": "Ann", "rows": ["S.", "P.", "PF"], "date": "06-14"}  # seller 2, poets 1, fisher 1
BOB = {"name": "Bob", "rows": ["F.", "F.", ".."], "date": "03-02"}  # fishers 2
CID = {"name": "Cid", "rows": ["PP", "..", ".F"], "date": "08-01"}  # poets 1, fisher 1


def phase(symbols: str, *players: Any) -> Any:
    return {"symbols": list(symbols), "players": list(players)}


@pytest.mark.parametrize(
    ("symbols", "players", "winner", "points"),
    [
        ("F", (ANN, BOB), "Bob", {"Ann": 1, "Bob": 2}),
        ("P", (ANN, BOB), "Ann", {"Ann": 1, "Bob": 0}),
        ("SP", (ANN, BOB, CID), "Ann", {"Ann": 3, "Bob": 0, "Cid": 1}),
        ("PF", (ANN, BOB, CID), "Bob", {"Ann": 2, "Bob": 2, "Cid": 2}),
        ("P", (ANN, BOB, CID), "Ann", {"Ann": 1, "Bob": 0, "Cid": 1}),
        ("L", (ANN, BOB, CID), "Bob", {"Ann": 0, "Bob": 0, "Cid": 0}),
    ],
)
def test_most_points_in_the_pictured_characters_then_the_earliest_date(
    symbols: str, players: Any, winner: str, points: dict[str, int]
) -> None:
    answer = patron_phase(phase(symbols, *players))
    assert answer["ok"], answer["problems"]
    assert (answer["winner"], answer["points"]) == (winner, points)
    assert winner in answer["why"]


def test_dates_are_asked_only_of_those_who_tie() -> None:
    undated = [{key: value for key, value in player.items() if key != "date"} for player in (ANN, BOB, CID)]
    assert patron_phase(phase("F", *undated))["winner"] == "Bob"
    answer = patron_phase(phase("P", *undated))
    assert (answer["winner"], answer["ask"]) == (None, ["Ann", "Cid"])


def test_equal_dates_are_looked_at_again() -> None:
    answer = patron_phase(phase("P", ANN, {**CID, "date": "06-14"}))
    assert (answer["winner"], answer["ask"]) == (None, ["Ann", "Cid"])


def test_a_pier_may_be_told_card_by_card_and_lovers_may_look_across() -> None:
    cards = {"name": "Dee", "cards": [{"sections": ["LP", "P."]}, {"sections": ["..", ".."], "covers": 1}]}
    assert patron_phase(phase("L", cards, BOB))["points"] == {"Dee": 2, "Bob": 0}
    assert patron_phase({**phase("L", cards, BOB), "lovers_across": "must_be_empty"})["points"] == {"Dee": 0, "Bob": 0}


@pytest.mark.parametrize(
    ("entered", "faults"),
    [
        (phase("X", ANN, BOB), [("unknown_symbol", "/symbols/0")]),
        (phase("", ANN, BOB), [("missing_field", "/symbols")]),
        (phase("S", ANN), [("player_count", "/players")]),
        (phase("S", ANN, ANN), [("duplicate_name", "/players/1/name")]),
        (phase("S", ANN, {**BOB, "rows": ["Q.", "S"]}), [
            ("unknown_symbol", "/players/1/rows/0"),
            ("row_width", "/players/1/rows/1"),
        ]),
        (phase("S", ANN, {**BOB, "date": "31 June"}), [("bad_date", "/players/1/date")]),
        (phase("S", ANN, {**BOB, "hat": 1}), [("unknown_field", "/players/1/hat")]),
        (phase("S", ANN, {"name": "Bob"}), [("missing_field", "/players/1/rows")]),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_pointed_out(entered: Any, faults: list[tuple[str, str]]) -> None:
    answer = patron_phase(entered)
    assert not answer["ok"]
    assert [(problem["code"], problem["where"]) for problem in answer["problems"]] == faults


@pytest.mark.parametrize("entered", [None, [], {}, {"players": [[], 1, None, {}] * 9, "symbols": [[]]}])
def test_nothing_makes_the_phase_raise(entered: Any) -> None:
    assert patron_phase(entered)["ok"] is False


@pytest.mark.parametrize(
    ("symbols", "players", "why"),
    [
        ("F", (ANN, BOB), "Bob scores most: 2"),
        ("SPL", (ANN, BOB), "Ann scores most: 3"),
        (
            "L",
            (ANN, BOB, CID),
            "Ann, Bob and Cid score 0 each. The last card of Bob has the earliest date: 03-02",
        ),
    ],
)
def test_why_the_patron_comes(symbols: str, players: Any, why: str) -> None:
    assert patron_phase(phase(symbols, *players))["why"] == why
