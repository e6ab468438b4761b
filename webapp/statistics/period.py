"""Read the period in an address: all time, a year, the last twelve months, or a range of months."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from webapp.history import YEARS
from webapp.statistics.scope import months

TWELVE = "12"  # the last twelve months, in an address
RANGE = "range"


@dataclass(frozen=True, slots=True)
class Period:
    """Hold the chosen period with its first and last month, which are "" for all time."""

    chosen: str = ""
    first: str = ""
    last: str = ""

    @property
    def first_day(self) -> str:
        return f"{self.first}-01" if self.first else ""

    @property
    def last_day(self) -> str:
        """Return the 31st of the last month. Days are compared as texts, so a day that doesn't exist is fine."""
        return f"{self.last}-31" if self.last else ""


def requested(chosen: str, since: str, until: str, today: date, played: tuple[str, str]) -> Period:
    """Return the period that an address asks for, or all time if that makes no sense. `chosen` is a year, TWELVE (the
    last twelve months) or RANGE (from `since` until `until`, months such as "2026-01"). `played` has the first and
    the last month with games."""
    now = f"{today.year:04}-{today.month:02}"
    if chosen == TWELVE:
        return Period(TWELVE, months(f"{today.year - 1:04}-{today.month:02}", now)[1], now)
    if is_year(chosen):
        return Period(chosen, f"{chosen}-01", f"{chosen}-12")
    if chosen in ("", RANGE) and (is_month(since) or is_month(until)) and played[0]:
        first = max(since, played[0]) if is_month(since) else played[0]
        last = min(until, max(now, played[1])) if is_month(until) else max(now, played[1])
        return Period(RANGE, first, last)
    return Period()


def is_year(text: str) -> bool:
    """Return whether the text has four digits and is a year from 1900 to 2999, such as "2026"."""
    return bool(re.fullmatch("[0-9]{4}", text)) and int(text) in YEARS


def is_month(text: str) -> bool:
    return bool(re.fullmatch("(?!0000)[0-9]{4}-(0[1-9]|1[0-2])", text))
