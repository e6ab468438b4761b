"""Show the club: its name, its invitations, the devices in it, and its log."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, flash, redirect, request, session, url_for
from werkzeug.wrappers import Response

from scorer import games
from scorer.names import is_writable, tidied
from scorer.record import MAX_NAME, name_fault
from scorer.sentences import Sentence
from webapp import clubs, days
from webapp.clubs import ROLES, Device, Limit, Membership, access, address, needs, require
from webapp.database import get_db
from webapp.history import time_zone as history
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.qr import qr
from webapp.table import Room, events, phones, rooms, tables

blueprint = Blueprint("club", __name__, url_prefix="/club")

founding = Limit("clubs", attempts=5, seconds=3600)
founding_in_a_day = Limit("clubs in a day", attempts=10, seconds=24 * 3600)


def current_membership() -> Membership:
    return require(access.current(), "viewer")


@blueprint.get("")
@needs("viewer")
def show() -> str:
    membership, db = current_membership(), get_db()
    tokens = clubs.links(db, membership.club_id)
    offered = [role for role in ROLES if membership.may(role)]
    chosen = request.args.get("invite", "member")
    chosen = chosen if chosen in offered else offered[-1]
    invitation = url_for("home.join", token=tokens[chosen], _external=True)
    held = [(int(key), access.keyring().name_of(int(key))) for key in session.get("clubs", {}) if access.in_club(key)]
    rules = membership.may("owner")
    return render_template(
        "club/show.html",
        offered=offered,
        chosen=chosen,
        invitation=invitation,
        qr=qr(invitation),
        held=held,
        here=membership,
        boxed=[game for game in games.all_games() if game.cardbox],
        devices=clubs.devices.listed(db, membership.club_id) if rules else [membership.device],
        guests=guests(membership.club_id) if rules else [],
        names=games.titles(),
        kind_in_words=clubs.kind_in_words,
        audit_log=clubs.audit_log.of_club(db, membership.club_id) if membership.may("member") else [],
    )


@blueprint.post("/renew/<role>")
@needs("owner")
def renew(role: str) -> Response:
    """Replace the invitation link for a role. Devices that joined by the old link are removed, except this one."""
    if role not in ROLES:
        abort(404)
    membership, db = current_membership(), get_db()
    with db.atomic(membership.club_id):
        for device in clubs.renew(db, membership.club_id, role, but=membership.device.id):
            phones.put_out(db, membership.club_id, device.phone)
        clubs.audit_log.note(db, membership.club_id, "renewed", role)
    end_streams(membership.club_id)
    return redirect(url_for("club.show", invite=role), 303)


def guests(club_id: int) -> list[tuple[Room, str | Sentence, phones.Phone]]:
    """Return, for each guest in a room of the club, the room, the room's title and the guest's phone."""
    db = get_db()
    return [(found, rooms.title(db, found), phone) for found, phone in phones.guests_of(db, club_id)]


def end_streams(club_id: int) -> None:
    """End the live updates of all the club's tables and rooms. Phones that may still have them soon reconnect."""
    db = get_db()
    events.feed().dismiss_all([*rooms.keys(db, club_id), *tables.keys(db, club_id)])


@blueprint.post("/name")
@needs("owner")
def rename() -> Response:
    name, db, club_id = request.form.get("name", "").strip(), get_db(), current_membership().club_id
    if name and len(name) <= MAX_NAME and is_writable(name):
        with db.atomic(club_id):
            clubs.rename(db, club_id, name)
            clubs.audit_log.note(db, club_id, "named", name)
    return redirect(url_for("club.show"), 303)


@blueprint.post("/devices/<int(max=999999999):number>/name")
@needs("viewer")
def rename_device(number: int) -> Response:
    """Rename a device: owners rename any device, others only their own."""
    membership, db = current_membership(), get_db()
    name = tidied(request.form.get("name", ""))
    with db.atomic(membership.club_id):
        device = device_of(membership, number, own=True)
        if name and name_fault(name):
            flash("unwritable")
        elif name != device.name:
            before, after = str(device.called), name or str(clubs.kind_in_words(device.kind))
            clubs.audit_log.note(db, membership.club_id, "called", before, after)
            clubs.devices.rename(db, device, name)
    return redirect(url_for("club.show", _anchor="devices"), 303)


def device_of(membership: Membership, number: int, own: bool = False) -> Device:
    """Return the club's device with this number, or answer 404. Answer 403 unless this device is an owner's; with
    `own`, every device may get itself."""
    if not (own and number == membership.device.id):
        require(membership, "owner")
    device = clubs.devices.by_id(get_db(), membership.club_id, number)
    if device is None:
        abort(404)
    return device


@blueprint.post("/devices/<int(max=999999999):number>/remove")
@needs("owner")
def remove(number: int) -> Response:
    """Remove a device. It can't open the club any more, and its players become free."""
    membership, db = current_membership(), get_db()
    if number == membership.device.id:
        return leave()
    with db.atomic(membership.club_id):
        device = device_of(membership, number)
        clubs.audit_log.note(db, membership.club_id, "removed", str(device.called))
        clubs.devices.end(db, device)
        phones.put_out(db, membership.club_id, device.phone)
    end_streams(membership.club_id)
    return redirect(url_for("club.show", _anchor="devices"), 303)


@blueprint.post("/guests/<key>/<mark>/remove")
@needs("owner")
def remove_guest(key: str, mark: str) -> Response:
    """Remove the guest whose phone has the public id `mark` from a room. Boards that the guest entered stay."""
    membership, db = current_membership(), get_db()
    found = rooms.find(db, key=key)
    if found is None or found.club_id != membership.club_id:
        abort(404)
    with db.atomic(membership.club_id):
        guest = next((one for one in phones.there(db, found) if one.mark == mark and not one.in_club), None)
        row = phones.by_mark(db, found, mark)
        if guest is None or row is None:
            abort(404)
        clubs.audit_log.note(db, membership.club_id, "removed", str(clubs.kind_in_words(guest.kind)))
        phones.remove(db, found, row["device"])
        rooms.announce(db, found)
    events.feed().dismiss_all([key, *rooms.tables_in(db, found)])
    return redirect(url_for("club.show", _anchor="devices"), 303)


@blueprint.get("/zone")
@needs("owner")
def zones() -> str:
    return render_template("club/zone.html", zones=days.names())


@blueprint.post("/zone")
@needs("member")
def settle_zone() -> Response | tuple[str, int]:
    """Set the club's time zone: guessed by the first device that can, or chosen by an owner."""
    guessed = "guessed" in request.form
    if not guessed:
        require(access.current(), "owner")
    typed = request.form.get("zone", "")
    zone = days.find_zone(typed)
    if zone is None:
        return render_template("club/zone.html", zones=days.names(), typed=typed), 400
    history.change_zone(get_db(), current_membership().club_id, zone, guessed)
    return redirect(url_for("club.show"), 303)


@blueprint.post("/switch")
@needs("viewer")
def switch() -> Response:
    chosen = number_in(request.form.get("club"))
    if chosen is not None:
        access.enter(chosen, "viewer")
    return redirect(url_for("home.show"), 303)


@blueprint.post("/leave")
@needs("viewer")
def leave() -> Response:
    membership, db = current_membership(), get_db()
    with db.atomic(membership.club_id):
        clubs.audit_log.note(db, membership.club_id, "left")
        phones.put_out(db, membership.club_id, membership.device.phone)
        access.leave(membership)
    end_streams(membership.club_id)
    return redirect(url_for("home.show"), 303)


@blueprint.post("/found")
def create() -> Response:
    """Create a club, if the server's settings allow anybody to do that."""
    if current_app.config["SIGNUP"] != "open":
        abort(404)
    founding.check(address())
    founding_in_a_day.check(address())
    name = request.form.get("name", "").strip()
    if not (name and len(name) <= MAX_NAME and is_writable(name)):
        abort(400)
    db = get_db()
    club_id = clubs.create(db, name)
    owner = clubs.find_invitation(db, clubs.links(db, club_id)["owner"])
    assert owner is not None
    membership = access.grant_access(owner, way="founded")
    assert membership is not None, "nobody has seen its links yet"
    access.select_club(membership)
    return redirect(url_for("club.show"), 303)
