"""A bridge that is only counted, not entered building by building, and what follows from the counts.

Parks cut a bridge of n buildings, g of them parks, into g + 1 rows that share its n - g numbers in any way: the
longest row has at least an even share of them and at most all. Any of the numbers may be 30 or lower: there are 30 of
those and 30 higher ones, more than a bridge holds (rulebook, the buildings; no source says which type has which
number). So every `Outline`, a number of buildings with a number of parks, stands for real bridges with every value
that it admits, and a summary is possible if an outline is left that admits all that is entered.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scorer.games.old_london_bridge.cards import GARDEN, SPACES, TYPES

Amounts = tuple[tuple[str, int], ...]
COUNTED = ("longest", "low30", "sets")  # in the order in which they narrow one another down


@dataclass(frozen=True, slots=True)
class Summary:
    """Hold what was counted on a bridge."""

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
        """Return what the bridge may be, given its buildings and types."""
        return outlines(self.buildings, self.types)

    def fact(self, name: str) -> int | None:
        """Return what was entered, or follows from the rest."""
        found = self.entered(name)
        return follows(self, name) if found is None else found


@dataclass(frozen=True, slots=True)
class Outline:
    """A bridge as far as its rows and types are concerned; `left` are the buildings of the types in `unknown`."""

    buildings: int
    gardens: int
    known: tuple[int, ...]  # how many there are of the types that were counted, gardens always among them
    unknown: int
    left: int

    def values(self, fact: str) -> Sequence[int]:
        """Return what may be entered for longest, low30 or sets."""
        numbers = self.buildings - self.gardens
        if fact == "longest":
            return range(-(-numbers // (self.gardens + 1)), numbers + 1)
        if fact == "low30":
            return range(numbers + 1)
        most = min(*self.known, self.left // self.unknown if self.unknown else self.buildings)
        # What is left can go to one of two types, so that there is none of the other.
        return range(0 if self.unknown > 1 else most, most + 1)

    def of_type(self, sets: int) -> Sequence[int]:
        """Return how many there may be of an unknown type, with so many complete sets at least."""
        return range(sets if self.unknown > 1 else self.left, self.left - sets * (self.unknown - 1) + 1)


@functools.lru_cache(maxsize=256)
def outlines(buildings: int | None, types: Amounts | None) -> tuple[Outline, ...]:
    """All that fit the number of buildings and the types that were counted; none if there is no such bridge."""
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
    """The outlines that admit everything that was entered."""
    entered = [(fact, value) for fact in COUNTED if (value := summary.entered(fact)) is not None]
    return tuple(
        outline for outline in summary.outlines if all(value in outline.values(fact) for fact, value in entered)
    )


def admitted(left: Iterable[Outline], fact: str) -> list[int]:
    """The values that some outline admits, in their order."""
    return sorted({value for outline in left for value in outline.values(fact)})


@functools.lru_cache(maxsize=256)
def follows(summary: Summary, name: str) -> int | None:
    """Return what can only have one value, given the rest; `name` was not entered."""
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
    """From how many to how many buildings of a type that was not counted there may be."""
    if letter == GARDEN:
        least, most = min(outline.gardens for outline in left), max(outline.gardens for outline in left)
    else:
        spread = [outline.of_type(sets) for outline in left]
        least, most = min(counts[0] for counts in spread), max(counts[-1] for counts in spread)
    return range(least, most + 1)


def forgotten(summary: Summary, fact: str) -> Summary:
    """Return the summary as if that had not been counted."""
    if not fact.startswith("types/"):
        return replace(summary, **{fact: None})
    letter = fact.removeprefix("types/")
    return replace(summary, types=tuple(entry for entry in summary.types or () if entry[0] != letter))
