"""Use a running server like a browser without scripts, and start the server as a user would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.conftest import ROOT
from tests.webapp.test_server import free_port, wait_for

PHOTO = ROOT / "tests" / "vision" / "photos" / "00.jpg"


@dataclass
class Serving:
    """Hold a running server and what it printed."""

    address: str
    process: subprocess.Popen[bytes]
    printed: Path

    @property
    def invitation(self) -> str:
        found = re.search(r"http://\S+/join/\S+", self.printed.read_text(encoding="utf-8"))
        assert found, self.printed.read_text(encoding="utf-8")
        return found[0]


@contextmanager
def serving(
    database: Path | str,
    python: Path = Path(sys.executable),
    folder: Path = ROOT,
    port: int = 0,
    environment: Mapping[str, str] = MappingProxyType({}),
    beside: Path | None = None,
    behind: Sequence[str] = (),
) -> Iterator[Serving]:
    """Run `tidemark serve` on a database, and kill it at the end.

    Its output goes beside the database, or into `beside`. `behind` precedes the command, such as the limits of
    `tests/deploy/shut_in.py`.
    """
    port = port or free_port()
    printed = (beside or Path(database).parent) / f"printed-{port}"
    with printed.open("w") as out:
        process = subprocess.Popen(
            [
                *behind,
                python,
                "-m",
                "webapp.cli",
                "serve",
                "--host",
                "127.0.0.1",
                "--port",
                str(port),
                "--db",
                database,
            ],
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=clean(environment),
        )
    try:
        yield Serving(wait_for(f"http://127.0.0.1:{port}", process), process, printed)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(15)


def clean(more: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without our settings, plus these."""
    return {name: text for name, text in os.environ.items() if not name.startswith("TIDEMARK_")} | dict(more)


class Redirects(urllib.request.HTTPRedirectHandler):
    """Send a form again after status 307, as browsers do."""

    def redirect_request(self, request: urllib.request.Request, *answer: Any) -> urllib.request.Request | None:
        _, code, _, _, address = answer
        if code == 307 and request.data is not None:
            return urllib.request.Request(address, request.data, request.headers, request.origin_req_host)
        return super().redirect_request(request, *answer)


@dataclass
class Visitor:
    """Open pages and press buttons."""

    site: str
    cookies: CookieJar = field(default_factory=CookieJar)
    page: str = ""
    at: str = ""

    def __post_init__(self) -> None:
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies), Redirects)

    @property
    def cookie(self) -> str:
        """Return the cookie header that a browser would send."""
        return "; ".join(f"{one.name}={one.value}" for one in self.cookies)

    def open(self, path: str, data: bytes | None = None, **headers: str) -> str:
        request = urllib.request.Request(self.site + path, data, headers)
        with self.browser.open(request, timeout=120) as answer:
            self.page, self.at = answer.read().decode(errors="replace"), urllib.parse.urlsplit(answer.url).path
        return self.page

    def press(self, path: str, **fields: str) -> str:
        """Post with the token of the page opened last."""
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.page)
        assert token is not None, self.page[:500]
        return self.open(path, urllib.parse.urlencode({**fields, "csrf_token": token[1]}).encode())

    def come_in(self, invitation: str) -> None:
        path = invitation.removeprefix(self.site)
        self.open(path)
        self.press(path)

    def lay_towns(self, *names: str) -> str:
        """Create a table of Tiny Towns with these players. Return its address."""
        self.open("/")
        self.press("/tables", game="tiny_towns")
        path = self.at.removesuffix("/setup")
        for name in names:
            self.press(f"{path}/setup", add=name)
        return path

    def play(self) -> str:
        """Play a whole game in which Ann has no cottage and Bob one. Return its page."""
        path = self.lay_towns("Ann", "Bob")
        self.open(f"{path}/seats/1")
        self.press(f"{path}/seats/1", **{"grid/0/0": "cottage"})
        self.open(f"{path}/seats/0")
        self.press(f"{path}/seats/0", **{"grid/0/0": "empty"})
        self.open(f"{path}/result")
        self.press(f"{path}/save", shared="1")
        assert self.at.startswith("/plays/"), self.at
        return self.at

    def send_photo(self) -> Any:
        """Send a photo to the API, and return its reading."""
        head = b'--edge\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
        body = head + PHOTO.read_bytes() + b"\r\n--edge--\r\n"
        return json.loads(self.open("/api/v1/photo", body, **{"Content-Type": "multipart/form-data; boundary=edge"}))
