"""Decide by address, rights and size whether the body of a request may be sent.

The server (`front.preflight`) asks the app before it reads any body larger than a form. The answer is no if a
`url_value_preprocessor` refuses the request, or if the body exceeds the route's `request.max_content_length`. The view
runs once the body is there.
"""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, request

from webapp.front import ASKED


def install(app: Flask) -> None:
    """Make the app answer the server's question whether the body of a request may be sent."""

    def may_come() -> Response | None:
        if ASKED not in request.environ or request.routing_exception is not None:
            return None
        request.environ[ASKED].most = request.max_content_length or 0
        request.stream  # noqa: B018, refuses a body that says it is larger
        return Response(status=HTTPStatus.CONTINUE)

    app.before_request(may_come)
