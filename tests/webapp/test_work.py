"""Changes of the past and long jobs: whatever is stopped in between, by force too, nothing is half done."""

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
from itertools import count
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.webapp.engines import copied, place
from tests.webapp.plays import club, content, database, draft, typed
from webapp import clubs, jobs
from webapp.cli import demo
from webapp.database import Database, connect
from webapp.database.sqlite import Sqlite
from webapp.history import Person, forget_in_texts, job_steps, player_profiles, rebuild, saved_plays, time_zone
from webapp.history import plays as history

PLAYS = 200
STOPS, KILLS = 20, 5
GAME = "tiny_towns"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with some seasons of games."""
    path = tmp_path_factory.mktemp("work") / "harbour.db"
    with pytest.MonkeyPatch.context() as patch, database(path) as db:
        patch.setattr(demo, "POOL", 20)
        demo.seed(db, PLAYS)
        db.execute("UPDATE all_plays SET notes = 'Grete was here'")
        rebuild.rebuild(db)
    return place(path)


@pytest.fixture
def path(harbour: str, tmp_path: Path) -> str:
    return copied(harbour, tmp_path / "t.db")


def person(db: Database, name: str) -> Person:
    found = player_profiles.find(db, clubs.player_id(db, club(db), name))
    assert found is not None
    return found


def oldest(db: Database) -> saved_plays.Play:
    [play_id] = db.execute("SELECT id FROM all_plays WHERE game = ? ORDER BY played_at, id LIMIT 1", [GAME]).fetchone()
    found = saved_plays.by_id(db, play_id)
    assert found is not None
    return found


def is_over(steps: Iterator[int]) -> int:
    """Return 1 if SQLite is to break off."""
    return int(next(steps, None) is None)


def change(db: Database, play: saved_plays.Play, steps: Iterator[int]) -> bool:
    """Delete or restore a game within so many steps of SQLite; return whether that was enough."""
    assert isinstance(db, Sqlite)
    db.conn.set_progress_handler(partial(is_over, steps), 20)
    try:
        (history.restore if play.deleted_at else history.delete)(db, play)
    except sqlite3.OperationalError:
        return False
    finally:
        db.conn.set_progress_handler(None, 0)
    return True


@pytest.mark.sqlite
def test_a_change_of_the_past_that_is_stopped_anywhere_has_not_happened(path: str) -> None:
    """Stopped twenty times wherever SQLite happens to be."""
    chance, stopped, needed = random.Random(18), 0, count()
    with closing(connect(path)) as db:
        assert change(db, oldest(db), needed)
    length = next(needed)
    for number in range(STOPS):
        with closing(connect(path)) as db:
            play, before = oldest(db), content(db)
            is_done = change(db, play, iter(range(chance.randint(1, length * 5 // 4))))
            stopped += not is_done
            assert (content(db) != before) is is_done
            assert number % 8 or rebuild.check(db) == []
    assert STOPS > stopped > STOPS // 2


# At every statement it takes a breath, so that it is still at work when it is killed, however fast the machine.
WORKER = """
import sys, time
from webapp import jobs
from webapp.database import connect
from webapp.history import forget_in_texts, job_steps, time_zone
forget_in_texts.FEW = time_zone.BATCH = 5
db = connect(sys.argv[1])
plain = db.execute
db.execute = lambda *asked: time.sleep(0.001) or plain(*asked)
print("ready", flush=True)
jobs.finish(db, job_steps.STEPS)
"""


def test_a_killed_process_leaves_jobs_that_the_next_one_ends(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Really killed, at five moments, while a name goes from notes, days move and standings are worked out."""
    monkeypatch.setattr(time_zone, "BATCH", 1)  # so that most is left to do after the answer
    monkeypatch.setattr("webapp.history.standings.AT_ONCE", 0)
    chance, killed = random.Random(5), 0
    with closing(connect(path)) as db:
        home = club(db)
        assert time_zone.change_zone(db, home, "America/New_York")
        forget_in_texts.begin(db, home, "Grete", "Somebody")
        history.delete(db, oldest(db))
        assert {job.kind for job in jobs.under_way(db)} == {"zone", "words", "standings"}
        for _ in range(KILLS):
            process = subprocess.Popen(
                [sys.executable, "-c", WORKER, path],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=subprocess.PIPE,
            )
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.uniform(0.0, 0.15))
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
            process.stdout.close()
        assert killed > KILLS // 3, "several were still at work"
        monkeypatch.undo()
        jobs.finish(db, job_steps.STEPS)
        assert jobs.under_way(db) == []
        assert db.execute("SELECT DISTINCT notes FROM all_plays").fetchall() == [("Somebody was here",)]
        assert rebuild.check(db) == []


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
        play = saved_plays.by_id(db, corrected)
        assert play is not None
        better = draft(typed({"Ann": 3, "Cid": 2}))
        history.edit(db, play, better.record, better.decision)
        gone = saved_plays.by_id(db, ann)
        assert gone is not None
        history.delete(db, gone)
        assert player_profiles.merge(db, person(db, "Anne"), person(db, "Ann"))
        assert not player_profiles.merge(db, person(db, "Bob"), person(db, "Ann"))
        assert not player_profiles.merge(db, person(db, "Cid"), person(db, "Ann")), "they met in both versions"
        taken = saved_plays.by_id(db, anne)
        assert taken is not None
        assert taken.record["players"][0]["name"] == "Ann"
        assert rebuild.check(db) == []


def test_who_met_in_an_earlier_version_only_has_met(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        [play_id] = history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
        play = saved_plays.by_id(db, play_id)
        assert play is not None
        better = draft(typed({"Ann": 3, "Cid": 2}))
        history.edit(db, play, better.record, better.decision)
        assert not player_profiles.merge(db, person(db, "Bob"), person(db, "Ann"))
        assert player_profiles.merge(db, person(db, "Bob"), person(db, "Cid")), (
            "one in the first version, one in the second"
        )
        assert rebuild.check(db) == []
