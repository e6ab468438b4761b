"""Answer errors with pages: missing pages, refused requests, and changes that can't be saved."""

from __future__ import annotations

import json
from typing import Any

from flask import Flask, current_app, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import BadHost, HTTPException, SecurityError
from werkzeug.wrappers import Response

from scorer.sentences import say
from webapp import not_found, retry
from webapp.clubs import quotas
from webapp.database import UnusableDatabase, engine_of, errors, replaced_files
from webapp.page import render_template

SAID = {  # the title and the advice of a page, by its code
    400: (say("Something went wrong"), say("What you entered is still there. Go back and reload the page.")),
    403: (say("You can’t do this with your link"), say("Ask the club for another link.")),
    413: (say("That file is too big"), say("Choose a smaller file.")),
    429: (say("Too many attempts"), say("Wait a minute, then try again.")),
}
FAILED = say("Something went wrong"), say("Saved games are safe. Go back and try again.")


def install(app: Flask) -> None:
    register_errors(app)
    register_error_pages(app)


def register_errors(app: Flask) -> None:
    def show(error: HTTPException) -> Response:
        answer = error.get_response()  # with its headers, such as Allow
        if request.path.startswith("/api/"):
            answer.set_data(json.dumps({"error": error.name}))
            answer.mimetype = "application/json"
        else:
            sought = not_found.lost_address() if error.code == 404 else None
            samples = bool(current_app.config["PHOTO_SAMPLES"])
            heading, advice = sought.explanation(samples) if sought else SAID.get(error.code or 0, FAILED)
            answer.set_data(page("error.html", error.name, sought=sought, heading=heading, advice=advice))
        return answer

    def refuse(error: SecurityError | BadHost) -> tuple[str, int]:
        return error.name, 400  # no page, since its addresses need a host of ours

    app.register_error_handler(SecurityError, refuse)
    app.register_error_handler(BadHost, refuse)
    app.register_error_handler(HTTPException, show)
    app.register_error_handler(CSRFError, show)


def register_error_pages(app: Flask) -> None:
    """Register the pages shown when a change can't be saved; most changes can be sent again from there."""
    engine = engine_of(app.config["DATABASE"])

    def keep_for_later(fault: Exception) -> tuple[str, int]:
        """Offer to send the change again, because the disk is full or nobody can write."""
        if engine.is_conflict(fault) and retry.is_possible():
            raise retry.RetryRequest from fault
        trouble = engine.storage_failure(fault)
        if trouble is None:
            raise fault
        app.logger.error("%s, %s %s", trouble.said, request.method, request.path)
        return page("not_saved.html", "Not saved yet", full=trouble.is_full), 507

    def hold_back(fault: quotas.Full) -> tuple[str, int]:
        """Offer to send the change again, because the club has reached a quota."""
        return page("not_saved.html", fault.message, quota=fault.message), 507

    def only_show(fault: UnusableDatabase) -> tuple[str, int] | Response:
        """Say that a newer version has changed the schema, or that somebody has replaced our files."""
        app.logger.error("%s, %s %s", fault.message, request.method, request.path)
        if request.path.startswith("/api/"):
            return Response(json.dumps({"error": str(fault.message)}), 503, mimetype="application/json")
        replaced = isinstance(fault, replaced_files.Replaced)
        return page("not_saved.html", "Not saved yet", newer=not replaced, replaced=replaced), 503

    for error in engine.ERRORS:
        app.register_error_handler(error, keep_for_later)
    app.register_error_handler(quotas.Full, hold_back)
    app.register_error_handler(UnusableDatabase, only_show)


def page(template: str, plain: str, **values: Any) -> str:
    """Return an error page. If the database fails, leave out the club; if that fails too, return the text `plain`."""
    for unreachable in (False, True):
        try:
            return render_template(template, **values, unreachable=unreachable)
        except errors() as fault:
            current_app.logger.error("No page for an error: %s", fault)
    return plain
