"""Make pages in threads, by calling the application as WSGI defines it (PEP 3333)."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, TypeVar
from urllib.parse import unquote_to_bytes

import h11

from webapp.spool import COUNTED

T = TypeVar("T")
Headers = Sequence[tuple[bytes, bytes]]
STREAM = "tidemark.stream"  # the key of a function to which a page hands its stream
READY = "tidemark.ready"  # the key of a function that says whether more requests are welcome
log = logging.getLogger("tidemark.front")


class BadRequest(Exception):
    """Raised when a request can't be answered. The status says why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass
class Answer:
    """Hold the application's complete answer, or only its beginning if a stream follows."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: IO[bytes] | None = None
    size: int = 0
    stream: Any = None

    def close(self) -> None:
        if self.body is not None:
            self.body.close()


class Threads:
    """Run a number of threads that do work, with a queue for each household (clients behind one address).

    The household that has used the least processor time is served next. So a household with many requests delays others
    by at most one request per thread. The threads end with the process.
    """

    def __init__(self, number: int, most_of_a_household: int, name: str) -> None:
        self.most_of_a_household = most_of_a_household
        self.changed = threading.Condition()
        self.waiting: dict[str, deque[Callable[[], None]]] = {}
        self.busy: Counter[str] = Counter()
        self.spent: dict[str, float] = {}  # processor seconds of each household that waits or is served
        self.least = 0.0  # the seconds of the household served last, from which new ones start
        for _ in range(number):
            threading.Thread(target=self._serve, name=name, daemon=True).start()

    def _serve(self) -> None:
        while True:
            with self.changed:
                while (who := self._next()) is None:
                    self.changed.wait()
                work = self._begin(who)
            began = time.thread_time()
            work()
            with self.changed:
                self._end(who, time.thread_time() - began)
                self.changed.notify()

    def _next(self) -> str | None:
        may = (who for who in self.waiting if self.busy[who] < self.most_of_a_household)
        return min(may, key=self.spent.__getitem__, default=None)

    def _begin(self, who: str) -> Callable[[], None]:
        self.busy[who] += 1
        self.least = max(self.least, self.spent[who])
        work = self.waiting[who].popleft()
        if not self.waiting[who]:
            del self.waiting[who]
        return work

    def _end(self, who: str, seconds: float) -> None:
        self.spent[who] += seconds
        self.busy[who] -= 1
        if not self.busy[who]:
            del self.busy[who]
            if who not in self.waiting:
                del self.spent[who]

    def put(self, who: str, work: Callable[[], None]) -> None:
        with self.changed:
            self.spent.setdefault(who, self.least)
            self.waiting.setdefault(who, deque()).append(work)
            self.changed.notify()

    def run(self, who: str, action: Callable[..., T], *arguments: Any) -> asyncio.Future[T]:
        """Call `action` in one of the threads and return a future of its result. `who` names the household in whose
        queue it waits: the clients behind one address."""
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[T] = loop.create_future()

        def settle(value: Any, fault: BaseException | None = None) -> None:
            if outcome.done():  # the connection has gone
                return
            if fault is None:
                outcome.set_result(value)
            else:
                outcome.set_exception(fault)

        def work() -> None:
            value, failed = None, None
            try:
                value = action(*arguments)
            except BaseException as fault:
                failed = fault
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, value, failed)

        self.put(who, work)
        return outcome


def environ_of(request: h11.Request, peer: str, server: tuple[str, int]) -> dict[str, Any]:
    """Return the WSGI environment of a request, without its body. `peer` is the client's address; `server` is our host
    and port."""
    target = request.target.decode("latin-1")
    path, host = _path(target)
    path, _, query = path.partition("?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method.decode("ascii"),
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path.partition("#")[0]).decode("latin-1"),
        "QUERY_STRING": query,
        "REQUEST_URI": target,
        "RAW_URI": target,
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{request.http_version.decode('ascii')}",
        "REMOTE_ADDR": peer,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }
    for name, value in request.headers:
        _put_header(environ, name.decode("ascii"), value.decode("latin-1"))
    if host:
        environ["HTTP_HOST"] = host  # a host in the request's target wins (RFC 9112, 3.2.2)
    return environ


def _path(target: str) -> tuple[str, str]:
    """Return the path of a request's target, and the host if the target is a whole address, else "". Raise BadRequest
    if the target is neither a path nor an address."""
    for scheme in ("http://", "https://"):
        if target[: len(scheme)].lower() == scheme:
            host, slash, path = target[len(scheme) :].partition("/")
            if not host:
                raise BadRequest(400)
            return slash + path or "/", host
    if not target.startswith("/") and target != "*":
        raise BadRequest(400)
    return target, ""


def _put_header(environ: dict[str, Any], name: str, value: str) -> None:
    if "_" in name:
        return  # the key would equal that of the header with a hyphen, which a proxy may set
    key = name.upper().replace("-", "_")
    if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        key = f"HTTP_{key}"
    if key in environ:
        value = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{value}"
    environ[key] = value


def page(app: Any, environ: Mapping[str, Any]) -> Answer:
    """Return the application's answer to a request with this WSGI environment. The body is stored completely, so that a
    slow phone does not keep a thread busy."""
    answer = Answer()
    body: IO[bytes] = environ[COUNTED]()  # closed after it is sent

    def start(status: str, headers: Sequence[tuple[str, str]], _: Any = None) -> Callable[[bytes], Any]:
        answer.status = int(status.split(" ", 1)[0])
        answer.headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return body.write

    def hand_over(stream: Any) -> None:
        answer.stream = stream

    try:
        parts = app({**environ, STREAM: hand_over}, start)
        try:
            for part in parts:
                body.write(part)
        finally:
            if hasattr(parts, "close"):
                parts.close()
    except BaseException:
        if answer.stream is not None:
            answer.stream.close()
        body.close()
        raise
    answer.size = body.tell()
    body.seek(0)
    answer.body = body
    return answer
