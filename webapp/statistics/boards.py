"""Count the pieces on each square of a title's boards, from the records of the chosen games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from scorer.contract import Choice, Game, Input
from scorer.record_names import with_names
from webapp.database import Database
from webapp.history import squares_of
from webapp.statistics.scope import Scope
from webapp.table import kinds

SOMEBODY = tuple(f"Player {seat}" for seat in range(100))  # games can't read records without names


@dataclass(frozen=True, slots=True)
class PieceCount:
    """Hold on how many `squares` a piece was found, counted over all boards of its kind, whose number is `boards`."""

    choice: Choice
    squares: int
    boards: int

    @property
    def mean(self) -> float:
        return self.squares / self.boards if self.boards else 0.0


@dataclass(frozen=True, slots=True)
class Board:
    """Hold the figures of one kind of board: how often each piece was built, and where one chosen piece lay."""

    asked: Input
    built: list[PieceCount]
    piece: PieceCount
    heat: list[list[tuple[str, float]]]  # row by row, a square and the share of boards with the piece there


def of_title(db: Database, scope: Scope, game: Game, wanted: Mapping[str, str]) -> list[Board]:
    """Return the figures for each kind of board in the title, if any piece was found on such boards. Each shows the
    squares of one piece. `wanted` has the piece to show by the name of the kind of board. Without it, the most
    frequent one is shown."""
    counts = Counter(
        chain.from_iterable(
            chain.from_iterable(squares_of(game, with_names(json.loads(record), json.loads(places), SOMEBODY)))
            for record, places in db.execute(
                f"SELECT record, name_places FROM all_plays WHERE {scope.where}", scope.values
            )
        )
    )
    found = (_board(painted, counts, wanted.get(painted.asked.name, "")) for painted in kinds.painted(game.inputs))
    return [board for board in found if board is not None]


def _board(painted: kinds.Painted, counts: Counter[tuple[str, str, str]], wanted: str) -> Board | None:
    name, cells = painted.asked.name, painted.cells()
    # Count boards by their first square, which always has an entry: boards differ in length.
    boards = sum(times for (board, cell, _), times in counts.items() if (board, cell) == (name, cells[0][0]))
    squares: Counter[str] = Counter()
    for (board, _, lying), times in counts.items():
        squares[lying] += times if board == name else 0
    built = [
        PieceCount(one, squares[str(one.value)], boards) for one in painted.asked.pieces if squares[str(one.value)]
    ]
    if not built:
        return None
    empty = painted.asked.choices[0].value
    built.sort(key=lambda one: (one.choice.value == empty, -one.squares, one.choice.label))
    piece = next((one for one in built if str(one.choice.value) == wanted), built[0])
    heat = [
        [(cell, counts[name, cell, str(piece.choice.value)] / boards if boards else 0.0) for cell in row]
        for row in cells
    ]
    return Board(painted.asked, built, piece, heat)
