"""Pair a TV with a room: the TV shows a QR code, a phone in the room scans it, and nothing is typed."""

from __future__ import annotations

from webapp.clubs import access
from webapp.database import Database, now
from webapp.table import rooms
from webapp.table.phones import device, mark_of
from webapp.table.rooms import Room


def pairing_code() -> str:
    """Return the code in the QR code of a TV that is in no room; it tells no more than what pages call the TV."""
    return rooms.minute_code("pair", mark_of(device()), access.agent())


def show_on_tv(db: Database, room: Room, code: str) -> bool:
    """Let the TV that shows this code watch the room; False if the code is too old.

    It is in the room only once it looks again: until then nobody has seen it there (`seen_at`).
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
    """Return the room that this TV watches: that of the phone which scanned its code last."""
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
