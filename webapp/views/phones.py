"""The phones at one table: who sits where, handing over, and the news they all listen to."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.table import Seat, Visit, come_to, evening, inviting, lots, phones, streams

room = Blueprint("phones", __name__, url_prefix="/tables/<key>")


@room.get("/seats")
def seats(key: str) -> str | Answer:
    """Where everybody sits and how far they are; for the host, also the ways in."""
    visit = come_to(key, "watch")
    table = visit.table
    if table.saved_at and table.room is not None:
        return redirect(url_for("evening.show", key=table.room.key), 303)
    return render_template(
        "table/phones.html",
        table=table,
        room=table.room,
        others=[one for one in evening.tables_of(visit.db, table.room) if one.id != table.id] if table.room else [],
        hosts=visit.hosts,
        enters=visit.may("enter"),
        mine=visit.device,
        in_club=visit.membership,
        ways=inviting.ways(visit.db, table.room) if visit.hosts and table.room else None,
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


@room.post("/come")
def come(key: str) -> Answer:
    """From another table of the room to this one."""
    visit = come_to(key, "watch")
    phones.come_by(visit.db, visit.table)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/hand/<int:number>")
def hand(key: str, number: int) -> Answer:
    """Make the phone of that seat the host."""
    visit = come_to(key)
    holder = seat_at(visit, number).holder
    if holder is not None and visit.table.room is not None:
        phones.hand_to(visit.db, visit.table.room, holder)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/lot")
def draw(key: str) -> Answer:
    """Who begins, or two teams."""
    visit = come_to(key)
    lots.draw(visit.db, visit.table, teams="teams" in request.form)
    return redirect(url_for("phones.seats", key=key), 303)


@room.post("/timer")
def time(key: str) -> Answer:
    """A time that every screen shows, or no more."""
    visit, minutes = come_to(key), number_in(request.form.get("minutes"))
    if minutes in lots.MINUTES:
        lots.begin(visit.db, visit.table, minutes)
    else:
        lots.stop(visit.db, visit.table)
    return redirect(url_for("phones.seats", key=key), 303)


@room.get("/events")
def news(key: str) -> Response:
    """What happens at the table."""
    visit = come_to(key, "watch")
    table = visit.table
    return streams.answer(key, table.room.id if table.room else None, table.club_id, visit.membership)
