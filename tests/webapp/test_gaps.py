"""Scores that nobody knows: the games count as played, for the places that were told, and never for points."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer.core import score
from tests.webapp.bringing import bring, taken_out
from tests.webapp.conftest import Device
from tests.webapp.plays import club as home_of
from tests.webapp.plays import database
from webapp import clubs
from webapp.database import Database
from webapp.history import decision_of, listing, player_profiles, plays, rebuild, saved_plays
from webapp.statistics import Scope, results
from webapp.statistics import game as titles
from webapp.statistics import player as statistics

pytestmark = pytest.mark.either

PEOPLE = ("Ann", "Bob", "Cid")


def told(*scores: tuple[str, int, bool], number: int = 1) -> dict[str, Any]:
    """A play of BG Stats: each player's points, place and whether she won."""
    return {
        "uuid": f"U{number}",
        "gameRefId": 1,
        "playDate": f"2025-03-{number:02} 19:00:00",
        "playerScores": [
            {"playerRefId": seat, "score": points, "rank": rank, "winner": winner}
            for seat, (points, rank, winner) in enumerate(scores, start=1)
        ],
    }


def file(*found: dict[str, Any]) -> str:
    return json.dumps(
        {
            "plays": list(found),
            "games": [{"id": 1, "uuid": "G1", "name": "Tiny Towns", "bggId": 0}],
            "players": [{"id": at, "uuid": f"P{at}", "name": name} for at, name in enumerate(PEOPLE, start=1)],
            "locations": [],
        }
    )


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Database]:
    with database(tmp_path / "gaps.db") as opened:
        yield opened


def person(db: Database, home: int, name: str) -> Any:
    [found] = [row[0] for row in db.execute("SELECT id FROM players WHERE club_id = ? AND name = ?", [home, name])]
    one = player_profiles.find(db, found)
    assert one is not None
    return one


def met(db: Database, home: int, name: str) -> dict[str, tuple[int, int, int]]:
    found = statistics.opponents(results.people(db, home), statistics.meetings(db, person(db, home, name)))
    return {one.name: (one.won, one.lost, one.tied) for one in found}


def only_title(db: Database, home: int, name: str) -> statistics.TitleRecord:
    one = person(db, home, name)
    [found] = statistics.title_records(db, one, statistics.results_of(db, one))
    return found


def rating(db: Database, home: int, name: str) -> float:
    one = only_title(db, home, name)
    return one.rating.skill


def test_a_gap_counts_as_played_and_never_for_points(alone: Database) -> None:
    db, home = alone, home_of(alone)
    bring(db, home, file(told(("20", 0, True), ("", 0, False)), told(("10", 0, False), ("30", 0, True), number=2)))
    spread = titles.scores(db, Scope(home, "tiny_towns")).spread
    assert (spread.n, spread.mean, spread.worst) == (3, 20, 10)
    bob = only_title(db, home, "Bob")
    assert (bob.plays, bob.mean, bob.best, bob.wins.hits, bob.wins.of) == (2, 30, 30, 1, 2)
    margins = dict(db.execute("SELECT substr(played_at, 1, 10), margin FROM all_plays"))
    assert margins == {"2025-03-01": None, "2025-03-02": 20}
    assert rebuild.check(db) == []


def test_of_whom_no_score_is_known_there_is_no_average(alone: Database) -> None:
    db, home = alone, home_of(alone)
    bring(db, home, file(told(("20", 0, True), ("", 0, False))))
    bob = only_title(db, home, "Bob")
    assert (bob.plays, bob.mean, bob.best) == (1, None, None)
    assert [best.total for best in statistics.bests(db, person(db, home, "Bob"), "tiny_towns")] == []
    assert [record.total for record in titles.records(db, Scope(home, "tiny_towns"))] == [20]


def test_who_was_behind_whom_counts_as_far_as_it_was_told(alone: Database) -> None:
    db, home = alone, home_of(alone)
    bring(db, home, file(told(("20", 0, True), ("", 0, False), ("15", 0, False))))
    # Ann won, as was told. Whether Bob was ahead of Cid nobody said.
    assert met(db, home, "Bob") == {"Ann": (0, 1, 0)}
    assert met(db, home, "Ann") == {"Bob": (1, 0, 0), "Cid": (1, 0, 0)}
    assert rating(db, home, "Bob") == 25.0
    assert rating(db, home, "Ann") > 25 > rating(db, home, "Cid")
    assert rebuild.check(db) == []


def test_without_a_word_about_the_winner_a_gap_is_behind_nobody(alone: Database) -> None:
    db, home = alone, home_of(alone)
    bring(db, home, file(told(("20", 0, False), ("", 0, False), ("15", 0, False))))
    assert met(db, home, "Bob") == {}
    assert met(db, home, "Ann") == {"Cid": (1, 0, 0)}


def test_places_that_were_told_count_without_points(alone: Database) -> None:
    db, home = alone, home_of(alone)
    bring(db, home, file(told(("", 1, True), ("", 2, False), ("15", 3, False))))
    assert met(db, home, "Bob") == {"Ann": (0, 1, 0), "Cid": (1, 0, 0)}
    assert rating(db, home, "Ann") > rating(db, home, "Bob") > rating(db, home, "Cid")
    again = clubs.create(db, "Another")
    assert bring(db, again, taken_out(db, home)).added == 1  # the places come along with our own file
    assert met(db, again, "Bob") == {"Ann": (0, 1, 0), "Cid": (1, 0, 0)}


def test_a_gap_earns_nothing_that_points_earn(alone: Database) -> None:
    db, home = alone, home_of(alone)
    bring(db, home, file(told(("16", 0, True), ("", 0, False)), told(("", 0, False), ("1", 0, True), number=2)))
    earned = {name for (name,) in db.execute("SELECT achievement FROM achievements")}
    assert earned & {"twice_as_many", "narrow_win", "sweep_of_four"} == set()


def test_a_filled_gap_counts_for_points(alone: Database) -> None:
    db, home = alone, home_of(alone)
    bring(db, home, file(told(("20", 0, True), ("", 0, False))))
    [one] = listing.recent(db, home)
    play = saved_plays.find(db, one.key)
    assert play is not None
    record = json.loads(json.dumps(play.record))
    record["players"][1]["typed"] = {"total": 12}
    plays.edit(db, play, record, decision_of(record, score(record)))
    assert titles.scores(db, Scope(home, "tiny_towns")).spread.counts == {
        12: 1,
        20: 1,
    }
    assert rebuild.check(db) == []


def test_csv_tells_no_place_that_nobody_knows(alone: Database) -> None:
    db, home = alone, home_of(alone)
    bring(db, home, file(told(("20", 0, True), ("", 0, False), ("15", 0, False))))
    rows = list(csv.DictReader(io.StringIO(taken_out(db, home, "players"))))
    assert [(row["player"], row["total"], row["rank"]) for row in rows] == [
        ("Ann", "20", "1"),
        ("Bob", "", ""),
        ("Cid", "15", "2"),
    ]


OPEN = {
    "game": "pier_18",
    "table": {},
    "players": [
        {"name": "Ann", "typed": {"poets": 20, "patrons": "unknown"}},
        {"name": "Bob", "typed": {"total": 7}},
        {"name": "Cid", "typed": {"total": "unknown"}},
    ],
}


def test_open_scores_are_empty_in_every_export_and_come_back_open(alone: Database, tmp_path: Path) -> None:
    """Ann has at least 20 points and Cid any number, so nobody has won yet."""
    home = home_of(alone)
    plays.save(alone, home, OPEN, score(OPEN))
    rows = list(csv.DictReader(io.StringIO(taken_out(alone, home, "players"))))
    assert [(row["player"], row["total"], row["rank"], row["winner"]) for row in rows] == [
        ("Ann", "", "", ""),
        ("Bob", "7", "", ""),
        ("Cid", "", "", ""),
    ]
    [told_there] = json.loads(taken_out(alone, home, "bgstats"))["plays"]
    assert [one["score"] for one in told_there["playerScores"]] == ["", "7", ""]
    assert not any(one["winner"] for one in told_there["playerScores"])
    with database(tmp_path / "other.db") as other:
        away = home_of(other)
        bring(other, away, taken_out(alone, home))
        [one] = listing.recent(other, away)
        play = saved_plays.find(other, one.key)
        assert play is not None and play.record["players"][0]["typed"]["patrons"] == "unknown"
        assert [seat.total for seat in play.decision.seats] == [None, 7, None]
        assert not play.outcome.differs and rebuild.check(other) == []


def test_an_open_score_counts_for_no_average_record_streak_or_rating(alone: Database) -> None:
    home = home_of(alone)
    plays.save(alone, home, OPEN, score(OPEN))
    spread = titles.scores(alone, Scope(home, "pier_18")).spread
    assert (spread.n, spread.mean) == (1, 7)
    ann = only_title(alone, home, "Ann")
    assert (ann.plays, ann.best, ann.wins.of) == (1, None, 0)
    assert alone.execute("SELECT count(DISTINCT skill) FROM ratings").fetchone()[0] == 1


def test_the_best_game_is_the_best_of_those_whose_score_is_known(alone: Database) -> None:
    home = home_of(alone)
    unknown = told(("", 0, True), ("", 0, False), ("15", 0, False), number=1)
    bring(alone, home, file(unknown, told(("12", 0, True), ("11", 0, False), ("10", 0, False), number=2)))
    ann = only_title(alone, home, "Ann")
    [best] = statistics.bests(alone, person(alone, home, "Ann"), "tiny_towns")
    assert (ann.best, best.total, best.played_at[:10]) == (12, 12, "2025-03-02")


def test_pages_say_that_a_score_is_not_known(db: Database, club: int, owner: Device) -> None:
    bring(db, club, file(told(("", 0, True), ("", 0, False), ("15", 0, False))))
    [one] = listing.recent(db, club)
    page = owner.get(f"/plays/{one.key}")
    assert "<strong>Ann</strong><b>?</b>" in page and "<strong>Bob</strong><b>?</b>" in page
    assert "1. Ann: ?\n2. Cid: 15\n?. Bob: ?\nAnn wins with ?." in page
    assert "<td>?</td><td>?</td><td>15</td>" in owner.get(f"/plays/{one.key}/sheet")
    assert "Ann won with ?" in owner.get("/plays")
    assert "<dt>Average</dt><dd>?</dd>" in owner.get(f"/players/{person(db, club, 'Bob').id}")
