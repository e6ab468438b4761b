"""Exports are written while they are sent; how far each has come, its club may ask for and stop, at any node."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from flask import Flask

from webapp import jobs
from webapp.database import Database, borrowed
from webapp.jobs import Job

KIND = "export"
TOLD_S = 0.5  # between two notes of how far an export has come


class Stopped(Exception):
    """An export that somebody has stopped: the file breaks off, and the browser throws it away."""


def begin(db: Database, club_id: int, ticket: str, total: int) -> Job:
    """Add an export under this ticket, in place of an earlier one of the club; under another if it is taken."""
    with db.atomic(club_id):
        before = jobs.find(db, ticket)
        if before is not None and (before.kind, before.club_id) == (KIND, club_id):
            jobs.remove(db, before)
        taken = jobs.find(db, ticket) is not None
        return jobs.add(db, KIND, club_id, total=total, state="sending", key="" if taken else ticket)


def find(db: Database, club_id: int, ticket: str) -> Job | None:
    """Return the club's export under that ticket."""
    job = jobs.find(db, ticket)
    return job if job is not None and (job.kind, job.club_id) == (KIND, club_id) else None


def stop(db: Database, job: Job) -> None:
    """Let whoever sends it break off."""
    with db.atomic(job.club_id):
        jobs.keep(db, replace(job, state="done", error={"code": "stopped"}))


class Sending:
    """An export on its way."""

    def __init__(self, app: Flask, job: Job) -> None:
        self.app, self.job, self.done = app, job, 0

    def told(self, done: int) -> None:
        self.done = done

    def watched(self, pieces: Iterator[str]) -> Iterator[str]:
        """Yield the pieces of the file as long as nobody stops it."""
        told, is_whole = time.monotonic(), False
        try:
            for piece in pieces:
                yield piece
                if time.monotonic() >= told + TOLD_S:
                    told = time.monotonic()
                    if not self._note("sending"):
                        raise Stopped
            is_whole = True
        finally:  # also if whoever receives it is gone
            self._note("done", {} if is_whole else {"code": "stopped"})

    def _note(self, state: str, error: dict[str, str] | None = None) -> bool:
        """Write down how far it is; return False if somebody has stopped it."""
        with borrowed(self.app) as db, db.atomic(self.job.club_id):
            stands = jobs.find(db, self.job.key)
            if stands is not None and stands.state == "sending":
                jobs.keep(db, replace(stands, state=state, done=self.done, error=error or {}))
                return True
        return False
