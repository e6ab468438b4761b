"""Answer with news: as a stream, or once with an ETag for pages that poll."""

from __future__ import annotations

from flask import Response, current_app, render_template, request

from webapp.clubs import Membership
from webapp.database import Database, borrowed, engine_of, errors, get_db
from webapp.front import STREAM
from webapp.numbers import number as number_in
from webapp.table import events, phones, presence


def answer(key: str, room_id: int | None, club_id: int, membership: Membership | None) -> Response:
    """Return news of the table or room `key`: a stream if the phone and the server support that, else once. The stream
    ends when the phone has left the room and has no valid `membership` in the club."""
    hand_over = request.environ.get(STREAM)  # set by our own server
    if hand_over is None or request.method == "HEAD" or "text/event-stream" not in request.headers.get("Accept", ""):
        return _once(key, room_id)
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    name = phones.device()

    def read() -> events.News | None:
        try:
            with borrowed(app) as db:
                presence.note(db, room_id, name)
                events.tell(db, app.extensions["feed"])
                news = events.news_of(db, key)
                may = news is events.GONE or _may_still_watch(db, room_id, club_id, name, membership)
                return news if may else None
        except errors() as fault:
            if engine_of(app.config["DATABASE"]).storage_failure(fault) is None:
                raise
            raise events.Blind from fault

    feed, seen = events.feed(), request.headers.get("Last-Event-ID", "")
    try:
        stream = feed.listen(key, read, number_in(seen))
    except events.Full:
        words = render_template("table/full.txt", most=feed.most)
        return Response(words, 503, {"Retry-After": "60"}, mimetype="text/plain")
    hand_over(stream)
    return Response(iter(()), mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


def _may_still_watch(db: Database, room_id: int | None, club_id: int, name: str, membership: Membership | None) -> bool:
    """Return True if the phone `name` is in the room or its `membership` in the club has not ended. One is enough."""
    sql = """SELECT 1 FROM phones WHERE room_id = ? AND device = ? AND role IN ('play', 'tv')
        UNION ALL SELECT 1 FROM devices WHERE id = ? AND club_id = ? AND ended_at IS NULL"""
    return db.row(sql, room_id, name, membership.device.id if membership else None, club_id) is not None


def _once(key: str, room_id: int | None) -> Response:
    presence.note(get_db(), room_id, phones.device())
    version, latest = events.news_of(get_db(), key)
    found = Response(latest, mimetype="application/json")
    found.set_etag(str(version))
    found.make_conditional(request)
    return found
