"""Describe a reading in words for the command line."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations

from scorer import grid
from scorer.sentences import Language, Value, in_a_row, into, say, say_count
from vision.reading import Board, Reading, Square

ENGLISH: Language = NullTranslations()


def describe(reading: Reading, language: Language = ENGLISH) -> str:
    """Return a reading in words: the grid of every board with its doubts, the cards and the problems. `language` is
    that of the words."""
    return "\n".join(" " * indent + into(line, language) for indent, line in _lines(reading))


def _lines(reading: Reading) -> Iterator[tuple[int, Value]]:
    """Yield each line of the description of a reading: its indentation in spaces, and its text."""
    file = reading.file or say("photo")
    yield 0, say_count("{file}: {n} board", "{file}: {n} boards", len(reading.boards), file=file)
    for number, board in enumerate(reading.boards, 1):
        sure = percent(board.confidence)
        yield 2, say("board {number}, position {percent}% sure", number=number, percent=sure)
        yield from ((4, line) for line in _board(board))
    if reading.cards:
        yield 2, say("cards: {cards}", cards=in_a_row([card.id for card in reading.cards]))
    for problem in reading.problems:
        if problem.level == "error":
            yield 2, say("error: {message}", message=problem.message)
        else:
            yield 2, say("warning: {message}", message=problem.message)


def _board(board: Board) -> Iterator[Value]:
    """Yield the lines about a board: the labels of each row of squares, then a line for each doubtful square."""
    wide = max(len(square.label) for row in board.grid for square in row) + 2
    for row in board.grid:
        yield "".join(f"{s.label}{'?' if s.is_doubtful else ''}{'+' * len(s.on_top)}".ljust(wide) for s in row).rstrip()
    for i, row in enumerate(board.grid):
        for j, square in enumerate(row):
            if square.is_doubtful:
                yield say(
                    "{cell}: {label} {percent}%, or {others}",
                    cell=grid.name((i, j)),
                    label=square.label,
                    percent=percent(square.confidence),
                    others=_others(square),
                )


def _others(square: Square) -> Value:
    shares = [say("{label} {percent}%", label=label, percent=percent(share)) for label, share in square.alternatives]
    return in_a_row(shares)


def percent(share: float) -> int:
    return round(100 * share)
