"""Offer the embedded engine: one SQLite file."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from sqlite_utils import Migrations

from scorer.sentences import Sentence
from webapp import checksum, private_files
from webapp.database import file_users, files, replaced_files, sqlite_copies, sqlite_health
from webapp.database.attempts import Attempts
from webapp.database.disk_flush import Disk, flush_file
from webapp.database.engine import Database, Hear, StorageFailure
from webapp.database.files import IN_MEMORY, UnusableDatabase
from webapp.database.sqlite_connection import Sqlite as Sqlite
from webapp.database.sqlite_connection import connect as connect

MOST_IDLE = 8  # connections kept open; each may hold 2 MB of pages

ERRORS: tuple[type[Exception], ...] = (sqlite3.Error,)
# The errors of SQLite that the disk causes, not our code.
TROUBLES = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY}


class Connections:
    """Keep an app's connections open for the next request, because opening one takes longer than answering."""

    def __init__(self, address: str | Path, pooled: str = "") -> None:
        if pooled:
            raise UnusableDatabase(files.other_pool(pooled, address))
        self.address = address
        self.disk = None if str(address) == IN_MEMORY else Disk(address)
        self.idle: list[Database] = []  # the one used last is used next

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
        """Close a connection that must not be used again after an error."""
        db.close()

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()


class NodeMessages:
    """Send nothing: one process serves a file, so there are no other nodes."""

    def begin(self, hear: Hear, missed: Callable[[], object]) -> None: ...

    def tell(self, what: str, keys: Iterable[str]) -> None: ...

    def close(self) -> None: ...


def attempts(connections: Connections) -> Attempts:  # noqa: ARG001, they are counted in memory
    return Attempts()


def node_messages(connections: Connections) -> NodeMessages:  # noqa: ARG001, there is no other node
    return NodeMessages()


def store_static_files(db: Database, version: str, files: Callable[[], Mapping[str, bytes]]) -> None:
    """Store nothing: one process serves a file, so no other node asks for its static files."""


def static_file(db: Database, version: str, name: str) -> None:
    """Return None, because nothing was stored."""


def latest_static_file(db: Database, name: str) -> None:
    """Return None, because there is no other node."""


def opened(address: str | Path, steps: Migrations) -> Sqlite:
    """Open the database, create it if there is none, and update its schema."""
    check_address(address)
    try:
        db = connect(address)
        try:
            refusal = files.of_content(db.conn, address, steps)
            if refusal:
                raise UnusableDatabase(refusal)
            if db.conn.execute("PRAGMA application_id").fetchone() == (checksum.MARK,):  # a copy, used as a database
                db.conn.execute("PRAGMA application_id = 0")
            steps.apply(db.utils)
        except BaseException:
            db.close()
            raise
    except (sqlite3.Error, OSError) as fault:
        raise UnusableDatabase(refusal_of(address, fault)) from None
    return db


def to_read(address: str | Path) -> Sqlite:
    """Open a connection that only reads, even where the files can't be written."""
    replaced_files.check(address)
    address = f"{Path(address).absolute().as_uri()}?mode=ro"
    return Sqlite(sqlite3.connect(address, uri=True, check_same_thread=False))


def fresh(path: Path, steps: Migrations) -> Sqlite:
    """Create a new database file to fill. It is not flushed to disk, as nobody misses an incomplete file."""
    for ending in private_files.BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    private_files.make(path)
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
    """Yield a new database to fill. The file gets its name after the block, if everything worked."""
    path = Path(address)
    unfinished = path.with_name(f".{path.name}.arriving")
    try:
        with contextlib.closing(fresh(unfinished, steps)) as db, db.atomic():
            yield db
        flush_file(unfinished)
        os.replace(unfinished, path)
        flush_file(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def steps_of(address: str | Path) -> frozenset[str]:
    """Return the names of the migrations that a database has; none if it is no database of ours."""
    path = Path(address)
    if str(address) == IN_MEMORY or not path.is_file():
        return frozenset()
    try:
        with contextlib.closing(to_read(path)) as db:
            return db.steps_taken()
    except sqlite3.Error:  # opening it says what is wrong
        return frozenset()


@contextlib.contextmanager
def replacing(address: str | Path, steps: Migrations, ending: str) -> Iterator[tuple[Sqlite, Sqlite, str]]:
    """Yield the database, a new one that replaces it after the block, and the name that the old file gets.

    If the process is killed, either the old database or the complete new one is in place.
    """
    path = Path(address).resolve()
    unfinished = path.with_name(f".{path.name}.arriving")
    with file_users.alone(path):
        aside = _free_name(path, ending)
        _make_room(path)
        try:
            with contextlib.closing(connect(path)) as old:
                with contextlib.closing(fresh(unfinished, steps)) as new, new.atomic():
                    yield old, new, str(aside)
                old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if path.with_name(f"{path.name}-wal").exists():  # another program has the database open
                raise file_users.InUse(file_users.busy(path))
            flush_file(unfinished)
            _keep(path, aside)
            os.replace(unfinished, path)
            flush_file(path.parent)
        finally:
            unfinished.unlink(missing_ok=True)


def _free_name(path: Path, ending: str) -> Path:
    """Return an unused path for the old database; delete a file there that a killed conversion has left."""
    name = path.with_name(path.name + ending)
    for number in itertools.count(2):
        if name.exists() and name.samefile(path):  # killed before the new file replaced it
            name.unlink()
        if not name.exists():
            break
        name = path.with_name(f"{path.name}{ending}-{number}")
    return name


def _keep(path: Path, aside: Path) -> None:
    """Give the old database the second name `aside`, by which it stays when the new one replaces it."""
    try:
        os.link(path, aside)
    except OSError:  # a file system without links
        part = path.with_name(f".{path.name}.unfinished")
        try:
            private_files.make(part)
            shutil.copyfile(path, part)
            flush_file(part)
            os.replace(part, aside)
        finally:
            part.unlink(missing_ok=True)


def _make_room(path: Path) -> None:
    log = path.with_name(f"{path.name}-wal")
    needed = path.stat().st_size + (log.stat().st_size if log.exists() else 0)
    if shutil.disk_usage(path.parent).free < needed:
        raise UnusableDatabase(files.full(path))


def check_address(address: str | Path) -> None:
    files.check_path(address)


def exists(address: str | Path) -> bool:
    return Path(address).exists()


def is_free(address: str | Path) -> bool:
    """Return whether there is neither a database file nor one of SQLite's files beside it.

    Even a log alone would be read into a new database.
    """
    path = Path(address)
    return not any(path.with_name(path.name + ending).exists() for ending in private_files.BESIDE)


def is_used(address: str | Path) -> bool:
    """Return whether a server or a command uses the database. Creates no lock file."""
    return file_users.sign_of(address).exists() and file_users.is_used(address)


def named(address: str | Path) -> str:
    return str(address)


def storage_failure(fault: Exception) -> StorageFailure | None:
    """Return how the disk failed, or None if the error has another cause."""
    if not isinstance(fault, sqlite3.OperationalError) or fault.sqlite_errorcode & 0xFF not in TROUBLES:
        return None
    return StorageFailure(fault.sqlite_errorname.lower(), fault.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL)


def refusal_of(address: str | Path, fault: Exception) -> Sentence:
    return files.of_fault(address, fault)


def is_conflict(fault: BaseException) -> bool:  # noqa: ARG001, writers wait for their turn
    return False


used, serving, alone = file_users.used, file_users.serving, file_users.alone
save, check_copy, put_back = sqlite_copies.save, sqlite_copies.check_copy, sqlite_copies.put_back
folder_of_copies, examined = sqlite_copies.folder_of_copies, sqlite_health.examined
local_files = private_files.of_database
