"""Read a bridge: buildings from left to right, numbers descending between parks (rulebook, the buildings; p. 12).

Spaces are counted from 0 here, and named "1" to "12" from the left on score pads.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorer.games.old_london_bridge.cards import GARDEN, HIGHEST_NUMBER, SPACES, TYPES

WRITTEN = re.compile(rf"([{''.join(TYPES)}])(-?[0-9]{{1,9}})?", re.ASCII)
LOW = 30


@dataclass(frozen=True, slots=True)
class Building:
    letter: str
    number: int | None

    @property
    def is_garden(self) -> bool:
        return self.letter == GARDEN

    @property
    def has_legal_number(self) -> bool:
        return not self.is_garden and self.number is not None and 1 <= self.number <= HIGHEST_NUMBER


@functools.lru_cache(maxsize=1024)  # every check and every rule reads the same few tiles
def read_building(text: str) -> Building | None:
    """Return the building for a text such as "C56" or "P", or None if it is no such text. Its number may still be
    impossible."""
    found = WRITTEN.fullmatch(text)
    if found is None:
        return None
    letter, number = found.groups()
    return Building(letter, None if number is None else int(number))


def buildings(bridge: Sequence[str]) -> Iterator[tuple[int, Building]]:
    """Yield each building of a bridge with its space, counted from 0; unreadable texts are left out."""
    for space, text in enumerate(bridge):
        building = read_building(text)
        if building is not None:
            yield space, building


def spaces_of_type(bridge: Sequence[str], letter: str) -> list[int]:
    return [space for space, building in buildings(bridge) if building.letter == letter]


def longest_run(bridge: Sequence[str]) -> list[int]:
    """Return the spaces of the longest sequence of descending numbers; if several are equally long, the leftmost."""
    longest: list[int] = []
    run: list[int] = []
    for space, building in buildings(bridge):
        if building.is_garden:
            run = []
            continue
        run.append(space)
        if len(run) > len(longest):
            longest = run
    return longest


def low_numbers(bridge: Sequence[str]) -> list[int]:
    """Return the spaces that hold buildings with numbers up to 30."""
    return [space for space, building in buildings(bridge) if building.number is not None and building.number <= LOW]


def sets(bridge: Sequence[str]) -> int:
    """Return how many complete sets of all six building types a bridge has; the buildings may be anywhere on it."""
    return min(len(spaces_of_type(bridge, letter)) for letter in TYPES)


def spaces_in_sets(bridge: Sequence[str]) -> list[int]:
    """Return the spaces of the buildings that form complete sets of all six types, the leftmost of each type."""
    complete = sets(bridge)
    return sorted(space for letter in TYPES for space in spaces_of_type(bridge, letter)[:complete])


def space_names(spaces: Sequence[int]) -> tuple[str, ...]:
    return tuple(str(space + 1) for space in spaces)


def open_numbers(bridges: Sequence[Sequence[str]], player: int, space: int) -> tuple[int, ...]:
    """Return the numbers that a player's tile on `space` may have, highest first. They fit the numbers around it up to
    the next park, and no other tile has them. Spaces beyond the first free one have none."""
    own = bridges[player]
    if not 0 <= space <= min(len(own), SPACES - 1):
        return ()
    taken = {
        building.number
        for owner, bridge in enumerate(bridges)
        for place, building in buildings(bridge)
        if (owner, place) != (player, space)
    }
    above = next(numbers_until_garden(own[:space][::-1]), HIGHEST_NUMBER + 1)
    below = next(numbers_until_garden(own[space + 1 :]), 0)
    return tuple(number for number in range(above - 1, below, -1) if number not in taken)


def numbers_until_garden(bridge: Sequence[str]) -> Iterator[int]:
    """Yield the possible numbers of a bridge, from its first space up to the first park; impossible numbers are
    skipped."""
    for _, building in buildings(bridge):
        if building.is_garden:
            return
        if building.has_legal_number and building.number is not None:
            yield building.number
