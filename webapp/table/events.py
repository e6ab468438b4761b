"""Send news of a table or room to its phones, by server-sent events or, where these fail, by polling.

`webapp.front` sends a stream without using a thread; docs/developers/front-server.md says what a stream costs. The
number of streams is limited, and a phone that gets none polls. News always describes the whole state. So a phone that
misses some news has everything with the next.
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

MOST_LISTENERS = 2000  # the default of TIDEMARK_LISTENERS; docs/developers/front-server.md says what they cost
MOST_AT_ONE_PLACE = 120  # enough for a hundred phones in one room
HEARTBEAT_S = 15.0
BLIND_S = 5.0  # pause after the database could not be reached
# A sleeping phone keeps its place until a write to it fails. Ending each stream after a while limits that.
STREAM_S = 300.0
# When a process ends, its phones reconnect to the others, at most so many a second.
COMEBACKS_PER_S = 400
SOONEST_S, LEAST_SPREAD_S = 0.5, 1.0

News = tuple[int, bytes]  # the version of a table or room, and its state
Read = Callable[[], News | None]  # None: this phone may not listen any more
Call = Callable[[], object]
Others = Callable[[str, Iterable[str]], object]  # sends a kind of message and its keys to other nodes

NEWS, OVER = "news", "over"  # the kinds of messages: something has changed, and streams must end


class Blind(Exception):
    """Raised when the database can't be read at the moment."""


class Full(Exception):
    """Raised when too many phones listen, so that this phone has to poll."""


class Feed:
    """Hold the listeners of each table and room. Their connections belong to this process, so memory is enough."""

    def __init__(
        self,
        most: int = MOST_LISTENERS,
        most_at_one_place: int = MOST_AT_ONE_PLACE,
        others: Others = lambda _what, _keys: None,
    ) -> None:
        self.most, self.most_at_one_place, self.others = most, most_at_one_place, others
        self.blind_until = 0.0  # when to try to read the database again
        self.lock = threading.RLock()
        self.places: dict[str, set[Listener]] = {}

    @property
    def listeners(self) -> int:
        """Return the number of listening phones."""
        with self.lock:
            return sum(map(len, self.places.values()))

    def listens(self, key: str) -> bool:
        return key in self.places

    def publish(self, key: str, news: News) -> bool:
        """Pass news to all listeners of the table or room `key` that have older news. Return True if there were any."""
        with self.lock:
            behind = [listener for listener in self.places.get(key, ()) if listener.latest[0] < news[0]]
            for listener in behind:
                listener.latest = news
        for listener in behind:
            listener.call()
        return bool(behind)

    def dismiss(self, key: str) -> None:
        """End all streams of a table or room, so that each phone must show again that it may listen."""
        with self.lock:
            there = list(self.places.get(key, ()))
        for listener in there:
            listener.ends = 0.0
            listener.call()

    def dismiss_all(self, keys: Sequence[str]) -> None:
        """End all streams of these tables and rooms, at all nodes."""
        self.others(OVER, keys)
        for key in keys:
            self.dismiss(key)

    def listen(self, key: str, read: Read, last: int | None) -> Listener:
        """Return a stream of news for a phone that has seen version `last`; None if it has seen none. `read` gets the
        news from the database. Raise Full if there are too many streams."""
        with self.lock:
            if self.listeners >= self.most or len(self.places.get(key, ())) >= self.most_at_one_place:
                raise Full
            listener = Listener(self, key, read, last)
            self.places.setdefault(key, set()).add(listener)
        return listener

    def comeback(self) -> bytes:
        """Return the message that makes a phone reconnect after a random 0.5 to 1.5 s, or later if many listen."""
        spread = max(LEAST_SPREAD_S, self.listeners / COMEBACKS_PER_S)
        seconds = SOONEST_S + random.uniform(0, spread)  # noqa: S311, no secret
        return b"retry: %d\n\n" % round(seconds * 1000)

    def leave(self, listener: Listener) -> None:
        """Remove a listener. Nothing happens if it has already been removed."""
        with self.lock:
            there = self.places.get(listener.key, set())
            there.discard(listener)
            if not there:
                self.places.pop(listener.key, None)


class Listener:
    """Stream news to one phone. Closing the stream lets another phone listen instead."""

    def __init__(self, feed: Feed, key: str, read: Read, last: int | None) -> None:
        self.feed, self.key, self.read, self.last = feed, key, read, last
        self.latest: News = (-1, b"")
        self.ends = time.monotonic() + STREAM_S * random.uniform(0.8, 1.2)  # noqa: S311, no secret: it only spreads their ends
        self.beat = 0.0  # when to read the database again
        self.lines = [feed.comeback()]  # to send in any case
        self.call: Call = lambda: None  # called in any thread when there is news

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.ends

    def look(self) -> None:
        """Read news from the database, since another process may have written. It is called with each heartbeat."""
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
        """Return the bytes to send to the phone now, or b"" if there is no news."""
        said = b"".join(self.lines) + self._unseen()
        self.lines.clear()
        return said

    def wake(self, call: Call) -> None:
        """Set the function to call when there is news. Any thread may call it."""
        self.call = call

    def farewell(self) -> bytes:
        """Return the message sent when the server stops: it tells the phone to reconnect after a random time."""
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
    """Return the news of the table or room `key`, as version and JSON: how far players are, but not their entries."""
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
    """Return the news of a room and its current game."""
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
    """Return numbers about a room: "phones" in it, phones "asking" to join, and "open": 1 if there is a room. "acts" is
    a number that changes whenever an act is requested or done."""
    [(inside, asking)] = db.execute(
        """SELECT count(CASE WHEN role IN ('play', 'tv') THEN 1 END), count(CASE WHEN role = 'asking' THEN 1 END)
        FROM phones WHERE room_id = ?""",
        [room_id],
    ).fetchall()
    [(acts, done)] = db.execute("SELECT max(id), count(done_at) FROM acts WHERE room_id = ?", [room_id]).fetchall()
    return {"open": int(room_id is not None), "phones": inside, "asking": asking, "acts": (acts or 0) * 100 + done}


def feed() -> Feed:
    found: Feed = current_app.extensions["feed"]
    return found


def tell(db: Database, feed: Feed) -> None:
    """Send news of every table and room that the current request has changed."""
    if db.touched:
        keys = tuple(db.touched)
        db.touched.clear()
        feed.others(NEWS, keys)
        publish_now(db, feed, keys)


def publish_now(db: Database, feed: Feed, keys: Iterable[str]) -> list[str]:
    """Send the current news of the tables and rooms in `keys`. Return the keys for which a phone had older news."""
    return [key for key in keys if feed.listens(key) and feed.publish(key, news_of(db, key))]


# -- other nodes ---


def join_nodes(app: Flask) -> None:
    """Begin to receive messages from other nodes. A message names the tables and rooms that have changed, but not how.
    A node with listeners to one of them reads the database."""
    app.extensions["wire"].begin(partial(_heard, app), partial(_missed, app))


def _heard(app: Flask, what: str, keys: frozenset[str]) -> None:
    """Handle a message from another node. Depending on its kind `what`, send news of the tables and rooms in `keys` or
    end their streams. Unknown kinds come from newer versions and are ignored."""
    feed: Feed = app.extensions["feed"]
    there = [key for key in keys if feed.listens(key)]
    if what == OVER:
        for key in there:
            feed.dismiss(key)
    elif what == NEWS and there:
        with borrowed(app) as db:
            publish_now(db, feed, there)


def _missed(app: Flask) -> None:
    """Send current news after messages from other nodes may have been lost.

    Streams of changed tables and rooms end, as their phones may no longer be allowed to listen.
    """
    feed: Feed = app.extensions["feed"]
    if keys := list(feed.places):
        with borrowed(app) as db:
            for key in publish_now(db, feed, keys):
                feed.dismiss(key)
