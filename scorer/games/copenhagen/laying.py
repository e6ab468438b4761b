"""The order in which a house can have been built (rulebook, "Placing a Facade Tile" and "Coat of arms actions").

A tile lies on the bottom floor or has at least one space directly above a tile laid before it. Nothing ever takes a
support away, so laying whatever can be laid, again and again, finds an order if there is one. A special tile moreover
is taken for a coat of arms, "placing it immediately": for the coats that the coloured tile of a turn and the special
tiles after it have earned, and before anybody lays another coloured tile. No coat can be saved up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scorer.games.copenhagen.facade import BOTTOM, COAT_FLOORS, COAT_SPACES, COLUMNS, FLOORS, Spaces, below, union

GROUND: Spaces = 1 << COLUMNS * FLOORS  # always filled; what lies on the bottom floor rests on it
Lasts = Mapping[Spaces, Spaces]  # coat-of-arms floor -> the tile that finished it
NO_FLOORS: Lasts = MappingProxyType({})


class Block(NamedTuple):
    """A tile, and the spaces of which one must be filled before."""

    spaces: Spaces
    rests_on: Spaces


def block(spaces: Spaces) -> Block:
    """A tile on these spaces."""
    return Block(spaces, below(spaces) | GROUND if spaces & BOTTOM else below(spaces))


def lay_all(filled: Spaces, blocks: Sequence[Block]) -> tuple[Spaces, Sequence[Block]]:
    """Lay every block that can be laid; what is filled then, and the blocks left over."""
    before = 0
    while blocks and filled != before:
        before, waiting = filled, []
        for one in blocks:
            if one.rests_on & filled:
                filled |= one.spaces
            else:
                waiting.append(one)
        blocks = waiting
    return filled, blocks


def finished(floors: Iterable[Spaces], filled: Spaces) -> int:
    """Return how many of the floors are."""
    return sum(filled & floor == floor for floor in floors)


def has_order(coloured: Sequence[Spaces], specials: Sequence[Spaces]) -> bool:
    """Return whether these tiles can be laid in some order, each special tile at once when a coat of arms has earned
    it.

    It nearly always shows without asking which tile finished which coat-of-arms floor: an order is found that needs no
    coat of a floor, or there is none even if the coats of floors could be saved up.
    """
    blocks = [block(spaces) for spaces in coloured]
    if not specials:
        return not lay_all(GROUND, blocks)[1]
    if Turns(blocks, specials).can_be_played():
        return True
    whole = union((*coloured, *specials))
    floors = [floor for floor in COAT_FLOORS if whole & floor == floor]
    if not floors or not Turns(blocks, specials, saved=floors).can_be_played():
        return False
    on_floors = ([tile for tile in (*coloured, *specials) if tile & floor] for floor in floors)
    ways = (dict(zip(floors, lasts, strict=True)) for lasts in itertools.product(*on_floors))
    return any(Turns(blocks, specials, lasts).can_be_played() for lasts in ways)


class Turns:
    """The turns in which the tiles of a house were laid.

    A tile that earns nothing is laid as soon as it can be: it takes no coat from another tile and carries the rest. It
    earns nothing if it covers no coat of arms and is not the last tile of a coat-of-arms floor; so those tiles are
    settled before the turns are played. Coats of `saved` floors, against the rules, are used whenever they are wanted.
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        specials: Sequence[Spaces],
        lasts: Lasts = NO_FLOORS,
        saved: Sequence[Spaces] = (),
    ) -> None:
        earning = {one for one in blocks if one.spaces & COAT_SPACES or one.spaces in lasts.values()}
        self.earning = [one for one in blocks if one in earning]
        self.free = [one for one in blocks if one not in earning]
        self.specials = [block(spaces) for spaces in specials]
        self.special_spaces = union(specials)
        self.lasts, self.saved = lasts, saved
        self.whole = union(one.spaces for one in blocks) | self.special_spaces | GROUND
        self.coats = self.earned(self.whole)

    def can_be_played(self) -> bool:
        """Return whether they can fill the house.

        What is filled, the coats left of a turn that is under way, and the saved ones that are used up say everything.
        """
        open_, seen = [(GROUND, 0, 0)], set()
        while open_:
            filled, left, used = open_.pop()
            if not left:
                filled, _ = lay_all(filled, self.free)
            if filled == self.whole:
                return True
            if (filled, left, used) not in seen:
                seen.add((filled, left, used))
                open_ += self.next_tiles(filled, left, used)
        return False

    def next_tiles(self, filled: Spaces, left: int, used: int) -> Iterator[tuple[Spaces, int, int]]:
        """Yield what may come after one more tile, or after the coats that are left were used for something else."""
        earned = self.earned(filled)
        to_come = left + self.coats - earned + len(self.saved) - used
        if (self.special_spaces & ~filled).bit_count() > to_come:
            return
        if left:
            yield filled, 0, used
        else:
            for one in self.earning:
                if self.is_next(one, filled):
                    yield filled | one.spaces, self.earned(filled | one.spaces) - earned, used
        if left or finished(self.saved, filled) > used:
            for one in self.specials:
                if self.is_next(one, filled):
                    coats = max(left - 1, 0) + self.earned(filled | one.spaces) - earned
                    yield filled | one.spaces, coats, used + (not left)

    def earned(self, filled: Spaces) -> int:
        """The coats so far that are used at once or never."""
        return (filled & COAT_SPACES).bit_count() + finished(self.lasts, filled)

    def is_next(self, one: Block, filled: Spaces) -> bool:
        """Return whether this tile can be laid now."""
        if one.spaces & filled or not one.rests_on & filled:
            return False
        return all(one.spaces != last or (filled | last) & floor == floor for floor, last in self.lasts.items())
