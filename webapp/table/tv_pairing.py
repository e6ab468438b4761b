"""Pair a TV with a room: a phone in the room scans the TV's QR code, and nobody has to enter a code by hand."""

from __future__ import annotations

from webapp.clubs import access
from webapp.database import Database, now
from webapp.table import rooms
from webapp.table.phones import device, mark_of
from webapp.table.rooms import Room


def pairing_code() -> str:
    """Return the code that a TV without a room shows as a QR code. It does not contain the TV's secret name."""
    return rooms.minute_code("pair", mark_of(device()), access.agent())


def show_on_tv(db: Database, room: Room, code: str) -> bool:
    """Let the TV with this code watch the room. Return False if the code has expired.

    The TV joins the room when it next loads its page; until then `seen_at` is empty.
    """
    found = rooms.read_minute_code("pair", code)
    if found is None:
        return False
    mark, kind = found
    with db.atomic(room.club_id):
        row = {"role": "tv", "sign": "", "kind": kind, "seen_at": "", "since": now()}
        db.upsert("phones", ("room_id", "device"), room_id=room.id, device=mark, **row)
    return True


def watched(db: Database) -> Room | None:
    """Return the room that this TV watches, or None. A TV that a phone has just paired joins the room."""
    name = device()
    sql = "SELECT room_id FROM phones WHERE device = ? AND role = 'tv' ORDER BY since DESC LIMIT 1"
    scanned = db.row(sql, mark_of(name))
    room = rooms.find(db, id=scanned["room_id"]) if scanned else None
    if room is not None:
        with db.atomic(room.club_id):
            db.execute("DELETE FROM phones WHERE device = ? AND (role = 'tv' OR room_id = ?)", [name, room.id])
            values = [name, now(), mark_of(name), room.id]
            db.execute("UPDATE phones SET device = ?, seen_at = ? WHERE device = ? AND room_id = ?", values)
            rooms.announce(db, room)
        return room
    row = db.row(sql, name)
    return rooms.find(db, id=row["room_id"]) if row else None
