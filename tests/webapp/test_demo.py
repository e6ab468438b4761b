"""The demo club looks like a real one: evenings, regulars and guests, a rivalry, and points as in finished games."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from scorer import games
from webapp.cli import demo, demo_tables
from webapp.database import Database

pytestmark = pytest.mark.either


def seats(harbour: tuple[Database, int]) -> dict[int, list[dict[str, Any]]]:
    """Return the players of each game with their points."""
    db, club_id = harbour
    found: dict[int, list[dict[str, Any]]] = {}
    for row in db.query("SELECT play_id, player, total, rank, game FROM scores WHERE club_id = ?", [club_id]):
        found.setdefault(row["play_id"], []).append(row)
    return found


def test_it_meets_for_evenings_of_one_to_four_games_at_one_place(harbour: tuple[Database, int]) -> None:
    db, club_id = harbour
    rows = list(db.query("SELECT day, place FROM plays WHERE club_id = ?", [club_id]))
    evenings = Counter(row["day"] for row in rows)
    assert set(evenings.values()) == {1, 2, 3, 4}
    assert len({(row["day"], row["place"]) for row in rows}) == len(evenings)


def test_everybody_whom_a_place_or_a_note_names_was_there(harbour: tuple[Database, int]) -> None:
    db, club_id = harbour
    there = {play: [seat["player"] for seat in players] for play, players in seats(harbour).items()}
    evenings: dict[str, set[str]] = {}
    rows = list(db.query("SELECT id, day, place, notes FROM plays WHERE club_id = ?", [club_id]))
    for row in rows:
        evenings.setdefault(row["day"], set()).update(there[row["id"]])
    assert any("Ada" in row["place"] for row in rows) and any("Edith" in row["notes"] for row in rows)
    for row in rows:
        assert "Edith" not in row["notes"] or "Edith" in there[row["id"]]
        for name in demo.PEOPLE:
            assert name not in row["place"] or name in evenings[row["day"]]


def test_regulars_come_often_and_guests_now_and_then(harbour: tuple[Database, int]) -> None:
    played = Counter(seat["player"] for players in seats(harbour).values() for seat in players)
    guests = played.keys() - demo.PEOPLE.keys()
    assert guests and guests <= demo.GUESTS.keys()
    assert max(played[guest] for guest in guests) < min(played[name] for name in ("Ada", "Björn", "Chidi"))
    assert sum(played[guest] for guest in guests) < sum(played.values()) / 10


def test_the_two_who_meet_most_often_are_rivals(harbour: tuple[Database, int]) -> None:
    met: Counter[tuple[str, ...]] = Counter()
    ahead: Counter[str] = Counter()
    for players in seats(harbour).values():
        ranks = {seat["player"]: seat["rank"] for seat in players}
        met.update(combinations(sorted(ranks), 2))
        if {"Ada", "Björn"} <= ranks.keys() and ranks["Ada"] != ranks["Björn"]:
            ahead["Ada" if ranks["Ada"] < ranks["Björn"] else "Björn"] += 1
    assert met.most_common(1)[0][0] == ("Ada", "Björn")
    assert min(ahead.values()) >= 0.35 * ahead.total()


def test_players_end_with_points_as_in_finished_games(harbour: tuple[Database, int]) -> None:
    for players in seats(harbour).values():
        game = games.find(players[0]["game"])
        assert game is not None
        usual = demo_tables.usual_end(game)
        totals = sorted(seat["total"] for seat in players)
        assert usual["points"][0] <= totals[0] and totals[-2] <= usual["points"][1], (game.id, totals)
        assert totals[-1] <= usual["winner"][1], (game.id, totals)


def test_points_are_the_sum_of_their_lines(harbour: tuple[Database, int]) -> None:
    db, club_id = harbour
    sums = """SELECT scores.play_id, scores.seat, total, sum(points) AS lines FROM scores JOIN lines
        ON lines.play_id = scores.play_id AND lines.seat = scores.seat
        WHERE scores.club_id = ? GROUP BY scores.play_id, scores.seat, total"""
    rows = list(db.query(sums, [club_id]))
    assert len(rows) == sum(len(players) for players in seats(harbour).values())
    assert all(row["total"] == row["lines"] for row in rows)
