"""The 13 shapes of the coloured tiles, and every way to lay one of them on a house.

Tiles of several colours that agree in shape and brickwork do the same for a plain grid, so their copies are counted
together: it takes fifteen kinds of tile to fill five stocks of dominoes, but one number to say whether any is left.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import NamedTuple

from scorer.games.copenhagen.facade import COLUMNS, FLOORS, Facade, Spaces, below, each, union
from scorer.games.copenhagen.laying import GROUND, block
from scorer.games.copenhagen.tiles import KINDS, SHAPES, SPECIAL, Kind, copies, placements
from scorer.sentences import Sentence, say

SPACES = COLUMNS * FLOORS
Stock = tuple[int, ...]  # tiles left of each shape, special tiles last


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape with its brickwork, and the kinds of tile that have it."""

    kinds: tuple[Kind, ...]

    @property
    def size(self) -> int:
        return self.kinds[0].size

    @property
    def name(self) -> Sentence:
        first, *others = (kind.name for kind in self.kinds)
        return functools.reduce(lambda before, last: say("{before} or {last}", before=before, last=last), others, first)


class Option(NamedTuple):
    """A shape laid somewhere."""

    spaces: Spaces
    shape: int


def gather() -> tuple[Shape, ...]:
    by_shape: dict[object, list[Kind]] = {}
    for kind in KINDS.values():
        if kind.has_brick:
            by_shape.setdefault(SHAPES[kind.id], []).append(kind)
    return tuple(Shape(tuple(kinds)) for kinds in by_shape.values())


ALL = gather()
SPECIALS = len(ALL)
OF_KIND = {kind.id: number for number, shape in enumerate(ALL) for kind in shape.kinds} | {SPECIAL: SPECIALS}


def stock(players: int) -> Stock:
    """How many tiles there are of each shape, and of special tiles, in a game of so many players."""
    shapes = (sum(copies(kind, players) for kind in shape.kinds) for shape in ALL)
    return (*shapes, copies(KINDS[SPECIAL], players))


def without(stock: Stock, shape: int) -> Stock:
    """The stock with one tile of the shape less."""
    return (*stock[:shape], stock[shape] - 1, *stock[shape + 1 :])


class Atlas:
    """All placements, numbered; a set of placements is a number with one bit for each.

    The tiles of most spaces come first: they are the hardest to fit in, so a search does well to try them first.
    """

    def __init__(self) -> None:
        self.options: list[Option] = []
        self.as_brick, self.as_window, self.from_lowest, self.resting_on = ([0] * SPACES for _ in range(4))
        self.of_shape = [0] * len(ALL)
        self.on_ground = 0
        for number, shape in sorted(enumerate(ALL), key=lambda numbered: -numbered[1].size):
            for placement in placements(shape.kinds[0].pattern):
                self.note(Option(placement.spaces, number), placement.brick)
        self.covering = [bricks | windows for bricks, windows in zip(self.as_brick, self.as_window, strict=True)]

    def note(self, option: Option, brick: Spaces) -> None:
        one = 1 << len(self.options)
        self.options.append(option)
        for space in each(option.spaces):
            (self.as_brick if space == brick else self.as_window)[at(space)] |= one
        for space in each(below(option.spaces)):
            self.resting_on[at(space)] |= one
        self.from_lowest[at(option.spaces & -option.spaces)] |= one
        self.of_shape[option.shape] |= one
        if block(option.spaces).rests_on & GROUND:
            self.on_ground |= one

    def fitting(self, facade: Facade, stock: Stock) -> int:
        """The placements in stock that agree with the facade in every space and could rest on something."""
        fit, supported = (1 << len(self.options)) - 1, self.on_ground
        for index in range(SPACES):
            space = 1 << index
            if not facade.bricks & space:
                fit &= ~self.as_brick[index]
            if not facade.windows & space:
                fit &= ~self.as_window[index]
            if facade.filled & space:
                supported |= self.resting_on[index]
        for shape, spaces in enumerate(self.of_shape):
            if not stock[shape]:
                fit &= ~spaces
        return fit & supported

    def clashing(self, spaces: Spaces) -> int:
        """The placements that share a space with these."""
        return union(self.covering[at(space)] for space in each(spaces))

    def placed(self, placements_: int) -> list[Option]:
        return [self.options[at(one)] for one in each(placements_)]


def at(space: Spaces) -> int:
    """The place of a single bit."""
    return space.bit_length() - 1


@functools.cache
def atlas() -> Atlas:
    """Made when first needed: a table without plain grids never does."""
    return Atlas()
