"""Draw at random who begins or who plays with whom, and run a timer, at once on all phones.

The server stores the moment of the draw and the moment at which the timer ends. Every page also has the server's time
at which it was made, as phones' clocks differ.
"""

from __future__ import annotations

import secrets

from webapp.database import Database, pack
from webapp.table.reveal import moment
from webapp.table.tables import Table, touch

MINUTES = (1, 2, 3, 5, 10)
TEAMS = 2


def draw(db: Database, table: Table, teams: bool) -> None:
    """Draw the first player at random or, with `teams`, two teams of nearly equal size."""
    numbers = [seat.number for seat in table.seats]
    if not numbers:
        return
    if teams:
        mixed = [numbers.pop(secrets.randbelow(len(numbers))) for _ in table.seats]
        groups = [sorted(mixed[first::TEAMS]) for first in range(TEAMS)]
    else:
        groups = [[secrets.choice(numbers)]]
    _keep(db, table, "lot", {"groups": groups, "at": moment()})


def time(db: Database, table: Table, minutes: int | None) -> None:
    """Start a timer of 1, 2, 3, 5 or 10 `minutes` on every screen. None, or any other number, stops the timer."""
    runs = {"minutes": minutes, "ends": moment() + minutes * 60_000} if minutes in MINUTES else None
    _keep(db, table, "timer", runs)


def _keep(db: Database, table: Table, what: str, value: object) -> None:
    with db.atomic(table.club_id):
        db.execute(f"UPDATE tables SET {what} = ? WHERE id = ?", [None if value is None else pack(value), table.id])
        touch(db, table)
