"""Score the characters on a pier (rulebook, scoring; the publisher's answers on flower sellers and lovers).

A pier is a line of sections from the shore to the sea, each with a space on the left and one on the right. Spaces are
named like squares: "A3" is the left space of the third section, "B3" the right one. The pier need not be finished, so
the patron phase uses this too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scorer import grid
from scorer.games.pier_18.cards import CHARACTERS
from scorer.grid import Square
from scorer.sentences import Sentence, in_clauses, listed, say, say_count

EMPTY = "."
SIDES = 2  # left and right
REACH = 2  # distance within which a character keeps lovers from scoring
LOVERS = 2  # points
ACROSS = ("ignore", "must_be_empty")

Rows = Sequence[str]


@dataclass(frozen=True, slots=True)
class Earned:
    points: int
    why: Sentence
    spaces: tuple[Square, ...]

    @property
    def cells(self) -> tuple[str, ...]:
        return tuple(grid.name(space) for space in self.spaces)


def symbol(rows: Rows, space: Square) -> str:
    """Return the letter on a space, EMPTY for an empty space or one beyond the ends of the pier."""
    row, side = space
    return rows[row][side] if 0 <= row < len(rows) else EMPTY


def spaces(rows: Rows, letter: str) -> tuple[Square, ...]:
    """Return the spaces with the character `letter`, from the shore on, as pairs of section and side from 0."""
    return tuple((row, side) for row, section in enumerate(rows) for side in range(SIDES) if section[side] == letter)


def symbols(rows: Rows) -> int:
    """Return the number of visible symbols on a pier, whether they score or not."""
    return sum(letter != EMPTY for section in rows for letter in section)


def groups(rows: Rows) -> Iterator[tuple[Square, ...]]:
    """Yield each group of symbols in adjacent spaces on one side; the two sides never form one group."""
    for side in range(SIDES):
        group: list[Square] = []
        for row in range(len(rows) + 1):
            if symbol(rows, (row, side)) != EMPTY:
                group.append((row, side))
            elif group:
                yield tuple(group)
                group = []


def flower_sellers(rows: Rows, _across: str) -> Earned:
    """Return the points of flower sellers, with the reason and their spaces. In each group that has one, all symbols
    but one count 1 point each."""
    points = 0
    parts: list[Sentence] = []
    seen: list[Square] = []
    for group in groups(rows):
        if not any(symbol(rows, space) == "S" for space in group):
            continue
        points += len(group) - 1
        parts.append(others_of(group))
        seen += group
    return Earned(points, in_clauses(parts), tuple(seen))


def others_of(group: Sequence[Square]) -> Sentence:
    """Say how many symbols the group of spaces has besides one flower seller."""
    first, last, others = grid.name(group[0]), grid.name(group[-1]), len(group) - 1
    if not others:
        return say("{space} is alone", space=first)
    return say_count(
        "{first} to {last}: {n} other symbol", "{first} to {last}: {n} other symbols", others, first=first, last=last
    )


def poets(rows: Rows, _across: str) -> Earned:
    found = spaces(rows, "P")
    pairs = len(found) // 2
    why = say_count("{n} poet. Pairs: {pairs}", "{n} poets. Pairs: {pairs}", len(found), pairs=pairs)
    return Earned(pairs, why, found)


def lovers(rows: Rows, across: str) -> Earned:
    """Return the points of lovers, with the reason and the spaces of all lovers. They score if the two spaces above and
    the two below on the same side are empty. If `across` is "must_be_empty", the space on the other side must be
    empty too."""
    found = spaces(rows, "L")
    free = [space for space in found if not any(symbol(rows, near) != EMPTY for near in near_lovers(space, across))]
    crowded = [space for space in found if space not in free]
    parts: list[Sentence] = []
    if free:
        parts.append(
            say_count(
                "{spaces} has only empty spaces within {reach} spaces: {points}",
                "{spaces} have only empty spaces within {reach} spaces: {points} each",
                len(free),
                spaces=listed([grid.name(space) for space in free]),
                reach=REACH,
                points=LOVERS,
            )
        )
    if crowded:
        parts.append(
            say_count(
                "{spaces} has a character within {reach} spaces: 0",
                "{spaces} have a character within {reach} spaces: 0",
                len(crowded),
                spaces=listed([grid.name(space) for space in crowded]),
                reach=REACH,
            )
        )
    return Earned(LOVERS * len(free), in_clauses(parts), found)


def near_lovers(space: Square, across: str) -> Iterator[Square]:
    row, side = space
    yield from ((row + away, side) for away in range(-REACH, REACH + 1) if away)
    if across == "must_be_empty":
        yield row, 1 - side


def fishers(rows: Rows, _across: str) -> Earned:
    found = spaces(rows, "F")
    left, right = (tuple(space for space in found if space[1] == side) for side in range(SIDES))
    if len(left) == len(right):
        why = say("{left} on the left, {right} on the right. Only one side scores", left=len(left), right=len(right))
    else:
        why = say(
            "{left} on the left, {right} on the right. The side with more of them scores",
            left=len(left),
            right=len(right),
        )
    better = max(left, right, key=len)
    return Earned(len(better), why, better)


EARN: dict[str, Callable[[Rows, str], Earned]] = {"S": flower_sellers, "P": poets, "L": lovers, "F": fishers}
assert EARN.keys() == CHARACTERS.keys(), "every character has its scoring"
