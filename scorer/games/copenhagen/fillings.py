"""Find out how many tiles of each shape can fill the rest of a house exactly, in any order.

This is worked out for every rest that is met while a house is filled from A1 on, and tells at once whether a stock of
tiles may suffice for it. All counts of all shapes together would be too many. They are kept in two projections, each
of which leaves some shapes unlimited: one counts special tiles, dominoes and the tiles of five, the other special tiles
and the tiles of four. A set of counts is one number: its bit at a + b * (most a + 1) + ... stands for the counts a, b,
...; laying a tile shifts the set.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorer.games.copenhagen.facade import Spaces
from scorer.games.copenhagen.shapes import ALL, SPECIALS, Option, Stock

Options = Mapping[Spaces, Sequence[Option]]  # by their lowest space
PROJECTIONS = tuple(
    (SPECIALS, *(number for number, shape in enumerate(ALL) if shape.size in sizes)) for sizes in ({2, 5}, {4})
)


class Counting(NamedTuple):
    """Hold how counts become bits."""

    steps: Mapping[int, int]  # shape -> the shift that one more tile is
    with_room: Mapping[int, int]  # shape -> the counts to which one more may be added
    up_to: Mapping[int, Sequence[int]]  # shape -> number -> the counts with at most so many


@functools.cache
def counting(limits: tuple[tuple[int, int], ...]) -> Counting:
    """For these shapes, each with the most of it that there can be."""
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
    """The counts that finish each rest of one house."""

    def __init__(self, options: Options, stock: Stock) -> None:
        self.countings = [counting(tuple((shape, stock[shape]) for shape in shapes)) for shapes in PROJECTIONS]
        self.moves = {
            lowest: [(spaces, self.shift(shape)) for spaces, shape in found] for lowest, found in options.items()
        }
        self.known: dict[Spaces, tuple[int, int]] = {0: (1, 1)}
        self.limits: dict[object, tuple[int, int]] = {}

    def shift(self, shape: int) -> tuple[int, int, int, int]:
        """Return what laying it does to either projection: which counts have room, and how far they shift."""
        (room, step), (other_room, other_step) = (
            (one.with_room.get(shape, -1), one.steps.get(shape, 0)) for one in self.countings
        )
        return room, step, other_room, other_step

    def finishing(self, rest: Spaces) -> tuple[int, int]:
        """The counts that fill it, in both projections."""
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
        """Return whether this stock, or a smaller one than the house was given, may suffice for the rest."""
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
