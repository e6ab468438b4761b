"""Store the tests' databases in files or, with `--engine postgres`, on a server that the tests start."""

from __future__ import annotations

import atexit
import itertools
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

from tests.webapp.cluster import Cluster
from webapp.database import Database
from webapp.database.files import IN_MEMORY
from webapp.database.sqlite import Sqlite
from webapp.schema.upgrade import opened

TEMPLATE = "fresh"  # with its schema, to be copied

on_server = False
given: dict[str, str] = {}  # by path, the name of its database
numbers = itertools.count()


def place(path: str | Path) -> str:
    """Return the address of a test database that stands for this path."""
    if str(path).startswith("postgresql://"):
        return str(path)
    if not on_server:
        if str(path) != IN_MEMORY and not Path(path).exists():
            shutil.copy(fresh_file(), path)
        return str(path)
    if str(path) == IN_MEMORY:  # a new one each time
        path = f"{IN_MEMORY} {next(numbers)}"
    return cluster().address(given.get(str(path)) or made(path, TEMPLATE))


def made(path: str | Path, template: str) -> str:
    name = given[str(path)] = f"t{next(numbers)}"
    order(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    return name


def copied(source: str | Path, path: str | Path) -> str:
    """Copy a database that nobody uses, and return the copy's address for this path."""
    if not on_server:
        shutil.copy(source, path)
        return str(path)
    template = next(name for name in given.values() if name and cluster().address(name) == place(source))
    return cluster().address(made(path, template))


def clear(folder: Path) -> None:
    """Delete the databases that stand for paths in this folder, or in memory."""
    for path in [path for path in given if path.startswith(IN_MEMORY) or Path(path).is_relative_to(folder)]:
        order(f"DROP DATABASE {given.pop(path)} WITH (FORCE)")


class Snapshot:
    """Store the whole of a file, to restore it."""

    def __init__(self, db: Sqlite) -> None:
        self.db, self.kept = db, sqlite3.connect(IN_MEMORY)
        db.conn.backup(self.kept)
        self.seen = self._state()

    def _state(self) -> Any:
        """Return a value that changes when somebody else writes."""
        return self.db.execute("PRAGMA data_version").fetchone()

    def put_back(self) -> None:
        if self._state() != self.seen:
            self.kept.backup(self.db.conn)
            self.seen = self._state()


class SnapshotOfTables:
    """Store all rows on a server in a schema of their own, to restore them."""

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
def fresh_file() -> Path:
    """Return a file with its schema, to be copied, because creating one takes longer than most tests."""
    folder = tempfile.mkdtemp(prefix="tidemark-fresh-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "fresh.db"
    opened(path).close()
    return path


@cache
def cluster() -> Cluster:
    """Return the server, started when first needed."""
    started = Cluster()
    order_at(started, f"CREATE DATABASE {TEMPLATE}")
    opened(started.address(TEMPLATE)).close()
    return started


def desk_of(at: Cluster) -> psycopg.Connection:
    """Return a connection that can create databases."""
    return psycopg.connect(at.address("postgres"), autocommit=True)


def order_at(at: Cluster, statement: str) -> None:
    with desk_of(at) as once:
        once.execute(statement)


@cache
def desk() -> psycopg.Connection:
    """Return the same connection each time."""
    return desk_of(cluster())


def order(statement: str) -> None:
    desk().execute(statement)


@contextmanager
def empty() -> Iterator[str]:
    """Yield the address of a database on the server without tables."""
    name = f"empty{next(numbers)}"
    order(f"CREATE DATABASE {name}")
    yield cluster().address(name)
    order(f"DROP DATABASE {name} WITH (FORCE)")


def stop() -> None:
    if fresh_file.cache_info().currsize:
        shutil.rmtree(fresh_file().parent)
        fresh_file.cache_clear()
    if cluster.cache_info().currsize:
        if desk.cache_info().currsize:
            desk().close()
            desk.cache_clear()
        cluster().close()
        cluster.cache_clear()
