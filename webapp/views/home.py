"""The home page: start scoring, go on with a table, look at the latest games; and the way in by invitation."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response

from scorer import games
from webapp import clubs
from webapp.clubs import Limit, access, address
from webapp.database import get_db
from webapp.history import listing
from webapp.table import tables

room = Blueprint("home", __name__)

# A token has 128 random bits; the limit only keeps somebody who tries from keeping us busy.
joining = Limit(attempts=30, seconds=60)


@room.get("/")
def show() -> str:
    membership = access.current()
    if membership is None:
        return render_template("home/stranger.html", games=games.everything())
    db, club_id = get_db(), membership.club_id
    return render_template(
        "home/show.html",
        games=games.everything(),
        names={game.id: game.name for game in games.everything()},
        unfinished=tables.unfinished(db, club_id),
        recent=listing.recent(db, club_id, 5),
    )


@room.get("/join/<token>")
def join(token: str) -> Response:
    joining.check(address())
    membership = clubs.admit(get_db(), token)
    if membership is None:
        abort(404)
    access.welcome(membership)
    return redirect(url_for("home.show"), 303)
