"""Flushes the disk once for everybody who waits for it.

SQLite flushes the write-ahead log with every commit, while all other writers wait their turn. Here a transaction is
committed to the log, the next one has its turn, and both wait together until the log is on disk. Nobody is answered
before that. SQLite itself flushes the log before it moves anything from it into the database (`synchronous = NORMAL`).
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def flush_of(calls: Any) -> Callable[[int], object]:
    """Return what SQLite calls itself. On macOS that leaves everything in the disk's own memory; another call does
    not.
    """
    usual: Callable[[int], object] = getattr(os, "fdatasync", os.fsync)
    order = getattr(calls, "F_FULLFSYNC", None)
    if order is None:
        return usual

    def flush(file: int) -> None:
        try:
            calls.fcntl(file, order)
        except OSError:  # not on this kind of disk
            usual(file)

    return flush


to_disk = flush_of(fcntl)


class Disk:
    """The write-ahead log of one database, and how many of this process's commits to it are on disk."""

    def __init__(self, database: str | Path) -> None:
        self.log = f"{Path(database).resolve()}-wal"  # SQLite follows links, and keeps its log beside the file itself
        self.changed = threading.Condition()
        self.committed = 0
        self.safe = 0
        self.lost = 0  # the last of those that a disk has failed to take
        self.flushing = False

    def note(self) -> None:
        """Something has just been committed to the log."""
        with self.changed:
            self.committed += 1

    def wait(self) -> None:
        """Wait until all that is committed by now is on disk. The first to wait flushes for all who came meanwhile."""
        with self.changed:
            wanted = self.committed
            while self.safe < wanted:
                if self.lost >= wanted:
                    raise OSError(f"{self.log} could not be written")
                if self.flushing:
                    self.changed.wait()
                else:
                    self._flush()

    def _flush(self) -> None:
        """Called, and left, with the lock; without it while the disk is at work."""
        self.flushing, reached, done = True, self.committed, False
        self.changed.release()
        try:
            self._to_disk()
            done = True
        finally:
            self.changed.acquire()
            self.flushing = False
            if done:
                self.safe = reached
            else:  # a second try would say it is there now, and need not be right
                self.lost = reached
            self.changed.notify_all()

    def _to_disk(self) -> None:
        # A log that is not there any more was moved into the database, which is flushed before it goes.
        with contextlib.suppress(FileNotFoundError):
            file = os.open(self.log, os.O_RDWR | getattr(os, "O_BINARY", 0))
            try:
                to_disk(file)
            finally:
                os.close(file)


def flushed(path: Path) -> None:
    """Onto the disk: a copy that is only in memory is none. Windows flushes what may be written, and no folders."""
    is_folder = path.is_dir()
    try:
        handle = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    except PermissionError:
        if is_folder:
            return
        raise
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
