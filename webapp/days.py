"""Compute days: moments are stored in UTC, and the club's time zone decides their day.

A zone has a name of the tz database ("America/New_York"). A club without a zone uses UTC.
"""

from __future__ import annotations

import functools
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

MOMENT = "%Y-%m-%dT%H:%M:%SZ"


@functools.cache
def names() -> tuple[str, ...]:
    """Return the time zones where people may live, named by continent and city; other names are old or technical."""
    return tuple(sorted(name for name in available_timezones() if "/" in name and name.partition("/")[0] in PLACES))


PLACES = frozenset(
    ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)


def is_zone(name: str) -> bool:
    return name == "UTC" or name in available_timezones()


def find_zone(typed: str) -> str | None:
    """Return the zone whose name ("America/New_York") or city ("new york") was entered by hand, or None."""
    if is_zone(typed):
        return typed
    city = typed.strip().replace(" ", "_").lower()
    return next((name for name in names() if name.rpartition("/")[2].lower() == city), None)


@functools.cache
def _zone(name: str) -> ZoneInfo:
    """Return the zone of this name, or UTC if it is unknown on this computer."""
    return ZoneInfo(name) if name and is_zone(name) else ZoneInfo("UTC")


def local(moment: str, zone: str) -> datetime:
    """Return the moment in this time zone."""
    found = datetime.fromisoformat(moment)
    try:
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(_zone(zone))
    except OverflowError:  # on the first and the last day of the calendar
        return found


def day_of(moment: str, zone: str) -> str:
    """Return the day of a moment in this time zone, such as "2026-11-18"."""
    if not zone:
        return moment[:10]
    return local(moment, zone).date().isoformat()


def on_day(moment: str, day: str, zone: str) -> str:
    """Return the moment on `day` at which the club's clocks show the same time as at `moment`."""
    return _moment(date.fromisoformat(day), local(moment, zone).time().replace(tzinfo=None), zone)


def from_local(local: str, zone: str) -> str:
    """Return the moment in UTC of a local time, `local`. It is written like a moment, but means the time in `zone`."""
    found = datetime.fromisoformat(local)
    return _moment(found.date(), found.time(), zone)


def with_offset(moment: str, zone: str) -> str:
    """Return the moment as ISO time in this time zone, with its offset from UTC, for files that others read."""
    return local(moment, zone).isoformat() if zone else moment


def beginning(day: str, zone: str) -> str:
    """Return the moment in UTC at which a day begins in this time zone, such as "2026-11-17T23:00:00Z"."""
    return _moment(date.fromisoformat(day), time(), zone)


def end(day: str, zone: str) -> str:
    """Return the moment in UTC at which a day ends in this time zone. It is the beginning of the next day."""
    return _moment(date.fromisoformat(day) + timedelta(days=1), time(), zone)


def today(zone: str) -> date:
    return datetime.now(_zone(zone)).date()


def _moment(day: date, clock: time, zone: str) -> str:
    """Return the moment in UTC of a local day and time. A time that clocks skip becomes the moment after the gap."""
    return datetime.combine(day, clock, _zone(zone)).astimezone(UTC).strftime(MOMENT)
