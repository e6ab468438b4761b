"""Define the filters of templates: lists, dates, places and amounts, in the language of the request.

A filter returns a sentence, which is translated when it is printed, or a text that Babel has written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import dates, numbers

from scorer.contract import UNKNOWN
from scorer.dates import in_words
from scorer.report import points_of, score_of
from scorer.result import PlayerResult, ResultLine, is_decided, is_final
from scorer.sentences import Sentence, as_it_is, in_a_row, listed, say
from webapp import i18n

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MINUS = "\N{MINUS SIGN}"
HYPHEN_MINUS = re.compile(r"-(?=\d)")  # Python writes negative numbers with it


def day(moment: str) -> str:
    """Return the date in a stored time or day, such as "18 Nov 2026". The time zone is not converted."""
    try:
        found = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    locale = i18n.locale()
    if locale is None:
        return f"{found.day} {MONTHS[found.month - 1]} {found.year}"
    return dates.format_date(found, "medium", locale=locale)


def moment(time: str, zone: str = "") -> str:
    """Return a stored time such as "3 May 21:40" in the club's time zone, or else the server's."""
    try:
        found = datetime.fromisoformat(time).astimezone(ZoneInfo(zone) if zone else None).replace(tzinfo=None)
    except (ValueError, OverflowError, ZoneInfoNotFoundError):
        return time
    locale = i18n.locale()
    if locale is None:
        return f"{found.day} {MONTHS[found.month - 1]} {found:%H:%M}"
    return f"{dates.format_skeleton('MMMd', found, locale=locale)} {dates.format_time(found, 'short', locale=locale)}"


def month(name: str) -> str:
    """Return "Nov 2026" for "2026-11"."""
    year, number = name[:4], int(name[5:7])
    locale = i18n.locale()
    if locale is None:
        return f"{MONTHS[number - 1]} {year}"
    return dates.format_skeleton("yMMM", datetime(int(year), number, 1), locale=locale)


def month_alone(name: str) -> str:
    """Return "Nov" for "2026-11"."""
    locale = i18n.locale()
    number = int(name[5:7])
    if locale is None:
        return MONTHS[number - 1]
    return dates.format_skeleton("MMM", datetime(int(name[:4]), number, 1), locale=locale)


def period(name: str) -> str:
    """Return a month in words, or a year unchanged."""
    return month(name) if len(name) == 7 else name


def first_word(label: str) -> str:
    """Return the first word of a column's label, such as "20" for "20 to 24", as only this fits below the column."""
    return str(i18n.translate(label)).split(" ")[0]


def city(zone: str) -> str:
    """Return "New York" for "America/New_York", and "Knox, Indiana" for "America/Indiana/Knox"."""
    return ", ".join(reversed(zone.split("/")[1:])).replace("_", " ") or zone


def ordinal(place: int) -> Sentence:
    """Return a rank such as "1st", "2nd" or "11th"."""
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
    """Return a number as text, with the minus sign "−" instead of a hyphen."""
    return str(amount).replace("-", MINUS)


def score(player: PlayerResult) -> str:
    """Return a player's total, or what is known of it, such as "12" or "at least 12"."""
    if is_final(player):
        return points(player["total"])
    return HYPHEN_MINUS.sub(MINUS, str(i18n.translate(score_of(player))))


def worth(lines: Sequence[ResultLine]) -> str:
    """Return the points of one row of the score sheet, with a question mark if some of them are still unknown."""
    return HYPHEN_MINUS.sub(MINUS, str(i18n.translate(points_of(lines))))


def rung(value: int | str | None) -> Sentence:
    """Return the value of a tie-breaker: a number, a day such as "14 June", or "?" if nobody knows it."""
    if value == UNKNOWN:
        return as_it_is("?")
    return in_words(value) if isinstance(value, str) else as_it_is("" if value is None else points(value))


def percent(share: float) -> str:
    locale = i18n.locale()
    return f"{share * 100:.0f}%" if locale is None else numbers.format_percent(share, locale=locale)


def mean(amount: float) -> str:
    """Return an average with one decimal."""
    rounded = round(amount, 1) + 0  # + 0: no zero has a sign
    locale = i18n.locale()
    text = f"{rounded:.1f}" if locale is None else numbers.format_decimal(rounded, "0.0", locale=locale)
    return text.replace("-", MINUS)


def lasting(minutes: int) -> Sentence:
    """Return a duration such as "1 h 20 min"."""
    hours, rest = divmod(minutes, 60)
    if hours and rest:
        return say("{hours} h {minutes} min", hours=hours, minutes=rest)
    return say("{hours} h", hours=hours) if hours else say("{minutes} min", minutes=rest)


def shortened(label: str, most: int) -> str:
    """Return the label of a chart, translated and cut to at most `most` characters. A cut label ends in "…"."""
    text = str(i18n.translate(label))
    return text if len(text) <= most else text[: most - 1] + "…"


def beginning(label: str) -> str:
    """Return the label with a capital letter, for the beginning of a row."""
    text = str(i18n.translate(label))
    return text[:1].upper() + text[1:]


FILTERS = {
    "listed": listed,
    "in_a_row": in_a_row,
    "day": day,
    "month_alone": month_alone,
    "period": period,
    "first_word": first_word,
    "moment": moment,
    "city": city,
    "ordinal": ordinal,
    "points": points,
    "score": score,
    "is_decided": is_decided,
    "rung": rung,
    "worth": worth,
    "month": month,
    "percent": percent,
    "mean": mean,
    "lasting": lasting,
    "shortened": shortened,
    "beginning": beginning,
}
