"""Who won and why: the score pad, what decided it, what is still to be asked, and the way into the history."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer.result import can_be_kept
from webapp.clock import clock
from webapp.clubs import access, deeds, quotas
from webapp.database import Database, get_db
from webapp.history import decision_of, plays, stored, tonight
from webapp.page import render_template
from webapp.table import Table, Visit, come_to, pad, photos, portrait, result_page, reveal, seats, tables

room = Blueprint("result", __name__, url_prefix="/tables/<key>")


@room.get("/result")
def show(key: str) -> str | Response:
    """Who won; among several phones, only once the host has revealed it."""
    visit = come_to(key, "watch")
    table, entries = visit.table, visit.entries
    if "along" in request.args and table.next_id is not None and table.room is not None:
        return redirect(url_for("evening.here", key=table.room.key), 303)  # this phone was late: all have gone on
    if not visit.sees_result:
        return curtain(visit)
    if table.saved_at and visit.membership and table.room is None:
        saved = stored.saved_from(visit.db, key)
        if saved is not None:
            return redirect(url_for("play.show", key=saved), 303)
    return render_template(
        "result/show.html",
        table=table,
        hosts=visit.hosts and not table.saved_at,
        enters=visit.may("enter"),
        waiting=entries.waiting_for,
        open_counts=sum(entries.open_counts),
        totals=entries.totals,
        has_facts=bool(entries.facts),
        show=reveal.show(table, entries.relevant.record, entries.result),
        can_be_kept=can_be_kept(entries.result),
        **result_page.shown(table.game, entries.relevant, entries.result, entries.loaded),
    )


@room.get("/result/<any(wide, tall):shape>.png")
def picture(key: str, shape: str) -> Response:
    """The result as a picture to be shared, for those who may see it."""
    visit = come_to(key, "watch")
    table, entries = visit.table, visit.entries
    if not visit.sees_result or not entries.result["ok"]:
        abort(404)
    shown = result_page.shown(table.game, entries.relevant, entries.result, entries.loaded, swaps=False)
    return portrait.answer(shown, [seat.look for seat in table.seats], "", shape)


def curtain(visit: Visit) -> str:
    """Before the reveal: who is ready, and for the host what still stands in the way."""
    table, entries = visit.table, visit.entries
    result = entries.result if visit.hosts else None
    return render_template(
        "result/curtain.html",
        # Asked before the show and not after it: they say who comes in which place.
        questions=pad.questions(table.game, entries.relevant, result, entries.loaded)
        if result and result["ok"]
        else [],
        table=table,
        hosts=visit.hosts,
        enters=visit.may("enter"),
        result=result,
        can_be_kept=result is not None and can_be_kept(result),
        waiting=entries.waiting_for,
        open_counts=sum(entries.open_counts),
        busy=[seat.name for seat in table.seats if seat.holder and not seat.done],
        has_facts=bool(entries.facts),
    )


@room.post("/reveal")
def lift(key: str) -> Response:
    """Show everybody the result, on all phones at once."""
    db = get_db()
    with db.atomic(db.club_of("tables", key=key)):
        visit = come_to(key)
        if visit.entries.result["ok"] and not visit.entries.waiting_for:
            reveal.lift(db, visit.table)
    return redirect(url_for("result.show", key=key), 303)


@room.post("/skip")
def skip(key: str) -> Response:
    """The host has seen enough: the result, on all screens."""
    return redirected_after(reveal.skip, key)


@room.post("/again")
def again(key: str) -> Response:
    """The reveal once more, on all screens."""
    return redirected_after(reveal.again, key)


def redirected_after(change: Callable[[Database, Table], None], key: str) -> Response:
    db = get_db()
    with db.atomic(db.club_of("tables", key=key)):
        change(db, come_to(key).table)
    return redirect(url_for("result.show", key=key), 303)


@room.post("/answers")
def answer(key: str) -> Response:
    """Put each answer where the question said it belongs."""
    db = get_db()
    with db.atomic(db.club_of("tables", key=key)):
        visit = come_to(key)
        table, entries = visit.table, visit.entries
        record = entries.loaded.record
        asked = pad.questions(table.game, entries.relevant, entries.result)
        record = pad.with_answers(record, asked, request.form)
        table = tables.keep_setup(db, table, record["table"])
        for seat, player in zip(table.seats, record["players"], strict=True):
            state = {field: value for field, value in player.items() if field != "name"}
            if state != (seat.state or {}):
                seats.keep(db, table, seat.number, state)
    return redirect(url_for("result.show", key=key), 303)


@room.post("/confirm")
def confirm(key: str) -> Response:
    """What was worth a second look is right as it stands."""
    db, question = get_db(), request.form.get("question", "")
    with db.atomic(db.club_of("tables", key=key)):
        visit = come_to(key)
        asked = visit.entries.questions.get(question)
        if asked is not None:
            tables.confirm(db, visit.table, asked)
    return redirect(url_for("result.show", key=key), 303)


@room.post("/save")
def save(key: str) -> Response:
    """Into the history, once, however often the button is pressed: the table goes with the save."""
    db = get_db()
    saved = stored.saved_from(db, key)
    if saved is not None and may_look_at(saved):
        return redirect(url_for("play.show", key=saved), 303)
    with db.atomic(db.club_of("tables", key=key)):
        visit = come_to(key)  # or nowhere, if another phone has saved it a moment ago
        table, entries = visit.table, visit.entries
        result = entries.result
        settled = not result["needs"] or "shared" in request.args
        if not can_be_kept(result) or not settled or entries.waiting_for or table.hides_results:
            return redirect(url_for("result.show", key=key), 303)
        play_id = keep(visit)
        photos.go_with(db, table, play_id)
        if table.room is not None:
            tonight.add(db, table.room, play_id)
        tables.put_by(db, table)
    flash("saved")
    if clock.doubt and visit.membership is not None:
        flash("which day")
    if table.room is not None:  # on with the evening
        return redirect(url_for("evening.show", key=table.room.key), 303)
    return redirect(url_for("play.show", key=stored.key_of(db, play_id)), 303)


def may_look_at(play_key: str) -> bool:
    """Whether this device is in the club of the game. Others learn nothing of it, not even its address."""
    play = stored.find(get_db(), play_key)
    return play is not None and access.in_club(play.club_id) is not None


def keep(visit: Visit) -> int:
    """The id of the saved game: a new one, or the one that was corrected at the table."""
    db, table, record, result = visit.db, visit.table, visit.entries.record, visit.entries.result
    if table.play_id is None:
        play_id = plays.save(
            db, table.club_id, record, result, table_key=table.key, worn={seat.name: seat.look for seat in table.seats}
        )
        quotas.check_plays(db, table.club_id, play_id)
        deeds.note(db, table.club_id, "saved", play_id=play_id)
        return play_id
    play = stored.by_id(db, table.play_id)
    assert play is not None, "a table goes with its play"
    plays.edit(db, play, record, decision_of(record, result), table.key)
    deeds.note(db, table.club_id, "corrected", play_id=play.id)
    return play.id
