"""Guests of the club: phones at its tables that are not in the club, and how they are sent away."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from webapp.database import Database
from webapp.table.tables import Table, find, touch


@dataclass(frozen=True, slots=True)
class Guest:
    """A phone at a table of the club that is not in the club itself."""

    table: str  # its key
    game: str
    mark: str  # by which the page names it: its own name is known to nobody
    right: str
    way: str  # "link", "door", or "" if it came before that was noted
    kind: str
    since: str
    seats: tuple[str, ...]

    def is_at(self, table: str, mark: str) -> bool:
        return (self.table, self.mark) == (table, mark)


def everywhere(db: Database, club_id: int) -> list[Guest]:
    """The guests at all tables of the club, the latest first."""
    rows = db.query(
        """SELECT tables.key, game, device, role, way, kind, since, (
            SELECT json_group_array(name) FROM seats WHERE table_id = tables.id AND holder = device
        ) AS seats FROM phones JOIN tables ON tables.id = table_id
        WHERE tables.club_id = ?1 AND role != 'knock'
            AND device NOT IN (SELECT phone FROM devices WHERE club_id = ?1 AND ended_at IS NULL)
        ORDER BY since DESC, device""",
        [club_id],
    )
    return [
        Guest(
            row["key"],
            row["game"],
            mark_of(row["device"]),
            row["role"],
            row["way"],
            row["kind"],
            row["since"],
            tuple(json.loads(row["seats"])),
        )
        for row in rows
    ]


def mark_of(name: str) -> str:
    """By which a phone is told from others without giving its name away, which is all it needs to be that phone."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def send_away(db: Database, table: Table, mark: str) -> bool:
    """Take the guest with that mark from the table; what it entered stays. False if it is not there."""
    with db.atomic():
        rows = db.query("SELECT device FROM phones WHERE table_id = ?", [table.id])
        name = next((row["device"] for row in rows if mark_of(row["device"]) == mark), None)
        if name is not None:
            _take_off(db, table.key, name)
    return name is not None


def put_out(db: Database, club_id: int, name: str) -> None:
    """Take a phone that is no longer in the club from all its tables; what it entered stays."""
    with db.atomic():
        for row in list(
            db.query(
                "SELECT key FROM tables WHERE club_id = ? AND id IN (SELECT table_id FROM phones WHERE device = ?)",
                [club_id, name],
            )
        ):
            _take_off(db, row["key"], name)


def _take_off(db: Database, key: str, name: str) -> None:
    table = find(db, key)
    if table is None:  # of a game that is no longer installed: nobody gets there
        return
    db.execute("UPDATE seats SET holder = NULL WHERE table_id = ? AND holder = ?", [table.id, name])
    db.execute("DELETE FROM phones WHERE table_id = ? AND device = ?", [table.id, name])
    touch(db, table)
