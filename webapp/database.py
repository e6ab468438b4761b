"""The SQLite file: connections that lose nothing, and transactions that take their turn."""

from __future__ import annotations

import contextlib
import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from flask import Flask, current_app, g
from sqlite_utils import Database as SqliteUtilsDatabase

from webapp import gauges, private
from webapp.clock import ago as ago
from webapp.clock import now as now
from webapp.disk import Disk

BUSY_TIMEOUT_S = 10.0
MOST_IDLE = 8  # connections kept open; each may hold 2 MB of pages

# SQLite lets writers try again and again, and the unlucky one gives up; our threads sleep until it is their turn.
ONE_WRITER = threading.RLock()

# What is acknowledged is on disk: FULL flushes the write-ahead log at every commit. The connections of an app flush it
# together (`disk`).
PRAGMAS = ("journal_mode = WAL", "foreign_keys = ON", "journal_size_limit = 67108864")


class SpoiltTransaction(Exception):
    """Somebody went on after a part of the transaction had failed: nothing of it is kept."""


class Database(SqliteUtilsDatabase):
    """sqlite-utils, with writers that queue up at the start of a transaction instead of failing in its middle."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.touched: set[str] = set()  # keys of tables whose phones have news to hear
        self.spoilt = False  # a part of the transaction under way has failed
        self.disk: Disk | None = None  # to wait for after a commit; without it, each commit waits by itself

    @contextlib.contextmanager
    def atomic(self) -> Generator[Database, None, None]:
        """All of it or nothing. Within another transaction it is a part of that one, and takes it down if it fails."""
        if self.conn.in_transaction:
            try:
                yield self
            except BaseException:
                self.spoilt = True
                raise
            return
        asked = time.perf_counter()
        with ONE_WRITER:
            self.conn.execute("BEGIN IMMEDIATE")
            gauges.WRITE_WAITS.observe(time.perf_counter() - asked)
            self.spoilt = False
            try:
                yield self
                if self.spoilt:
                    raise SpoiltTransaction
                self.conn.execute("COMMIT")
                if self.disk is not None:
                    self.disk.note()
            except BaseException:
                self.conn.rollback()
                raise
        if self.disk is not None:
            self.disk.wait()

    def query(
        self, sql: str, params: Sequence[Any] | dict[str, Any] | None = None
    ) -> Generator[dict[str, Any], None, None]:
        """The rows, asked for in this one statement; sqlite-utils puts a savepoint around each."""
        cursor = self.execute(sql, params)
        names = [column[0] for column in cursor.description]
        return (dict(zip(names, row, strict=True)) for row in cursor)

    def row(self, sql: str, *values: Any) -> dict[str, Any] | None:
        """The first row, if there is one."""
        return next(self.query(sql, values), None)

    def insert(self, table: str, **values: Any) -> int:
        """A new row, in this one statement; its id. sqlite-utils looks at the table first, again and again."""
        columns, marks = ", ".join(values), ", ".join("?" for _ in values)
        made = self.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(values.values()))
        return int(made.lastrowid or 0)

    def upsert(self, table: str, key: Sequence[str], **values: Any) -> None:
        """A new row, or the one that has these values in its key columns changed to it."""
        columns, marks = ", ".join(values), ", ".join("?" for _ in values)
        others = ", ".join(f"{name} = excluded.{name}" for name in values if name not in key)
        self.execute(
            f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT ({', '.join(key)}) DO UPDATE SET {others}",
            list(values.values()),
        )


def connect(path: str | Path, disk: Disk | None = None) -> Database:
    """A connection for one thread at a time. A file that is not there is made, its owner's alone."""
    if str(path) != ":memory:":
        private.made(path)
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
    try:
        for pragma in (*PRAGMAS, f"synchronous = {'FULL' if disk is None else 'NORMAL'}"):
            connection.execute(f"PRAGMA {pragma}")
        db = Database(connection, execute_plugins=False)
        db.disk = disk
        return db
    except BaseException:
        connection.close()
        raise


class Connections:
    """An app's connections that wait for the next request: opening one costs more than all that a page asks."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.disk = None if str(path) == ":memory:" else Disk(path)
        self.idle: list[Database] = []  # the one used last is the next to be used

    def take(self) -> Database:
        try:
            return self.idle.pop()
        except IndexError:
            return connect(self.path, self.disk)

    def give_back(self, db: Database) -> None:
        if db.conn.in_transaction or len(self.idle) >= MOST_IDLE:
            db.close()
        else:
            db.touched.clear()
            self.idle.append(db)

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()


def get_db() -> Database:
    """The connection of the request that is being answered."""
    if "db" not in g:
        g.db = connections(current_app).take()
    db: Database = g.db
    return db


def close_db(fault: BaseException | None = None) -> None:
    """At the end of a request. After a fault that nobody expected its connection is not used again."""
    db = g.pop("db", None)
    if db is None:
        return
    if fault is None:
        connections(current_app).give_back(db)
    else:
        db.close()


def connections(app: Flask) -> Connections:
    found: Connections = app.extensions["connections"]
    return found


def new_key() -> str:
    """A name for the web that nobody guesses (72 bits)."""
    return secrets.token_urlsafe(9)


def pack(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
