"""The television: a table's evening in letters to be read from three metres."""

from __future__ import annotations

from flask import Blueprint, render_template, url_for

from scorer.result import gaps, unplaced
from webapp.database import get_db
from webapp.qr import qr
from webapp.table import look_at, pad, phones, reveal, tables

room = Blueprint("tv", __name__)


@room.get("/tables/<code>/tv")
def show(code: str) -> str:
    """Who is how far and how to join, then the reveal. A screen that nobody has let in is asked to knock."""
    db = get_db()
    visit = look_at(db, tables.by_code(db, phones.read_code(code)))
    if visit is None:
        return render_template("table/join.html", code=code, tv=True)
    table, result = visit.table, visit.entries.result
    record = visit.entries.relevant.record
    shown = not table.hides_results and table.revealed_at is not None and result["ok"]
    return render_template(
        "tv/show.html",
        table=table,
        shown=shown,
        result=result if shown else None,
        decider=pad.decider(table.game, result) if shown else "",
        gaps=gaps(record, result) if shown else (),
        unplaced=unplaced(record, result) if shown else (),
        show=reveal.show(table, result),
        join=url_for("join.ask", _external=True),
        code=qr(url_for("join.ask", code=table.code, _external=True)),
    )
