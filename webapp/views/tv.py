"""The television: a table's evening in letters to be read from three metres."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from scorer.report import verdict
from webapp.database import get_db
from webapp.history import tonight
from webapp.page import render_template
from webapp.qr import qr
from webapp.table import evening, look_at, look_into, phones, result_page, reveal, rooms

room = Blueprint("tv", __name__)


@room.get("/tv")
def find() -> Response | str:
    """The screen's own address: back to where it was let in, without a code, also after its plug was pulled."""
    found = phones.rooms_of(get_db())
    if found:
        return redirect(url_for("tv.show", code=found[0].code), 303)
    return render_template("table/join.html", code="", tv=True)


@room.get("/tables/<code>/tv")
def show(code: str) -> str:
    """Who is how far and how to join, then the reveal, then the result. A screen that was not let in knocks."""
    db = get_db()
    stay = look_into(db, rooms.by_code(db, phones.read_code(code)))
    if stay is None:
        return render_template("table/join.html", code=code, tv=True)
    visit = look_at(db, evening.shown(db, stay.room, stay.device))
    join = url_for("join.ask", code=stay.room.code, _external=True)
    common: dict[str, Any] = {"room": stay.room, "here": evening.people(db, stay.room)}
    common.update(join=url_for("join.ask", _external=True), code=qr(join))
    if visit is None or visit.table.saved_at:
        return render_template("tv/evening.html", tonight=tonight.told(db, stay.room), **common)
    table, entries = visit.table, visit.entries
    common["table"] = table
    if table.hides_results or table.revealed_at is None or not entries.result["ok"]:
        return render_template("tv/show.html", shown=False, show=None, **common)
    values = result_page.shown(table.game, entries.relevant, entries.result, entries.loaded, swaps=False)
    return render_template(
        "tv/show.html",
        shown=True,
        show=reveal.show(table, entries.relevant.record, entries.result),
        verdict=verdict(entries.result, values["gaps"]),
        **common,
        **values,
    )
