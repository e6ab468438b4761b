"""Join two photos of the same boards, so that glare or a hand on one photo does no harm.

Each square is taken from the photo that shows it more surely. Two boards count as one only if they agree on enough
squares and hardly contradict each other. Photos may be taken from different sides, so the second board is turned until
it agrees with the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from vision.reading import Board, Card, Reading, Square

Grid = tuple[tuple[Square, ...], ...]
AGREEING = 6  # squares with pieces that both photos are sure of, or all such squares of an emptier board
CONTRADICTING = 1  # squares, both certain, that may differ
AHEAD = 2  # agreeing squares by which the best way to turn a board leads the next


def joined(first: Reading, second: Reading, empty: str) -> Reading:
    """Return the first reading with its squares improved by the second one, and with the cards of both.

    A square is replaced if the second reading is surer of it. Squares with the label `empty` don't show that two boards
    are the same.
    """
    left = list(second.boards)
    boards = []
    for board in first.boards:
        matches = [
            (match[0], index, match[1]) for index, other in enumerate(left) if (match := _match(board, other, empty))
        ]
        if matches:
            _, index, grid = max(matches, key=lambda one: one[0])
            left.pop(index)
            board = replace(board, grid=_surer(board.grid, grid))
        boards.append(board)
    return replace(first, boards=boards, cards=_all_cards((*first.cards, *second.cards)))


def turned(grid: Grid, quarters: int) -> Grid:
    """Return the grid of squares turned clockwise by so many quarter turns."""
    for _ in range(quarters % 4):
        grid = tuple(zip(*grid[::-1], strict=True))
    return grid


def _match(one: Board, other: Board, empty: str) -> tuple[int, Grid] | None:
    """Return how many squares of two boards agree, and the squares of `other` turned to fit `one`. Return None if they
    may be different boards. Squares with the label `empty` do not count as agreeing."""
    tries = []
    for grid in (turned(other.grid, quarters) for quarters in range(4)):
        if (len(grid), len(grid[0])) != (len(one.grid), len(one.grid[0])):
            continue  # a board that is no square has only two ways to lie
        agreeing, contradicting = _compared(one.grid, grid, empty)
        tries.append((agreeing - 2 * contradicting, agreeing, contradicting, grid))
    if not tries:
        return None
    tries.sort(key=lambda one: -one[0])
    (best, agreeing, contradicting, grid), (second, *_) = tries[0], tries[1]
    pieces = sum(square.label != empty for row in one.grid for square in row)
    if agreeing < min(AGREEING, pieces) or not agreeing or contradicting > CONTRADICTING or best - second < AHEAD:
        return None
    return agreeing, grid


def _compared(one: Grid, other: Grid, empty: str) -> tuple[int, int]:
    """Return how many squares of two boards show the same piece, and how many surely contradict each other.

    Squares with the label `empty` on both don't count.
    """
    agreeing = contradicting = 0
    for row, column in product(range(len(one)), range(len(one[0]))):
        a, b = one[row][column], other[row][column]
        agreeing += a.label == b.label != empty
        contradicting += a.label != b.label and not a.is_doubtful and not b.is_doubtful
    return agreeing, contradicting


def _surer(one: Grid, other: Grid) -> Grid:
    return tuple(
        tuple(_better(a, b) for a, b in zip(row, other_row, strict=True))
        for row, other_row in zip(one, other, strict=True)
    )


def _better(a: Square, b: Square) -> Square:
    """Return the surer of two readings of a square, marked as doubtful if both are sure but differ."""
    best = max(a, b, key=lambda square: square.confidence)
    if a.label != b.label and not a.is_doubtful and not b.is_doubtful:
        return best.doubted()
    return best


def _all_cards(cards: Iterable[Card]) -> list[Card]:
    """Return each card once, with its highest confidence and with its corners on the first photo that shows it."""
    kept: dict[str, Card] = {}
    for card in cards:
        if card.id in kept:
            kept[card.id] = replace(kept[card.id], confidence=max(kept[card.id].confidence, card.confidence))
        else:
            kept[card.id] = card
    return list(kept.values())
