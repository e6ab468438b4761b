"""Show a room: its phones and TVs, the players, open requests, the next game, and how to join."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from scorer import games
from scorer.names import tidied
from scorer.record import name_fault
from webapp.database import get_db
from webapp.history import tonight
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.qr import qr
from webapp.table import (
    Stay,
    acts,
    come_into,
    come_to,
    events,
    inward,
    lots,
    next_game,
    phones,
    rooms,
    streams,
)

blueprint = Blueprint("room", __name__)


@blueprint.get("/rooms/<key>")
def show(key: str) -> str:
    stay = come_into(key, "tv")
    return page(stay)


def page(stay: Stay, instead: str = "") -> str:
    """Return the page of the room. `instead` is a game chosen here just after another phone started a different one."""
    db, table = stay.db, next_game.current(stay.db, stay.room)
    return render_template(
        "room/show.html",
        title=rooms.title(db, stay.room),
        table=table,
        enters=stay.may("guest"),
        is_member=stay.may("member"),
        mine=stay.device,
        mark_of=phones.mark_of,
        here=phones.there(db, stay.room),
        in_club=stay.membership,
        tonight=tonight.summary(db, stay.room),
        games=sorted(games.all_games(), key=lambda game: table is None or game.id != table.game.id),
        instead=games.find(instead),
        started=acts.latest(db, stay.room, "change"),
        **acts.shown(stay),
        **ways_in(stay),
    )


def ways_in(stay: Stay) -> dict[str, Any]:
    """Return the "address" for joining the room and its "qr" code; empty for a device that only watches."""
    if not stay.may("guest"):
        return {}
    address = url_for("join.link", token=stay.room.link, _external=True)
    return {"address": address, "qr": qr(address)}


@blueprint.get("/tables/<key>/seats")
def show_of(key: str) -> str | Answer:
    """Show the room of a table, or how other phones can join if there is none."""
    visit = come_to(key, "tv")
    if visit.table.room is not None:
        return redirect(url_for("room.show", key=visit.table.room.key), 303)
    if visit.table.saved_at:
        return redirect(url_for("result.show", key=key), 303)
    return render_template(
        "room/show.html",
        room=None,
        title=visit.table.game.name,
        table=visit.table,
        enters=visit.may("guest"),
        mine=visit.device,
    )


@blueprint.post("/tables/<key>/open")
def open_up(key: str) -> Answer:
    """Open a room, so that other phones can join the game."""
    visit = come_to(key, "member")
    return redirect(url_for("room.show", key=phones.open_up(visit.db, visit.table).key), 303)


@blueprint.get("/rooms/<key>/here")
def here(key: str) -> Answer:
    """Redirect this device to its page: the TV's page, its own board, or the room."""
    stay = come_into(key, "tv")
    return redirect(inward(stay.db, stay.room), 303)


@blueprint.get("/rooms/<key>/events")
def news(key: str) -> Response:
    """Stream news of the room."""
    stay = come_into(key, "tv")
    return streams.answer(key, stay.room.id, stay.room.club_id, stay.membership)


@blueprint.get("/tables/<key>/events")
def news_of_table(key: str) -> Response:
    """Stream news of the table."""
    visit = come_to(key, "tv")
    table = visit.table
    return streams.answer(key, table.room.id if table.room else None, table.club_id, visit.membership)


# -- actions ---


@blueprint.post("/tables/<key>/seats/<int:number>/play")
def play_as(key: str, number: int) -> Answer:
    """Let this phone play as player `number`, or report that another phone already does."""
    visit = come_to(key)
    seat = visit.seat(number)
    if seat is None:
        abort(404)
    if phones.play_as(visit.db, visit.table, seat):
        return redirect(url_for("table.show", key=key, number=number), 303)
    flash(acts.OTHER)
    return redirect(url_for("room.show_of", key=key), 303)


@blueprint.post("/rooms/<key>/next")
def change(key: str) -> str | Answer:
    """Start the chosen game next. If two phones do this, only one game starts."""
    game = games.find(request.form.get("game", ""))
    if game is None:
        abort(404)
    outcome, stay = done(key, "change", {"table": request.form.get("after", ""), "game": game.id})
    if outcome == acts.OTHER:
        return page(stay, instead=game.id)
    if outcome == acts.DONE:
        table = next_game.current(stay.db, stay.room)
        assert table is not None, "it has just been laid"
        return redirect(url_for("setup.show", key=table.key), 303)
    return redirect(url_for("room.here" if outcome == acts.ALREADY else "room.show", key=key), 303)


@blueprint.post("/rooms/<key>/take")
def take(key: str) -> Answer:
    """Move the board of the posted seat from another phone to this one. A second phone may have to agree first."""
    subject = {"table": request.form.get("table", ""), "phone": request.form.get("phone", "")}
    seat = number_in(request.form.get("seat"))
    if seat is None:
        abort(400)
    outcome, stay = done(key, "take", {**subject, "seat": seat})
    if outcome in {acts.DONE, acts.ALREADY}:
        return redirect(inward(stay.db, stay.room), 303)
    return back(key, outcome)


@blueprint.post("/rooms/<key>/accept/<mark>")
def accept(key: str, mark: str) -> Answer:
    """Accept the phone with the public id `mark`, which asks to join, or turn it down."""
    if "not_now" in request.form:
        stay = come_into(key)
        phones.turn_down(stay.db, stay.room, mark)
        return back(key, acts.DONE)
    return back(key, done(key, "accept", {"phone": mark})[0])


@blueprint.post("/rooms/<key>/remove/<mark>")
def remove(key: str, mark: str) -> Answer:
    """Remove the phone with the public id `mark` from the room. Boards that it entered stay."""
    outcome, stay = done(key, "remove", {"phone": mark})
    if outcome == acts.DONE:
        dismiss(stay)
    return back(key, outcome)


def done(key: str, action: str, subject: acts.Subject) -> tuple[str, Stay]:
    """Do an act in the room, such as removing a phone, or ask a second phone to agree to it. Return the outcome, such
    as "done" or "asked", and this device's stay in the room."""
    db = get_db()
    with db.atomic(db.club_of("rooms", key=key)):
        stay = come_into(key)
        return acts.wish(stay, action, subject), stay


def back(key: str, outcome: str) -> Answer:
    """Redirect to the room, with a message if the outcome (such as "refused") can't be seen there."""
    if outcome in {acts.OTHER, acts.REFUSED, acts.ASKED}:
        flash(outcome)
    return redirect(url_for("room.show", key=key), 303)


@blueprint.post("/rooms/<key>/acts/<int(max=999999999):number>")
def answer(key: str, number: int) -> Answer:
    """Agree to the request `number` or decline it, or undo the act `number`."""
    db = get_db()
    with db.atomic(db.club_of("rooms", key=key)):
        stay = come_into(key)
        if "undo" in request.form:
            outcome = acts.DONE if acts.undo(stay, number) else "too_late"
        elif "agree" in request.form:
            outcome = acts.agree(stay, number)
        else:
            acts.decline(stay, number)
            outcome = acts.DONE
    if outcome == acts.DONE:
        dismiss(stay)
    elif outcome == "too_late":
        flash(outcome)
    return back(key, outcome)


def dismiss(stay: Stay) -> None:
    """End the live updates of all devices in the room, so that each must show again that it may have them."""
    events.feed().dismiss_all([stay.room.key, *rooms.tables_in(stay.db, stay.room)])


@blueprint.post("/rooms/<key>/name")
def name(key: str) -> Answer:
    """Rename the room."""
    stay, label = come_into(key), tidied(request.form.get("name", ""))
    if label and name_fault(label):
        flash("unwritable")
    else:
        rooms.name(stay.db, stay.room, label)
    return redirect(url_for("room.show", key=key), 303)


@blueprint.post("/rooms/<key>/leave")
def leave(key: str) -> Answer:
    """Leave the room. Boards entered on this device stay."""
    stay = come_into(key, "tv")
    phones.leave(stay.db, stay.room)
    dismiss(stay)
    return redirect(url_for("home.show"), 303)


# -- while you play ---


@blueprint.post("/tables/<key>/lot")
def draw(key: str) -> Answer:
    """Draw at random the first player, or two teams."""
    visit = come_to(key)
    lots.draw(visit.db, visit.table, teams="teams" in request.form)
    return redirect(url_for("room.show_of", key=key), 303)


@blueprint.post("/tables/<key>/timer")
def time(key: str) -> Answer:
    """Start a timer that every screen shows, or stop it."""
    visit = come_to(key)
    lots.time(visit.db, visit.table, number_in(request.form.get("minutes")))
    return redirect(url_for("room.show_of", key=key), 303)
