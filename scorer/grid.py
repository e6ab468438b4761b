"""Squares of a rectangular board: names, neighbours, lines and connected groups.

A square is (row, column), both from 0, row 0 at the top. Its name is the column's letter and the row's number: "A1" is
the top left one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Square = tuple[int, int]
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def name(square: Square) -> str:
    row, column = square
    return f"{chr(ord('A') + column)}{row + 1}"


def squares(rows: int, columns: int) -> tuple[Square, ...]:
    """All squares in reading order."""
    return tuple((row, column) for row in range(rows) for column in range(columns))


def neighbours(square: Square) -> Iterator[Square]:
    """Up, right, down, left; some may lie off the board."""
    row, column = square
    return ((row + down, column + right) for down, right in STEPS)


def groups(members: Iterable[Square]) -> list[frozenset[Square]]:
    """The contiguous groups among the members, in reading order of their first squares."""
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
