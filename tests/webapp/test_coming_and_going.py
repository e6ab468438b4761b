"""Servers come and go: a killed one costs its phones a moment, and not a tap."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.webapp.conftest import PATIENCE, PHONE, come_in, follow, paint, seat_players, until
from tests.webapp.engines import place
from tests.webapp.test_server import free_port
from tests.webapp.visitor import PHOTO, Serving, Visitor, serving
from webapp.database import connect
from webapp.front import Limits
from webapp.table import tables

pytestmark = pytest.mark.either


@pytest.fixture
def phones(browser: Browser) -> Iterator[list[Page]]:
    """Two phones."""
    options: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "reduced_motion": "reduce"}
    contexts = [browser.new_context(**options) for _ in range(2)]
    for context in contexts:
        context.set_default_timeout(PATIENCE)
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def sit_down(host: Page, guest: Page, invitation: str) -> None:
    """The host at Ann's board, the guest at Bob's."""
    come_in(host, invitation)
    follow(host, '.game:has-text("Tiny Towns")')
    seat_players(host, "Ann", "Bob")
    follow(host, 'button:has-text("Invite other phones")')
    follow(host, 'button:has-text("Invite other phones")')
    link = host.get_attribute(".ways a.address", "href") or ""
    guest.goto(link)
    follow(guest, 'button:has-text("Bob")')
    follow(host, 'button:has-text("Play as Ann")')
    for page in (host, guest):
        page.wait_for_selector("[data-board]")


def kept(database: str) -> dict[str, list[str]]:
    """The first row of everybody's town."""
    db = connect(database)
    try:
        row = db.row("SELECT key FROM tables")
        assert row
        table = tables.find(db, row["key"])
        assert table
        return {seat.name: seat.state["grid"][0] if seat.state else [] for seat in table.seats}
    finally:
        db.close()


def test_a_killed_server_costs_no_tap_and_no_news(phones: list[Page], tmp_path: Path) -> None:
    database, port = place(tmp_path / "evening.db"), free_port()
    host, guest = phones
    with serving(database, port=port, beside=tmp_path) as first:
        sit_down(host, guest, first.invitation)
        looking_on = host.context.new_page()
        looking_on.goto(host.url.partition("/seats")[0] + "/seats")
        paint(host, "Cottage", "A1")
        expect(looking_on.locator('[data-standing="0"]').first).to_have_attribute("data-is", "begun")
        paint(host, "Farm", "B1")
        first.process.kill()  # whatever is just on its way
        first.process.wait()
        paint(host, "Cottage", "C1")  # to nobody
        paint(guest, "Farm", "A1")
        paint(guest, "Cottage", "B1", "C1")
    with serving(database, port=port, beside=tmp_path):
        for page in phones:
            expect(page.locator("body")).not_to_have_class("unsent")
        expected = {"Ann": ["cottage", "farm", "cottage", "empty"], "Bob": ["farm", "cottage", "cottage", "empty"]}
        until(lambda: kept(database) == expected)
        expect(looking_on.locator('[data-standing="1"]').first).to_have_attribute("data-is", "begun")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_told_to_stop_ends_in_time_and_in_order(tmp_path: Path, number: signal.Signals) -> None:
    with serving(place(tmp_path / "evening.db"), beside=tmp_path) as server:
        Visitor(server.address).open("/try")
        server.process.send_signal(number)
        assert server.process.wait(20) == 0
        assert "Traceback" not in server.printed.read_text(encoding="utf-8")


def test_who_is_told_twice_does_not_wait_for_a_balancer(tmp_path: Path) -> None:
    with serving(place(tmp_path / "evening.db"), beside=tmp_path) as server:
        Visitor(server.address).open("/readyz")
        started = time.monotonic()
        server.process.terminate()
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(1)
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) == 0
        assert time.monotonic() - started < Limits().drain_s
        assert "Traceback" not in server.printed.read_text(encoding="utf-8")


def begin_photo(server: Serving) -> socket.socket:
    """A photo is on its way to being read; nobody waits for what is made of it."""
    body = PHOTO.read_bytes()
    head = b'--edge\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    whole = head + body + b"\r\n--edge--\r\n"
    line = socket.create_connection(("127.0.0.1", urlsplit(server.address).port or 0))
    line.sendall(
        b"POST /api/v1/photo HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=edge\r\n"
        b"Content-Length: %d\r\n\r\n" % len(whole)
    )
    line.sendall(whole)
    while "tidemark_photos_under_way 1" not in Visitor(server.address).open("/metrics"):
        time.sleep(0.05)
    time.sleep(0.5)  # the process that reads it has begun
    return line


def test_a_server_in_the_middle_of_a_photo_ends_as_well(tmp_path: Path) -> None:
    with serving(place(tmp_path / "evening.db"), beside=tmp_path) as server:
        hung = begin_photo(server)
        server.process.terminate()
        assert server.process.wait(20) == 0
        hung.close()
