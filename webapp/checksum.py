"""Add a checksum to the end of a copy of the database, and check it.

A sealed copy, which has a checksum, is still a normal database. The checksum is in a page after the database's last
page, and SQLite ignores it. The application id in SQLite's header says that this page must be there.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from contextlib import closing
from enum import Enum
from pathlib import Path

MARK = 0x7E1D5EA1  # in the header of a sealed copy
WHERE = slice(68, 72)  # the application id in the header
PAGE = 4096
WORDS = b"Tidemark copy, SHA-256 of all bytes before this page: "
CHUNK = 2**20


class State(Enum):
    """List the outcomes of comparing a file with the checksum at its end: it is right, wrong or missing."""

    SOUND = "sound"  # every byte is what was written
    BROKEN = "broken"
    WITHOUT = "without"  # a database in use, or a copy from before there were seals


def mark(path: Path, number: int = MARK) -> None:
    """Note in the file's header that a checksum page follows the database or, if `number` is 0, that none follows."""
    with closing(sqlite3.connect(path)) as copy:
        copy.execute(f"PRAGMA application_id = {number}")


def add_seal(path: Path, digest: str) -> None:
    """Append the checksum page with `digest` to a copy that is complete and marked by `mark`."""
    with path.open("ab") as file:
        file.write(seal_of(digest))
        file.flush()
        os.fsync(file.fileno())


def state(path: Path) -> State:
    """Return whether the whole file agrees with the checksum page at its end, or has none."""
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.read(100)
        file.seek(max(size - PAGE, 0))
        last = file.read(PAGE)
    marked = header[WHERE] == MARK.to_bytes(4, "big")
    if not marked and not last.startswith(WORDS):
        return State.WITHOUT
    sound = marked and size > PAGE and last == seal_of(checksum(path, size - PAGE))
    return State.SOUND if sound else State.BROKEN


def seal_of(digest: str) -> bytes:
    return (WORDS + digest.encode() + b"\n").ljust(PAGE, b"\0")


def checksum(path: Path, size: int) -> str:
    """Return the checksum of the first `size` bytes of the file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while size > 0 and (chunk := file.read(min(CHUNK, size))):
            digest.update(chunk)
            size -= len(chunk)
    return digest.hexdigest()
