"""Name the squares of a rectangular board, and find neighbours and connected groups.

A square is (row, column), both counted from 0 at the top left. Its name is the letter of the column and the number of
the row: "A1" is the top left square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Square = tuple[int, int]
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def name(square: Square) -> str:
    row, column = square
    return f"{chr(ord('A') + column)}{row + 1}"


def squares(rows: int, columns: int) -> tuple[Square, ...]:
    """Return all squares of a board with so many rows and columns, in reading order."""
    return tuple((row, column) for row in range(rows) for column in range(columns))


def neighbours(square: Square) -> Iterator[Square]:
    """Return an iterator over the squares above, right, below and left; some may lie off the board."""
    row, column = square
    return ((row + down, column + right) for down, right in STEPS)


def groups(members: Iterable[Square]) -> list[frozenset[Square]]:
    """Return the groups of squares that are connected by their sides, in reading order of their first squares."""
    left = set(members)
    found = []
    for start in sorted(left):
        if start not in left:
            continue
        left.discard(start)
        group, edge = {start}, [start]
        while edge:
            for square in neighbours(edge.pop()):
                if square in left:
                    left.discard(square)
                    group.add(square)
                    edge.append(square)
        found.append(frozenset(group))
    return found
