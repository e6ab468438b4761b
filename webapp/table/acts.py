"""Carry out acts in a room that concern others, and ask a second phone to agree if needed.

A member's phone acts at once. A guest's act waits until a second phone, normally not its target, agrees. Nobody waits
for silent phones. Every act names its game. So if two acts come at once, the second changes nothing unexpected.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from scorer import games
from webapp.database import Database, pack
from webapp.table import next_game, phones, presence, reveal, rooms, tables
from webapp.table.context import RoomContext
from webapp.table.entries import Entries
from webapp.table.phones import mark_of
from webapp.table.rooms import Room
from webapp.table.tables import Table

DONE, ASKED, ALREADY, OTHER, REFUSED = "done", "asked", "already", "other", "refused"
Subject = dict[str, Any]
Row = dict[str, Any]
Change = tuple[str, Row, Row, Row]  # a table of the database, the key of a row, and its columns before and after

UNDO_MS = 10_000
SHOWN_MS = 60_000


@dataclass(frozen=True, slots=True)
class Act:
    """Describe an act in a room, such as revealing the result, that somebody did or asked to do."""

    id: int
    action: str  # take, reveal, change, accept or remove
    subject: Subject  # table: the key of its game; seat, phone, game, who: what it is about
    device: str
    name: str  # the player or device, or ""
    asked_at: int  # ms since 1970
    done_at: int | None
    undo: list[Change] | None  # the changed rows, or None if there is nothing to undo

    @property
    def ms_left(self) -> int:
        """Return how many of the ten seconds for undoing are left, in ms; 0 if the act can't be undone."""
        if self.done_at is None or self.undo is None:
            return 0
        return max(0, self.done_at + UNDO_MS - reveal.moment())


def wish(context: RoomContext, action: str, subject: Subject) -> str:
    """Do an act, such as "take", or ask a second phone to agree if one must. `subject` says what the act is about, such
    as its table and a seat. Return "done", "asked" or a code of `obstacle`."""
    if outcome := obstacle(context, action, subject, context.device):
        return outcome
    same = (act for act in waiting(context.db, context.room) if (act.action, act.subject) == (action, subject))
    act = next(same, None) or _note(context, action, subject)
    if needs_second(context, action, subject) and not may_agree(context, act):
        return ASKED
    return _do(context, act)


def agree(context: RoomContext, number: int) -> str:
    """Do the act requested as `number`, if this device may agree. Return "done", "already", "other" or "refused"."""
    act = find(context.db, context.room, number)
    if act is None or act.done_at is not None:
        return ALREADY
    return _do(context, act) if may_agree(context, act) else REFUSED


def _do(context: RoomContext, act: Act) -> str:
    outcome = obstacle(context, act.action, act.subject, act.device)
    undo = None if outcome else carry_out(context, act)
    if undo is None and (outcome or act.action != "change"):
        context.db.execute("DELETE FROM acts WHERE id = ?", [act.id])  # there is nothing to show or to undo
    else:
        values = [reveal.moment(), None if undo is None else pack(undo), act.id]
        context.db.execute("UPDATE acts SET done_at = ?, undo = ? WHERE id = ?", values)
    rooms.announce(context.db, context.room)
    return outcome or DONE


def decline(context: RoomContext, number: int) -> None:
    """Delete the request with this number, if this device made it or may agree to it."""
    act = find(context.db, context.room, number)
    if act is not None and act.done_at is None and (act.device == context.device or may_agree(context, act)):
        _drop(context, act)


def undo(context: RoomContext, number: int) -> bool:
    """Undo an act within ten seconds, on the device that did it or a member's phone. Return whether it was undone."""
    act = find(context.db, context.room, number)
    if act is None or not act.ms_left or not may_undo(context, act):
        return False
    put_back(context.db, context.room, act)
    _drop(context, act)
    return True


def _drop(context: RoomContext, act: Act) -> None:
    context.db.execute("DELETE FROM acts WHERE id = ?", [act.id])
    rooms.announce(context.db, context.room)


# -- what stands in the way ---


def concerns_others(context: RoomContext, action: str, subject: Subject) -> bool:
    """Return True if an act, such as "take" with the `subject` {"table": key, "seat": 2}, affects somebody else."""
    if action not in {"reveal", "change", "take"}:
        return True
    table = next_game.current(context.db, context.room)
    if table is None or action == "change":
        return table is not None and table.is_begun and not table.is_over
    if action == "take":
        return table.seats[subject["seat"]].holder is not None
    return any(seat.holder not in (None, context.device) and not seat.done for seat in table.seats)


def obstacle(context: RoomContext, action: str, subject: Subject, wisher: str) -> str:
    """Return "" if device `wisher` may do the act, else "already" (done), "other" (changed since) or "refused"."""
    if action in {"accept", "remove"}:
        return _obstacle_of_phone(context.db, context.room, action, subject, wisher)
    table = next_game.current(context.db, context.room)
    if action == "change":
        if table is None or table.key == subject["table"]:
            return ""
        return ALREADY if table.game.id == subject["game"] else OTHER
    if table is None or table.key != subject["table"]:
        return OTHER
    if table.is_over:
        return ALREADY if action == "reveal" else OTHER
    if action == "take":
        if subject["seat"] >= len(table.seats):
            return OTHER
        holder = table.seats[subject["seat"]].holder
        if holder == wisher:
            return ALREADY
        return "" if holder is None or mark_of(holder) == subject["phone"] else OTHER
    entries = Entries(table)
    return "" if entries.result["ok"] and not entries.waiting_for else REFUSED


def _obstacle_of_phone(db: Database, room: Room, action: str, subject: Subject, wisher: str) -> str:
    row = phones.by_mark(db, room, subject["phone"])
    if row is None:
        return OTHER
    if action == "accept":
        return {"asking": "", "out": OTHER}.get(row["role"], ALREADY)
    name = row["device"]
    if name == wisher or (phones.is_member(db, room, name) and not phones.is_member(db, room, wisher)):
        return REFUSED
    return ALREADY if row["role"] == "out" else ""


# -- doing and undoing ---


def carry_out(context: RoomContext, act: Act) -> list[Change] | None:
    """Do the act. Return the rows that it changed, before and after, or None if there is nothing to undo."""
    db, room, table = context.db, context.room, next_game.current(context.db, context.room)
    action, subject = act.action, act.subject
    concerns, before = concerns_others(context, action, subject), _rows(db, room, table)
    if action in {"accept", "remove"}:
        row = phones.by_mark(db, room, subject["phone"])
        assert row is not None, "the obstacles are checked"
        if action == "accept":
            db.execute("UPDATE phones SET role = 'play' WHERE room_id = ? AND device = ?", [room.id, row["device"]])
        else:
            phones.remove(db, room, row["device"])
    elif action == "change":
        game = games.find(subject["game"])
        assert game is not None, "the view has looked"
        next_game.create(db, room, table, game, knows_club=context.membership is not None)
    else:
        assert table is not None, "the obstacles are checked"
        if action == "reveal":
            reveal.begin(db, table)
        else:
            values = [act.device, table.id, subject["seat"]]
            db.execute("UPDATE seats SET holder = ? WHERE table_id = ? AND seat = ?", values)
            tables.touch(db, table)
    after = _rows(db, room, table)
    changed = [(name, key, row, after.get((name, key), {})) for (name, key), row in before.items()]
    return [(name, json.loads(key), old, new) for name, key, old, new in changed if old != new] if concerns else None


def _rows(db: Database, room: Room, table: Table | None) -> dict[tuple[str, str], Row]:
    """Return the rows of the room and its table (or None) that acts may change, by (SQL table, JSON key)."""
    at = table.id if table is not None else None
    found = {}
    for name, number, key, columns in (
        ("phones", room.id, ("room_id", "device"), ("role", "removed")),
        ("rooms", room.id, ("id",), ("guarded",)),
        ("tables", at, ("id",), ("room_id", "revealed_at", "saved_at")),
        ("seats", at, ("table_id", "seat"), ("holder",)),
    ):
        for row in db.query(f"SELECT {', '.join((*key, *columns))} FROM {name} WHERE {key[0]} = ?", [number]):
            found[name, pack({column: row.pop(column) for column in key})] = row
    return found


def put_back(db: Database, room: Room, act: Act) -> None:
    """Undo an act: restore the rows that have not changed since, unless it started a game that now has entries."""
    if act.action == "change":
        laid = next_game.current(db, room)
        if laid is None or laid.is_begun:
            return
        tables.clear(db, laid)
    for name, key, before, after in act.undo or ():
        if name == "phones":
            phones.stand_up(db, room, key["device"])
        values = ", ".join(f"{column} = ?" for column in before)
        same = " AND ".join(f"{column} IS NOT DISTINCT FROM ?" for column in (*key, *after))
        db.execute(f"UPDATE {name} SET {values} WHERE {same}", [*before.values(), *key.values(), *after.values()])


# -- rights ---


def needs_second(context: RoomContext, action: str, subject: Subject) -> bool:
    """Return True if a second phone must agree: to a guest's act that affects others, unless all others are silent."""
    if context.may("member") or not concerns_others(context, action, subject):
        return False
    return not presence.are_silent(context.db, context.room, phones.others(context.db, context.room, context.device))


def may_agree(context: RoomContext, act: Act) -> bool:
    """Return True if this device may agree to an act that another one asked for. A guest who is its target may do so
    only for "take", or if there is no third phone."""
    if act.device == context.device or not context.may("guest"):
        return False
    is_target = act.subject.get("phone") == mark_of(context.device)
    if context.may("member") or not is_target or act.action == "take":
        return True
    return phones.others(context.db, context.room, act.device) == [context.device]


def may_undo(context: RoomContext, act: Act) -> bool:
    """Return True if this device did the act or belongs to a member. The time for undoing is not checked."""
    return act.device == context.device or context.may("member")


# -- for pages ---


def shown(context: RoomContext) -> dict[str, Any]:
    """Return the template values "room", "wishes" (open requests), "done" (recent acts) and "asking" (phones)."""
    db, room = context.db, context.room
    return {
        "room": room,
        "wishes": [(act, may_agree(context, act), act.device == context.device) for act in waiting(db, room)],
        "done": [(act, act.ms_left if may_undo(context, act) else 0) for act in lately(db, room)],
        "asking": phones.there(db, room, asking=True) if context.may("guest") else [],
    }


def waiting(db: Database, room: Room) -> list[Act]:
    """Return the requests in the room to which no second phone has agreed yet, latest first."""
    return _of(db, room, "done_at IS NULL")


def lately(db: Database, room: Room) -> list[Act]:
    """Return the acts that were done in the room in the last minute, latest first."""
    return _of(db, room, "done_at > ?", reveal.moment() - SHOWN_MS)


def latest(db: Database, room: Room, action: str) -> Act | None:
    """Return the latest act of the kind `action`, such as "reveal", that was done in the room, or None."""
    return next(iter(_of(db, room, "done_at IS NOT NULL AND action = ?", action)), None)


def find(db: Database, room: Room, number: int) -> Act | None:
    """Return the room's act or request with this number, or None."""
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


def _note(context: RoomContext, action: str, subject: Subject) -> Act:
    """Store and return this device's request to do the `action`, such as "remove", to the `subject`."""
    name = ", ".join(phones.seats_of(context.db, context.room, context.device))
    if not name and context.membership is not None:
        name = context.membership.device.name
    row: dict[str, Any] = {"action": action, "device": context.device, "name": name, "asked_at": reveal.moment()}
    number = context.db.insert("acts", room_id=context.room.id, subject=pack(subject), **row)
    rooms.announce(context.db, context.room)
    return Act(id=number, subject=subject, done_at=None, undo=None, **row)
