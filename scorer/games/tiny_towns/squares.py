"""Represent squares of a town as sets of bits: square 0 is A1, 1 is B1, 15 is D4.

Searching the best feeding or swap examines a town thousands of times. With bits, unions, neighbours and counts are
single operations. The names of squares come from `scorer.grid`.
"""

from __future__ import annotations

import functools
from collections.abc import Container

from scorer import grid
from scorer.sentences import Listing, listed

Squares = int  # a set of squares, one bit each

SIDE = 4
COUNT = SIDE * SIDE
PLACES = grid.squares(SIDE, SIDE)
NAMES = tuple(grid.name(place) for place in PLACES)
INDEX = {name: index for index, name in enumerate(NAMES)}


def _where(wanted: Container[grid.Square]) -> Squares:
    """Return the set of squares whose row and column are in `wanted`; those off the board are left out."""
    return sum(1 << index for index, place in enumerate(PLACES) if place in wanted)


ROWS = tuple(_where({(row, column) for column in range(SIDE)}) for row in range(SIDE))
COLUMNS = tuple(_where({(row, column) for row in range(SIDE)}) for column in range(SIDE))
CORNERS = _where({(0, 0), (0, SIDE - 1), (SIDE - 1, 0), (SIDE - 1, SIDE - 1)})
CENTRE = _where({(1, 1), (1, 2), (2, 1), (2, 2)})
# For each square: those beside it, around it (with diagonals), and in its row and column, never the square itself.
BESIDE = tuple(_where(set(grid.neighbours(place))) for place in PLACES)
AROUND = tuple(
    _where({(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} - {(row, column)})
    for row, column in PLACES
)
# Steps up, down, left and right from one square to another; nothing blocks the way.
STEPS = tuple(tuple(abs(row - down) + abs(column - right) for down, right in PLACES) for row, column in PLACES)
IN_LINE = tuple((ROWS[row] | COLUMNS[column]) & ~_where({(row, column)}) for row, column in PLACES)


@functools.lru_cache(maxsize=1 << COUNT)
def each(squares: Squares) -> tuple[int, ...]:
    """Return the number of each square in the set, such as 0 for A1, in reading order."""
    return tuple(index for index in range(COUNT) if squares >> index & 1)


@functools.lru_cache(maxsize=4096)
def names(squares: Squares) -> tuple[str, ...]:
    return tuple(NAMES[index] for index in each(squares))


@functools.lru_cache(maxsize=4096)
def at(squares: Squares) -> Listing:
    """Return the squares as a list in a sentence: "A1, B2 and C3"."""
    return listed(names(squares))


@functools.lru_cache(maxsize=4096)
def groups(squares: Squares) -> tuple[Squares, ...]:
    """Return the groups of these squares that are connected by their sides, in reading order."""
    return tuple(_where(group) for group in grid.groups(PLACES[index] for index in each(squares)))
