"""Filters of the pages: names in a row, dates, places and amounts, in English or in the language of the request.

What is made of words is a sentence and told where it is printed; what Babel writes is a text at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import dates, numbers

from scorer.report import points_of, score_of
from scorer.result import PlayerResult, ResultLine, is_decided, is_final
from scorer.sentences import Sentence, in_a_row, listed, say
from webapp import i18n

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MINUS = "\N{MINUS SIGN}"
HYPHEN_MINUS = re.compile(r"-(?=\d)")  # as Python writes a negative number


def day(moment: str) -> str:
    """ "18 Nov 2026", from a time as the database keeps it."""
    try:
        found = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    locale = i18n.locale()
    if locale is None:
        return f"{found.day} {MONTHS[found.month - 1]} {found.year}"
    return dates.format_date(found, "medium", locale=locale)


def moment(time: str, zone: str = "") -> str:
    """ "3 May 21:40" in the club's time zone, or else the server's, from a time as the database keeps it."""
    try:
        found = datetime.fromisoformat(time).astimezone(ZoneInfo(zone) if zone else None).replace(tzinfo=None)
    except (ValueError, OverflowError, ZoneInfoNotFoundError):
        return time
    locale = i18n.locale()
    if locale is None:
        return f"{found.day} {MONTHS[found.month - 1]} {found:%H:%M}"
    return f"{dates.format_skeleton('MMMd', found, locale=locale)} {dates.format_time(found, 'short', locale=locale)}"


def month(name: str) -> str:
    """ "Nov 2026", from "2026-11"."""
    year, number = name[:4], int(name[5:7])
    locale = i18n.locale()
    if locale is None:
        return f"{MONTHS[number - 1]} {year}"
    return dates.format_skeleton("yMMM", datetime(int(year), number, 1), locale=locale)


def month_alone(name: str) -> str:
    """ "Nov", from "2026-11"."""
    locale = i18n.locale()
    number = int(name[5:7])
    if locale is None:
        return MONTHS[number - 1]
    return dates.format_skeleton("MMM", datetime(int(name[:4]), number, 1), locale=locale)


def period(name: str) -> str:
    """A month, or a year as it stands."""
    return month(name) if len(name) == 7 else name


def weekday(day: str) -> int:
    """0 on Mondays."""
    return date.fromisoformat(day).weekday()


def first_word(label: str) -> str:
    """Return as much of a step's label as fits below its column: "20", from "20 to 24"."""
    return str(i18n.translate(label)).split(" ")[0]


def city(zone: str) -> str:
    """ "New York", from "America/New_York"; "Indianapolis, Indiana"."""
    return ", ".join(reversed(zone.split("/")[1:])).replace("_", " ") or zone


def ordinal(place: int) -> Sentence:
    """ "1st", "2nd", "11th"."""
    if place % 100 in {11, 12, 13}:
        return say("{n}th", n=place)
    match place % 10:
        case 1:
            return say("{n}st", n=place)
        case 2:
            return say("{n}nd", n=place)
        case 3:
            return say("{n}rd", n=place)
        case _:
            return say("{n}th", n=place)


def points(amount: int) -> str:
    """A number with a real minus sign."""
    return str(amount).replace("-", MINUS)


def score(player: PlayerResult) -> str:
    """A total, or what is known of it: "12", "at least 12"."""
    if is_final(player):
        return points(player["total"])
    return HYPHEN_MINUS.sub(MINUS, str(i18n.translate(score_of(player))))


def worth(lines: Sequence[ResultLine]) -> str:
    """The points of one row of the pad, with a question mark while one of its lines is open."""
    return HYPHEN_MINUS.sub(MINUS, str(i18n.translate(points_of(lines))))


def percent(share: float) -> str:
    locale = i18n.locale()
    return f"{share * 100:.0f}%" if locale is None else numbers.format_percent(share, locale=locale)


def mean(amount: float) -> str:
    """An average, to one decimal."""
    rounded = round(amount, 1) + 0  # + 0: no zero has a sign
    locale = i18n.locale()
    text = f"{rounded:.1f}" if locale is None else numbers.format_decimal(rounded, "0.0", locale=locale)
    return text.replace("-", MINUS)


def lasting(minutes: int) -> Sentence:
    """ "1 h 20 min"."""
    hours, rest = divmod(minutes, 60)
    if hours and rest:
        return say("{hours} h {minutes} min", hours=hours, minutes=rest)
    return say("{hours} h", hours=hours) if hours else say("{minutes} min", minutes=rest)


def shortened(label: str, most: int) -> str:
    """A label for a chart, cut to so many characters."""
    text = str(i18n.translate(label))
    return text if len(text) <= most else text[: most - 1] + "…"


def beginning(label: str) -> str:
    """A label as it stands at the beginning of a row: with a capital letter."""
    text = str(i18n.translate(label))
    return text[:1].upper() + text[1:]


FILTERS = {
    "listed": listed,
    "in_a_row": in_a_row,
    "day": day,
    "month_alone": month_alone,
    "period": period,
    "weekday": weekday,
    "first_word": first_word,
    "moment": moment,
    "city": city,
    "ordinal": ordinal,
    "points": points,
    "score": score,
    "is_decided": is_decided,
    "worth": worth,
    "month": month,
    "percent": percent,
    "mean": mean,
    "lasting": lasting,
    "shortened": shortened,
    "beginning": beginning,
}
