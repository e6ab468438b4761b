"""Before the body of a request comes, its address, its right and its size are looked at, and nothing is done yet.

The server asks so of every body that is more than a form (`front.asking`). All that a `url_value_preprocessor` or a
`before_request` refuses without reading the body is refused then; so is what is larger than the route's own
`request.max_content_length`.
"""

from __future__ import annotations

from flask import Flask, request
from flask.typing import ResponseReturnValue

from webapp.front import ASKED, Wanted


def install(app: Flask) -> None:
    """To be called before anything that reads forms is installed."""
    dispatch = app.dispatch_request

    def note() -> None:
        if ASKED in request.environ:
            request.environ[ASKED].most = request.max_content_length or 0
            request.stream  # noqa: B018, told of a size above the largest, it refuses

    def dispatch_or_stop() -> ResponseReturnValue:
        if ASKED in request.environ and request.routing_exception is None:
            raise Wanted
        return dispatch()

    app.before_request(note)
    app.dispatch_request = dispatch_or_stop  # type: ignore[method-assign]
