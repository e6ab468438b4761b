"""Tell what acts in a room do: whether one can still be done, what it changes, and how it is undone."""

from __future__ import annotations

from typing import Any

from scorer import games
from webapp.database import Database
from webapp.table import next_game, phones, reveal, tables
from webapp.table.entries import Entries
from webapp.table.phones import mark_of
from webapp.table.rooms import Room
from webapp.table.tables import Table
from webapp.table.visit import Stay

DONE, ASKED, ALREADY, OTHER, REFUSED = "done", "asked", "already", "other", "refused"
Subject = dict[str, Any]


def concerns_others(stay: Stay, action: str, subject: Subject) -> bool:
    """Return True if that touches somebody else in the room."""
    if action not in {"reveal", "change", "take"}:
        return True
    table = next_game.current(stay.db, stay.room)
    if table is None:
        return False
    if action == "take":
        return table.seats[subject["seat"]].holder is not None
    if action == "change":
        return table.is_begun and not table.is_over
    return any(seat.holder not in (None, stay.device) and not seat.done for seat in table.seats)


def obstacle(stay: Stay, action: str, subject: Subject, wisher: str) -> str:
    """Return why it cannot be done any more: "already" done, "other" things changed, or "refused"; or ""."""
    db, room = stay.db, stay.room
    if action in {"accept", "remove"}:
        return _obstacle_of_phone(db, room, action, subject, wisher)
    table = next_game.current(db, room)
    if action == "change":
        if table is None or table.key == subject["table"]:
            return ""
        return ALREADY if table.game.id == subject["game"] else OTHER
    if table is None or table.key != subject["table"]:
        return OTHER
    if table.is_over:
        return ALREADY if action == "reveal" else OTHER
    return _obstacle_to_take(table, subject, wisher) if action == "take" else _obstacle_to_reveal(table)


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


def _obstacle_to_take(table: Table, subject: Subject, wisher: str) -> str:
    seat = table.seats[subject["seat"]] if subject["seat"] < len(table.seats) else None
    if seat is None:
        return OTHER
    if seat.holder == wisher:
        return ALREADY
    return "" if seat.holder is None or mark_of(seat.holder) == subject["phone"] else OTHER


def _obstacle_to_reveal(table: Table) -> str:
    entries = Entries(table)
    return "" if entries.result["ok"] and not entries.waiting_for else REFUSED


# -- doing and undoing ---


def carry_out(stay: Stay, action: str, subject: Subject, wisher: str) -> Subject | None:
    """Do it; return what undoing it needs, None if there is nothing to undo."""
    concerns, db, room = concerns_others(stay, action, subject), stay.db, stay.room
    table = next_game.current(db, room)
    if action == "change":
        game = games.find(subject["game"])
        assert game is not None, "the view has looked"
        laid = next_game.lay(db, room, table, game, knows_club=stay.membership is not None)
        return {"laid": laid.key, "before": table.key if table else ""} if concerns else None
    if action == "reveal":
        assert table is not None
        reveal.lift(db, table)
        return {"table": table.key} if concerns else None
    if action == "take":
        assert table is not None
        seat = table.seats[subject["seat"]]
        values = [wisher, table.id, seat.number]
        db.execute("UPDATE seats SET holder = ? WHERE table_id = ? AND seat = ?", values)
        tables.touch(db, table)
        return {"table": table.key, "seat": seat.number, "holder": seat.holder, "by": wisher} if concerns else None
    row = phones.by_mark(db, room, subject["phone"])
    assert row is not None
    name = row["device"]
    if action == "accept":
        sql = "UPDATE phones SET role = 'play' WHERE room_id = ? AND device = ?"
        db.execute(sql, [room.id, name])
        return {"phone": name}
    seats = [seat.number for seat in table.seats if seat.holder == name] if table else []
    phones.remove(db, room, name)
    return {"phone": name, "role": row["role"], "seats": seats, "guarded": room.guarded}


def _put_back_take(db: Database, room: Room, undo: Subject) -> None:
    table = next_game.of_room(db, room, undo["table"])
    if table is not None:
        sql = "UPDATE seats SET holder = ? WHERE table_id = ? AND seat = ? AND holder = ?"
        db.execute(sql, [undo["holder"], table.id, undo["seat"], undo["by"]])


def _put_back_reveal(db: Database, room: Room, undo: Subject) -> None:
    table = next_game.of_room(db, room, undo["table"])
    if table is not None and table.saved_at is None:
        db.execute("UPDATE tables SET revealed_at = NULL WHERE id = ?", [table.id])


def _put_back_change(db: Database, room: Room, undo: Subject) -> None:
    laid, before = (tables.find(db, undo[which]) for which in ("laid", "before"))
    if laid is None or laid.is_begun or before is None or before.room is not None:
        return
    holders = {seat.name: seat.holder for seat in laid.seats}
    tables.clear(db, laid)
    db.execute("UPDATE tables SET room_id = ? WHERE id = ?", [room.id, before.id])
    for seat in before.seats:
        values = [holders.get(seat.name), before.id, seat.number]
        db.execute("UPDATE seats SET holder = ? WHERE table_id = ? AND seat = ?", values)


def _put_back_accept(db: Database, room: Room, undo: Subject) -> None:
    phones.stand_up(db, room, undo["phone"])
    db.execute("UPDATE phones SET role = 'asking' WHERE room_id = ? AND device = ?", [room.id, undo["phone"]])


def _put_back_remove(db: Database, room: Room, undo: Subject) -> None:
    name = undo["phone"]
    sql = "UPDATE phones SET role = ?, removed = 0 WHERE room_id = ? AND device = ?"
    db.execute(sql, [undo["role"], room.id, name])
    db.execute("UPDATE rooms SET guarded = ? WHERE id = ?", [undo["guarded"], room.id])
    current = "SELECT max(id) FROM tables WHERE room_id = ?"
    sql = f"UPDATE seats SET holder = ? WHERE table_id = ({current}) AND seat = ? AND holder IS NULL"
    for number in undo["seats"]:
        db.execute(sql, [name, room.id, number])


UNDOING = {
    "take": _put_back_take,
    "reveal": _put_back_reveal,
    "change": _put_back_change,
    "accept": _put_back_accept,
    "remove": _put_back_remove,
}
