"""Laying a table: the game's options and who sits where."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer import games
from scorer.contract import Input, Json
from scorer.reading import MAX_NAME, is_writable
from webapp.clubs import access
from webapp.clubs import register as clubs
from webapp.clubs.access import needs, require
from webapp.database import get_db
from webapp.table import cardboxes, entry, forms, paths, phones, tables
from webapp.table.tables import Table

room = Blueprint("setup", __name__, url_prefix="/tables")

Order = list[tuple[str, int | None]]


@room.post("")
@needs("member")
def lay() -> Response:
    """A table with the club's last choices and the people who played last."""
    membership, db = require(access.current(), "member"), get_db()
    game = games.find(request.form.get("game", ""))
    if game is None:
        abort(404)
    setup = clubs.recall(db, membership.club_id, game.id) or forms.defaults(game.inputs)
    tables.clear_forgotten(db)
    names = clubs.last_players(db, membership.club_id, game.players[-1])
    key = tables.lay(db, membership.club_id, game, setup, names)
    return redirect(url_for("setup.show", key=key), 303)


def table_of(key: str, right: str = "host") -> Table:
    """The table of that key, if this device has the right there. Nobody changes a table whose game is saved."""
    db = get_db()
    table = tables.find(db, key)
    held = phones.right_at(db, table) if table else None
    if table is None or held is None:
        abort(404)
    if not phones.may(held, right):
        abort(403)
    if table.saved_at and right != "watch":
        abort(redirect(url_for("result.show", key=key), 303))
    if access.in_club(table.club_id):
        access.enter(table.club_id, "viewer")
    return table


@room.get("/<key>/setup")
def show(key: str) -> str:
    return page(table_of(key))


def page(table: Table, problem: str = "") -> str:
    inputs = setup_inputs(table)
    seated = {seat.name for seat in table.seats}
    return render_template(
        ["games/" + table.game.id + "/setup.html", "table/setup.html"],
        table=table,
        inputs=inputs,
        form=forms.build(inputs, table.setup),
        problems=setup_problems(table),
        roster=[name for name in clubs.roster(get_db(), table.club_id) if name not in seated],
        problem=problem,
        companion=entry.companion_of(table),
        box=box_for(table),
        hosts=True,
    )


def box_for(table: Table) -> Json:
    """The club's card box, for games that have one, and for phones that are in the club."""
    if table.game.cardbox is None or access.in_club(table.club_id) is None:
        return None
    return cardboxes.box_of(get_db(), table.club_id, table.game)


def setup_inputs(table: Table) -> tuple[Input, ...]:
    asked = entry.inputs_of(table.game, entry.raw_record(table), None)
    return tuple(one for one in asked if one.of == "setup" and not one.in_doubt)


def setup_problems(table: Table) -> dict[str, list[str]]:
    """What the rules say of the options alone, by field."""
    found: dict[str, list[str]] = {}
    for problem in entry.table_problems(table):
        found.setdefault(problem["where"].removeprefix("/table/"), []).append(problem["message"])
    return found


@room.post("/<key>/setup")
def change(key: str) -> Response | str:
    db = get_db()
    with db.atomic():  # other phones may be entering, and must keep what they have
        table = table_of(key)
        inputs = setup_inputs(table)
        setup = forms.read(inputs, forms.build(inputs, table.setup, request.form), table.setup)
        setup = paths.edited(setup, request.form, picked(table))
        order, problem = reordered(table)
        if tables.is_new(db, table, request.form.get("change", "")):
            tables.keep_setup(db, table, setup)
            if [before for _, before in order] != list(range(len(table.seats))):
                tables.reseat(db, table, order)
            told = {**entry.raw_record(table), "table": setup}
            clubs.remember(db, table.club_id, table.game.id, entry.lasting(table.game, told))
    table = table_of(key)
    if "keep" in request.form:
        keep_described(table, entry.record_of(table)["table"])
    go = request.form.get("go")
    if go and not problem:
        too_few = len(table.seats) < table.game.players[0]
        problem = "too_few" if too_few else ""
        if not problem:
            return redirect(onward(table, go), 303)
    if problem or request.headers.get("X-Tidemark") == "part":
        return page(table, problem)
    return redirect(url_for("setup.show", key=key), 303)


def onward(table: Table, go: str) -> str:
    """Where the pressed button leads: to the boards, the other phones, or the help during the game."""
    if go == "phones":
        return url_for("phones.seats", key=table.key)
    if go == "companion" and entry.companion_of(table):
        return url_for("companion.show", key=table.key)
    return url_for("table.show", key=table.key, number=0)


def picked(table: Table) -> list[paths.Edit]:
    """What was taken out of the club's card box."""
    box = box_for(table)
    return [] if box is None else cardboxes.picked(box, request.form.getlist("pick"))


def keep_described(table: Table, values: Json) -> None:
    """Put into the club's card box what a pressed button names."""
    if box_for(table) is not None:
        for kind, path in cardboxes.pressed(request.form.getlist("keep"), 2):
            thing = paths.get(values, paths.steps(path))
            cardboxes.describe(get_db(), table.club_id, table.game, kind, thing)


def reordered(table: Table) -> tuple[Order, str]:
    """The seats after the button that was pressed, and what was wrong with a new name, if anything."""
    order: Order = [(seat.name, seat.number) for seat in table.seats]
    posted = request.form
    if "remove" in posted:
        order = [seat for seat in order if str(seat[1]) != posted["remove"]]
    for button, step in (("up", -1), ("down", 1)):
        number = posted.get(button, "")
        if number.isdecimal() and int(number) < len(order):
            here, there = int(number), (int(number) + step) % len(order)
            order[here], order[there] = order[there], order[here]
    wanted = posted.get("order", "")
    if wanted:  # dragged: all seats in their new order
        numbers = [int(number) for number in wanted.split(",") if number.isdecimal()]
        if sorted(numbers) == list(range(len(order))):
            order = [order[number] for number in numbers]
    for name in [posted.get("add", ""), *posted.getlist("new")]:
        if name.strip():
            problem = refusal(table, name.strip(), [taken for taken, _ in order])
            if problem:
                return order, problem
            order.append((name.strip(), None))
    return order, ""


def refusal(table: Table, name: str, taken: list[str]) -> str:
    """Why that name cannot sit down, if it cannot; the page has the words."""
    if name in taken:
        return "taken"
    if len(name) > MAX_NAME or not is_writable(name):
        return "unwritable"
    return "full" if len(taken) >= table.game.players[-1] else ""


@room.post("/<key>/clear")
def clear(key: str) -> Response:
    tables.clear(get_db(), table_of(key))
    return redirect(url_for("home.show"), 303)
