"""The webhook: another program hears of each saved game, once it takes the message, and can tell that it is from us."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from flask import Flask

from tests.documents import DOCS, blocks, text
from tests.webapp.conftest import Laid
from webapp import jobs
from webapp.database import Database
from webapp.history import webhook
from webapp.jobs import queue

pytestmark = pytest.mark.either

SECRET = "sixteen-letters-or-more"
DOCUMENTED = DOCS / "servers" / "webhook.md"


@dataclass
class Hub:
    """A program that keeps what it is told, and answers with these statuses, the last one again and again."""

    statuses: list[int]
    told: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    address: str = ""


@contextmanager
def hub(*statuses: int) -> Iterator[Hub]:
    found = Hub(list(statuses))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.told.append((dict(self.headers), body))
            self.send_response(found.statuses.pop(0) if len(found.statuses) > 1 else found.statuses[0])
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """It prints nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    found.address = f"http://127.0.0.1:{server.server_port}/games"
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def save_a_game(app: Flask, laid: Laid, address: str) -> None:
    app.config.update(WEBHOOK=address, WEBHOOK_SECRET=SECRET)
    laid.enter_all()
    laid.member.post(f"{laid.path}/reveal")
    laid.member.post(f"{laid.path}/save?shared=1", {})
    assert laid.db.execute("SELECT count(*) FROM plays").fetchone() == (1,)


def waiting(db: Database) -> list[jobs.Job]:
    return [job for job in jobs.under_way(db) if job.kind == webhook.KIND]


def let_time_pass(db: Database) -> None:
    """Until the next attempt is due."""
    [job] = waiting(db)
    assert not job.is_due
    with db.atomic():
        queue.update(db, replace(jobs.at_step(job, attempt=job.step["attempt"]), worker=""))


def test_a_saved_game_is_told_once_and_signed(app: Flask, laid: Laid) -> None:
    with hub(204) as found:
        save_a_game(app, laid, found.address)
        jobs.finish(laid.db, webhook.steps(app.config))
    [(headers, body)] = found.told
    told = json.loads(body)
    key, game = laid.db.execute("SELECT key, game FROM plays").fetchone()
    assert (told["event"], told["play"], told["game"]) == ("game saved", key, game)
    assert [player["name"] for player in told["players"]] == ["Ann", "Bob", "Cid"]
    assert headers["X-Tidemark-Id"] == told["id"]
    signed = headers["X-Tidemark-Time"].encode() + b"." + body
    assert headers["X-Tidemark-Signature"] == f"sha256={hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()}"
    assert waiting(laid.db) == []
    assert set(documented_keys()) == {*told, *told["players"][0]}
    assert [documented_check(headers, body, secret) for secret in (SECRET, "another secret")] == [True, False]


def documented_keys() -> list[str]:
    """Return the keys of a message in the tables of docs/servers/webhook.md."""
    rows = re.findall(r"^\| (`.+`) \| (.+) \|$", text(DOCUMENTED), re.M)
    return [key for row in rows for cell in row for key in re.findall(r"`(\w+)`", cell)]


def documented_check(headers: dict[str, str], body: bytes, secret: str) -> bool:
    """Check a message with the code of docs/servers/webhook.md."""
    names: dict[str, Any] = {}
    [code] = blocks(DOCUMENTED, "python")
    exec(code, names)
    return bool(names["is_from_tidemark"](headers, body, secret))


@pytest.mark.parametrize("refused", [500, 404, 302])
def test_whoever_does_not_take_it_is_asked_again_later(app: Flask, laid: Laid, refused: int) -> None:
    with hub(refused, 200) as found:
        save_a_game(app, laid, found.address)
        jobs.finish(laid.db, webhook.steps(app.config))
        assert len(found.told) == 1, "not at once"
        let_time_pass(laid.db)
        jobs.finish(laid.db, webhook.steps(app.config))
    assert [headers["X-Tidemark-Id"] for headers, _ in found.told] == [json.loads(found.told[0][1])["id"]] * 2
    assert waiting(laid.db) == []


def test_after_four_attempts_the_message_is_dropped(app: Flask, laid: Laid) -> None:
    with hub(500) as found:
        save_a_game(app, laid, found.address)
        jobs.finish(laid.db, webhook.steps(app.config))
        for _ in webhook.PAUSES_S:
            let_time_pass(laid.db)
            jobs.finish(laid.db, webhook.steps(app.config))
    assert len(found.told) == 4 and waiting(laid.db) == []


def test_other_work_of_the_club_does_not_wait_for_it(app: Flask, laid: Laid) -> None:
    with hub(500) as found:
        save_a_game(app, laid, found.address)
        club_id = laid.db.club_of("all_plays", id=1)
        jobs.add(laid.db, "quick", club_id)
        jobs.finish(laid.db, {**webhook.steps(app.config), "quick": lambda *_: None})
    assert [job.kind for job in jobs.under_way(laid.db)] == [webhook.KIND]


def test_nobody_is_told_unless_the_server_owner_wants_it(app: Flask, laid: Laid) -> None:
    save_a_game(app, laid, "")
    assert waiting(laid.db) == []


def test_what_was_left_is_dropped_once_it_is_off(app: Flask, laid: Laid) -> None:
    save_a_game(app, laid, "http://127.0.0.1:1/nobody")
    assert len(waiting(laid.db)) == 1
    jobs.finish(laid.db, webhook.steps({}))
    assert waiting(laid.db) == []


def test_so_many_messages_wait_and_no_more(app: Flask, laid: Laid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "MOST_WAITING", 0)
    save_a_game(app, laid, "http://127.0.0.1:1/nobody")
    assert waiting(laid.db) == []
