"""Answer programs that watch this server: whether it works, and its metrics."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from datetime import UTC, datetime

from flask import Blueprint, Response, abort, current_app, request

from webapp import backup, logs, metrics
from webapp.addresses import read
from webapp.clock import clock
from webapp.database import errors, get_db, replaced_files
from webapp.front import READY
from webapp.schema import upgrade
from webapp.table import events

blueprint = Blueprint("health", __name__)

# A request with one of these headers comes through a proxy.
PASSED_ON = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP")
REPLACED = "the database files were replaced"
HOME = {"localhost", "127.0.0.1", "[::1]"}
PHOTO_ROUTES = (
    "/api/v1/photo",
    "/photo/<name>",
    "/tables/<key>/photo",
    "/tables/<key>/seats/<int:number>/photo",
    "/photos/<photo_key>/corners",
)


@blueprint.get("/healthz")
def show() -> Response:
    """Answer that the server is alive. Without this answer, a supervisor restarts it."""
    return plain_text("ok\n")


@blueprint.get("/readyz")
def ready() -> tuple[Response, int]:
    """Answer "ready", or with status 503 what keeps changes from being saved."""
    is_ready = request.environ.get(READY)
    obstacle = "stopping" if is_ready is not None and not is_ready() else of_database()
    return plain_text(f"{obstacle or 'ready'}\n"), 503 if obstacle else 200


def of_database() -> str:
    """Return what keeps changes from being saved in the database, or ""."""
    try:
        db = get_db()
        db.check_place()
        if not upgrade.is_current(db):
            return "the database is of another version"
        if upgrade.missing(db):
            return "the database lacks tables"
        return "" if db.has_room() else "the disk is full"
    except replaced_files.Replaced:
        return REPLACED
    except errors():
        return "the database does not answer"


def plain_text(text: str) -> Response:
    return Response(text, mimetype="text/plain")


@blueprint.get("/metrics", endpoint="metrics")
def show_metrics() -> Response:
    """Show the metrics to this computer and to anyone with the token. Others get a 404."""
    if not (is_here() or has_token()):
        abort(404)
    return Response("\n".join([*logs.requests().lines(), *measured(), ""]), content_type=metrics.MEDIA_TYPE)


def is_here() -> bool:
    """Return whether the request comes from this computer itself. Its address and its host must be local, and no header
    may show that a proxy has passed it on."""
    asking = read(request.environ.get("REMOTE_ADDR", ""))
    passed_on = any(name in request.headers for name in PASSED_ON)
    host = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdecimal() else request.host
    return asking is not None and asking.is_loopback and not passed_on and host in HOME


def has_token() -> bool:
    token = current_app.config.get("METRICS_TOKEN")
    kind, _, brought = request.headers.get("Authorization", "").partition(" ")
    return bool(token) and kind == "Bearer" and hmac.compare_digest(brought.encode(), str(token).encode())


def measured() -> Iterator[str]:
    """Yield lines of metrics of the current state, such as the number of open streams and the backup's age."""
    feed = events.feed()
    yield from metrics.gauge("tidemark_streams_open", "Phones that listen for news.", feed.listeners)
    waiting = logs.requests().waiting(PHOTO_ROUTES)
    yield from metrics.gauge("tidemark_photos_under_way", "Photos being received, waiting or being read.", waiting)
    yield from metrics.heading("tidemark_write_wait_seconds", "histogram", "How long a writer waited for its turn.")
    yield from metrics.WRITE_WAITS.lines("tidemark_write_wait_seconds")
    yield from metrics.gauge("tidemark_clock_doubted", "1 while the clock is not believed.", clock.doubt is not None)
    latest = backup.latest(current_app.config["DATABASE"])
    if latest is not None:
        age = (datetime.now(UTC) - latest[1]).total_seconds()
        yield from metrics.gauge("tidemark_backup_age_seconds", "How old the latest copy is.", age)
