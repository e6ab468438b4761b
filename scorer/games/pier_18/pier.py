"""A pier and what its characters earn (rulebook, scoring; the publisher's answers on flower sellers and lovers).

A pier is a line of sections from the shore to the sea, each with a space on the left and one on the right. Spaces are
named like squares: "A3" is the left one of the third section, "B3" the right one. Nothing here asks whether the pier
is finished, so it serves the patron phase as well.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scorer import grid
from scorer.grid import Square
from scorer.sentences import listed

PRINTED = tomllib.loads((Path(__file__).parent / "cards.toml").read_text(encoding="utf-8"))
CHARACTERS: dict[str, str] = {character["letter"]: character["name"] for character in PRINTED["character"]}
PLURALS: dict[str, str] = {character["letter"]: character["plural"] for character in PRINTED["character"]}
EMPTY = "."
SIDES = ("left", "right")
REACH = 2  # spaces in which a character spoils lovers
LOVERS = 2  # points
ACROSS = ("ignore", "must_be_empty")

Rows = Sequence[str]


@dataclass(frozen=True, slots=True)
class Earned:
    points: int
    why: str
    spaces: tuple[Square, ...]

    @property
    def cells(self) -> tuple[str, ...]:
        return tuple(grid.name(space) for space in self.spaces)


def counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def symbol(rows: Rows, space: Square) -> str:
    """What stands on a space; the shore and the sea beyond the ends are empty."""
    row, side = space
    return rows[row][side] if 0 <= row < len(rows) else EMPTY


def spaces(rows: Rows, letter: str) -> tuple[Square, ...]:
    return tuple(space for space in grid.squares(len(rows), len(SIDES)) if symbol(rows, space) == letter)


def symbols(rows: Rows) -> int:
    """All visible symbols, scoring or not."""
    return sum(symbol(rows, space) != EMPTY for space in grid.squares(len(rows), len(SIDES)))


def groups(rows: Rows) -> Iterator[tuple[Square, ...]]:
    """Symbols in adjacent spaces of one side; those across the pier belong to another group."""
    for side in range(len(SIDES)):
        group: list[Square] = []
        for row in range(len(rows) + 1):
            if symbol(rows, (row, side)) != EMPTY:
                group.append((row, side))
            elif group:
                yield tuple(group)
                group = []


def flower_sellers(rows: Rows, across: str) -> Earned:
    """One seller of a group scores every other symbol in it, further sellers included."""
    points = 0
    parts: list[str] = []
    seen: list[Square] = []
    for group in groups(rows):
        if not any(symbol(rows, space) == "S" for space in group):
            continue
        first, last = grid.name(group[0]), grid.name(group[-1])
        others = len(group) - 1
        points += others
        parts.append(f"{first} to {last}: {counted(others, 'other symbol')}" if others else f"{first} stands alone")
        seen += group
    return Earned(points, "; ".join(parts), tuple(seen))


def poets(rows: Rows, across: str) -> Earned:
    found = spaces(rows, "P")
    pairs = len(found) // 2
    told = counted(pairs, "pair") if pairs else "no pair"
    return Earned(pairs, f"{counted(len(found), 'poet')} on the pier: {told}", found)


def lovers(rows: Rows, across: str) -> Earned:
    """The space across the pier is not looked at, unless the table has agreed that it must be empty too."""
    found = spaces(rows, "L")
    free = [space for space in found if not any(symbol(rows, near) != EMPTY for near in near_lovers(space, across))]
    crowded = [space for space in found if space not in free]
    parts = [f"{have(free)} nobody within {REACH} spaces: {LOVERS}{' each' * (len(free) > 1)}"] if free else []
    parts += [f"{have(crowded)} somebody within {REACH} spaces: 0"] if crowded else []
    return Earned(LOVERS * len(free), "; ".join(parts), found)


def have(lovers: Sequence[Square]) -> str:
    """ "A1 has", "A1 and B4 have"."""
    return f"{listed([grid.name(space) for space in lovers])} {'have' if len(lovers) > 1 else 'has'}"


def near_lovers(space: Square, across: str) -> Iterator[Square]:
    row, side = space
    yield from ((row + away, side) for away in range(-REACH, REACH + 1) if away)
    if across == "must_be_empty":
        yield row, 1 - side


def fishers(rows: Rows, across: str) -> Earned:
    found = spaces(rows, "F")
    sides = [tuple(space for space in found if space[1] == side) for side in range(len(SIDES))]
    better = max(sides, key=len)
    told = ", ".join(f"{len(side)} on the {name}" for side, name in zip(sides, SIDES, strict=True))
    counting = "one side counts" if len(sides[0]) == len(sides[1]) else "the fuller side counts"
    return Earned(len(better), f"{told}: {counting}", better)


EARN: dict[str, Callable[[Rows, str], Earned]] = {"S": flower_sellers, "P": poets, "L": lovers, "F": fishers}
assert EARN.keys() == CHARACTERS.keys(), "every character has its scoring"
