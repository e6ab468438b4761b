"""The phones in a room: what each may do there, where it is, who sits where, and the ways in.

Three rights, each with its own link that nobody guesses, and kept by the device's own signed cookie:

    watch   sees who is done and, once it is revealed, the result
    enter   also sits down at free seats and enters what lies there, and nothing else
    host    does everything

The six-character code gives none of them. Six characters are few enough to be guessed by patience (docs/live.md has the
arithmetic), so whoever types it knocks, and the host, who sees the sign that the phone shows, lets it in.
"""

from __future__ import annotations

from flask import session

from webapp.clubs import Membership, access
from webapp.database import Database, ago, now
from webapp.table import rooms, tables
from webapp.table.rooms import ALPHABET, CODE_LENGTH, RIGHTS, Room, links, symbols
from webapp.table.tables import Seat, Table, touch

__all__ = ["ALPHABET", "CODE_LENGTH", "RIGHTS", "links"]  # and all that stands below

SIGN_LENGTH = 3
# Whoever goes before her board is done leaves it open for somebody else to finish.
STOOD_UP = """holder = NULL,
    left_open = CASE WHEN state IS NOT NULL AND done = 0 AND holder IS NOT NULL THEN 1 ELSE 0 END"""
PASS_LENGTH, PASS_DAYS = 12, 1 / 144  # ten minutes
MOST_WAITING = 12  # phones at the door of one room
PATIENCE_DAYS = 1 / 96  # a quarter of an hour: then a phone has to knock again


def device() -> str:
    """The name this device goes by, known to nobody else."""
    return access.phone()


def may(right: str | None, wanted: str) -> bool:
    return right is not None and RIGHTS.index(right) >= RIGHTS.index(wanted)


def right_at(db: Database, table: Table) -> str | None:
    """What this device may do at the table: by what it was let in as, or by its place in the table's club."""
    if table.room is not None:
        return right_in(db, table.room)
    membership = access.in_club(table.club_id)
    if membership is None:
        return None
    return "host" if membership.may("member") else "watch"


def right_in(db: Database, room: Room) -> str | None:
    """The same in a room, which has one host. The club's owner is one everywhere, since a host's phone may be lost."""
    row = phone(db, room, session.get("device", ""))
    granted = row["role"] if row and row["role"] != "knock" else None
    return max((right for right in (granted, _by_membership(room)) if right), key=RIGHTS.index, default=None)


def _by_membership(room: Room) -> str | None:
    membership = access.in_club(room.club_id)
    if membership is None:
        return None
    if membership.may("owner"):
        return "host"
    return "enter" if membership.may("member") else "watch"


def phone(db: Database, room: Room, name: str) -> dict[str, str] | None:
    """The row of that phone, if it is in the room or at its door."""
    return db.row("SELECT role, wants, table_id, name FROM phones WHERE room_id = ? AND device = ?", room.id, name)


def write_down(db: Database, room: Room, role: str, wants: str = "enter", sign: str = "", way: str = "club") -> None:
    """This phone is in the room, or at its door, with that right, and has come that way."""
    row = {"role": role, "wants": wants, "sign": sign, "way": way, "kind": access.agent()}
    db.upsert("phones", ("room_id", "device"), room_id=room.id, device=device(), **row, since=now())
    _place(db, room)
    rooms.announce(db, room)


def _place(db: Database, room: Room) -> None:
    """Whoever has just come is at the latest table."""
    db.execute(
        """UPDATE phones SET table_id = (SELECT max(id) FROM tables WHERE room_id = ? AND saved_at IS NULL)
        WHERE room_id = ? AND role <> 'knock' AND table_id IS NULL""",
        [room.id, room.id],
    )


# -- opening, closing, handing over ---


def open_up(db: Database, table: Table) -> None:
    """Let other phones come to a room with this table; this phone is its host."""
    with db.atomic(table.club_id):
        now_there = tables.find(db, table.key)
        if now_there is None or now_there.room is not None:
            return
        room = rooms.open_one(db, table.club_id)
        db.execute("UPDATE tables SET room_id = ? WHERE id = ?", [room.id, table.id])
        write_down(db, room, "host")


def close(db: Database, room: Room) -> None:
    """Send the other phones away. What they entered stays."""
    rooms.end(db, room)


def hand_to(db: Database, room: Room, name: str, way: str = "club") -> None:
    """Make that phone the host. The one that was stays in the room, and the host's link is a new one."""
    with db.atomic(room.club_id):
        db.execute("UPDATE phones SET role = 'enter' WHERE room_id = ? AND role = 'host'", [room.id])
        handed = db.execute(
            "UPDATE phones SET role = 'host', since = ? WHERE room_id = ? AND device = ?", [now(), room.id, name]
        )
        if handed.rowcount == 0:
            assert name == device(), "whoever is in the room is written down"
            write_down(db, room, "host", way=way)
        rooms.renew_hosts_link(db, room)
        rooms.announce(db, room)


def welcome(db: Database, room: Room, right: str, way: str = "link") -> None:
    """Give this phone the right, unless it has a stronger one."""
    row = phone(db, room, device())
    if row is None or not may(right_in(db, room), right):
        with db.atomic(room.club_id):
            write_down(db, room, right, wants=right, way=way)


# -- where a phone is, and who sits where ---


def come_by(db: Database, table: Table) -> None:
    """This phone goes over to the table; a seat that it has elsewhere stays its own."""
    if table.room is not None:
        with db.atomic(table.club_id):
            go_to(db, table.room, table, device())
            rooms.announce(db, table.room)


def go_to(db: Database, room: Room, table: Table, name: str) -> None:
    """That phone is at this table now."""
    db.execute("UPDATE phones SET table_id = ? WHERE room_id = ? AND device = ?", [table.id, room.id, name])


def is_elsewhere(db: Database, table: Table) -> bool:
    """Whether this phone is at another table of the same room, where it shall see nothing of this one's result."""
    if table.room is None or table.saved_at or any(seat.holder == device() for seat in table.seats):
        return False
    row = db.row(
        """SELECT role FROM phones JOIN tables ON tables.id = phones.table_id
        WHERE phones.room_id = ? AND device = ? AND tables.room_id = phones.room_id AND tables.saved_at IS NULL
            AND tables.id <> ?""",
        table.room.id,
        device(),
        table.id,
    )
    return row is not None and row["role"] != "host" and not may(_by_membership(table.room), "host")


def claim(db: Database, table: Table, seat: Seat) -> bool:
    """Sit down on a free seat; False if somebody else just has."""
    with db.atomic(table.club_id):
        taken = db.execute(
            "UPDATE seats SET holder = ?, left_open = 0 WHERE table_id = ? AND seat = ? AND holder IS NULL",
            [device(), table.id, seat.number],
        )
        if taken.rowcount == 0:
            return seat.holder == device()
        if table.room is not None:
            if phone(db, table.room, device()) is None:
                write_down(db, table.room, "enter")
            go_to(db, table.room, table, device())
        touch(db, table)
    return True


def free(db: Database, table: Table, seat: Seat) -> None:
    """Let somebody else sit there. What was entered stays."""
    with db.atomic(table.club_id):
        db.execute(f"UPDATE seats SET {STOOD_UP} WHERE table_id = ? AND seat = ?", [table.id, seat.number])
        touch(db, table)


def leave(db: Database, room: Room) -> None:
    """This phone goes, and its seats are free. A host cannot: the room would be nobody's."""
    with db.atomic(room.club_id):
        stand_up(db, room, device())
        db.execute("DELETE FROM phones WHERE room_id = ? AND device = ? AND role <> 'host'", [room.id, device()])
        rooms.announce(db, room)


def stand_up(db: Database, room: Room, name: str) -> None:
    """All seats of that phone in the room are free."""
    own = "table_id IN (SELECT id FROM tables WHERE room_id = ?)"
    db.execute(f"UPDATE seats SET {STOOD_UP} WHERE holder = ? AND {own}", [name, room.id])


def seats_of(db: Database, room: Room, name: str) -> list[str]:
    """As whom that phone plays in the room, the latest table first; between two games, as whom it has played."""
    rows = db.query(
        """SELECT seats.name FROM seats JOIN tables ON tables.id = seats.table_id
        JOIN phones ON phones.room_id = tables.room_id AND phones.device = seats.holder
        WHERE tables.room_id = ? AND holder = ? AND (saved_at IS NULL OR tables.id = phones.table_id)
        ORDER BY tables.id DESC, seat""",
        [room.id, name],
    )
    return list(dict.fromkeys(row["name"] for row in rows))


def may_still_watch(db: Database, room_id: int | None, club_id: int, name: str, membership: Membership | None) -> bool:
    """Whether whoever began to listen may go on: let in here, or in the club."""
    there = db.row("SELECT 1 FROM phones WHERE room_id = ? AND device = ? AND role <> 'knock'", room_id, name)
    if there is not None:
        return True
    number = membership.device.id if membership else None
    return (
        db.row("SELECT 1 FROM devices WHERE id = ? AND club_id = ? AND ended_at IS NULL", number, club_id) is not None
    )


def rooms_of(db: Database) -> list[Room]:
    """The rooms that this device is in, the one with the latest tap first."""
    rows = db.query(
        """SELECT rooms.id FROM phones JOIN rooms ON rooms.id = room_id
        WHERE device = ? AND role <> 'knock' ORDER BY tapped_at DESC, rooms.id DESC""",
        [session.get("device", "")],
    )
    found = [rooms.by_id(db, row["id"]) for row in list(rows)]
    return [room for room in found if room is not None]


# -- a second device ---


def make_pass(db: Database, room: Room) -> str:
    """A code by which another device takes over what this one holds in the room: for ten minutes, and once."""
    code = symbols(PASS_LENGTH)
    with db.atomic(room.club_id):
        row = {"code": code, "room_id": room.id, "device": device(), "made_at": now()}
        db.upsert("passes", ("room_id", "device"), **row)
    return code


def by_pass(db: Database, code: str) -> tuple[Room, str] | None:
    """The room, and the phone whose seats the code hands over."""
    row = db.row("SELECT room_id, device FROM passes WHERE code = ? AND made_at >= ?", code, ago(days=PASS_DAYS))
    room = rooms.by_id(db, row["room_id"]) if row else None
    return (room, row["device"]) if room and row and phone(db, room, row["device"]) else None


def take_over(db: Database, room: Room, name: str, code: str) -> bool:
    """This device sits where that phone sat, with its name; False if another one was quicker."""
    with db.atomic(room.club_id):
        if db.execute("DELETE FROM passes WHERE code = ?", [code]).rowcount == 0:
            return False
        before = phone(db, room, name)
        if before is None or name == device():
            return False
        if not may(right_in(db, room), "enter") or phone(db, room, device()) is None:
            write_down(db, room, "enter", way="pass")
        own = "table_id IN (SELECT id FROM tables WHERE room_id = ? AND saved_at IS NULL)"
        db.execute(f"UPDATE seats SET holder = ? WHERE holder = ? AND {own}", [device(), name, room.id])
        place = [before["table_id"], before["name"], room.id, device()]
        db.execute("UPDATE phones SET table_id = ?, name = ? WHERE room_id = ? AND device = ?", place)
        db.execute("UPDATE phones SET name = '' WHERE room_id = ? AND device = ?", [room.id, name])
        rooms.announce(db, room)
    return True


# -- the door ---


def read_code(typed: str) -> str:
    """A code as people type it: in small letters, with spaces between. That of a second device is longer."""
    symbols_typed = "".join(symbol for symbol in typed.upper() if symbol.isalnum())
    return symbols_typed[: PASS_LENGTH if len(symbols_typed) >= PASS_LENGTH else CODE_LENGTH]


def knock(db: Database, room: Room, wants: str) -> None:
    """Wait at the room's door, unless there is a crowd."""
    with db.atomic(room.club_id):
        db.execute("DELETE FROM phones WHERE role = 'knock' AND since < ?", [ago(days=PATIENCE_DAYS)])
        if len(at_the_door(db, room)) < MOST_WAITING and right_in(db, room) is None:
            write_down(db, room, "knock", wants, sign_of_device(), "door")


def sign_of_device() -> str:
    """What this phone shows while it waits, so that the host knows which phone knocks."""
    if "sign" not in session:
        session["sign"] = symbols(SIGN_LENGTH)
    sign: str = session["sign"]
    return sign


def at_the_door(db: Database, room: Room) -> list[dict[str, str]]:
    rows = db.query(
        "SELECT sign, wants FROM phones WHERE room_id = ? AND role = 'knock' ORDER BY since, sign", [room.id]
    )
    return list(rows)


def answer_door(db: Database, room: Room, sign: str, let_in: bool) -> None:
    """Let the phone with that sign in with what it came for, or send it away."""
    action = "UPDATE phones SET role = wants" if let_in else "DELETE FROM phones"
    with db.atomic(room.club_id):
        db.execute(f"{action} WHERE room_id = ? AND role = 'knock' AND sign = ?", [room.id, sign])
        _place(db, room)
        rooms.announce(db, room)
