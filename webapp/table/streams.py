"""How news leaves: as a stream that goes on, or once with an ETag for those who ask again and again."""

from __future__ import annotations

from flask import Response, current_app, render_template, request

from webapp.clubs import Membership
from webapp.database import Database, connect, get_db
from webapp.front import STREAM
from webapp.numbers import number as number_in
from webapp.table import events, phones, presence, rooms


def answer(key: str, room_id: int | None, club_id: int, membership: Membership | None) -> Response:
    """News of that table or room, as this phone asks for it."""
    if request.method == "HEAD" or "text/event-stream" not in request.headers.get("Accept", ""):
        return _once(key, room_id)
    database, name, there = current_app.config["DATABASE"], phones.device(), presence.presence()

    def read() -> events.News | None:
        db = connect(database)
        try:
            there.saw(name)
            look_for_host(db, there, room_id)
            news = events.news_of(db, key)
            may = news is events.GONE or phones.may_still_watch(db, room_id, club_id, name, membership)
            return news if may else None
        finally:
            db.close()

    feed, seen = events.feed(), request.headers.get("Last-Event-ID", "")
    try:
        stream = feed.listen(key, read, number_in(seen))
    except events.Full:
        words = render_template("table/full.txt", most=feed.most)
        return Response(words, 503, {"Retry-After": "60"}, mimetype="text/plain")
    found = Response(mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
    hand_over = request.environ.get(STREAM)
    if hand_over is None:
        found.response = stream
    else:  # to our own server, which passes it on without holding a thread
        found.response = iter(())
        hand_over(stream)
    return found


def look_for_host(db: Database, there: presence.Presence, room_id: int | None) -> None:
    room = rooms.by_id(db, room_id)
    if room is not None:
        presence.look(db, there, room)


def _once(key: str, room_id: int | None) -> Response:
    look_for_host(get_db(), presence.presence(), room_id)
    version, latest = events.news_of(get_db(), key)
    found = Response(latest, mimetype="application/json")
    found.set_etag(str(version))
    found.make_conditional(request)
    return found
