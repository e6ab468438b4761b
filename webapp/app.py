"""Builds the Flask application: settings, database, security, and one blueprint for each room."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask, g, render_template, request, url_for
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.exceptions import HTTPException, SecurityError
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wrappers import Response

from vision import games as readers
from webapp import telling, timekeeper, words
from webapp.clock import clock
from webapp.clubs import Attempts, access
from webapp.database import Connections, close_db, connect
from webapp.history import recount
from webapp.schema import migrations
from webapp.spool import BoundedRequest
from webapp.table import events, kinds

HERE = Path(__file__).parent
# In a checkout the pages stand beside the packages; a wheel carries them inside.
TEMPLATES = next(folder for folder in (HERE / "templates", HERE.parent / "templates") if folder.is_dir())
COOKIE_DAYS = 400  # the longest that browsers keep one

# Nothing runs, loads or submits but our own files; no script or style stands in a page.
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(), microphone=(), payment=(), usb=()",
}


def build(config: Mapping[str, Any]) -> Flask:
    # The address of every static file changes when any of them does, so that browsers may keep them for good.
    app = Flask(__name__, template_folder=str(TEMPLATES), static_url_path=f"/static/{fingerprint(HERE / 'static')}")
    app.config.from_mapping(
        DATABASE="tidemark.db",
        SIGNUP="closed",
        PROXY=0,
        MAX_CONTENT_LENGTH=512 * 1024,
        MAX_FORM_MEMORY_SIZE=512 * 1024,
        SESSION_COOKIE_NAME="tidemark",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=COOKIE_DAYS * 24 * 3600,
        WTF_CSRF_TIME_LIMIT=None,  # a board may lie on the table all evening
    )
    app.request_class = BoundedRequest
    app.config.from_prefixed_env("TIDEMARK")
    app.config.update(config)
    prepare_database(app)
    if app.config["PROXY"]:
        # Flask's own way to put something around an app, which is no method afterwards.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1)  # type: ignore[method-assign]
    telling.install(app)  # first of all: whatever is refused is refused in the reader's language
    csrf = CSRFProtect(app)
    app.extensions.update(attempts=Attempts(), feed=events.Feed(), connections=Connections(app.config["DATABASE"]))
    app.session_interface = access.Sessions()
    app.teardown_appcontext(close_db)
    app.after_request(harden)
    app.after_request(tell_phones)
    register_rooms(app)
    csrf.exempt(app.blueprints["api"])  # it reads no cookie, so there is nothing to forge
    register_errors(app)
    dress_templates(app)
    return app


def prepare_database(app: Flask) -> None:
    """Bring the schema up to date, and the key that signs cookies, which every start must share, with it."""
    db = connect(app.config["DATABASE"])
    try:
        migrations.steps.apply(db)
        timekeeper.look(db)
        recount.if_due(db)
        if not app.config.get("SECRET_KEY"):
            app.config["SECRET_KEY"] = access.secret_key(db)
    finally:
        db.close()


def harden(response: Response) -> Response:
    response.headers.extend(HEADERS)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if request.endpoint == "static":
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    else:
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response


def tell_phones(response: Response) -> Response:
    if "db" in g:
        events.tell(g.db, events.feed())
    return response


def register_rooms(app: Flask) -> None:
    from webapp.views import (
        api,
        cards,
        club,
        companion,
        data,
        home,
        join,
        phones,
        photo,
        play,
        players,
        result,
        setup,
        shell,
        stats,
        table,
        tv,
    )

    at_tables = (setup, table, companion, phones, photo, result, tv, join)
    for room in (home, club, cards, *at_tables, play, players, stats, data, shell):
        app.register_blueprint(room.room)
    app.register_blueprint(api.room)


def register_errors(app: Flask) -> None:
    def show(error: HTTPException) -> Response:
        answer = error.get_response()  # keeps its own headers, such as Allow
        if request.path.startswith("/api/"):
            answer.set_data(json.dumps({"error": error.name}))
            answer.mimetype = "application/json"
        else:
            answer.set_data(render_template("error.html", error=error))
        return answer

    def refuse(error: SecurityError) -> tuple[str, int]:
        return error.name, 400  # no page: without a host of ours no address on it could be made

    app.register_error_handler(SecurityError, refuse)
    app.register_error_handler(HTTPException, show)
    app.register_error_handler(CSRFError, show)


def fingerprint(folder: Path) -> str:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:10]


def dress_templates(app: Flask) -> None:
    """What every page may use."""

    def asset(name: str) -> str:
        return url_for("static", filename=name)

    def has_asset(name: str) -> bool:
        return (HERE / "static" / name).is_file()

    def reads_photos(game_id: str) -> bool:
        return readers.find(game_id) is not None

    app.jinja_env.globals.update(kind_of=kinds.of)
    app.jinja_env.tests.update(board=kinds.is_board)
    app.jinja_env.globals.update(asset=asset, has_asset=has_asset, reads_photos=reads_photos)
    app.jinja_env.globals.update(may=access.may, club_name=access.club_name)
    app.jinja_env.globals.update(clock_doubt=lambda: timekeeper.in_words(clock.doubt))
    app.jinja_env.filters.update(words.FILTERS)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.add_extension("jinja2.ext.do")  # rows of charts are gathered where they are shown
