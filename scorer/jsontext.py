"""Read JSON text, and say by line and column where it is wrong.

A key that appears twice in an object is an error, because nobody can tell which one was meant.
"""

from __future__ import annotations

import json
import re
from typing import Any

from scorer.contract import Json
from scorer.record import shown
from scorer.sentences import Sentence, Value, say

# Matches, in valid JSON, every string and every bracket or brace.
MARKS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}\[\]]', re.DOTALL)


class NotJson(ValueError):
    """Report that a text is not JSON; `message` says where and why."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


class Twice(ValueError):
    """Report that a key appears twice in an object."""


def read_json(text: str | bytes, first_line: int = 1) -> Json:
    """Return the value of a JSON text, or raise NotJson; messages count lines from `first_line`."""
    if isinstance(text, bytes):
        try:
            text = text.decode(json.detect_encoding(text)).removeprefix("\ufeff")
        except UnicodeDecodeError:
            raise NotJson(say("This is not UTF-8 text. Save it as UTF-8.")) from None
    try:
        return json.loads(text, object_pairs_hook=_object)
    except Twice:
        raise NotJson(duplicate_key(text, first_line)) from None
    except json.JSONDecodeError as fault:
        raise NotJson(not_json(first_line + fault.lineno - 1, fault.colno)) from None
    except (RecursionError, ValueError):  # nested too deeply, or a number with thousands of digits
        raise NotJson(not_json(first_line, 1)) from None


def not_json(line: int, column: int) -> Sentence:
    return say("Line {line}, column {column}: this is not JSON.", line=line, column=column)


def twice(line: int, column: int, key: Value) -> Sentence:
    return say(
        "Line {line}, column {column}: {key} appears twice. Remove one of them.", line=line, column=column, key=key
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Twice
    return found


def duplicate_key(text: str, first_line: int) -> Sentence:
    """Return a message about the first key that appears twice in its object; it counts lines from `first_line`."""
    keys: list[set[str]] = []
    for mark in MARKS.finditer(text):
        if mark[1]:
            key = json.loads(mark[0].removesuffix(mark[1]))
            if key in keys[-1]:
                start = mark.start()
                line = first_line + text.count("\n", 0, start)
                return twice(line, start - text.rfind("\n", 0, start), shown(key))
            keys[-1].add(key)
        elif mark[0] in "{[":
            keys.append(set())
        elif mark[0] in "}]":
            keys.pop()
    raise AssertionError("there is one")
