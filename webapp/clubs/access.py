"""Check the rights of devices. A device's cookie has a key for each of its clubs, and following a link adds one."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import Response, abort, after_this_request, g, request, session

from webapp.clubs import club, devices, user_agents
from webapp.clubs.devices import Device
from webapp.clubs.invitations import ROLES, Invitation, new_token
from webapp.database import Database, get_db

P = ParamSpec("P")
R = TypeVar("R")


def secret_key(db: Database) -> str:
    """Return the key that signs cookies; it is made once and stored, so that a restart signs nobody out."""
    with db.atomic(0):
        db.execute(
            "INSERT INTO settings (name, value) VALUES ('secret_key', ?) ON CONFLICT DO NOTHING",
            [secrets.token_hex(32)],
        )
    row = db.row("SELECT value FROM settings WHERE name = 'secret_key'")
    assert row is not None
    return str(row["value"])


@dataclass(frozen=True, slots=True)
class Membership:
    """Represent the membership of a device in a club."""

    device: Device

    @property
    def club_id(self) -> int:
        return self.device.club_id

    @property
    def role(self) -> str:
        return self.device.role

    def may(self, role: str) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)


class Keyring:
    """Hold the clubs in this device's cookie, and check each membership at most once a request."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.held: dict[str, Membership | None] = {}
        self.looked_at: int | None = session.get("club")
        self.known: dict[int, tuple[str, str]] = {}

    def in_club(self, club_id: int | str | None) -> Membership | None:
        """Return this device's membership in the club, or None if it has none or it has ended."""
        key = str(club_id)
        if key not in self.held:
            carried = session.get("clubs", {}).get(key)
            device = devices.find(self.db, int(key), carried) if isinstance(carried, str) else None
            self.held[key] = Membership(device) if device else None
            if device is not None and device.seen_long_ago:
                after_this_request(noting_visit(self.db, device))
        return self.held[key]

    def current(self) -> Membership | None:
        """Return the membership in the club used last, or in the first club that still admits this device."""
        tried = (self.looked_at, *session.get("clubs", {}))
        return next((found for club_id in tried if (found := self.in_club(club_id))), None)

    def name_of(self, club_id: int) -> str:
        return self._look_up(club_id)[0]

    def zone_of(self, club_id: int) -> str:
        return self._look_up(club_id)[1]

    def _look_up(self, club_id: int) -> tuple[str, str]:
        if club_id not in self.known:
            self.known[club_id] = club.name_and_zone(self.db, club_id)
        return self.known[club_id]


def keyring() -> Keyring:
    if "keyring" not in g:
        g.keyring = Keyring(get_db())
    found: Keyring = g.keyring
    return found


def noting_visit(db: Database, device: Device) -> Callable[[Response], Response]:
    """Return a function that, after the request, stores that the device was here, unless somebody else is writing."""

    def note(response: Response) -> Response:
        with db.unless_others_write(device.club_id) as now:
            if now:
                devices.note_visit(db, device, agent())
        return response

    return note


def agent() -> str:
    return user_agents.kind_of(request.user_agent.string)


# -- coming and going ---


def phone_id() -> str:
    """Return the secret id by which rooms know this device; it is made if there is none."""
    if "device" not in session:
        session.permanent = True
        session["device"] = new_token()
    name: str = session["device"]
    return name


def grant_access(invitation: Invitation, way: str = "link") -> Membership | None:
    """Add this device to the club, or return None if the link has been replaced.

    A weaker link never takes a stronger role away. `way` is how the device came, such as "link" or "founded".
    """
    known = in_club(invitation.club_id)
    if known is not None and known.may(invitation.role):
        return known
    if known is None and str(invitation.club_id) in session.get("clubs", {}):
        forget_phone_id()  # it was removed, and a copy of its cookie must not get its seats
    device = devices.add_device(get_db(), invitation, phone_id(), agent(), known.device if known else None, way)
    if device is None:
        return None
    session.permanent = True
    session["clubs"] = {**session.get("clubs", {}), str(device.club_id): device.key}
    g.pop("keyring", None)
    return Membership(device)


def leave(membership: Membership) -> None:
    """End this device's membership in the club, for every copy of its cookie."""
    devices.end(get_db(), membership.device)
    session["clubs"] = {key: value for key, value in session["clubs"].items() if key != str(membership.club_id)}
    if session.get("club") == membership.club_id:
        session.pop("club")
    forget_phone_id()
    g.pop("keyring", None)


def forget_phone_id() -> None:
    """Drop the id of this device in rooms, unless a room still has it."""
    if "device" in session and not get_db().row("SELECT 1 FROM phones WHERE device = ?", session["device"]):
        session.pop("device")


# -- rights ---


def current() -> Membership | None:
    """Return the membership in the club used last, or in the first club that still admits this device."""
    return keyring().current()


def in_club(club_id: int | str | None) -> Membership | None:
    return keyring().in_club(club_id)


def needs(role: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for views that need at least this role in the current club. Others get a 403 or 404."""

    def guard(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            require(current(), role)
            return view(*args, **kwargs)

        return guarded

    return guard


def require(membership: Membership | None, role: str) -> Membership:
    """Return the membership if it has at least this role, else abort: 404 for strangers, 403 for members."""
    if membership is None:
        abort(404)
    if not membership.may(role):
        abort(403)
    return membership


def enter(club_id: int, role: str) -> Membership:
    """Return the membership in this club, and make the club the current one; abort unless it has at least this role."""
    membership = require(in_club(club_id), role)
    select_club(membership)
    return membership


def select_club(membership: Membership) -> None:
    """Make this club the current one. If another site has led here, this holds for this request only."""
    keyring().looked_at = membership.club_id
    if session.get("club") != membership.club_id and not (is_foreign() and keyring().in_club(session.get("club"))):
        session["club"] = membership.club_id


def is_foreign() -> bool:
    """Return whether a page of another site has led here, by Sec-Fetch-Site or, without HTTPS, by Origin or Referer."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in {"same-origin", "none"}
    came_from = request.headers.get("Origin") or request.headers.get("Referer")
    return came_from is not None and urlsplit(came_from).netloc != request.host


def is_prefetch() -> bool:
    """Return whether nobody sees the answer: a program asks for headers, or a browser loads a page in advance."""
    purposes = (request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"))
    return request.method == "HEAD" or any("prefetch" in purpose or "preview" in purpose for purpose in purposes)


def prefetch_answer() -> Response:
    """Return the empty answer to a prefetch; the browser asks again when its user opens the page."""
    return Response(status=204 if request.method == "HEAD" else 503)


def may(role: str) -> bool:
    membership = current()
    return membership is not None and membership.may(role)


def club_name() -> str:
    membership = current()
    return keyring().name_of(membership.club_id) if membership else ""


def zone() -> str:
    """Return the time zone of the current club, or "" if none is known."""
    membership = current()
    return keyring().zone_of(membership.club_id) if membership else ""
