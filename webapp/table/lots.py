"""Tell who begins, who plays with whom, and how long a turn may last: drawn and counted on all phones in step.

Phones go by moments that the server names, and each page says what the server's clock said when it was made.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from webapp.database import Database, pack
from webapp.table.reveal import moment
from webapp.table.tables import Seat, Table, touch

MINUTES = (1, 2, 3, 5, 10)
TEAMS = 2


@dataclass(frozen=True, slots=True)
class Lot:
    """Hold what was drawn, by seats; in one group those who begin, in several the teams."""

    groups: tuple[tuple[int, ...], ...]
    at: int  # ms since 1970

    @property
    def is_of_teams(self) -> bool:
        return len(self.groups) > 1

    def names(self, seats: Sequence[Seat]) -> list[list[str]]:
        return [[seats[number].name for number in group if number < len(seats)] for group in self.groups]


@dataclass(frozen=True, slots=True)
class Timer:
    """A time that runs."""

    minutes: int
    ends: int  # ms since 1970


def draw(db: Database, table: Table, teams: bool) -> None:
    """Who begins, or two teams as equal as they can be."""
    numbers = [seat.number for seat in table.seats]
    if not numbers:
        return
    if teams:
        mixed = [numbers.pop(secrets.randbelow(len(numbers))) for _ in table.seats]
        groups = [sorted(mixed[first::TEAMS]) for first in range(TEAMS)]
    else:
        groups = [[secrets.choice(numbers)]]
    _keep(db, table, "lot", {"groups": groups, "at": moment()})


def begin(db: Database, table: Table, minutes: int) -> None:
    """From now on; one that runs already begins anew."""
    _keep(db, table, "timer", {"minutes": minutes, "ends": moment() + minutes * 60_000})


def stop(db: Database, table: Table) -> None:
    _keep(db, table, "timer", None)


def _keep(db: Database, table: Table, what: str, value: object) -> None:
    with db.atomic(table.club_id):
        db.execute(f"UPDATE tables SET {what} = ? WHERE id = ?", [None if value is None else pack(value), table.id])
        touch(db, table)


def drawn(table: Table) -> Lot | None:
    """Return what was drawn at the table."""
    found = table.lot
    return Lot(tuple(tuple(group) for group in found["groups"]), found["at"]) if found else None


def running(table: Table) -> Timer | None:
    """Return the time that runs at the table."""
    return Timer(**table.timer) if table.timer else None
