"""Who may do what: devices carry their clubs in a signed cookie; links let them in; renewing one puts them out."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import Flask, abort, g, request, session
from flask.sessions import SecureCookieSessionInterface, SessionMixin

from webapp.clubs import club, invitations
from webapp.clubs.invitations import ROLES, Membership
from webapp.database import Database, get_db

P = ParamSpec("P")
R = TypeVar("R")


class Sessions(SecureCookieSessionInterface):
    """Signed cookies, sent over HTTPS only where there is HTTPS: at home a table often has none."""

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002, Flask calls it so
        return request.is_secure

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:  # noqa: ARG002, Flask calls it so
        """Prolonged at the front door only: of two answers on their way, the later must not undo the other's."""
        return session.modified or (session.permanent and request.endpoint == "home.show")


def secret_key(db: Database) -> str:
    """The key that signs cookies: made once, kept in the database, so that a restart signs nobody out."""
    with db.atomic():
        db.execute("INSERT OR IGNORE INTO settings (name, value) VALUES ('secret_key', ?)", [secrets.token_hex(32)])
    row = db.row("SELECT value FROM settings WHERE name = 'secret_key'")
    assert row is not None
    return str(row["value"])


class Keyring:
    """The clubs this device carries in its cookie. Whether its right to each still holds is asked once a request."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.held: dict[str, Membership | None] = {}
        self.known: dict[int, tuple[str, str]] = {}

    def in_club(self, club_id: int | str | None) -> Membership | None:
        """This device's place in that club; a renewed link ends it."""
        key = str(club_id)
        if key not in self.held:
            carried = _carried(key)
            self.held[key] = carried if carried and invitations.is_current(self.db, carried) else None
        return self.held[key]

    def current(self) -> Membership | None:
        """In the club looked at last, or else in the first that still lets this device in."""
        tried = (session.get("club"), *session.get("clubs", {}))
        return next((found for club_id in tried if (found := self.in_club(club_id))), None)

    def name_of(self, club_id: int) -> str:
        return self._look_up(club_id)[0]

    def zone_of(self, club_id: int) -> str:
        return self._look_up(club_id)[1]

    def _look_up(self, club_id: int) -> tuple[str, str]:
        if club_id not in self.known:
            self.known[club_id] = club.name_and_zone(self.db, club_id)
        return self.known[club_id]


def _carried(key: str) -> Membership | None:
    role, generation = session.get("clubs", {}).get(key, (None, 0))
    return Membership(int(key), role, generation) if role in ROLES else None


def keyring() -> Keyring:
    """That of the request which is being answered."""
    if "keyring" not in g:
        g.keyring = Keyring(get_db())
    found: Keyring = g.keyring
    return found


def welcome(membership: Membership) -> None:
    """Remember on this device that it is in the club. A weaker link never takes a stronger right away."""
    g.pop("keyring", None)  # the links may be new ones by now
    known = in_club(membership.club_id)
    if known and known.may(membership.role):
        membership = known
    session.permanent = True
    held = {**session.get("clubs", {}), str(membership.club_id): [membership.role, membership.generation]}
    session["clubs"], session["club"] = held, membership.club_id
    g.pop("keyring", None)


def leave(club_id: int) -> None:
    """Forget the club on this device."""
    session["clubs"] = {key: value for key, value in session.get("clubs", {}).items() if key != str(club_id)}
    if session.get("club") == club_id:
        session.pop("club")
    g.pop("keyring", None)


def current() -> Membership | None:
    """The club this device is looking at, if it still has a right to."""
    return keyring().current()


def in_club(club_id: int | str | None) -> Membership | None:
    return keyring().in_club(club_id)


def needs(role: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Only for devices that hold this role, or a higher one, in the club they look at."""

    def guard(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            require(current(), role)
            return view(*args, **kwargs)

        return guarded

    return guard


def require(membership: Membership | None, role: str) -> Membership:
    """Strangers learn nothing, not even that there is something; members learn what they lack."""
    if membership is None:
        abort(404)
    if not membership.may(role):
        abort(403)
    return membership


def enter(club_id: int, role: str) -> Membership:
    """The right to something that belongs to that club, which becomes the one looked at."""
    membership = require(in_club(club_id), role)
    look_at(membership)
    return membership


def look_at(membership: Membership) -> None:
    """The club whose pages this device sees from now on."""
    if session.get("club") != membership.club_id:
        session["club"] = membership.club_id


def may(role: str) -> bool:
    membership = current()
    return membership is not None and membership.may(role)


def club_name() -> str:
    membership = current()
    return keyring().name_of(membership.club_id) if membership else ""


def zone() -> str:
    """The time zone of the club this device is looking at, "" if it has none."""
    membership = current()
    return keyring().zone_of(membership.club_id) if membership else ""
