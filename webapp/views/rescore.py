"""Score saved games again by today's rules, for the owner to accept."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from scorer import games
from webapp.clubs import access, audit_log, needs, require
from webapp.database import get_db
from webapp.history import rescore
from webapp.numbers import number
from webapp.page import render_template

blueprint = Blueprint("rescore", __name__, url_prefix="/data/rescore")

LOOKED_AT = 50  # games that a page scores again


@blueprint.get("")
@needs("owner")
def show() -> str:
    db, club_id = get_db(), require(access.current(), "viewer").club_id
    after = number(request.args.get("after")) or 0
    looked_at = list(rescore.candidates(db, club_id, False, after, LOOKED_AT))
    return render_template(
        "data/rescore.html",
        names=games.titles(),
        after=after,
        looked_at=len(looked_at),
        last=looked_at[-1].id if len(looked_at) == LOOKED_AT else None,
        changes=[change for play in looked_at if (change := rescore.rescoring_of(play)) is not None],
    )


@blueprint.post("")
@needs("owner")
def save() -> BaseResponse:
    """Save the new results of the chosen games."""
    db, club_id = get_db(), require(access.current(), "viewer").club_id
    after = number(request.form.get("after")) or 0
    shown = [change.play_id for change in rescore.outdated(db, club_id, after=after, most=LOOKED_AT)]
    wanted = {number(play_id) for play_id in request.form.getlist("play")}
    rescore.mark_current(db, club_id, after, LOOKED_AT)
    for play_id in (play_id for play_id in shown if play_id in wanted):
        with db.atomic(club_id):  # one by one, so that others can write between them
            rescore.apply(db, [play_id])
            audit_log.note(db, club_id, "rescored", play_id=play_id)
    return redirect(url_for("rescore.show", after=after), 303)
