r"""Store background work as rows of `jobs`. It is done step by step, so a crash loses nothing.

A step and the note of its progress are one transaction, so any process or node can continue the job. In each club the
oldest job is done first, one at a time.

    waiting -> running -> gone, or done if it has a report
                  \\-> stopping -> gone        (somebody stopped it, or it stopped itself: its work is undone)
                  \\-> failed                  (by an error of ours: it is set aside, and `try_again` continues it)

A request writes an export, not a worker: the job is `sending` until it is done.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from webapp.database import Database, ago, new_key, now, pack

KEPT_DAYS = 7  # the report of a finished job is kept
STUCK_S, LONGEST_S = 600, 86400  # a job is stuck after so long without progress, or so long in all
UNDER_WAY = ("running", "stopping")
IS_UNDER_WAY = "state IN ('running', 'stopping')"
COLUMNS = "id, key, kind, club_id, state, subject, step, done, total, error, created_at, updated_at, worker"


@dataclass(frozen=True, slots=True)
class Job:
    """Represent a piece of background work and its progress."""

    id: int
    key: str  # its name in addresses
    kind: str
    club_id: int | None
    state: str
    subject: dict[str, Any]
    step: dict[str, Any]
    done: int
    total: int | None
    error: dict[str, Any]  # a `code` and the values of its sentence; empty while nothing is wrong
    created_at: str = field(compare=False)
    updated_at: str = field(compare=False)
    worker: str = field(compare=False)  # the process that reads its file

    @property
    def is_under_way(self) -> bool:
        return self.state in UNDER_WAY

    @property
    def is_due(self) -> bool:
        """Return whether the next step can be taken now; while it can't, other jobs of the club go on."""
        return str(self.step.get("not_before", "")) <= now()


# Takes the next step of a job in the caller's transaction; returns the job with its new step, or None if finished.
Step = Callable[[Database, Job], Job | None]
Report = Callable[[Job], None]


@dataclass(frozen=True, slots=True)
class SlowSteps:
    """Represent a kind of job that does something slow before each step, such as reading a file.

    `steps` yields the next steps of a job, and None where other jobs may take a turn. When it ends, it is called again
    with the changed job.
    """

    steps: Callable[[Database, Job], Iterator[Step | None]]


Steps = Mapping[str, Step | SlowSteps]


# -- the table ---


def add(
    db: Database,
    kind: str,
    club_id: int | None = None,
    subject: Mapping[str, Any] | None = None,
    total: int | None = None,
    state: str = "running",
    key: str = "",
) -> Job:
    """Add a job and return it. If a running one with the same kind, club and subject has not begun yet, return that
    job. `subject` says what the job is about; `total` is the number of things to do, if known. Workers take it only
    if its `state` is "running". Its `key` is random by default."""
    packed = pack(dict(subject or {}))
    if state == "running":
        for job in _jobs(db, "WHERE kind = ? AND state = 'running' AND step = '{}' AND subject = ?", [kind, packed]):
            if job.club_id == club_id:
                return job
    at, key = now(), key or new_key()
    row = {"key": key, "kind": kind, "club_id": club_id, "state": state, "subject": packed, "total": total}
    db.insert("jobs", **row, created_at=at, updated_at=at)
    return get(db, key)


def find(db: Database, key: str) -> Job | None:
    return next(iter(_jobs(db, "WHERE key = ?", [key])), None)


def get(db: Database, key: str) -> Job:
    """Return the job with this key, which must exist."""
    [found] = _jobs(db, "WHERE key = ?", [key])
    return found


def of_club(db: Database, club_id: int, *kinds: str) -> list[Job]:
    """Return the club's jobs that are running or stopping, oldest first; if `kinds` are given, only jobs of these
    kinds."""
    found = _jobs(db, f"WHERE club_id = ? AND {IS_UNDER_WAY} ORDER BY id", [club_id])
    return [job for job in found if not kinds or job.kind in kinds]


def latest(db: Database, club_id: int, most: int = 1_000) -> list[Job]:
    """Return the latest jobs of a club in any state, at most `most`, last one first."""
    return _jobs(db, "WHERE club_id = ? ORDER BY id DESC LIMIT ?", [club_id, most])


def under_way(db: Database) -> list[Job]:
    """Return all jobs that are running or stopping, oldest first; but deletions of clubs come before all others."""
    return _jobs(db, f"WHERE {IS_UNDER_WAY} ORDER BY kind <> 'club', id", [])


def failed(db: Database) -> list[Job]:
    """Return the jobs that ended with an error of ours and wait to be tried again."""
    return _jobs(db, "WHERE state = 'failed' ORDER BY id", [])


def stuck(db: Database) -> list[Job]:
    """Return the jobs that have made no progress for ten minutes, or take more than a day."""
    return _jobs(
        db,
        f"WHERE {IS_UNDER_WAY} AND (updated_at < ? OR created_at < ?) ORDER BY id",
        [ago(days=STUCK_S / 86400), ago(days=LONGEST_S / 86400)],
    )


def _jobs(db: Database, which: str, values: list[Any]) -> list[Job]:
    rows = db.query(f"SELECT {COLUMNS} FROM jobs {which}", values)
    return [Job(**{**row, **{name: json.loads(row[name]) for name in ("subject", "step", "error")}}) for row in rows]


def update(db: Database, job: Job) -> None:
    """Store what has changed in a job, in the caller's transaction: state, next step, progress, error and worker."""
    db.execute(
        """UPDATE jobs SET state = ?, step = ?, done = ?, total = ?, error = ?, worker = ?, updated_at = ?
        WHERE id = ?""",
        [job.state, pack(job.step), job.done, job.total, pack(job.error), job.worker, now(), job.id],
    )


def stop(db: Database, job: Job) -> None:
    """Ask the worker of a job to stop it and undo its work."""
    with db.atomic(job.club_id or 0):
        db.execute(
            """UPDATE jobs SET state = 'stopping', worker = '', error = '{}'
            WHERE id = ? AND state IN ('running', 'failed')""",
            [job.id],
        )


def release(db: Database, worker: str) -> None:
    """Let other workers continue the unfinished jobs of the worker with this name."""
    with db.atomic(0):
        db.execute("UPDATE jobs SET worker = '' WHERE worker = ?", [worker])


def remove(db: Database, job: Job) -> None:
    db.execute("DELETE FROM jobs WHERE id = ?", [job.id])


def remove_others(db: Database, club_id: int, but: Job | None = None) -> None:
    """Delete all jobs of a club except `but`, in the caller's transaction."""
    db.execute("DELETE FROM jobs WHERE club_id = ? AND id <> ?", [club_id, but.id if but else 0])


def try_again(db: Database, kind: str = "") -> None:
    """Continue the jobs that failed, or with `kind` only those of this kind."""
    with db.atomic(0):
        db.execute("UPDATE jobs SET state = 'running', error = '{}' WHERE state = 'failed' AND ? IN ('', kind)", [kind])


def purge(db: Database) -> None:
    """Delete finished jobs after a week, and exports that were not received within a day."""
    with db.atomic():
        db.execute("DELETE FROM jobs WHERE state = 'done' AND updated_at < ?", [ago(days=KEPT_DAYS)])
        db.execute("DELETE FROM jobs WHERE state = 'sending' AND updated_at < ?", [ago(days=1)])


# -- steps ---


def at_step(job: Job, done: int = 0, **step: Any) -> Job:
    """Return the job ready for its next step: `step` is what that step needs to know, and `done` is added to the
    progress."""
    return replace(job, step=step, done=job.done + done)


def take(db: Database, job: Job, steps: Mapping[str, Step]) -> Job | None:
    """Take the next step of a job and return the changed job; None if it is finished or somebody else ended it. `steps`
    has the function for a step by kind of job."""
    with db.atomic(job.club_id or 0):
        stands = next(iter(_jobs(db, f"WHERE id = ? AND {IS_UNDER_WAY}", [job.id])), None)
        if stands is None:
            return None
        left = steps[job.kind](db, stands)
        if left is None:
            remove(db, stands)
        else:
            update(db, left)
    return left
