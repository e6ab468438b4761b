"""Build the Flask application: settings, database, security, and a blueprint for each view."""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Flask, current_app, g, request, url_for
from flask.templating import Environment
from flask_wtf.csrf import CSRFProtect
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader
from jinja2.utils import LRUCache
from werkzeug.wrappers import Response

from scorer import games
from vision import games as readers
from webapp import (
    admission,
    avatars,
    clock_check,
    compression,
    days,
    error_pages,
    i18n,
    jobs,
    logs,
    notices,
    parts,
    retry,
    settings,
    static_files,
    statistics,
    template_filters,
    themes,
)
from webapp.addresses import LOOPBACK, BelowPath, Proxies, TrustedProxies, path_of
from webapp.clubs import Sessions, access
from webapp.database import close_db, engine_of, errors, node_messages, waiting
from webapp.history import job_steps, rebuild
from webapp.schema import upgrade
from webapp.spool import BoundedRequest
from webapp.table import events, kinds, lots, result_page, result_picture, reveal

HERE = Path(__file__).parent
VIEWS = (
    *("home", "example", "club", "delete_club", "cards", "setup", "table", "companion", "photo", "review", "result"),
    *("tv", "join", "room", "play", "players", "stats", "data", "rescore", "samples", "shell", "health", "api"),
)
# In a checkout the templates are beside the packages; in a wheel they are inside.
TEMPLATES = next(folder for folder in (HERE / "templates", HERE.parent / "templates") if folder.is_dir())
COOKIE_DAYS = 400  # the longest that browsers allow

# Pages run and load only our own files, and have no inline scripts or styles.
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
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
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
}
SECRET_PARTS = {"token", "code"}  # secret parts of addresses, which the Referer must not give away


class Pages(Environment):
    """Build the globals of templates as plain dicts.

    Every import of a template copies its globals, which is slow for the chained dicts that Flask uses.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


def build(config: Mapping[str, Any]) -> Flask:
    app = Flask(__name__, template_folder=str(TEMPLATES), static_url_path=static_files.address())
    app.jinja_environment = Pages
    app.jinja_loader = templates()
    app.request_class = BoundedRequest
    compression.name_kinds()
    configure(app, config)
    prepare_database(app)
    static_files.install(app)
    retry.install(app)
    if app.config["PROXY"]:
        # Flask's documented way to wrap an app; mypy takes it for a method.
        app.wsgi_app = TrustedProxies(app.wsgi_app, app.extensions["proxies"])  # type: ignore[method-assign]
    logs.install(app)  # begins first and ends last, so that it times everything
    i18n.install(app)  # early, so that refusals are in the reader's language
    admission.install(app)  # before anything reads a form
    csrf = CSRFProtect(app)
    share_between_nodes(app)
    app.session_interface = Sessions()
    app.teardown_appcontext(close_db)
    app.after_request(harden)
    app.after_request(publish_news)
    register_views(app)
    csrf.exempt(app.blueprints["api"])  # it reads no cookies
    error_pages.install(app)
    set_up_templates(app)
    move_below_the_path(app)
    return app


def templates() -> ChoiceLoader:
    """Return the loader of templates. Those of a game are found only as "games/<id>/...", so they hide no others."""
    theirs = {game: FileSystemLoader(themes.page_folder(game)) for game in games.ids()}
    return ChoiceLoader([FileSystemLoader(TEMPLATES), PrefixLoader({"games": PrefixLoader(theirs)})])


def configure(app: Flask, config: Mapping[str, Any]) -> None:
    """Set the defaults, then the settings of the environment, then those in `config`."""
    app.config.from_mapping(
        DATABASE="tidemark.db",
        DATABASE_POOLED="",
        SIGNUP="closed",
        PROXY=0,
        PROXY_FROM=LOOPBACK,
        PHOTO_SAMPLES=0,
        LISTENERS=events.MOST_LISTENERS,
        MAX_CONTENT_LENGTH=512 * 1024,
        MAX_FORM_MEMORY_SIZE=512 * 1024,
        SESSION_COOKIE_NAME="tidemark",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=COOKIE_DAYS * 24 * 3600,
        WTF_CSRF_TIME_LIMIT=None,  # a form may stay open all evening
    )
    app.config.update({**settings.of(os.environ), **config})
    app.extensions["proxies"] = Proxies.parse(app.config["PROXY_FROM"] if app.config["PROXY"] else ())


def move_below_the_path(app: Flask) -> None:
    """Serve the app below the path of the public address, if it has one, and limit the cookie to it."""
    ours = {rule.rule.split("/")[1] for rule in app.url_map.iter_rules()}
    path = path_of(app.config.get("PUBLIC_URL") or "", ours)
    app.config["SESSION_COOKIE_PATH"] = path or "/"
    if path:
        app.wsgi_app = BelowPath(app.wsgi_app, path)  # type: ignore[method-assign]


def share_between_nodes(app: Flask) -> None:
    """Create the objects that requests share, such as database connections, caches and live updates."""
    connections = waiting(app.config["DATABASE"], app.config["DATABASE_POOLED"])
    others = node_messages(app.config["DATABASE"], connections)
    app.extensions.update(
        attempts=engine_of(app.config["DATABASE"]).attempts(connections),
        connections=connections,
        wire=others,
        feed=events.Feed(app.config["LISTENERS"], others=others.tell),
        results=LRUCache(result_page.MOST_KEPT),
        studio=result_picture.Studio(),
    )


def prepare_database(app: Flask) -> None:
    """Bring the schema up to date and load the key that signs cookies, which must be the same at every start."""
    db = upgrade.opened(app.config["DATABASE"])
    try:
        clock_check.check(db)
        rebuild.update_labels(db)
        jobs.finish(db, job_steps.STEPS, most=jobs.TURNS_AT_START)
        static_files.store_static_files(app, db)
        if not app.config.get("SECRET_KEY"):
            app.config["SECRET_KEY"] = access.secret_key(db)
    finally:
        db.close()


def harden(response: Response) -> Response:
    response.headers.extend(HEADERS)
    if SECRET_PARTS & (request.view_args or {}).keys():
        response.headers["Referrer-Policy"] = "strict-origin"
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if request.endpoint == "static":
        static_files.allow_caching(response)
    else:
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response


def publish_news(response: Response) -> Response:
    if "db" in g:
        if request.method != "GET":
            g.db.settle()  # the change may rest on one that another request has just committed
        try:
            events.tell(g.db, events.feed())
        except errors() as fault:  # the change is saved, and the next heartbeat announces it
            current_app.logger.warning("Phones hear of a change late: %s", fault)
    return response


def register_views(app: Flask) -> None:
    for name in (*VIEWS, *(["style"] if app.debug else [])):
        app.register_blueprint(import_module(f"webapp.views.{name}").blueprint)


def day_at_the_club(moment: str) -> str:
    """Return the date of a stored time in the club's time zone, such as "18 Nov 2026"."""
    return template_filters.day(days.day_of(moment, access.zone()) if "T" in moment else moment)


def set_up_templates(app: Flask) -> None:
    """Give templates their functions, tests and filters."""

    def asset(name: str) -> str:
        return url_for("static", filename=name)

    @cache
    def icon() -> str:
        """Return the icon of the app as a "data:" address, so that browsers need no separate request for it."""
        return "data:image/svg+xml," + quote((HERE / "static" / "icons" / "tidemark.svg").read_text(encoding="utf-8"))

    def has_asset(name: str) -> bool:
        return name in static_files.public_files()

    def reads_photos(game_id: str) -> bool:
        return readers.find(game_id) is not None

    def reads_cards(game_id: str) -> bool:
        reader = readers.find(game_id)
        return reader is not None and reader.cards.known is not None

    app.jinja_env.globals.update(icon=icon, kind_of=kinds.of, drawn_if_new=parts.drawn_if_new)
    app.jinja_env.globals.update(world_of=themes.of, scene_of=themes.scene_name, pieces_of=themes.pieces)
    app.jinja_env.tests.update(board=kinds.is_board)
    app.jinja_env.globals.update(asset=asset, has_asset=has_asset, reads_photos=reads_photos, reads_cards=reads_cards)
    app.jinja_env.globals.update(notices=notices.NOTICES, game_title=lambda game: games.titles()[game])
    app.jinja_env.globals.update(drawing=avatars.drawing, chart_of=statistics.charts, figure_of=statistics.figures)
    app.jinja_env.globals.update(server_ms=reveal.moment, minutes=lots.MINUTES)
    app.jinja_env.filters.update(template_filters.FILTERS, day=day_at_the_club)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.add_extension("jinja2.ext.do")  # templates of charts collect rows
