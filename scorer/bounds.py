"""How much a record may hold before anybody looks into it: far more than lies on any table, far less than stops us."""

from __future__ import annotations

from itertools import chain

from scorer.contract import Json, Problem
from scorer.sentences import say

MOST_VALUES = 5_000  # lists, objects and what stands in them; the largest tables have a tenth of it
LONGEST_KEY = 100  # letters in the name of a field, which every fault below it repeats


def faults(record: Json, most: int = MOST_VALUES) -> tuple[Problem, ...]:
    """The one fault of a record that is too large to be read, or none. The walk itself ends where the room does."""
    seen, level = 0, [record]
    while level:
        seen += len(level)
        if seen + sum(len(value) for value in level if isinstance(value, list | dict)) > most:
            message = say("There is room for {most} values in a record, not for more: leave some out.", most=most)
            return (Problem("too_many", message),)
        objects = [value for value in level if isinstance(value, dict)]
        if any(len(str(key)) > LONGEST_KEY for one in objects for key in one):
            message = say("The name of a field has at most {most} letters here.", most=LONGEST_KEY)
            return (Problem("unknown_field", message),)
        lists = [value for value in level if isinstance(value, list)]
        level = list(chain(*lists, *(one.values() for one in objects)))
    return ()
