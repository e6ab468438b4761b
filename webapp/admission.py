"""Says whether the body of a request may come: its address, right and size are looked at, and nothing is done yet.

The server asks so of every body that is more than a form (`front.asking`). Whatever a `url_value_preprocessor` refuses
is refused then; so is a body larger than the route's own `request.max_content_length`. A view only runs once the body
is there.
"""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, request

from webapp.front import ASKED


def install(app: Flask) -> None:
    """Answer the server's question before anything else that is installed reads the body."""

    def may_come() -> Response | None:
        if ASKED not in request.environ or request.routing_exception is not None:
            return None
        request.environ[ASKED].most = request.max_content_length or 0
        request.stream  # noqa: B018, refuses a body that says it is larger
        return Response(status=HTTPStatus.CONTINUE)

    app.before_request(may_come)
