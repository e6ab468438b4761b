"""Test that a request whose transaction conflicts is answered after a retry, and that nothing is saved twice."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from flask import Flask

from scorer.sentences import say
from tests.webapp.conftest import Device, Laid
from tests.webapp.plays import draft, typed
from webapp import history
from webapp.database import Database, UnusableDatabase, connect, get_db, retry, retrying
from webapp.retry import CAN_RETRY, RetryMiddleware, RetryRequest


class InTheWay(Exception):
    """Hold what an engine says of two that wanted the same."""


def asked(app: Any, body: bytes = b"") -> tuple[list[dict[str, Any]], bytes]:
    """Return what the application was told each time, and what it said in the end."""
    told: list[dict[str, Any]] = []

    def inner(environ: dict[str, Any], start: Any) -> list[bytes]:
        told.append({**environ, "body": environ["wsgi.input"].read()})
        return [app(environ)]

    [said] = RetryMiddleware(inner)({"wsgi.input": io.BytesIO(body)}, None)
    return told, bytes(said)


def test_a_request_that_gave_way_is_told_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_PAUSE_S", 0.0001)
    left = [1, 1]

    def inner(_: Any) -> bytes:
        if left:
            left.pop()
            raise RetryRequest
        return b"done"

    told, said = asked(inner, b"what was sent")
    assert said == b"done"
    assert [one["body"] for one in told] == [b"what was sent"] * 3


def test_the_last_time_nobody_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_PAUSE_S", 0.0001)

    def inner(environ: dict[str, Any]) -> bytes:
        if environ[CAN_RETRY]:
            raise RetryRequest
        return b"not saved yet"

    told, said = asked(inner)
    assert said == b"not saved yet" and len(told) == retry.TRIES


def test_a_body_that_cannot_be_read_twice_is_read_once() -> None:
    class Passing(io.RawIOBase):
        def seekable(self) -> bool:
            return False

    [may] = RetryMiddleware(lambda environ, _: [bytes([CAN_RETRY in environ])])({"wsgi.input": Passing()}, None)
    assert may == b"\0"


def test_what_goes_on_where_it_was_stopped_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_PAUSE_S", 0.0001)
    tried: list[int] = []

    def action() -> str:
        tried.append(1)
        if len(tried) < 3:
            raise InTheWay
        return "done"

    def is_in_the_way(fault: BaseException) -> bool:
        return isinstance(fault, InTheWay)

    assert retry.run_with_retries(action, is_in_the_way) == "done"
    tried.clear()
    with pytest.raises(InTheWay):
        retry.run_with_retries(action, lambda _: False)
    assert len(tried) == 1
    with pytest.raises(ZeroDivisionError):
        retrying(lambda: 1 // 0)


def test_a_schema_that_a_newer_version_has_changed_is_only_shown(app: Flask, member: Device) -> None:
    def write() -> str:
        raise UnusableDatabase(say("the database is that of a newer Tidemark."))

    app.view_functions.update({"setup.create": write, "api.score_record": write})
    answer = member.post("/tables", {"place": "The harbour"})
    assert answer.status_code == 503
    assert "This Tidemark is too old for its database" in answer.text and "The harbour" in answer.text
    answer = member.client.post("/api/v1/score", json={})
    assert (answer.status_code, answer.json) == (503, {"error": "the database is that of a newer Tidemark."})


# -- on a server, where it happens ---


@contextmanager
def somebody(address: str) -> Iterator[Database]:
    """A transaction that will not be the one to give way."""
    with closing(connect(address)) as other:
        other.execute("SET deadlock_timeout = '60s'")
        other.execute("BEGIN")
        yield other


def somebody_waits(db: Database) -> bool:
    found = db.execute(
        """SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'"""
    ).fetchone()
    return bool(found[0])


def until(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.02)


def crossed(app: Flask, db: Database, club: int, deed: Callable[[], None]) -> None:
    """Have the deed, which holds its club, wait for somebody who holds the club's row and then wants what it holds."""
    from webapp.database.postgres_connection import ONE_CLUB

    address = app.config["DATABASE"]
    thread = threading.Thread(target=deed)
    with somebody(address) as other:
        other.execute("SELECT 1 FROM clubs WHERE id = ? FOR UPDATE", [club])
        thread.start()
        until(lambda: somebody_waits(db))
        other.execute(f"SELECT pg_advisory_xact_lock({ONE_CLUB}, {club})")  # here the deed is sent back
        other.execute("COMMIT")
    thread.join(30)
    assert not thread.is_alive()


def deadlocks(db: Database) -> int:
    [found] = db.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").fetchone()
    return int(found)


@pytest.mark.postgres
def test_a_deadlock_costs_a_moment_and_nothing_is_kept_twice(app: Flask, laid: Laid, club: int) -> None:
    laid.enter_all()
    laid.member.get(f"{laid.path}/result")
    answers: list[int] = []
    before = deadlocks(laid.db)
    crossed(
        app, laid.db, club, lambda: answers.append(laid.member.post(f"{laid.path}/save", {"played_at": ""}).status_code)
    )
    assert answers == [302] or answers == [303]
    until(lambda: deadlocks(laid.db) == before + 1)
    assert laid.db.execute("SELECT count(*) FROM all_plays").fetchone() == (1,)
    assert history.rebuild.check(laid.db) == []


@pytest.mark.postgres
def test_background_work_goes_on_after_a_deadlock(app: Flask, db: Database, club: int) -> None:
    def save() -> None:
        with closing(connect(app.config["DATABASE"])) as mine:
            retrying(lambda: history.plays.save_all(mine, club, [draft(typed({"Ann": 1, "Bob": 2}))]))

    crossed(app, db, club, save)
    assert db.execute("SELECT count(*) FROM all_plays").fetchone() == (1,)


@pytest.mark.postgres
def test_a_request_of_which_something_is_kept_says_so_and_is_not_done_again(app: Flask, member: Device) -> None:
    from psycopg.errors import DeadlockDetected

    begun: list[int] = []

    def write(kept_first: bool) -> str:
        begun.append(1)
        if kept_first:
            with get_db().atomic(0) as db:
                db.put("settings", name=f"written {len(begun)}", value="")
        if kept_first or len(begun) < 3:
            raise DeadlockDetected
        return "done"

    app.view_functions["setup.create"] = lambda: write(False)
    assert member.post("/tables").text == "done" and len(begun) == 3
    begun.clear()
    app.view_functions["setup.create"] = lambda: write(True)
    answer = member.post("/tables", {"place": "The harbour"})
    assert answer.status_code == 507 and "The harbour" in answer.text
    assert len(begun) == 1


@pytest.mark.postgres
def test_taps_find_a_newer_schema_and_looks_do_not(laid: Laid) -> None:
    with laid.db.atomic(0):
        laid.db.put("schema_steps", name="a later one", applied_at="")
    assert laid.tap(laid.member, 0, **{"grid/0/0": "cottage"}) == 503
    laid.member.get(f"{laid.path}/seats/0")
    laid.db.execute("DELETE FROM schema_steps WHERE name = 'a later one'")
    assert laid.tap(laid.member, 0, **{"grid/0/0": "cottage"}) == 200
