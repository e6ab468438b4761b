"""Let phones and TVs join a room, by a link or by asking with a code."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request, session, url_for
from werkzeug.wrappers import Response

from webapp.clubs import Limit, access, address, forgive
from webapp.database import get_db
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.table import Room, find_room_context, inward, next_game, phones, rooms

blueprint = Blueprint("join", __name__)

# docs/developers/rooms-and-news.md has the arithmetic. A code counts until somebody in the room answers.
CODES_PER_ADDRESS, CODES_PER_CODE, CODE_SECONDS = 20, 30, 3600.0
by_address = Limit("codes", attempts=CODES_PER_ADDRESS, seconds=CODE_SECONDS)
by_code = Limit("one code", attempts=CODES_PER_CODE, seconds=CODE_SECONDS)
by_link = Limit("links of rooms", attempts=60, seconds=60)


@blueprint.get("/join")
def ask() -> str:
    """Show a form for a room's code."""
    return render_template("join/code.html", code=request.args.get("code", ""))


@blueprint.post("/join")
def ask_by_code() -> Response:
    """Ask to join the room with this code. The answer does not reveal whether there is such a room."""
    by_address.check(address())
    code = phones.read_code(request.form.get("code", ""))
    by_code.check(code)
    found = rooms.find(get_db(), code=code)
    return asked(found, code)


def asked(found: Room | None, code: str) -> Response:
    """Let this device ask to join the room `found`, if it is not None, and send it to the page for waiting."""
    session["asked"] = [found.key if found else "", code]
    phones.sign_of_device()
    if found is not None:
        phones.ask(get_db(), found)
    return redirect(url_for("join.wait"), 303)


@blueprint.get("/join/waiting")
def wait() -> str | Response:
    """Show that this device waits until somebody in the room accepts it."""
    key, code = (*session.get("asked", ()), "", "")[:2]
    if not (key or code):
        return redirect(url_for("join.ask"), 303)
    db = get_db()
    found = rooms.find(db, key=key) if key else None
    role = phones.role_in(db, found) if found is not None else None
    if code and role is not None and role != "asking":  # an answered request does not count
        forgive(by_address, address())
        forgive(by_code, code)
        session["asked"] = [key, ""]
    if found is not None and find_room_context(db, found) is not None:
        return redirect(inward(db, found), 303)
    return render_template("join/waiting.html", sign=phones.sign_of_device())


def invited(token: str) -> Room:
    """Return the room of a link, or answer 404. Only wrong links count as attempts, which are limited by address."""
    found = rooms.by_link(get_db(), token)
    if found is None:
        by_link.check(address())
        abort(404)
    return found


@blueprint.get("/at/<token>")
def link(token: str) -> str | Response:
    """Show a room's invitation. Joining takes a tap, because messengers open links before people do."""
    if access.is_prefetch():
        return access.prefetch_answer()
    db, found = get_db(), invited(token)
    if find_room_context(db, found) is not None and phones.row_of(db, found, phones.device()) is not None:
        return redirect(inward(db, found), 303)
    return render_template(
        "join/invited.html",
        room=found,
        title=rooms.title(db, found),
        table=next_game.current(db, found),
        token=token,
        asks=phones.role_in(db, found) not in {"guest", "member"} and phones.must_ask(db, found),
    )


@blueprint.post("/at/<token>")
def accept(token: str) -> Response:
    """Join the room, as the player who was tapped. If every player has a phone, ask to join instead."""
    db, found = get_db(), invited(token)
    with db.atomic(found.club_id):
        context = find_room_context(db, found)
        if (context is None or not context.may("guest")) and phones.must_ask(db, found):
            return asked(found, "")
        phones.join(db, found)
        table, number = next_game.current(db, found), number_in(request.form.get("seat"))
        seat = table.seats[number] if table and number is not None and number < len(table.seats) else None
        if table is not None and seat is not None and not table.is_over and phones.play_as(db, table, seat):
            return redirect(url_for("table.show", key=table.key, number=seat.number), 303)
    return redirect(inward(db, found), 303)
