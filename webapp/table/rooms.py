"""Manage rooms, where phones and TVs are together at one game, and how others join.

A room has one game at a time, the latest of its tables. It ends twelve hours after the last tap. Entries at its tables
stay.
"""

from __future__ import annotations

import hmac
import json
import secrets
import time
from dataclasses import dataclass
from typing import Any

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer

from scorer import games
from scorer.sentences import Sentence, in_a_row, say
from webapp.clubs import new_token
from webapp.database import Database, ago, new_key, now

LASTING_DAYS = 0.5  # a room ends so long after the last tap
MINUTE_S = 60  # a TV shows a new code each minute, and each is good for two

# From these, no two look alike on a screen three metres away (0 O Q, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V). Without vowels
# they make no words.
ALPHABET = "34679CDFHJKMNPRTVWXY"
CODE_LENGTH = 6


@dataclass(frozen=True, slots=True)
class Room:
    """Describe a room: phones and TVs of a club and its guests, together at one game."""

    id: int
    key: str
    club_id: int
    label: str  # the name that somebody gave it, or ""
    code: str  # new phones type it to ask
    link: str  # the end of the address that phones show as a QR code
    tapped_at: str
    version: int
    guarded: int  # 1: every new phone has to ask, because one was removed
    phones: int  # phones and TVs that are in it

    @property
    def is_over(self) -> bool:
        return self.tapped_at < ago(days=LASTING_DAYS)


def symbols(count: int) -> str:
    """Return `count` random letters and digits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def _new_code(db: Database) -> str:
    while db.row("SELECT 1 FROM rooms WHERE code = ?", code := symbols(CODE_LENGTH)):
        pass
    return code


def open_one(db: Database, club_id: int) -> Room:
    """Create a room without tables or phones."""
    with db.atomic(club_id):
        row: dict[str, Any] = {"key": new_key(), "club_id": club_id, "label": "", "code": _new_code(db)}
        row.update(link=new_token(), tapped_at=now(), version=1, guarded=0)
        return Room(id=db.insert("rooms", **row), phones=0, **row)


# -- finding rooms ---


def find(db: Database, **which: Any) -> Room | None:
    """Return the room with this id, key, code or link. A room without a tap for twelve hours is ended instead."""
    [(column, value)] = which.items()
    row = (
        None
        if value is None
        else db.row(
            f"""SELECT id, key, club_id, label, code, link, tapped_at, version, guarded,
            (SELECT count(*) FROM phones
                WHERE room_id = rooms.id AND role IN ('play', 'tv') AND seen_at <> '') AS phones
        FROM rooms WHERE {column} = ?""",
            value,
        )
    )
    room = Room(**row) if row else None
    if room is not None and room.is_over:
        end(db, room)
        return None
    return room


def by_link(db: Database, token: str) -> Room | None:
    """Return the room of a link, or None. A phone's link has 128 random bits; a TV's code is valid for up to two
    minutes."""
    if "." in token:
        return _by_tv_code(db, token)
    room = find(db, link=token)
    return room if room and hmac.compare_digest(room.link.encode(), token.encode()) else None


def minute_code(purpose: str, *values: Any) -> str:
    """Return a code that signs `values` and this minute, for an address that a TV shows as a QR code.

    `purpose` keeps codes of different uses apart.
    """
    code = URLSafeSerializer(str(current_app.secret_key), salt=purpose).dumps([int(time.time() // MINUTE_S), *values])
    return code if isinstance(code, str) else code.decode()


def read_minute_code(purpose: str, code: str) -> list[Any] | None:
    """Return the values in a code for this `purpose`, if a TV has shown it in the last two minutes; otherwise None."""
    try:
        minute, *values = URLSafeSerializer(str(current_app.secret_key), salt=purpose).loads(code)
    except BadSignature:
        return None
    return values if 0 <= int(time.time() // MINUTE_S) - minute <= 1 else None


def tv_code(room: Room) -> str:
    """Return the code by which phones can join the room from its TV this minute."""
    return minute_code("join", room.id, room.link[:8])


def _by_tv_code(db: Database, token: str) -> Room | None:
    number, link = read_minute_code("join", token) or (None, "")
    room = find(db, id=number)
    return room if room is not None and room.link.startswith(link) else None


def of_club(db: Database, club_id: int) -> list[Room]:
    """Return the club's open rooms, the one with the latest tap first."""
    rows = db.query("SELECT id FROM rooms WHERE club_id = ? ORDER BY tapped_at DESC, id DESC", [club_id])
    return [room for row in list(rows) if (room := find(db, id=row["id"])) is not None]


def keys(db: Database, club_id: int) -> list[str]:
    """Return the keys of all the club's rooms."""
    return [row["key"] for row in db.query("SELECT key FROM rooms WHERE club_id = ?", [club_id])]


def tables_in(db: Database, room: Room) -> list[str]:
    """Return the keys of the room's tables, the current one first."""
    return [row["key"] for row in db.query("SELECT key FROM tables WHERE room_id = ? ORDER BY id DESC", [room.id])]


def title(db: Database, room: Room) -> str | Sentence:
    """Return the room's label, or else its game and its players' names."""
    row = db.row("SELECT id, game FROM tables WHERE room_id = ? ORDER BY id DESC LIMIT 1", room.id)
    game = games.find(row["game"]) if row else None
    if room.label or row is None or game is None:
        return room.label or say("New room")
    seated = db.row("SELECT json_group_array(name) AS names FROM seats WHERE table_id = ?", row["id"])
    names = json.loads(seated["names"] or "[]") if seated else []
    return say("{game}: {names}", game=game.name, names=in_a_row(names)) if names else game.name


# -- changing rooms ---


def tap(db: Database, room: Room) -> None:
    """Note an action in the room: it keeps the room open, and all phones that show it are told."""
    db.execute("UPDATE rooms SET tapped_at = ?, version = version + 1 WHERE id = ?", [now(), room.id])
    db.touched.add(room.key)


def announce(db: Database, room: Room) -> None:
    """Tell every phone in the room, or at one of its tables, that something has changed."""
    tap(db, room)
    db.execute("UPDATE tables SET version = version + 1 WHERE room_id = ?", [room.id])
    db.touched.update(tables_in(db, room))


def name(db: Database, room: Room, label: str) -> None:
    """Set the room's label; an empty `label` removes it."""
    with db.atomic(room.club_id):
        db.execute("UPDATE rooms SET label = ? WHERE id = ?", [label, room.id])
        announce(db, room)


def guard(db: Database, room: Room) -> None:
    """Replace the room's link and code. From then on every new phone must ask to join."""
    sql = "UPDATE rooms SET link = ?, code = ?, guarded = 1 WHERE id = ?"
    db.execute(sql, [new_token(), _new_code(db), room.id])


def end(db: Database, room: Room) -> None:
    """End the room. Its tables and entries stay, except tables whose game is saved."""
    with db.atomic(room.club_id):
        announce(db, room)
        own = "table_id IN (SELECT id FROM tables WHERE room_id = ?)"
        db.execute(f"UPDATE seats SET holder = NULL WHERE {own}", [room.id])
        db.execute("DELETE FROM tables WHERE room_id = ? AND saved_at IS NOT NULL", [room.id])
        db.execute("UPDATE tables SET room_id = NULL WHERE room_id = ?", [room.id])
        db.execute("DELETE FROM rooms WHERE id = ?", [room.id])


def end_old_ones(db: Database) -> None:
    """End the rooms without a tap for twelve hours."""
    with db.atomic():
        for row in list(db.query("SELECT id FROM rooms WHERE tapped_at < ?", [ago(days=LASTING_DAYS)])):
            find(db, id=row["id"])
