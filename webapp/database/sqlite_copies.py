"""Copy a SQLite file at one moment, seal the copy with a checksum, and restore it without overwriting anything."""

from __future__ import annotations

import itertools
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlite_utils import Migrations

from scorer.sentences import NOTHING, Sentence, say
from webapp import checksum, private_files
from webapp.database import files, replaced_files
from webapp.database.disk_flush import flush_file
from webapp.operator_errors import BackupError

FOLDER = "backups"


def folder_of_copies(database: str | Path) -> Path | None:
    """Return the folder beside the database for the daily copies of the server. It is never None, unlike with the
    engine for PostgreSQL."""
    return Path(database).absolute().parent / FOLDER


def save(database: str | Path, copy: Path, steps: Migrations) -> int:
    """Copy the database to the file `copy` and check it. Return its number of games."""
    again = copy.with_name(f"{copy.name}.again")
    try:
        copy_to(Path(database), copy, again)
        seal(copy, again)
        return checked(copy, steps)
    finally:
        again.unlink(missing_ok=True)


def seal(copy: Path, again: Path) -> None:
    """Add to `copy` the checksum of `again`, another copy made at the same moment, and delete `again`."""
    checksum.mark(again)
    digest = checksum.checksum(again, again.stat().st_size)
    again.unlink()
    checksum.mark(copy)
    checksum.add_seal(copy, digest)


def copy_to(database: Path, *targets: Path) -> None:
    """Copy the database, as it is at one moment, to each of these files, which need no write-ahead log."""
    replaced_files.check(database)
    with closing(sqlite3.connect(database, timeout=60, isolation_level=None)) as source:
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the snapshot begins with the first read
        for target in targets:
            target.unlink(missing_ok=True)
            private_files.make(target)
            with closing(sqlite3.connect(target)) as copy:
                source.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")


def checked(path: Path, steps: Migrations) -> int:
    """Return the number of games in a copy of this version or of 0.7. Raise BackupError for any other file."""
    with opened(path) as copy:
        if checksum.state(path) is checksum.State.BROKEN:
            raise BackupError(damaged(path))
        try:
            table = "kept_plays" if files.is_of_07(taken(copy)) else "all_plays"
            refusal = files.of_content(copy, path, steps) if table == "all_plays" else NOTHING
            if refusal:
                raise BackupError(refusal)
            faults = [row[0] for row in copy.execute("PRAGMA integrity_check")]
            orphans = copy.execute("PRAGMA foreign_key_check").fetchall()
            [plays] = copy.execute(f"SELECT count(*) FROM {table}").fetchone()
        except sqlite3.DatabaseError:
            raise BackupError(files.no_database(path)) from None
    if faults != ["ok"] or orphans:
        raise BackupError(damaged(path))
    return int(plays)


def damaged(path: Path) -> Sentence:
    return say("{file} is damaged. Use another backup.", file=str(path))


def taken(copy: sqlite3.Connection) -> frozenset[str]:
    """Return the names of the migrations that a copy has; none if it is no database of ours."""
    there = copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [files.STEPS]).fetchone()
    return files.applied_to(copy) if there else frozenset()


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy for reading, even in a folder that can't be written."""
    if not path.is_file():
        raise BackupError(say("there is no file {file}.", file=str(path)))
    replaced_files.check(path)
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        yield connection


def check_copy(source: Path, steps: Migrations) -> None:
    """Raise BackupError if a file is not a sound copy."""
    checked(source, steps)


def put_back(source: Path, database: str | Path, replace: bool, steps: Migrations) -> Path | None:
    """Replace the database by the copy `source`. Return where the old database was moved, or None if there was none.
    Without `replace`, raise BackupError if there is a database."""
    target = Path(database)
    if target.exists() and not replace:
        raise BackupError(say("{file} already exists. Stop the server and use --replace.", file=str(target)))
    arriving = target.with_name(f".{target.name}.arriving")
    aside = None
    try:
        copy_to(source, arriving)
        checksum.mark(arriving, 0)
        checked(arriving, steps)
        flush_file(arriving)
        if target.exists() or target.with_name(f"{target.name}-wal").exists():
            aside = _free_name(target)
            set_aside(target, aside)
        os.replace(arriving, target)
        flush_file(target.parent)
    finally:
        arriving.unlink(missing_ok=True)
    return aside


def _free_name(target: Path) -> Path:
    """Return an unused path beside the database `target`, with the current time in its name."""
    name = f"{target.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}"
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(free for one in names if not (free := target.with_name(one)).exists())


def set_aside(database: Path, aside: Path) -> None:
    """Rename a database, together with its write-ahead log."""
    for ending in ("-wal", "-shm", ""):
        part = database.with_name(database.name + ending)
        if part.exists():
            private_files.restrict(part)
            os.replace(part, aside.with_name(aside.name + ending))
