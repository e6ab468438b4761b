"""Find out which numbers of tiles of each shape can exactly fill the rest of a house, in any order.

The search fills a house from A1 on; a rest is the set of spaces still to fill. The numbers tell at once whether a stock
of tiles may be enough. All combinations of all shapes would be too many, so two projections each leave some shapes
unlimited. One counts special tiles, dominoes and tiles of five; the other counts special tiles and tiles of four. A set
of counts is one number. The bit at a + b * (most a + 1) + ... stands for the counts a, b, ...; `most a` is the greatest
a. Laying a tile shifts the set.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorer.games.copenhagen.facade import Spaces
from scorer.games.copenhagen.shapes import ALL, SPECIALS, Option, Stock

Options = Mapping[Spaces, Sequence[Option]]  # options by their lowest space
PROJECTIONS = tuple(
    (SPECIALS, *(number for number, shape in enumerate(ALL) if shape.size in sizes)) for sizes in ({2, 5}, {4})
)


class Counting(NamedTuple):
    """Describe how the counts of tiles of several shapes become bits of one number, as the module explains. By shape,
    `steps` has the bits to shift for one more tile. `with_room` has the set of counts below the limit, and `up_to`
    the set of counts up to each number."""

    steps: Mapping[int, int]  # shape -> the shift for one more tile
    with_room: Mapping[int, int]  # shape -> the counts with room for one more tile
    up_to: Mapping[int, Sequence[int]]  # shape -> number -> the counts with at most that number


@functools.cache
def counting(limits: tuple[tuple[int, int], ...]) -> Counting:
    """Return how counts of tiles become bits of one number, in the layout that the module explains. `limits` has a pair
    for each shape, in order of bits: the shape and the most tiles of it."""
    steps, with_room, up_to, size = {}, {}, {}, 1
    for _, most in limits:
        size *= most + 1
    step = 1
    for shape, most in limits:
        block = step * (most + 1)
        everywhere = sum(1 << start for start in range(0, size, block))
        up_to[shape] = [((1 << step * (number + 1)) - 1) * everywhere for number in range(most + 1)]
        with_room[shape] = up_to[shape][most - 1] if most else 0
        steps[shape] = step
        step = block
    return Counting(steps, with_room, up_to)


class Fillings:
    """Find, for each set of spaces of a house, the counts of tiles that exactly fill it, and remember them."""

    def __init__(self, options: Options, stock: Stock) -> None:
        self.countings = [counting(tuple((shape, stock[shape]) for shape in shapes)) for shapes in PROJECTIONS]
        self.moves = {
            lowest: [(spaces, self.shift(shape)) for spaces, shape in found] for lowest, found in options.items()
        }
        self.known: dict[Spaces, tuple[int, int]] = {0: (1, 1)}
        self.limits: dict[object, tuple[int, int]] = {}

    def shift(self, shape: int) -> tuple[int, int, int, int]:
        """Return four numbers that say how laying one tile of `shape` changes a set of counts, two for each projection.
        The first is the set of counts with room for one more such tile, the second the bits to shift."""
        (room, step), (other_room, other_step) = (
            (one.with_room.get(shape, -1), one.steps.get(shape, 0)) for one in self.countings
        )
        return room, step, other_room, other_step

    def finishing(self, rest: Spaces) -> tuple[int, int]:
        """Return the counts of tiles that exactly fill the spaces `rest`, as one set of bits for each projection."""
        known = self.known.get(rest)
        if known is not None:
            return known
        lowest, first, second = rest & -rest, 0, 0
        for spaces, (room, step, other_room, other_step) in self.moves[lowest]:
            if spaces & rest == spaces:
                one, other = self.finishing(rest ^ spaces)
                first |= (one & room) << step
                second |= (other & other_room) << other_step
        self.known[rest] = first, second
        return first, second

    def allows(self, rest: Spaces, stock: Stock) -> bool:
        """Return whether `stock` may be enough to fill the spaces `rest`. `stock` must not exceed the stock given to
        the constructor."""
        limits = self.limits.get(stock)
        if limits is None:
            first, second = (self.within(one, stock) for one in self.countings)
            limits = self.limits[stock] = first, second
        first, second = self.finishing(rest)
        return bool(first & limits[0] and second & limits[1])

    def within(self, counting_: Counting, stock: Stock) -> int:
        counts = -1
        for shape, numbers in counting_.up_to.items():
            counts &= numbers[stock[shape]]
        return counts
