"""Long work goes on in steps: whatever is stopped in between, by force too, it ends exactly as a count from scratch."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.webapp.engines import copied, place
from tests.webapp.plays import club, database, draft, typed
from webapp import clubs
from webapp.cli import demo
from webapp.database import Database, connect
from webapp.database.sqlite import Sqlite
from webapp.history import TALLIES, Person, chores, people, recount, replay, work
from webapp.history import plays as history

PLAYS = 400
KILLS, REAL_KILLS = 40, 10
GAME = "tiny_towns"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with some seasons of games."""
    path = tmp_path_factory.mktemp("work") / "harbour.db"
    with pytest.MonkeyPatch.context() as patch, database(path) as db:
        patch.setattr(demo, "POOL", 20)
        demo.seed(db, PLAYS)
        work.finish(db)
    return place(path)


@pytest.fixture
def path(harbour: str, tmp_path: Path) -> str:
    return copied(harbour, tmp_path / "t.db")


@pytest.fixture
def db(path: str) -> Iterator[Database]:
    with closing(connect(path)) as opened:
        yield opened


@pytest.fixture
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "SLICE", 7)


def person(db: Database, name: str) -> Person:
    found = people.find(db, clubs.player_id(db, club(db), name))
    assert found is not None
    return found


def oldest(db: Database, game: str = GAME) -> history.Play:
    [play_id] = db.execute(
        "SELECT id FROM kept_plays WHERE game = ? AND deleted_at IS NULL ORDER BY played_at, id LIMIT 1", [game]
    ).fetchone()
    found = history.by_id(db, play_id)
    assert found is not None
    return found


def counted_from_nothing(db: Database) -> dict[str, str]:
    """What a count finds when nothing is counted."""
    with db.atomic():
        for table in ("kept_lines", "earned", "kept_scores", "retellings", *TALLIES, "tally_earned"):
            db.execute(f"DELETE FROM {table}")
    recount.recount(db)
    return recount.fingerprints(db)


def test_a_changed_past_is_told_again_in_slices_and_ends_like_a_count_from_nothing(
    db: Database, short_slices: None
) -> None:
    home = club(db)
    history.delete(db, oldest(db))
    [told] = replay.under_way(db, home)
    assert (told.game, told.done) == (GAME, 7)
    assert work.step(db)
    [told] = replay.under_way(db, home)
    assert told.done == 14
    assert told.total is not None and told.total > 50
    assert recount.recount(db, repair=False) == [], "what is being told again is not wrong"
    work.finish(db)
    assert replay.under_way(db, home) == []
    assert recount.fingerprints(db) == counted_from_nothing(db)


def test_plays_that_are_saved_meanwhile_before_and_behind_that_moment_are_right_in_the_end(
    db: Database, short_slices: None
) -> None:
    home, chance = club(db), random.Random(7)
    later = oldest(db)
    history.delete(db, later)
    for _ in range(12):
        work.step(db)
        table = typed({"Ada": chance.randint(0, 9), "Hiro": 10 + chance.randint(0, 9)}, GAME)
        year = chance.choice(["2023", "2024", "2025", "2026"])
        history.save_all(db, home, [draft(table, f"{year}-12-24T20:00:{chance.randint(10, 59)}Z")])
    history.restore(db, later)
    history.describe(db, oldest(db), "", "", None, "2025-06-01T12:00:00Z")
    work.finish(db)
    assert recount.recount(db, repair=False) == []
    assert recount.fingerprints(db) == counted_from_nothing(db)


def is_over(steps: Iterator[int]) -> int:
    """Whether SQLite is to break off."""
    return int(next(steps, None) is None)


@pytest.mark.sqlite
def test_whoever_is_stopped_anywhere_is_followed_by_somebody_who_ends_it(
    db: Database, path: str, short_slices: None
) -> None:
    """Stopped forty times wherever SQLite happens to be, within transactions and between them."""
    chance = random.Random(18)
    stopped_early, taken_out = 0, None
    for _ in range(KILLS):
        with closing(connect(path)) as opened:
            if taken_out is None:
                taken_out = oldest(opened)
                history.delete(opened, taken_out)
            elif not replay.under_way(opened, club(opened)):
                history.restore(opened, taken_out)
                taken_out = None
            steps = iter(range(chance.randint(1, 1_500)))
            assert isinstance(opened, Sqlite)
            opened.conn.set_progress_handler(partial(is_over, steps), 20)
            try:
                work.finish(opened)
            except sqlite3.OperationalError as fault:
                stopped_early += "interrupted" in str(fault)
    assert stopped_early > KILLS // 2
    with closing(connect(path)) as opened:
        work.finish(opened)
        assert recount.recount(opened, repair=False) == []
        assert recount.fingerprints(opened) == counted_from_nothing(opened)


# At every statement it takes a breath, so that it is still at work when it is killed, however fast the machine.
WORKER = """
import sys, time
from webapp.database import connect
from webapp.history import replay, work
replay.SLICE = 5
db = connect(sys.argv[1])
plain = db.execute
db.execute = lambda *asked: time.sleep(0.001) or plain(*asked)
print("ready", flush=True)
work.finish(db)
"""


def test_a_killed_process_leaves_work_that_the_next_one_ends(db: Database, path: str) -> None:
    """Really killed, at ten moments, while careers are told again and while two are made one."""
    chance = random.Random(5)
    away, killed = person(db, "Grete"), 0
    stranger = clubs.player_id(db, club(db), "Nobody yet")
    other = people.find(db, stranger)
    assert other is not None
    assert people.merge(db, away, other)
    for _ in range(REAL_KILLS):
        history.delete(db, oldest(db))
        process = subprocess.Popen(
            [sys.executable, "-c", WORKER, path],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0.0, 0.25))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        process.stdout.close()
    assert killed > REAL_KILLS // 2, "most of them were still at work"
    work.finish(db)
    assert people.find(db, away.id) is None
    assert recount.recount(db, repair=False) == []
    assert recount.fingerprints(db) == counted_from_nothing(db)


def test_a_recount_beside_others_is_exact(db: Database, path: str) -> None:
    """Sums were wrong, and while they are being counted games are saved and deleted by others."""
    home = club(db)
    db.execute("UPDATE tally_lines SET points = points + 3")
    db.execute("DELETE FROM tally_players WHERE game = 'tenby'")
    db.execute("UPDATE kept_scores SET total = total + 1 WHERE play_id % 50 = 0")
    db.execute("UPDATE kept_scores SET streak = 77 WHERE play_id = 60")
    with closing(connect(path)) as other:

        def meanwhile(done: int, total: int) -> None:
            assert 0 < done <= total == PLAYS
            history.save_all(other, home, [draft(typed({"Ada": done % 7, "Hiro": 8}), "2026-01-05T20:00:00Z")])
            history.delete(other, oldest(other))

        found = recount.recount(db, tell=meanwhile)
    assert {"tally_lines", "tally_players", "kept_scores"} <= set(found)
    work.finish(db)
    assert recount.recount(db) == []
    assert recount.fingerprints(db) == counted_from_nothing(db)


def test_two_recounts_at_once_put_nothing_right_twice(db: Database, path: str) -> None:
    db.execute("UPDATE tally_lines SET points = points + 3")
    db.execute("DELETE FROM tally_earned")
    others: list[str] = []
    with closing(connect(path)) as other:

        def meanwhile(done: int, total: int) -> None:
            if done == total and not others:
                others.extend(recount.recount(other))

        recount.recount(db, tell=meanwhile)
    assert set(others) == {"tally_lines", "tally_earned"}
    assert recount.recount(db) == []
    assert recount.fingerprints(db) == counted_from_nothing(db)


def test_two_made_one_in_steps_are_one_everywhere(db: Database) -> None:
    away = person(db, "Grete")
    stranger = person(db, "Nobody yet")
    [plays] = db.execute("SELECT count(*) FROM kept_seats WHERE player_id = ?", [away.id]).fetchone()
    assert people.merge(db, away, stranger)
    [progress] = [one for one in work.progress(db, club(db)) if one.kind == "merge"]
    assert progress.total == plays
    work.finish(db)
    assert work.progress(db, club(db)) == []
    assert people.find(db, away.id) is None
    assert db.execute("SELECT count(*) FROM kept_seats WHERE player_id = ?", [stranger.id]).fetchone() == (plays,)
    assert recount.fingerprints(db) == counted_from_nothing(db)


def test_only_who_sat_at_one_table_cannot_be_one(tmp_path: Path) -> None:
    """Neither a deleted game of one of them nor a corrected game of the other says that they ever met."""
    with database(tmp_path / "t.db") as db:
        home = club(db)
        ann, anne, corrected = history.save_all(
            db,
            home,
            [
                draft(typed({"Ann": 5, "Bob": 2})),
                draft(typed({"Anne": 6, "Bob": 2})),
                draft(typed({"Ann": 1, "Cid": 2})),
            ],
        )
        play = history.by_id(db, corrected)
        assert play is not None
        better = draft(typed({"Ann": 3, "Cid": 2}))
        history.correct(db, play, better.record, better.result)
        gone = history.by_id(db, ann)
        assert gone is not None
        history.delete(db, gone)
        assert people.merge(db, person(db, "Anne"), person(db, "Ann"))
        assert not people.merge(db, person(db, "Bob"), person(db, "Ann"))
        assert not people.merge(db, person(db, "Cid"), person(db, "Ann")), "they met in both versions"
        taken = history.by_id(db, anne)
        assert taken is not None
        assert taken.record["players"][0]["name"] == "Ann"
        assert recount.recount(db, repair=False) == []


def test_who_met_in_an_earlier_version_only_has_met(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        [play_id] = history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
        play = history.by_id(db, play_id)
        assert play is not None
        better = draft(typed({"Ann": 3, "Cid": 2}))
        history.correct(db, play, better.record, better.result)
        assert not people.merge(db, person(db, "Bob"), person(db, "Ann"))
        assert people.merge(db, person(db, "Bob"), person(db, "Cid")), "one in the first version, one in the second"
        assert recount.recount(db, repair=False) == []


def four_alone(db: Database) -> list[Person]:
    """Ann, Anna, Anne and Bob, of whom only Bob has met the others."""
    names = ("Ann", "Anna", "Anne")
    history.save_all(db, club(db), [draft(typed({name: 5, "Bob": 2})) for name in names for _ in range(3)])
    return [person(db, name) for name in (*names, "Bob")]


def test_merges_that_follow_each_other_end_with_the_last_name(tmp_path: Path) -> None:
    """Begun before the one before was done, whatever the order of their steps."""
    with database(tmp_path / "t.db") as db:
        ann, anna, anne, _ = four_alone(db)
        assert people.begin_merge(db, ann, anna)
        assert work.step(db)
        assert people.begin_merge(db, anna, anne), "who is on the way to her comes along"
        assert not people.begin_merge(db, anna, ann), "she is on the way already"
        assert not people.begin_merge(db, anne, ann), "that would be a circle"
        work.finish(db)
        assert {row["name"] for row in db.query("SELECT name FROM players")} == {"Anne", "Bob"}
        assert [name for (name,) in db.execute("SELECT player FROM scores WHERE player <> 'Bob'")] == ["Anne"] * 9
        assert recount.recount(db, repair=False) == []


def test_no_step_is_taken_of_what_others_have_changed_or_ended(tmp_path: Path) -> None:
    """Who is named in it may be gone by then."""

    def never(_db: Database, about: dict[str, Any]) -> dict[str, Any] | None:
        raise AssertionError(about)

    with database(tmp_path / "t.db") as db:
        ann, anna, anne, _ = four_alone(db)
        assert people.begin_merge(db, ann, anna)
        [(number, about)] = chores.of_club(db, club(db), "merge").items()
        assert people.begin_merge(db, anna, anne)
        assert chores.taken(db, number, club(db), about, never) == {**about, "other": anne.id}
        work.finish(db)
        assert chores.taken(db, number, club(db), about, never) is None


def test_whoever_becomes_somebody_on_her_way_becomes_the_last(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        ann, anna, anne, bob = four_alone(db)
        assert people.begin_merge(db, anna, anne)
        assert not people.begin_merge(db, bob, anna), "he has met whom she becomes"
        assert people.begin_merge(db, ann, anna)
        work.finish(db)
        assert {row["name"] for row in db.query("SELECT name FROM players")} == {"Anne", "Bob"}
        assert recount.recount(db, repair=False) == []


def test_a_merge_with_somebody_who_has_gone_ends_and_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        ann, *_ = four_alone(db)
        nobody = person(db, "Nobody yet")
        assert people.begin_merge(db, ann, nobody)
        with db.atomic():
            db.execute("DELETE FROM players WHERE id = ?", [nobody.id])
        work.finish(db)
        assert people.find(db, ann.id) == ann
        assert recount.recount(db, repair=False) == []
