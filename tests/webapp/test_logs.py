"""Logs say what happened and hold no secret: grepped over the log of a whole evening, faults included."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from flask import Flask

from tests.conftest import ROOT
from tests.webapp.engines import place
from tests.webapp.test_server import free_port, wait_for
from webapp import clubs, create_app, logs
from webapp.cli.open_database import opened
from webapp.operator_errors import BadSetting

pytestmark = pytest.mark.either

PEOPLE = ("Friedlinde", "Wunibald", "Kunigunde")


class Phone:
    """A phone at somebody's table, over HTTP, that remembers every cookie it was ever given."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.jar = CookieJar()
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.secrets: set[str] = set()
        self.page = ""
        self.url = ""

    def get(self, path: str, **headers: str) -> str:
        return self.open(urllib.request.Request(self.address + path, headers=headers))

    def press(self, path: str, **fields: str) -> str:
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.page)
        body = urllib.parse.urlencode({**fields, "csrf_token": token[1] if token else ""}).encode()
        if token:
            self.secrets.add(token[1])
        return self.open(urllib.request.Request(self.address + path, body, {"Referer": self.address + "/"}))

    def open(self, request: urllib.request.Request) -> str:
        try:
            with self.browser.open(request, timeout=30) as answer:
                self.page, self.url = answer.read().decode("utf-8", "replace"), answer.url
        except urllib.error.HTTPError as fault:
            with fault:
                self.page = fault.read().decode("utf-8", "replace")
        for cookie in self.jar:
            value = cookie.value or ""
            self.secrets |= {value, *(part for part in value.split(".") if len(part) >= 12)}
        return self.page


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A server with an access log, on a club that exists already; its address and its folder."""
    port = free_port()
    with opened(str(tmp_path / "club.db"), new=True) as db:
        clubs.create(db, "Thursday")
    with (tmp_path / "out.log").open("wb") as out, (tmp_path / "err.log").open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "webapp.cli", "serve", "--host", "127.0.0.1", "--port", str(port)],
            stdout=out,
            stderr=err,
            cwd=ROOT,
            env={
                **os.environ,
                "TIDEMARK_DATABASE": str(tmp_path / "club.db"),
                "TIDEMARK_ACCESS_LOG": str(tmp_path / "access.log"),
            },
        )
    try:
        yield wait_for(f"http://127.0.0.1:{port}", process), tmp_path
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def rows(folder: Path, sql: str) -> list[str]:
    with closing(sqlite3.connect(folder / "club.db", timeout=20)) as db:
        return [str(value) for row in db.execute(sql).fetchall() for value in row]


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "club.db", timeout=20)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def test_a_whole_evening_leaves_no_secret_in_any_log(evening: tuple[str, Path]) -> None:
    address, folder = evening
    owner, guest, screen, stranger = (Phone(address) for _ in range(4))
    links = rows(folder, "SELECT token FROM links")
    for token in links:
        come_in(owner, f"/join/{token}")
    owner.get("/")
    owner.press("/tables", game="tiny_towns")
    table = f"/tables/{rows(folder, 'SELECT key FROM tables')[0]}"
    for name in PEOPLE:
        owner.get(f"{table}/setup")
        owner.press(f"{table}/setup", add=name)
    owner.press(f"{table}/open")
    [entry] = rows(folder, "SELECT link FROM rooms")
    for phone, seat in ((guest, "1"), (screen, "")):
        phone.get(f"/at/{entry}")
        phone.press(f"/at/{entry}", seat=seat)
        phone.get(f"{table}/events")
    guest.press(f"{table}/seats/1", **{"grid/0/0": "cottage"})
    [code] = rows(folder, "SELECT code FROM rooms")
    stranger.get("/join")
    stranger.press("/join", code=code)
    stranger.get(f"/at/{entry}x?name={PEOPLE[0]}")
    stranger.get(f"/players/{PEOPLE[0]}?key={entry}")
    everybody_into_trouble(folder, (owner, guest, screen, stranger), table, (*links, entry))

    secrets = {*links, entry, table.rpartition("/")[2], code, *PEOPLE}
    secrets |= {*rows(folder, "SELECT value FROM settings WHERE name = 'secret_key'")}
    secrets |= {secret for phone in (owner, guest, screen, stranger) for secret in phone.secrets}
    secrets |= {*rows(folder, "SELECT device FROM phones")}
    assert len(secrets) > 20
    written = {file.name: file.read_text() for file in folder.glob("*.log")}
    assert written["err.log"].count("Traceback") >= 4 and written["access.log"].count("\n") > 25
    for name, text in written.items():
        found = [secret for secret in secrets if secret and secret in text]
        assert not found, f"{name}: {found}"
    assert stat.S_IMODE((folder / "access.log").stat().st_mode) == 0o600
    noted = [json.loads(line) for line in written["access.log"].splitlines()]
    assert {"/at/<token>", "/join/<token>", "/tables/<key>/setup"} <= {one["route"] for one in noted}
    assert any(one["status"] == 500 and one["route"] == "/at/<token>" for one in noted)


def come_in(phone: Phone, path: str) -> None:
    """Open an invitation, and press its button if it has one."""
    phone.get(path)
    if f'action="{path}"' in phone.page:
        phone.press(path)


def everybody_into_trouble(folder: Path, phones: tuple[Phone, ...], table: str, tokens: tuple[str, ...]) -> None:
    """Tables of the database are gone for a while: whatever is asked fails."""
    names = ("links", "rooms", "seats", "all_plays", "players")
    change(folder, "PRAGMA legacy_alter_table = ON", *(f"ALTER TABLE {name} RENAME TO away_{name}" for name in names))
    for phone in phones:
        for path in (*(f"/at/{token}" for token in tokens), *(f"/join/{token}" for token in tokens)):
            phone.get(path, Authorization=f"Bearer {tokens[0]}")
        for path in (table, f"{table}/setup", f"{table}/events", f"/history?q={PEOPLE[1]}", "/players", "/"):
            phone.get(path)
        phone.press(f"{table}/setup", add=PEOPLE[2])
        phone.press(f"{table}/seats/1", **{"grid/0/0": "cottage"})
    change(folder, "PRAGMA legacy_alter_table = ON", *(f"ALTER TABLE away_{name} RENAME TO {name}" for name in names))


# -- piece by piece ---


def test_of_a_fault_its_kind_and_its_lines_are_told_but_no_value(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    @app.get("/fault/<token>")
    def fault(token: str) -> str:
        raise KeyError(PEOPLE[0] + token)

    app.config.update(PROPAGATE_EXCEPTIONS=False, TESTING=False)
    with caplog.at_level(logging.ERROR):
        answer = app.test_client().get("/fault/abcdefgh1234?who=Wunibald&short=Wu")
    assert answer.status_code == 500
    text = caplog.text
    assert "KeyError" in text and "test_logs.py" in text and "/fault/<token>" in text
    for secret in ("abcdefgh1234", "Friedlinde", "Wunibald"):
        assert secret not in text


def test_tokens_are_hidden_wherever_they_stand() -> None:
    assert logs.masked("GET /at/Zk3_x9-Qw8LmN0pRsTuVwX HTTP/1.1") == "GET /at/… HTTP/1.1"
    assert logs.masked("cookie eyJjbHViIjoxfQ.aRzUxg.Zk3_x9Qw8LmN0pRs, status 500") == "cookie …, status 500"
    plain = "FileNotFoundError in webapp.history.plays at line 120, no such table"
    assert logs.masked(plain.replace("FileNotFoundError", "Fault")) == plain.replace("FileNotFoundError", "Fault")


def test_the_kind_of_a_fault_is_told_in_full() -> None:
    try:
        Path("/nowhere/Zk3_x9-Qw8LmN0pRsTuVwX").read_text()
    except OSError as fault:
        told = logs.traceback_text(fault).splitlines()[-1]
    assert told == "FileNotFoundError: [Errno 2] No such file or directory: …"


def test_a_log_that_was_moved_away_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "access.log"
    app = create_app({"DATABASE": place(tmp_path / "x.db"), "SECRET_KEY": "for the tests", "ACCESS_LOG": str(path)})
    app.test_client().get("/healthz")
    path.rename(tmp_path / "old.log")
    app.test_client().get("/offline")
    for handler in app.extensions["access log"].handlers:
        handler.close()
    assert [json.loads(path.read_text())["route"], stat.S_IMODE(path.stat().st_mode)] == ["/offline", 0o600]


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="TIDEMARK_ACCESS_LOG"):
        create_app({"DATABASE": place(tmp_path / "x.db"), "ACCESS_LOG": str(tmp_path)})
