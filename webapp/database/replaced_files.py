"""Notice when the files of an open SQLite database are deleted or replaced.

A synchronising program or a tidy operator may remove the write-ahead log, or replace the database. On Unix, open
connections then go on writing to files that nobody will ever open again. So the inodes of the files are compared before
a change is acknowledged, and before another connection is opened.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TypeVar
from weakref import WeakSet

from scorer.sentences import Sentence, say
from webapp.database.files import UnusableDatabase

T = TypeVar("T", bound=Hashable)
PARTS = ("", "-wal", "-shm")
Inode = tuple[int, int] | None  # device and number, or None if there is no file

log = logging.getLogger("tidemark")


class Replaced(UnusableDatabase, sqlite3.OperationalError):
    """Raised when the database's files are not those that this process has open."""


class InPlace:
    """Remember which files of one database the connections of this process have open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.users: WeakSet[Hashable] = WeakSet()
        self.inodes: tuple[Inode, ...] = ()
        self.reported = False

    def check(self, connection: sqlite3.Connection | None = None) -> None:
        """Raise Replaced if a file is missing or was replaced, after saving what `connection` can still save."""
        now = self.found()
        if now == self.inodes:
            return
        if not self.reported:
            self.reported = True
            log.error("The files of %s were deleted or replaced while the server ran. Restart it.", self.path.name)
        if connection is not None and self.may_rescue(now):
            # This moves everything acknowledged so far into the database, even if the process is killed later.
            connection.execute("PRAGMA wal_checkpoint(FULL)")
        raise Replaced(in_words(self.path))

    def found(self) -> tuple[Inode, ...]:
        return tuple(inode(f"{self.path}{ending}") for ending in PARTS)

    def may_rescue(self, now: tuple[Inode, ...]) -> bool:
        """Return whether changes in the log can still be saved into the database file.

        The database file must be the same, and its log and index the same or missing. `now` has their inodes now.
        """
        return now[0] == self.inodes[0] and all(one in (None, was) for one, was in zip(now, self.inodes, strict=True))


def in_words(path: str | Path) -> Sentence:
    return say("{file} was deleted or replaced, so nothing can be saved. Restart the server.", file=str(path))


OPEN: dict[Path, InPlace] = {}
LOCK = threading.Lock()  # held to open and close connections, because closing the last one deletes the log


def open_connection(path: Path, connect: Callable[[InPlace], T]) -> T:
    """Return a new connection, which `connect` opens. Raise Replaced if this process has files of this database open
    that were replaced."""
    with LOCK:
        files = OPEN.get(path)
        if files is None or not files.users:
            files = OPEN[path] = InPlace(path)
            connection = connect(files)
            files.inodes = files.found()
        else:
            files.check()
            connection = connect(files)
        files.users.add(connection)
        return connection


def check(path: str | Path) -> None:
    """Raise Replaced if this process has files of this database open that were deleted or replaced."""
    with LOCK:
        files = OPEN.get(Path(path).resolve())
        if files is not None and files.users:
            files.check()


def close_connection(files: InPlace, user: Hashable, close: Callable[[], object]) -> None:
    """Close the connection `user` by calling `close`. After the last one, forget the files, so that the next connection
    may open others."""
    with LOCK:
        close()
        files.users.discard(user)
        if not files.users and OPEN.get(files.path) is files:
            del OPEN[files.path]


def inode(path: str) -> Inode:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
