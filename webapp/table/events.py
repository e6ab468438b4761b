"""News of a table for the phones at it, as a stream of server-sent events or, where that fails, by asking.

`webapp.front` passes streams on without a thread (docs/live.md says what one costs); any other server may go through
the listener's lines, which waits for news. The number of streams is capped, and a phone turned away asks for news by
itself. News is only ever "the table looks like this now": whoever misses some has the latest with the next.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from flask import current_app

from webapp.database import Database, pack
from webapp.table.tables import progress

MOST_LISTENERS = 330  # fifty tables of six phones, and some television sets
MOST_AT_A_TABLE = 24
HEARTBEAT_S = 15.0
# A phone that fell asleep keeps its place until writing to it fails; a stream that ends now and then bounds that.
STREAM_S = 300.0
RETRY_MS = 1000

News = tuple[int, bytes]  # the table's version, and how it looks
Read = Callable[[], News | None]  # None: whoever listens may no longer
Call = Callable[[], object]


class Full(Exception):
    """So many phones listen already that this one has to ask by itself."""


class Room:
    """Those who listen at one table."""

    def __init__(self) -> None:
        self.news = threading.Condition()
        self.latest: News = (-1, b"")
        self.listeners = 0
        self.calls: set[Call] = set()  # those who want to be called when there is news
        self.over = 0  # raised when everybody has to come in anew

    def call(self) -> None:
        """Wake everybody, wherever they wait."""
        self.news.notify_all()
        for call in tuple(self.calls):
            call()


class Feed:
    """All the rooms of one app. One process serves, so memory is where listeners meet."""

    def __init__(self, most: int = MOST_LISTENERS, most_at_a_table: int = MOST_AT_A_TABLE) -> None:
        self.most, self.most_at_a_table = most, most_at_a_table
        self.lock = threading.Lock()
        self.rooms: dict[str, Room] = {}
        self.listeners = 0

    def listens(self, key: str) -> bool:
        return key in self.rooms

    def publish(self, key: str, news: News) -> None:
        """Tell everybody in the room; older news than they have is dropped."""
        room = self.rooms.get(key)
        if room:
            with room.news:
                if news[0] > room.latest[0]:
                    room.latest = news
                    room.call()

    def dismiss(self, key: str) -> None:
        """End the streams of that table: rights have changed, and each phone has to show its own again."""
        room = self.rooms.get(key)
        if room:
            with room.news:
                room.over += 1
                room.call()

    def dismiss_all(self, keys: Iterable[str]) -> None:
        for key in keys:
            self.dismiss(key)

    def listen(self, key: str, read: Read, last: int | None) -> Listener:
        """A stream for one phone that has seen version `last`."""
        with self.lock:
            room = self.rooms.get(key) or Room()
            if self.listeners >= self.most or room.listeners >= self.most_at_a_table:
                raise Full
            self.rooms[key] = room
            room.listeners += 1
            self.listeners += 1
        return Listener(self, key, room, read, last)

    def gone(self, key: str, room: Room) -> None:
        with self.lock:
            self.listeners -= 1
            room.listeners -= 1
            if room.listeners == 0:
                self.rooms.pop(key, None)


class Listener:
    """The lines of one phone's stream. Closing it, begun or not, gives its place back."""

    def __init__(self, feed: Feed, key: str, room: Room, read: Read, last: int | None) -> None:
        self.feed, self.key, self.room, self.read, self.last = feed, key, room, read, last
        self.turn = room.over
        self.ends = time.monotonic() + STREAM_S * random.uniform(0.8, 1.2)  # noqa: S311, no secret: only so that they do not all end at once
        self.beat = 0.0  # when to look into the file again
        self.lines = [b"retry: %d\n\n" % RETRY_MS]  # to be said in any case
        self.call: Call | None = None
        self.open = True

    # -- for whoever has many of them ---

    @property
    def is_over(self) -> bool:
        return self.room.over != self.turn or time.monotonic() >= self.ends

    def look(self) -> None:
        """Read from the file, at the start and with each heartbeat, in case another process has written to it."""
        self.beat = time.monotonic() + HEARTBEAT_S
        news = self.read()
        if news is None:
            self.ends = 0.0
            return
        self.feed.publish(self.key, news)
        self.lines.append(self._unseen() or b": still here\n\n")

    def say(self) -> bytes:
        """What is to be said now, nothing if there is no news."""
        said = b"".join(self.lines) + self._unseen()
        self.lines.clear()
        return said

    def wake(self, call: Call) -> None:
        """Have this called, from any thread, when there is news."""
        self.call = call
        self.room.calls.add(call)

    def close(self) -> None:
        if self.open:
            self.open = False
            if self.call is not None:
                self.room.calls.discard(self.call)
            self.feed.gone(self.key, self.room)

    # -- for whoever has a thread for it ---

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        """The next thing to be said, waited for."""
        while self.lines or not self.is_over:
            if self.lines:
                return self.lines.pop(0)
            if time.monotonic() >= self.beat:
                self.look()
            elif unseen := self._unseen():
                return unseen
            else:
                self._wait()
        raise StopIteration

    def _wait(self) -> None:
        """Sleep until there is news, or it is time for a heartbeat, or to end."""
        with self.room.news:
            self.room.news.wait_for(
                lambda: self.room.latest[0] != self.last or self.room.over != self.turn,
                max(self.beat - time.monotonic(), 0),
            )

    def _unseen(self) -> bytes:
        version, news = self.room.latest
        if version == self.last:
            return b""
        self.last = version
        return b"id: %d\ndata: %s\n\n" % (version, news)


GONE: News = (2**62, pack({"gone": True}).encode())


def news_of(db: Database, key: str) -> News:
    """What every phone at the table is told: who is how far, never what anybody has."""
    row = db.row(
        """SELECT version, code, revealed_at, skipped, saved_at,
            (SELECT count(*) FROM phones WHERE table_id = tables.id AND role != 'knock') AS phones,
            (SELECT count(*) FROM phones WHERE table_id = tables.id AND role = 'knock') AS waiting,
            (SELECT json_group_array(json_array(seat, name, version, holder IS NOT NULL, state IS NOT NULL, done))
                FROM seats WHERE table_id = tables.id) AS seats
        FROM tables WHERE key = ?""",
        key,
    )
    if row is None:
        return GONE
    news = {
        "version": row["version"],
        "seats": [
            {"seat": seat, "name": name, "version": version, "held": held, "is": progress(held, begun, done)}
            for seat, name, version, held, begun, done in sorted(json.loads(row["seats"]))
        ],
        "open": row["code"] is not None,
        "phones": row["phones"],
        "waiting": row["waiting"],
        "revealed": row["revealed_at"] is not None,
        "skipped": bool(row["skipped"]),
        "saved": row["saved_at"] is not None,
    }
    return row["version"], pack(news).encode()


def feed() -> Feed:
    """That of the app that answers."""
    found: Feed = current_app.extensions["feed"]
    return found


def tell(db: Database, feed: Feed) -> None:
    """Pass on what the request that has just been answered changed."""
    while db.touched:
        key = db.touched.pop()
        if feed.listens(key):
            feed.publish(key, news_of(db, key))
