"""Sign the cookie of a device, without an age that a wrong clock could end.

Over HTTPS its name begins with `__Host-`, which browsers accept only from this host, over HTTPS and for all paths;
below a path it begins with `__Secure-`. Without HTTPS, as often at home, the name has no prefix. The clock of a Pi
without a battery can jump, which must sign nobody out. So the signature has no age, and the browser gets a duration,
not a date.
"""

from __future__ import annotations

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature
from werkzeug.http import dump_cookie

HOST_ONLY, HTTPS_ONLY = "__Host-", "__Secure-"


class Sessions(SecureCookieSessionInterface):
    """Change the name and the age of Flask's signed cookies."""

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002, Flask calls it so
        return request.is_secure

    def get_cookie_name(self, app: Flask) -> str:
        return self._names(app)[0]

    def _names(self, app: Flask) -> list[str]:
        """Return the name of the cookie, followed by the names that older cookies may have."""
        plain = super().get_cookie_name(app)
        if not request.is_secure:
            return [plain]
        prefixes = [HOST_ONLY] if self.get_cookie_path(app) == "/" else [HTTPS_ONLY, HOST_ONLY]
        return [*(f"{prefix}{plain}" for prefix in prefixes), plain]

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:  # noqa: ARG002, Flask calls it so
        """Return whether this answer sets the cookie; only the home page prolongs it.

        If every page did, the later of two answers could undo what the earlier one has set.
        """
        if request.endpoint == "static":  # caches store it
            return False
        return session.modified or (session.permanent and request.endpoint == "home.show")

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the device's session, also from a cookie under one of the older names."""
        signed = self.get_signing_serializer(app)
        if signed is None:
            return None
        for name in self._names(app):
            try:
                carried = self.session_class(signed.loads(request.cookies.get(name, "")))
            except BadSignature:
                continue
            carried.modified = name != self.get_cookie_name(app)  # this answer sets it under its new name
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
