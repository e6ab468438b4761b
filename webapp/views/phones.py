"""The phones at one table: who sits where, the door, handing over, closing, and the news they all listen to."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from webapp.clubs import access
from webapp.database import connect, get_db
from webapp.table import events, phones
from webapp.table.tables import Seat, Table
from webapp.views.club import qr
from webapp.views.setup import table_of

room = Blueprint("phones", __name__, url_prefix="/tables/<key>")


@room.get("/seats")
def seats(key: str) -> str:
    """Where everybody sits and how far they are; for the host, also the ways in."""
    table, db = table_of(key, "watch"), get_db()
    right = phones.right_at(db, table)
    ways: dict[str, Any] = {}
    if right == "host" and table.code:
        tokens = phones.links(db, table)
        addresses = {role: url_for("join.link", token=tokens[role], _external=True) for role in phones.RIGHTS}
        ways = {
            "addresses": addresses,
            "codes": {role: qr(address) for role, address in addresses.items()},
            "tv": url_for("tv.show", code=table.code, _external=True),
            "door": phones.at_the_door(db, table),
        }
    return render_template(
        "table/phones.html",
        table=table,
        hosts=right == "host",
        enters=phones.may(right, "enter"),
        mine=phones.device(),
        in_club=access.in_club(table.club_id),
        **ways,
    )


def seat_at(table: Table, number: int) -> Seat:
    if number >= len(table.seats):
        abort(404)
    return table.seats[number]


@room.post("/open")
def open_up(key: str) -> Answer:
    phones.open_up(get_db(), table_of(key))
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/close")
def close(key: str) -> Answer:
    phones.close(get_db(), table_of(key))
    events.feed.dismiss(key)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/seats/<int:number>/claim")
def claim(key: str, number: int) -> Answer:
    table = table_of(key, "enter")
    if phones.claim(get_db(), table, seat_at(table, number)):
        return redirect(url_for("table.show", key=key, number=number), 303)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/seats/<int:number>/free")
def free(key: str, number: int) -> Answer:
    """The host frees any seat, everybody their own."""
    table, db = table_of(key, "enter"), get_db()
    seat = seat_at(table, number)
    if not phones.may_enter(phones.right_at(db, table), seat):
        abort(403)
    phones.free(db, table, seat)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/leave")
def leave(key: str) -> Answer:
    phones.leave(get_db(), table_of(key, "watch"))
    events.feed.dismiss(key)
    return redirect(url_for("home.show"), 303)


@room.post("/hand/<int:number>")
def hand(key: str, number: int) -> Answer:
    """Make the phone of that seat the host."""
    table = table_of(key)
    holder = seat_at(table, number).holder
    if holder is not None:
        phones.hand_to(get_db(), table, holder)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/take")
def take(key: str) -> Answer:
    """A member of the club makes this phone the host, since the host's may be out of reach."""
    table = table_of(key, "enter")
    access.require(access.in_club(table.club_id), "member")
    phones.hand_to(get_db(), table, phones.device())
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/door/<sign>")
def door(key: str, sign: str) -> Answer:
    phones.answer_door(get_db(), table_of(key), sign, let_in="let" in request.form)
    return redirect(url_for("phones.seats", key=key), 303)


@room.get("/events")
def news(key: str) -> Response:
    """What happens at the table: as a stream, or once with an ETag for those who ask again and again."""
    table = table_of(key, "watch")
    if "text/event-stream" not in request.headers.get("Accept", ""):
        return once(key)
    database = current_app.config["DATABASE"]

    def read() -> events.News:
        db = connect(database)
        try:
            return events.news_of(db, key)
        finally:
            db.close()

    seen = request.headers.get("Last-Event-ID", "")
    try:
        stream = events.feed.listen(table.key, read, int(seen) if seen.isdecimal() else None)
    except events.Full:
        words = render_template("table/full.txt", most=events.feed.most)
        return Response(words, 503, {"Retry-After": "60"}, mimetype="text/plain")
    return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


def once(key: str) -> Response:
    version, told = events.news_of(get_db(), key)
    answer = Response(told, mimetype="application/json")
    answer.set_etag(str(version))
    answer.make_conditional(request)
    return answer
