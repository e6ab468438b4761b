"""Send messages between nodes with LISTEN and NOTIFY, over one connection of each node.

PostgreSQL lets only one transaction at a time commit a NOTIFY, and each waits for the disk. If requests sent messages
in their own transactions, all clubs would wait for each other. So a node sends its messages a moment later, together,
in a transaction that does not wait for the disk. A node that was cut off is told that it may have missed some.
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
SOONEST_S, LATEST_S = 0.1, 5.0  # between two attempts to reconnect
# These notice within half a minute that a server has vanished.
ALIVE: dict[str, Any] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}
TELL = f"SELECT pg_notify('{CHANNEL}', value) FROM words_in($1)"

log = logging.getLogger("tidemark")


class NodeMessages:
    """Exchange messages with other nodes. Messages sent before `begin` are dropped."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self.connect = connect
        self.lock = threading.Lock()
        self.untold: dict[str, dict[str, None]] = {}  # the keys to send, by kind of message: each once, in order
        self.thread: threading.Thread | None = None
        self.stop = threading.Event()
        self.connected = threading.Event()

    def begin(self, hear: Hear, missed: Callable[[], object]) -> None:
        """Start a thread that calls `hear` with the kind and the keys of each message from other nodes. It calls
        `missed` each time it has connected, because messages may have been lost before."""
        self.hear, self.missed = hear, missed
        self.bell, self.door = socket.socketpair()
        for end in (self.bell, self.door):
            end.setblocking(False)
        self.thread = threading.Thread(target=self._run, name="wire", daemon=True)
        self.thread.start()

    def tell(self, what: str, keys: Iterable[str]) -> None:
        """Send a message soon to all other nodes, without waiting: its kind `what`, and keys such as a table's."""
        if self.thread is None:
            return
        with self.lock:
            self.untold.setdefault(what, {}).update(dict.fromkeys(keys))
        self._ring()

    def close(self) -> None:
        """Send the waiting messages, then end the thread."""
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
        with contextlib.suppress(OSError):  # the thread already has a signal waiting, or has ended
            self.bell.send(b"!")

    # -- in the thread ---

    def _run(self) -> None:
        pause, is_logged = SOONEST_S, False
        while not self.stop.is_set():
            try:
                with self.connect() as connection:
                    connection.execute(b"SET synchronous_commit = off")
                    connection.execute(f"LISTEN {CHANNEL}".encode())
                    self.missed()
                    self.connected.set()
                    pause, is_logged = SOONEST_S, False
                    self._converse(connection)
            except Exception as fault:  # whatever went wrong, try again, so that phones get news
                if not is_logged:
                    log.warning("Nothing is heard of other nodes: %s", str(fault).partition("\n")[0])
                is_logged = True
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
    """Yield messages of up to 7,000 characters: `what`, their kind, and some of the keys, with blanks between."""
    piece = what
    for key in keys:
        if len(piece) + len(key) >= MOST_BYTES:
            yield piece
            piece = what
        piece += f" {key}"
    if piece != what:
        yield piece
