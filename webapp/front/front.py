"""Accept connections, limit their number and their time, and shut down gracefully."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import time
from collections.abc import Callable
from typing import Any

from webapp.addresses import Proxies, household
from webapp.front import streams
from webapp.front.connection import Connection, Receiver
from webapp.front.limits import Limits
from webapp.front.pages import Answer, Threads
from webapp.spool import Accounts

BACKLOG = 1024
SWEEP_S = 0.5  # time between two searches for connections whose time is over
STREAM_THREADS = 2  # threads in which streams read the database
RECEIVED = 32 * 1024  # bytes received from a connection at a time
# SIGBREAK is Ctrl-Break on Windows. There a program can be sent Ctrl-Break but not Ctrl-C.
STOPS = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGBREAK") if hasattr(signal, name)]
ACCEPT_FAILED = "Accept failed on a socket"  # the message of asyncio


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on this address. Raise OSError if the port is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


class Front:
    """Run one event loop for all connections of one application."""

    def __init__(
        self,
        app: Any,
        proxies: Proxies = Proxies(),  # noqa: B008, it is frozen
        limits: Limits = Limits(),  # noqa: B008, likewise
        accounts: Accounts | None = None,
    ) -> None:
        self.app, self.proxies, self.limits = app, proxies, limits
        self.pages = Threads(limits.pages, limits.pages_of_a_household, "page")
        self.stream_threads = Threads(STREAM_THREADS, STREAM_THREADS, "news")
        self.accounts = accounts or Accounts()
        self.all: dict[Connection, asyncio.Task[None]] = {}
        self.streaming: set[Connection] = set()
        # Connections with an incomplete request, the longest waiting first: all of them, and by household.
        self.waiting: dict[Connection, None] = {}
        self.waiting_by_household: dict[str, dict[Connection, None]] = {}
        self.of: dict[str, int] = {}
        self.stopping = False
        self.last_asked = float("-inf")  # when a balancer last asked whether we are ready
        self.stop: Callable[[], object] = do_nothing  # stops the server gracefully; may be called in any thread
        self.address = ("", 0)
        self.server: asyncio.Server | None = None
        self.opening: asyncio.Task[None] | None = None  # keeps a reference, so that the task isn't garbage-collected

    # -- from the start to the end ---

    def run(self, door: socket.socket) -> None:
        """Serve connections to the socket `door` until SIGTERM or Ctrl-C stops the server gracefully. A second signal
        stops it at once."""
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(self.serve(door))

    async def serve(self, door: socket.socket) -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        self.address = door.getsockname()[:2]
        self.stop = lambda: loop.is_closed() or loop.call_soon_threadsafe(stop.set)
        loop.set_exception_handler(self.reopen_socket)
        with contextlib.suppress(ValueError):  # only the main thread can handle signals
            for number in STOPS:
                signal.signal(number, self.stop_gracefully)
        await self.open(door)
        sweeper = asyncio.create_task(self.sweep())
        try:
            await stop.wait()
            await self.finish()
        finally:
            sweeper.cancel()
            self.close()
            for connection in list(self.all):
                connection.writer.transport.abort()

    def stop_gracefully(self, *_: object) -> None:
        """Stop the server gracefully, or at once when a second signal comes."""
        for number in STOPS:
            signal.signal(number, signal.default_int_handler)
        self.stop()

    async def open(self, door: socket.socket) -> None:
        self.server = await asyncio.get_running_loop().create_server(self.protocol, sock=door, backlog=BACKLOG)

    def close(self) -> None:
        if self.server is not None:
            self.server.close()

    def reopen_socket(self, loop: asyncio.AbstractEventLoop, trouble: dict[str, Any]) -> None:
        """Open a new listening socket if accepting connections has failed; `trouble` is asyncio's description of the
        error. On Windows, a client that hangs up while it is accepted closes the listening socket."""
        loop.default_exception_handler(trouble)
        if trouble.get("message") == ACCEPT_FAILED and not self.stopping:
            self.close()
            self.opening = loop.create_task(self.open_again())

    async def open_again(self) -> None:
        while not self.stopping:
            try:
                return await self.open(listening(*self.address))
            except OSError:  # the port is in use
                await asyncio.sleep(1)

    async def finish(self) -> None:
        """End all streams and answer the requests that have begun.

        If a load balancer has asked lately whether we are ready, it first gets time to notice. New requests are still
        answered meanwhile.
        """
        self.stopping = True
        for connection in list(self.streaming):
            connection.reader.wake()
        if time.monotonic() < self.last_asked + self.limits.of_late_s:
            await asyncio.sleep(self.limits.drain_s)
        self.close()
        for connection in list(self.waiting):
            if connection.is_idle:
                connection.abort()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.limits.grace_s):
                await asyncio.gather(*self.all.values(), return_exceptions=True)

    def is_ready(self) -> bool:
        """Return whether a balancer should send us requests."""
        self.last_asked = time.monotonic()
        return not self.stopping

    def protocol(self) -> asyncio.StreamReaderProtocol:
        return asyncio.StreamReaderProtocol(Receiver(limit=RECEIVED), self.accept)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert isinstance(reader, Receiver)
        writer.transport.max_size = RECEIVED  # type: ignore[attr-defined]  # an attribute of asyncio's own transports
        connection = Connection(self, reader, writer)
        who = household(connection.peer)
        self.of[who] = self.of.get(who, 0) + 1
        if len(self.all) - len(self.streaming) >= self.limits.connections:
            self.make_room(self.waiting)
        if self.of[who] > self.limits.connections_of_a_household and not self.proxies.trust(connection.peer):
            self.make_room(self.waiting_by_household.get(who, {}))
        task = asyncio.get_running_loop().create_task(connection.serve())
        self.all[connection] = task
        task.add_done_callback(lambda _: self.forget(connection, who))

    def forget(self, connection: Connection, who: str) -> None:
        self.all.pop(connection, None)
        self.of[who] -= 1
        if self.of[who] <= 0:
            del self.of[who]

    def make_room(self, waiting: dict[Connection, None]) -> None:
        """Close the connection in `waiting` that has waited longest, if any, so that a new one can be accepted."""
        for connection in waiting:
            self.remove_waiting(connection)
            connection.abort()
            self.all[connection].cancel()
            return

    async def sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            now = time.monotonic()
            for connection in [one for one in self.all if one.due < now]:
                connection.time_out()

    # -- called by connections ---

    def add_waiting(self, connection: Connection) -> None:
        """Note a connection whose request has not arrived completely. Such a connection may be closed if others need
        its place."""
        self.waiting[connection] = None
        self.waiting_by_household.setdefault(household(connection.peer), {})[connection] = None

    def remove_waiting(self, connection: Connection) -> None:
        self.waiting.pop(connection, None)
        mine = self.waiting_by_household.get(who := household(connection.peer), {})
        mine.pop(connection, None)
        if not mine:
            self.waiting_by_household.pop(who, None)

    def household_of(self, peer: str, forwarded: str) -> str:
        return household(self.proxies.client_address(peer, forwarded))

    async def stream_news(self, connection: Connection, answer: Answer) -> None:
        who = household(connection.peer)
        self.streaming.add(connection)
        self.of[who] -= 1
        try:
            await streams.send_stream(connection, answer, self.stream_threads)
        finally:
            self.of[who] = self.of.get(who, 0) + 1
            self.streaming.discard(connection)


def do_nothing() -> object:
    """Do nothing. This takes the place of the function that stops the server until it has started."""
