"""Guests of the club: phones in its rooms that are not in the club, and how any phone is sent away."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from webapp.database import Database
from webapp.table import phones, rooms
from webapp.table.rooms import Room


@dataclass(frozen=True, slots=True)
class Guest:
    """A phone in a room of the club that is not in the club itself."""

    room: Room
    mark: str  # by which the page names it: its own name is known to nobody
    right: str
    way: str  # "link", "door", or "" if it came before that was noted
    kind: str
    since: str
    seats: tuple[str, ...]


def everywhere(db: Database, club_id: int) -> list[Guest]:
    """The guests in all rooms of the club, the latest first."""
    found = [guest for key in rooms.keys(db, club_id) if (room := rooms.find(db, key)) for guest in _in_room(db, room)]
    return sorted(found, key=lambda guest: (guest.since, guest.mark), reverse=True)


def _in_room(db: Database, room: Room) -> list[Guest]:
    rows = db.query(
        """SELECT device, role, way, kind, since FROM phones
        WHERE room_id = ? AND role <> 'knock'
            AND device NOT IN (SELECT phone FROM devices WHERE club_id = ? AND ended_at IS NULL)""",
        [room.id, room.club_id],
    )
    return [
        Guest(
            room,
            mark_of(row["device"]),
            row["role"],
            row["way"],
            row["kind"],
            row["since"],
            tuple(phones.seats_of(db, room, row["device"])),
        )
        for row in list(rows)
    ]


def mark_of(name: str) -> str:
    """By which a phone is told from others without giving its name away, which is all it needs to be that phone."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def send_away(db: Database, room: Room, mark: str) -> bool:
    """Take the phone with that mark from the room; what it entered stays. False if it is not there."""
    with db.atomic(room.club_id):
        rows = db.query("SELECT device FROM phones WHERE room_id = ?", [room.id])
        name = next((row["device"] for row in rows if mark_of(row["device"]) == mark), None)
        if name is not None:
            _take_off(db, room, name)
    return name is not None


def put_out(db: Database, club_id: int, name: str) -> None:
    """Take a phone that is no longer in the club from all its rooms; what it entered stays."""
    with db.atomic(club_id):
        for row in list(
            db.query(
                "SELECT rooms.id FROM phones JOIN rooms ON rooms.id = room_id WHERE club_id = ? AND device = ?",
                [club_id, name],
            )
        ):
            room = rooms.by_id(db, row["id"])
            if room is not None:
                _take_off(db, room, name)


def _take_off(db: Database, room: Room, name: str) -> None:
    phones.stand_up(db, room, name)
    db.execute("DELETE FROM phones WHERE room_id = ? AND device = ?", [room.id, name])
    rooms.announce(db, room)
