"""News of a table, or of a room, for the phones there: server-sent events or, where that fails, by asking.

`webapp.front` passes streams on without a thread; docs/developers/front-server.md says what one costs. The number of
streams is capped, and a phone turned away asks for news by itself. News is only ever "the table looks like this now":
whoever misses some has the latest with the next.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from flask import Flask, current_app

from webapp.database import Database, borrowed, pack
from webapp.table.tables import progress

MOST_LISTENERS = 2000  # unless TIDEMARK_LISTENERS says otherwise; docs/developers/front-server.md says what they cost
MOST_AT_ONE_PLACE = 120  # a hundred phones in one room
HEARTBEAT_S = 15.0
BLIND_S = 5.0  # after a look into a database that was out of reach nobody else tries for so long
# A phone that fell asleep keeps its place until writing to it fails; a stream that ends now and then bounds that.
STREAM_S = 300.0
# When a process ends, all its phones come back to the others: not at once, but so many a second.
COMEBACKS_PER_S = 400
SOONEST_S, LEAST_SPREAD_S = 0.5, 1.0

News = tuple[int, bytes]  # the table's version, and how it looks
Read = Callable[[], News | None]  # None: whoever listens may no longer
Call = Callable[[], object]
Others = Callable[[str, Iterable[str]], object]  # tells other nodes what has happened, and where

NEWS, OVER = "news", "over"  # something has changed there; streams end there


class Blind(Exception):
    """There is no looking into the database at the moment."""


class Full(Exception):
    """So many phones listen already that this one has to ask by itself."""


class Feed:
    """Those who listen to the news of each table and room: connections of one process, so in its memory."""

    def __init__(
        self,
        most: int = MOST_LISTENERS,
        most_at_one_place: int = MOST_AT_ONE_PLACE,
        others: Others = lambda _what, _keys: None,
    ) -> None:
        self.most, self.most_at_one_place, self.others = most, most_at_one_place, others
        self.blind_until = 0.0  # when it is worth while to look into the database again
        self.lock = threading.RLock()
        self.places: dict[str, set[Listener]] = {}

    @property
    def listeners(self) -> int:
        """Return how many phones listen."""
        with self.lock:
            return sum(map(len, self.places.values()))

    def listens(self, key: str) -> bool:
        return key in self.places

    def publish(self, key: str, news: News) -> bool:
        """Tell everybody who listens there, except those who have newer news. Return True if it was new to anybody."""
        with self.lock:
            behind = [listener for listener in self.places.get(key, ()) if listener.latest[0] < news[0]]
            for listener in behind:
                listener.latest = news
        for listener in behind:
            listener.call()
        return bool(behind)

    def dismiss(self, key: str) -> None:
        """End the streams of that table or room: rights have changed, and each phone has to show its own again."""
        with self.lock:
            there = list(self.places.get(key, ()))
        for listener in there:
            listener.ends = 0.0
            listener.call()

    def dismiss_all(self, keys: Sequence[str]) -> None:
        """The same, at all nodes."""
        self.others(OVER, keys)
        for key in keys:
            self.dismiss(key)

    def listen(self, key: str, read: Read, last: int | None) -> Listener:
        """Return a stream for one phone that has seen version `last`."""
        with self.lock:
            if self.listeners >= self.most or len(self.places.get(key, ())) >= self.most_at_one_place:
                raise Full
            listener = Listener(self, key, read, last)
            self.places.setdefault(key, set()).add(listener)
        return listener

    def comeback(self) -> bytes:
        """Tells a phone how long to wait before it takes up a stream that has ended: as long as chance says."""
        spread = max(LEAST_SPREAD_S, self.listeners / COMEBACKS_PER_S)
        seconds = SOONEST_S + random.uniform(0, spread)  # noqa: S311, no secret
        return b"retry: %d\n\n" % round(seconds * 1000)

    def leave(self, listener: Listener) -> None:
        """Give the place of a listener back, once."""
        with self.lock:
            there = self.places.get(listener.key, set())
            there.discard(listener)
            if not there:
                self.places.pop(listener.key, None)


class Listener:
    """One phone's stream. Closing it, begun or not, gives its place back."""

    def __init__(self, feed: Feed, key: str, read: Read, last: int | None) -> None:
        self.feed, self.key, self.read, self.last = feed, key, read, last
        self.latest: News = (-1, b"")
        self.ends = time.monotonic() + STREAM_S * random.uniform(0.8, 1.2)  # noqa: S311, no secret: only so that they do not all end at once
        self.beat = 0.0  # when to look into the file again
        self.lines = [feed.comeback()]  # to be said in any case
        self.call: Call = lambda: None  # from any thread, when there is news

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.ends

    def look(self) -> None:
        """Read from the file, at the start and with each heartbeat, in case another process has written to it."""
        self.beat = time.monotonic() + HEARTBEAT_S
        if time.monotonic() >= self.feed.blind_until:
            try:
                news = self.read()
            except Blind:
                self.feed.blind_until = time.monotonic() + BLIND_S
            else:
                if news is None:
                    self.ends = 0.0
                    return
                self.feed.publish(self.key, news)
        self.lines.append(self._unseen() or b": still here\n\n")

    def say(self) -> bytes:
        """Return what is to be said now, nothing if there is no news."""
        said = b"".join(self.lines) + self._unseen()
        self.lines.clear()
        return said

    def wake(self, call: Call) -> None:
        """Have this called, from any thread, when there is news."""
        self.call = call

    def farewell(self) -> bytes:
        """Return the message that this stream ends and when to come back."""
        return self.feed.comeback()

    def close(self) -> None:
        self.feed.leave(self)

    def _unseen(self) -> bytes:
        version, news = self.latest
        if version in (-1, self.last):
            return b""
        self.last = version
        return b"id: %d\ndata: %s\n\n" % (version, news)


GONE: News = (2**62, pack({"gone": True}).encode())


def news_of(db: Database, key: str) -> News:
    """Return what every phone at that table, or in that room, is told: who is how far, never what anybody has."""
    table = db.row(
        """SELECT id, room_id, version, laid, lot, timer, revealed_at, skipped, saved_at
        FROM tables WHERE key = ?""",
        key,
    )
    if table is None:
        return _news_of_room(db, key)
    news = {
        "version": table["version"],
        "seats": _seats(db, table["id"]),
        "laid": table["laid"],
        "lots": f"{_field(table['lot'], 'at')} {_field(table['timer'], 'ends')}",
        **_around(db, table["room_id"]),
        "revealed": table["revealed_at"] is not None,
        "skipped": bool(table["skipped"]),
        "saved": table["saved_at"] is not None,
        "next": db.row("SELECT 1 FROM tables WHERE room_id = ? AND id > ?", table["room_id"], table["id"]) is not None,
    }
    return table["version"], pack(news).encode()


def _field(packed: str | None, name: str) -> int:
    return int(json.loads(packed)[name]) if packed else 0


def _news_of_room(db: Database, key: str) -> News:
    """Return the same of a room and its game."""
    room = db.row("SELECT id, version FROM rooms WHERE key = ?", key)
    if room is None:
        return GONE
    table = db.row(
        "SELECT id, key, saved_at, revealed_at FROM tables WHERE room_id = ? ORDER BY id DESC LIMIT 1", room["id"]
    )
    news = {"version": room["version"], "table": table["key"] if table else "", "seats": [], **_around(db, room["id"])}
    if table is not None:
        news.update(saved=table["saved_at"] is not None, revealed=table["revealed_at"] is not None)
        news["seats"] = _seats(db, table["id"])
    return room["version"], pack(news).encode()


def _seats(db: Database, table_id: int) -> list[dict[str, Any]]:
    rows = db.query(
        """SELECT seat, name, version, holder IS NOT NULL AS held, state IS NOT NULL AS begun, done
        FROM seats WHERE table_id = ? ORDER BY seat""",
        [table_id],
    )
    return [
        {
            **{field: row[field] for field in ("seat", "name", "version")},
            "held": int(row["held"]),
            "is": progress(row["held"], row["begun"], row["done"]),
        }
        for row in rows
    ]


def _around(db: Database, room_id: int | None) -> dict[str, int]:
    """Return how many phones are in the room, how many ask to join, and by how many acts they are told apart."""
    [(inside, asking)] = db.execute(
        """SELECT count(CASE WHEN role IN ('play', 'tv') THEN 1 END), count(CASE WHEN role = 'asking' THEN 1 END)
        FROM phones WHERE room_id = ?""",
        [room_id],
    ).fetchall()
    [(acts, done)] = db.execute("SELECT max(id), count(done_at) FROM acts WHERE room_id = ?", [room_id]).fetchall()
    return {"open": int(room_id is not None), "phones": inside, "asking": asking, "acts": (acts or 0) * 100 + done}


def feed() -> Feed:
    """Return the feed of the current app."""
    found: Feed = current_app.extensions["feed"]
    return found


def tell(db: Database, feed: Feed) -> None:
    """Pass on what the request that has just been answered changed."""
    if db.touched:
        keys = tuple(db.touched)
        db.touched.clear()
        feed.others(NEWS, keys)
        publish_now(db, feed, keys)


def publish_now(db: Database, feed: Feed, keys: Iterable[str]) -> list[str]:
    """Tell those who listen there how it looks now; return where that was new to anybody."""
    return [key for key in keys if feed.listens(key) and feed.publish(key, news_of(db, key))]


# -- other nodes ---


def join_nodes(app: Flask) -> None:
    """Let this node hear from now on what happens at the others.

    Nodes tell each other what has changed and not what it looks like now: whoever has listeners there reads it.
    """
    app.extensions["wire"].begin(partial(_heard, app), partial(_missed, app))


def _heard(app: Flask, what: str, keys: frozenset[str]) -> None:
    """Pass on news of another node. Messages of newer versions that we do not know are ignored."""
    feed: Feed = app.extensions["feed"]
    there = [key for key in keys if feed.listens(key)]
    if what == OVER:
        for key in there:
            feed.dismiss(key)
    elif what == NEWS and there:
        with borrowed(app) as db:
            publish_now(db, feed, there)


def _missed(app: Flask) -> None:
    """Nothing was heard for a while. Where something has happened, phones come in anew, as rights may have changed."""
    feed: Feed = app.extensions["feed"]
    if keys := list(feed.places):
        with borrowed(app) as db:
            for key in publish_now(db, feed, keys):
                feed.dismiss(key)
