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
    Visit,
    changing,
    come_to,
    forms,
    json_paths,
    new_table,
    onward,
    review,
    review_form,
    seats,
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
    key = tables.create(db, membership.club_id, game, setup, names)
    return redirect(url_for("setup.show", key=key), 303)


@blueprint.get("/<key>/setup")
def show(key: str) -> str:
    return page(come_to(key))


def page(visit: Visit, problem: str = "", typed: str = "") -> str:
    table, inputs = visit.table, visit.entries.setup_inputs
    seated = {seat.name for seat in table.seats}
    return render_template(
        ["games/" + table.game.id + "/setup.html", "table/setup.html"],
        table=table,
        inputs=inputs,
        by_name={asked.name: asked for asked in inputs},
        guide=visit.entries.options,
        form=forms.build(inputs, table.setup),
        problems=setup_problems(visit.entries),
        roster=[name for name in roster(visit) if name not in seated],
        problem=problem,
        typed=cleaned(typed),
        companion=visit.entries.companion,
        photographed=review.of_setup(visit),
        box=visit.box,
        removable=removable(visit),
        last_players=[] if table.id else clubs.last_players(visit.db, table.club_id, table.game.players[-1]),
    )


def roster(visit: Visit) -> list[str]:
    """Return the club's player names for its devices, and none for guests."""
    return clubs.roster(visit.db, visit.table.club_id) if visit.membership else []


def removable(visit: Visit) -> set[int]:
    """Return the numbers of the seats that this device may remove. Guests may only remove empty ones that no other
    device plays."""
    seats = visit.table.seats
    return {seat.number for seat in seats if visit.may("member") or (visit.may_enter(seat) and seat.state is None)}


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
    with changing(key) as visit:  # keeps what other phones enter meanwhile
        setup = chosen_setup(visit)
        order, problem = reordered(visit)
        if tables.is_new(visit.db, visit.table, request.form.get("change", "")):
            visit = visit.now_at(save_setup(visit, setup, order))
    if "keep" in request.form:
        visit.keep_described(request.form.getlist("keep"), visit.entries.record["table"])
    go = request.form.get("go", "")
    if go and not problem and not go.startswith("look/") and len(visit.table.seats) < visit.table.game.players[0]:
        problem = "too_few"
    is_part = request.headers.get("X-Tidemark") == "part"  # sent later: the phone has gone on by itself
    if go and not problem and not is_part:
        return redirect(next_address(visit, go), 303)
    if problem or is_part:
        return page(visit, problem, request.form.get("new", "") if problem not in ("", "too_few") else "")
    return redirect(url_for("setup.show", key=key), 303)


def chosen_setup(visit: Visit) -> dict[str, Any]:
    """Return the options as chosen by hand, read from a photo of cards, or drawn at random."""
    table, inputs = visit.table, visit.entries.setup_inputs
    setup: dict[str, Any] = forms.read(inputs, forms.build(inputs, table.setup, request.form), table.setup)
    setup = json_paths.edited(setup, request.form, visit.picked(request.form.getlist("pick")))
    seen = review.of_setup(visit) if "play" in request.form else None
    setup = seen.reader.cards.with_seen(seen.all_cards, setup) if seen else setup
    if "deal" in request.form and table.game.deal is not None:
        for path, value in table.game.deal.draw(Entries(replace(table, setup=setup)).loaded).items():
            setup = json_paths.put(setup, json_paths.steps(path), value)
    return setup


def save_setup(visit: Visit, setup: dict[str, Any], order: Order) -> Table:
    """Save the options and the players, and return the changed table. `order` has each player's name, and the old seat
    or None."""
    db, table = visit.db, visit.table
    # Options to remember are taken before the players change places, because some options name players.
    tables.remember(db, table.club_id, table.game.id, Entries(replace(table, setup=setup)).lasting)
    changed = seats.lay_anew(db, table, setup)
    review_form.cards_told(visit, setup, request.form.getlist("right"))
    if "practice 1" in request.form.getlist("come"):
        changed = tables.practise(db, changed, "practice" in request.form)
    places = [before for _, before in order]
    if places != list(range(len(table.seats))):
        changed = tables.keep_setup(db, changed, tables.reseated(changed.setup, places))
        changed = seats.reseat(db, changed, order, knows_club=visit.membership is not None)
    return changed


def next_address(visit: Visit, go: str) -> str:
    """Return the address to which the button `go` leads: an avatar, the boards, the room, or the help in the game."""
    wearer = number_in(go.removeprefix("look/"))
    if wearer is not None and go.startswith("look/"):
        return url_for("setup.avatar", key=visit.table.key, number=wearer)
    leads = go == "room" or (go == "companion" and visit.entries.companion is not None)
    return onward(visit.table, go if leads else "boards")


def reordered(visit: Visit) -> tuple[Order, str]:
    """Return the players in their order after the pressed button, each with the old seat or None. Also return why a new
    name was refused, or "". A name entered by a guest keeps its spelling, as the club's would reveal that the club
    knows it."""
    table = visit.table
    order: Order = [(seat.name, seat.number) for seat in table.seats]
    posted = request.form
    if "begins_game" in posted:
        return new_table.seated(visit.db, table), ""
    if "remove" in posted:
        gone = number_in(posted["remove"])
        order = [seat for seat in order if seat[1] != gone or gone not in removable(visit)]
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
            name = clubs.spelling(visit.db, table.club_id, typed) if visit.membership else tidied(typed)
            problem = seats.refusal(table, name, [taken for taken, _ in order])
            if problem:
                return order, problem
            order.append((name, None))
    return order, ""


@blueprint.get("/<key>/setup/look/<int(max=99):number>")
def avatar(key: str, number: int) -> str:
    """Show the colours and figures that this player may take."""
    visit = come_to(key)
    return avatar_page(visit, visit.to_enter(visit.seat(number)))


def avatar_page(visit: Visit, wearer: Seat, problem: str = "") -> str:
    others = {seat.name: seat.avatar for seat in visit.table.seats if seat.number != wearer.number}
    return render_template(
        "people/avatar.html",
        table=visit.table,
        wearer=wearer,
        offers=avatars.offers(wearer.avatar, others),
        back=back_from(visit, wearer),
        problem=problem,
    )


def back_from(visit: Visit, wearer: Seat) -> str:
    key = visit.table.key
    plays = visit.table.room is not None and wearer.holder == visit.device
    return url_for("table.show", key=key, number=wearer.number) if plays else url_for("setup.show", key=key)


@blueprint.post("/<key>/setup/look/<int(max=99):number>")
def change_avatar(key: str, number: int) -> Response | str:
    """Save the chosen colour or figure of a player. If a member chose it, the club remembers it."""
    with changing(key) as visit:
        db = visit.db
        wearer = visit.to_enter(visit.seat(number))
        chosen = avatars.chosen(wearer.avatar, request.form)
        if chosen is None:
            abort(404)
        if not seats.set_avatar(db, visit.table, number, chosen):
            return avatar_page(visit, wearer, "taken")
        is_member = visit.membership is not None and visit.membership.may("member")
        known = player_profiles.by_name(db, visit.table.club_id, wearer.name) if is_member else None
        if known:
            player_profiles.change_avatar(db, known, chosen)
    return redirect(back_from(visit, wearer), 303)


@blueprint.post("/<key>/clear")
def discard(key: str) -> Response:
    """Discard the unfinished game."""
    visit = come_to(key, "member")
    tables.clear(visit.db, visit.table)
    return redirect(url_for("home.show"), 303)
