"""The time that things are stamped with, and counted back from when they are to be forgotten.

A computer's clock can be wrong: a Raspberry Pi without a battery wakes up days or years back, another one leaps ahead.
While `clock_check` doubts the clock, what is new is never stamped earlier than what the database has seen already, and
what is old is counted from the earlier of the two times: a leap makes nothing look as if it had been forgotten.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

FORM = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Doubt:
    """The clock says something that cannot be believed: what, and what it should roughly say by what was seen."""

    said: datetime
    likely: datetime


class Clock:
    """This process's: the computer's own, with what is known against it."""

    def __init__(self) -> None:
        self.doubt: Doubt | None = None
        self.doubted_at = 0.0  # by the counter that only runs forward

    def wall(self) -> datetime:
        """Return what the computer says."""
        return datetime.now(UTC)

    def suspect(self, doubt: Doubt | None) -> None:
        self.doubt, self.doubted_at = doubt, time.monotonic()

    def likely(self) -> datetime:
        """Return what it should say: the same, as long as nobody doubts it."""
        if self.doubt is None:
            return self.wall()
        return self.doubt.likely + timedelta(seconds=time.monotonic() - self.doubted_at)


clock = Clock()


def now() -> str:
    """The time in UTC, sortable as text; never earlier than what has been seen."""
    return max(clock.wall(), clock.likely()).strftime(FORM)


def ago(days: float) -> str:
    """Return the time so many days before now, or before the latest time that was stored, whichever is earlier."""
    return (min(clock.wall(), clock.likely()) - timedelta(days=days)).strftime(FORM)


def read(text: str) -> datetime | None:
    """The moment that a stamp means; None if it is none."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
