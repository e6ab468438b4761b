"""A room between its games: tonight's results, who is here, what is played next, and the ways in."""

from __future__ import annotations

from flask import Blueprint, Response, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from scorer import games
from scorer.contract import Game
from scorer.names import tidied
from scorer.reading import name_fault
from webapp.database import get_db
from webapp.history import tonight
from webapp.page import render_template
from webapp.qr import qr
from webapp.table import (
    Stay,
    Table,
    come_into,
    evening,
    events,
    guests,
    inviting,
    inward,
    phones,
    presence,
    rooms,
    streams,
)

room = Blueprint("evening", __name__, url_prefix="/rooms/<key>")


@room.get("")
def show(key: str) -> str:
    stay = come_into(key, "watch")
    db, place = stay.db, evening.place(stay.db, stay.room, stay.device)
    being_entered = evening.tables_of(db, stay.room)
    row = phones.phone(db, stay.room, stay.device)
    return render_template(
        "evening/show.html",
        room=stay.room,
        hosts=stay.hosts,
        enters=stay.may("enter"),
        in_club=stay.membership,
        tables=being_entered,
        place=place,
        my_name=row["name"] if row else "",
        seated=phones.seats_of(db, stay.room, stay.device),
        mine=stay.device,
        here=evening.people(db, stay.room),
        tonight=tonight.told(db, stay.room),
        names={game.id: game.name for game in games.everything()},
        games=offered(place),
        may_take=may_take(stay),
        ways=inviting.ways(db, stay.room) if stay.hosts else None,
    )


def offered(place: Table | None) -> list[Game]:
    """What can be played next, the same again first."""
    last = place.game.id if place else ""
    return sorted(games.everything(), key=lambda game: game.id != last)


@room.get("/here")
def here(key: str) -> Answer:
    """Back to where this phone was, or along to where its table has gone on."""
    stay = come_into(key, "watch")
    return redirect(inward(stay.db, stay.room), 303)


@room.get("/events")
def news(key: str) -> Response:
    """What happens in the room."""
    stay = come_into(key, "watch")
    return streams.answer(key, stay.room.id, stay.room.club_id, stay.membership)


def back(stay: Stay) -> Answer:
    """To the page on which the button was."""
    table = evening.of_room(stay.db, stay.room, request.form.get("table", ""))
    if table is not None:
        return redirect(url_for("phones.seats", key=table.key), 303)
    return redirect(url_for("evening.show", key=stay.room.key), 303)


# -- from game to game ---


@room.post("/next")
def go_on(key: str) -> Answer:
    """Everybody goes along to the next table. Pressed twice, or on two phones, it goes on once."""
    return laid(key, goes_along=True)


@room.post("/beside")
def lay_beside(key: str) -> Answer:
    """One more table in the room, for those who come to it."""
    return laid(key, goes_along=False)


def laid(key: str, goes_along: bool) -> Answer:
    db = get_db()
    with db.atomic(db.club_of("rooms", key=key)):
        stay = come_into(key)
        game = games.find(request.form.get("game", ""))
        if game is None:
            abort(404)
        before = evening.of_room(db, stay.room, request.form.get("after", "")) if goes_along else None
        if before is not None and before.next_id is not None:
            return redirect(url_for("evening.here", key=key), 303)
        table = evening.lay(db, stay.room, before, game, knows_club=stay.membership is not None)
        if not goes_along:
            phones.come_by(db, table)
    return redirect(url_for("setup.show", key=table.key), 303)


# -- who is here ---


@room.post("/me")
def call_me(key: str) -> Answer:
    """As whom this phone would play in the next game."""
    stay = come_into(key, "enter")
    name = tidied(request.form.get("name", ""))
    if name and name_fault(name):
        flash("unwritable")
    else:
        evening.call_me(stay.db, stay.room, name)
    return redirect(url_for("evening.show", key=key), 303)


@room.post("/away/<mark>")
def send_away(key: str, mark: str) -> Answer:
    """Take a phone from the room; what it entered stays."""
    stay = come_into(key)
    if mark != guests.mark_of(stay.device):
        guests.send_away(stay.db, stay.room, mark)
        events.feed().dismiss_all([key, *evening.keys_of(stay.db, stay.room)])
    return redirect(url_for("evening.show", key=key), 303)


# -- the room itself ---


@room.post("/name")
def rename(key: str) -> Answer:
    stay = come_into(key)
    name = tidied(request.form.get("name", ""))
    if name and name_fault(name):
        flash("unwritable")
    else:
        rooms.call(stay.db, stay.room, name)
    return redirect(url_for("evening.show", key=key), 303)


@room.post("/door/<sign>")
def door(key: str, sign: str) -> Answer:
    stay = come_into(key)
    phones.answer_door(stay.db, stay.room, sign, let_in="let" in request.form)
    return back(stay)


@room.post("/end")
def end(key: str) -> Answer:
    """Good night: the other phones lose the room."""
    stay = come_into(key)
    keys = [key, *evening.keys_of(stay.db, stay.room)]
    phones.close(stay.db, stay.room)
    events.feed().dismiss_all(keys)
    return redirect(url_for("home.show"), 303)


@room.post("/take")
def take(key: str) -> Answer:
    """Make this phone the host, if it may, since the host's may be out of reach."""
    stay = come_into(key, "enter")
    if not may_take(stay):
        abort(403)
    phones.hand_to(stay.db, stay.room, stay.device)
    return redirect(url_for("evening.show", key=key), 303)


def may_take(stay: Stay) -> bool:
    """Return True if this device may become the host.

    A member may at any time. Any other phone that enters scores may once the host's has been gone for two minutes.
    """
    if stay.hosts or not stay.may("enter"):
        return False
    if stay.membership is not None and stay.membership.may("member"):
        return True
    return presence.host_is_gone(stay.db, presence.presence(), stay.room)


@room.post("/pin")
def set_pin(key: str) -> Answer:
    """Open the door to anybody with the PIN, a new one each time, or have it only knock again."""
    stay = come_into(key)
    rooms.set_pin(stay.db, stay.room, rooms.new_pin() if "open" in request.form else None)
    return redirect(url_for("evening.show", key=key, _anchor="door"), 303)


@room.post("/pass")
def hand_over(key: str) -> str:
    """A code, for another device that is to take over this one's seat. Shown once: another tap makes another one."""
    stay = come_into(key, "enter")
    code = phones.make_pass(stay.db, stay.room)
    address = url_for("join.seat", code=code, _external=True)
    return render_template("evening/pass.html", room=stay.room, code=code, address=address, qr=qr(address))


@room.post("/leave")
def leave(key: str) -> Answer:
    stay = come_into(key, "watch")
    phones.leave(stay.db, stay.room)
    events.feed().dismiss_all([key, *evening.keys_of(stay.db, stay.room)])
    return redirect(url_for("home.show"), 303)
