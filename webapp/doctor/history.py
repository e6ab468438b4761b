"""The database and its copies: whether they are whole, ours, recent, and nobody else's to read."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scorer.sentences import NOTHING, in_a_row, say, say_count
from webapp import backup, private, seal, timekeeper
from webapp.database import files, sqlite, sqlite_copies
from webapp.doctor.finding import Finding, fault, fine, warning
from webapp.schema import migrations

OLD = timedelta(days=2)
MEGABYTE = 2**20
LEAST_FREE, ENOUGH_FREE = 50 * MEGABYTE, 500 * MEGABYTE
RESTORE = say("Put the latest good copy in its place by “tidemark restore COPY --replace”, with the server stopped.")


def look_at(path: Path) -> Iterator[Finding]:
    refusal = files.of_path(path)
    if refusal:
        yield fault("database", refusal, say("The server cannot start like this."))
        return
    yield from disk(path)
    if not path.exists():
        there_is_none = say("There is no database {file} yet.", file=str(path))
        yield warning("database", there_is_none, say("Name yours with --db, or start the server, which makes one."))
        return
    yield from rights(path)
    try:
        with sqlite_copies.opened(path) as db:
            yield from content(db, path)
    except sqlite3.Error as trouble:
        yield fault("database", files.of_fault(path, trouble), RESTORE)
    yield from copies(path)


def content(db: sqlite3.Connection, path: Path) -> Iterator[Finding]:
    refusal = files.of_content(db, path, migrations.steps)
    if refusal:
        yield fault("schema", refusal, say("The server cannot start like this."))
        return
    yield fine("schema", say("The database is one that this version understands."))
    wrong = [row[0] for row in db.execute("PRAGMA quick_check(3)") if row[0] != "ok"]
    orphans = db.execute("SELECT count(*) FROM pragma_foreign_key_check").fetchone()[0]
    if wrong or orphans:
        what = (
            "; ".join(wrong)
            if wrong
            else say_count("{n} row without its owner", "{n} rows without their owner", orphans)
        )
        yield fault("integrity", say("The database is damaged: {what}.", what=what), RESTORE)
    else:
        yield fine("integrity", say("The database is whole."))
    doubt = timekeeper.glance(sqlite.Sqlite(db))
    if doubt:
        yield fault("clock", timekeeper.in_words(doubt), NOTHING)
    else:
        yield fine(
            "clock",
            say("The clock agrees with what was seen before: {now} UTC.", now=f"{datetime.now(UTC):%Y-%m-%d %H:%M}"),
        )


def rights(path: Path) -> Iterator[Finding]:
    """Who may read, and whose the files are."""
    if not hasattr(os, "geteuid"):  # Windows has rights of another kind
        return
    files = [file for file in private.of_database(path) if file.exists()]
    open_ones = [file.name for file in files if file.stat().st_mode & 0o077]
    if open_ones:
        yield warning(
            "rights",
            say("Others on this computer can read {files}.", files=in_a_row(open_ones)),
            say("Start the server once more, which narrows them, or run “chmod 600” on them."),
        )
    else:
        yield fine("rights", say("Nobody but their owner can read the files."))
    strangers = [file.name for file in files if file.stat().st_uid != os.geteuid()]
    if strangers and os.geteuid() != 0:
        yield warning(
            "owner",
            say("{files} belong to another user.", files=in_a_row(strangers)),
            say("Run the server and this command as the same user."),
        )
    folder = path.absolute().parent
    if stat.S_IMODE(folder.stat().st_mode) & 0o002 and not folder.stat().st_mode & stat.S_ISVTX:
        yield warning(
            "folder",
            say("Everybody on this computer can put files into {folder}.", folder=str(folder)),
            say("Run “chmod o-w” on it."),
        )


def disk(path: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(path.absolute().parent).free
    size = path.stat().st_size if path.exists() else 0
    # A copy is made twice before it counts, and the write-ahead log may grow.
    wanted = ENOUGH_FREE + 3 * size
    said = say(
        "{free} MB are free beside the database, which has {size} MB.", free=free // MEGABYTE, size=size // MEGABYTE
    )
    if free < LEAST_FREE + size:
        yield fault("disk", said, say("Make room now: when the disk is full, nothing more can be saved."))
    elif free < wanted:
        yield warning("disk", said, say("Make room: {wanted} MB are enough for a while.", wanted=wanted // MEGABYTE))
    else:
        yield fine("disk", said)


def copies(path: Path) -> Iterator[Finding]:
    """The daily copies: that there are some, how old the latest is, and that none has changed since."""
    found = backup.copies_of(path)
    latest = backup.latest(path)
    if latest is None:
        yield warning(
            "copies",
            say("There is no copy beside the database."),
            say("The server makes one a day while it runs; “tidemark backup FILE” makes one now."),
        )
        return
    age = datetime.now(UTC) - latest[1]
    said = say_count(
        "The latest copy is {n} hour old: {file}.",
        "The latest copy is {n} hours old: {file}.",
        max(int(age.total_seconds() // 3600), 0),
        file=latest[0].name,
    )
    if age > OLD:
        yield warning(
            "copies", said, say("The server makes one a day while it runs: look into its log for the reason.")
        )
    else:
        yield fine("copies", said)
    yield from seals(found)


def seals(found: list[Path]) -> Iterator[Finding]:
    states = {copy: seal.state(copy) for copy in found}
    broken = [copy.name for copy, state in states.items() if state is seal.State.BROKEN]
    if broken:
        yield fault(
            "checksums",
            say("{files} are not what was written: the disk may be failing.", files=in_a_row(broken)),
            say("Keep copies on another disk as well, and look after this one."),
        )
        return
    sound = sum(state is seal.State.SOUND for state in states.values())
    yield fine("checksums", say_count("{n} copy has its checksum.", "{n} copies have their checksums.", sound))
