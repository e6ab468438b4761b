"""The embedded engine: one SQLite file, connections that lose nothing, and writers that take their turn."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlite_utils import Database as SqliteUtilsDatabase
from sqlite_utils import Migrations

from scorer.sentences import Sentence
from webapp import gauges, private, seal
from webapp.database import files, occupied, sqlite_copies, sqlite_health
from webapp.database.attempts import Attempts
from webapp.database.disk import Disk, flushed
from webapp.database.engine import Cursor, Database, Hear, Trouble, Values, inserting
from webapp.database.files import IN_MEMORY, Unfit

BUSY_TIMEOUT_S = 10.0
MOST_IDLE = 8  # connections kept open; each may hold 2 MB of pages

# SQLite lets writers try again and again, and the unlucky one gives up; our threads sleep until it is their turn.
ONE_WRITER = threading.RLock()

# What only one may do at a time is being done: in which file, and what.
AT_WORK: set[tuple[str, str]] = set()
AT_WORK_LOCK = threading.Lock()

# What is acknowledged is on disk: FULL flushes the write-ahead log at every commit. The connections of an app flush it
# together (`disk`).
PRAGMAS = ("journal_mode = WAL", "foreign_keys = ON", "journal_size_limit = 67108864", "fullfsync = ON")

ERRORS: tuple[type[Exception], ...] = (sqlite3.Error,)
# What SQLite says when the disk, and not we, is at fault.
TROUBLES = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY}


class Sqlite(Database):
    """A connection whose writers queue up at the start of a transaction instead of failing in its middle."""

    def __init__(self, connection: sqlite3.Connection, disk: Disk | None = None) -> None:
        super().__init__()
        self.conn = connection
        self.conn.isolation_level = None  # transactions begin and end where `atomic` says
        self.disk = disk  # to wait for after a commit; without it, each commit waits by itself

    @property
    def utils(self) -> SqliteUtilsDatabase:
        """The same connection for sqlite-utils, which knows what steps a schema has taken."""
        return SqliteUtilsDatabase(self.conn, execute_plugins=False)

    def execute(self, sql: str, values: Values = ()) -> Cursor:
        return self.conn.execute(in_its_words(sql), values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """All of them or none."""
        with self.atomic():
            self.conn.executemany(in_its_words(sql), rows)

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

    def steps_taken(self) -> frozenset[str]:
        return files.applied_to(self.conn)

    @property
    def in_transaction(self) -> bool:
        return self.conn.in_transaction

    @contextlib.contextmanager
    def _turn(self, club: int | None) -> Iterator[None]:  # noqa: ARG002, a file has one writer, whatever is written
        asked = time.perf_counter()
        with ONE_WRITER:
            self.conn.execute("BEGIN IMMEDIATE")
            gauges.WRITE_WAITS.observe(time.perf_counter() - asked)
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

    @contextlib.contextmanager
    def looking(self) -> Iterator[None]:
        self.conn.execute("BEGIN")
        try:
            yield
        finally:
            self.conn.execute("COMMIT")

    @contextlib.contextmanager
    def unless_others_write(self, club: int) -> Iterator[bool]:  # noqa: ARG002, as above
        if not ONE_WRITER.acquire(blocking=False):
            yield False
            return
        try:
            with contextlib.suppress(sqlite3.OperationalError):  # busy, full or read-only: the next time is as good
                yield True
        finally:
            ONE_WRITER.release()

    @contextlib.contextmanager
    def sole(self, what: str) -> Iterator[bool]:
        [_, _, file] = self.conn.execute("PRAGMA database_list").fetchone()
        work = (file or str(id(self.conn)), what)
        with AT_WORK_LOCK:
            mine = work not in AT_WORK
            AT_WORK.add(work)
        try:
            yield mine
        finally:
            if mine:
                AT_WORK.discard(work)

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        self.conn.executemany(inserting(table, columns), rows)

    def close(self) -> None:
        self.conn.close()


def in_its_words(sql: str) -> str:
    if "s_in(" in sql:
        sql = sql.replace("numbers_in(", "json_each(").replace("words_in(", "json_each(")
    return sql


def connect(address: str | Path, disk: Disk | None = None) -> Sqlite:
    """A connection for one thread at a time. A file that is not there is made, its owner's alone."""
    if str(address) != IN_MEMORY:
        private.made(address)
    connection = sqlite3.connect(address, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
    try:
        for pragma in (*PRAGMAS, f"synchronous = {'FULL' if disk is None else 'NORMAL'}"):
            connection.execute(f"PRAGMA {pragma}")
        return Sqlite(connection, disk)
    except BaseException:
        connection.close()
        raise


class Connections:
    """An app's connections that wait for the next request: opening one costs more than all that a page asks."""

    def __init__(self, address: str | Path) -> None:
        self.address = address
        self.disk = None if str(address) == IN_MEMORY else Disk(address)
        self.idle: list[Database] = []  # the one used last is the next to be used

    def take(self) -> Database:
        try:
            return self.idle.pop()
        except IndexError:
            return connect(self.address, self.disk)

    def give_back(self, db: Database) -> None:
        if db.in_transaction or len(self.idle) >= MOST_IDLE:
            self.drop(db)
        else:
            db.touched.clear()
            db.commits = 0
            self.idle.append(db)

    def drop(self, db: Database) -> None:
        """After a fault it is not used again."""
        db.close()

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()


class Wire:
    """One process serves a file: there is nobody else to tell."""

    def begin(self, hear: Hear, missed: Callable[[], object]) -> None: ...

    def tell(self, what: str, keys: Iterable[str]) -> None: ...

    def close(self) -> None: ...


def attempts(connections: Connections) -> Attempts:  # noqa: ARG001, memory is enough
    return Attempts()


def wire(connections: Connections) -> Wire:  # noqa: ARG001, as above
    return Wire()


def lay_out(db: Database, version: str, files: Mapping[str, bytes]) -> None:
    """One process serves a file: nobody else's pages ask for them."""


def laid_out(db: Database, version: str, name: str) -> bytes | None:  # noqa: ARG001, as above
    return None


def opened(address: str | Path, steps: Migrations) -> Sqlite:
    """The database, made if there is none, with its schema up to date."""
    look_at(address)
    try:
        db = connect(address)
        try:
            refusal = files.of_content(db.conn, address, steps)
            if refusal:
                raise Unfit(refusal)
            if db.conn.execute("PRAGMA application_id").fetchone() == (seal.MARK,):  # a copy, put to use as it is
                db.conn.execute("PRAGMA application_id = 0")
            steps.apply(db.utils)
        except BaseException:
            db.close()
            raise
    except (sqlite3.Error, OSError) as fault:
        raise Unfit(refusal_of(address, fault)) from None
    return db


def to_read(address: str | Path) -> Sqlite:
    """A connection that changes nothing, not even where the files cannot be written."""
    address = f"{Path(address).absolute().as_uri()}?mode=ro"
    return Sqlite(sqlite3.connect(address, uri=True, check_same_thread=False))


def fresh(path: Path, steps: Migrations) -> Sqlite:
    """A new file to be filled at once: until it is whole it may be lost, so nothing waits for the disk."""
    for ending in private.BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    private.made(path)
    db = Sqlite(sqlite3.connect(path, check_same_thread=False))
    try:
        db.execute("PRAGMA journal_mode = MEMORY")
        db.execute("PRAGMA synchronous = OFF")
        steps.apply(db.utils)
    except BaseException:
        db.close()
        raise
    return db


@contextlib.contextmanager
def arriving(address: str | Path, steps: Migrations) -> Iterator[Sqlite]:
    """A new database to be filled: it has its name, with all of it, when the block ends, or never."""
    path = Path(address)
    unfinished = path.with_name(f".{path.name}.arriving")
    try:
        with contextlib.closing(fresh(unfinished, steps)) as db, db.atomic():
            yield db
        flushed(unfinished)
        os.replace(unfinished, path)
        flushed(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def look_at(address: str | Path) -> None:
    """Refuse a place that can hold no database of ours, before anything is made there."""
    files.look_at_path(address)


def exists(address: str | Path) -> bool:
    return Path(address).exists()


def is_free(address: str | Path) -> bool:
    """Whether everything may be put there; a log that was left behind would creep into it."""
    path = Path(address)
    return not any(path.with_name(path.name + ending).exists() for ending in private.BESIDE)


def is_used(address: str | Path) -> bool:
    """Whether a server or a command is at it. Nothing is made to find that out."""
    return occupied.sign_of(address).exists() and occupied.is_used(address)


def named(address: str | Path) -> str:
    return str(address)


def trouble(fault: Exception) -> Trouble | None:
    """What the disk, and not we, did wrong; None if it is ours."""
    if not isinstance(fault, sqlite3.OperationalError) or fault.sqlite_errorcode & 0xFF not in TROUBLES:
        return None
    return Trouble(fault.sqlite_errorname.lower(), fault.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL)


def refusal_of(address: str | Path, fault: Exception) -> Sentence:
    return files.of_fault(address, fault)


def is_in_the_way(fault: BaseException) -> bool:  # noqa: ARG001, writers queue up here
    return False


used, alone = occupied.used, occupied.alone
save, look_at_copy, put_back = sqlite_copies.save, sqlite_copies.look_at_copy, sqlite_copies.put_back
folder_of_copies, examined = sqlite_copies.folder_of_copies, sqlite_health.examined
kept_in = private.of_database
