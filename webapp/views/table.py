"""At the table: one player's end state at a time, scored while it is tapped; and what belongs to the whole table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.contract import Input, Json
from webapp.clubs import register as clubs
from webapp.database import get_db
from webapp.table import entry, forms, kinds, pad, paths, phones, tables
from webapp.table.tables import Change, Seat, Table
from webapp.views.setup import box_for, keep_described, picked, table_of

room = Blueprint("table", __name__, url_prefix="/tables/<key>")

Problems = dict[str, list[str]]


@room.get("/seats/<int:number>")
def show(key: str, number: int) -> str | Response:
    table = table_of(key, "enter")
    if number >= len(table.seats):
        abort(404)
    seat, right = table.seats[number], phones.right_at(get_db(), table)
    if not phones.may_enter(right, seat):
        return redirect(url_for("phones.seats", key=key), 303)
    return page(table, number, right, request.args.get("open", ""))


def seat_of(key: str, number: int) -> tuple[Table, Seat, str | None]:
    """The seat that was entered, if this device may enter it, wherever she sits by now; and the device's right."""
    table = table_of(key, "enter")
    right = phones.right_at(get_db(), table)
    player = request.form.get("player")
    found = [seat for seat in table.seats if (seat.number == number if player is None else seat.name == player)]
    if not found:
        abort(404)
    if not phones.may_enter(right, found[0]):
        abort(403)
    return table, found[0], right


def page(table: Table, number: int, right: str | None, opened: str) -> str:
    """The editor made for the game, or the one made from its inputs."""
    raw, seat = entry.raw_record(table), table.seats[number]
    drafted = tables.draft(get_db(), table, seat, phones.device())
    if drafted is not None:
        return both_versions(table, seat, drafted)
    look = entry.Look(table)
    inputs = visible(entry.inputs_of(table.game, raw, number), seat.state or {})
    seen = without_unasked(look.preview(number), opened)
    typed = entry.TYPED in (seat.state or {})
    return render_template(
        "table/seat.html",
        table=table,
        seat=seat,
        state=seat.state or {},
        typed=typed,
        inputs=inputs,
        form=forms.build(inputs, seat.state or {}),
        preview=seen,
        problems=by_field(tuple(p for p in seen.problems if p["code"] != "missing_field"), inputs),
        totals=totals(table, look),
        has_facts=bool(fact_inputs(table)),
        guide=entry.guide(table.game, raw, number),
        companion=entry.companion_of(table),
        opened=opened,
        box=box_for(table),
        editor=[f"games/{table.game.id}/editor.html", "table/_editor.html"] if not typed else ["table/_typed.html"],
        hosts=right == "host",
        looks_on=looks_on(seat),
        was_moved="moved" in request.args,
    )


def totals(table: Table, look: entry.Look) -> list[int | None]:
    """Everybody's points so far, unless they are kept for the reveal."""
    return [None] * len(table.seats) if table.hides_results else look.totals()


def both_versions(table: Table, seat: Seat, drafted: dict[str, Any]) -> str:
    """What stands at the seat and what this phone entered meanwhile, side by side, to choose from."""
    versions = []
    for state in (seat.state or {}, drafted):
        seats = [replace(one, state=state) if one.number == seat.number else one for one in table.seats]
        changed = replace(table, seats=tuple(seats))
        boards = pad.boards(table.game, entry.record_of(changed), seat.number)
        versions.append({"preview": entry.preview(changed, seat.number), "boards": boards})
    return render_template("table/versions.html", table=table, seat=seat, versions=versions)


def visible(inputs: tuple[Input, ...], told: Json) -> tuple[Input, ...]:
    """What has a field on the page; a fact for a tie only once it has been told, so that it can be corrected."""
    return tuple(
        asked
        for asked in inputs
        if kinds.of(asked).has_fields
        and (not asked.in_doubt or paths.get(told, paths.steps(asked.name)) is not paths.ABSENT)
    )


def without_unasked(seen: entry.Preview, opened: str) -> entry.Preview:
    """Nobody is scolded for what is missing in the part that she is just filling in."""
    told = (p for p in seen.problems if not (p["code"] == "missing_field" and p["where"].startswith(f"{opened}/")))
    return replace(seen, problems=tuple(told)) if opened else seen


def by_field(problems: tuple[dict[str, str], ...], inputs: tuple[Input, ...]) -> Problems:
    """Each message at the field it concerns; under "" those that concern no field of the page."""
    names = forms.names(inputs)
    found: Problems = {}
    for problem in problems:
        found.setdefault(problem["where"] if problem["where"] in names else "", []).append(problem["message"])
    return found


@room.post("/seats/<int:number>")
def change(key: str, number: int) -> Response | str | tuple[str, int]:
    """Keep what was tapped, then show the page again or go where the button says."""
    table, seat, right = seat_of(key, number)
    db, go = get_db(), request.form.get("go", "")
    drafted = tables.draft(db, table, seat, phones.device())
    before = drafted or seat.state or {}
    inputs = visible(entry.inputs_of(table.game, entry.raw_record(table), seat.number), before)
    state = forms.read(inputs, forms.build(inputs, before, request.form), before)
    state = paths.edited(state, request.form, picked(table))
    kept = drafted is None  # two versions wait for a choice, also when nothing was changed since
    if not (looks_on(seat) and state == forms.read(inputs, forms.build(inputs, before), before)):
        done = not looks_on(seat) and go not in ("", str(seat.number))
        kept = tables.enter(db, table, seat, state, made_by_phone(), done)
    table, opened = table_of(key, "enter"), paths.opened(state, request.form)
    if "keep" in request.form:
        keep_described(table, entry.record_of(table)["players"][seat.number])
    if kept and (go or request.headers.get("X-Tidemark") != "part"):
        return redirect(onward(table, seat.number, opened), 303)
    return page(table, seat.number, right, opened), 200 if kept else 409


def looks_on(seat: Seat) -> bool:
    """Whether another phone enters this seat, so that leaving its page unchanged says nothing."""
    return seat.holder not in (None, phones.device())


def made_by_phone() -> Change:
    base = request.form.get("version", "")
    return Change(phones.device(), request.form.get("change", "")[:64], int(base) if base.isdecimal() else None)


@room.post("/seats/<int:number>/settle")
def settle(key: str, number: int) -> Response:
    """Of two versions of a seat, keep the one that was chosen."""
    table, seat, _ = seat_of(key, number)
    base = made_by_phone().base
    mine = request.form.get("keep") == "mine"
    tables.settle(get_db(), table, seat, phones.device(), mine, -1 if base is None else base)
    return redirect(url_for("table.show", key=key, number=seat.number), 303)


def onward(table: Table, number: int, opened: str = "") -> str:
    """Where the pressed button leads: a seat, the table's facts, the result, or nowhere else."""
    go = request.form.get("go", "")
    if go.isdecimal() and int(go) < len(table.seats):
        return url_for("table.show", key=table.key, number=int(go))
    rooms = {
        "facts": "table.facts",
        "result": "result.show",
        "setup": "setup.show",
        "companion": "companion.show",
        "phones": "phones.seats",
    }
    if go in rooms:
        return url_for(rooms[go], key=table.key)
    here = {"open": opened, "_anchor": "opened"} if opened else {}
    return url_for("table.show", key=table.key, number=number, **here)


@room.post("/seats/<int:number>/empty")
def empty(key: str, number: int) -> Response:
    """Start this player's entry afresh."""
    table, seat, _ = seat_of(key, number)
    tables.keep_seat(get_db(), table, seat.number, None)
    return redirect(url_for("table.show", key=key, number=seat.number), 303)


# -- what belongs to the whole table ---


def fact_inputs(table: Table) -> tuple[Input, ...]:
    asked = entry.inputs_of(table.game, entry.raw_record(table), None)
    return tuple(one for one in visible(asked, table.setup) if one.of == "table")


@room.get("/facts")
def facts(key: str) -> str:
    return facts_page(table_of(key))


def facts_page(table: Table) -> str:
    inputs = fact_inputs(table)
    look = entry.Look(table)
    told = tuple({**problem, "where": problem["where"].removeprefix("/table/")} for problem in look.table_problems())
    return render_template(
        "table/facts.html",
        table=table,
        inputs=inputs,
        form=forms.build(inputs, table.setup),
        problems=by_field(told, inputs),
        totals=totals(table, look),
        has_facts=True,
        hosts=True,
        companion=entry.companion_of(table),
        editor=[f"games/{table.game.id}/facts.html", "table/_editor.html"],
        guide=None,
        state=table.setup,
    )


@room.post("/facts")
def change_facts(key: str) -> Response | str:
    db = get_db()
    with db.atomic():
        table = table_of(key)
        inputs = fact_inputs(table)
        setup = forms.read(inputs, forms.build(inputs, table.setup, request.form), table.setup)
        setup = paths.edited(setup, request.form)
        if tables.is_new(db, table, request.form.get("change", "")):
            tables.keep_setup(db, table, setup)
            told = {**entry.raw_record(table), "table": setup}
            clubs.remember(db, table.club_id, table.game.id, entry.lasting(table.game, told))
    if request.headers.get("X-Tidemark") == "part":
        return facts_page(table_of(key))
    go = request.form.get("go", "")
    return redirect(onward(table, 0) if go else url_for("table.facts", key=key), 303)
