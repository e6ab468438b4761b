"""Acts that concern somebody else in a room, and the second phone that a guest's wish needs.

A member's phone does them at once. A guest's wish waits for one tap on a second phone which is not its target. With two
phones the other one may agree even so, and nobody has to wait for phones that have been silent for two minutes. Every
act names the game it was made on, so that of two at once the second changes nothing that it did not mean.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from webapp.database import Database, pack
from webapp.table import phones, presence, reveal, rooms
from webapp.table.act_effects import (
    ALREADY,
    ASKED,
    DONE,
    OTHER,
    REFUSED,
    UNDOING,
    Subject,
    carry_out,
    concerns_others,
    obstacle,
)
from webapp.table.phones import mark_of
from webapp.table.rooms import Room
from webapp.table.visit import Stay

__all__ = ["ALREADY", "ASKED", "DONE", "OTHER", "REFUSED", "Subject"]  # and everything below

UNDO_MS = 10_000
SHOWN_MS = 60_000


@dataclass(frozen=True, slots=True)
class Act:
    """Something that somebody did, or wishes to do."""

    id: int
    action: str  # take, reveal, change, accept or remove
    subject: Subject  # table: the key of the game it was made on; seat, phone, game, who: what it is about
    device: str
    name: str  # of whoever did it, "" if that phone plays as nobody
    asked_at: int  # ms since 1970
    done_at: int | None
    undo: Subject | None

    @property
    def ms_left(self) -> int:
        """Return for how long it can still be undone."""
        if self.done_at is None or self.undo is None:
            return 0
        return max(0, self.done_at + UNDO_MS - reveal.moment())


def wish(stay: Stay, action: str, subject: Subject) -> str:
    """Do it if this device may do it alone or a second phone wished the same; else ask the second phone."""
    db, room = stay.db, stay.room
    with db.atomic(room.club_id):
        if outcome := obstacle(stay, action, subject, stay.device):
            return outcome
        same = next((act for act in waiting(db, room) if (act.action, act.subject) == (action, subject)), None)
        if same is not None and may_agree(stay, same):
            return agree(stay, same.id)
        if needs_second(stay, action, subject):
            if same is None:
                _write(stay, action, subject)
            return ASKED
        undo = carry_out(stay, action, subject, stay.device)
        if undo is not None or action == "change":
            _write(stay, action, subject, done_at=reveal.moment(), undo=undo)
        rooms.announce(db, room)
    return DONE


def agree(stay: Stay, number: int) -> str:
    """Do what another phone wished, if this one may agree to it."""
    db, room = stay.db, stay.room
    with db.atomic(room.club_id):
        act = find(db, room, number)
        if act is None or act.done_at is not None:
            return ALREADY
        if not may_agree(stay, act):
            return REFUSED
        outcome = obstacle(stay, act.action, act.subject, act.device)
        if outcome:
            db.execute("DELETE FROM acts WHERE id = ?", [act.id])
        else:
            undo = carry_out(stay, act.action, act.subject, act.device)
            values = [reveal.moment(), None if undo is None else pack(undo), act.id]
            db.execute("UPDATE acts SET done_at = ?, undo = ? WHERE id = ?", values)
        rooms.announce(db, room)
    return outcome or DONE


def decline(stay: Stay, number: int) -> None:
    """Drop a wish: whoever wished it, or whoever may agree to it."""
    act = find(stay.db, stay.room, number)
    if act is not None and act.done_at is None and (act.device == stay.device or may_agree(stay, act)):
        with stay.db.atomic(stay.room.club_id):
            stay.db.execute("DELETE FROM acts WHERE id = ?", [act.id])
            rooms.announce(stay.db, stay.room)


def undo(stay: Stay, number: int) -> bool:
    """Take an act back within ten seconds: whoever did it, or a member's phone."""
    db, room = stay.db, stay.room
    with db.atomic(room.club_id):
        act = find(db, room, number)
        if act is None or not act.ms_left or not may_undo(stay, act):
            return False
        assert act.undo is not None, "else no time is left"
        UNDOING[act.action](db, room, act.undo)
        db.execute("DELETE FROM acts WHERE id = ?", [act.id])
        rooms.announce(db, room)
    return True


# -- who may ---


def needs_second(stay: Stay, action: str, subject: Subject) -> bool:
    """Return True if this device may not do that alone."""
    if stay.may("member") or not concerns_others(stay, action, subject):
        return False
    others = phones.others(stay.db, stay.room, stay.device)
    return not presence.are_silent(stay.db, stay.room, others)


def may_agree(stay: Stay, act: Act) -> bool:
    """Return True if this device can be the second phone."""
    if act.device == stay.device or not stay.may("guest"):
        return False
    is_target = act.subject.get("phone") == mark_of(stay.device)
    if stay.may("member") or not is_target or act.action == "take":
        return True
    return phones.others(stay.db, stay.room, act.device) == [stay.device]


def may_undo(stay: Stay, act: Act) -> bool:
    """Return True if this device may take the act back."""
    return act.device == stay.device or stay.may("member")


# -- what pages show ---


def shown(stay: Stay) -> dict[str, Any]:
    """Return what the part of a page with the acts of the room shows."""
    return {
        "room": stay.room,
        "wishes": [(act, may_agree(stay, act), act.device == stay.device) for act in waiting(stay.db, stay.room)],
        "done": [(act, act.ms_left if may_undo(stay, act) else 0) for act in lately(stay.db, stay.room)],
        "asking": phones.there(stay.db, stay.room, asking=True) if stay.may("guest") else [],
    }


def waiting(db: Database, room: Room) -> list[Act]:
    """Return the wishes that wait for a second phone."""
    return _of(db, room, "done_at IS NULL")


def lately(db: Database, room: Room) -> list[Act]:
    """Return what was done in the last minute, the latest first."""
    return _of(db, room, "done_at > ?", reveal.moment() - SHOWN_MS)


def latest(db: Database, room: Room, action: str) -> Act | None:
    """Return the latest act of that kind."""
    return next(iter(_of(db, room, "done_at IS NOT NULL AND action = ?", action)), None)


def find(db: Database, room: Room, number: int) -> Act | None:
    """Return that act of the room."""
    return next(iter(_of(db, room, "id = ?", number)), None)


def _of(db: Database, room: Room, which: str, *values: Any) -> list[Act]:
    rows = db.query(
        f"""SELECT id, action, subject, device, name, asked_at, done_at, undo FROM acts
        WHERE room_id = ? AND {which} ORDER BY id DESC""",
        [room.id, *values],
    )
    return [
        Act(**{**row, "subject": json.loads(row["subject"]), "undo": json.loads(row["undo"] or "null")})
        for row in list(rows)
    ]


def _write(stay: Stay, action: str, subject: Subject, done_at: int | None = None, undo: Subject | None = None) -> None:
    name = ", ".join(phones.seats_of(stay.db, stay.room, stay.device))
    if not name and stay.membership is not None:
        name = stay.membership.device.name
    stay.db.insert(
        "acts",
        room_id=stay.room.id,
        action=action,
        subject=pack(subject),
        device=stay.device,
        name=name,
        asked_at=reveal.moment(),
        done_at=done_at,
        undo=None if undo is None else pack(undo),
    )
    rooms.announce(stay.db, stay.room)
