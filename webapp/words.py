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


def month(name: str) -> str:
    """ "Nov 2026", from "2026-11"."""
    return f"{MONTHS[int(name[5:7]) - 1]} {name[:4]}"


def percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def mean(amount: float) -> str:
    """An average, to one decimal."""
    return f"{round(amount, 1) + 0:.1f}".replace("-", "\N{MINUS SIGN}")  # + 0: no zero has a sign


def lasting(minutes: int) -> str:
    """ "1 h 20 min"."""
    hours, rest = divmod(minutes, 60)
    return " ".join([*([f"{hours} h"] if hours else []), *([f"{rest} min"] if rest or not hours else [])])


FILTERS = {
    "listed": listed,
    "day": day,
    "ordinal": ordinal,
    "points": points,
    "month": month,
    "percent": percent,
    "mean": mean,
    "lasting": lasting,
}
