"""Take the steps of jobs, in a thread of the server or in a command that waits for them."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from scorer.sentences import say
from webapp.database import Database, UnusableDatabase, connect, errors, new_key, now, retrying
from webapp.jobs import queue
from webapp.jobs.queue import Job, Report, SlowSteps, Step, Steps

log = logging.getLogger("tidemark")

LOOK_EVERY_S = 0.5  # for jobs that other processes have added
LONGEST_PAUSE_S = 0.05
AFTER_AN_ERROR_S = 30.0
HOUR_S = 3600.0
TURNS_AT_START = 50  # turns taken before pages are served
SLICE_S = 0.025  # of reading, before other jobs have their turn
LEASE_S = 10.0  # without a sign of life, before another process may take over a job


class TakenOver(Exception):
    """Signal that another process has changed the job since its next step was prepared."""


class Worker:
    """Do steps of jobs over one database connection. A slow job's generator of steps is kept, so that it continues
    where it paused."""

    def __init__(self, db: Database, steps: Steps) -> None:
        self.db, self.steps, self.name = db, steps, new_key()
        self.reading: dict[int, tuple[Job, Iterator[Step | None]]] = {}
        self.signs: dict[int, tuple[str, str, float]] = {}  # by job: worker, its last sign of life, when we saw it

    def turn(self, club_id: int | None = None, report: Report | None = None) -> bool:
        """Do a step of the first job of each club, or only of `club_id`; return whether any step was done. `report` is
        called with each of these jobs after its step."""
        worked, first_ones = False, {job.club_id: job for job in reversed(queue.under_way(self.db)) if job.is_due}
        for job in first_ones.values():
            if job.kind in self.steps and club_id in (None, job.club_id):
                worked |= self.take(job)
                if report is not None:
                    report(job)
        return worked

    def take(self, job: Job) -> bool:
        """Take a step of the job; return False if another process works on it.

        A job that fails is stored with its error so that the others continue; the doctor lists it.
        """
        step = self.steps[job.kind]
        try:
            if isinstance(step, SlowSteps):
                return retrying(lambda: self._read_on(job, step))
            retrying(lambda: queue.take(self.db, job, {job.kind: step}))
        except errors(OSError, UnusableDatabase):
            raise
        except Exception as fault:
            log.exception("The job %s of club %s failed.", job.kind, job.club_id)
            with self.db.atomic(job.club_id or 0):
                queue.update(
                    self.db, replace(job, state="failed", error={"code": "fault", "fault": type(fault).__name__})
                )
        return True

    def _read_on(self, job: Job, kind: SlowSteps) -> bool:
        """Do a slow job's work until a step is ready or its time is over, and do that step.

        Return False if another process works on the job.
        """
        if not self._may_have(job):
            return False
        known, steps = self.reading.pop(job.id, (None, iter(())))
        if known != job:
            steps = kind.steps(self.db, job)
        step, until = next(steps, _unchanged), time.monotonic() + SLICE_S
        while step is None and time.monotonic() < until:
            step = next(steps, _unchanged)
        left: Job | None = job
        if step is not None or job.worker != self.name or now() > job.updated_at:  # at most one sign of life a second
            try:
                left = queue.take(self.db, job, {job.kind: self._only_if_mine(job, step or _unchanged)})
            except TakenOver:
                return False
        if left is not None and step is not _unchanged:
            self.reading[job.id] = left, steps
        return True

    def _only_if_mine(self, known: Job, step: Step) -> Step:
        def checked(db: Database, stands: Job) -> Job | None:
            if stands != known or stands.worker != known.worker:
                raise TakenOver
            left = step(db, stands)
            return replace(left, worker=self.name) if left is not None else None

        return checked

    def _may_have(self, job: Job) -> bool:
        """Return whether this worker may take the job: no other has it, or the other seems to have died. That is so
        after `LEASE_S` seconds without a sign of life."""
        if job.worker in ("", self.name):
            return True
        worker, sign, since = self.signs.get(job.id, ("", "", 0.0))
        if (worker, sign) != (job.worker, job.updated_at):
            since = time.monotonic()
            self.signs[job.id] = job.worker, job.updated_at, since
        return time.monotonic() >= since + LEASE_S

    def release(self) -> None:
        """Let other workers continue the unfinished jobs of this worker."""
        queue.release(self.db, self.name)
        self.reading.clear()


def _unchanged(_db: Database, job: Job) -> Job:
    return job


# -- who works ---


def finish(db: Database, steps: Steps, report: Report | None = None, most: int = sys.maxsize) -> None:
    """Do all jobs whose kind is in `steps`, in at most `most` turns. A turn takes a step of each club's first job. A
    club whose oldest job is of another kind has to wait. `report` is called with each job after its step."""
    worker = Worker(db, steps)
    while most and worker.turn(report=report):
        most -= 1


def finish_one(
    db: Database, steps: Steps, key: str, until: float = float("inf"), report: Report | None = None
) -> Job | None:
    """Run the job with this key to its end or until the time `until` (by `time.monotonic`). Return it, or None if it no
    longer exists; `report` is called with it before each step."""
    worker = Worker(db, steps)
    try:
        while (job := queue.find(db, key)) is not None and job.is_under_way:
            if report is not None:
                report(job)
            if not worker.turn(job.club_id):
                time.sleep(LONGEST_PAUSE_S)
            if time.monotonic() > until:
                break
        return queue.find(db, key)
    finally:
        worker.release()


def keep_working(database: str | Path, steps: Steps, hourly: Sequence[str] = ()) -> threading.Event:
    """Run jobs in a thread until the returned event is set. Jobs of the kinds `hourly` are added now and every hour."""
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            try:
                with closing(connect(database)) as db:
                    _work(Worker(db, steps), hourly, stop)
            except errors(OSError, UnusableDatabase) as fault:  # a full disk may have room later
                print("tidemark: " + say("background work is put off: {fault}", fault=str(fault)), flush=True)
                stop.wait(AFTER_AN_ERROR_S)

    threading.Thread(target=run, name="jobs", daemon=True).start()
    return stop


def _work(worker: Worker, hourly: Sequence[str], stop: threading.Event) -> None:
    due = time.monotonic()
    while not stop.is_set():
        start = time.monotonic()
        if start >= due:
            due = start + HOUR_S
            for kind in hourly:
                queue.try_again(worker.db, kind)
                queue.add(worker.db, kind)
        worked = worker.turn()
        stop.wait(min(time.monotonic() - start, LONGEST_PAUSE_S) if worked else LOOK_EVERY_S)
