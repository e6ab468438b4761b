"""Work that goes on in the background: a row of `jobs` each, taken step by step, so that a kill loses nothing.

A step and the note of how far it has come are one transaction. Whoever opens the database next goes on from there. One
process works at a time, whichever node it runs on.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scorer.sentences import say
from webapp.database import Database, Unfit, connect, errors, insist, now, pack

log = logging.getLogger("tidemark")

LOCK = "jobs"  # what only one process does at a time
WAIT_S = 0.1  # between two looks at whether another process has finished
LOOK_EVERY_S = 2.0  # for jobs that other processes have added
LONGEST_PAUSE_S = 0.05
AFTER_AN_ERROR_S = 30.0
SHORT = 50  # steps that are worth waiting for at the start


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of background work: for which club, and how far it has come."""

    id: int
    kind: str
    club_id: int | None
    subject: dict[str, Any]
    step: dict[str, Any]
    done: int
    total: int | None


# Does the next part of a job, in the caller's transaction, and returns it with its new step; None when it is finished.
Step = Callable[[Database, Job], Job | None]
Steps = Mapping[str, Step]
Report = Callable[[Job], None]


def add(
    db: Database, kind: str, club_id: int, subject: Mapping[str, Any] | None = None, total: int | None = None
) -> Job:
    """Add a job, unless the same one is waiting from its beginning, and return it."""
    packed = pack(dict(subject or {}))
    for job in of_club(db, club_id, kind):
        if pack(job.subject) == packed and not job.step:
            return job
    at = now()
    row = {"kind": kind, "club_id": club_id, "subject": packed, "total": total, "created_at": at, "updated_at": at}
    return Job(db.insert("jobs", **row), kind, club_id, json.loads(packed), {}, 0, total)


def of_club(db: Database, club_id: int, kind: str = "") -> list[Job]:
    """Return the jobs of a club that go on, perhaps of one kind, the first one first."""
    only, values = ("AND kind = ?", [club_id, kind]) if kind else ("", [club_id])
    return _jobs(db, f"WHERE club_id = ? AND error = '' {only} ORDER BY id", values)


def everything(db: Database) -> list[Job]:
    """Return all jobs that can go on, the end of a club first: nothing else matters for it any more."""
    return _jobs(db, "WHERE error = '' ORDER BY kind <> 'club', id", [])


def _jobs(db: Database, which: str, values: list[Any]) -> list[Job]:
    rows = db.query(f"SELECT id, kind, club_id, subject, step, done, total FROM jobs {which}", values)
    return [Job(**{**row, "subject": json.loads(row["subject"]), "step": json.loads(row["step"])}) for row in rows]


def take(db: Database, job: Job, steps: Steps) -> Job | None:
    """Take the next step of a job and return what is left; None if nothing is, or if somebody else has ended it."""
    with db.atomic(job.club_id):
        stands = next(iter(_jobs(db, "WHERE id = ?", [job.id])), None)
        left = steps[job.kind](db, stands) if stands is not None else None
        if left is None:
            db.execute("DELETE FROM jobs WHERE id = ?", [job.id])
        else:
            db.execute(
                "UPDATE jobs SET step = ?, done = ?, updated_at = ? WHERE id = ?",
                [pack(left.step), left.done, now(), job.id],
            )
    return left


def remove_others(db: Database, job: Job) -> None:
    """Delete all other jobs of the job's club, in the caller's transaction."""
    db.execute("DELETE FROM jobs WHERE club_id = ? AND id <> ?", [job.club_id, job.id])


def at_step(job: Job, done: int = 0, **step: Any) -> Job:
    """Return the job with its next step, having done so many more."""
    return replace(job, step=step, done=job.done + done)


def try_again(db: Database) -> None:
    """Let jobs that were set aside go on."""
    with db.atomic(0):
        db.execute("UPDATE jobs SET error = '' WHERE error <> ''")


def finish(db: Database, steps: Steps, report: Report | None = None) -> None:
    """Do all jobs, or wait until the process that is at it has done them."""
    while True:
        with db.sole(LOCK) as mine:
            if mine:
                for job in everything(db):
                    _finish_one(db, job, steps, report)
                return
        if not everything(db):
            return
        time.sleep(WAIT_S)


def _finish_one(db: Database, job: Job, steps: Steps, report: Report | None) -> None:
    left: Job | None = job
    while left is not None:
        if report is not None:
            report(left)
        left = take(db, left, steps)


def finish_short_ones(db: Database, steps: Steps) -> None:
    """Do what is quickly done before pages are served; the rest goes on while people look at them."""
    with db.sole(LOCK) as mine:
        for _ in range(SHORT if mine else 0):
            if not _take_first(db, steps):
                break


def keep_working(database: str | Path, steps: Steps) -> threading.Event:
    """Work in a thread of its own until the event is set."""
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            try:
                with closing(connect(database)) as db:
                    _work_alone(db, steps, stop)
            except errors(OSError, Unfit) as fault:  # must not end the server; a full disk may have room later
                print(f"tidemark: {say('background work is put off: {fault}', fault=str(fault))}", flush=True)
                stop.wait(AFTER_AN_ERROR_S)

    threading.Thread(target=run, name="jobs", daemon=True).start()
    return stop


def _work_alone(db: Database, steps: Steps, stop: threading.Event) -> None:
    while not stop.is_set():
        with db.sole(LOCK) as mine:
            while mine and not stop.is_set():
                start = time.monotonic()
                more = insist(lambda: _take_first(db, steps))
                took = time.monotonic() - start
                stop.wait(min(took, LONGEST_PAUSE_S) if more else LOOK_EVERY_S)
        stop.wait(LOOK_EVERY_S)


def _take_first(db: Database, steps: Steps) -> bool:
    """Take the next step of the first job; return False if there is no job.

    A job with a fault of ours is set aside with its error, so that the others go on; doctor names it.
    """
    waiting = everything(db)
    if waiting:
        try:
            take(db, waiting[0], steps)
        except errors(OSError, Unfit):
            raise
        except Exception as fault:
            log.exception("The job %s of club %s failed.", waiting[0].kind, waiting[0].club_id)
            with db.atomic(waiting[0].club_id):
                error = [type(fault).__name__, waiting[0].id]
                db.execute("UPDATE jobs SET error = ? WHERE id = ?", error)
    return bool(waiting)


def failed(db: Database) -> list[tuple[Job, str]]:
    """Return the jobs that were set aside, each with its error."""
    found = _jobs(db, "WHERE error <> '' ORDER BY id", [])
    reasons = dict(db.execute("SELECT id, error FROM jobs WHERE error <> ''").fetchall())
    return [(job, reasons[job.id]) for job in found]
