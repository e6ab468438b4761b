"""Tables: games being entered. Every tap is kept here, so that a reload or a locked phone loses nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer import games
from scorer.core import Game
from webapp.database import Database, ago, new_key, now, pack

KEPT_DAYS = 30


@dataclass(frozen=True, slots=True)
class Seat:
    """One player at the table; `state` None until she has begun."""

    number: int
    name: str
    state: dict[str, Any] | None
    version: int


@dataclass(frozen=True, slots=True)
class Table:
    """A game being entered: what belongs to the table, and its seats in clockwise order."""

    id: int
    key: str
    club_id: int
    game: Game
    setup: dict[str, Any]
    seats: tuple[Seat, ...]
    play_id: int | None
    updated_at: str


def lay(db: Database, club_id: int, game: Game, setup: dict[str, Any], names: Sequence[str]) -> str:
    """A new table; its key."""
    return _lay(db, club_id, game, setup, [(name, None) for name in names], None)


def reopen(db: Database, club_id: int, game: Game, record: dict[str, Any], play_id: int) -> str:
    """A table with a saved game on it, to be corrected."""
    seats = [
        (player["name"], {key: value for key, value in player.items() if key != "name"}) for player in record["players"]
    ]
    return _lay(db, club_id, game, record.get("table", {}), seats, play_id)


def _lay(
    db: Database,
    club_id: int,
    game: Game,
    setup: dict[str, Any],
    seats: Sequence[tuple[str, dict[str, Any] | None]],
    play_id: int | None,
) -> str:
    moment, key = now(), new_key()
    row = {
        "key": key,
        "club_id": club_id,
        "game": game.id,
        "setup": pack(setup),
        "created_at": moment,
        "updated_at": moment,
        "play_id": play_id,
    }
    with db.atomic():
        table_id = db["tables"].insert(row).last_pk
        for number, (name, state) in enumerate(seats):
            packed = None if state is None else pack(state)
            db["seats"].insert({"table_id": table_id, "seat": number, "name": name, "state": packed})
    return key


def find(db: Database, key: str) -> Table | None:
    row = db.row("SELECT * FROM tables WHERE key = ?", key)
    game = games.find(row["game"]) if row else None
    if row is None or game is None:
        return None
    seats = db.query("SELECT seat, name, state, version FROM seats WHERE table_id = ? ORDER BY seat", [row["id"]])
    return Table(
        row["id"],
        row["key"],
        row["club_id"],
        game,
        json.loads(row["setup"]),
        tuple(
            Seat(seat["seat"], seat["name"], json.loads(seat["state"]) if seat["state"] else None, seat["version"])
            for seat in seats
        ),
        row["play_id"],
        row["updated_at"],
    )


def keep_seat(db: Database, table: Table, number: int, state: dict[str, Any] | None) -> None:
    """What a player has tapped so far."""
    with db.atomic():
        db.execute(
            "UPDATE seats SET state = ?, version = version + 1 WHERE table_id = ? AND seat = ?",
            [None if state is None else pack(state), table.id, number],
        )
        _touch(db, table)


def keep_setup(db: Database, table: Table, setup: dict[str, Any]) -> None:
    with db.atomic():
        db.execute("UPDATE tables SET setup = ? WHERE id = ?", [pack(setup), table.id])
        _touch(db, table)


def _touch(db: Database, table: Table) -> None:
    db.execute("UPDATE tables SET updated_at = ? WHERE id = ?", [now(), table.id])


def clear(db: Database, table: Table) -> None:
    """Take the table away, its game saved or given up."""
    with db.atomic():
        db.execute("DELETE FROM tables WHERE id = ?", [table.id])


def unfinished(db: Database, club_id: int) -> list[dict[str, Any]]:
    """The club's tables that are still being entered, the latest first."""
    rows = db.query(
        """SELECT key, game, updated_at, play_id,
            (SELECT json_group_array(name) FROM seats WHERE table_id = tables.id) AS names
        FROM tables WHERE club_id = ? ORDER BY updated_at DESC, id DESC LIMIT 5""",
        [club_id],
    )
    return [{**row, "names": json.loads(row["names"])} for row in rows]


def clear_forgotten(db: Database) -> None:
    """A table left alone for a month is taken away."""
    with db.atomic():
        db.execute("DELETE FROM tables WHERE updated_at < ?", [ago(days=KEPT_DAYS)])


def reseat(db: Database, table: Table, order: Sequence[tuple[str, int | None]]) -> None:
    """Seat the players anew: each a name and the seat she had, which she takes her board along from."""
    seats = []
    for name, before in order:
        old = table.seats[before] if before is not None else None
        seats.append((name, old.state if old else None, old.version + 1 if old else 1))
    with db.atomic():
        db.execute("DELETE FROM seats WHERE table_id = ?", [table.id])
        for number, (name, state, version) in enumerate(seats):
            packed = None if state is None else pack(state)
            db["seats"].insert(
                {"table_id": table.id, "seat": number, "name": name, "state": packed, "version": version}
            )
        _touch(db, table)
