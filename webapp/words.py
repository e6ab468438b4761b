"""Small words of the pages: names in a row, dates, places."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def listed(names: Sequence[str]) -> str:
    """ "Ann, Bob and Cid"."""
    *most, last = names or [""]
    return f"{', '.join(most)} and {last}" if most else last


def day(moment: str) -> str:
    """ "18 Nov 2026", from a time as the database keeps it."""
    try:
        found = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{found.day} {MONTHS[found.month - 1]} {found.year}"


def ordinal(place: int) -> str:
    """ "1st", "2nd", "11th"."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th") if place % 100 not in {11, 12, 13} else "th"
    return f"{place}{ending}"


def points(amount: int) -> str:
    """A number with a real minus sign."""
    return str(amount).replace("-", "\N{MINUS SIGN}")


FILTERS = {"listed": listed, "day": day, "ordinal": ordinal, "points": points}
