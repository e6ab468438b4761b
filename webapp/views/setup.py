"""Set up a table: its players and the game's options."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer import games
from scorer.names import cleaned, tidied
from webapp import avatars, clubs
from webapp.clubs import access, needs, require
from webapp.database import get_db
from webapp.history import player_profiles
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.table import (
    Entries,
    Seat,
    Table,
    TableContext,
    changing,
    forms,
    json_paths,
    new_table,
    onward,
    review,
    review_form,
    seats,
    table_context,
    tables,
)

blueprint = Blueprint("setup", __name__, url_prefix="/tables")

Order = list[tuple[str, int | None]]


@blueprint.post("")
@needs("member")
def create() -> Response:
    """Start a table with the club's last options and last players."""
    membership, db = require(access.current(), "member"), get_db()
    game = games.find(request.form.get("game", ""))
    if game is None:
        abort(404)
    setup = new_table.options(db, membership.club_id, game)
    names = clubs.last_players(db, membership.club_id, game.players[-1])
    key = tables.add(db, membership.club_id, game, setup, names)
    return redirect(url_for("setup.show", key=key), 303)


@blueprint.get("/<key>/setup")
def show(key: str) -> str:
    return page(table_context(key))


def page(context: TableContext, problem: str = "", typed: str = "") -> str:
    table, inputs = context.table, context.entries.setup_inputs
    seated = {seat.name for seat in table.seats}
    return render_template(
        ["games/" + table.game.id + "/setup.html", "table/setup.html"],
        table=table,
        inputs=inputs,
        by_name={asked.name: asked for asked in inputs},
        guide=context.entries.options,
        form=forms.build(inputs, table.setup),
        problems=setup_problems(context.entries),
        roster=[name for name in roster(context) if name not in seated],
        problem=problem,
        typed=cleaned(typed),
        companion=context.entries.companion,
        photographed=review.of_setup(context),
        box=context.box,
        removable=removable(context),
        last_players=[] if table.id else clubs.last_players(context.db, table.club_id, table.game.players[-1]),
    )


def roster(context: TableContext) -> list[str]:
    """Return the club's player names for its devices, and none for guests."""
    return clubs.roster(context.db, context.table.club_id) if context.membership else []


def removable(context: TableContext) -> set[int]:
    """Return the numbers of the seats that this device may remove. Guests may only remove empty ones that no other
    device plays."""
    seats = context.table.seats
    return {seat.number for seat in seats if context.may("member") or (context.may_enter(seat) and seat.state is None)}


def setup_problems(entries: Entries) -> dict[str, list[str]]:
    """Return the messages about problems of the table's options, by the name of the field."""
    found: dict[str, list[str]] = {}
    for problem in entries.table_problems:
        found.setdefault(problem["where"].removeprefix("/table/"), []).append(problem["message"])
    return found


@blueprint.post("/<key>/setup")
def change(key: str) -> Response | str:
    """Save the options and players, then show the page again or go where the button leads."""
    if "begins_game" in request.form:
        new_table.store(get_db(), key)
    with changing(key) as context:  # keeps what other phones enter meanwhile
        setup = chosen_setup(context)
        order, problem = reordered(context)
        if tables.is_new(context.db, context.table, request.form.get("change", "")):
            context = context.now_at(save_setup(context, setup, order))
    if "keep" in request.form:
        context.keep_described(request.form.getlist("keep"), context.entries.record["table"])
    go = request.form.get("go", "")
    if go and not problem and not go.startswith("look/") and len(context.table.seats) < context.table.game.players[0]:
        problem = "too_few"
    is_part = request.headers.get("X-Tidemark") == "part"  # sent later: the phone has gone on by itself
    if go and not problem and not is_part:
        return redirect(next_address(context, go), 303)
    if problem or is_part:
        return page(context, problem, request.form.get("new", "") if problem not in ("", "too_few") else "")
    return redirect(url_for("setup.show", key=key), 303)


def chosen_setup(context: TableContext) -> dict[str, Any]:
    """Return the options as chosen by hand, read from a photo of cards, or drawn at random."""
    table, inputs = context.table, context.entries.setup_inputs
    setup: dict[str, Any] = forms.read(inputs, forms.build(inputs, table.setup, request.form), table.setup)
    setup = json_paths.edited(setup, request.form, context.picked(request.form.getlist("pick")))
    seen = review.of_setup(context) if "play" in request.form else None
    setup = seen.reader.cards.with_seen(seen.all_cards, setup) if seen else setup
    if "deal" in request.form and table.game.deal is not None:
        for path, value in table.game.deal.draw(Entries(replace(table, setup=setup)).loaded).items():
            setup = json_paths.put(setup, json_paths.steps(path), value)
    return setup


def save_setup(context: TableContext, setup: dict[str, Any], order: Order) -> Table:
    """Save the options and the players, and return the changed table. `order` has each player's name, and the old seat
    or None."""
    db, table = context.db, context.table
    # Options to remember are taken before the players change places, because some options name players.
    tables.remember(db, table.club_id, table.game.id, Entries(replace(table, setup=setup)).lasting)
    changed = seats.lay_anew(db, table, setup)
    review_form.cards_told(context, setup, request.form.getlist("right"))
    if "practice 1" in request.form.getlist("come"):
        changed = tables.practise(db, changed, "practice" in request.form)
    places = [before for _, before in order]
    if places != list(range(len(table.seats))):
        changed = tables.keep_setup(db, changed, tables.reseated(changed.setup, places))
        changed = seats.reseat(db, changed, order, knows_club=context.membership is not None)
    return changed


def next_address(context: TableContext, go: str) -> str:
    """Return the address to which the button `go` leads: an avatar, the boards, the room, or the help in the game."""
    wearer = number_in(go.removeprefix("look/"))
    if wearer is not None and go.startswith("look/"):
        return url_for("setup.avatar", key=context.table.key, number=wearer)
    leads = go == "room" or (go == "companion" and context.entries.companion is not None)
    return onward(context.table, go if leads else "boards")


def reordered(context: TableContext) -> tuple[Order, str]:
    """Return the players in their order after the pressed button, each with the old seat or None. Also return why a new
    name was refused, or "". A name entered by a guest keeps its spelling, as the club's would reveal that the club
    knows it."""
    table = context.table
    order: Order = [(seat.name, seat.number) for seat in table.seats]
    posted = request.form
    if "begins_game" in posted:
        return new_table.seated(context.db, table), ""
    if "remove" in posted:
        gone = number_in(posted["remove"])
        order = [seat for seat in order if seat[1] != gone or gone not in removable(context)]
    for button, step in (("up", -1), ("down", 1)):
        here = number_in(posted.get(button))
        if here is not None and here < len(order):
            there = (here + step) % len(order)
            order[here], order[there] = order[there], order[here]
    wanted = posted.get("order", "")
    if wanted:  # dragged: all seats in their new order
        numbers = [number for one in wanted.split(",") if (number := number_in(one)) is not None]
        if sorted(numbers) == list(range(len(order))):
            order = [order[number] for number in numbers]
    for typed in [posted.get("add", ""), *posted.getlist("new")]:
        if typed.strip():
            name = clubs.spelling(context.db, table.club_id, typed) if context.membership else tidied(typed)
            problem = seats.refusal(table, name, [taken for taken, _ in order])
            if problem:
                return order, problem
            order.append((name, None))
    return order, ""


@blueprint.get("/<key>/setup/look/<int(max=99):number>")
def avatar(key: str, number: int) -> str:
    """Show the colours and figures that this player may take."""
    context = table_context(key)
    return avatar_page(context, context.to_enter(context.seat(number)))


def avatar_page(context: TableContext, wearer: Seat, problem: str = "") -> str:
    others = {seat.name: seat.avatar for seat in context.table.seats if seat.number != wearer.number}
    return render_template(
        "people/avatar.html",
        table=context.table,
        wearer=wearer,
        offers=avatars.offers(wearer.avatar, others),
        back=back_from(context, wearer),
        problem=problem,
    )


def back_from(context: TableContext, wearer: Seat) -> str:
    key = context.table.key
    plays = context.table.room is not None and wearer.holder == context.device
    return url_for("table.show", key=key, number=wearer.number) if plays else url_for("setup.show", key=key)


@blueprint.post("/<key>/setup/look/<int(max=99):number>")
def change_avatar(key: str, number: int) -> Response | str:
    """Save the chosen colour or figure of a player. If a member chose it, the club remembers it."""
    with changing(key) as context:
        db = context.db
        wearer = context.to_enter(context.seat(number))
        chosen = avatars.chosen(wearer.avatar, request.form)
        if chosen is None:
            abort(404)
        if not seats.set_avatar(db, context.table, number, chosen):
            return avatar_page(context, wearer, "taken")
        is_member = context.membership is not None and context.membership.may("member")
        known = player_profiles.by_name(db, context.table.club_id, wearer.name) if is_member else None
        if known:
            player_profiles.change_avatar(db, known, chosen)
    return redirect(back_from(context, wearer), 303)


@blueprint.post("/<key>/clear")
def discard(key: str) -> Response:
    """Discard the unfinished game."""
    context = table_context(key, "member")
    tables.clear(context.db, context.table)
    return redirect(url_for("home.show"), 303)
