"""The cookie that a device carries: signed, and never out of date by our clock.

Over HTTPS its name begins with `__Host-`, which browsers let nobody set but this very host over HTTPS, and only for all
of its paths; below a path it begins with `__Secure-`. At home a table often has no HTTPS, and there the name is the
plain one. A clock that leaps, such as a Pi's without a battery, must sign
nobody out: the signature has no age, and the browser is told how long to keep the cookie, not until when.
"""

from __future__ import annotations

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature
from werkzeug.http import dump_cookie

HOST_ONLY, HTTPS_ONLY = "__Host-", "__Secure-"


class Sessions(SecureCookieSessionInterface):
    """Flask's signed cookies, but for their name and their age."""

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002, Flask calls it so
        return request.is_secure

    def get_cookie_name(self, app: Flask) -> str:
        return self._names(app)[0]

    def _names(self, app: Flask) -> list[str]:
        """Return its name, and those it may have had before: at another path, or without HTTPS."""
        plain = super().get_cookie_name(app)
        if not request.is_secure:
            return [plain]
        prefixes = [HOST_ONLY] if self.get_cookie_path(app) == "/" else [HTTPS_ONLY, HOST_ONLY]
        return [*(f"{prefix}{plain}" for prefix in prefixes), plain]

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:  # noqa: ARG002, Flask calls it so
        """Prolonged at the front door only: of two answers on their way, the later must not undo the other's."""
        if request.endpoint == "static":  # kept by everybody on the way
            return False
        return session.modified or (session.permanent and request.endpoint == "home.show")

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return what the device carries, also by the plain name: there it stood before, and stays for plain pages."""
        signed = self.get_signing_serializer(app)
        if signed is None:
            return None
        for name in self._names(app):
            try:
                carried = self.session_class(signed.loads(request.cookies.get(name, "")))
            except BadSignature:
                continue
            carried.modified = name != self.get_cookie_name(app)  # moves to its new name with this answer
            return carried
        return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if session.accessed:
            response.vary.add("Cookie")
        if not self.should_set_cookie(app, session) or (signed := self.get_signing_serializer(app)) is None:
            return
        response.vary.add("Cookie")
        cookie = dump_cookie(
            self.get_cookie_name(app),
            str(signed.dumps(dict(session))),
            max_age=app.permanent_session_lifetime if session.permanent else None,
            path=self.get_cookie_path(app),
            secure=self.get_cookie_secure(app),
            httponly=True,
            samesite=self.get_cookie_samesite(app),
            sync_expires=False,
        )
        response.headers.add("Set-Cookie", cookie)
