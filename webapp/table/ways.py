"""The addresses that the buttons of a table's pages lead to."""

from __future__ import annotations

from flask import url_for

from webapp.database import Database
from webapp.numbers import number as number_in
from webapp.table import evening, phones
from webapp.table.rooms import Room
from webapp.table.tables import Table

PAGES = {
    "boards": "table.boards",
    "facts": "table.facts",
    "result": "result.show",
    "setup": "setup.show",
    "companion": "companion.show",
    "phones": "phones.seats",
}


def onward(table: Table, go: str, number: int = 0, opened: str = "") -> str:
    """A seat, the table's facts, the result and so on; by any other button back to that seat."""
    seat = number_in(go)
    if seat is not None and seat < len(table.seats):
        return url_for("table.show", key=table.key, number=seat)
    if go in PAGES:
        return url_for(PAGES[go], key=table.key)
    if opened:
        return url_for("table.show", key=table.key, number=number, open=opened, _anchor="opened")
    return url_for("table.show", key=table.key, number=number)


def inward(db: Database, room: Room) -> str:
    """To where this phone belongs: its own board, the seats of its table, or the evening between two games."""
    row = phones.phone(db, room, phones.device())
    if row is not None and row["role"] == "watch":
        return url_for("tv.show", code=room.code)
    table = evening.shown(db, room, phones.device())
    if table is None or table.saved_at:
        return url_for("evening.show", key=room.key)
    mine = [seat.number for seat in table.seats if seat.holder == phones.device()]
    if mine:
        return url_for("table.show", key=table.key, number=mine[0])
    return url_for("phones.seats", key=table.key)
