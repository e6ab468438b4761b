"""Values that people spell in another way than records do: labels for ids, capitals, "a1" for "A1", "3" for 3.

Reading notes each of them as `Misspelled`, a problem that knows what is meant. `core.load` puts that into a copy of the
record and reads it once more. So a record that is spelled right costs nothing, and whoever keeps a record keeps ids.
"""

from __future__ import annotations

import copy
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scorer.contract import Json, Problem
from scorer.sentences import Sentence

LONGEST = 60  # letters of a value that may be a name or a number
ALIKE = 0.75  # how much two spellings have in common before one is suggested for the other; 1 is everything


@dataclass(frozen=True, slots=True)
class Misspelled(Problem):
    """A value, or the name of a field, in another spelling than records have it."""

    meant: Json = None
    is_key: bool = False


def plain(text: str) -> str:
    """Return the letters and digits of a text, which is how spellings are compared."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def named_by(value: Json, options: Iterable[str]) -> str | None:
    """Return the one option that a text names by its id or its label, however it is spelled."""
    if not isinstance(value, str) or len(value) > LONGEST or not plain(value):
        return None
    found = set(_spellings(options).get(plain(value), ()))
    return found.pop() if len(found) == 1 else None


def nearest(value: Json, options: Iterable[str]) -> str | None:
    """Return the option whose spelling is most like that of a text, or None if none is much like it."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return None
    spellings = _spellings(options)
    found = difflib.get_close_matches(plain(value), spellings, 1, ALIKE)
    return spellings[found[0]][0] if found else None


def _spellings(options: Iterable[str]) -> dict[str, list[str]]:
    """Return the options by each of their spellings; two cards may bear one name."""
    labels: Mapping[str, Sentence] = options if isinstance(options, Mapping) else {}
    found: dict[str, list[str]] = {}
    for option in options:
        found.setdefault(plain(option), []).append(option)
        if option in labels:
            found.setdefault(plain(labels[option]), []).append(option)
    return found


def whole_number(value: Json) -> int | None:
    """Return the number that a text such as "3" or a fraction such as 3.0 stands for, None for a number itself."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str) or len(value) > LONGEST:
        return None
    digits = value.strip().removeprefix("-").removeprefix("−")
    if not (digits.isascii() and digits.isdigit()):
        return None
    return -int(digits) if value.strip()[0] in "-−" else int(digits)


def corrected(record: Json, problems: Iterable[Misspelled]) -> Json:
    """Return a copy of the record in which each misspelled value, or name of a field, is what it stands for."""
    record = copy.deepcopy(record)
    keys: list[Misspelled] = []
    for problem in problems:
        if problem.is_key:
            keys.append(problem)  # last: the places of values lead through them
        else:
            around, step = _around(record, problem.where)
            around[step] = problem.meant
    for problem in reversed(keys):
        around, step = _around(record, problem.where)
        if problem.meant not in around:  # two spellings of one square are a fault, told by the next reading
            around[problem.meant] = around.pop(step)
    return record


def _around(record: Json, pointer: str) -> tuple[Json, Json]:
    """Return the list or object around the place, and the index or key there."""
    *outer, last = (step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])
    for step in outer:
        record = record[int(step)] if isinstance(record, list) else record[step]
    return record, int(last) if isinstance(record, list) else last
