"""Tables: games being entered. Every tap is kept here, so that a reload or a locked phone loses nothing.

Every seat has a version. Whoever enters says which version she looked at; if another phone has changed the seat since,
what she entered becomes a draft of hers, shown beside what stands there now, until she chooses (`enter`, `settle`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer import games
from scorer.contract import Game
from webapp.database import Database, ago, new_key, now, pack

KEPT_DAYS = 30


@dataclass(frozen=True, slots=True)
class Seat:
    """One player at the table; `state` None until she has begun."""

    number: int
    name: str
    state: dict[str, Any] | None
    version: int
    holder: str | None = None  # the device that enters it
    done: bool = False

    @property
    def standing(self) -> str:
        return standing(self.holder is not None, self.state is not None, self.done)


def standing(held: bool, begun: bool, done: bool) -> str:
    """How far a seat is: free, taken, begun or done."""
    if begun:
        return "done" if done else "begun"
    return "taken" if held else "free"


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
    code: str | None = None  # what other phones type to come in; None while it is closed to them
    version: int = 1
    phones: int = 0
    revealed_at: int | None = None  # ms since 1970
    saved_at: str | None = None

    @property
    def hides_results(self) -> bool:
        """Among several phones the result is nobody's before it is everybody's."""
        return self.phones > 1 and self.revealed_at is None


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
    return _found(db, "key", key)


def by_code(db: Database, code: str) -> Table | None:
    return _found(db, "code", code)


def _found(db: Database, column: str, value: str) -> Table | None:
    row = db.row(
        f"""SELECT *, (SELECT count(*) FROM phones WHERE table_id = tables.id AND role != 'knock') AS phones
        FROM tables WHERE {column} = ?""",
        value,
    )
    game = games.find(row["game"]) if row else None
    if row is None or game is None:
        return None
    seats = db.query("SELECT * FROM seats WHERE table_id = ? ORDER BY seat", [row["id"]])
    return Table(
        row["id"],
        row["key"],
        row["club_id"],
        game,
        json.loads(row["setup"]),
        tuple(_seat(seat) for seat in seats),
        row["play_id"],
        row["updated_at"],
        row["code"],
        row["version"],
        row["phones"],
        row["revealed_at"],
        row["saved_at"],
    )


def _seat(row: dict[str, Any]) -> Seat:
    state = json.loads(row["state"]) if row["state"] else None
    return Seat(row["seat"], row["name"], state, row["version"], row["holder"], bool(row["done"]))


@dataclass(frozen=True, slots=True)
class Change:
    """What a phone sends along with what was entered: a name for it, and the version of the seat it looked at."""

    device: str
    name: str = ""
    base: int | None = None  # None: takes whatever stands there as read


def enter(db: Database, table: Table, seat: Seat, state: dict[str, Any], change: Change, done: bool = False) -> bool:
    """Keep what a phone entered for the seat, as the table was read; False if it became a draft, to be settled."""
    with db.atomic():
        if not is_new(db, table, change.name):
            return draft(db, table, seat, change.device) is None
        now_there = db.row("SELECT * FROM seats WHERE table_id = ? AND seat = ?", table.id, seat.number)
        if now_there is None or now_there["name"] != seat.name:
            return True  # taken from the table a moment ago, and her board with her
        packed = pack(state)
        known = seat.version if change.base is None else change.base
        drafting = draft(db, table, seat, change.device) is not None
        if drafting or (now_there["version"] != known and now_there["state"] != packed):
            row = {"table_id": table.id, "name": seat.name, "device": change.device, "state": packed}
            db["drafts"].upsert(row, pk=("table_id", "name", "device"))
            return False
        if now_there["state"] != packed:
            keep_seat(db, table, seat.number, state)
        if done != bool(now_there["done"]):
            db.execute("UPDATE seats SET done = ? WHERE table_id = ? AND seat = ?", [done, table.id, seat.number])
            touch(db, table)
    return True


def is_new(db: Database, table: Table, change: str) -> bool:
    """Whether the change has not been made yet; from now on it has. One without a name is always new."""
    if not change:
        return True
    made = db.execute("INSERT OR IGNORE INTO changes (table_id, change) VALUES (?, ?)", [table.id, change])
    return made.rowcount == 1


def draft(db: Database, table: Table, seat: Seat, device: str) -> dict[str, Any] | None:
    """What this phone entered while another one changed the seat."""
    row = db.row("SELECT state FROM drafts WHERE table_id = ? AND name = ? AND device = ?", table.id, seat.name, device)
    return json.loads(row["state"]) if row else None


def settle(db: Database, table: Table, seat: Seat, device: str, mine: bool, base: int) -> bool:
    """Put the draft in the place of what both were shown, or drop it; False if that has changed once more."""
    with db.atomic():
        drafted = draft(db, table, seat, device)
        if drafted is None:
            return True
        row = db.row("SELECT version FROM seats WHERE table_id = ? AND seat = ?", table.id, seat.number)
        if row is None or row["version"] != base:
            return False
        if mine:
            keep_seat(db, table, seat.number, drafted)
        db.execute("DELETE FROM drafts WHERE table_id = ? AND name = ? AND device = ?", [table.id, seat.name, device])
    return True


def keep_seat(db: Database, table: Table, number: int, state: dict[str, Any] | None) -> None:
    """What a player has tapped so far, whatever stood there."""
    with db.atomic():
        db.execute(
            "UPDATE seats SET state = ?, version = version + 1, done = 0 WHERE table_id = ? AND seat = ?",
            [None if state is None else pack(state), table.id, number],
        )
        touch(db, table)


def keep_setup(db: Database, table: Table, setup: dict[str, Any]) -> None:
    with db.atomic():
        db.execute("UPDATE tables SET setup = ? WHERE id = ?", [pack(setup), table.id])
        touch(db, table)


def touch(db: Database, table: Table) -> None:
    """Something that phones at the table show has changed: they are told once it is on disk."""
    db.execute("UPDATE tables SET updated_at = ?, version = version + 1 WHERE id = ?", [now(), table.id])
    db.touched.add(table.key)


def clear(db: Database, table: Table) -> None:
    """Take the table away, its game saved or given up."""
    with db.atomic():
        db.execute("DELETE FROM tables WHERE id = ?", [table.id])
        db.touched.add(table.key)


def put_by(db: Database, table: Table) -> None:
    """The game is saved: the table goes, unless other phones are at it, which have no history to look in."""
    if table.phones < 2:
        return clear(db, table)
    with db.atomic():
        db.execute("UPDATE tables SET saved_at = ? WHERE id = ?", [now(), table.id])
        touch(db, table)


def unfinished(db: Database, club_id: int) -> list[dict[str, Any]]:
    """The club's tables that are still being entered, the latest first."""
    rows = db.query(
        """SELECT key, game, updated_at, play_id,
            (SELECT json_group_array(name) FROM seats WHERE table_id = tables.id) AS names
        FROM tables WHERE club_id = ? AND saved_at IS NULL ORDER BY updated_at DESC, id DESC LIMIT 5""",
        [club_id],
    )
    return [{**row, "names": json.loads(row["names"])} for row in rows]


def clear_forgotten(db: Database) -> None:
    """A table left alone for a month is taken away."""
    with db.atomic():
        db.execute("DELETE FROM tables WHERE updated_at < ?", [ago(days=KEPT_DAYS)])


def reseat(db: Database, table: Table, order: Sequence[tuple[str, int | None]]) -> None:
    """Seat the players anew: each a name and the seat she had, which she takes her board along from."""
    fresh = Seat(0, "", None, 0)
    seats = [(name, fresh if before is None else table.seats[before]) for name, before in order]
    with db.atomic():
        db.execute("DELETE FROM seats WHERE table_id = ?", [table.id])
        for number, (name, old) in enumerate(seats):
            db["seats"].insert(
                {
                    "table_id": table.id,
                    "seat": number,
                    "name": name,
                    "state": None if old.state is None else pack(old.state),
                    "version": max(old.version, 1),
                    "holder": old.holder,
                    "done": int(old.done),
                }
            )
        touch(db, table)
