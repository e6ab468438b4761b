"""Background work: steps that survive a kill, one at a time, and faults that stop nothing else."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.webapp.engines import place
from tests.webapp.plays import club, database
from webapp import jobs
from webapp.database import Database
from webapp.jobs import Job

PATIENCE_S = 20.0


def three_steps(db: Database, job: Job) -> Job | None:
    """Note each step in the settings, as work that is kept would."""
    number = job.step.get("number", 0) + 1
    db.put("settings", name=f"{job.kind} {number}", value="done")
    return jobs.at_step(job, 1, number=number) if number < 3 else None


def fails(db: Database, job: Job) -> Job | None:
    db.put("settings", name="half a step", value="must not be kept")
    raise KeyError(job.kind)


def done(db: Database) -> list[str]:
    rows = db.execute("SELECT name FROM settings WHERE value = 'done' ORDER BY name")
    return [name for (name,) in rows.fetchall()]


def test_a_job_goes_on_from_the_step_it_was_stopped_at(tmp_path: Path) -> None:
    with database(tmp_path / "club.db") as db:
        job = jobs.add(db, "words", club(db), {"name": "Ann"})
        left = jobs.take(db, job, {"words": three_steps})
        assert left is not None
        assert (left.step, left.done) == ({"number": 1}, 1)
    with database(tmp_path / "club.db") as db:  # whoever opens it next finishes it
        assert jobs.everything(db) == []


def test_the_same_job_is_added_once_while_it_waits(tmp_path: Path) -> None:
    with database(tmp_path / "club.db") as db:
        first = jobs.add(db, "standings", club(db), {"game": "tenby"})
        assert jobs.add(db, "standings", club(db), {"game": "tenby"}) == first
        assert jobs.add(db, "standings", club(db), {"game": "pier_18"}) != first
        jobs.finish(db, {"standings": lambda *_: None})
        assert jobs.everything(db) == []


def test_a_job_that_somebody_else_has_ended_is_not_done_again(tmp_path: Path) -> None:
    with database(tmp_path / "club.db") as db:
        job = jobs.add(db, "words", club(db))
        jobs.finish(db, {"words": three_steps})
        assert jobs.take(db, job, {"words": three_steps}) is None
        assert done(db) == ["words 1", "words 2", "words 3"]


def test_a_job_that_fails_is_set_aside_and_the_others_go_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    address = place(tmp_path / "club.db")
    with database(tmp_path / "club.db") as db:
        broken = jobs.add(db, "words", club(db))
        jobs.add(db, "zone", club(db))
        stop = jobs.keep_working(address, {"words": fails, "zone": three_steps})
        try:
            wait_until(lambda: len(done(db)) == 3)
        finally:
            stop.set()
        assert jobs.failed(db) == [(replace(broken), "KeyError")]
        assert db.row("SELECT 1 FROM settings WHERE name = 'half a step'") is None
        assert "The job words" in caplog.text
        jobs.try_again(db)
        jobs.finish(db, {"words": three_steps})
        assert jobs.failed(db) == []


def wait_until(holds: object) -> None:
    assert callable(holds)
    until = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until, threading.enumerate()
        time.sleep(0.02)
