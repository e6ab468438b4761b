"""Show and store a game that a phone may begin without a network.

While there is a network, the home page loads the pages of a table with the key "new". Nothing is stored for them. If a
game is begun without a network, the phone makes a key and puts it in the place of "new", and names in the place of
`ANYBODY`. The table is stored when the first change of its set-up arrives.
"""

from __future__ import annotations

import re

from flask import abort, request

from scorer import games
from scorer.contract import Game, Json
from scorer.names import cleaned, folded
from webapp import avatars, clubs
from webapp.clubs import access, require
from webapp.database import Database, now
from webapp.numbers import number
from webapp.table import forms, relevant_inputs, seats, tables
from webapp.table.tables import Seat, Table

KEY = "new"
MADE_BY_A_PHONE = re.compile(r"[a-z0-9]{20,32}")  # 128 random bits; js/new_game.js makes them
ANYBODY = "~{}~"  # for the name of a player; js/new_game.js knows it as well


def find(db: Database, key: str) -> Table | None:
    """Return a table for the key "new" and the game that the address names, or None. It is not stored.

    Other keys and POST requests get None, and so does a device without a member's rights in its current club. The table
    has as many players as the game allows. Each has a placeholder for a name.
    """
    game, membership = games.find(request.args.get("game", "")), access.current()
    if key != KEY or request.method == "POST" or game is None or membership is None or not membership.may("member"):
        return None
    most = game.players[-1]
    names = [ANYBODY.format(place) for place in (*range(1, most), 0)]
    worn = avatars.distinct(names, [None] * most)
    players = tuple(Seat(place, names[place], None, 1, avatar=worn[place]) for place in range(most))
    return Table(0, KEY, membership.club_id, game, options(db, membership.club_id, game), players, None, now())


def options(db: Database, club_id: int, game: Game) -> Json:
    """Return the options of a new table: the club's last ones, or the defaults."""
    return relevant_inputs.recalled(game, tables.recall(db, club_id, game.id)) or forms.defaults(game.inputs)


def store(db: Database, key: str) -> None:
    """Store the table that a phone began without a network, unless it is stored already. The posted form names its game
    and its club. Answer 404 for a malformed key, and for one that another club or game has."""
    game = games.find(request.form["begins_game"])
    membership = access.in_club(number(request.form.get("begins_club")))
    if game is None or MADE_BY_A_PHONE.fullmatch(key) is None:
        abort(404)
    club_id = require(membership, "member").club_id
    with db.atomic(club_id):
        there = db.row("SELECT club_id, game FROM tables WHERE key = ?", key)
        if there is None:
            tables.add(db, club_id, game, options(db, club_id, game), [], key=key)
        elif (there["club_id"], there["game"]) != (club_id, game.id):
            abort(404)


def seated(db: Database, table: Table) -> list[tuple[str, int | None]]:
    """Return the players that the posted form names in its fields "seated", each with the old seat or None. Names that
    `seats.refusal` refuses are left out."""
    before = {folded(seat.name): seat for seat in table.seats}
    order: list[tuple[str, int | None]] = []
    for named in request.form.getlist("seated"):
        name = clubs.spelling(db, table.club_id, cleaned(named))
        seat = before.get(folded(name))
        if seat is not None:
            name = seat.name
        if not seats.refusal(table, name, [taken for taken, _ in order]):
            order.append((name, None if seat is None else seat.number))
    return order
