"""Answers a request again from its beginning when another one has got in its way.

Only while nothing of it has been kept: what has would be kept twice. That one says so on its page, and gives back what
was sent (`app.register_errors`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, g, request

from webapp.database import tries

MAY = "tidemark.once more"  # the key under which a request finds whether it may be answered once more


class RetryRequest(BaseException):
    """Stop a request that is to be answered again. It is no fault, so nobody may handle it."""


class RetryMiddleware:
    """Wrap an application, inside of whatever reads the body."""

    def __init__(self, inner: Callable[..., Iterable[bytes]]) -> None:
        self.inner = inner

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        body = environ["wsgi.input"]
        if not getattr(body, "seekable", bool)():  # a server that hands over the body as it comes
            return self.inner(environ, start)
        beginning = body.tell()
        for is_last in tries():
            try:
                return self.inner({**environ, MAY: not is_last}, start)
            except RetryRequest:
                body.seek(beginning)
        raise AssertionError("the last try gives no way")


def install(app: Flask) -> None:
    # Flask's own way to put something around an app, which is no method afterwards.
    app.wsgi_app = RetryMiddleware(app.wsgi_app)  # type: ignore[assignment, method-assign]


def is_possible() -> bool:
    """Return whether the request that is being answered may begin anew."""
    return bool(request.environ.get(MAY)) and not ("db" in g and g.db.commits)
