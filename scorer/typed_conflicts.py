"""Find numbers entered by hand that contradict each other, and the mistake that may explain it.

All numbers without a board are checked here: lines that somebody entered, or a score sheet read from paper. A game
supplies `possible`, which tells whether any board gives some numbers. Missing numbers may have any value, so leaving
out a number never creates a contradiction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from scorer.contract import Problem
from scorer.sentences import NOTHING, Sentence, in_a_row, in_sentences, say

Numbers = Mapping[str, int]  # by rule, or by the name of another fact
Possible = Callable[[Numbers], bool]
Counted = Callable[[str, int], Iterable[tuple[int, Sentence]]]


@dataclass(frozen=True, slots=True)
class TypedNumbers:
    """Hold the numbers that one player entered by hand, and what the game knows about them. `possible` tells whether
    some board gives these numbers. `counted` takes a line and a number that may be a count of buildings. It yields
    the points for that count, with a question to the player."""

    numbers: Numbers
    labels: Mapping[str, Sentence]
    possible: Possible
    counted: Counted
    where: Callable[[str], str]  # the JSON Pointer of a number
    level: Literal["error", "warning"] = "error"


def faults(sheet: TypedNumbers) -> Iterator[Problem]:
    """Yield a problem for each set of numbers that contradict each other. After each problem, the number most likely
    wrong is left out of the check."""
    numbers = sheet.numbers
    while conflict := smallest_conflict(numbers, sheet.possible):
        suspect, question = likely_mistake(conflict, sheet)
        yield fault(conflict, suspect, question, sheet)
        numbers = {name: number for name, number in numbers.items() if name != suspect}


def smallest_conflict(numbers: Numbers, possible: Possible) -> Numbers:
    """Return numbers, by name, that cannot all be right, but can be if any one is left out. Return {} if all `numbers`
    can be right. There may be a conflict of fewer numbers. A number that is impossible alone is returned alone.
    Zeros are left out if possible, because people can check other numbers more easily."""
    if possible(numbers):
        return {}
    for name, number in numbers.items():
        if number and not possible({name: number}):
            return {name: number}
    conflict = dict(numbers)
    for name in sorted(numbers, key=lambda name: numbers[name] != 0):
        fewer = {other: number for other, number in conflict.items() if other != name}
        if not possible(fewer):
            conflict = fewer
    return conflict


def likely_mistake(conflict: Numbers, sheet: TypedNumbers) -> tuple[str, Sentence]:
    """Return the name of the first number in `conflict` that may be a count instead of points, with a question. With
    the points for that count, the conflict would be solved. If there is no such number, return the last one that is
    not 0, or else the last, and NOTHING."""
    for name, number in conflict.items():
        for points, question in sheet.counted(name, number) if number > 0 else ():
            if points != number and sheet.possible({**conflict, name: points}):
                return name, question
    *_, last = sorted(conflict, key=lambda name: conflict[name] != 0)  # a number that is not 0, if there is one
    return last, NOTHING


def fault(conflict: Numbers, suspect: str, question: Sentence, sheet: TypedNumbers) -> Problem:
    """Return the problem that the numbers in `conflict` contradict each other, at the place of the number named
    `suspect`. `question` is added to its message."""
    message: Sentence
    if len(conflict) == 1:
        message = say(
            "“{line}” can’t be {number}. Check this number.", line=sheet.labels[suspect], number=conflict[suspect]
        )
    else:
        parts = [say("{line} {number}", line=sheet.labels[name], number=number) for name, number in conflict.items()]
        message = say("These numbers can’t all be right: {numbers}.", numbers=in_a_row(parts))
    if question:
        message = in_sentences([message, question])
    return Problem("bad_number" if len(conflict) == 1 else "lines_clash", message, sheet.where(suspect), sheet.level)
