"""The club: its name, its invitations, and this device's place in it."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from scorer import games
from scorer.names import is_writable
from scorer.reading import MAX_NAME
from webapp import clubs, days
from webapp.clubs import ROLES, Limit, Membership, access, address, needs, require
from webapp.database import get_db
from webapp.history import zones as history
from webapp.qr import qr

room = Blueprint("club", __name__, url_prefix="/club")

founding = Limit(attempts=5, seconds=3600)


def here() -> Membership:
    return require(access.current(), "viewer")


@room.get("")
@needs("viewer")
def show() -> str:
    membership, db = here(), get_db()
    tokens = clubs.links(db, membership.club_id)
    invitations = [
        (role, address, qr(address))
        for role in ROLES
        if membership.may(role)
        for address in [url_for("home.join", token=tokens[role], _external=True)]
    ]
    held = [(int(key), access.keyring().name_of(int(key))) for key in session.get("clubs", {}) if access.in_club(key)]
    boxed = [game for game in games.everything() if game.cardbox]
    return render_template("club/show.html", invitations=invitations, held=held, here=membership, boxed=boxed)


@room.post("/renew/<role>")
@needs("owner")
def renew(role: str) -> Response:
    if role not in ROLES:
        abort(404)
    membership = here()
    renewed = clubs.renew(get_db(), membership.club_id, role)
    if role == membership.role:
        access.welcome(renewed)
    return redirect(url_for("club.show", _anchor=role), 303)


@room.post("/name")
@needs("owner")
def rename() -> Response:
    name = request.form.get("name", "").strip()
    if name and len(name) <= MAX_NAME and is_writable(name):
        clubs.rename(get_db(), here().club_id, name)
    return redirect(url_for("club.show"), 303)


@room.get("/zone")
@needs("owner")
def zones() -> str:
    """By continent, the zones to choose from."""
    return render_template("club/zone.html", zones=[(name, *name.split("/", 1)) for name in days.names()])


@room.post("/zone")
@needs("member")
def settle_zone() -> Response:
    """Where the club is: guessed by the first device that comes along, or chosen by an owner."""
    guessed = "guessed" in request.form
    if not guessed:
        require(access.current(), "owner")
    zone = request.form.get("zone", "")
    if not days.is_zone(zone):
        abort(400)
    history.settle(get_db(), here().club_id, zone, guessed)
    return redirect(url_for("club.show"), 303)


@room.post("/switch")
@needs("viewer")
def switch() -> Response:
    chosen = request.form.get("club", "")
    if chosen.isdecimal():
        access.enter(int(chosen), "viewer")
    return redirect(url_for("home.show"), 303)


@room.post("/leave")
@needs("viewer")
def leave() -> Response:
    access.leave(here().club_id)
    return redirect(url_for("home.show"), 303)


@room.post("/found")
def found() -> Response:
    """A new club from the web, where the operator allows it."""
    if current_app.config["SIGNUP"] != "open":
        abort(404)
    founding.check(address())
    name = request.form.get("name", "").strip()
    if not (name and len(name) <= MAX_NAME and is_writable(name)):
        abort(400)
    db = get_db()
    club_id = clubs.found(db, name)
    owner = clubs.admit(db, clubs.links(db, club_id)["owner"])
    assert owner is not None
    access.welcome(owner)
    return redirect(url_for("club.show"), 303)
