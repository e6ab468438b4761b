"""Handle values of a record before they are read: their form in messages, and steps of JSON Pointers."""

from __future__ import annotations

import json
from typing import Any

from scorer.contract import Json
from scorer.dates import day_numbered, in_words
from scorer.names import is_writable
from scorer.sentences import Sentence, as_it_is, say


def no_day(value: Json) -> Sentence:
    """Return a message that `value` is no day of the year, with an example of how to write one. For two numbers, such
    as "3/2", it suggests a day, because their order is ambiguous."""
    near = day_numbered(value) if isinstance(value, str) else None
    if near is None:
        return say("Enter a day of the year, like 14 June (06-14). You entered {value}.", value=shown(value))
    return say(
        "We’re not sure what {value} means. For {day}, enter {near}.", value=shown(value), day=in_words(near), near=near
    )


def escape(key: str) -> str:
    """Return a key as one step of a JSON Pointer (RFC 6901)."""
    text = str(key)
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()  # surrogate halves cannot be encoded
    return text.replace("~", "~0").replace("/", "~1") if "~" in text or "/" in text else text


def unescape(step: str) -> str:
    """Return the key that a step of a JSON Pointer stands for."""
    return step.replace("~1", "/").replace("~0", "~")


def mapping(value: Json) -> dict[str, Any]:
    """Return the value if it is an object, otherwise {}."""
    return value if isinstance(value, dict) else {}


def sequence(value: Json) -> list[Any]:
    """Return the value if it is a list, otherwise []."""
    return value if isinstance(value, list) else []


def seated(record: Json) -> list[dict[str, Any]]:
    """Return the players of a record that may be faulty, in order of seats. An entry that is no object becomes an empty
    object."""
    return [mapping(player) for player in sequence(mapping(record).get("players"))]


def words(key: str) -> str:
    """Return the name of a field with blanks instead of underscores, such as "gate steps" for "gate_steps"."""
    return key.replace("_", " ")


def shown(value: Json) -> Sentence:
    """Return a value as it may appear in a message: a number, or a text cut to 30 characters. It is safe to print.
    Instead of lists, objects, nothing and huge numbers, it returns words such as "a list"."""
    if value is None:
        return say("nothing")
    if isinstance(value, dict | list):
        return say("an object") if isinstance(value, dict) else say("a list")
    if isinstance(value, int) and abs(value) > 10**12:
        return say("a huge number")
    if isinstance(value, int | float):
        return as_it_is(json.dumps(value))
    text = str(value)[:31]
    if not is_writable(text):
        text = "".join(c if is_writable(c) else "\N{REPLACEMENT CHARACTER}" for c in text)
    return say("“{text}”", text=text if len(text) <= 30 else text[:29] + "…")
