"""Flush the disk once for all requests that wait for it.

SQLite flushes the write-ahead log with every commit, while all other writers wait. Here a transaction is committed to
the log, the next one begins, and both wait together until the log is on disk. No request is answered before that.
SQLite itself flushes the log before it moves anything from it into the database (`synchronous = NORMAL`).
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
    """Return the function that flushes an open file to disk; `calls` is the module `fcntl`, if there is one.

    SQLite calls `fdatasync` itself. On macOS that leaves data in the disk's own memory, and `F_FULLFSYNC` does not.
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
    """Track how many of this process's commits to one write-ahead log are on disk."""

    def __init__(self, database: str | Path) -> None:
        self.log = f"{Path(database).resolve()}-wal"  # SQLite follows links and puts the log beside the real file
        self.changed = threading.Condition()
        self.committed = 0
        self.safe = 0
        self.lost = 0  # the last commit that could not be written to disk
        self.flushing = False

    def note(self) -> None:
        """Count a commit that has just been written to the log."""
        with self.changed:
            self.committed += 1

    def wait(self) -> None:
        """Wait until all commits so far are on disk. The first thread to wait flushes for all others."""
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
        """Flush the log. The caller holds the lock; it is released while the disk works."""
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
            else:  # after a failed flush, a second one may wrongly succeed
                self.lost = reached
            self.changed.notify_all()

    def _to_disk(self) -> None:
        # SQLite deletes the log only after it has moved everything into the database and flushed that.
        with contextlib.suppress(FileNotFoundError):
            file = os.open(self.log, os.O_RDWR | getattr(os, "O_BINARY", 0))
            try:
                to_disk(file)
            finally:
                os.close(file)


def flush_file(path: Path) -> None:
    """Flush a file or folder to disk. Windows flushes only files that can be written, and no folders."""
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
