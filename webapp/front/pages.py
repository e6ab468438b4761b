"""The threads that pages are made in, and how the application is asked for one (PEP 3333)."""

from __future__ import annotations

import asyncio
import logging
import queue
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, TypeVar
from urllib.parse import unquote_to_bytes

import h11

T = TypeVar("T")
Headers = Sequence[tuple[bytes, bytes]]
IN_MEMORY = 256 * 1024  # of an answer; more of it lies in a file until it is sent
STREAM = "tidemark.stream"  # the key under which a page finds whom to hand its stream to
READY = "tidemark.ready"  # and under this one, whom to ask whether more requests are welcome
log = logging.getLogger("tidemark.front")


class BadRequest(Exception):
    """Hold what was asked is no request that can be answered; the status says why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass
class Answer:
    """Hold what the application says, whole; or, with a stream, the beginning of it."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: IO[bytes] | None = None
    size: int = 0
    stream: Any = None

    def close(self) -> None:
        if self.body is not None:
            self.body.close()


class Threads:
    """So many threads, which end with the process: nobody waits for a page that nobody waits for."""

    def __init__(self, number: int, name: str) -> None:
        self.work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        for _ in range(number):
            threading.Thread(target=self._serve, name=name, daemon=True).start()

    def _serve(self) -> None:
        while True:
            self.work.get()()

    def run(self, action: Callable[..., T], *arguments: Any) -> asyncio.Future[T]:
        """The outcome, when one of the threads has come to it."""
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[T] = loop.create_future()

        def settle(value: Any, fault: BaseException | None = None) -> None:
            if outcome.done():  # nobody waits for it any more
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

        self.work.put(work)
        return outcome


def environ(request: h11.Request, peer: str, server: tuple[str, int]) -> dict[str, Any]:
    """Return what the application is told of a request, still without its body."""
    target = request.target.decode("latin-1")
    path, host = _path(target)
    path, _, query = path.partition("?")
    told: dict[str, Any] = {
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
        _put_header(told, name.decode("ascii"), value.decode("latin-1"))
    if host:
        told["HTTP_HOST"] = host  # what stands in the address wins (RFC 9112, 3.2.2)
    return told


def _path(target: str) -> tuple[str, str]:
    """The path that is asked for and, of a whole address, the host in it."""
    for scheme in ("http://", "https://"):
        if target[: len(scheme)].lower() == scheme:
            host, slash, path = target[len(scheme) :].partition("/")
            if not host:
                raise BadRequest(400)
            return slash + path or "/", host
    if not target.startswith("/") and target != "*":
        raise BadRequest(400)
    return target, ""


def _put_header(told: dict[str, Any], name: str, value: str) -> None:
    if "_" in name:
        return  # it would pass for the one with a hyphen, which a proxy may have set
    key = name.upper().replace("-", "_")
    if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        key = f"HTTP_{key}"
    if key in told:
        value = f"{told[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{value}"
    told[key] = value


def page(app: Any, told: Mapping[str, Any]) -> Answer:
    """Return what the application answers. It is taken whole here, so that a phone that reads slowly holds no
    thread.
    """
    answer = Answer()
    body: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115, closed when it is sent

    def start(status: str, headers: Sequence[tuple[str, str]], _: Any = None) -> Callable[[bytes], Any]:
        answer.status = int(status.split(" ", 1)[0])
        answer.headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return body.write

    def hand_over(stream: Any) -> None:
        answer.stream = stream

    try:
        said = app({**told, STREAM: hand_over}, start)
        try:
            for part in said:
                body.write(part)
        finally:
            if hasattr(said, "close"):
                said.close()
    except BaseException:
        if answer.stream is not None:
            answer.stream.close()
        body.close()
        raise
    answer.size = body.tell()
    body.seek(0)
    answer.body = body
    return answer
