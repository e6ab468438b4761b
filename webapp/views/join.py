"""Ways to a table for phones that are in no club: by link or QR code at once, by code through the host's door."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from webapp.clubs import Limit, access, address
from webapp.database import get_db
from webapp.numbers import number as number_in
from webapp.table import Table, look_at, phones, tables

room = Blueprint("join", __name__)

# The arithmetic is in docs/live.md. A code tried counts, right or wrong.
CODES_PER_ADDRESS, CODES_PER_CODE, CODE_SECONDS = 20, 30, 3600.0
by_address = Limit(attempts=CODES_PER_ADDRESS, seconds=CODE_SECONDS)
by_code = Limit(attempts=CODES_PER_CODE, seconds=CODE_SECONDS)
by_link = Limit(attempts=60, seconds=60)


@room.get("/join")
def ask() -> str:
    return render_template("table/join.html", code=request.args.get("code", ""))


@room.post("/join")
def knock() -> Response:
    """Knock at the table with that code. Whether there is one is not said: only its host can answer."""
    by_address.check(address())
    code = phones.read_code(request.form.get("code", ""))
    by_code.check(code)
    wants = "watch" if "tv" in request.form else "enter"
    session["knocked"] = [code, wants]
    phones.sign_of_device()
    db = get_db()
    table = tables.by_code(db, code)
    if table is not None:
        phones.knock(db, table, wants)
    return redirect(url_for("join.wait"), 303)


@room.get("/join/waiting")
def wait() -> str | Response:
    """Until the host has let this phone in."""
    code, wants = session.get("knocked", ("", "enter"))
    if not code:
        return redirect(url_for("join.ask"), 303)
    db = get_db()
    visit = look_at(db, tables.by_code(db, code))
    if visit is not None:
        return redirect(way_in(visit.table, wants), 303)
    return render_template("table/waiting.html", code=code, sign=phones.sign_of_device())


def way_in(table: Table, wants: str) -> str:
    if wants == "watch":
        return url_for("tv.show", code=table.code)
    return url_for("phones.seats", key=table.key)


def invited(token: str) -> tuple[Table, str]:
    by_link.check(address())
    found = phones.by_link(get_db(), token)
    if found is None:
        abort(404)
    return found


@room.get("/at/<token>")
def link(token: str) -> str | Response:
    """A table's link. What it gives is taken by pressing a button: messengers look at links before people do."""
    if access.only_looks():
        return access.nothing_to_see()
    table, right = invited(token)
    visit = look_at(get_db(), table)
    if visit is not None and visit.may(right):
        return redirect(way_in(table, right), 303)
    return render_template("table/invited.html", table=table, right=right, token=token)


@room.post("/at/<token>")
def accept(token: str) -> Response:
    """Take the right the link gives, and with it the seat whose name was tapped."""
    table, right = invited(token)
    db = get_db()
    if right == "host":
        phones.hand_to(db, table, phones.device(), way="link")
    else:
        phones.welcome(db, table, right)
    number = number_in(request.form.get("seat"))
    seat = None if number is None or right == "watch" else dict(enumerate(table.seats)).get(number)
    if seat is not None and phones.claim(db, table, seat):
        return redirect(url_for("table.show", key=table.key, number=seat.number), 303)
    return redirect(way_in(table, right), 303)
