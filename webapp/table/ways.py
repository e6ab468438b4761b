"""The addresses that the buttons of a table's pages lead to."""

from __future__ import annotations

from flask import url_for

from webapp.numbers import number as number_in
from webapp.table.tables import Table

ROOMS = {
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
    if go in ROOMS:
        return url_for(ROOMS[go], key=table.key)
    if opened:
        return url_for("table.show", key=table.key, number=number, open=opened, _anchor="opened")
    return url_for("table.show", key=table.key, number=number)
