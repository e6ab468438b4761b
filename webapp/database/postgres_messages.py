"""Messages between nodes, by LISTEN and NOTIFY over one connection of each node.

It is not told within the transactions that it is about: PostgreSQL lets commits that notify pass one at a time, each
with its wait for the disk, and all clubs would wait for each other. A node tells all that its requests have changed a
moment later, together, in a transaction that waits for no disk. Whoever was cut off looks for what it has missed.
"""

from __future__ import annotations

import contextlib
import json
import logging
import selectors
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import psycopg

from webapp.database.engine import Hear

CHANNEL = "tidemark"
MOST_BYTES = 7_000  # of a message; the server takes 8,000
SOONEST_S, LATEST_S = 0.1, 5.0  # between two tries to be connected again
# A server that has vanished without a word is noticed after half a minute.
ALIVE: dict[str, Any] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}
TELL = f"SELECT pg_notify('{CHANNEL}', value) FROM words_in($1)"

log = logging.getLogger("tidemark")


class NodeMessages:
    """This node's end of it. What is told before it is begun, nobody hears."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self.connect = connect
        self.lock = threading.Lock()
        self.untold: dict[str, dict[str, None]] = {}  # by what happened, to whom: each once, in order
        self.thread: threading.Thread | None = None
        self.stop = threading.Event()
        self.connected = threading.Event()

    def begin(self, hear: Hear, missed: Callable[[], object]) -> None:
        """From now on `hear` is called with what other nodes tell, and `missed` whenever we begin to listen (again)."""
        self.hear, self.missed = hear, missed
        self.bell, self.door = socket.socketpair()
        for end in (self.bell, self.door):
            end.setblocking(False)
        self.thread = threading.Thread(target=self._run, name="wire", daemon=True)
        self.thread.start()

    def tell(self, what: str, keys: Iterable[str]) -> None:
        """Send a message to all other nodes soon. Nobody waits for it."""
        if self.thread is None:
            return
        with self.lock:
            self.untold.setdefault(what, {}).update(dict.fromkeys(keys))
        self._ring()

    def close(self) -> None:
        """Send what is still waiting, then end the thread."""
        self.stop.set()
        thread, self.thread = self.thread, None
        if thread is None:
            return
        self._ring()
        thread.join(LATEST_S)
        if not thread.is_alive():
            self.bell.close()
            self.door.close()

    def _ring(self) -> None:
        with contextlib.suppress(OSError):  # it has rung often enough, or for the last time
            self.bell.send(b"!")

    # -- in its thread ---

    def _run(self) -> None:
        pause, told = SOONEST_S, False
        while not self.stop.is_set():
            try:
                with self.connect() as connection:
                    connection.execute(b"SET synchronous_commit = off")
                    connection.execute(f"LISTEN {CHANNEL}".encode())
                    self.missed()
                    self.connected.set()
                    pause, told = SOONEST_S, False
                    self._converse(connection)
            except Exception as fault:  # whatever it is, nobody's phones must wait for news for good
                if not told:
                    log.warning("Nothing is heard of other nodes: %s", str(fault).partition("\n")[0])
                told = True
            self.connected.clear()
            self.stop.wait(pause)
            pause = min(2 * pause, LATEST_S)

    def _converse(self, connection: psycopg.Connection[Any]) -> None:
        with selectors.DefaultSelector() as waiting:
            waiting.register(connection.fileno(), selectors.EVENT_READ)
            waiting.register(self.door, selectors.EVENT_READ)
            while True:
                self._pass_on(connection)
                heard: dict[str, set[str]] = {}
                for message in connection.notifies(timeout=0):
                    if message.pid != connection.info.backend_pid:
                        what, *named = message.payload.split(" ")
                        heard.setdefault(what, set()).update(named)
                for what, keys in heard.items():
                    self.hear(what, frozenset(keys))
                if self.stop.is_set():
                    return
                if not heard:
                    waiting.select()
                self._open_door()

    def _open_door(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self.door.recv(4096):
                pass

    def _pass_on(self, connection: psycopg.Connection[Any]) -> None:
        with self.lock:
            untold, self.untold = self.untold, {}
        messages = [message for what, keys in untold.items() for message in in_pieces(what, keys)]
        if not messages:
            return
        try:
            connection.execute(TELL.encode(), [json.dumps(messages)])
        except BaseException:
            with self.lock:
                for what, keys in self.untold.items():
                    untold.setdefault(what, {}).update(keys)
                self.untold = untold
            raise


def in_pieces(what: str, keys: Iterable[str]) -> Iterator[str]:
    """Messages that the server takes."""
    piece = what
    for key in keys:
        if len(piece) + len(key) >= MOST_BYTES:
            yield piece
            piece = what
        piece += f" {key}"
    if piece != what:
        yield piece
