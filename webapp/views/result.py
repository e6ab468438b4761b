"""Who won and why: the score pad, what decided it, what is still to be asked, and the way into the history."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.contract import Game, Json
from scorer.core import score_as
from scorer.insight import what_beat_me
from webapp.clubs import access
from webapp.database import get_db
from webapp.history import plays as history
from webapp.history.plays import Play
from webapp.table import entry, pad, paths, phones, photos, reveal, tables
from webapp.table.tables import Table
from webapp.views.setup import table_of
from webapp.views.table import fact_inputs

room = Blueprint("result", __name__, url_prefix="/tables/<key>")


@room.get("/result")
def show(key: str) -> str | Response:
    """Who won; among several phones, only once the host has revealed it."""
    table, db = table_of(key, "watch"), get_db()
    right = phones.right_at(db, table)
    if table.hides_results:
        return curtain(table, right)
    if table.saved_at and access.in_club(table.club_id):
        saved = history.saved_from(db, key)
        if saved is not None:
            return redirect(url_for("play.show", key=saved), 303)
    record = entry.record_of(table)
    result = score_as(table.game, record)
    return render_template(
        "result/show.html",
        table=table,
        hosts=right == "host" and not table.saved_at,
        waiting=entry.waiting_for(table),
        totals=entry.totals(table),
        has_facts=bool(fact_inputs(table)),
        show=reveal.show(table, result),
        **told(table.game, record, result),
    )


def curtain(table: Table, right: str | None) -> str:
    """Before the reveal: who is ready, and for the host what still stands in the way."""
    record = entry.record_of(table)
    result = score_as(table.game, record) if right == "host" else None
    return render_template(
        "result/curtain.html",
        # Asked before the show and not after it: they say who comes in which place.
        questions=pad.questions(table.game, record, result) if result and result["ok"] else [],
        table=table,
        hosts=right == "host",
        result=result,
        waiting=entry.waiting_for(table),
        busy=[seat.name for seat in table.seats if seat.holder and not seat.done],
        has_facts=bool(fact_inputs(table)),
    )


def told(game: Game, record: Json, result: Json) -> dict[str, Any]:
    """All that a result page shows, for a table and for a saved game alike."""
    told = {"game": game, "record": record, "result": result, "questions": pad.questions(game, record, result)}
    if result["ok"]:
        players = range(len(record["players"]))
        told |= {
            "rows": pad.rows(game, result),
            "boards": [pad.boards(game, record, player) for player in players],
            "guides": [entry.guide(game, record, player) for player in players],
            "beaten": {told["player"]: told for told in what_beat_me(result)},
            "swaps": pad.one_swap_away(game, record),
            "decider": pad.decider(game, result),
            "share_text": pad.share_text(game, result),
        }
    return told


@room.post("/reveal")
def lift(key: str) -> Response:
    """Show everybody the result, on all phones at once."""
    db = get_db()
    with db.atomic():
        table = table_of(key)
        result = score_as(table.game, entry.record_of(table))
        if result["ok"] and not entry.waiting_for(table):
            reveal.lift(db, table)
    return redirect(url_for("result.show", key=key), 303)


@room.post("/answers")
def answer(key: str) -> Response:
    """Put each answer where the question said it belongs."""
    db = get_db()
    with db.atomic():
        table = table_of(key)
        result = score_as(table.game, entry.record_of(table))
        record = entry.raw_record(table)
        for question in pad.questions(table.game, record, result):
            values = {str(choice.value): choice.value for choice in question["choices"]}
            for where in question["where"]:
                text = request.form.get(where, "").strip()
                record = chosen(record, where, values[text]) if text in values else answered(record, where, text)
        tables.keep_setup(db, table, record["table"])
        for seat, player in zip(table.seats, record["players"], strict=True):
            state = {field: value for field, value in player.items() if field != "name"}
            if state != (seat.state or {}):
                tables.keep_seat(db, table, seat.number, state)
    return redirect(url_for("result.show", key=key), 303)


def chosen(record: Json, where: str, value: Json) -> Json:
    return paths.put(record, paths.steps(where.removeprefix("/")), value)


def answered(record: Json, where: str, text: str) -> Json:
    if not text:
        return record
    number = text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 8
    return paths.put(record, paths.steps(where.removeprefix("/")), int(text) if number else text)


@room.post("/save")
def save(key: str) -> Response:
    """Into the history, once, however often the button is pressed: the table goes with the save."""
    db = get_db()
    saved = history.saved_from(db, key)
    if saved is not None:
        return redirect(url_for("play.show", key=saved), 303)
    with db.atomic():
        table = tables.find(db, key)
        if table is None:  # saved by another phone a moment ago
            abort(404)
        table_of(key)
        record = entry.record_of(table)
        result = score_as(table.game, record)
        if not result["ok"] or result["needs"] or entry.waiting_for(table) or table.hides_results:
            return redirect(url_for("result.show", key=key), 303)
        play = keep(table, record, result)
        photos.go_with(db, table, play.id)
        tables.put_by(db, table)
    flash("saved")
    return redirect(url_for("play.show", key=play.key), 303)


def keep(table: Table, record: Json, result: Json) -> Play:
    db = get_db()
    if table.play_id is not None:
        play = history.by_id(db, table.play_id)
        assert play is not None, "a table goes with its play"
        history.correct(db, play, record, result, table.key)
    else:
        play = history.by_id(db, history.save(db, table.club_id, record, result, table_key=table.key))
        assert play is not None
    return play
