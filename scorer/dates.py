"""Convert days of the year between the form of records, "MM-DD", and the forms that people write."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scorer.sentences import Sentence, as_it_is, say

DAYS_IN_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MONTHS = (
    say("January"),
    say("February"),
    say("March"),
    say("April"),
    say("May"),
    say("June"),
    say("July"),
    say("August"),
    say("September"),
    say("October"),
    say("November"),
    say("December"),
)
SHORTEST = 3  # letters that identify a month
LONGEST = 40  # characters of a text that may be a day
PARTS = re.compile(r"[0-9]+|[^\W\d_]+")
ORDINALS = frozenset({"st", "nd", "rd", "th", "of"})


def is_day(text: str) -> bool:
    """Return whether a text is a day in the form of records, "MM-DD"."""
    month, dash, day = text.partition("-")
    if not (dash and len(text) == len("MM-DD") and text.isascii() and month.isdigit() and day.isdigit()):
        return False
    return 1 <= int(month) <= len(MONTHS) and 1 <= int(day) <= DAYS_IN_MONTH[int(month) - 1]


def day_named(text: str, months: Sequence[str] = MONTHS) -> str | None:
    """Return the day "03-02" for "2 March", "March 2nd" or "2. Mar", or None if the text is not clearly a day. `months`
    has the names of the months, from January on."""
    if len(text) > LONGEST:
        return None
    parts = [part for part in PARTS.findall(text.casefold()) if part not in ORDINALS]
    numbers, names = [part for part in parts if part.isdigit()], [part for part in parts if not part.isdigit()]
    if len(numbers) != 1 or len(names) != 1 or len(names[0]) < SHORTEST:
        return None
    found = [number for number, month in enumerate(months, 1) if month.casefold().startswith(names[0])]
    return _day(found[0], int(numbers[0])) if len(found) == 1 else None


def day_numbered(text: str) -> str | None:
    """Return a day written as two numbers in the form "MM-DD", or None if the text is no such day. In "3/2" and "3.2."
    the day of the month comes first; "02-03" already has the right form."""
    if is_day(text.strip()) or len(text) > LONGEST:
        return text.strip() if is_day(text.strip()) else None
    numbers = [int(part) for part in PARTS.findall(text) if part.isdigit()]
    if len(numbers) != 2 or any(letter.isalpha() for letter in text):
        return None
    return _day(numbers[1], numbers[0]) or _day(numbers[0], numbers[1])


def in_words(day: str) -> Sentence:
    """Return a day as people write it, "2 March"; other texts stay unchanged."""
    if not is_day(day):
        return as_it_is(day)
    return say("{day} {month}", day=int(day[3:]), month=MONTHS[int(day[:2]) - 1])


def _day(month: int, day: int) -> str | None:
    text = f"{month:02}-{day:02}"
    return text if is_day(text) else None
