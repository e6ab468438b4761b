"""Transactions that are kept as a whole or not at all, and connections that serve again."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from webapp.database import Database, SpoiltTransaction, sqlite
from webapp.database.sqlite import Connections, Sqlite


def names(db: Database) -> list[str]:
    return [row["name"] for row in db.query("SELECT name FROM settings WHERE name LIKE 'test%' ORDER BY name")]


@pytest.mark.sqlite
def test_a_transaction_within_another_is_a_part_of_it(db: Sqlite) -> None:
    statements: list[str] = []
    db.conn.set_trace_callback(statements.append)
    with db.atomic():
        db.put("settings", name="test 1", value="")
        with db.atomic():
            db.put("settings", name="test 2", value="")
    db.conn.set_trace_callback(None)
    assert [text for text in statements if not text.startswith("INSERT")] == ["BEGIN IMMEDIATE", "COMMIT"]
    assert names(db) == ["test 1", "test 2"]


def test_what_fails_inside_takes_all_of_it_back(db: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        one_that_fails_within_another(db, ())
    assert names(db) == []


def one_that_fails_within_another(db: Database, swallowed: tuple[type[Exception], ...]) -> None:
    with db.atomic():
        db.put("settings", name="test 1", value="")
        with contextlib.suppress(*swallowed), db.atomic():
            db.put("settings", name="test 2", value="")
            raise ZeroDivisionError


def test_a_failure_that_somebody_swallows_takes_all_of_it_back_too(db: Database) -> None:
    with pytest.raises(SpoiltTransaction):
        one_that_fails_within_another(db, (ZeroDivisionError,))
    assert names(db) == []
    with db.atomic():
        db.put("settings", name="test 3", value="")
    assert names(db) == ["test 3"]


def test_a_row_is_put_in_or_changed(db: Database) -> None:
    for value in ("old", "new"):
        with db.atomic():
            db.upsert("settings", ("name",), name="test", value=value)
    assert db.row("SELECT value FROM settings WHERE name = 'test'") == {"value": "new"}


def test_a_connection_serves_again_unless_it_was_left_in_the_middle(tmp_path: Path) -> None:
    waiting = Connections(tmp_path / "t.db")
    first = waiting.take()
    waiting.give_back(first)
    assert waiting.take() is first
    first.execute("BEGIN")
    waiting.give_back(first)
    assert waiting.take() is not first


def test_only_some_connections_are_kept(tmp_path: Path) -> None:
    waiting = Connections(tmp_path / "t.db")
    for taken in [waiting.take() for _ in range(sqlite.MOST_IDLE + 3)]:
        waiting.give_back(taken)
    assert len(waiting.idle) == sqlite.MOST_IDLE
    waiting.close()
    assert waiting.idle == []
