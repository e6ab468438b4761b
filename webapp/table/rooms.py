"""Rooms: the evening's one link, code and television address. Phones belong to a room; tables come and go in it.

A table has a room only while it is open to other phones. A room ends at its host's word, or by itself twelve hours
after the last tap in it; what was entered at its tables stays.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import Any

from webapp.clubs import new_token, zone_of
from webapp.database import Database, ago, new_key, now
from webapp.days import day_of

RIGHTS = ("watch", "enter", "host")  # each may do all that those before it may
LASTING_DAYS = 0.5  # after the last tap

# No two of these look alike on a screen three metres away (0 O Q, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V), and no vowel
# is left to make a word of.
ALPHABET = "34679CDFHJKMNPRTVWXY"
CODE_LENGTH = 6
PIN_LENGTH = 4  # digits
MOST_MISSES = 10  # wrong PINs at one door


@dataclass(frozen=True, slots=True)
class Room:
    """An evening of a club, open to other phones."""

    id: int
    key: str
    club_id: int
    name: str  # as its host called it, "" until somebody does
    day: str  # on which it was opened, at the club
    code: str  # what other phones type to knock
    tapped_at: str
    version: int
    phones: int  # in it, those at the door not counted
    away: bool = False  # its host's phone has given no sign for two minutes
    pin: str | None = None  # lets in at once whoever types it with the code
    misses: int = 0  # wrong PINs since it was set

    @property
    def is_over(self) -> bool:
        return self.tapped_at < ago(days=LASTING_DAYS)


def symbols(count: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def open_one(db: Database, club_id: int) -> Room:
    """A new room with its links, still without a table or a phone."""
    with db.atomic(club_id):
        code = symbols(CODE_LENGTH)
        while db.row("SELECT 1 FROM rooms WHERE code = ?", code):
            code = symbols(CODE_LENGTH)
        moment = now()
        day = day_of(moment, zone_of(db, club_id))
        row: dict[str, Any] = {"key": new_key(), "club_id": club_id, "name": "", "day": day, "code": code}
        row.update(tapped_at=moment, version=1)
        room_id = db.insert("rooms", **row)
        for right in RIGHTS:
            db.put("room_links", room_id=room_id, role=right, token=new_token())
    return Room(id=room_id, phones=0, **row)


# -- finding one ---


def find(db: Database, key: str) -> Room | None:
    return _found(db, "key", key)


def by_id(db: Database, number: int | None) -> Room | None:
    return None if number is None else _found(db, "id", number)


def by_code(db: Database, code: str) -> Room | None:
    return _found(db, "code", code)


def _found(db: Database, column: str, value: Any) -> Room | None:
    """The room, unless it is over: whoever looks for it first ends it."""
    row = db.row(
        f"""SELECT id, key, club_id, name, day, code, tapped_at, version, away, pin, misses,
            (SELECT count(*) FROM phones WHERE room_id = rooms.id AND role <> 'knock') AS phones
        FROM rooms WHERE {column} = ?""",
        value,
    )
    if row is None:
        return None
    row["away"] = bool(row["away"])
    room = Room(**row)
    if room.is_over:
        end(db, room)
        return None
    return room


def by_link(db: Database, token: str) -> tuple[Room, str] | None:
    """The room that the link leads to, and the right it gives. A token has 128 random bits."""
    row = db.row("SELECT room_id, role, token FROM room_links WHERE token = ?", token)
    if row is None or not hmac.compare_digest(row["token"].encode(), token.encode()):
        return None
    room = by_id(db, row["room_id"])
    return (room, row["role"]) if room else None


def links(db: Database, room: Room) -> dict[str, str]:
    rows = db.query("SELECT role, token FROM room_links WHERE room_id = ?", [room.id])
    return {row["role"]: row["token"] for row in rows}


def renew_hosts_link(db: Database, room: Room) -> None:
    db.execute("UPDATE room_links SET token = ? WHERE room_id = ? AND role = 'host'", [new_token(), room.id])


def keys(db: Database, club_id: int) -> list[str]:
    """Of all rooms of the club."""
    return [row["key"] for row in db.query("SELECT key FROM rooms WHERE club_id = ?", [club_id])]


# -- what changes it ---


def tap(db: Database, room: Room) -> None:
    """Somebody has done something in the room: it lasts, and whoever shows the whole room is told."""
    db.execute("UPDATE rooms SET tapped_at = ?, version = version + 1 WHERE id = ?", [now(), room.id])
    db.touched.add(room.key)


def announce(db: Database, room: Room) -> None:
    """Something that every phone in the room shows has changed, wherever it is."""
    tap(db, room)
    db.execute("UPDATE tables SET version = version + 1 WHERE room_id = ?", [room.id])
    db.touched.update(row["key"] for row in db.query("SELECT key FROM tables WHERE room_id = ?", [room.id]))


def call(db: Database, room: Room, name: str) -> None:
    with db.atomic(room.club_id):
        db.execute("UPDATE rooms SET name = ? WHERE id = ?", [name, room.id])
        announce(db, room)


# -- the PIN ---


def set_pin(db: Database, room: Room, pin: str | None) -> None:
    with db.atomic(room.club_id):
        db.execute("UPDATE rooms SET pin = ?, misses = 0 WHERE id = ?", [pin, room.id])
        announce(db, room)


def new_pin() -> str:
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


def opens(db: Database, room: Room, typed: str) -> bool:
    """Whether that is the room's PIN. After ten that were not, the door only knocks again."""
    if room.pin is None or not typed:
        return False
    if hmac.compare_digest(room.pin.encode(), typed.encode()):
        return True
    with db.atomic(room.club_id):
        db.execute("UPDATE rooms SET misses = misses + 1 WHERE id = ?", [room.id])
        db.execute("UPDATE rooms SET pin = NULL WHERE id = ? AND misses >= ?", [room.id, MOST_MISSES])
        announce(db, room)
    return False


def end(db: Database, room: Room) -> None:
    """Send all phones away. What was entered stays with the tables; those whose game is saved have had their time."""
    with db.atomic(room.club_id):
        announce(db, room)
        own = "table_id IN (SELECT id FROM tables WHERE room_id = ?)"
        db.execute(f"UPDATE seats SET holder = NULL WHERE {own}", [room.id])
        db.execute("DELETE FROM tables WHERE room_id = ? AND saved_at IS NOT NULL", [room.id])
        db.execute("UPDATE tables SET room_id = NULL, revealed_at = NULL WHERE room_id = ?", [room.id])
        db.execute("DELETE FROM rooms WHERE id = ?", [room.id])


def end_those_left_alone(db: Database) -> None:
    """Twelve hours after its last tap a room is over."""
    with db.atomic():
        rows = list(db.query("SELECT id FROM rooms WHERE tapped_at < ?", [ago(days=LASTING_DAYS)]))
        for row in rows:
            by_id(db, row["id"])
