"""Remember when each phone of a room was last active."""

from __future__ import annotations

from flask import Response, after_this_request

from webapp.database import Database, ago, now
from webapp.table import rooms
from webapp.table.phones import SILENT_DAYS, device, row_of
from webapp.table.rooms import Room

NOTED_DAYS = 1 / 4320  # an active phone is noted at most every 20 seconds


def are_silent(db: Database, room: Room, names: list[str]) -> bool:
    """Return True if none of these phones has been active for two minutes."""
    sql = "SELECT device FROM phones WHERE room_id = ? AND seen_at >= ?"
    heard = {row["device"] for row in db.query(sql, [room.id, ago(days=SILENT_DAYS)])}
    return heard.isdisjoint(names)


def _saw(db: Database, room: Room, name: str) -> None:
    """Note that the phone is active, at most every 20 seconds, and never while somebody else writes."""
    row = row_of(db, room, name)
    if row is not None and not ago(days=NOTED_DAYS) <= row["seen_at"] <= now():
        with db.unless_others_write(room.club_id) as free:
            if free:
                db.execute("UPDATE phones SET seen_at = ? WHERE room_id = ? AND device = ?", [now(), room.id, name])


def note_visit(db: Database, room: Room) -> None:
    """Note that this device is active, after its request has been answered."""
    name = device()

    def note(response: Response) -> Response:
        _saw(db, room, name)
        return response

    after_this_request(note)


def note(db: Database, room_id: int | None, name: str) -> None:
    """Note that the phone is active in the room, if there is one."""
    room = rooms.find(db, id=room_id)
    if room is not None:
        _saw(db, room, name)
