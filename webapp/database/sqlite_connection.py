"""Connect to a SQLite file. Commits are safe on disk, and writers take turns."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlite_utils import Database as SqliteUtilsDatabase

from webapp import metrics, private_files
from webapp.database import files, replaced_files
from webapp.database.disk_flush import Disk
from webapp.database.engine import Cursor, Database, Values, inserting
from webapp.database.files import IN_MEMORY

BUSY_TIMEOUT_S = 3.0  # for another program; after that, phones send a tap again, and pages keep what was entered
LEAST_FREE = 8 * 2**20  # bytes of disk; enough for an evening and its write-ahead log

# SQLite makes writers poll, and some of them give up. Our threads sleep until it is their turn.
ONE_WRITER = threading.RLock()

# Everything acknowledged is on disk: FULL flushes the write-ahead log at every commit. An app's connections share their
# flushes (`disk_flush`).
PRAGMAS = ("journal_mode = WAL", "foreign_keys = ON", "journal_size_limit = 67108864", "fullfsync = ON")


class Sqlite(Database):
    """Run SQL on a connection to SQLite. A writer waits before its transaction begins, so that it won't fail later."""

    def __init__(
        self, connection: sqlite3.Connection, disk: Disk | None = None, files: replaced_files.InPlace | None = None
    ) -> None:
        super().__init__()
        self.conn = connection
        self.conn.isolation_level = None  # transactions begin and end where `atomic` says
        self.disk = disk  # flushes commits together; with None, each commit flushes by itself
        self.files = files  # checked before a change is acknowledged; None if nobody else can reach them

    @property
    def utils(self) -> SqliteUtilsDatabase:
        """Return this connection as a database of sqlite-utils, for which the migrations are written."""
        return SqliteUtilsDatabase(self.conn, execute_plugins=False)

    def execute(self, sql: str, values: Values = ()) -> Cursor:
        return self.conn.execute(to_sqlite(sql), values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row, in one transaction."""
        with self.atomic():
            self.conn.executemany(to_sqlite(sql), rows)

    def insert(self, table: str, **values: Any) -> int:
        return int(self.conn.execute(inserting(table, values), list(values.values())).lastrowid or 0)

    def columns(self) -> dict[str, tuple[list[str], list[str]]]:
        found = {}
        ours = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name"
        for (table,) in self.execute(ours).fetchall():
            rows = self.execute(f"PRAGMA table_info({table})").fetchall()
            keys = sorted((row[5], row[1]) for row in rows if row[5])
            found[table] = [row[1] for row in rows], [name for _, name in keys]
        return found

    def relations(self) -> frozenset[str]:
        return files.relations_in(self.conn)

    def has_room(self) -> bool:
        return self.files is None or shutil.disk_usage(self.files.path.parent).free >= LEAST_FREE

    def steps_taken(self) -> frozenset[str]:
        return files.applied_to(self.conn)

    @property
    def in_transaction(self) -> bool:
        return self.conn.in_transaction

    @contextlib.contextmanager
    def _turn(self, club: int | None) -> Iterator[None]:  # noqa: ARG002, a file has one writer for all clubs
        asked = time.perf_counter()
        with ONE_WRITER:
            self.check_place()
            self.conn.execute("BEGIN IMMEDIATE")
            metrics.WRITE_WAITS.observe(time.perf_counter() - asked)
            yield

    def _commit(self) -> None:
        self.conn.execute("COMMIT")
        if self.disk is not None:
            self.disk.note()

    def _rollback(self) -> None:
        self.conn.rollback()

    def settle(self) -> None:
        if self.disk is not None:
            self.disk.wait()

    def check_place(self) -> None:
        if self.files is not None:
            self.files.check(self.conn)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        self.conn.execute("BEGIN")
        try:
            yield
        finally:
            self.conn.execute("COMMIT")

    @contextlib.contextmanager
    def unless_others_write(self, club: int) -> Iterator[bool]:  # noqa: ARG002, a file has one writer
        if not ONE_WRITER.acquire(blocking=False):
            yield False
            return
        try:
            with contextlib.suppress(sqlite3.OperationalError):  # busy, full or read-only: the work can wait
                yield True
        finally:
            ONE_WRITER.release()

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        self.conn.executemany(inserting(table, columns), rows)

    def last_numbers(self) -> dict[str, int]:
        return dict(self.execute("SELECT name, seq FROM sqlite_sequence").fetchall())

    def number_on(self, last: dict[str, int]) -> None:
        for table, number in last.items():
            self.execute(
                """INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0
                WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)""",
                [table],
            )
            self.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", [number, table])

    def close(self) -> None:
        if self.files is None:
            self.conn.close()
        else:
            replaced_files.close_connection(self.files, self, self.conn.close)


def to_sqlite(sql: str) -> str:
    if "s_in(" in sql:
        sql = sql.replace("numbers_in(", "json_each(").replace("words_in(", "json_each(")
    return sql


def connect(address: str | Path, disk: Disk | None = None) -> Sqlite:
    """Open a connection for one thread at a time. A missing file is created, readable only by its owner. `disk` flushes
    the commits of several connections together; without it, SQLite flushes each commit by itself."""
    if str(address) == IN_MEMORY:
        return _open(address, disk)
    return replaced_files.open_connection(Path(address).resolve(), lambda files: _open(address, disk, files))


def _open(address: str | Path, disk: Disk | None, files: replaced_files.InPlace | None = None) -> Sqlite:
    if files is not None:
        private_files.make(address)
    connection = sqlite3.connect(address, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
    try:
        for pragma in (*PRAGMAS, f"synchronous = {'FULL' if disk is None else 'NORMAL'}"):
            connection.execute(f"PRAGMA {pragma}")
        if files is not None and not files.inodes:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the log, too
        return Sqlite(connection, disk, files)
    except BaseException:
        connection.close()
        raise
