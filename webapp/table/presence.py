"""Which phones are there: noted in memory whenever one asks for something or its stream is kept alive.

A room's host whose phone has given no sign for two minutes counts as gone, and everybody in the room is told. Nodes
tell each other of the hosts that they see. After a start nobody has been gone for long, and nobody is back before seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from flask import current_app

from webapp.database import Database
from webapp.table import rooms
from webapp.table.events import Others, nobody
from webapp.table.rooms import Room

GONE_S = 120.0
# A host that was gone is back when it was seen a short while ago: nodes, each of which has seen it last at another
# moment, do not contradict each other then.
BACK_S = 60.0
TOLD_S = 10.0  # how often other nodes are told of a host
MANY = 10_000  # phones remembered; whoever was seen longest ago is forgotten first

HERE = "here"  # hosts were seen


class Presence:
    """When each phone was seen last, for one app."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, others: Others = nobody) -> None:
        self.clock, self.began, self.others = clock, clock(), others
        self.seen: dict[str, float] = {}
        self.told: dict[str, float] = {}  # when other nodes were told of it

    def saw(self, name: str) -> None:
        note(self.seen, name, self.clock())

    def saw_host(self, name: str) -> None:
        """It matters to all nodes whether a host is there."""
        self.saw(name)
        if self.clock() - self.told.get(name, float("-inf")) >= TOLD_S:
            note(self.told, name, self.clock())
            self.others(HERE, [name])

    def begin_anew(self) -> None:
        """Others may have been seen elsewhere lately."""
        self.began = self.clock()

    def is_gone(self, name: str) -> bool:
        return self.clock() - max(self.seen.get(name, self.began), self.began) >= GONE_S

    def is_back(self, name: str) -> bool:
        return self.clock() - self.seen.get(name, float("-inf")) < BACK_S


def note(moments: dict[str, float], name: str, moment: float) -> None:
    moments.pop(name, None)
    moments[name] = moment
    if len(moments) > MANY:
        moments.pop(next(iter(moments)), None)


def presence() -> Presence:
    """That of the app that answers."""
    found: Presence = current_app.extensions["presence"]
    return found


def host_of(db: Database, room_id: int) -> str | None:
    row = db.row("SELECT device FROM phones WHERE room_id = ? AND role = 'host'", room_id)
    return row["device"] if row else None


def is_gone(there: Presence, room: Room, host: str | None) -> bool:
    """Whether nobody has heard of the room's host for two minutes, nor since then."""
    return host is not None and (there.is_gone(host) or (room.away and not there.is_back(host)))


def host_is_gone(db: Database, there: Presence, room: Room) -> bool:
    return is_gone(there, room, host_of(db, room.id))


def look(db: Database, there: Presence, room: Room, name: str) -> None:
    """That phone is there. Tell the room if its host has gone or come back since it was told last."""
    host = host_of(db, room.id)
    if host == name:
        there.saw_host(name)
    gone = is_gone(there, room, host)
    if gone != room.away:
        with db.atomic(room.club_id):
            db.execute("UPDATE rooms SET away = ? WHERE id = ?", [int(gone), room.id])
            rooms.announce(db, room)
