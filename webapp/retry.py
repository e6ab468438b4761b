"""Answer a request again from its beginning after a conflict with another request.

This is possible only before the request has committed anything, because that would be stored twice. Afterwards an error
page (`error_pages`) offers to send the change again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, g, request

from webapp.database import tries

CAN_RETRY = "tidemark.once more"  # the key in the WSGI environment that says whether a retry is left


class RetryRequest(BaseException):
    """Signal that the request must be answered again. As a BaseException it passes all error handlers."""


class RetryMiddleware:
    """Wrap an application so that it answers a request again when RetryRequest is raised, at most six times in all. If
    the body of the request is streamed, there is only one try."""

    def __init__(self, inner: Callable[..., Iterable[bytes]]) -> None:
        self.inner = inner

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        body = environ["wsgi.input"]
        if not getattr(body, "seekable", bool)():  # the server streams the body
            return self.inner(environ, start)
        beginning = body.tell()
        for is_last in tries():
            try:
                return self.inner({**environ, CAN_RETRY: not is_last}, start)
            except RetryRequest:
                body.seek(beginning)
        raise AssertionError("the last try gives no way")


def install(app: Flask) -> None:
    # Flask's documented way to wrap an app; mypy takes it for a method.
    app.wsgi_app = RetryMiddleware(app.wsgi_app)  # type: ignore[assignment, method-assign]


def is_possible() -> bool:
    """Return whether the current request may be answered again."""
    return bool(request.environ.get(CAN_RETRY)) and not ("db" in g and g.db.commits)
