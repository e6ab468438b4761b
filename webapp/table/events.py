"""News of a table for the phones at it, as a stream of server-sent events or, where that fails, by asking.

A phone that listens holds a thread of the server, which sleeps until there is news (docs/live.md says what that costs);
so their number is capped, far below the number of threads, and a phone turned away asks for news by itself. News is
only ever "the table looks like this now": whoever misses some has the latest with the next.
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


class Full(Exception):
    """So many phones listen already that this one has to ask by itself."""


class Room:
    """Those who listen at one table."""

    def __init__(self) -> None:
        self.news = threading.Condition()
        self.latest: News = (-1, b"")
        self.listeners = 0
        self.over = 0  # raised when everybody has to come in anew


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
                    room.news.notify_all()

    def dismiss(self, key: str) -> None:
        """End the streams of that table: rights have changed, and each phone has to show its own again."""
        room = self.rooms.get(key)
        if room:
            with room.news:
                room.over += 1
                room.news.notify_all()

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
        self.lines = self._lines()
        self.open = True

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self.lines)

    def close(self) -> None:
        if self.open:
            self.open = False
            self.feed.gone(self.key, self.room)

    def _lines(self) -> Iterator[bytes]:
        yield b"retry: %d\n\n" % RETRY_MS
        while self.room.over == self.turn and time.monotonic() < self.ends:
            # Read from the file at the start and with each heartbeat, in case another process has written to it.
            news = self.read()
            if news is None:
                return
            self.feed.publish(self.key, news)
            yield self._unseen() or b": still here\n\n"
            beat = time.monotonic() + HEARTBEAT_S
            while self._wait(beat - time.monotonic()):
                unseen = self._unseen()
                if unseen:
                    yield unseen

    def _wait(self, seconds: float) -> bool:
        """Sleep until there is news; False when it is time for a heartbeat, or to end."""
        with self.room.news:
            return (
                self.room.news.wait_for(
                    lambda: self.room.latest[0] != self.last or self.room.over != self.turn, max(seconds, 0)
                )
                and self.room.over == self.turn
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
        """SELECT version, code, revealed_at, saved_at,
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
