"""Enter boards: one player's board at a time, scored with each tap, and the facts of the whole table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import flask
from flask import Blueprint, abort, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer.contract import Input
from scorer.result import Fault
from webapp import parts
from webapp.history import finished
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.table import (
    Entries,
    Preview,
    Seat,
    Sending,
    TableContext,
    changing,
    forms,
    json_paths,
    kinds,
    merging,
    onward,
    pad,
    photos,
    relevant_inputs,
    seats,
    table_context,
    tables,
)

blueprint = Blueprint("table", __name__, url_prefix="/tables/<key>")


@blueprint.get("/boards")
def boards(key: str) -> Response:
    """Redirect to the first board that this device may enter or, if there is none, to the room."""
    context = table_context(key)
    seat = context.next_board()
    if seat is None and context.table.seats:
        return redirect(onward(context.table, "room"), 303)
    return redirect(url_for("table.show", key=key, number=seat.number if seat else 0), 303)


@blueprint.get("/seats/<int:number>")
def show(key: str, number: int) -> str | Response:
    context = table_context(key)
    seat = context.seat(number)
    if seat is None and not context.table.seats:  # a new table has no players before they are named
        waits = bool(photos.of_table(context.db, context.table))
        return redirect(url_for("review.show" if waits else "setup.show", key=key), 303)
    if seat is None:
        abort(404)
    if not context.may_enter(seat):
        return redirect(onward(context.table, "room"), 303)
    opened = request.args.get("open", "")
    if (tags := parts.known(request.args.get("tags"))) is not None and context.draft(seat) is None:
        there = at_moved(context, seat)
        return answer(context, seat, opened, tags, there) if there is not None else page(context, seat, opened)
    return page(context, seat, opened)


def seat_entered(context: TableContext, number: int) -> Seat:
    """Return the seat of the posted player, who may have changed places. Answer 403 or 404 if it can't be entered."""
    name = request.form.get("player")
    return context.to_enter(context.seat(number) if name is None else context.seat_called(name))


def page(context: TableContext, seat: Seat, opened: str) -> str:
    """Return the page of one board with its part `opened` open. If the player has to choose between two versions, show
    both."""
    drafted = context.draft(seat)
    if drafted is not None:
        return both_versions(context, seat, drafted)
    inputs = relevant_inputs.visible(context.entries.inputs(seat.number), seat.state or {})
    there = at_moved(context, seat)
    return parts.tagged(
        render_template(
            "table/seat.html",
            **shown(context, seat, opened, inputs),
            form=forms.build(inputs, seat.state or {}),
            following=context.next_board(after=seat.number),
            was_moved="moved" in request.args,
            changed_since=[] if there is None else merging.differences(inputs, there, seat.state or {}),
        )
    )


def answer(
    context: TableContext, seat: Seat, opened: str, tags: dict[str, str], held: dict[str, Any] | None
) -> Response:
    """Return as JSON what has changed since the page was made: "version", "laid", "fields", "notice" and "parts".
    `held` is the state that the page shows, and `opened` its open part. `tags` say by name which version of each
    part of the page the phone has."""
    state = seat.state or {}
    inputs = relevant_inputs.visible(context.entries.inputs(seat.number), state)
    values = shown(context, seat, opened, inputs)
    unpainted = forms.build([asked for asked in inputs if not kinds.painted([asked])], state)
    unpainted.tags = tags
    made = flask.render_template("table/_tap.html", **values, form=unpainted)
    if (sent := parts.changed(made, tags)) is None:
        form = forms.build(inputs, state)
        made = flask.render_template("table/_tap.html", **values, form=form, whole=True)
        sent = parts.changed(made, tags, whole=True)
    others = [] if held is None else merging.differences(inputs, held, state)
    news = flask.render_template("table/_moved.html", was_moved=True, changed_since=others) if others else ""
    return jsonify(
        version=seat.version,
        laid=context.table.laid,
        fields={} if held is None else forms.changed(inputs, held, state),
        notice=news,
        parts=sent,
    )


def shown(context: TableContext, seat: Seat, opened: str, inputs: tuple[Input, ...]) -> dict[str, Any]:
    """Return the template values for the editor of a board, by name; `opened` is its part that is open."""
    table, entries, state = context.table, context.entries, seat.state or {}
    seen, typed = without_unasked(entries.preview(seat.number), opened), relevant_inputs.TYPED in state
    return {
        "context": context,
        "table": table,
        "seat": seat,
        "state": state,
        "typed": typed,
        "shape": "typed" if typed else " ".join(asked.name for asked in inputs if kinds.is_board(asked)) or "built",
        "inputs": inputs,
        "preview": seen,
        "problems": forms.by_field((p for p in seen.problems if p["level"] != "missing"), inputs),
        "guide": entries.guide(seat.number, opened),
        "opened": opened,
        "box": context.box,
        "editor": [f"games/{table.game.id}/editor.html", "table/_editor.html"] if not typed else ["table/_typed.html"],
    }


def at_moved(context: TableContext, seat: Seat) -> dict[str, Any] | None:
    """Return the state of the seat that this phone shows, found by the version in the address. Return None if the
    address has no version, or if that version is no longer stored."""
    shown_there = number_in(request.args.get("moved"))
    return None if shown_there is None else seats.at_version(context.db, context.table, seat, shown_there)


def both_versions(context: TableContext, seat: Seat, drafted: dict[str, Any]) -> str:
    """Return a page for choosing between the saved state and this phone's version, `drafted`, side by side."""
    table, versions = context.table, []
    inputs = relevant_inputs.visible(context.entries.inputs(seat.number), seat.state or {})
    for state in (seat.state or {}, drafted):
        entries = Entries(table.with_seat(replace(seat, state=state)))
        boards = pad.boards(table.game, entries.relevant, seat.number)
        versions.append({"preview": entries.preview(seat.number), "boards": boards})
    return render_template(
        "table/versions.html",
        table=table,
        seat=seat,
        versions=versions,
        differences=merging.differences(inputs, drafted, seat.state or {}),
    )


def without_unasked(seen: Preview, opened: str) -> Preview:
    """Return the preview without problems about missing entries in `opened`, the part being filled in."""
    if not opened:
        return seen
    problems = (p for p in seen.problems if not (p["code"] == "missing_field" and p["where"].startswith(f"{opened}/")))
    return replace(seen, problems=tuple(problems))


@blueprint.post("/seats/<int:number>")
def change(key: str, number: int) -> Response | str | tuple[str, int]:
    """Save what was tapped, then show the page again or go where the button leads."""
    context, go = table_context(key, late=True), request.form.get("go", "")
    seat = seat_entered(context, number)
    before = context.draft(seat) or seat.state or {}
    inputs = relevant_inputs.visible(context.entries.inputs(seat.number), before)
    state = forms.read(inputs, forms.build(inputs, before, request.form), before)
    state = json_paths.edited(state, request.form, context.picked(request.form.getlist("pick")))
    context = context.enter(seat, state, made_by_phone(context), go not in ("", str(seat.number)))
    seat = context.seat_called(seat.name) or seat
    held = state if seat.state != state else None  # another phone's change was merged with it, or came after it
    is_saved = context.draft(seat) is None  # otherwise two versions wait for a choice
    if "confirm" in request.form:
        context = confirmed(context, seat, request.form["confirm"])
    if "keep" in request.form:
        context.keep_described(request.form.getlist("keep"), context.entries.record["players"][seat.number])
    opened = json_paths.opened(state, request.form)
    if context.table.saved_at:
        finished.apply_late_change(context)
    elif is_saved and go == "result" and context.table.phones < 2:
        finished.save_at_reveal(context)
    if is_saved and request.headers.get("X-Tidemark") != "part":
        return redirect(onward(context.table, go, seat.number, opened), 303)
    tags = parts.known(request.form.get("tags"))
    if is_saved and tags is not None:
        return answer(context, seat, opened, tags, held)
    return page(context, seat, opened), 200 if is_saved else 409


def confirmed(context: TableContext, seat: Seat, question: str) -> TableContext:
    """Confirm this question of the player's own board. Return the context at the changed table."""
    hers = question.startswith((f"/players/{seat.number}/", f"/players/{seat.number}:"))
    with context.db.atomic(context.table.club_id):
        table = tables.find(context.db, context.table.key)
        asked = context.entries.questions.get(question)
        if table is None or not hers or asked is None:
            return context
        return context.now_at(tables.confirm(context.db, table, asked))


def made_by_phone(context: TableContext) -> Sending:
    return Sending(context.device, request.form.get("change", "")[:64], number_in(request.form.get("version")))


@blueprint.post("/seats/<int:number>/settle")
def settle(key: str, number: int) -> Response:
    """Keep the version of player `number`'s board that was chosen: this phone's entry, or the one saved before from
    another phone."""
    context = table_context(key)
    seat, base = seat_entered(context, number), made_by_phone(context).base
    mine = request.form.get("keep") == "mine"
    seats.settle(context.db, context.table, seat, context.device, mine, -1 if base is None else base)
    return redirect(url_for("table.show", key=key, number=seat.number), 303)


@blueprint.post("/seats/<int:number>/empty")
def empty(key: str, number: int) -> Response:
    """Empty the board of player `number`."""
    context = table_context(key)
    seat = seat_entered(context, number)
    seats.keep(context.db, context.table, seat.number, None)
    return redirect(url_for("table.show", key=key, number=seat.number), 303)


# -- facts of the whole table ---


@blueprint.get("/facts")
def facts(key: str) -> str | Response:
    context = table_context(key)
    if not context.entries.facts:  # entries made meanwhile have answered all of them
        return redirect(url_for("result.show", key=key), 303)
    return facts_page(context)


def facts_page(context: TableContext) -> str:
    table, entries = context.table, context.entries
    problems: list[Fault] = [
        {**problem, "where": problem["where"].removeprefix("/table/")} for problem in entries.table_problems
    ]
    return render_template(
        "table/facts.html",
        table=table,
        context=context,
        inputs=entries.facts,
        form=forms.build(entries.facts, table.setup),
        problems=forms.by_field(problems, entries.facts),
        editor=[f"games/{table.game.id}/facts.html", "table/_editor.html"],
        guide=None,
        state=table.setup,
    )


@blueprint.post("/facts")
def change_facts(key: str) -> Response | str:
    with changing(key) as context:  # keeps what another phone has just changed
        table, inputs = context.table, context.entries.facts
        setup = forms.read(inputs, forms.build(inputs, table.setup, request.form), table.setup)
        setup = json_paths.edited(setup, request.form)
        if tables.is_new(context.db, table, request.form.get("change", "")):
            context = context.now_at(tables.keep_setup(context.db, table, setup))
            tables.remember(context.db, table.club_id, table.game.id, context.entries.lasting)
    if request.headers.get("X-Tidemark") == "part":
        return facts_page(context)
    go = request.form.get("go", "")
    if go == "result" and context.table.phones < 2:
        finished.save_at_reveal(context)
    return redirect(onward(table, go) if go else url_for("table.facts", key=key), 303)
