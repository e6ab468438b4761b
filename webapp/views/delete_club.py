"""Delete a club. An owner enters its name by hand and then confirms."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer.names import folded
from webapp import clubs
from webapp.clubs import access, needs, require
from webapp.database import get_db
from webapp.history import delete_club
from webapp.page import render_template

blueprint = Blueprint("delete_club", __name__, url_prefix="/club/end")


@blueprint.get("")
@needs("owner")
def show() -> str:
    return render_template("delete_club/show.html", wrong=False)


@blueprint.post("")
@needs("owner")
def delete() -> str | Response | tuple[str, int]:
    """Check the name that was entered, ask once more on another page, then delete the club."""
    membership, db = require(access.current(), "owner"), get_db()
    typed = request.form.get("name", "")
    if folded(typed) != folded(clubs.name_of(db, membership.club_id)):
        return render_template("delete_club/show.html", wrong=True), 422
    if request.form.get("sure") != "yes":
        [plays] = db.execute("SELECT count(*) FROM plays WHERE club_id = ?", [membership.club_id]).fetchone()
        return render_template("delete_club/sure.html", typed=typed, plays=plays)
    access.leave(membership)
    delete_club.begin(db, membership.club_id)
    return redirect(url_for("home.show"), 303)
