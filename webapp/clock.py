"""Tell the time for stamps, and for deleting what is old, even if the computer's clock is wrong.

A Raspberry Pi without a battery starts days or years back, and other clocks jump ahead. While `clock_check` doubts the
clock, new stamps are never earlier than what the database has seen. Ages are counted from the earlier of the two times,
so a jump makes nothing look old enough to delete.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

FORM = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Hold what a doubted clock says, and roughly what it should say."""

    said: datetime
    likely: datetime


class Clock:
    """Represent the computer's clock and, if it seems wrong, the doubt about it."""

    def __init__(self) -> None:
        self.doubt: Doubt | None = None
        self.doubted_at = 0.0  # by `time.monotonic`

    def wall(self) -> datetime:
        """Return what the computer's clock says."""
        return datetime.now(UTC)

    def suspect(self, doubt: Doubt | None) -> None:
        self.doubt, self.doubted_at = doubt, time.monotonic()

    def likely(self) -> datetime:
        """Return what the clock says or, while it is in doubt, an estimate of the right time."""
        if self.doubt is None:
            return self.wall()
        return self.doubt.likely + timedelta(seconds=time.monotonic() - self.doubted_at)


clock = Clock()


def now() -> str:
    """Return the time in UTC, sortable as text; it is never earlier than the latest time in the database."""
    return max(clock.wall(), clock.likely()).strftime(FORM)


def ago(days: float) -> str:
    """Return the time this many days before now, or before the latest stored time, whichever is earlier."""
    return (min(clock.wall(), clock.likely()) - timedelta(days=days)).strftime(FORM)


def read(text: str) -> datetime | None:
    """Return the time in a stored text such as "2026-11-18T20:15:00Z", or None if the text is malformed."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
