"""Run several servers on one database, a balancer, and phones that use whichever server it names.

Like HAProxy, the balancer asks each node whether it is ready, uses them in turn, and repeats a request that a node did
not take. Like `queue.js` and `news.js`, a phone repeats a change whose answer was lost under the same name, and
reconnects a stream that ended.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.bench_live import Answer, Form
from tests.conftest import ROOT
from tests.webapp.test_server import free_port, wait_for
from tests.webapp.visitor import clean

LOST = (ConnectionError, http.client.HTTPException, TimeoutError)
ASKED_S = 0.25  # between two questions whether a node is ready
PATIENCE_S = 60.0


class Node:
    """Run a server that can be restarted on the same port."""

    def __init__(self, database: str, folder: Path, environment: dict[str, str]) -> None:
        self.database, self.environment, self.port = database, environment, free_port()
        self.printed = folder / f"printed-{self.port}"
        self.is_ready = False
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "webapp.cli", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        with self.printed.open("a") as out:
            self.process = subprocess.Popen(
                [*command, "--db", self.database],
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                env=clean(self.environment),
            )

    def wait(self) -> None:
        wait_for(f"http://127.0.0.1:{self.port}", self.process)
        self.is_ready = True

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE_S)

    def ask(self) -> None:
        """Ask again and again whether the node is ready, as the balancer does."""
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)) as line:
                line.request("GET", "/readyz")
                self.is_ready = line.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            self.is_ready = False


class Nodes:
    """Run several nodes started at the same time, and the balancer."""

    def __init__(self, count: int, database: str, folder: Path, **environment: str) -> None:
        self.all = [Node(database, folder, environment) for _ in range(count)]
        self.turn, self.stop = 0, threading.Event()
        self.asker = threading.Thread(target=self._ask, daemon=True)

    def __enter__(self) -> Nodes:
        try:
            for node in self.all:
                node.wait()
        except BaseException:
            self.__exit__()
            raise
        self.asker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        for node in self.all:
            node.end()

    def _ask(self) -> None:
        while not self.stop.wait(ASKED_S):
            for node in self.all:
                node.ask()

    def next(self) -> Node:
        ready = [node for node in self.all if node.is_ready] or self.all
        self.turn += 1
        return ready[self.turn % len(ready)]

    @property
    def invitation(self) -> str:
        """Return the path of the invitation that one node printed."""
        printed = "".join(node.printed.read_text() for node in self.all)
        found: list[str] = re.findall(r"http://[^/]+(/join/\S+)", printed)
        assert len(found) == 1, printed
        return found[0]


@dataclass
class Phone:
    """Act as a phone. Each request goes to the node that the balancer names, or to a given one."""

    nodes: Nodes
    only: Node | None = None
    cookies: dict[str, str] = field(default_factory=dict)
    page: str = ""
    form: Form | None = None
    path: str = ""
    sent: int = 0
    statuses: list[int] = field(default_factory=list)
    heard: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    streams: int = 0
    turned_away: int = 0

    def head(self, node: Node, **more: str) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Host": f"127.0.0.1:{node.port}", "Cookie": cookies, **more}

    def ask(self, path: str, data: dict[str, str] | None = None, **more: str) -> Answer:
        """Send a request until there is an answer."""
        end = time.monotonic() + PATIENCE_S
        while True:
            node = self.only or self.nodes.next()
            try:
                return self._ask(node, path, data, **more)
            except LOST:
                assert time.monotonic() < end, f"nobody answers {path}"
                time.sleep(0.05)

    def _ask(self, node: Node, path: str, data: dict[str, str] | None, **more: str) -> Answer:
        body = None if data is None else urlencode(data)
        if body is not None:
            more["Content-Type"] = "application/x-www-form-urlencoded"
        with closing(http.client.HTTPConnection("127.0.0.1", node.port, timeout=PATIENCE_S)) as line:
            line.request("GET" if data is None else "POST", path, body, self.head(node, **more))
            answer = line.getresponse()
            text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        self.statuses.append(answer.status)
        return Answer(answer.status, re.sub(r"^http://[^/]+", "", answer.headers.get("Location") or ""), text)

    def open(self, path: str, data: dict[str, str] | None = None) -> str:
        answer = self.ask(path, data)
        while answer.location:
            path = answer.location
            answer = self.ask(path)
        assert answer.status == 200, f"{path} answered {answer.status}: {answer.text[:500]}"
        self.page, self.path = answer.text, path.partition("#")[0]
        return self.page

    def press(self, path: str, **fields: str) -> str:
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.page)
        assert token is not None, self.page[:500]
        return self.open(path, {**fields, "csrf_token": token[1]})

    def come_in(self, invitation: str) -> None:
        self.open(invitation)
        self.press(invitation)

    # -- at a table ---

    def sit_down(self, table: str, seat: int) -> None:
        self.open(f"{table}/seats/{seat}")
        self.form = Form(self.page)

    def tap(self, square: str, piece: str) -> None:
        """Send a tap under one name until it is answered, as `queue.js` does."""
        assert self.form is not None
        fields = {**self.form.fields, square: piece, "change": f"{random.getrandbits(128):x}"}
        before = int(fields["version"])
        end = time.monotonic() + PATIENCE_S
        while (answer := self.ask(self.path, fields, **{"X-Tidemark": "part"})).status != 200:
            assert time.monotonic() < end, f"{self.path} answered {answer.status}"
            time.sleep(0.2)
        found = re.search(r'name="version" value="(\d+)"', answer.text)
        assert found is not None, answer.text[:500]
        assert int(found[1]) == before + 1, f"version {before} became {found[1]}"
        self.form.fields = {**fields, "version": found[1]}
        self.sent += 1

    def listen(self, table: str, stop: threading.Event) -> threading.Thread:
        thread = threading.Thread(target=self._listen, args=[table, stop], daemon=True)
        thread.start()
        return thread

    def _listen(self, table: str, stop: threading.Event) -> None:
        last = ""
        while not stop.is_set():
            node = self.only or self.nodes.next()
            seen = {"Last-Event-ID": last} if last else {}
            head = self.head(node, Accept="text/event-stream", **seen)
            try:
                with closing(http.client.HTTPConnection("127.0.0.1", node.port, timeout=PATIENCE_S)) as line:
                    line.request("GET", f"{table}/events", headers=head)
                    answer = line.getresponse()
                    if answer.status != 200:
                        self.turned_away += 1
                        time.sleep(0.1)
                        continue
                    self.streams += 1
                    for said in answer:
                        if said.startswith(b"id: "):
                            last = said[4:].decode().strip()
                        elif said.startswith(b"data: "):
                            self.heard.append((time.monotonic(), json.loads(said[6:])))
                        if stop.is_set():
                            return
            except LOST:
                pass
            time.sleep(0.1)

    def heard_of(self, seat: int, version: int) -> float | None:
        """Return when the news arrived that this seat has this version."""
        return next((at for at, news in list(self.heard) if news["seats"][seat]["version"] >= version), None)

    def wait_to_hear_of(self, seat: int, version: int) -> float:
        end = time.monotonic() + PATIENCE_S
        while (at := self.heard_of(seat, version)) is None:
            assert time.monotonic() < end, f"nothing heard of version {version} of seat {seat}: {self.heard[-1:]}"
            time.sleep(0.01)
        return at
