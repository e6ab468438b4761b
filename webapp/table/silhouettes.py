"""What a TV shows of towns while they are entered: where something stands or how much, and never what."""

from __future__ import annotations

from scorer.contract import Json
from webapp.table import kinds
from webapp.table.entries import Entries
from webapp.table.paths import get, steps

WIDTH = 8  # houses in a row of a town that has no squares
Rows = list[list[bool]]


def of(entries: Entries) -> list[Rows]:
    """Return each player's town: row by row, True where something stands."""
    return [_of_player(entries, seat.number, seat.state or {}) for seat in entries.seats]


def _of_player(entries: Entries, number: int, state: Json) -> Rows:
    for board in kinds.painted(entries.inputs(number)):
        nothing = board.asked.choices[0]
        squares = board.squares(get(state, steps(board.asked.name)))
        return [[square is not nothing for square in row] for row in squares]
    count = min(sum(map(_pieces, state.values())), 3 * WIDTH)
    return [[True] * min(WIDTH, count - begun) for begun in reversed(range(0, count, WIDTH))]


def _pieces(value: Json) -> int:
    """Return how many things were entered; a card or a tile is one."""
    return sum(map(_pieces, value)) if isinstance(value, list) else int(bool(value))
