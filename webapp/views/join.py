"""Ways into a room for phones that are in no club: by link or QR code at once, by code through the host's door."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request, session, url_for
from werkzeug.wrappers import Response

from webapp.clubs import Limit, access, address
from webapp.database import get_db
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.table import Room, evening, events, inward, look_into, phones, rooms

room = Blueprint("join", __name__)

# The arithmetic is in docs/live.md. A code tried counts, right or wrong.
CODES_PER_ADDRESS, CODES_PER_CODE, CODE_SECONDS = 20, 30, 3600.0
by_address = Limit("codes", attempts=CODES_PER_ADDRESS, seconds=CODE_SECONDS)
by_code = Limit("one code", attempts=CODES_PER_CODE, seconds=CODE_SECONDS)
by_link = Limit("links of rooms", attempts=60, seconds=60)
by_pass = Limit("passes", attempts=CODES_PER_ADDRESS, seconds=CODE_SECONDS)


@room.get("/join")
def ask() -> str:
    return render_template("table/join.html", code=request.args.get("code", ""))


@room.post("/join")
def knock() -> Response:
    """Knock at the room with that code. Whether there is one is not said: only its host can answer."""
    by_address.check(address())
    code = phones.read_code(request.form.get("code", ""))
    if len(code) == phones.PASS_LENGTH:
        return redirect(url_for("join.seat", code=code), 303)
    by_code.check(code)
    wants = "watch" if "tv" in request.form else "enter"
    session["knocked"] = [code, wants]
    phones.sign_of_device()
    db = get_db()
    found = rooms.by_code(db, code)
    if found is not None and rooms.opens(db, found, request.form.get("pin", "").strip()):
        phones.welcome(db, found, wants, way="pin")
    elif found is not None:
        phones.knock(db, found, wants)
    return redirect(url_for("join.wait"), 303)


@room.get("/join/waiting")
def wait() -> str | Response:
    """Until the host has let this phone in."""
    code, wants = session.get("knocked", ("", "enter"))
    if not code:
        return redirect(url_for("join.ask"), 303)
    db = get_db()
    stay = look_into(db, rooms.by_code(db, code))
    if stay is not None:
        return redirect(way_in(stay.room, wants), 303)
    return render_template("table/waiting.html", code=code, sign=phones.sign_of_device())


def way_in(found: Room, wants: str) -> str:
    """A screen shows the evening, everybody else goes where there is something to do."""
    return url_for("tv.show", code=found.code) if wants == "watch" else inward(get_db(), found)


def invited(token: str) -> tuple[Room, str]:
    """Where the link leads. A page that looks again whether a seat is free is no new attempt."""
    if session.get("invited") != token:
        by_link.check(address())
    found = rooms.by_link(get_db(), token)
    if found is None:
        abort(404)
    session["invited"] = token
    return found


@room.get("/at/<token>")
def link(token: str) -> str | Response:
    """A room's link. What it gives is taken by pressing a button: messengers look at links before people do."""
    if access.only_looks():
        return access.nothing_to_see()
    found, right = invited(token)
    db = get_db()
    stay = look_into(db, found)
    if stay is not None and stay.may(right):
        return redirect(way_in(found, right), 303)
    return render_template(
        "table/invited.html", room=found, tables=evening.tables_of(db, found), right=right, token=token
    )


@room.post("/at/<token>")
def accept(token: str) -> Response:
    """Take the right the link gives, and with it the seat whose name was tapped."""
    found, right = invited(token)
    db = get_db()
    if right == "host":
        phones.hand_to(db, found, phones.device(), way="link")
    else:
        phones.welcome(db, found, right)
    seat, _, key = request.form.get("seat", "").partition("@")
    tables = [table for table in evening.tables_of(db, found) if key in ("", table.key)]
    number = number_in(seat)
    seats = tables[0].seats if tables and right != "watch" else ()
    if number is not None and number < len(seats) and phones.claim(db, tables[0], seats[number]):
        return redirect(url_for("table.show", key=tables[0].key, number=number), 303)
    return redirect(way_in(found, right), 303)


@room.get("/seat/<code>")
def seat(code: str) -> str | Response:
    """The seats of another phone, offered to this one. They are taken by pressing a button."""
    if access.only_looks():
        return access.nothing_to_see()
    found, name = offered(code)
    names = phones.seats_of(get_db(), found, name)
    return render_template("evening/offered.html", room=found, code=code, names=names)


@room.post("/seat/<code>")
def sit_there(code: str) -> Response:
    found, name = offered(code)
    phones.take_over(get_db(), found, name, phones.read_code(code))
    events.feed().dismiss_all([found.key, *evening.keys_of(get_db(), found)])
    return redirect(inward(get_db(), found) if look_into(get_db(), found) else url_for("join.ask"), 303)


def offered(code: str) -> tuple[Room, str]:
    by_pass.check(address())
    found = phones.by_pass(get_db(), phones.read_code(code))
    if found is None:
        abort(404)
    return found
