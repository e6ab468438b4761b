"""Read JSON text, and say by line and column where it is wrong.

A key that appears twice in an object is an error, because nobody can tell which one was meant.
"""

from __future__ import annotations

import json
import re
from typing import Any

from scorer.contract import Json
from scorer.record import shown
from scorer.sentences import Sentence, in_sentences, say

# The messages of Python's `json`, in our own words.
MISSING = {
    "Expecting value": say("A value is missing."),
    "Expecting ',' delimiter": say("A comma or a closing bracket is missing."),
    "Expecting ':' delimiter": say("A colon is missing."),
    "Expecting property name enclosed in double quotes": say("A field name in double quotes is missing."),
    "Illegal trailing comma before end of object": say("There is an extra comma here."),
    "Illegal trailing comma before end of array": say("There is an extra comma here."),
    "Extra data": say("Remove everything from here on."),
    "Unterminated string starting at": say("A closing quote is missing."),
    "Invalid control character at": say("Remove the line break or control character."),
}
STRAYED = say("There is a mistake here.")
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
    if not text.strip():
        raise NotJson(say("Enter a record as JSON."))
    try:
        return json.loads(text, object_pairs_hook=_object)
    except Twice:
        raise NotJson(duplicate_key(text, first_line)) from None
    except json.JSONDecodeError as fault:
        line, column, why = first_line + fault.lineno - 1, fault.colno, MISSING.get(fault.msg, STRAYED)
        where = say("Line {line}, column {column}: this is not JSON.", line=line, column=column)
        raise NotJson(in_sentences([where, why])) from None
    except RecursionError:
        raise NotJson(say("From line {line} on, lists are nested too deeply.", line=first_line)) from None
    except ValueError:  # a number with thousands of digits
        raise NotJson(say("From line {line} on, a number has too many digits.", line=first_line)) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Twice
    return found


def duplicate_key(text: str, first_line: int) -> Sentence:
    """Return a message about the first key that appears twice in its object."""
    keys: list[set[str]] = []
    for mark in MARKS.finditer(text):
        if mark[1]:
            key = json.loads(mark[0].removesuffix(mark[1]))
            if key in keys[-1]:
                start = mark.start()
                return say(
                    "Line {line}, column {column}: {key} appears twice. Remove one of them.",
                    line=first_line + text.count("\n", 0, start),
                    column=start - text.rfind("\n", 0, start),
                    key=shown(key),
                )
            keys[-1].add(key)
        elif mark[0] in "{[":
            keys.append(set())
        elif mark[0] in "}]":
            keys.pop()
    raise AssertionError("there is one")
