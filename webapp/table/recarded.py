"""The cards of a table are changed while boards are being entered: the pieces on them stand for the new ones.

On a board that `follows_cards`, a piece stands for the card in play of its colour. So a square with a card that is
taken out becomes the card of its colour that has come into play, if there is one and only one of each. A square for
which there is none stays as it is, and the rules ask about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.contract import Choice, Input, Json
from webapp.database import Database
from webapp.table import kinds, seats, together
from webapp.table.entries import Entries
from webapp.table.paths import ABSENT, get, put, steps
from webapp.table.tables import Table

Successors = Mapping[Json, Json]


def follow(db: Database, before: Table, after: Table) -> Table:
    """Every board at the table after its cards have changed."""
    if before.setup == after.setup:
        return after
    old, new = Entries(before), Entries(after)
    for seat in after.seats:
        if seat.state is None:
            continue
        state = repainted(seat.state, old.inputs(seat.number), new.inputs(seat.number))
        if state != seat.state:
            after = seats.keep(db, after, seat.number, state, seat.done)
    return after


def repainted(state: dict[str, Any], before: tuple[Input, ...], after: tuple[Input, ...]) -> dict[str, Any]:
    """The state with every piece of a card that went as that of the card which came."""
    was = {board.asked.name: board.asked for board in kinds.painted(before)}
    for board in kinds.painted(after):
        path = steps(board.asked.name)
        value = get(state, path)
        if board.asked.follows_cards and board.asked.name in was and value is not ABSENT:
            found = successors(was[board.asked.name].choices, board.asked.choices)
            state = put(state, path, together.replaced(value, found)) if found else state
    return state


def successors(before: tuple[Choice, ...], after: tuple[Choice, ...]) -> Successors:
    """For each piece that went the one that came, where its colour leaves no doubt."""
    went = [one for one in before if one.tone and one.value not in {other.value for other in after}]
    came = [one for one in after if one.tone and one.value not in {other.value for other in before}]
    found = {}
    for one in went:
        same = [other for other in came if other.tone == one.tone]
        if len(same) == 1 and sum(other.tone == one.tone for other in went) == 1:
            found[one.value] = same[0].value
    return found
