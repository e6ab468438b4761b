"""Servers behind Caddy as deploy/ sets them up: all get their share, and whoever goes is not missed."""

from __future__ import annotations

import re
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest

from tests.conftest import ROOT
from tests.deploy.balanced import Balanced, balanced
from tests.deploy.tapping import Tapping
from tests.webapp.cluster import Cluster
from tests.webapp.conftest import until
from tests.webapp.engines import order_at
from tests.webapp.visitor import Visitor
from webapp.table.events import HEARTBEAT_S


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Balanced]:
    """Three servers on one PostgreSQL."""
    cluster = Cluster()
    try:
        order_at(cluster, "CREATE DATABASE shared")
        with balanced(cluster.address("shared"), tmp_path_factory.mktemp("balanced")) as found:
            yield found
    finally:
        cluster.close()


@pytest.fixture(scope="module")
def visitor(site: Balanced) -> Visitor:
    """Somebody in the club."""
    made = Visitor(site.site)
    made.come_in(site.invitation)
    return made


def test_requests_go_to_all(site: Balanced, visitor: Visitor) -> None:
    before = site.counts()
    for _ in range(30):
        visitor.open("/")
    made = site.counts() - before
    assert sum(made.values()) == 30 and len(made) == 3, made


def test_a_game_is_played_at_whichever_server_answers(site: Balanced, visitor: Visitor) -> None:
    before = site.counts()
    assert "Bob" in visitor.open(visitor.play())
    assert len(site.counts() - before) > 1


def test_what_a_visitor_claims_of_himself_is_replaced(site: Balanced) -> None:
    """The servers believe Caddy, and Caddy does not pass on what was made up."""
    before = [len(site.requests(number)) for number in range(3)]
    claims = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    page = Visitor(site.site).open("/try", None, **claims)
    assert "evil.example" not in page
    seen = [line["address"] for number in range(3) for line in site.requests(number)[before[number] :]]
    assert seen == ["127.0.0.1"]


class Stream:
    """A phone that listens to a table through Caddy."""

    def __init__(self, visitor: Visitor, path: str) -> None:
        port = urlsplit(visitor.site).port
        self.line = socket.create_connection(("127.0.0.1", port or 80), timeout=10)
        head = f"GET {path}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n"
        self.line.sendall(f"{head}Cookie: {visitor.cookie}\r\n\r\n".encode())
        self.said = b""

    def hear(self, wanted: bytes, seconds: float = 60.0) -> bytes:
        end = time.monotonic() + seconds
        while wanted not in self.said:
            self.line.settimeout(max(end - time.monotonic(), 0.01))
            piece = self.line.recv(65536)
            assert piece, self.said
            self.said += piece
        return self.said

    def all_said(self) -> bytes:
        """Until now; nobody listens any more."""
        self.line.settimeout(0.2)
        with suppress(TimeoutError), self.line:
            while piece := self.line.recv(65536):
                self.said += piece
        return self.said


@pytest.fixture
def table(visitor: Visitor) -> str:
    path = visitor.lay_towns("Ann", "Bob")
    visitor.press(f"{path}/open")
    return path


def test_streams_pass_as_they_come_from_whichever_server(visitor: Visitor, table: str) -> None:
    """Some listen to the server that takes the tap, some to the others."""
    streams = [Stream(visitor, table) for _ in range(6)]
    for stream in streams:
        assert b"text/event-stream" in stream.hear(b"data: ")
    visitor.open(f"{table}/seats/1")
    visitor.press(f"{table}/seats/1", **{"grid/0/0": "cottage"})
    for stream in streams:
        stream.hear(b'"is":"begun"', HEARTBEAT_S / 2)
        stream.line.close()


@pytest.fixture(scope="module")
def next_version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with another sheet, and so with other addresses of all its static files."""
    folder = tmp_path_factory.mktemp("next")
    for part in ("scorer", "vision", "templates"):
        (folder / part).symlink_to(ROOT / part)
    shutil.copytree(ROOT / "webapp", folder / "webapp", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "webapp" / "static" / "app.css").open("a", encoding="utf-8") as sheet:
        sheet.write("\n/* the next version */\n")
    return folder


class Looking(threading.Thread):
    """Somebody whose browser keeps nothing: opens pages, and asks for all files that each of them names."""

    def __init__(self, site: str) -> None:
        super().__init__()
        self.visitor, self.faults, self.over = Visitor(site), list[str](), threading.Event()
        self.files: dict[str, str] = {}

    def run(self) -> None:
        while not self.over.wait(0.2):
            named = set(re.findall(r'"(/static/[0-9a-f]+/[^"#]+)', self.visitor.open("/")))
            for address in sorted(named):
                try:
                    self.files[address] = self.visitor.open(address)
                except OSError as fault:
                    self.faults.append(f"{address} {fault}")


def test_servers_that_are_updated_one_after_another_are_missed_by_nobody(
    site: Balanced, visitor: Visitor, table: str, next_version: Path
) -> None:
    """No tap is lost or made twice, streams say when to connect again, and pages of both versions find their files."""
    streams = [Stream(visitor, table) for _ in range(6)]
    for stream in streams:
        stream.hear(b"data: ")
    tapping, looking = [Tapping(visitor, pause=0.05) for _ in range(2)], Looking(site.site)
    for one in (*tapping, looking):
        one.start()
    for number in range(3):
        site.restart(number, next_version)
    until(lambda: all(one.asked > 20 or not one.is_alive() for one in tapping))
    for over in (*(one.over for one in tapping), looking.over):
        over.set()
    for one in (*tapping, looking):
        one.join()
    assert [fault for one in tapping for fault in one.faults] == looking.faults == []
    assert all(one.asked > 20 and one.version() == one.first + one.asked for one in tapping)
    assert {stream.all_said().count(b"retry: ") for stream in streams} == {2}
    old, new = [text for address, text in looking.files.items() if address.endswith("/app.css")]
    assert new.replace("\n/* the next version */\n", "", 1) == old != new  # the colours of games stand behind it
    for address, text in looking.files.items():  # a page that was opened before may ask for more at any time
        assert looking.visitor.open(address) == text
    with pytest.raises(HTTPError, match="404"):
        looking.visitor.open("/static/0123456789/app.css")


def test_a_killed_server_is_left_out(site: Balanced, visitor: Visitor, table: str) -> None:
    """A visitor who opens pages and sends forms meanwhile sees no error."""
    visitor.open(f"{table}/seats/0")
    site.nodes[2].process.kill()
    site.nodes[2].process.wait()
    for _ in range(40):
        visitor.open("/")
        visitor.press("/try")
    before = site.counts()
    visitor.open("/")
    assert set(site.counts() - before) <= {0, 1}


def test_a_page_waits_for_the_only_server(tmp_path: Path) -> None:
    """A Raspberry Pi takes longer than five seconds to restart it."""
    with balanced(str(tmp_path / "t.db"), tmp_path, 1) as site:
        phone = Visitor(site.site)
        phone.come_in(site.invitation)
        site.nodes[0].process.kill()
        site.nodes[0].process.wait()
        later = threading.Timer(6, lambda: site.nodes.append(site.start(0)))
        later.start()
        assert "<h1" in phone.open("/")
        assert site.nodes[-1].process.poll() is None
        later.join()
