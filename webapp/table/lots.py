"""Tell who begins, who plays with whom, and how long a turn may last: drawn and counted on all phones in step.

Phones go by moments that the server names, and each page says what the server's clock said when it was made.
"""

from __future__ import annotations

import secrets

from webapp.database import Database, pack
from webapp.table.reveal import moment
from webapp.table.tables import Table, touch

MINUTES = (1, 2, 3, 5, 10)
TEAMS = 2


def draw(db: Database, table: Table, teams: bool) -> None:
    """Draw who begins, or two teams as equal as they can be: groups of seats."""
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
    """Let that time run on every screen from now on; stop it if it is none of those offered."""
    runs = {"minutes": minutes, "ends": moment() + minutes * 60_000} if minutes in MINUTES else None
    _keep(db, table, "timer", runs)


def _keep(db: Database, table: Table, what: str, value: object) -> None:
    with db.atomic(table.club_id):
        db.execute(f"UPDATE tables SET {what} = ? WHERE id = ?", [None if value is None else pack(value), table.id])
        touch(db, table)
