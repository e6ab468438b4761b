"""Delete old rows every hour: deleted games, abandoned tables and photos, log entries, devices and jobs.

Nothing is deleted while the clock is in doubt.
"""

from __future__ import annotations

from collections.abc import Iterator

from webapp import clock_check, clubs, jobs
from webapp.database import Database
from webapp.history import plays
from webapp.jobs import Job, SlowSteps, Step
from webapp.table import rooms, samples, tables

KIND = "purge"


PURGES = (
    rooms.end_old_ones,
    tables.clear_forgotten,
    samples.forget_unanswered,
    plays.purge,
    clubs.audit_log.purge,
    clubs.devices.purge,
    jobs.purge,
)


def steps(db: Database, _job: Job) -> Iterator[Step | None]:
    """Delete old rows; yield None after each kind of row, and finally the step that ends the job."""
    if clock_check.may_forget(db):
        for purge_some in PURGES:
            purge_some(db)
            yield None
    yield lambda *_: None


STEPS = {KIND: SlowSteps(steps)}
