"""Show the home page and invitations to a club."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer import games
from webapp import clubs
from webapp.clubs import Invitation, Limit, access, address
from webapp.database import get_db
from webapp.history import listing
from webapp.page import render_template
from webapp.table import example, tables

blueprint = Blueprint("home", __name__)

# A token has 128 random bits and can't be guessed. The limit only protects the server from attempts.
joining = Limit("links of clubs", attempts=30, seconds=60)


@blueprint.get("/")
def show() -> str:
    membership = access.current()
    if membership is None:
        return render_template("home/stranger.html", games=games.all_games(), shown=example.glance())
    db, club_id = get_db(), membership.club_id
    recent = listing.recent(db, club_id, 5)
    latest = recent[0].game if recent else ""
    return render_template(
        "home/show.html",
        games=sorted(games.all_games(), key=lambda game: game.id != latest),  # the game played last comes first
        names=games.titles(),
        unfinished=tables.unfinished(db, club_id),
        recent=recent,
    )


@blueprint.get("/join/<token>")
def join(token: str) -> str | Response:
    """Show an invitation. Joining takes a tap, because messengers and browsers open links before people do."""
    if access.is_prefetch():
        return access.prefetch_answer()
    invitation, db = invited(token), get_db()
    known, here = access.in_club(invitation.club_id), access.current()
    is_in = known is not None and known.may(invitation.role)
    if is_in and known == here:
        return redirect(url_for("home.show"), 303)
    return render_template(
        "club/invited.html",
        club=clubs.name_of(db, invitation.club_id),
        role=invitation.role,
        token=token,
        is_in=is_in,
        elsewhere=access.is_foreign() and here is not None and here != known,
    )


@blueprint.post("/join/<token>")
def enter(token: str) -> Response:
    """Join the club. If the link was opened from another site, the device keeps showing its current club."""
    here, membership = access.current(), access.grant_access(invited(token))
    if membership is None:
        abort(404)
    if "elsewhere" in request.form and here is not None and here.club_id != membership.club_id:
        access.select_club(here)
        flash("joined_besides")
        return redirect(url_for("club.show"), 303)
    access.select_club(membership)
    return redirect(url_for("home.show"), 303)


def invited(token: str) -> Invitation:
    joining.check(address())
    invitation = clubs.find_invitation(get_db(), token)
    if invitation is None:
        abort(404)
    return invitation
