"""Notices when the files of a SQLite database are deleted or replaced while this process has them open.

A synchronising program or a tidy operator may remove the write-ahead log, or put another file in the database's place.
On Unix the open connections go on as if nothing had happened: they write to files that nobody will ever open again.
So the files are compared by their inodes before a change is acknowledged, and before another connection is opened.
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

from scorer.sentences import say
from webapp.database.files import UnusableDatabase

T = TypeVar("T", bound=Hashable)
PARTS = ("", "-wal", "-shm")
Inode = tuple[int, int] | None  # device and number, None where there is no file

log = logging.getLogger("tidemark")


class Replaced(UnusableDatabase, sqlite3.OperationalError):
    """The database's files are not those that this process has open."""


class InPlace:
    """The files of one database that connections of this process have open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.users: WeakSet[Hashable] = WeakSet()
        self.inodes: tuple[Inode, ...] = ()
        self.reported = False

    def check(self, connection: sqlite3.Connection | None = None) -> None:
        """Raise Replaced if a file is gone or another one; a connection rescues what can be rescued."""
        now = self.found()
        if now == self.inodes:
            return
        if not self.reported:
            self.reported = True
            log.error("The files of %s were deleted or replaced while the server ran. Restart it.", self.path.name)
        if connection is not None and self.may_rescue(now):
            # Whatever was acknowledged until now reaches the database itself, even if this process is killed.
            connection.execute("PRAGMA wal_checkpoint(FULL)")
        raise Replaced(
            say(
                "{file} was deleted or replaced, so nothing can be saved. Restart the server.",
                file=str(self.path),
            )
        )

    def found(self) -> tuple[Inode, ...]:
        return tuple(inode(f"{self.path}{ending}") for ending in PARTS)

    def may_rescue(self, now: tuple[Inode, ...]) -> bool:
        """Return whether only the log or its index is gone, and no other process has begun new ones."""
        return now[0] == self.inodes[0] and all(one in (None, was) for one, was in zip(now, self.inodes, strict=True))


OPEN: dict[Path, InPlace] = {}
LOCK = threading.Lock()  # held while connections are opened and closed: the last one takes the log along


def opened(path: Path, connect: Callable[[InPlace], T]) -> T:
    """Open a connection, unless others of this process have files open that are no longer in their place."""
    with LOCK:
        files = OPEN.get(path)
        if files is None or not files.users:
            files = OPEN[path] = InPlace(path)
            made = connect(files)
            files.inodes = files.found()
        else:
            files.check()
            made = connect(files)
        files.users.add(made)
        return made


def check(path: str | Path) -> None:
    """Raise Replaced if this process has other files open than those that are there now."""
    with LOCK:
        files = OPEN.get(Path(path).resolve())
        if files is not None and files.users:
            files.check()


def closed(files: InPlace, user: Hashable, close: Callable[[], object]) -> None:
    """Close a connection. The next one after the last may find new files."""
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
