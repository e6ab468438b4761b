"""Describe a bridge by counts instead of buildings, and find counts that follow from others.

Parks cut a bridge of n buildings, g of them parks, into g + 1 sequences, which share its n - g numbers in any way. So
the longest sequence has at least an even share of them, and at most all. Any number may be 30 or lower: there are 30
low numbers and 30 high ones, more than a bridge holds (rulebook, the buildings; no source says which type has which
number). So every `Outline`, a number of buildings and of parks, has real bridges for each value that it allows. A
summary is possible if an outline allows all entered values.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scorer.games.old_london_bridge.cards import GARDEN, SPACES, TYPES

Amounts = tuple[tuple[str, int], ...]
COUNTED = ("longest", "low30", "sets")  # in the order in which each limits the next


@dataclass(frozen=True, slots=True)
class Summary:
    """Hold what is entered of a bridge as counts, such as its buildings; None stands for a count not entered."""

    buildings: int | None = None
    types: Amounts | None = None
    longest: int | None = None
    low30: int | None = None
    sets: int | None = None

    def entered(self, name: str) -> int | None:
        if name.startswith("types/"):
            return dict(self.types or ()).get(name.removeprefix("types/"))
        found: int | None = getattr(self, name)
        return found

    @property
    def outlines(self) -> tuple[Outline, ...]:
        """Return an outline for each possible number of buildings and of parks, given the entered counts."""
        return outlines(self.buildings, self.types)

    def fact(self, name: str) -> int | None:
        """Return the count `name` as entered, or as it follows from the other counts, or None if it is unknown."""
        found = self.entered(name)
        return follows(self, name) if found is None else found


@dataclass(frozen=True, slots=True)
class Outline:
    """Hold one possible number of buildings and number of parks of a bridge.

    `unknown` is how many types were not counted, and `left` is how many buildings are of these types.
    """

    buildings: int
    gardens: int
    known: tuple[int, ...]  # the counts of the known types, beginning with parks
    unknown: int
    left: int

    def values(self, fact: str) -> Sequence[int]:
        """Return the possible values of the count `fact`: "longest", "low30" or "sets"."""
        numbers = self.buildings - self.gardens
        if fact == "longest":
            return range(-(-numbers // (self.gardens + 1)), numbers + 1)
        if fact == "low30":
            return range(numbers + 1)
        most = min(*self.known, self.left // self.unknown if self.unknown else self.buildings)
        # The rest may all be of one type, so that another type has none.
        return range(0 if self.unknown > 1 else most, most + 1)

    def of_type(self, sets: int) -> Sequence[int]:
        """Return the possible numbers of buildings of a type that was not counted; `sets` is the least number of
        complete sets."""
        return range(sets if self.unknown > 1 else self.left, self.left - sets * (self.unknown - 1) + 1)


@functools.lru_cache(maxsize=256)
def outlines(buildings: int | None, types: Amounts | None) -> tuple[Outline, ...]:
    """Return an outline for each possible number of buildings and of parks. `buildings` is the entered number, or None,
    and `types` has the entered numbers of each type."""
    counted = {letter: count for letter, count in types or () if letter in TYPES}
    if any(count < 0 for count in counted.values()):
        return ()
    gardens, others = counted.get(GARDEN), [count for letter, count in counted.items() if letter != GARDEN]
    unknown = len(TYPES) - 1 - len(others)
    found = []
    for n in range(1, SPACES + 1) if buildings is None else (buildings,):
        for g in range(n + 1) if gardens is None else (gardens,):
            left = n - g - sum(others)
            if 1 <= n <= SPACES and (left >= 0 if unknown else left == 0):
                found.append(Outline(n, g, (g, *others), unknown, left))
    return tuple(found)


@functools.lru_cache(maxsize=256)
def narrowed(summary: Summary) -> tuple[Outline, ...]:
    """Return the possible outlines of a bridge that allow all its entered counts."""
    entered = [(fact, value) for fact in COUNTED if (value := summary.entered(fact)) is not None]
    return tuple(
        outline for outline in summary.outlines if all(value in outline.values(fact) for fact, value in entered)
    )


def admitted(left: Iterable[Outline], fact: str) -> list[int]:
    """Return, in ascending order, the values of the count `fact` that at least one of the outlines `left` allows."""
    return sorted({value for outline in left for value in outline.values(fact)})


@functools.lru_cache(maxsize=256)
def follows(summary: Summary, name: str) -> int | None:
    """Return the only possible value of the count `name`, which was not entered, or None if several are possible."""
    left = narrowed(summary)
    if not left:
        return None
    if name in COUNTED:
        values: Sequence[int] = admitted(left, name)
    elif name == "buildings":
        values = sorted({outline.buildings for outline in left})
    else:
        values = counts_of_type(left, name.removeprefix("types/"), summary.sets or 0)
    return values[0] if len(values) == 1 else None


def counts_of_type(left: Sequence[Outline], letter: str, sets: int) -> Sequence[int]:
    """Return the possible numbers of buildings of the type `letter`, which was not counted. `left` are the possible
    outlines of the bridge, and it has at least `sets` complete sets."""
    if letter == GARDEN:
        least, most = min(outline.gardens for outline in left), max(outline.gardens for outline in left)
    else:
        spread = [outline.of_type(sets) for outline in left]
        least, most = min(counts[0] for counts in spread), max(counts[-1] for counts in spread)
    return range(least, most + 1)


def without_count(summary: Summary, fact: str) -> Summary:
    if not fact.startswith("types/"):
        return replace(summary, **{fact: None})
    letter = fact.removeprefix("types/")
    return replace(summary, types=tuple(entry for entry in summary.types or () if entry[0] != letter))
