"""Find an order in which a house can have been built (rulebook, "Placing a Facade Tile", "Coat of arms actions").

A tile lies on the bottom floor, or has a space directly above an earlier tile. Tiles never lose their support, so
laying every possible tile, again and again, finds an order if there is one. A player takes a special tile for a coat of
arms, "placing it immediately". The coat is earned by the coloured tile of the turn, or by an earlier special tile of
that turn. It must be used before the next coloured tile, so no coat can be saved up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scorer.games.copenhagen.facade import BOTTOM, COAT_FLOORS, COAT_SPACES, COLUMNS, FLOORS, Spaces, below, union

GROUND: Spaces = 1 << COLUMNS * FLOORS  # always filled; tiles on the bottom floor rest on it
Lasts = Mapping[Spaces, Spaces]  # coat-of-arms floor -> the tile that finished it
NO_FLOORS: Lasts = MappingProxyType({})


class Block(NamedTuple):
    """Hold the spaces of a tile, and the spaces below it, one of which must be filled first."""

    spaces: Spaces
    rests_on: Spaces


def block(spaces: Spaces) -> Block:
    return Block(spaces, below(spaces) | GROUND if spaces & BOTTOM else below(spaces))


def lay_all(filled: Spaces, blocks: Sequence[Block]) -> tuple[Spaces, Sequence[Block]]:
    """Lay every block that can be laid on the spaces `filled`. Return all filled spaces and the blocks that are left
    over."""
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
    """Return how many of the floors have no empty space."""
    return sum(filled & floor == floor for floor in floors)


def has_order(coloured: Sequence[Spaces], specials: Sequence[Spaces]) -> bool:
    """Return whether these tiles can be laid in some order, each special tile as soon as it is earned. A coat-of-arms
    floor also earns a coat, for the tile that finishes it. Trying every tile as that one is slow, so two quick tests
    come first."""
    blocks = [block(spaces) for spaces in coloured]
    if not specials:
        return not lay_all(GROUND, blocks)[1]
    if Turns(blocks, specials).can_be_played():
        return True
    all_spaces = union((*coloured, *specials))
    floors = [floor for floor in COAT_FLOORS if all_spaces & floor == floor]
    if not floors or not Turns(blocks, specials, saved=floors).can_be_played():
        return False
    on_floors = ([tile for tile in (*coloured, *specials) if tile & floor] for floor in floors)
    orders = (dict(zip(floors, lasts, strict=True)) for lasts in itertools.product(*on_floors))
    return any(Turns(blocks, specials, lasts).can_be_played() for lasts in orders)


class Turns:
    """Search for turns that lay all tiles of a house. A tile that earns no coat only supports others, so it is laid as
    soon as possible. `lasts` has, by coat-of-arms floor, the tile that finishes it and so earns a coat. As a rough
    test, coats of the floors in `saved` may be used at any time, against the rules."""

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
        """Return whether some sequence of turns lays all tiles of the house."""
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
        """Yield each state that can follow: after one more tile, or after giving up the remaining coats. A state is the
        filled spaces, the coats `left` in this turn, and the number of saved coats `used`."""
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
        """Return how many coats the `filled` spaces earn. There is one for each covered coat of arms and each full
        floor in `lasts`."""
        return (filled & COAT_SPACES).bit_count() + finished(self.lasts, filled)

    def is_next(self, one: Block, filled: Spaces) -> bool:
        """Return whether the tile `one` can be laid now, on the spaces `filled`."""
        if one.spaces & filled or not one.rests_on & filled:
            return False
        return all(one.spaces != last or (filled | last) & floor == floor for floor, last in self.lasts.items())
