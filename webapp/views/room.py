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
    RoomContext,
    acts,
    events,
    inward,
    lots,
    next_game,
    phones,
    room_context,
    rooms,
    streams,
    table_context,
)

blueprint = Blueprint("room", __name__)


@blueprint.get("/rooms/<key>")
def show(key: str) -> str:
    context = room_context(key, "tv")
    return page(context)


def page(context: RoomContext, instead: str = "") -> str:
    """Return the page of the room. `instead` is a game chosen here just after another phone started a different one."""
    db, table = context.db, next_game.current(context.db, context.room)
    return render_template(
        "room/show.html",
        title=rooms.title(db, context.room),
        table=table,
        enters=context.may("guest"),
        is_member=context.may("member"),
        mine=context.device,
        mark_of=phones.mark_of,
        here=phones.there(db, context.room),
        in_club=context.membership,
        tonight=tonight.summary(db, context.room),
        games=sorted(games.all_games(), key=lambda game: table is None or game.id != table.game.id),
        instead=games.find(instead),
        started=acts.latest(db, context.room, "change"),
        **acts.shown(context),
        **ways_in(context),
    )


def ways_in(context: RoomContext) -> dict[str, Any]:
    """Return the "address" for joining the room and its "qr" code; empty for a device that only watches."""
    if not context.may("guest"):
        return {}
    address = url_for("join.link", token=context.room.link, _external=True)
    return {"address": address, "qr": qr(address)}


@blueprint.get("/tables/<key>/seats")
def show_of(key: str) -> str | Answer:
    """Show the room of a table, or how other phones can join if there is none."""
    context = table_context(key, "tv")
    if context.table.room is not None:
        return redirect(url_for("room.show", key=context.table.room.key), 303)
    if context.table.saved_at:
        return redirect(url_for("result.show", key=key), 303)
    return render_template(
        "room/show.html",
        room=None,
        title=context.table.game.name,
        table=context.table,
        enters=context.may("guest"),
        mine=context.device,
    )


@blueprint.post("/tables/<key>/open")
def open_up(key: str) -> Answer:
    """Open a room, so that other phones can join the game."""
    context = table_context(key, "member")
    return redirect(url_for("room.show", key=phones.open_up(context.db, context.table).key), 303)


@blueprint.get("/rooms/<key>/here")
def here(key: str) -> Answer:
    """Redirect this device to its page: the TV's page, its own board, or the room."""
    context = room_context(key, "tv")
    return redirect(inward(context.db, context.room), 303)


@blueprint.get("/rooms/<key>/events")
def news(key: str) -> Response:
    """Stream news of the room."""
    context = room_context(key, "tv")
    return streams.answer(key, context.room.id, context.room.club_id, context.membership)


@blueprint.get("/tables/<key>/events")
def news_of_table(key: str) -> Response:
    """Stream news of the table."""
    context = table_context(key, "tv")
    table = context.table
    return streams.answer(key, table.room.id if table.room else None, table.club_id, context.membership)


# -- actions ---


@blueprint.post("/tables/<key>/seats/<int:number>/play")
def play_as(key: str, number: int) -> Answer:
    """Let this phone play as player `number`, or report that another phone already does."""
    context = table_context(key)
    seat = context.seat(number)
    if seat is None:
        abort(404)
    if phones.play_as(context.db, context.table, seat):
        return redirect(url_for("table.show", key=key, number=number), 303)
    flash(acts.OTHER)
    return redirect(url_for("room.show_of", key=key), 303)


@blueprint.post("/rooms/<key>/next")
def change(key: str) -> str | Answer:
    """Start the chosen game next. If two phones do this, only one game starts."""
    game = games.find(request.form.get("game", ""))
    if game is None:
        abort(404)
    outcome, context = done(key, "change", {"table": request.form.get("after", ""), "game": game.id})
    if outcome == acts.OTHER:
        return page(context, instead=game.id)
    if outcome == acts.DONE:
        table = next_game.current(context.db, context.room)
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
    outcome, context = done(key, "take", {**subject, "seat": seat})
    if outcome in {acts.DONE, acts.ALREADY}:
        return redirect(inward(context.db, context.room), 303)
    return back(key, outcome)


@blueprint.post("/rooms/<key>/accept/<mark>")
def accept(key: str, mark: str) -> Answer:
    """Accept the phone with the public id `mark`, which asks to join, or turn it down."""
    if "not_now" in request.form:
        context = room_context(key)
        phones.turn_down(context.db, context.room, mark)
        return back(key, acts.DONE)
    return back(key, done(key, "accept", {"phone": mark})[0])


@blueprint.post("/rooms/<key>/remove/<mark>")
def remove(key: str, mark: str) -> Answer:
    """Remove the phone with the public id `mark` from the room. Boards that it entered stay."""
    outcome, context = done(key, "remove", {"phone": mark})
    if outcome == acts.DONE:
        dismiss(context)
    return back(key, outcome)


def done(key: str, action: str, subject: acts.Subject) -> tuple[str, RoomContext]:
    """Do an act in the room, such as removing a phone, or ask a second phone to agree to it. Return the outcome, such
    as "done" or "asked", and this device's context in the room."""
    db = get_db()
    with db.atomic(db.club_of("rooms", key=key)):
        context = room_context(key)
        return acts.wish(context, action, subject), context


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
        context = room_context(key)
        if "undo" in request.form:
            outcome = acts.DONE if acts.undo(context, number) else "too_late"
        elif "agree" in request.form:
            outcome = acts.agree(context, number)
        else:
            acts.decline(context, number)
            outcome = acts.DONE
    if outcome == acts.DONE:
        dismiss(context)
    elif outcome == "too_late":
        flash(outcome)
    return back(key, outcome)


def dismiss(context: RoomContext) -> None:
    """End the live updates of all devices in the room, so that each must show again that it may have them."""
    events.feed().dismiss_all([context.room.key, *rooms.tables_in(context.db, context.room)])


@blueprint.post("/rooms/<key>/name")
def name(key: str) -> Answer:
    """Rename the room."""
    context, label = room_context(key), tidied(request.form.get("name", ""))
    if label and name_fault(label):
        flash("unwritable")
    else:
        rooms.name(context.db, context.room, label)
    return redirect(url_for("room.show", key=key), 303)


@blueprint.post("/rooms/<key>/leave")
def leave(key: str) -> Answer:
    """Leave the room. Boards entered on this device stay."""
    context = room_context(key, "tv")
    phones.leave(context.db, context.room)
    dismiss(context)
    return redirect(url_for("home.show"), 303)


# -- while you play ---


@blueprint.post("/tables/<key>/lot")
def draw(key: str) -> Answer:
    """Draw at random the first player, or two teams."""
    context = table_context(key)
    lots.draw(context.db, context.table, teams="teams" in request.form)
    return redirect(url_for("room.show_of", key=key), 303)


@blueprint.post("/tables/<key>/timer")
def time(key: str) -> Answer:
    """Start a timer that every screen shows, or stop it."""
    context = table_context(key)
    lots.time(context.db, context.table, number_in(request.form.get("minutes")))
    return redirect(url_for("room.show_of", key=key), 303)
