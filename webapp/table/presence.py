"""Which phones are there: noted in memory whenever one asks for something or its stream is kept alive.

A room's host whose phone has given no sign for two minutes counts as gone, and everybody in the room is told. One
process serves, so memory is enough; after a start everybody counts as just seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from flask import current_app

from webapp.database import Database
from webapp.table import rooms
from webapp.table.rooms import Room

GONE_S = 120.0
MANY = 10_000  # phones remembered; whoever was seen longest ago is forgotten first


class Presence:
    """When each phone was seen last, for one app."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock, self.began = clock, clock()
        self.seen: dict[str, float] = {}

    def saw(self, name: str) -> None:
        self.seen.pop(name, None)
        self.seen[name] = self.clock()
        if len(self.seen) > MANY:
            self.seen.pop(next(iter(self.seen)), None)

    def is_gone(self, name: str) -> bool:
        return self.clock() - self.seen.get(name, self.began) >= GONE_S


def presence() -> Presence:
    """That of the app that answers."""
    found: Presence = current_app.extensions["presence"]
    return found


def host_is_gone(db: Database, there: Presence, room_id: int) -> bool:
    """Whether nobody in the room has heard of its host for two minutes."""
    row = db.row("SELECT device FROM phones WHERE room_id = ? AND role = 'host'", room_id)
    return row is not None and there.is_gone(row["device"])


def look(db: Database, there: Presence, room: Room) -> None:
    """Tell the room if its host has gone or come back since it was told last."""
    gone = host_is_gone(db, there, room.id)
    if gone != room.away:
        with db.atomic(room.club_id):
            db.execute("UPDATE rooms SET away = ? WHERE id = ?", [int(gone), room.id])
            rooms.announce(db, room)
