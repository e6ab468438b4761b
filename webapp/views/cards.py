"""Show the club's card box of a game, export it as a file, and import another group's file."""

from __future__ import annotations

import json
from collections.abc import Sequence

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from scorer import games
from scorer.cardbox import Merge
from scorer.contract import Game, Problem
from scorer.jsontext import NotJson, read_json
from webapp.clubs import access, needs, require
from webapp.database import get_db
from webapp.page import render_template
from webapp.table import cardboxes

blueprint = Blueprint("cards", __name__, url_prefix="/cards/<name>")


@blueprint.url_value_preprocessor
def check_role(endpoint: str | None, _: object) -> None:
    """Refuse an imported file from anyone but members, before the CSRF check reads the whole body."""
    if endpoint == "cards.import_box":
        require(access.current(), "member")


def game_of(name: str) -> Game:
    game = games.find(name)
    if game is None or game.cardbox is None:
        abort(404)
    return game


def club_id() -> int:
    return require(access.current(), "viewer").club_id


@blueprint.get("")
@needs("viewer")
def show(name: str) -> str:
    return page(game_of(name))


def page(game: Game, merged: Merge | None = None, unreadable: bool = False, refused: Sequence[Problem] = ()) -> str:
    box = cardboxes.box_of(get_db(), club_id(), game)
    return render_template("cards/show.html", game=game, box=box, merged=merged, unreadable=unreadable, refused=refused)


@blueprint.get("/file")
@needs("viewer")
def export(name: str) -> Response:
    """Return the club's box of the game `name` as a file that other groups can import."""
    game = game_of(name)
    box, _ = cardboxes.of(game).export(cardboxes.box_of(get_db(), club_id(), game))
    answer = Response(json.dumps(box, ensure_ascii=False, indent=1) + "\n", mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game.id}-cards.json"'
    return answer


@blueprint.post("/file")
@needs("member")
def import_box(name: str) -> str:
    """Import another group's box for the game `name`, and show the cards that it describes differently from ours.

    Ours stay, unless people replace them on that page.
    """
    game, file = game_of(name), request.files.get("box")
    try:
        theirs = read_json(file.read() if file else b"")
    except NotJson:
        return page(game, unreadable=True)
    return page(game, cardboxes.take_in(get_db(), club_id(), game, theirs))


@blueprint.post("/put")
@needs("member")
def put(name: str) -> Answer:
    """Replace a card in the club's box of the game `name` by the posted one, another group's description of it. The
    form's "card" is a JSON list of the kind and the card."""
    game = game_of(name)
    try:
        chosen = read_json(request.form.get("card", "").encode("utf-8", "replace"))
    except NotJson:
        abort(400)
    if not (isinstance(chosen, list) and len(chosen) == 2 and isinstance(chosen[0], str)):
        abort(400)
    cardboxes.describe(get_db(), club_id(), game, *chosen)
    return redirect(url_for("cards.show", name=name), 303)


@blueprint.post("/remove")
@needs("member")
def remove(name: str) -> Answer:
    for kind, card in cardboxes.pressed(request.form.getlist("card"), 2):
        cardboxes.forget(get_db(), club_id(), game_of(name), kind, card)
    return redirect(url_for("cards.show", name=name), 303)


@blueprint.post("/rename")
@needs("member")
def rename(name: str) -> Answer | str:
    """Rename a card in the club's box of the game `name`. Saved games keep the card's old name."""
    game, renamed = game_of(name), None
    for kind, card in cardboxes.pressed(request.form.getlist("card"), 2):
        renamed = cardboxes.rename(get_db(), club_id(), game, kind, card, request.form.get("to", "").strip())
    if renamed is not None and renamed.problems:
        return page(game, refused=renamed.problems)
    return redirect(url_for("cards.show", name=name), 303)
