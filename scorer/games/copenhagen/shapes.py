"""List the 13 shapes of the coloured tiles, and every way to lay one on a house.

Tiles of several colours with the same shape and brickwork are equal for a plain grid, so they are counted together.
This keeps a stock small.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorer.games.copenhagen.facade import BOTTOM, COLUMNS, Facade, Spaces
from scorer.games.copenhagen.laying import GROUND, block
from scorer.games.copenhagen.tiles import KINDS, SHAPES, SPECIAL, Kind, copies, placements
from scorer.sentences import Sentence, say

Stock = tuple[int, ...]  # tiles left of each shape, special tiles last


@dataclass(frozen=True, slots=True)
class Shape:
    """Hold all kinds of tile that have the same shape, with the brickwork on the same space of it."""

    kinds: tuple[Kind, ...]

    @property
    def size(self) -> int:
        return self.kinds[0].size

    @property
    def name(self) -> Sentence:
        first, *others = (kind.name for kind in self.kinds)
        return functools.reduce(lambda before, last: say("{before} or {last}", before=before, last=last), others, first)


class Option(NamedTuple):
    """Hold a shape laid on certain spaces."""

    spaces: Spaces
    shape: int


class Footprint(NamedTuple):
    """Hold the spaces of a tile, and the tiles that can lie there, keyed by their space of brickwork. At least one
    space of `rests_on` must be filled."""

    spaces: Spaces
    by_brick: Mapping[Spaces, Sequence[Option]]
    rests_on: Spaces


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
    """Return how many tiles of each shape, and last how many special tiles, a game of this many players has."""
    shapes = (sum(copies(kind, players) for kind in shape.kinds) for shape in ALL)
    return (*shapes, copies(KINDS[SPECIAL], players))


def without(stock: Stock, shape: int) -> Stock:
    """Return the stock with one tile of the shape number `shape` less."""
    return with_number(stock, shape, stock[shape] - 1)


def with_number(stock: Stock, shape: int, number: int) -> Stock:
    """Return the stock with `number` tiles of the shape number `shape`."""
    return (*stock[:shape], number, *stock[shape + 1 :])


def name_of(shape: int) -> Sentence:
    return KINDS[SPECIAL].name if shape == SPECIALS else ALL[shape].name


@functools.cache
def everywhere() -> Mapping[Spaces, Sequence[Footprint]]:
    """Return all ways to lay coloured tiles, keyed by their lowest space, the largest tiles first. They are computed on
    first use, because games without plain grids never need them."""
    by_spaces: dict[Spaces, dict[Spaces, list[Option]]] = {}
    for number, shape in sorted(enumerate(ALL), key=lambda numbered: -numbered[1].size):
        for one in placements(shape.kinds[0].pattern):
            by_spaces.setdefault(one.spaces, {}).setdefault(one.brick, []).append(Option(one.spaces, number))
    found: dict[Spaces, list[Footprint]] = {}
    for spaces, by_brick in by_spaces.items():
        found.setdefault(spaces & -spaces, []).append(Footprint(spaces, by_brick, block(spaces).rests_on))
    return found


def fitting(lowest: Spaces, facade: Facade, stock: Stock) -> list[Option]:
    """Return the ways to lay a coloured tile of the stock with this lowest space. It must agree with the facade and
    have support."""
    filled, bricks = facade.filled, facade.bricks
    ground = filled | GROUND
    return [
        option
        for spaces, by_brick, rests_on in everywhere().get(lowest, ())
        if spaces & filled == spaces and rests_on & ground
        for option in by_brick.get(spaces & bricks, ())
        if stock[option.shape]
    ]


def special_spaces(facade: Facade) -> Spaces:
    """Return the spaces where a special tile may lie. They are windows, and on the bottom floor or directly above a
    filled space."""
    return facade.windows & (BOTTOM | facade.filled << COLUMNS)
