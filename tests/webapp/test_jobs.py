"""Background work: steps that survive a kill, one at a time, and faults that stop nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from tests.webapp.engines import place
from tests.webapp.plays import club, database
from webapp import clubs, jobs
from webapp.database import Database, connect
from webapp.jobs import Job, SlowSteps, Step, Steps
from webapp.jobs.worker import Worker

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
        assert jobs.under_way(db) == []


def test_the_same_job_is_added_once_while_it_waits(tmp_path: Path) -> None:
    with database(tmp_path / "club.db") as db:
        first = jobs.add(db, "standings", club(db), {"game": "tenby"})
        assert jobs.add(db, "standings", club(db), {"game": "tenby"}) == first
        assert jobs.add(db, "standings", club(db), {"game": "pier_18"}) != first
        jobs.finish(db, {"standings": lambda *_: None})
        assert jobs.under_way(db) == []


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
        error = {"code": "fault", "fault": "KeyError"}
        assert jobs.failed(db) == [replace(broken, state="failed", error=error)]
        assert db.row("SELECT 1 FROM settings WHERE name = 'half a step'") is None
        assert "The job words" in caplog.text
        jobs.try_again(db)
        jobs.finish(db, {"words": three_steps})
        assert jobs.failed(db) == []


# -- two servers ---


def reads_a_little(_db: Database, job: Job) -> Iterator[Step | None]:
    """Read before each of many steps, as an import does."""
    while True:
        yield None
        yield lambda _, job: jobs.at_step(job, 1) if job.done < 1_000_000 else None


def test_the_job_of_a_dead_server_is_taken_over_when_its_lease_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sign of life has whole seconds, so that a lease has to be longer than one."""
    lease, steps = 1.5, {"words": SlowSteps(reads_a_little)}
    monkeypatch.setattr("webapp.jobs.worker.LEASE_S", lease)
    with database(tmp_path / "club.db") as db, closing(connect(place(tmp_path / "club.db"))) as other:
        job = jobs.add(db, "words", club(db))
        mine, theirs, until = Worker(db, steps), Worker(other, steps), time.monotonic() + 2 * lease
        while time.monotonic() < until:
            assert mine.turn()
            assert not theirs.turn(), "it is alive"
            time.sleep(0.01)
        before, died = jobs.get(db, job.key).done, time.monotonic()
        while not theirs.turn():
            assert time.monotonic() < died + PATIENCE_S
            time.sleep(0.01)
        assert time.monotonic() > died + lease - 1.0, "it may have died a second after its last sign"
        assert jobs.get(db, job.key).done == before + 1
        assert not mine.turn(), "it comes back, but the job is not its own any more"
        assert theirs.turn()
        assert jobs.get(db, job.key).done == before + 2


def test_two_servers_never_do_jobs_of_one_club_at_once(tmp_path: Path) -> None:
    """Three jobs of each of two clubs: no step of one comes before the last step of the one that was added earlier."""
    done: list[tuple[int | None, int, int]] = []  # club, job, step

    def note(_db: Database, job: Job) -> Job | None:
        done.append((job.club_id, job.id, job.done))
        return jobs.at_step(job, 1) if job.done < 9 else None

    def reading(_db: Database, _job: Job) -> Iterator[Step | None]:
        while True:
            time.sleep(0.001)
            yield note

    address = place(tmp_path / "club.db")
    with database(tmp_path / "club.db") as db:
        homes = [club(db), clubs.create(db, "The other club")]
        added = {home: [jobs.add(db, kind, home).id for kind in ("words", "zone", "import")] for home in homes}
        steps: Steps = {"words": SlowSteps(reading), "zone": note, "import": SlowSteps(reading)}
        servers = [jobs.keep_working(address, steps) for _ in range(2)]
        try:
            wait_until(lambda: jobs.under_way(db) == [])
        finally:
            for server in servers:
                server.set()
    for home in homes:
        of_club = [(job, step) for club_id, job, step in done if club_id == home]
        assert [job for job, _ in groupby(of_club, key=lambda one: one[0])] == added[home]
        assert [step for _, step in of_club] == [*range(10)] * 3


def wait_until(holds: object) -> None:
    assert callable(holds)
    until = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until, threading.enumerate()
        time.sleep(0.02)
