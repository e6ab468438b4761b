"""A reading in words, for the command line."""

from __future__ import annotations

from collections.abc import Iterator

from scorer import grid
from vision.reading import Board, Reading

DOUBTFUL = 0.7


def describe(reading: Reading) -> str:
    """The grid of every board with its doubts marked, the cards, and what is to be said of the photo."""
    return "\n".join(_lines(reading))


def _lines(reading: Reading) -> Iterator[str]:
    yield f"{reading.file or 'photo'}: {len(reading.boards)} board{'s' * (len(reading.boards) != 1)}"
    for number, board in enumerate(reading.boards, 1):
        yield f"  board {number}, {100 * board.confidence:.0f}% sure where it lies"
        yield from _board(board)
    if reading.cards:
        yield "  cards: " + ", ".join(card.id for card in reading.cards)
    for problem in reading.problems:
        yield f"  {problem.level}: {problem.message}"


def _board(board: Board) -> Iterator[str]:
    wide = max(len(square.label) for row in board.grid for square in row) + 2
    for row in board.grid:
        told = (f"{s.label}{'?' if s.confidence < DOUBTFUL else ''}{'+' * len(s.on_top)}".ljust(wide) for s in row)
        yield "    " + "".join(told).rstrip()
    for i, row in enumerate(board.grid):
        for j, square in enumerate(row):
            if square.confidence < DOUBTFUL:
                others = ", ".join(f"{label} {100 * share:.0f}%" for label, share in square.alternatives)
                yield f"    {grid.name((i, j))}: {square.label} {100 * square.confidence:.0f}%, or {others}"
