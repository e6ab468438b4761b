"""The television: a table's evening in letters to be read from three metres."""

from __future__ import annotations

from flask import Blueprint, render_template, url_for

from scorer.core import score_as
from webapp.database import get_db
from webapp.table import entry, pad, phones, reveal, tables
from webapp.views.club import qr

room = Blueprint("tv", __name__)


@room.get("/tables/<code>/tv")
def show(code: str) -> str:
    """Who is how far and how to join, then the reveal. A screen that nobody has let in is asked to knock."""
    db = get_db()
    table = tables.by_code(db, phones.read_code(code))
    if table is None or phones.right_at(db, table) is None:
        return render_template("table/join.html", code=code, tv=True)
    result = score_as(table.game, entry.record_of(table))
    shown = not table.hides_results and table.revealed_at is not None and result["ok"]
    return render_template(
        "tv/show.html",
        table=table,
        shown=shown,
        result=result if shown else None,
        decider=pad.decider(table.game, result) if shown else "",
        show=reveal.show(table, result),
        join=url_for("join.ask", _external=True),
        code=qr(url_for("join.ask", code=table.code, _external=True)),
    )
