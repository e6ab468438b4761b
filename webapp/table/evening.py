"""The evening in a room: from table to table, and who is there.

Whoever goes on to the next table takes the phones of this one along, and each sits where it sat before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scorer.contract import Game
from scorer.names import folded
from webapp import clubs, looks
from webapp.database import Database
from webapp.looks import Look
from webapp.table import forms, phones, rooms, tables
from webapp.table.guests import mark_of
from webapp.table.rooms import Room
from webapp.table.tables import Seat, Table


@dataclass(frozen=True, slots=True)
class Person:
    """A phone in the room, as the others know it: by the names it enters for."""

    mark: str
    names: tuple[str, ...]
    look: Look | None  # of the first of them, if it has one
    right: str
    wants: str  # "watch": a screen
    way: str
    kind: str
    at: str | None  # the key of the table it is at
    is_here: bool  # this very phone


def tables_of(db: Database, room: Room) -> list[Table]:
    """Those at which a game is being entered, the latest first."""
    found = (tables.find(db, key) for key in tables.keys_in(db, room))
    return [table for table in found if table is not None]


def place(db: Database, room: Room, name: str) -> Table | None:
    """The table that a phone is at: where it was last, or whither its table has gone on; else the latest of all."""
    row = phones.phone(db, room, name)
    at = row["table_id"] if row else None
    if at is None:
        at = _value(db, "SELECT max(id) FROM tables WHERE room_id = ?", room.id)
    key = _value(db, "SELECT key FROM tables WHERE id = ? AND room_id = ?", at, room.id)
    return None if key is None else tables.find(db, key)


def shown(db: Database, room: Room, name: str) -> Table | None:
    """The same, but if its game is over, the latest that is still being entered."""
    table = place(db, room, name)
    if table is None or table.saved_at is None:
        return table
    return next(iter(tables_of(db, room)), table)


def _value(db: Database, sql: str, *values: Any) -> Any:
    row = db.execute(sql, values).fetchone()
    return row[0] if row else None


def people(db: Database, room: Room) -> list[Person]:
    """Who is in the room: the host, then those who enter, then those who watch."""
    worn = {seat.name: seat.look for table in reversed(seated(db, room)) for seat in table.seats}
    rows = db.query(
        """SELECT device, role, wants, way, kind, phones.name, tables.key AS at
        FROM phones LEFT JOIN tables ON tables.id = table_id
        WHERE phones.room_id = ? AND role <> 'knock' ORDER BY since, device""",
        [room.id],
    )
    found = []
    for row in list(rows):
        names = phones.seats_of(db, room, row["device"]) or [row["name"]] * bool(row["name"])
        look = worn.get(names[0]) if names else None
        found.append(
            Person(
                mark_of(row["device"]),
                tuple(names),
                look,
                row["role"],
                row["wants"] if row["role"] == "watch" else "enter",
                row["way"],
                row["kind"],
                row["at"],
                row["device"] == phones.device(),
            )
        )
    return sorted(found, key=lambda one: -rooms.RIGHTS.index(one.right))


def keys_of(db: Database, room: Room) -> list[str]:
    """The keys of all tables of tonight, the latest first."""
    return [row["key"] for row in db.query("SELECT key FROM tables WHERE room_id = ? ORDER BY id DESC", [room.id])]


def seated(db: Database, room: Room) -> list[Table]:
    """The tables of tonight, the latest first: whoever sat at one is known in the room."""
    found = (tables.find(db, key) for key in keys_of(db, room))
    return [table for table in found if table is not None]


def of_room(db: Database, room: Room, key: str) -> Table | None:
    """The table of that key, if it is in the room."""
    table = tables.find(db, key)
    return table if table is not None and table.room is not None and table.room.id == room.id else None


def call_me(db: Database, room: Room, name: str) -> None:
    """As whom this phone would like to play in the next game."""
    with db.atomic(room.club_id):
        db.execute("UPDATE phones SET name = ? WHERE room_id = ? AND device = ?", [name, room.id, phones.device()])
        rooms.announce(db, room)


def proposed(db: Database, room: Room, before: Table | None, game: Game) -> list[Seat]:
    """Who sits where next: everybody as before, and whoever has said since as whom she would play."""
    there = phones_in(db, room)
    seats = [
        replace(seat, state=None, version=1, done=False, left_open=False) for seat in (before.seats if before else ())
    ]
    seats = [seat if seat.holder in there else replace(seat, holder=None) for seat in seats]
    others = [table for table in tables_of(db, room) if before is None or table.id != before.id]
    taken = {folded(seat.name) for seat in seats} | {folded(seat.name) for table in others for seat in table.seats}
    busy = {seat.holder for seat in seats} | {seat.holder for table in others for seat in table.seats}
    for device, name in there.items():
        if name and device not in busy and folded(name) not in taken:
            seats.append(Seat(0, name, None, 1, device))
            taken.add(folded(name))
    return seats[: game.players[-1]]


def phones_in(db: Database, room: Room) -> dict[str, str]:
    """The phones that may enter something, each with the name it has said."""
    rows = db.query(
        "SELECT device, name FROM phones WHERE room_id = ? AND role IN ('enter', 'host') ORDER BY since, device",
        [room.id],
    )
    return {row["device"]: row["name"] for row in rows}


def lay(db: Database, room: Room, before: Table | None, game: Game, knows_club: bool) -> Table:
    """Another table in the room. If it comes after one, that one's phones go along to it.

    A guest who hosts begins with what any club would: what this one chose last is not for guests.
    """
    with db.atomic(room.club_id):
        setup = tables.recall(db, room.club_id, game.id) if knows_club else {}
        seats = dressed(db, room, before, proposed(db, room, before, game), knows_club)
        key = tables.lay_in(db, room, game, setup or forms.defaults(game.inputs), seats)
        table = tables.find(db, key)
        assert table is not None, "it has just been laid"
        if before is not None:
            _go_on(db, room, before, table)
        for seat in seats:
            if seat.holder is not None:
                phones.go_to(db, room, table, seat.holder)
        rooms.announce(db, room)
    return table


def dressed(db: Database, room: Room, before: Table | None, seats: list[Seat], knows_club: bool) -> list[Seat]:
    """The same people as they look: as at the table before, and newcomers as the club knows them, if they may."""
    names, there = [seat.name for seat in seats], {seat.name: seat.look for seat in (before.seats if before else ())}
    if knows_club:
        worn = clubs.looks_at_table(db, room.club_id, names, there)
    else:
        worn = looks.apart(names, [there.get(name) for name in names])
    return [replace(seat, look=look) for seat, look in zip(seats, worn, strict=True)]


def _go_on(db: Database, room: Room, before: Table, table: Table) -> None:
    """From the one table to the other. One at which nobody has entered anything is put aside for good."""
    db.execute("UPDATE tables SET next_id = ? WHERE id = ?", [table.id, before.id])
    db.execute(
        "UPDATE phones SET table_id = ? WHERE room_id = ? AND (table_id = ? OR table_id IS NULL)",
        [table.id, room.id, before.id],
    )
    if before.saved_at is None and all(seat.state is None for seat in before.seats):
        tables.put_by(db, before)
