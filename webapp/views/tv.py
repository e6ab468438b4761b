"""The TV: a room's game in letters to be read from three metres."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from webapp.database import get_db
from webapp.history import tonight
from webapp.page import render_template
from webapp.qr import qr
from webapp.table import come_into, look_at, next_game, phones, result_page, reveal, rooms

room = Blueprint("tv", __name__)


@room.get("/tv")
def find() -> Response | str:
    """Lead the TV back to its room, also after its plug was pulled, or let it ask for one."""
    found = phones.rooms_here(get_db())
    if found:
        return redirect(url_for("tv.show", key=found[0].key), 303)
    return render_template("join/code.html", code="", tv=True)


@room.get("/tables/<code>/tv")
def moved(code: str) -> Response:  # noqa: ARG001, its address in earlier versions
    """Lead to where TVs find their room now."""
    return redirect(url_for("tv.find"), 301)


@room.get("/rooms/<key>/tv")
def show(key: str) -> str:
    """Show who is how far and how to join, then the reveal, then the result."""
    stay = come_into(key, "tv")
    db, found = stay.db, stay.room
    common: dict[str, Any] = {"room": found, "title": rooms.title(db, found), "here": phones.there(db, found)}
    common.update(join=url_for("join.ask", _external=True))
    common.update(code=qr(url_for("join.link", token=rooms.tv_code(found), _external=True)))
    visit = look_at(db, next_game.current(db, found))
    if visit is None or (visit.table.saved_at and visit.table.revealed_at is None):
        return render_template("tv/between.html", tonight=tonight.told(db, found), **common)
    table, entries = visit.table, visit.entries
    common["table"] = table
    if table.hides_results or table.revealed_at is None or not entries.result["ok"]:
        return render_template("tv/show.html", shown=False, show=None, **common)
    values = result_page.shown(table.game, entries.relevant, entries.result, entries.loaded, swaps=False)
    return render_template(
        "tv/show.html",
        shown=True,
        show=reveal.show(table, entries.relevant.record, entries.result),
        **common,
        **values,
    )
