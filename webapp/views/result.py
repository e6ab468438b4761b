"""Show who won and why, ask what is still open, and save the game."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer.result import can_be_saved, decisive
from webapp.clock import clock
from webapp.clubs import access
from webapp.database import get_db
from webapp.history import finished, saved_plays
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.table import (
    TableContext,
    acts,
    changing,
    find_room_context,
    pad,
    result_page,
    result_picture,
    reveal,
    samples,
    seats,
    table_context,
    tables,
)

blueprint = Blueprint("result", __name__, url_prefix="/tables/<key>")


@blueprint.get("/result")
def show(key: str) -> str | Response:
    """Show the result, or before the reveal, who is ready and what is missing."""
    context = table_context(key, "tv")
    table, entries = context.table, context.entries
    if table.hides_results:
        return curtain(context)
    shown = reveal.show(table, entries.relevant.record, entries.result)
    if asks_first(context, shown):
        return render_template("result/checks.html", table=table, result=entries.result)
    saved = saved_plays.by_id(context.db, table.play_id) if table.saved_at and table.play_id is not None else None
    return render_template(
        "result/show.html",
        table=table,
        enters=context.may("guest") and not table.saved_at,
        is_member=context.may("member"),
        saved_as=saved.key if saved is not None and context.membership is not None else "",
        twin=finished.duplicate(context) if context.may("member") else None,
        waiting=entries.waiting_for,
        has_facts=bool(entries.facts),
        show=shown,
        permission=samples.PERMISSION,
        unanswered=samples.asked_at(context.db, table) if context.may("member") else [],
        can_be_saved=can_be_saved(entries.result),
        **result_page.shown(table.game, entries.relevant, entries.result, entries.loaded),
    )


def asks_first(context: TableContext, shown: reveal.Show | None) -> bool:
    """Return whether a single phone should see its doubtful entries before the reveal `shown`."""
    is_first = shown is not None and shown.alone and "checked" not in request.args
    doubts = context.entries.result["problems"]
    return is_first and context.may("guest") and context.table.saved_at is None and bool(doubts)


@blueprint.get("/result/<any(wide, tall):shape>.png")
def picture(key: str, shape: str) -> Response:
    """Return the result as a picture for sharing; its `shape` is "wide" or "tall"."""
    context = table_context(key, "tv")
    table, entries = context.table, context.entries
    if table.hides_results or not entries.result["ok"]:
        abort(404)
    shown = result_page.shown(table.game, entries.relevant, entries.result, entries.loaded, swaps=False)
    return result_picture.answer(shown, [seat.avatar for seat in table.seats], "", shape)


def curtain(context: TableContext) -> str:
    """Return the page before the reveal, which shows who is ready and what is still missing."""
    table, entries, enters = context.table, context.entries, context.may("guest")
    result = entries.result if enters else None
    return render_template(
        "result/curtain.html",
        # The answers decide the places, so they are asked for before the reveal, except in a tie.
        questions=pad.questions(table.game, entries.relevant, decisive(result), entries.loaded)
        if result and result["ok"]
        else [],
        table=table,
        enters=enters,
        result=result,
        can_be_saved=result is not None and can_be_saved(result),
        waiting=entries.waiting_for,
        busy=[seat.name for seat in table.seats if seat.holder not in (None, context.device) and not seat.done],
        has_facts=bool(entries.facts),
        predictions=reveal.predictions(context.db, table) if enters and table.room else None,
    )


@blueprint.post("/predict")
def predict(key: str) -> Response:
    """Save who this phone thinks will win."""
    context, number = table_context(key), number_in(request.form.get("seat"))
    seat = context.seat(number) if number is not None else None
    if seat is not None and context.table.hides_results:
        reveal.predict(context.db, context.table, seat)
    return redirect(url_for("result.show", key=key), 303)


@blueprint.post("/reveal")
def reveal_result(key: str) -> Response:
    """Reveal the result on all phones, and save the game if it can be saved."""
    with changing(key) as context:
        room_context = find_room_context(context.db, context.table.room)
        if room_context is None:
            finished.save_at_reveal(context, checked=True)
        elif (outcome := acts.wish(room_context, "reveal", {"table": key})) != acts.REFUSED:
            save_what_is_revealed(context)
            if outcome != acts.DONE:
                flash(outcome)
    return redirect(url_for("result.show", key=key, checked=1), 303)


def save_what_is_revealed(context: TableContext) -> None:
    """Save the game if its result has been revealed."""
    later = tables.find(context.db, context.table.key)
    if later is not None and not later.hides_results and later.saved_at is None:
        finished.save_at_reveal(context.now_at(later), checked=True)


@blueprint.post("/<any(skip, again):how>")
def replay(key: str, how: str) -> Response:
    """End the reveal on all screens if `how` is "skip", or show it once more if it is "again"."""
    with changing(key, late=True) as context:
        if context.table.revealed_at is not None and how == "again":
            reveal.begin(context.db, context.table)
        elif context.table.revealed_at is not None and not context.table.skipped:
            reveal.skip(context.db, context.table)
    return redirect(url_for("result.show", key=key), 303)


@blueprint.post("/answers")
def answer(key: str) -> Response:
    """Store each posted answer to an open question at the path in the record that the question names."""
    with changing(key) as context:
        table, entries = context.table, context.entries
        record = entries.loaded.record
        asked = pad.questions(table.game, entries.relevant, entries.result)
        record = pad.with_answers(record, asked, request.form)
        table = tables.keep_setup(context.db, table, record["table"])
        for seat, player in zip(table.seats, record["players"], strict=True):
            state = {field: value for field, value in player.items() if field != "name"}
            if state != (seat.state or {}):
                seats.keep(context.db, table, seat.number, state, seat.done)
        save_what_is_revealed(context)
    return redirect(url_for("result.show", key=key), 303)


@blueprint.post("/confirm")
def confirm(key: str) -> Response:
    """Confirm that a doubtful entry is right."""
    with changing(key) as context:
        asked = context.entries.questions.get(request.form.get("question", ""))
        if asked is not None:
            context = context.now_at(tables.confirm(context.db, context.table, asked))
            if context.table.phones < 2:
                finished.save_at_reveal(context)
    return redirect(url_for("result.show", key=key), 303)


@blueprint.post("/save")
def save(key: str) -> Response:
    """Save the game. Repeated requests save it only once."""
    db = get_db()
    play = saved_plays.saved_from(db, key)
    if play is not None and access.in_club(play.club_id) is not None:  # others must not learn its address
        return redirect(url_for("play.show", key=play.key), 303)
    with changing(key, "member") as context:
        settled = not context.entries.result["needs"] or "shared" in request.args
        twin = finished.duplicate(context)
        if "same" in request.form and twin is not None:
            finished.close_as_duplicate(context, twin)
            return redirect(url_for("play.show", key=twin.key), 303)
        if not settled or not finished.may_be_saved(context) or (twin is not None and "two" not in request.form):
            return redirect(url_for("result.show", key=key), 303)
        play_id = finished.save(context)
    flash("saved")
    if clock.doubt:
        flash("which day")
    room = context.table.room
    if room is not None:
        return redirect(url_for("room.show", key=room.key), 303)
    return redirect(url_for("play.show", key=saved_plays.key_of(db, play_id)), 303)
