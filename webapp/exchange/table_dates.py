"""Read dates as other programs write them. 3/4/2026 is read only if the order of day and month is known."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta

from webapp.exchange.foreign import moment
from webapp.exchange.table_words import WORDS, folded_word

DAY, MONTH, ASK = "day", "month", "?"  # which comes first; "" if no date is ambiguous
MONTHS = {word: int(number) for number, words in WORDS["months"].items() for word in words}
CLOCK = re.compile(
    r"(?:,|\s|T)\s*(\d{1,2})[:h](\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(?:([ap])\.?\s?m\.?|uhr)?$", re.IGNORECASE
)
NUMBERS = re.compile(r"(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})\.?")
TOKEN = re.compile(r"\d+|[^\W\d_]+")
SMALL_WORDS = {"de", "del", "of", "den", "der", "le", "the", "st", "nd", "rd", "th", "er"}


def readings(text: str) -> dict[str, str]:
    """Return the ISO dates that the text can mean, by what comes first in it: DAY or MONTH. If there is only one
    meaning, its key is ""; if there is none, return {}."""
    text = " ".join(unicodedata.normalize("NFKC", text[:100]).split())
    if moment(text) is not None:
        return {"": text}
    clock = CLOCK.search(text)
    time = _time(clock) if clock else ""
    if time is None:
        return {}
    days = dict(_days(text[: clock.start()] if clock else text))
    if days.get(DAY) and days.get(DAY) == days.get(MONTH):
        days = {"": days[DAY]}
    return {order: day + time for order, day in days.items()}


def read(text: str, order: str) -> str | None:
    """Return the date in ISO format, or None if the text is no date; `order` says whether DAY or MONTH is first."""
    found = readings(text)
    return found.get("") or found.get(order)


def order_of(dates: Iterable[str], wished: str = "") -> str:
    """Return what comes first in these dates: DAY or MONTH if that is clear, else `wished`, else ASK.

    Return "" if none of them is ambiguous.
    """
    seen: set[frozenset[str]] = {frozenset(readings(text)) for text in dates}
    shown = [order for order in (DAY, MONTH) if frozenset((order,)) in seen]
    if len(shown) == 1:
        return shown[0]
    if shown or frozenset((DAY, MONTH)) in seen:
        return wished if wished in (DAY, MONTH) else ASK
    return ""


def _days(text: str) -> Iterator[tuple[str, str]]:
    numbers = NUMBERS.fullmatch(text.strip())
    if numbers is None:
        yield from _with_a_month(text)
        return
    first, sign, second, last = numbers.groups()
    if len(first) == 4:
        found = {"": (first, second, last)} if len(last) <= 2 else {}
    elif len(last) == 4 or (len(last) == 2 and sign != "-"):  # 26-01-31 may begin with the year
        found = {DAY: (last, second, first), MONTH: (last, first, second)} if len(first) <= 2 else {}
    else:
        found = {}
    for order, parts in found.items():
        if day := _day(*parts):
            yield order, day


def _with_a_month(text: str) -> Iterator[tuple[str, str]]:
    """Yield "" and the ISO date of a text that names the month, such as 31 January 2026, Sat. Jan 31, 2026 or
    31-Jan-26. Yield nothing for other texts."""
    tokens = [folded_word(token) for token in TOKEN.findall(text)]
    names = [token for token in tokens if token in MONTHS]
    numbers = [token for token in tokens if token.isascii() and token.isdigit()]
    others = [token for token in tokens if token not in {*names, *numbers, *SMALL_WORDS}]
    is_weekday = not others or (len(others) == 1 and tokens[0] == others[0])
    if len(names) == 1 and len(numbers) == 2 and is_weekday:
        if len(numbers[0]) == 4:
            numbers.reverse()
        if day := _day(numbers[1], str(MONTHS[names[0]]), numbers[0]):
            yield "", day


def _day(year: str, month: str, day: str) -> str:
    """Return the day in ISO format, or "" if there is no such day.

    A year of two digits means 20xx; if that day is in the future, return "".
    """
    if len(year) not in (2, 4):
        return ""
    try:
        found = date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return ""
    too_late = len(year) == 2 and found > datetime.now(UTC).date() + timedelta(days=1)
    return "" if too_late else found.isoformat()


def _time(clock: re.Match[str]) -> str | None:
    hour, minute, second, half = int(clock[1]), int(clock[2]), int(clock[3] or 0), (clock[4] or "").lower()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    elif half:
        return None
    return f"T{hour:02}:{minute:02}:{second:02}" if hour < 24 and minute < 60 and second < 60 else None
