"""The television: a table's evening in letters to be read from three metres."""

from __future__ import annotations

from flask import Blueprint, render_template, url_for

from scorer.report import verdict
from webapp.database import get_db
from webapp.qr import qr
from webapp.table import look_at, phones, result_page, reveal, tables

room = Blueprint("tv", __name__)


@room.get("/tables/<code>/tv")
def show(code: str) -> str:
    """Who is how far and how to join, then the reveal, then the result. A screen that was not let in knocks."""
    db = get_db()
    visit = look_at(db, tables.by_code(db, phones.read_code(code)))
    if visit is None:
        return render_template("table/join.html", code=code, tv=True)
    table, entries = visit.table, visit.entries
    join = url_for("join.ask", code=table.code, _external=True)
    common = {"table": table, "join": url_for("join.ask", _external=True), "code": qr(join)}
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
