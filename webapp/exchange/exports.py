"""Send exports while they are written, so that their club can follow or stop them from any server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from flask import Flask

from webapp import jobs
from webapp.database import Database, borrowed
from webapp.jobs import Job

KIND = "export"
PROGRESS_S = 0.5  # between two notes of the progress


class Stopped(Exception):
    """Signal that somebody has stopped an export. The file breaks off, and the browser discards it."""


def begin(db: Database, club_id: int, ticket: str, total: int) -> Job:
    """Add an export of `total` plays with the key `ticket`, replacing an earlier export of the club with this key. If
    another job has this key, the export gets a key of its own."""
    with db.atomic(club_id):
        before = jobs.find(db, ticket)
        if before is not None and (before.kind, before.club_id) == (KIND, club_id):
            jobs.remove(db, before)
        taken = jobs.find(db, ticket) is not None
        return jobs.add(db, KIND, club_id, total=total, state="sending", key="" if taken else ticket)


def find(db: Database, club_id: int, ticket: str) -> Job | None:
    """Return the club's export whose key is `ticket`, or None."""
    job = jobs.find(db, ticket)
    return job if job is not None and (job.kind, job.club_id) == (KIND, club_id) else None


def stop(db: Database, job: Job) -> None:
    """Mark the export as stopped, so that `Sending` ends it early."""
    with db.atomic(job.club_id):
        jobs.update(db, replace(job, state="done", error={"code": "stopped"}))


class Sending:
    """Count and note the progress of an export while it is sent."""

    def __init__(self, app: Flask, job: Job) -> None:
        self.app, self.job, self.done = app, job, 0

    def note_progress(self, done: int) -> None:
        self.done = done

    def until_stopped(self, pieces: Iterator[str]) -> Iterator[str]:
        """Yield the pieces of the file; raise Stopped once somebody has stopped the export."""
        noted, is_whole = time.monotonic(), False
        try:
            for piece in pieces:
                yield piece
                if time.monotonic() >= noted + PROGRESS_S:
                    noted = time.monotonic()
                    if not self._note("sending"):
                        raise Stopped
            is_whole = True
        finally:  # also if the browser has disconnected
            self._note("done", {} if is_whole else {"code": "stopped"})

    def _note(self, state: str, error: dict[str, str] | None = None) -> bool:
        """Store the state, error and progress of the export; return False if somebody has stopped it."""
        with borrowed(self.app) as db, db.atomic(self.job.club_id):
            stands = jobs.find(db, self.job.key)
            if stands is not None and stands.state == "sending":
                jobs.update(db, replace(stands, state=state, done=self.done, error=error or {}))
                return True
        return False
