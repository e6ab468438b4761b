"""Copies of the database: made while it is in use, checked before they count, put back without overwriting anything."""

from __future__ import annotations

import itertools
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

from scorer.sentences import Sentence, Value, say
from webapp import private, seal, timekeeper
from webapp.clock import clock, now
from webapp.database import connect, disk, files, occupied
from webapp.language import of_environment
from webapp.refusal import Refusal
from webapp.schema import migrations

DAILY, WEEKLY = 7, 4
HOUR_S = 3600.0
FOLDER = "backups"


class BackupError(Refusal):
    """A copy that could not be made, or must not be used; the message says why."""


def backup(database: str | Path, target: Path, replace: bool = False) -> int:
    """Copy the database to a new file, check the copy and only then give it its name; how many games it holds."""
    if not Path(database).exists():
        raise BackupError(say("there is no database {file}.", file=str(database)))
    if target.exists() and not replace:
        raise BackupError(say("{file} exists already. Name another file.", file=str(target)))
    refusal = files.of_path(database)
    if refusal:
        raise BackupError(refusal)
    unfinished = target.with_name(f".{target.name}.unfinished")
    again = target.with_name(f".{target.name}.again")
    try:
        copy_to(Path(database), unfinished, again)
        sealed(unfinished, again)
        plays = checked(unfinished)
        disk.flushed(unfinished)
        os.replace(unfinished, target)
        disk.flushed(target.parent)
    except (sqlite3.Error, OSError) as fault:
        raise BackupError(_unwritten(target, fault)) from None
    finally:
        for left in (unfinished, again):
            left.unlink(missing_ok=True)
    return plays


def sealed(copy: Path, again: Path) -> None:
    """Close the copy with the checksum of the other one, made of the same moment: so the two are compared whole."""
    seal.mark(again)
    digest = seal.checksum(again, again.stat().st_size)
    again.unlink()
    seal.mark(copy)
    seal.close_up(copy, digest)


def _unwritten(target: Path, fault: Exception) -> Sentence:
    return say("{file} could not be written: {fault}.", file=str(target), fault=str(fault))


def copy_to(database: Path, *targets: Path) -> None:
    """One consistent moment of the database, in files that stand alone, without a write-ahead log."""
    with closing(sqlite3.connect(database, timeout=60, isolation_level=None)) as source:
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()  # from now on it is this moment
        for target in targets:
            target.unlink(missing_ok=True)
            private.made(target)
            with closing(sqlite3.connect(target)) as copy:
                source.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")


def checked(path: Path) -> int:
    """How many games a sound copy holds; an unsound one is refused, and one that we do not understand."""
    with opened(path) as copy:
        if seal.state(path) is seal.State.BROKEN:
            changed = say("it is not what was written; its checksum tells")
            raise BackupError(say("{file} is damaged: {faults}.", file=str(path), faults=changed))
        try:
            refusal = files.of_content(copy, path, migrations.steps)
            if refusal:
                raise BackupError(refusal)
            faults = [row[0] for row in copy.execute("PRAGMA integrity_check")]
            orphans = copy.execute("PRAGMA foreign_key_check").fetchall()
            [plays] = copy.execute("SELECT count(*) FROM kept_plays").fetchone()
        except sqlite3.DatabaseError as fault:
            raise BackupError(
                say("{file} is not a Tidemark database: {fault}.", file=str(path), fault=str(fault))
            ) from None
    if faults != ["ok"] or orphans:
        what: Value = "; ".join(faults[:3]) if faults != ["ok"] else say("rows without their play")
        raise BackupError(say("{file} is damaged: {faults}.", file=str(path), faults=what))
    return int(plays)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """To be read only, also where it lies among files that cannot be written."""
    if not path.is_file():
        raise BackupError(say("there is no file {file}.", file=str(path)))
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        yield connection


def restore(source: Path, database: str | Path, replace: bool = False) -> Path | None:
    """Put a checked copy in the database's place; where the database that was there has been set aside, if any was."""
    target = Path(database)
    checked(source)
    try:
        with occupied.alone(target):
            return _put(source, target, replace)
    except occupied.InUse as fault:
        raise BackupError(fault.message) from None
    except (sqlite3.Error, OSError) as fault:
        raise BackupError(_unwritten(target, fault)) from None


def _put(source: Path, target: Path, replace: bool) -> Path | None:
    if target.exists() and not replace:
        raise BackupError(
            say("{file} exists already. Stop the server and say --replace to set it aside.", file=str(target))
        )
    arriving = target.with_name(f".{target.name}.arriving")
    aside = None
    try:
        copy_to(source, arriving)
        seal.mark(arriving, 0)
        checked(arriving)
        disk.flushed(arriving)
        if target.exists() or target.with_name(f"{target.name}-wal").exists():
            aside = _free_name(target)
            set_aside(target, aside)
        os.replace(arriving, target)
        disk.flushed(target.parent)
    finally:
        arriving.unlink(missing_ok=True)
    return aside


def _free_name(target: Path) -> Path:
    """Beside the database, with the time, and not taken."""
    name = f"{target.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}"
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(free for one in names if not (free := target.with_name(one)).exists())


def set_aside(database: Path, aside: Path) -> None:
    """The database under another name, together with what is not yet in its main file."""
    for ending in ("-wal", "-shm", ""):
        part = database.with_name(database.name + ending)
        if part.exists():
            private.narrow(part)
            os.replace(part, aside.with_name(aside.name + ending))


# -- by itself, every day ---


def rotate(database: str | Path, today: date | None = None) -> Path | None:
    """Today's copy beside the database, unless it is there; the oldest go. None if there was nothing to do.

    As long as the clock is in doubt none goes: by their dates nobody could say which are the oldest.
    """
    today = today or date.fromisoformat(now()[:10])
    folder = Path(database).absolute().parent / FOLDER
    private.folder(folder)
    target = folder / f"{Path(database).stem}-{today}.db"
    if target.exists():
        return None
    backup(database, target)
    if not clock.doubt:
        copies = copies_of(database)
        for old in set(copies) - set(kept(copies, today)):
            old.unlink()
    return target


def copies_of(database: str | Path) -> list[Path]:
    """The daily copies, the oldest first."""
    folder = Path(database).absolute().parent / FOLDER
    return sorted(path for path in folder.glob(f"{Path(database).stem}-????-??-??.db") if _day(path))


def latest(database: str | Path) -> tuple[Path, datetime] | None:
    """The daily copy that was made last, and when."""
    found = [(copy.stat().st_mtime, copy) for copy in copies_of(database)]
    if not found:
        return None
    made, copy = max(found)
    return copy, datetime.fromtimestamp(made, UTC)


def _day(copy: Path) -> date | None:
    try:
        return date.fromisoformat(copy.stem[-10:])
    except ValueError:
        return None


def kept(copies: Sequence[Path], today: date) -> list[Path]:
    """The latest seven, and the first of each of the latest four weeks; also what a wrong clock dated ahead."""
    ahead = [copy for copy in copies if copy.stem[-10:] > str(today)]
    copies = [copy for copy in copies if copy not in ahead]
    weeks: dict[tuple[int, int], Path] = {}
    for copy in copies:
        year, week, _ = date.fromisoformat(copy.stem[-10:]).isocalendar()
        weeks.setdefault((year, week), copy)
    latest = [weeks[week] for week in sorted(weeks)][-WEEKLY:]
    return sorted({*copies[-DAILY:], *latest, *ahead})


def look_at_the_clock(database: str | Path) -> None:
    """Say so once when it begins to be in doubt."""
    doubted = clock.doubt is not None
    with closing(connect(database)) as db:
        doubt = timekeeper.look(db)
    if doubt and not doubted:
        print(f"tidemark: {timekeeper.in_words(doubt).into(of_environment())}", flush=True)


def keep_copies(database: str | Path) -> threading.Event:
    """Look every hour whether today's copy is there, in a thread of its own, until the event is set."""
    stop = threading.Event()

    def watch() -> None:
        while True:
            try:
                look_at_the_clock(database)
                rotate(database)
            except (
                BackupError,
                OSError,
                sqlite3.Error,
            ) as fault:  # a full disk must not end the watch
                reason = fault.message if isinstance(fault, BackupError) else str(fault)
                news = say("no copy was made today: {reason}", reason=reason)
                print(f"tidemark: {news.into(of_environment())}", flush=True)
            if stop.wait(HOUR_S):
                return

    threading.Thread(target=watch, name="copies", daemon=True).start()
    return stop
