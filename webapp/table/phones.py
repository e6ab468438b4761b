"""Manage the phones and TVs in a room: who they are, what each may do, and whom each plays as (see SECURITY.md).

member  a phone of somebody who may enter games for the club
guest   a phone that has joined the room and is not in the club, or is a viewer of it
tv      a screen that only watches
asking  a phone that waits to be accepted; it sees nothing
removed a phone that was removed or turned down; it sees nothing and can ask again
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from flask import session

from scorer.sentences import Sentence
from webapp.clubs import access, kind_in_words
from webapp.database import Database, ago, now
from webapp.table import rooms
from webapp.table.rooms import CODE_LENGTH, Room, symbols
from webapp.table.tables import Seat, Table, touch

ROLES = ("tv", "guest", "member")  # each role may do all that the roles before it may
SIGN_LENGTH = 3
MOST_ASKING = 12  # phones that may wait to join one room
PATIENCE_DAYS = 1 / 96  # after a quarter of an hour a phone has to ask again
SILENT_DAYS = 2 / 1440


@dataclass(frozen=True, slots=True)
class Phone:
    """Describe a phone or TV in a room, as others may see it."""

    mark: str  # its id on pages, because its own name is secret
    role: str
    names: tuple[str, ...]  # the players whom it plays as
    kind: str
    sign: str
    since: str
    is_silent: bool
    was_removed: bool
    is_mine: bool
    in_club: bool

    @property
    def called(self) -> str | Sentence:
        return ", ".join(self.names) or kind_in_words(self.kind)


def device() -> str:
    """Return the secret name of this device."""
    return access.phone_id()


def mark_of(name: str) -> str:
    """Return the id by which pages refer to a phone without revealing its secret name."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


# -- rights ---


def role_at(db: Database, table: Table) -> str | None:
    """Return this device's role at a table: its role in the room, or without a room, in the club."""
    return _in_club(table.club_id) if table.room is None else role_in(db, table.room)


def role_in(db: Database, room: Room) -> str | None:
    """Return this device's role in a room: "member", "guest", "tv", "asking", "removed", or None for a stranger."""
    known = _in_club(room.club_id)
    if known == "member":
        return known
    row = row_of(db, room, session.get("device", ""))
    given = {"play": "guest", "tv": "tv", "asking": "asking", "out": "removed"}[row["role"]] if row else None
    return given if given in {"guest", "tv"} or known is None else known


def _in_club(club_id: int) -> str | None:
    membership = access.in_club(club_id)
    if membership is None:
        return None
    return "member" if membership.may("member") else "tv"


def may(role: str | None, wanted: str) -> bool:
    """Return True if the role includes all rights of the role `wanted`; False without a role."""
    return role in ROLES and ROLES.index(role) >= ROLES.index(wanted)


def row_of(db: Database, room: Room, name: str) -> dict[str, str] | None:
    """Return the row in the SQL table `phones` of the phone with this secret name in the room, or None. Its "role" is
    "play", "tv", "asking" or "out"."""
    return db.row("SELECT * FROM phones WHERE room_id = ? AND device = ?", room.id, name)


def is_member(db: Database, room: Room, name: str) -> bool:
    """Return True if the phone with this secret name belongs to somebody who may enter games for the club."""
    sql = "SELECT 1 FROM devices WHERE phone = ? AND club_id = ? AND role <> 'viewer' AND ended_at IS NULL"
    return db.row(sql, name, room.club_id) is not None


def rooms_here(db: Database) -> list[Room]:
    """Return the rooms that this device is in, and all rooms of its club if it may enter games there. The room with the
    latest tap comes first."""
    membership = access.current()
    own = db.query(
        "SELECT room_id FROM phones WHERE device = ? AND role IN ('play', 'tv')", [session.get("device", "")]
    )
    found = [room for row in list(own) if (room := rooms.find(db, id=row["room_id"])) is not None]
    if membership is not None and membership.may("member"):
        found += [room for room in rooms.of_club(db, membership.club_id) if room not in found]
    return sorted(found, key=lambda room: room.tapped_at, reverse=True)


# -- phones in the room ---


def there(db: Database, room: Room, asking: bool = False) -> list[Phone]:
    """Return the phones and TVs in the room or, with `asking`, only the phones that ask to join it."""
    roles = "('asking')" if asking else "('play', 'tv')"
    rows = db.query(
        f"""SELECT device, role, kind, sign, since, seen_at < ? AS is_silent, removed = 1 AS was_removed,
            device = ? AS is_mine, EXISTS (SELECT 1 FROM devices WHERE phone = phones.device
            AND club_id = ? AND role <> 'viewer' AND ended_at IS NULL) AS in_club
        FROM phones WHERE room_id = ? AND role IN {roles} AND seen_at <> '' ORDER BY since, device""",
        [ago(days=SILENT_DAYS), session.get("device", ""), room.club_id, room.id],
    )
    devices = [(row.pop("device"), row) for row in rows]
    return [Phone(mark=mark_of(name), names=tuple(seats_of(db, room, name)), **row) for name, row in devices]


def guests_of(db: Database, club_id: int) -> list[tuple[Room, Phone]]:
    """Return pairs of a room of the club and a phone that is in it without being in the club."""
    return [(room, phone) for room in rooms.of_club(db, club_id) for phone in there(db, room) if not phone.in_club]


def by_mark(db: Database, room: Room, mark: str) -> dict[str, str] | None:
    """Return the secret name and the role of the phone with this public id (see `mark_of`), or None."""
    rows = db.query("SELECT device, role FROM phones WHERE room_id = ?", [room.id])
    return next((row for row in rows if mark_of(row["device"]) == mark), None)


def seats_of(db: Database, room: Room, name: str) -> list[str]:
    """Return the names of the players whom the phone `name` plays as at the room's latest table."""
    rows = db.query(
        """SELECT name FROM seats WHERE holder = ?
            AND table_id = (SELECT max(id) FROM tables WHERE room_id = ?) ORDER BY seat""",
        [name, room.id],
    )
    return [row["name"] for row in rows]


def others(db: Database, room: Room, name: str) -> list[str]:
    """Return the secret names of the phones that have joined the room, other than the phone `name`. TVs and phones that
    wait to be accepted are left out."""
    rows = db.query("SELECT device FROM phones WHERE room_id = ? AND role = 'play' AND device <> ?", [room.id, name])
    return [row["device"] for row in rows]


# -- joining, leaving ---


def must_ask(db: Database, room: Room) -> bool:
    """Return True if a new phone must ask to join: each player has a phone, or a phone has been removed."""
    row = row_of(db, room, session.get("device", ""))
    if room.guarded or (row is not None and row["removed"]):
        return True
    [players, alone] = db.execute(
        """SELECT count(*), count(CASE WHEN holder IS NULL THEN 1 END) FROM seats
        WHERE table_id = (SELECT max(id) FROM tables WHERE room_id = ?)""",
        [room.id],
    ).fetchone()
    return bool(players and not alone)


def join(db: Database, room: Room) -> None:
    """Add this device to the room as a phone that may play. Unless it belongs to a member, it is a guest."""
    with db.atomic(room.club_id):
        _note(db, room, "play")
        rooms.announce(db, room)


def ask(db: Database, room: Room) -> None:
    """Let this device ask to join the room and wait until it is accepted. Nothing happens if twelve phones are already
    waiting, or if it may see the room anyway."""
    with db.atomic(room.club_id):
        old = [room.id, ago(days=PATIENCE_DAYS)]
        db.execute("DELETE FROM phones WHERE room_id = ? AND role = 'asking' AND removed = 0 AND since < ?", old)
        waiting = there(db, room, asking=True)
        if len(waiting) < MOST_ASKING and not may(role_in(db, room), "tv"):
            _note(db, room, "asking")
            rooms.announce(db, room)


def turn_down(db: Database, room: Room, mark: str) -> None:
    """Turn down the phone with the public id `mark`. Its page keeps waiting, as after a code that no room has."""
    row = by_mark(db, room, mark)
    if row is not None:
        with db.atomic(room.club_id):
            sql = "UPDATE phones SET role = 'out' WHERE room_id = ? AND device = ? AND role = 'asking'"
            db.execute(sql, [room.id, row["device"]])
            rooms.announce(db, room)


def _note(db: Database, room: Room, role: str) -> None:
    row = {"role": role, "sign": sign_of_device(), "kind": access.agent(), "seen_at": now()}
    db.upsert("phones", ("room_id", "device"), room_id=room.id, device=device(), **row, since=now())


def sign_of_device() -> str:
    """Return the three random letters and digits that this device shows while it asks, so that people recognize it."""
    if "sign" not in session:
        session["sign"] = symbols(SIGN_LENGTH)
    sign: str = session["sign"]
    return sign


def read_code(typed: str) -> str:
    """Return a room's code that was entered by hand, but only its letters and digits, in capitals."""
    return "".join(symbol for symbol in typed.upper() if symbol.isalnum())[:CODE_LENGTH]


def open_up(db: Database, table: Table) -> Room:
    """Return the table's room. If it has none, open one with this phone in it."""
    with db.atomic(table.club_id):
        row = db.row("SELECT room_id FROM tables WHERE id = ?", table.id)
        room = rooms.find(db, id=row["room_id"] if row else None)
        if room is None:
            room = rooms.open_one(db, table.club_id)
            db.execute("UPDATE tables SET room_id = ? WHERE id = ?", [room.id, table.id])
            join(db, room)
    return room


def leave(db: Database, room: Room) -> None:
    """Remove this device from the room. Boards that it entered stay."""
    with db.atomic(room.club_id):
        stand_up(db, room, device())
        db.execute("DELETE FROM phones WHERE room_id = ? AND device = ?", [room.id, device()])
        rooms.announce(db, room)


def put_out(db: Database, club_id: int, name: str) -> None:
    """Remove the phone with this secret name from all rooms of a club that it has left. Boards that it entered stay."""
    with db.atomic(club_id):
        for room in rooms.of_club(db, club_id):
            if row_of(db, room, name) is not None:
                remove(db, room, name)
                rooms.announce(db, room)


def remove(db: Database, room: Room, name: str) -> None:
    """Remove the phone with this secret name from the room, free its players, and replace the room's link and code."""
    stand_up(db, room, name)
    sql = "UPDATE phones SET role = 'out', removed = 1 WHERE room_id = ? AND device = ?"
    db.execute(sql, [room.id, name])
    rooms.guard(db, room)


# -- playing as a player ---


def play_as(db: Database, table: Table, seat: Seat) -> bool:
    """Let this device play as the player of `seat`. Return False if another phone does."""
    with db.atomic(table.club_id):
        taken = db.execute(
            "UPDATE seats SET holder = ? WHERE table_id = ? AND seat = ? AND holder IS NULL",
            [device(), table.id, seat.number],
        )
        if taken.rowcount == 0:
            return seat.holder == device()
        row = row_of(db, table.room, device()) if table.room is not None else None
        if table.room is not None and (row is None or row["role"] != "play"):
            join(db, table.room)
        touch(db, table)
    return True


def stand_up(db: Database, room: Room, name: str) -> None:
    """Free the players whom the phone `name` played as in the room, so that other phones may enter for them."""
    own = "table_id IN (SELECT id FROM tables WHERE room_id = ?)"
    db.execute(f"UPDATE seats SET holder = NULL WHERE holder = ? AND {own}", [name, room.id])
