"""Show a room's game on a TV, in letters that can be read from three metres. A phone pairs the TV by its QR code."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer.contract import Json
from webapp.database import get_db
from webapp.history import tonight
from webapp.page import render_template
from webapp.qr import qr
from webapp.table import (
    Entries,
    Table,
    find_table_context,
    json_paths,
    kinds,
    next_game,
    phones,
    result_page,
    reveal,
    room_context,
    rooms,
    tv_pairing,
)

RESULT_MS = 300_000  # after the reveal; then tonight's results are shown

WIDTH = 8  # pieces in a row, for towns without squares
Rows = list[list[bool]]

blueprint = Blueprint("tv", __name__)


@blueprint.get("/tv")
def find() -> Response | str:
    """Show the code that pairs this TV, or lead a paired TV back to its room."""
    found = tv_pairing.watched(get_db())
    if found is not None:
        return redirect(url_for("tv.show", key=found.key), 303)
    address = url_for("tv.scanned", code=tv_pairing.pairing_code(), _external=True)
    return render_template("tv/pair.html", address=address, code=qr(address))


@blueprint.get("/tv/<code>")
def scanned(code: str) -> str:
    """Show the rooms of the phone that scanned a TV's code, to choose one for the TV."""
    db = get_db()
    found = [one for one in phones.rooms_here(db) if phones.may(phones.role_in(db, one), "guest")]
    return render_template(
        "tv/scanned.html",
        is_old=rooms.read_minute_code("pair", code) is None,
        rooms=[(one, rooms.title(db, one)) for one in found],
    )


@blueprint.post("/tv/<code>")
def pair(code: str) -> Response:
    """Show the chosen room on the TV."""
    context = room_context(request.form.get("room", ""))
    if tv_pairing.show_on_tv(context.db, context.room, code):
        return redirect(url_for("room.show", key=context.room.key), 303)
    return redirect(url_for("tv.scanned", code=code), 303)


@blueprint.get("/rooms/<key>/tv")
def show(key: str) -> str:
    """Show how far the boards are, then the reveal and the result; between games, what was played tonight."""
    context = room_context(key, "tv")
    db, found = context.db, context.room
    played = tonight.summary(db, found)
    values: dict[str, Any] = {"room": found, "title": rooms.title(db, found), "tonight": played}
    values.update(code=qr(url_for("join.link", token=rooms.tv_code(found), _external=True)))
    at_table = find_table_context(db, next_game.current(db, found))
    values.update(table=at_table.table if at_table else None, is_between=True, shown=False, show=None)
    if at_table is not None and not is_between(at_table.table, bool(played.games)):
        table, entries = at_table.table, at_table.entries
        values.update(is_between=False)
        if table.revealed_at is not None and entries.result["ok"]:
            values.update(shown=True, show=reveal.show(table, entries.relevant.record, entries.result))
            values |= result_page.shown(table.game, entries.relevant, entries.result, entries.loaded, swaps=False)
        else:
            values.update(towns=silhouettes(entries), predictions=reveal.predictions(db, table))
    return render_template("tv/show.html", **values)


def is_between(table: Table, has_played: bool) -> bool:
    """Return whether a TV should show the time between games, instead of this table. That is so if its game is saved
    and no reveal was in the last five minutes. It is also so if nothing is entered yet but other games were played."""
    if table.saved_at is not None:
        return table.revealed_at is None or reveal.moment() - table.revealed_at > RESULT_MS
    return has_played and not table.is_begun


def silhouettes(entries: Entries) -> list[Rows]:
    """Return each player's board as rows of squares, True where a piece is. Which piece it is stays hidden."""
    return [_of_player(entries, seat.number, seat.state or {}) for seat in entries.seats]


def _of_player(entries: Entries, number: int, state: Json) -> Rows:
    for board in kinds.painted(entries.inputs(number)):
        nothing = board.asked.choices[0]
        squares = board.squares(json_paths.get(state, json_paths.steps(board.asked.name)))
        return [[square is not nothing for square in row] for row in squares]
    count = min(sum(map(_pieces, state.values())), 3 * WIDTH)
    return [[True] * min(WIDTH, count - begun) for begun in reversed(range(0, count, WIDTH))]


def _pieces(value: Json) -> int:
    """Return how many pieces, cards or tiles are in an entered value, including the lists in it."""
    return sum(map(_pieces, value)) if isinstance(value, list) else int(bool(value))
