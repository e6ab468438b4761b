"""Days: the history keeps moments in UTC, and which day a moment belongs to hangs on the club's time zone.

A zone goes by its name in the tz database ("America/New_York"). A club that has not said where it is goes by UTC.
"""

from __future__ import annotations

import functools
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

UNKNOWN = ""  # the zone of a club that has not said where it is
MOMENT = "%Y-%m-%dT%H:%M:%SZ"


@functools.cache
def names() -> tuple[str, ...]:
    """Return every time zone people may live in, by continent and city. The database's other names are old or
    technical.
    """
    return tuple(sorted(name for name in available_timezones() if "/" in name and name.partition("/")[0] in PLACES))


PLACES = frozenset(
    ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)


def is_zone(name: str) -> bool:
    return name == "UTC" or name in available_timezones()


def find_zone(typed: str) -> str | None:
    """Return the zone of that name ("America/New_York") or that city ("new york"), None if there is none."""
    if is_zone(typed):
        return typed
    city = typed.strip().replace(" ", "_").lower()
    return next((name for name in names() if name.rpartition("/")[2].lower() == city), None)


@functools.cache
def _zone(name: str) -> ZoneInfo:
    """The zone of that name; UTC where it is unknown, be it to this computer."""
    return ZoneInfo(name) if name and is_zone(name) else ZoneInfo("UTC")


def local(moment: str, zone: str) -> datetime:
    """Return what clock and calendar showed at the club."""
    found = datetime.fromisoformat(moment)
    try:
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(_zone(zone))
    except OverflowError:  # the first and the last day there is
        return found


def day_of(moment: str, zone: str) -> str:
    """The club's day, "2026-11-18"."""
    if not zone:
        return moment[:10]
    return local(moment, zone).date().isoformat()


def moved(moment: str, day: str, zone: str) -> str:
    """Return that time of day at the club on another day."""
    return _moment(date.fromisoformat(day), local(moment, zone).time().replace(tzinfo=None), zone)


def by_the_clock(told: str, zone: str) -> str:
    """The moment at which clocks at the club showed what stands there as if it were UTC."""
    found = datetime.fromisoformat(told)
    return _moment(found.date(), found.time(), zone)


def written(moment: str, zone: str) -> str:
    """Write a moment with the club's day and hour and their offset from UTC, for files that others read."""
    return local(moment, zone).isoformat() if zone else moment


def beginning(day: str, zone: str) -> str:
    """The moment at which the club's day begins."""
    return _moment(date.fromisoformat(day), time(), zone)


def end(day: str, zone: str) -> str:
    """The moment at which the club's day is over."""
    return _moment(date.fromisoformat(day) + timedelta(days=1), time(), zone)


def today(zone: str) -> date:
    return datetime.now(_zone(zone)).date()


def _moment(day: date, clock: time, zone: str) -> str:
    """Return the moment in UTC. Where clocks were set forward over it, it is the moment after the gap."""
    return datetime.combine(day, clock, _zone(zone)).astimezone(UTC).strftime(MOMENT)
