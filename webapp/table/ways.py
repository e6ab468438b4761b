"""The addresses that the buttons of a table's pages lead to."""

from __future__ import annotations

from flask import url_for

from webapp.database import Database
from webapp.numbers import number as number_in
from webapp.table import next_game, phones
from webapp.table.rooms import Room
from webapp.table.tables import Table

PAGES = {
    "boards": "table.boards",
    "facts": "table.facts",
    "result": "result.show",
    "setup": "setup.show",
    "companion": "companion.show",
    "room": "room.show_of",
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
    """Return where this device belongs: the TV's page, its own board, or the room."""
    row = phones.row_of(db, room, phones.device())
    if row is not None and row["role"] == "tv":
        return url_for("tv.show", key=room.key)
    table = next_game.current(db, room)
    mine = [seat.number for seat in table.seats if seat.holder == phones.device()] if table else []
    if table is not None and mine and not table.is_over:
        return url_for("table.show", key=table.key, number=mine[0])
    return url_for("room.show", key=room.key)
