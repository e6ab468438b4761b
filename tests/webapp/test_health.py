"""Tell what machines ask: whether we are well, and our numbers; and what people read when the disk is full."""

from __future__ import annotations

import re
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.webapp.conftest import Device, Laid, listen
from tests.webapp.engines import place
from webapp import backup, create_app
from webapp.database import Database, UnusableDatabase, connect, connections, errors
from webapp.database.sqlite import Connections
from webapp.database.sqlite_connection import BUSY_TIMEOUT_S
from webapp.front import READY
from webapp.table import events

pytestmark = pytest.mark.either

LOCAL = {"base_url": "http://localhost"}


def test_healthz_says_ok_and_nothing_else(app: Flask) -> None:
    answer = app.test_client().get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok\n")
    assert "Set-Cookie" not in answer.headers


def readyz(app: Flask, **environ: object) -> tuple[int, str]:
    answer = app.test_client().get("/readyz", environ_base=environ)
    return answer.status_code, answer.text


def test_readyz_says_ready_and_nothing_else(app: Flask) -> None:
    assert readyz(app) == (200, "ready\n")
    assert readyz(app, **{READY: lambda: True}) == (200, "ready\n")


def test_who_stops_is_alive_but_not_ready(app: Flask) -> None:
    assert readyz(app, **{READY: lambda: False}) == (503, "stopping\n")
    assert app.test_client().get("/healthz").status_code == 200


@pytest.mark.sqlite
def test_a_database_that_does_not_answer_makes_us_unready_not_dead(app: Flask, db: Database) -> None:
    db.execute("ALTER TABLE _sqlite_migrations RENAME TO elsewhere")
    assert readyz(app) == (503, "the database does not answer\n")
    assert app.test_client().get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE {steps} SET name = 'of_next_year' WHERE name = (SELECT max(name) FROM {steps})",
        "DELETE FROM {steps} WHERE name = (SELECT max(name) FROM {steps})",
    ],
)
def test_a_database_of_another_version_is_left_to_others(app: Flask, db: Database, change: str) -> None:
    with db.atomic():
        db.execute(change.format(steps="schema_steps" if "schema_steps" in db.columns() else "_sqlite_migrations"))
    assert readyz(app) == (503, "the database is of another version\n")


def test_a_database_without_all_its_tables_makes_us_unready_and_does_not_start(tmp_path: Path) -> None:
    address = place(tmp_path / "lacking.db")
    app = create_app({"DATABASE": address, "SECRET_KEY": "x"})
    with closing(connect(address)) as db:
        db.execute("DROP TABLE photo_boards")
    assert readyz(app) == (503, "the database lacks tables\n")
    with pytest.raises(UnusableDatabase, match=r"lacks photo_boards\. Restore a backup"):
        create_app({"DATABASE": address, "SECRET_KEY": "x"})


@pytest.mark.sqlite
def test_a_full_disk_makes_us_unready(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    megabyte = 2**20
    for free, expected in ((7 * megabyte, (503, "the disk is full\n")), (8 * megabyte, (200, "ready\n"))):
        usage = SimpleNamespace(total=100 * megabyte, used=0, free=free)
        monkeypatch.setattr(shutil, "disk_usage", lambda _, usage=usage: usage)
        assert readyz(app) == expected


def metrics(app: Flask, peer: str = "127.0.0.1", host: str = "localhost", **headers: str) -> TestResponse:
    return app.test_client().get(
        "/metrics",
        base_url=f"http://{host}",
        environ_base={"REMOTE_ADDR": peer},
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def test_metrics_are_for_this_machine_or_the_token(tmp_path: Path) -> None:
    token = "a token of sixteen".replace(" ", "-")
    for proxy in (0, 1):
        app = create_app(
            {"DATABASE": place(tmp_path / f"{proxy}.db"), "SECRET_KEY": "x", "METRICS_TOKEN": token, "PROXY": proxy}
        )
        assert metrics(app).status_code == 200
        assert metrics(app, "::1").status_code == 200
        assert metrics(app, "127.0.0.1", "127.0.0.1:8000").status_code == 200
        for passed_on in ("X_Forwarded_For", "X_Real_IP", "Forwarded", "Via", "X_Forwarded_Host"):
            assert metrics(app, **{passed_on: "203.0.113.9"}).status_code == 404, passed_on
            assert metrics(app, **{passed_on: "127.0.0.1"}).status_code == 404, passed_on
        assert metrics(app, "203.0.113.9").status_code == 404
        assert metrics(app, "192.168.1.20").status_code == 404
        assert metrics(app, "127.0.0.1", "scores.example").status_code == 404
        assert metrics(app, "203.0.113.9", Authorization=f"Bearer {token}").status_code == 200
        for wrong in (f"Bearer {token}x", "Bearer ", f"Basic {token}", token, "Bearer ÿ"):
            assert metrics(app, "203.0.113.9", Authorization=wrong).status_code == 404


def test_without_a_token_nobody_has_it(app: Flask) -> None:
    for brought in ("Bearer ", "Bearer None", "Bearer"):
        assert metrics(app, "203.0.113.9", Authorization=brought).status_code == 404


def value(text: str, name: str, **labels: str) -> float:
    inside = ",".join(f'{label}="{one}"' for label, one in labels.items())
    found = re.search(rf"^{re.escape(name + (f'{{{inside}}}' if inside else ''))} (\S+)$", text, re.M)
    assert found is not None, f"{name} {labels}"
    return float(found[1])


def test_what_was_done_is_counted(app: Flask, laid: Laid, tmp_path: Path) -> None:
    before = metrics(app).text
    for number in range(3):
        laid.member.post(f"{laid.path}/seats/{number}", {"grid/0/0": "cottage"})
    laid.member.get("/nowhere/at/all", 404)
    after = metrics(app).text
    seats = "/tables/<key>/seats/<int:number>"
    assert value(after, "tidemark_requests_total", method="POST", route=seats, status="303") == 3
    assert value(after, "tidemark_requests_total", method="GET", route="(no such page)", status="404") == 1
    assert value(after, "tidemark_request_seconds_count", route=seats) == 3
    assert value(after, "tidemark_request_seconds_bucket", route=seats, le="+Inf") == 3
    writes = "tidemark_write_wait_seconds_count"
    assert value(after, writes) >= value(before, writes) + 3
    assert value(after, "tidemark_streams_open") == 0
    assert value(after, "tidemark_photos_under_way") == 0
    key = laid.path.rpartition("/")[2]
    assert key not in after and "Ann" not in after


@pytest.mark.sqlite
def test_the_age_of_the_latest_copy_is_told(app: Flask) -> None:
    assert "tidemark_backup_age_seconds" not in metrics(app).text
    backup.rotate(app.config["DATABASE"])
    assert 0 <= value(metrics(app).text, "tidemark_backup_age_seconds") < 60


def test_open_streams_are_counted(app: Flask, laid: Laid) -> None:
    stream = listen(laid.member, f"{laid.path}/events")
    assert value(metrics(app).text, "tidemark_streams_open") == 1
    stream.close()
    assert value(metrics(app).text, "tidemark_streams_open") == 0


def test_a_tap_is_acknowledged_although_its_news_cannot_be_told(
    app: Flask, laid: Laid, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is saved by then: the database may have gone in between."""

    def fail(*_: object) -> None:
        raise errors()[0]

    monkeypatch.setattr(events, "tell", fail)
    answer = laid.member.post(f"{laid.path}/seats/0", {"grid/0/0": "cottage"})
    assert answer.status_code == 303
    assert laid.db.execute("SELECT count(*) FROM seats WHERE state IS NOT NULL").fetchone() == (1,)


# -- a full disk ---


@pytest.fixture
def full(app: Flask, laid: Laid) -> Database:
    """The app's one idle connection may not grow the file any more; it is the next to be used."""
    laid.enter_all()
    waiting = cast(Connections, connections(app))
    while len(waiting.idle) > 1:
        waiting.idle.pop().close()
    [db] = waiting.idle
    db.execute(
        """CREATE TEMP TRIGGER a_long_game AFTER INSERT ON main.all_plays
        BEGIN INSERT INTO settings VALUES ('pages', hex(randomblob(100000))); END"""
    )
    db.execute("PRAGMA max_page_count = 1")  # raised by SQLite to what there is
    return db


@pytest.mark.sqlite
def test_a_full_disk_is_told_and_what_was_entered_stays(app: Flask, full: Database, laid: Laid) -> None:
    note = "It rained. " * 2000
    laid.member.post(f"{laid.path}/reveal")
    answer = laid.member.post(f"{laid.path}/save?shared=1", {"note": note})
    assert answer.status_code == 507
    page = answer.text
    assert "The server’s disk is full" in page and "Try again" in page
    assert f'name="note" value="{note}"' in page and 'name="csrf_token"' in page
    assert laid.db.execute("SELECT count(*) FROM all_plays").fetchone() == (0,)
    assert laid.db.execute("SELECT count(*) FROM seats WHERE state IS NOT NULL").fetchone() == (3,)
    full.execute("PRAGMA max_page_count = 1000000")  # room again: the button of the page is pressed
    again = laid.member.post(f"{laid.path}/save?shared=1", {"note": note})
    assert again.status_code == 303
    assert laid.db.execute("SELECT count(*) FROM all_plays").fetchone() == (1,)


@pytest.mark.sqlite
def test_a_program_that_holds_the_file_is_waited_for_and_then_told(app: Flask, laid: Laid) -> None:
    with closing(sqlite3.connect(app.config["DATABASE"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        answer = laid.member.post(f"{laid.path}/seats/0", {"grid/0/0": "cottage"})
        assert BUSY_TIMEOUT_S <= time.monotonic() - began < 2 * BUSY_TIMEOUT_S
        assert answer.status_code == 507 and "Try again" in answer.text
        assert 'name="grid/0/0" value="cottage"' in answer.text
    assert laid.member.post(f"{laid.path}/seats/0", {"grid/0/0": "cottage"}).status_code == 303


@pytest.mark.sqlite
def test_a_disk_that_cannot_be_written_is_told(app: Flask, laid: Laid, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = cast(Connections, connections(app))
    for db in waiting.idle:
        db.execute("PRAGMA query_only = ON")
    answer = laid.member.post(f"{laid.path}/seats/0", {"grid/0/0": "cottage"})
    assert answer.status_code == 507 and "tidemark doctor" in answer.text
    for db in waiting.idle:
        db.execute("PRAGMA query_only = OFF")
    assert laid.member.post(f"{laid.path}/seats/0", {"grid/0/0": "cottage"}).status_code == 303


def test_other_faults_of_the_database_are_faults(app: Flask, member: Device, db: Database) -> None:
    db.execute("DROP VIEW plays")
    db.execute("ALTER TABLE all_plays RENAME TO elsewhere")
    app.config.update(PROPAGATE_EXCEPTIONS=False, TESTING=False)
    assert member.client.get("/").status_code == 500
    with pytest.raises(errors()):
        db.execute("SELECT 1 FROM all_plays")
