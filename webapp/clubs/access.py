"""Who may do what: devices carry their clubs in a signed cookie; links let them in; renewing one puts them out."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import abort, g, request, session
from flask.sessions import SecureCookieSessionInterface, SessionMixin

from webapp.clubs import register as clubs
from webapp.clubs.register import Membership
from webapp.database import Database, get_db

View = TypeVar("View", bound=Callable[..., Any])


class Sessions(SecureCookieSessionInterface):
    """Signed cookies, sent over HTTPS only where there is HTTPS: at home a table often has none."""

    def get_cookie_secure(self, app: Any) -> bool:
        return request.is_secure

    def should_set_cookie(self, app: Any, session: SessionMixin) -> bool:
        """Prolonged at the front door only: of two answers on their way, the later must not undo the other's."""
        return session.modified or (session.permanent and request.endpoint == "home.show")


def secret_key(db: Database) -> str:
    """The key that signs cookies: made once, kept in the database, so that a restart signs nobody out."""
    with db.atomic():
        db["settings"].insert({"name": "secret_key", "value": secrets.token_hex(32)}, ignore=True)
    row = db.row("SELECT value FROM settings WHERE name = 'secret_key'")
    assert row is not None
    return str(row["value"])


def welcome(membership: Membership) -> None:
    """Remember on this device that it is in the club. A weaker link never takes a stronger right away."""
    known = _carried(membership.club_id)
    if known and known.may(membership.role) and clubs.is_current(get_db(), known):
        membership = known
    session.permanent = True
    held = {**session.get("clubs", {}), str(membership.club_id): [membership.role, membership.generation]}
    session["clubs"], session["club"] = held, membership.club_id
    g.pop("membership", None)


def leave(club_id: int) -> None:
    """Forget the club on this device."""
    session["clubs"] = {key: value for key, value in session.get("clubs", {}).items() if key != str(club_id)}
    if session.get("club") == club_id:
        session.pop("club")
    g.pop("membership", None)


def current() -> Membership | None:
    """The club this device is looking at, if it still has a right to."""
    if "membership" not in g:
        g.membership = in_club(session.get("club"))
        if g.membership is None:
            others = (in_club(int(key)) for key in session.get("clubs", {}))
            g.membership = next((found for found in others if found), None)
    membership: Membership | None = g.membership
    return membership


def in_club(club_id: Any) -> Membership | None:
    """This device's standing in that club; a renewed link ends it."""
    carried = _carried(club_id)
    return carried if carried and clubs.is_current(get_db(), carried) else None


def _carried(club_id: Any) -> Membership | None:
    role, generation = session.get("clubs", {}).get(str(club_id), (None, 0))
    return Membership(int(club_id), role, generation) if role in clubs.ROLES else None


def needs(role: str) -> Callable[[View], View]:
    """Only for devices that hold this role, or a higher one, in the club they look at."""

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
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
    session["club"] = club_id
    g.membership = membership
    return membership


def may(role: str) -> bool:
    membership = current()
    return membership is not None and membership.may(role)


def club_name() -> str:
    membership = current()
    return clubs.name_of(get_db(), membership.club_id) if membership else ""


class Limit:
    """At most so many attempts in so many seconds from one address. Kept in memory: we run as one process."""

    def __init__(self, attempts: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.attempts, self.seconds, self.clock = attempts, seconds, clock
        self.seen: dict[str, list[float]] = {}

    def check(self, who: str) -> None:
        """Count an attempt; too many are told to wait."""
        moment = self.clock()
        if len(self.seen) > 10_000:  # forget those who have long stopped
            self.seen = {key: times for key, times in self.seen.items() if times[-1] > moment - self.seconds}
        recent = [past for past in self.seen.get(who, []) if past > moment - self.seconds]
        if len(recent) >= self.attempts:
            abort(429)
        self.seen[who] = [*recent, moment]


def address() -> str:
    return request.remote_addr or "unknown"
