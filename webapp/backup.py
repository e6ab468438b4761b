"""Copy the database while it is in use, check copies before they count, and restore without overwriting."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from scorer.sentences import Sentence, say
from webapp import clock_check, private_files
from webapp.clock import clock, now
from webapp.database import Database, disk_flush, engine_of, errors, file_users, files, sqlite_copies
from webapp.jobs import Job, SlowSteps, Step, Steps
from webapp.language import of_environment
from webapp.operator_errors import BackupError
from webapp.schema import migrations

__all__ = [
    "BackupError",
    "backup",
    "check_copy",
    "copies_of",
    "latest",
    "restore",
    "rotate",
    "steps",
    "to_keep",
]

DAILY, WEEKLY = 7, 4
KIND = "copy"


def backup(database: str | Path, target: Path) -> int:
    """Copy the database to a new file, which gets its name once it is checked; return how many games it has."""
    engine = engine_of(database)
    if not engine.exists(database):
        raise BackupError(files.missing(engine.named(database)))
    if target.exists():
        raise BackupError(say("{file} already exists. Choose another file.", file=str(target)))
    engine.check_address(database)
    unfinished = target.with_name(f".{target.name}.unfinished")
    try:
        plays = engine.save(database, unfinished, migrations.steps)
        disk_flush.flush_file(unfinished)
        os.replace(unfinished, target)
        disk_flush.flush_file(target.parent)
    except errors(OSError) as fault:
        raise BackupError(_unwritten(target, fault)) from None
    finally:
        unfinished.unlink(missing_ok=True)
    return plays


def _unwritten(target: Path, fault: Exception) -> Sentence:
    return say("can’t write {file}: {fault}.", file=str(target), fault=str(fault))


def check_copy(path: Path) -> int:
    """Return how many games are in a sound copy; raise BackupError for a damaged or unknown file."""
    return sqlite_copies.checked(path, migrations.steps)


def restore(source: Path, database: str | Path, replace: bool = False) -> Path | None:
    """Replace the database by the copy `source`, once checked, and return where the old database is now, or None.

    An existing database is only replaced with `replace`.
    """
    engine = engine_of(database)
    engine.check_copy(source, migrations.steps)
    try:
        with engine.alone(database):
            return engine.put_back(source, database, replace, migrations.steps)
    except file_users.InUse as fault:
        raise BackupError(fault.message) from None
    except errors(OSError) as fault:
        raise BackupError(engine.refusal_of(database, fault)) from None


# -- by itself, every day ---


def rotate(database: str | Path, today: date | None = None) -> Path | None:
    """Make today's copy beside the database and delete the oldest; return the new copy, or None if none was due.

    A PostgreSQL server has its own backups. While the clock is in doubt nothing is deleted, as dates may be wrong.
    """
    today = today or date.fromisoformat(now()[:10])
    folder = engine_of(database).folder_of_copies(database)
    if folder is None:
        return None
    private_files.folder(folder)
    target = folder / f"{Path(database).stem}-{today}.db"
    if target.exists():
        return None
    backup(database, target)
    if not clock.doubt:
        copies = copies_of(database)
        for old in set(copies) - set(to_keep(copies, today)):
            old.unlink()
    return target


def copies_of(database: str | Path) -> list[Path]:
    """Return the daily copies, oldest first."""
    folder = engine_of(database).folder_of_copies(database)
    if folder is None:
        return []
    return sorted(path for path in folder.glob(f"{Path(database).stem}-????-??-??.db") if _day(path))


def latest(database: str | Path) -> tuple[Path, datetime] | None:
    """Return the latest daily copy and when it was made, or None."""
    found = [(copy.stat().st_mtime, copy) for copy in copies_of(database)]
    if not found:
        return None
    created_at, copy = max(found)
    return copy, datetime.fromtimestamp(created_at, UTC)


def _day(copy: Path) -> date | None:
    try:
        return date.fromisoformat(copy.stem[-10:])
    except ValueError:
        return None


def to_keep(copies: Sequence[Path], today: date) -> list[Path]:
    """Return the copies to keep: the latest seven, the first of each of the last four weeks, and any after `today`."""
    ahead = [copy for copy in copies if copy.stem[-10:] > str(today)]
    copies = [copy for copy in copies if copy not in ahead]
    weeks: dict[tuple[int, int], Path] = {}
    for copy in copies:
        year, week, _ = date.fromisoformat(copy.stem[-10:]).isocalendar()
        weeks.setdefault((year, week), copy)
    latest = [weeks[week] for week in sorted(weeks)][-WEEKLY:]
    return sorted({*copies[-DAILY:], *latest, *ahead})


def warn_about_clock(db: Database) -> None:
    """Print a warning once when the clock begins to be in doubt."""
    doubted = clock.doubt is not None
    doubt = clock_check.check(db)
    if doubt and not doubted:
        print(f"tidemark: {clock_check.in_words(doubt).into(of_environment())}", flush=True)


def steps(database: str | Path) -> Steps:
    """Return a dict from the job's kind to the background job that copies this database every day."""

    def copy(db: Database, _job: Job) -> Iterator[Step | None]:
        warn_about_clock(db)
        try:
            rotate(database)
        except errors(BackupError, OSError) as fault:  # tried again in an hour; a full disk may have room by then
            reason = fault.message if isinstance(fault, BackupError) else str(fault)
            news = say("no backup was made today: {reason}", reason=reason)
            print(f"tidemark: {news.into(of_environment())}", flush=True)
            yield lambda _, job: replace(job, state="failed", error={"code": "copy"})
        yield lambda *_: None

    return {KIND: SlowSteps(copy)}
