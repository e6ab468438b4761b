"""Read a JSON file of any size while holding only one list element in memory.

    for name, element in members(file):      # file: bytes, opened for reading
        ...                                  # "players", START; "players", {...}; "players", {...}; "version", 1

The file must be an object. A list in it comes as START and then element by element; any other value comes as a whole.
The length, depth and number of values of an element are limited.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Callable, Iterator
from json.decoder import JSONDecodeError
from typing import Any, BinaryIO

from scorer.contract import Json
from scorer.jsontext import Twice, duplicate_key
from scorer.record import shown
from scorer.sentences import say
from webapp.exchange.import_errors import Refused, refused

WINDOW = 256 * 1024  # characters parsed at a time
LONGEST = 8 * 1024 * 1024  # characters of one element
MOST_VALUES = 400_000  # in one element, at up to about 200 bytes each
DEEPEST = 30
SPACE = re.compile(r"[ \t\n\r]*")
MARK = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\],]', re.DOTALL)
HALF_LETTER = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}|\\u[dD][c-fC-F][0-9a-fA-F]{2}")


class _Start:
    """Mark the beginning of a list."""


START = _Start()


def members(file: BinaryIO, on_read: Callable[[int], None] = lambda _: None) -> Iterator[tuple[str, Any]]:
    """Yield name and value of each member of the object in the file; lists come element by element. `on_read` is called
    after each piece of the file, with the number of bytes read so far."""
    text = _Text(file, on_read)
    text.expect("{")
    seen: set[str] = set()
    more = not text.follows("}")
    while more:
        at = text.place()
        name = text.value()
        if not isinstance(name, str):
            text.fail()
        if name in seen:
            line, column = at
            raise refused("twice", line=line, column=column, key=str(shown(name)))
        seen.add(name)
        if len(seen) > 1000:
            raise refused("unreadable")
        text.expect(":")
        if text.follows("["):
            yield name, START
            for element in _elements(text):
                yield name, element
        else:
            yield name, text.value()
        more = text.goes_on("}")
    text.finish()


def _elements(text: _Text) -> Iterator[Json]:
    more = not text.follows("]")
    while more:
        yield text.value()
        more = text.goes_on("]")


class _Text:
    """Parse the text of a file while holding only a part of it in memory."""

    def __init__(self, file: BinaryIO, on_read: Callable[[int], None]) -> None:
        self.file, self.on_read = file, on_read
        self.decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self.parser = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite, parse_constant=_finite)
        self.held, self.at, self.ended = "", 0, False
        self.bytes = 0
        self.lines, self.column = 1, 0  # where the window begins

    def more(self) -> bool:
        """Read more of the file and drop what was parsed; return False at the end of the file."""
        if self.ended:
            return False
        if self.at:
            gone = self.held[: self.at]
            breaks = gone.count("\n")
            self.column = len(gone) - gone.rfind("\n") - 1 if breaks else self.column + len(gone)
            self.lines += breaks
            self.held, self.at = self.held[self.at :], 0
        chunk = self.file.read(max(WINDOW, min(len(self.held), LONGEST)))
        self.bytes += len(chunk)
        self.on_read(self.bytes)
        self.ended = not chunk
        try:
            self.held += self.decoder.decode(chunk, final=self.ended)
        except UnicodeDecodeError:
            raise Refused(say("The file is not UTF-8. In Excel, save it as “CSV UTF-8”.")) from None
        return not self.ended

    def next(self) -> str:
        """Skip white space and return the next character, or "" at the end, without consuming it."""
        while True:
            found = SPACE.match(self.held, self.at)
            assert found is not None
            self.at = found.end()
            if self.at < len(self.held):
                return self.held[self.at]
            if not self.more():
                return ""

    def follows(self, mark: str) -> bool:
        if self.next() != mark:
            return False
        self.at += 1
        return True

    def expect(self, mark: str) -> None:
        if not self.follows(mark):
            self.fail()

    def goes_on(self, end: str) -> bool:
        """Consume a comma and return True, as another element follows, or consume the closing mark `end` and return
        False. Raise Refused at anything else."""
        if self.follows(end):
            return False
        if not self.follows(","):
            self.fail()
        return True

    def finish(self) -> None:
        if self.next():
            self.fail()

    def value(self) -> Json:
        """Parse the next value and return it, reading more of the file until the value is complete."""
        self.next()
        while True:
            self.bound()
            fault: JSONDecodeError | None = None
            try:
                found, end = self.parser.raw_decode(self.held, self.at)
            except JSONDecodeError as raised:
                fault = raised
            except Twice:
                raise Refused(duplicate_key(self.held[self.at :], self.place()[0])) from None
            except RecursionError:
                raise refused("unreadable") from None
            except ValueError:  # a number of thousands of digits
                raise refused("unreadable") from None
            if fault is None and (end < len(self.held) or self.ended):
                self.check(found, end)
                self.at = end
                return found
            if not self.more() and fault is not None:
                self.at = fault.pos
                self.fail()

    def bound(self) -> None:
        """Raise Refused if the next element is too long or has too many values, before it is parsed."""
        length = len(self.held) - self.at
        if length <= WINDOW:
            return
        marks = sum(self.held.count(mark, self.at) for mark in ",[{")
        if length > LONGEST or marks > MOST_VALUES:
            values, end = _extent(self.held, self.at)
            if values > MOST_VALUES or end - self.at > LONGEST:
                raise refused("unreadable")

    def check(self, found: Json, end: int) -> None:
        if isinstance(found, dict | list) and is_deep(found):
            raise refused("unreadable")
        if HALF_LETTER.search(self.held, self.at, end):
            try:
                json.dumps(found, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise refused("unreadable") from None

    def place(self) -> tuple[int, int]:
        """Return the line and the column of the next value."""
        self.next()
        before = self.held[: self.at]
        breaks = before.count("\n")
        column = len(before) - before.rfind("\n") if breaks else self.column + len(before) + 1
        return self.lines + breaks, column

    def fail(self) -> None:
        line, column = self.place()
        raise refused("not_json", line=line, column=column)


def _extent(text: str, at: int) -> tuple[int, int]:
    """Return the number of values of the JSON element at the position `at`, and where it or the text ends."""
    depth = values = 0
    for mark in MARK.finditer(text, at):
        sign = mark[0]
        values += sign in {",", "[", "{"}
        depth += (sign in {"[", "{"}) - (sign in {"]", "}"})
        if depth <= 0 or values > MOST_VALUES:
            return values, mark.end()
    return values, len(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Twice
    return found


def _finite(text: str) -> float:
    """Return the number, or raise Refused: `json` would also accept NaN, which is no JSON."""
    number = float(text)
    if not math.isfinite(number):
        raise refused("unreadable")
    return number


def is_deep(value: Json) -> bool:
    """Return whether the value is nested deeper than `DEEPEST`."""
    level: list[Json] = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))  # a tuple, which is faster than `dict | list`
        ]
        if not level:
            return False
    return True
