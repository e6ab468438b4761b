"""Correct values that people spell in another way than records do: labels for ids, "a1" for "A1", "3" for 3.

Readers note each one as `Misspelled`, a problem that contains the right spelling. `core.load` puts it into a copy of
the record and reads that copy. So a correct record costs nothing extra, and saved records contain only ids.
"""

from __future__ import annotations

import copy
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scorer.contract import Json, Problem
from scorer.sentences import Sentence
from scorer.values import unescape

LONGEST = 60  # characters of a value that may be a name or a number
ALIKE = 0.75  # the similarity from which one spelling is suggested for another; 1 means equal


@dataclass(frozen=True, slots=True)
class Misspelled(Problem):
    """Hold a misspelled value, or a misspelled field name if `is_key`, as a problem; `meant` is the right spelling."""

    meant: Json = None
    is_key: bool = False


def plain(text: str) -> str:
    """Return only the letters and digits of a text in lower case, for comparing spellings."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def named_by(value: Json, options: Iterable[str]) -> str | None:
    """Return the one option that a text names by its id or label in any spelling. Return None if no option or several
    fit."""
    if not isinstance(value, str) or len(value) > LONGEST or not plain(value):
        return None
    found = set(_spellings(options).get(plain(value), ()))
    return found.pop() if len(found) == 1 else None


def nearest(value: Json, options: Iterable[str]) -> str | None:
    """Return the option whose id or label is most like a text. Return None if even that similarity, from 0 to 1, is
    below ALIKE."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return None
    spellings = _spellings(options)
    found = difflib.get_close_matches(plain(value), spellings, 1, ALIKE)
    return spellings[found[0]][0] if found else None


def _spellings(options: Iterable[str]) -> dict[str, list[str]]:
    """Return, keyed by spelling of an id or label, the options that have it; two options may share a spelling."""
    labels: Mapping[str, Sentence] = options if isinstance(options, Mapping) else {}
    found: dict[str, list[str]] = {}
    for option in options:
        found.setdefault(plain(option), []).append(option)
        if option in labels:
            found.setdefault(plain(labels[option]), []).append(option)
    return found


def whole_number(value: Json) -> int | None:
    """Return the whole number for a text such as "3" or a float such as 3.0, or None for anything else."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str) or len(value) > LONGEST:
        return None
    digits = value.strip().removeprefix("-").removeprefix("−")
    if not (digits.isascii() and digits.isdigit()):
        return None
    return -int(digits) if value.strip()[0] in "-−" else int(digits)


def corrected(record: Json, problems: Iterable[Misspelled]) -> Json:
    """Return a copy of the record with the right spelling of each misspelled value and field name."""
    record = copy.deepcopy(record)
    keys: list[Misspelled] = []
    for problem in problems:
        if problem.is_key:
            keys.append(problem)  # renamed last, because the paths of values contain them
        else:
            around, step = _around(record, problem.where)
            around[step] = problem.meant
    for problem in reversed(keys):
        around, step = _around(record, problem.where)
        if problem.meant not in around:  # two spellings of one key are a fault, which the next reading reports
            around[problem.meant] = around.pop(step)
    return record


def _around(record: Json, pointer: str) -> tuple[Json, Json]:
    """Return the list or object that directly contains the value at `pointer`, and its index or key in there."""
    *outer, last = (unescape(step) for step in pointer.split("/")[1:])
    for step in outer:
        record = record[int(step)] if isinstance(record, list) else record[step]
    return record, int(last) if isinstance(record, list) else last
