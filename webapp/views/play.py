"""Saved games: look at one, correct it, take it out and put it back, play again."""

from __future__ import annotations

import json

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer import games
from scorer.core import Game
from webapp import access, entry, history, tables
from webapp.access import needs, require
from webapp.database import get_db
from webapp.history import Play
from webapp.views.result import told

room = Blueprint("play", __name__, url_prefix="/plays")


def play_of(key: str, role: str) -> tuple[Play, Game]:
    play = history.find(get_db(), key)
    game = games.find(play.game) if play else None
    if play is None or game is None:
        abort(404)
    access.enter(play.club_id, role)
    return play, game


@room.get("")
@needs("viewer")
def listing() -> str:
    club_id = require(access.current(), "viewer").club_id
    names = {game.id: game.name for game in games.everything()}
    return render_template("play/listing.html", plays=history.recent(get_db(), club_id, 100), names=names)


@room.get("/<key>")
def show(key: str) -> str:
    play, game = play_of(key, "viewer")
    return render_template(
        "play/show.html",
        play=play,
        versions=history.versions(get_db(), play),
        **told(game, play.record, play.result),
    )


@room.get("/<key>/versions/<int:number>")
def version(key: str, number: int) -> str:
    """An earlier version, as it was saved."""
    play, game = play_of(key, "viewer")
    old = next((one for one in history.versions(get_db(), play) if one["version"] == number), None)
    if old is None:
        abort(404)
    record, result = json.loads(old["record"]), json.loads(old["result"])
    return render_template("play/version.html", play=play, number=number, **told(game, record, result))


@room.post("/<key>/edit")
def edit(key: str) -> Response:
    play, game = play_of(key, "member")
    table = tables.reopen(get_db(), play.club_id, game, play.record, play.id)
    return redirect(url_for("table.show", key=table, number=0), 303)


@room.post("/<key>/notes")
def note(key: str) -> Response:
    play, _ = play_of(key, "member")
    history.annotate(get_db(), play, request.form.get("notes", "")[:2000])
    return redirect(url_for("play.show", key=key), 303)


@room.post("/<key>/again")
def again(key: str) -> Response:
    """The same people, the same options, empty boards."""
    play, game = play_of(key, "member")
    names = [player["name"] for player in play.record["players"]]
    table = tables.lay(get_db(), play.club_id, game, entry.lasting(game, play.record), names)
    return redirect(url_for("setup.show", key=table), 303)


@room.post("/<key>/delete")
def delete(key: str) -> Response:
    play, _ = play_of(key, "member")
    history.delete(get_db(), play)
    flash("deleted")
    return redirect(url_for("play.show", key=key), 303)


@room.post("/<key>/restore")
def restore(key: str) -> Response:
    play, _ = play_of(key, "member")
    history.restore(get_db(), play)
    return redirect(url_for("play.show", key=key), 303)
