"""The embedded engine: one SQLite file."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from sqlite_utils import Migrations

from scorer.sentences import Sentence, say
from webapp import checksum, private_files
from webapp.database import file_users, files, replaced_files, sqlite_copies, sqlite_health
from webapp.database.attempts import Attempts
from webapp.database.disk_flush import Disk, flushed
from webapp.database.engine import Database, Hear, StorageFailure
from webapp.database.files import IN_MEMORY, UnusableDatabase
from webapp.database.sqlite_connection import Sqlite as Sqlite
from webapp.database.sqlite_connection import connect as connect

MOST_IDLE = 8  # connections kept open; each may hold 2 MB of pages

ERRORS: tuple[type[Exception], ...] = (sqlite3.Error,)
# What SQLite says when the disk, and not we, is at fault.
TROUBLES = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY}


class Connections:
    """An app's connections that wait for the next request: opening one costs more than all that a page asks."""

    def __init__(self, address: str | Path, pooled: str = "") -> None:
        if pooled:
            raise UnusableDatabase(say("{file} is a SQLite file. Remove TIDEMARK_DATABASE_POOLED.", file=str(address)))
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


class NodeMessages:
    """Send nothing: one process serves a file, so there are no other nodes."""

    def begin(self, hear: Hear, missed: Callable[[], object]) -> None: ...

    def tell(self, what: str, keys: Iterable[str]) -> None: ...

    def close(self) -> None: ...


def attempts(connections: Connections) -> Attempts:  # noqa: ARG001, memory is enough
    return Attempts()


def node_messages(connections: Connections) -> NodeMessages:  # noqa: ARG001, nobody listens
    return NodeMessages()


def lay_out(db: Database, version: str, files: Callable[[], Mapping[str, bytes]]) -> None:
    """Store nothing: one process serves a file, so no other node asks for its static files."""


def laid_out(db: Database, version: str, name: str) -> bytes | None:  # noqa: ARG001, nobody has laid out anything
    return None


def laid_out_last(db: Database, name: str) -> bytes | None:  # noqa: ARG001, there is no other node
    return None


def opened(address: str | Path, steps: Migrations) -> Sqlite:
    """The database, made if there is none, with its schema up to date."""
    check_address(address)
    try:
        db = connect(address)
        try:
            refusal = files.of_content(db.conn, address, steps)
            if refusal:
                raise UnusableDatabase(refusal)
            if db.conn.execute("PRAGMA application_id").fetchone() == (checksum.MARK,):  # a copy, put to use as it is
                db.conn.execute("PRAGMA application_id = 0")
            steps.apply(db.utils)
        except BaseException:
            db.close()
            raise
    except (sqlite3.Error, OSError) as fault:
        raise UnusableDatabase(refusal_of(address, fault)) from None
    return db


def to_read(address: str | Path) -> Sqlite:
    """A connection that changes nothing, not even where the files cannot be written."""
    replaced_files.check(address)
    address = f"{Path(address).absolute().as_uri()}?mode=ro"
    return Sqlite(sqlite3.connect(address, uri=True, check_same_thread=False))


def fresh(path: Path, steps: Migrations) -> Sqlite:
    """A new file to be filled at once: until it is whole it may be lost, so nothing waits for the disk."""
    for ending in private_files.BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    private_files.made(path)
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


def steps_of(address: str | Path) -> frozenset[str]:
    """Return the steps that the schema of a database has taken; none if there is no database of ours."""
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
    """Yield the database, a new one that takes its place when the block ends, and the name of the old one from then on.

    A kill at any moment leaves the old one in its place, or the new one there with all of it.
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
            if path.with_name(f"{path.name}-wal").exists():  # another program has it open, which we cannot stop
                raise file_users.InUse(file_users.busy(path))
            flushed(unfinished)
            _keep(path, aside)
            os.replace(unfinished, path)
            flushed(path.parent)
        finally:
            unfinished.unlink(missing_ok=True)


def _free_name(path: Path, ending: str) -> Path:
    """Return a name for the old database that nothing has; what a kill has left of keeping it is removed."""
    names = (path.with_name(f"{path.name}{ending}{number}") for number in ("", *(f"-{n}" for n in range(2, 1000))))
    for name in names:
        if name.exists() and name.samefile(path):  # killed before the new one took the place
            name.unlink()
        if not name.exists():
            return name
    raise UnusableDatabase(say("{file} is in the way. Move it to another folder.", file=f"{path}{ending}"))


def _keep(path: Path, aside: Path) -> None:
    """Give the old database its other name, while it still has its own."""
    try:
        os.link(path, aside)
    except OSError:  # a file system without links
        part = path.with_name(f".{path.name}.unfinished")
        try:
            private_files.made(part)
            shutil.copyfile(path, part)
            flushed(part)
            os.replace(part, aside)
        finally:
            part.unlink(missing_ok=True)


def _make_room(path: Path) -> None:
    log = path.with_name(f"{path.name}-wal")
    needed = path.stat().st_size + (log.stat().st_size if log.exists() else 0)
    free = shutil.disk_usage(path.parent).free
    if free < needed:
        raise UnusableDatabase(
            say(
                "The conversion needs {needed} MB, and the disk has {free} MB free. Free some space.",
                free=free // 1_000_000,
                needed=needed // 1_000_000 + 1,
            )
        )


def check_address(address: str | Path) -> None:
    """Refuse a place that can hold no database of ours, before anything is made there."""
    files.check_path(address)


def exists(address: str | Path) -> bool:
    return Path(address).exists()


def is_free(address: str | Path) -> bool:
    """Return whether everything may be put there; a log that was left behind would creep into it."""
    path = Path(address)
    return not any(path.with_name(path.name + ending).exists() for ending in private_files.BESIDE)


def is_used(address: str | Path) -> bool:
    """Return whether a server or a command is at it. Nothing is made to find that out."""
    return file_users.sign_of(address).exists() and file_users.is_used(address)


def named(address: str | Path) -> str:
    return str(address)


def storage_failure(fault: Exception) -> StorageFailure | None:
    """Return what the disk, and not we, did wrong; None if it is ours."""
    if not isinstance(fault, sqlite3.OperationalError) or fault.sqlite_errorcode & 0xFF not in TROUBLES:
        return None
    return StorageFailure(fault.sqlite_errorname.lower(), fault.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL)


def refusal_of(address: str | Path, fault: Exception) -> Sentence:
    return files.of_fault(address, fault)


def is_conflict(fault: BaseException) -> bool:  # noqa: ARG001, writers queue up here
    return False


used, serving, alone = file_users.used, file_users.serving, file_users.alone
save, check_copy, put_back = sqlite_copies.save, sqlite_copies.check_copy, sqlite_copies.put_back
folder_of_copies, examined = sqlite_copies.folder_of_copies, sqlite_health.examined
local_files = private_files.of_database
