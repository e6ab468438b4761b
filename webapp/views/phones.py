"""The phones at one table: who sits where, the door, handing over, closing, and the news they all listen to."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from webapp.clubs import require
from webapp.database import connect, get_db
from webapp.front import STREAM
from webapp.numbers import number as number_in
from webapp.qr import qr
from webapp.table import Seat, Visit, come_to, events, phones

room = Blueprint("phones", __name__, url_prefix="/tables/<key>")


@room.get("/seats")
def seats(key: str) -> str:
    """Where everybody sits and how far they are; for the host, also the ways in."""
    visit = come_to(key, "watch")
    table = visit.table
    ways: dict[str, Any] = {}
    if visit.hosts and table.code:
        tokens = phones.links(visit.db, table)
        addresses = {role: url_for("join.link", token=tokens[role], _external=True) for role in phones.RIGHTS}
        ways = {
            "addresses": addresses,
            "codes": {role: qr(address) for role, address in addresses.items()},
            "tv": url_for("tv.show", code=table.code, _external=True),
            "door": phones.at_the_door(visit.db, table),
        }
    return render_template(
        "table/phones.html",
        table=table,
        hosts=visit.hosts,
        enters=visit.may("enter"),
        mine=visit.device,
        in_club=visit.membership,
        **ways,
    )


def seat_at(visit: Visit, number: int) -> Seat:
    seat = visit.seat(number)
    if seat is None:
        abort(404)
    return seat


@room.post("/open")
def open_up(key: str) -> Answer:
    visit = come_to(key)
    phones.open_up(visit.db, visit.table)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/close")
def close(key: str) -> Answer:
    visit = come_to(key)
    phones.close(visit.db, visit.table)
    events.feed().dismiss(key)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/seats/<int:number>/claim")
def claim(key: str, number: int) -> Answer:
    visit = come_to(key, "enter")
    if phones.claim(visit.db, visit.table, seat_at(visit, number)):
        return redirect(url_for("table.show", key=key, number=number), 303)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/seats/<int:number>/free")
def free(key: str, number: int) -> Answer:
    """The host frees any seat, everybody their own."""
    visit = come_to(key, "enter")
    seat = seat_at(visit, number)
    if not visit.may_enter(seat):
        abort(403)
    phones.free(visit.db, visit.table, seat)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/leave")
def leave(key: str) -> Answer:
    visit = come_to(key, "watch")
    phones.leave(visit.db, visit.table)
    events.feed().dismiss(key)
    return redirect(url_for("home.show"), 303)


@room.post("/hand/<int:number>")
def hand(key: str, number: int) -> Answer:
    """Make the phone of that seat the host."""
    visit = come_to(key)
    holder = seat_at(visit, number).holder
    if holder is not None:
        phones.hand_to(visit.db, visit.table, holder)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/take")
def take(key: str) -> Answer:
    """A member of the club makes this phone the host, since the host's may be out of reach."""
    visit = come_to(key, "enter")
    require(visit.membership, "member")
    phones.hand_to(visit.db, visit.table, visit.device)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/door/<sign>")
def door(key: str, sign: str) -> Answer:
    visit = come_to(key)
    phones.answer_door(visit.db, visit.table, sign, let_in="let" in request.form)
    return redirect(url_for("phones.seats", key=key), 303)


@room.get("/events")
def news(key: str) -> Response:
    """What happens at the table: as a stream, or once with an ETag for those who ask again and again."""
    visit = come_to(key, "watch")
    if request.method == "HEAD" or "text/event-stream" not in request.headers.get("Accept", ""):
        return once(key)
    database, name, membership = current_app.config["DATABASE"], visit.device, visit.membership

    def read() -> events.News | None:
        db = connect(database)
        try:
            return events.news_of(db, key) if phones.may_still_watch(db, key, name, membership) else None
        finally:
            db.close()

    feed, seen = events.feed(), request.headers.get("Last-Event-ID", "")
    try:
        stream = feed.listen(key, read, number_in(seen))
    except events.Full:
        words = render_template("table/full.txt", most=feed.most)
        return Response(words, 503, {"Retry-After": "60"}, mimetype="text/plain")
    answer = Response(mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
    hand_over = request.environ.get(STREAM)
    if hand_over is None:
        answer.response = stream
    else:  # to our own server, which passes it on without holding a thread
        answer.response = iter(())
        hand_over(stream)
    return answer


def once(key: str) -> Response:
    version, latest = events.news_of(get_db(), key)
    answer = Response(latest, mimetype="application/json")
    answer.set_etag(str(version))
    answer.make_conditional(request)
    return answer
