"""Check a SQLite file: its place, its permissions, the free space, and its content. Nothing is changed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

from sqlite_utils import Migrations

from scorer.sentences import in_a_row, say
from webapp import private_files
from webapp.database import files, sqlite_copies
from webapp.doctor_check import Finding, fault, fine, warning

MEGABYTE = 2**20
LEAST_FREE, ENOUGH_FREE = 50 * MEGABYTE, 500 * MEGABYTE


def examined(address: str | Path, steps: Migrations) -> Iterator[Finding]:
    path = Path(address)
    yield from disk(path)
    if not path.exists():
        yield warning("database", files.missing(path), files.START)
        return
    yield from rights(path)
    try:
        with sqlite_copies.opened(path) as db:
            yield from content(db, path, steps)
    except sqlite3.Error as trouble:
        yield fault("database", files.of_fault(path, trouble))


def content(db: sqlite3.Connection, path: Path, steps: Migrations) -> Iterator[Finding]:
    if files.is_of_07(sqlite_copies.taken(db)):
        yield warning("schema", files.of_07(path))
        return
    refusal = files.of_content(db, path, steps)
    if refusal:
        yield fault("schema", refusal)
        return
    yield fine("schema")
    wrong = [row[0] for row in db.execute("PRAGMA quick_check(3)") if row[0] != "ok"]
    orphans = db.execute("SELECT count(*) FROM pragma_foreign_key_check").fetchone()[0]
    yield fault("integrity", files.damaged(path)) if wrong or orphans else fine("integrity")


def rights(path: Path) -> Iterator[Finding]:
    """Yield findings about who may read and write the database's files, and who owns them."""
    if not hasattr(os, "geteuid"):  # Windows has other permissions
        return
    files = [file for file in private_files.of_database(path) if file.exists()]
    open_ones = [file.name for file in files if file.stat().st_mode & 0o077]
    if open_ones:
        yield warning(
            "rights",
            say("Others on this computer can read {files}. Restart the server.", files=in_a_row(open_ones)),
        )
    else:
        yield fine("rights")
    folder = path.absolute().parent
    if stat.S_IMODE(folder.stat().st_mode) & 0o002 and not folder.stat().st_mode & stat.S_ISVTX:
        yield warning(
            "folder",
            say("Others can change files in {folder}. Run “chmod o-w” on it.", folder=str(folder)),
        )


def disk(path: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(path.absolute().parent).free
    size = path.stat().st_size if path.exists() else 0
    # A backup writes two copies, and the write-ahead log may grow.
    wanted = ENOUGH_FREE + 3 * size
    said = say("Disk: {free} MB free. Database: {size} MB", free=free // MEGABYTE, size=size // MEGABYTE)
    more = say("Free some space, about {wanted} MB.", wanted=wanted // MEGABYTE)
    if free < LEAST_FREE + size:
        yield fault("disk", said, more)
    elif free < wanted:
        yield warning("disk", said, more)
    else:
        yield fine("disk", said)
