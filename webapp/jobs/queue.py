"""Background work: a row of `jobs` for each piece of it, done step by step, so that a kill loses nothing.

A step and the note of how far the job has come are one transaction. Whoever opens the database next continues from
there. In each club one job is done at a time, the oldest first, whichever process or node takes its next step.

    waiting -> running -> gone, or done if there is something to tell
                  \\-> stopping -> gone        (a person stopped it, or it stopped itself: what it did is undone)
                  \\-> failed                  (by a fault of ours: it is set aside, and `try_again` continues it)

An export is written by the request that it answers, and not by a worker: it is `sending` until it is done.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from webapp.database import Database, ago, new_key, now, pack

KEPT_DAYS = 7  # what became of a job can be looked at so long
STUCK_S, LONGEST_S = 600, 86400  # a job without progress for so long, or not done for so long, is stuck
UNDER_WAY = ("running", "stopping")
IS_UNDER_WAY = "state IN ('running', 'stopping')"
COLUMNS = "id, key, kind, club_id, state, subject, step, done, total, error, created_at, updated_at, worker"


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of background work: what it is about, and how far it has come."""

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
    worker: str = field(compare=False)  # which process reads for it

    @property
    def is_under_way(self) -> bool:
        return self.state in UNDER_WAY

    @property
    def is_due(self) -> bool:
        """Return False while its next step waits for a later moment, and other jobs of its club go first."""
        return str(self.step.get("not_before", "")) <= now()


# Does the next part of a job, in the caller's transaction, and returns it with its new step; None when it is finished.
Step = Callable[[Database, Job], Job | None]
Report = Callable[[Job], None]


@dataclass(frozen=True, slots=True)
class Reading:
    """A kind of job that does something slow before each step, such as reading a file.

    From `steps` come the steps of a job as it stands, and None wherever others may have their turn. It ends where the
    job has changed so much that it should be asked again.
    """

    steps: Callable[[Database, Job], Iterator[Step | None]]


Steps = Mapping[str, Step | Reading]


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
    """Add a job, unless the same one is waiting from its beginning, and return it."""
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
    """Return the job with this key, which is certainly there."""
    [found] = _jobs(db, "WHERE key = ?", [key])
    return found


def of_club(db: Database, club_id: int, *kinds: str) -> list[Job]:
    """Return the jobs of a club that are under way, perhaps of these kinds only, the oldest first."""
    found = _jobs(db, f"WHERE club_id = ? AND {IS_UNDER_WAY} ORDER BY id", [club_id])
    return [job for job in found if not kinds or job.kind in kinds]


def latest(db: Database, club_id: int, most: int = 1_000) -> list[Job]:
    """Return the latest jobs of a club, whatever became of them, the last one first."""
    return _jobs(db, "WHERE club_id = ? ORDER BY id DESC LIMIT ?", [club_id, most])


def everything(db: Database) -> list[Job]:
    """Return all jobs that are under way, the end of a club first: nothing else matters for it any more."""
    return _jobs(db, f"WHERE {IS_UNDER_WAY} ORDER BY kind <> 'club', id", [])


def failed(db: Database) -> list[Job]:
    """Return the jobs that were set aside."""
    return _jobs(db, "WHERE state = 'failed' ORDER BY id", [])


def stuck(db: Database) -> list[Job]:
    """Return the jobs that make no progress, or take more than a day."""
    return _jobs(
        db,
        f"WHERE {IS_UNDER_WAY} AND (updated_at < ? OR created_at < ?) ORDER BY id",
        [ago(days=STUCK_S / 86400), ago(days=LONGEST_S / 86400)],
    )


def _jobs(db: Database, which: str, values: list[Any]) -> list[Job]:
    rows = db.query(f"SELECT {COLUMNS} FROM jobs {which}", values)
    return [Job(**{**row, **{name: json.loads(row[name]) for name in ("subject", "step", "error")}}) for row in rows]


def keep(db: Database, job: Job) -> None:
    """Write down how a job stands, in the caller's transaction."""
    db.execute(
        """UPDATE jobs SET state = ?, step = ?, done = ?, total = ?, error = ?, worker = ?, updated_at = ?
        WHERE id = ?""",
        [job.state, pack(job.step), job.done, job.total, pack(job.error), job.worker, now(), job.id],
    )


def stop(db: Database, job: Job) -> None:
    """Ask whoever works on a job to stop it and to undo what it did."""
    with db.atomic(job.club_id or 0):
        db.execute(
            """UPDATE jobs SET state = 'stopping', worker = '', error = '{}'
            WHERE id = ? AND state IN ('running', 'failed')""",
            [job.id],
        )


def release(db: Database, worker: str) -> None:
    """Leave to others what this worker has not finished."""
    with db.atomic(0):
        db.execute("UPDATE jobs SET worker = '' WHERE worker = ?", [worker])


def remove(db: Database, job: Job) -> None:
    db.execute("DELETE FROM jobs WHERE id = ?", [job.id])


def remove_others(db: Database, club_id: int, but: Job | None = None) -> None:
    """Delete all jobs of a club, or all others, in the caller's transaction."""
    db.execute("DELETE FROM jobs WHERE club_id = ? AND id <> ?", [club_id, but.id if but else 0])


def try_again(db: Database, kind: str = "") -> None:
    """Let jobs that were set aside continue, perhaps those of one kind."""
    with db.atomic(0):
        db.execute("UPDATE jobs SET state = 'running', error = '{}' WHERE state = 'failed' AND ? IN ('', kind)", [kind])


def purge(db: Database) -> None:
    """Delete what became of old jobs, and exports that nobody receives any more."""
    with db.atomic():
        db.execute("DELETE FROM jobs WHERE state = 'done' AND updated_at < ?", [ago(days=KEPT_DAYS)])
        db.execute("DELETE FROM jobs WHERE state = 'sending' AND updated_at < ?", [ago(days=1)])


# -- steps ---


def at_step(job: Job, done: int = 0, **step: Any) -> Job:
    """Return the job with its next step, having done so many more."""
    return replace(job, step=step, done=job.done + done)


def take(db: Database, job: Job, steps: Mapping[str, Step]) -> Job | None:
    """Take the next step of a job and return what is left; None if nothing is, or if somebody else has ended it."""
    with db.atomic(job.club_id or 0):
        stands = next(iter(_jobs(db, f"WHERE id = ? AND {IS_UNDER_WAY}", [job.id])), None)
        if stands is None:
            return None
        left = steps[job.kind](db, stands)
        if left is None:
            remove(db, stands)
        else:
            keep(db, left)
    return left
