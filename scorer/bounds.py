"""Limit the size of a record before anything reads it, so that no record can stall a server."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.contract import Json, Problem
from scorer.sentences import say

MOST_VALUES = 5_000  # lists, objects and their contents; the largest records have a tenth of that
LONGEST_KEY = 100  # characters in the name of a field, which every fault below it repeats
CONTAINERS = (list, dict)


def faults(record: Json, most: int = MOST_VALUES) -> tuple[Problem, ...]:
    """Return a problem if a record has more than `most` values or a field name that is too long; otherwise ()."""
    seen, found = 1, [record] if isinstance(record, CONTAINERS) else []
    for value in found:  # the loop appends to this list
        seen += len(value)
        if seen > most:
            message = say("A record can hold at most {most} values.", most=most)
            return (Problem("too_many", message),)
        below: Iterable[Json] = value
        if isinstance(value, dict):
            for key in value:
                if len(str(key)) > LONGEST_KEY:
                    message = say("A field name can have at most {most} characters.", most=LONGEST_KEY)
                    return (Problem("unknown_field", message),)
            below = value.values()
        for one in below:  # plain loops: a comprehension costs a small object more than it saves
            if isinstance(one, CONTAINERS):
                found.append(one)
    return ()
