"""Where the tests keep databases: in files or, with `--engine postgres`, on a server that they start themselves."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from tests.webapp.cluster import Cluster
from webapp.database import Database
from webapp.database.files import IN_MEMORY
from webapp.database.sqlite import Sqlite
from webapp.schema.opening import opened

TEMPLATE = "fresh"  # with its schema, to be copied

on_server = False
given: dict[str, str] = {}  # by path, the name of its database
numbers = itertools.count()


def place(path: str | Path) -> str:
    """The address of the database that would lie at that path."""
    if not on_server or str(path).startswith("postgresql://"):
        return str(path)
    if str(path) == IN_MEMORY:  # a new one each time
        path = f"{IN_MEMORY} {next(numbers)}"
    return cluster().address(given.get(str(path)) or made(path, TEMPLATE))


def made(path: str | Path, template: str) -> str:
    name = given[str(path)] = f"t{next(numbers)}"
    order(f"CREATE DATABASE {name} TEMPLATE {template}")
    return name


def copied(source: str | Path, path: str | Path) -> str:
    """The address of a copy of the database at that path, to which nobody is connected, for this path."""
    if not on_server:
        shutil.copy(source, path)
        return str(path)
    template = next(name for name in given.values() if name and cluster().address(name) == place(source))
    return cluster().address(made(path, template))


def clear(folder: Path) -> None:
    """What would have lain in that folder, or in memory, goes."""
    for path in [path for path in given if path.startswith(IN_MEMORY) or Path(path).is_relative_to(folder)]:
        order(f"DROP DATABASE {given.pop(path)} WITH (FORCE)")


class Snapshot:
    """The whole of a file as it is now."""

    def __init__(self, db: Sqlite) -> None:
        self.db, self.kept = db, sqlite3.connect(IN_MEMORY)
        db.conn.backup(self.kept)
        self.seen = self._state()

    def _state(self) -> Any:
        """Another one after anybody else has written."""
        return self.db.execute("PRAGMA data_version").fetchone()

    def put_back(self) -> None:
        if self._state() != self.seen:
            self.kept.backup(self.db.conn)
            self.seen = self._state()


class SnapshotOfTables:
    """The same on a server: all rows, kept in a schema of their own."""

    def __init__(self, db: Database) -> None:
        self.db, self.tables = db, list(db.columns())
        db.execute("DROP SCHEMA IF EXISTS kept CASCADE")
        db.execute("CREATE SCHEMA kept")
        for table in self.tables:
            db.execute(f"CREATE TABLE kept.{table} AS TABLE {table}")
        self.seen = self._state()

    def _state(self) -> Any:
        return self.db.execute("SELECT pg_current_wal_insert_lsn()").fetchone()

    def put_back(self) -> None:
        if self._state() == self.seen:
            return
        self.db.execute("BEGIN")
        self.db.execute("SET LOCAL session_replication_role = replica")  # nobody counts, and nothing hangs on anything
        for table in self.tables:
            self.db.execute(f"DELETE FROM {table}")
            self.db.execute(f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM kept.{table}")
        self.db.execute("COMMIT")
        self.seen = self._state()


def snapshot(db: Database) -> Snapshot | SnapshotOfTables:
    return Snapshot(db) if isinstance(db, Sqlite) else SnapshotOfTables(db)


@cache
def cluster() -> Cluster:
    """The server, started for the first test that wants it."""
    started = Cluster()
    order_at(started, f"CREATE DATABASE {TEMPLATE}")
    opened(started.address(TEMPLATE)).close()
    return started


def order_at(at: Cluster, statement: str) -> None:
    import psycopg

    with psycopg.connect(at.address("postgres"), autocommit=True) as desk:
        desk.execute(statement)


def order(statement: str) -> None:
    order_at(cluster(), statement)


@contextmanager
def empty() -> Iterator[str]:
    """The address of a database on the server that has no tables yet."""
    name = f"empty{next(numbers)}"
    order(f"CREATE DATABASE {name}")
    yield cluster().address(name)
    order(f"DROP DATABASE {name} WITH (FORCE)")


def stop() -> None:
    if cluster.cache_info().currsize:
        cluster().close()
        cluster.cache_clear()
