"""The addresses that the buttons of a table's pages lead to."""

from __future__ import annotations

from flask import url_for

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
    if go.isdecimal() and int(go) < len(table.seats):
        return url_for("table.show", key=table.key, number=int(go))
    if go in ROOMS:
        return url_for(ROOMS[go], key=table.key)
    if opened:
        return url_for("table.show", key=table.key, number=number, open=opened, _anchor="opened")
    return url_for("table.show", key=table.key, number=number)
