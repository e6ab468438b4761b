"""Read a single value of a record, and note each fault with its JSON Pointer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scorer.contract import UNKNOWN, UNKNOWN_LETTER, Json, Problem
from scorer.dates import day_named, is_day
from scorer.names import is_writable
from scorer.sentences import Sentence, in_a_row, say
from scorer.spelling import Misspelled, named_by, nearest, whole_number
from scorer.values import escape, no_day, shown

MAX_NAME = 40
MOST_ELEMENTS = 100  # in a list, or in an object with free keys; no game has so many of anything
POINTS = 999  # no line of our games comes near this limit for typed numbers


def is_letter(value: Json) -> bool:
    """Return whether a value is one letter, or UNKNOWN in place of one."""
    return isinstance(value, str) and (len(value) == 1 or value == UNKNOWN)


class _Required:
    """Mark a field without a default; None would not do, because some fields have it as their default."""


REQUIRED = _Required()


Options = Sequence[str] | Mapping[str, Sentence]  # ids, with labels if people may write those instead
Place = tuple["Place | None", str]  # the place of the containing object or list, and the step from there


class Value:
    """Hold a value of the record, its place, and the list that collects all faults."""

    __slots__ = ("place", "problems", "value")

    def __init__(self, value: Json, place: Place | None = None, problems: list[Problem] | None = None) -> None:
        self.value = value
        self.place = place
        self.problems: list[Problem] = [] if problems is None else problems

    @property
    def where(self) -> str:
        """Return the JSON Pointer, which is built only on demand because few values have a fault."""
        pointer, place = "", self.place
        while place is not None:
            place, step = place
            pointer = f"/{escape(step)}{pointer}"
        return pointer

    def fail(self, code: str, message: Sentence, where: str | None = None) -> None:
        self.problems.append(Problem(code, message, self.where if where is None else where))

    def correct(self, meant: Json) -> None:
        """Note that the value is misspelled, and continue with `meant`, the correct spelling."""
        message = say("Enter {meant} instead of {value}.", meant=shown(meant), value=shown(self.value))
        self.problems.append(Misspelled("misspelled", message, self.where, meant=meant))
        self.value = meant

    def as_number(self, low: int, high: int, code: str = "bad_number") -> int:
        if isinstance(self.value, int) and not isinstance(self.value, bool) and low <= self.value <= high:
            return self.value
        number = whole_number(self.value)
        if number is not None and low <= number <= high:
            self.correct(number)
            return number
        value = shown(self.value)
        message = say(
            "Enter a whole number from {low} to {high}. You entered {value}.", low=low, high=high, value=value
        )
        self.fail(code, message)
        return low

    def as_remembered(self, low: int, high: int) -> int | str:
        """Return a number from `low` to `high`, or UNKNOWN if the record says that nobody remembers it. Anything else
        is a fault, and gives `low`."""
        return UNKNOWN if self.value == UNKNOWN else self.as_number(low, high)

    def as_amount(self) -> int | None:
        if isinstance(self.value, int) and not isinstance(self.value, bool) and abs(self.value) <= POINTS:
            return self.value
        number = whole_number(self.value)
        if number is not None and abs(number) <= POINTS:
            self.correct(number)
            return number
        self.as_number(0, POINTS)
        return None

    def as_choice(self, options: Options, code: str = "unknown_option") -> str:
        if isinstance(self.value, str) and self.value in options:
            return self.value
        meant = named_by(self.value, options)
        if meant is not None:
            self.correct(meant)
            return meant
        self.fail_choice(options, code)
        return next(iter(options))

    def fail_choice(self, options: Options, code: str) -> None:
        """Note a fault with this code, such as "unknown_option", because the value is none of the options. The message
        names the most similar option or, if none is similar, all of them."""
        value, near = shown(self.value), nearest(self.value, options)
        if near is None:
            options = in_a_row(list(options))
            self.fail(code, say("Choose one of {options}. You entered {value}.", options=options, value=value))
        else:
            self.fail(code, say("There is no {value} here. Did you mean {nearest}?", value=value, nearest=near))

    def as_named(self, options: Options) -> str:
        """Return the option that a text names. If there is none, return the text, which `validate` then judges."""
        meant = self.value if self.value in options else named_by(self.value, options)
        if meant is None or meant == self.value:
            return str(self.value)
        self.correct(meant)
        return meant

    def as_capitals(self, text: str, is_right: Callable[[str], Any]) -> str:
        """Return `text` in capitals without blanks if it is right only then, otherwise unchanged. `is_right` tells
        whether a spelling is right."""
        if is_right(text) or not is_right(text.upper().replace(" ", "")):
            return text
        self.correct(text.upper().replace(" ", ""))
        return str(self.value)

    def as_letters(self, number: int, is_right: Callable[[str], Any]) -> Json:
        """Return a row of `number` letters as one text, such as "WB." for "wb." or ["W", "B", "."]. UNKNOWN becomes "?"
        for a square, and a "?" for each square instead of a row. A value that is no such row stays unchanged;
        `is_right` tells whether a text is one."""
        if self.value == UNKNOWN:
            self.correct(UNKNOWN_LETTER * number)
        if isinstance(self.value, list) and len(self.value) == number and all(map(is_letter, self.value)):
            self.correct("".join(UNKNOWN_LETTER if letter == UNKNOWN else letter for letter in self.value))
        return self.as_capitals(self.value, is_right) if isinstance(self.value, str) else self.value

    def note_unknown_letters(self, is_right: Callable[[str], Any]) -> None:
        """Note each "?" in a row of letters as a fault, which `core.load` makes an open fact. A value that is no text,
        or that `is_right` refuses as a row, is left alone."""
        for place, letter in enumerate(self.value if isinstance(self.value, str) and is_right(self.value) else ""):
            if letter == UNKNOWN_LETTER:
                message = say("This square is not entered yet.")
                self.fail("unknown_letter", message, f"{self.where}/{place}")

    def as_flag(self) -> bool:
        if isinstance(self.value, bool):
            return self.value
        meant = named_by(self.value, ("true", "false"))
        if meant is not None:
            self.correct(meant == "true")
            return meant == "true"
        self.fail("unreadable", say("Enter true or false. You entered {value}.", value=shown(self.value)))
        return False

    def as_text(self, longest: int = MAX_NAME) -> str:
        if isinstance(self.value, str) and len(self.value) <= longest:
            if is_writable(self.value):
                return self.value
            self.fail("unreadable", say("This text has an invisible character. Type it again."))
            return ""
        value = shown(self.value)
        message = say("Enter plain text of at most {most} characters. You entered {value}.", most=longest, value=value)
        self.fail("unreadable", message)
        return ""

    def as_date(self) -> str:
        """Return a day of the year, "MM-DD". A day such as "14 June" is noted as misspelled and corrected. Anything
        else is a fault, and gives "01-01"."""
        if isinstance(self.value, str) and is_day(self.value):
            return self.value
        meant = day_named(self.value) if isinstance(self.value, str) else None
        if meant is not None:
            self.correct(meant)
            return meant
        self.fail("bad_date", no_day(self.value))
        return "01-01"

    def as_object(self) -> None:
        if not isinstance(self.value, dict):
            value = shown(self.value)
            self.fail("unreadable", say("Write a JSON object here, in braces, not {value}.", value=value))
            self.value = {}

    def bounded(self, most: int) -> list[Any]:
        """Return the elements of a list, or the keys of an object; more than `most` are a fault. Of a list that is too
        long, the first `most` elements stay; of an object, nothing."""
        if len(self.value) > most:
            message = say("Enter at most {most} entries, not {number}.", most=most, number=len(self.value))
            self.fail("too_many", message)
            self.value = self.value[:most] if isinstance(self.value, list) else {}
        return list(self.value)
