"""Explain what is wrong with a SQLite file: its place, its content, or an error of SQLite or the system."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

from sqlite_utils import Database as SqliteUtilsDatabase
from sqlite_utils import Migrations

from scorer.sentences import NOTHING, Sentence, say
from webapp.database import file_users
from webapp.operator_errors import Refusal

IN_MEMORY = ":memory:"
STEPS = "_sqlite_migrations"  # the table in which sqlite-utils notes the migrations taken
SET = "tidemark"  # the name of our migrations in it
LAST_OF_07 = "m045_numbers_given_once"
BASELINE = "m100_baseline"  # the first migration of this version


START = say("The server creates it when it starts.")


class UnusableDatabase(Refusal):
    """Raised when we can't use a database. The message says why."""


def check_path(path: str | Path) -> None:
    """Raise UnusableDatabase if no database can be at this path. Nothing is created."""
    refusal = NOTHING if str(path) == IN_MEMORY else of_path(path)
    if refusal:
        raise UnusableDatabase(refusal)


def of_path(path: str | Path) -> Sentence:
    """Return what is wrong with the path of a database, or NOTHING. Nothing is opened."""
    name, file = str(path), Path(path)
    try:
        if file.exists() and not file.is_file():
            return no_database(name)
        if not file.absolute().parent.is_dir():
            return say("there is no folder {folder}. Create it first.", folder=str(file.parent))
        if not file.exists():
            return NOTHING if may(file.absolute().parent, os.W_OK | os.X_OK) else unwritable(file.absolute().parent)
        if not may(file, os.R_OK | os.W_OK) or not may(file.absolute().parent, os.W_OK | os.X_OK):
            return unwritable(file)
        if file.stat().st_size == 0:
            return say("{file} is empty. Restore a backup, or delete it to start anew.", file=name)
    except (OSError, ValueError) as fault:
        return say("can’t use {file}: {fault}.", file=name, fault=getattr(fault, "strerror", None) or str(fault))
    return NOTHING


def may(path: Path, right: int) -> bool:
    return os.access(path, right)


def unwritable(path: str | Path) -> Sentence:
    return say("can’t read or write {file} and its folder. Check their permissions.", file=str(path))


def no_database(path: str | Path) -> Sentence:
    return say("{file} is not a Tidemark database. Name another one.", file=str(path))


def of_content(db: sqlite3.Connection, path: str | Path, steps: Migrations) -> Sentence:
    """Return what is wrong with the content of a database, or NOTHING. An empty database is fine."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()}
    if not {name for name in tables if not name.startswith("sqlite_")} - {STEPS}:
        return NOTHING
    applied = applied_to(db) if STEPS in tables else frozenset()
    return of_steps(path, applied, steps)


def of_steps(path: str | Path, applied: frozenset[str], steps: Migrations) -> Sentence:
    """Return why we can't use the database at `path`, which has the migrations in `applied`; NOTHING if we can."""
    if not applied:
        return no_database(path)
    if is_of_07(applied):
        return of_07(path)
    return newer(path) if applied - known(steps) else NOTHING


def newer(path: str | Path) -> Sentence:
    return say("{file} is from a newer Tidemark. Update this one.", file=str(path))


def missing(path: str | Path) -> Sentence:
    return say("there is no database {file}. Name it with --db.", file=str(path))


def not_empty(path: str | Path) -> Sentence:
    return say("{file} already has other data. Choose an empty database.", file=str(path))


def other_pool(pooled: str, path: str | Path) -> Sentence:
    return say(
        "{pooled} and {address} are different databases. Correct TIDEMARK_DATABASE_POOLED, or remove it.",
        pooled=pooled,
        address=str(path),
    )


def of_07(path: str | Path) -> Sentence:
    return say("{file} is from an older Tidemark. Start the server to convert it.", file=str(path))


def is_of_07(applied: frozenset[str]) -> bool:
    """Return whether these are the migrations of Tidemark 0.7."""
    return LAST_OF_07 in applied and BASELINE not in applied


def applied_to(db: sqlite3.Connection) -> frozenset[str]:
    """Return the names of the migrations that a database has taken."""
    found = db.execute(f"SELECT name FROM {STEPS} WHERE migration_set = ?", [SET]).fetchall()
    return frozenset(name for (name,) in found)


@cache
def known(steps: Migrations) -> frozenset[str]:
    """Return the names of all migrations that this program knows."""
    with closing(sqlite3.connect(IN_MEMORY)) as nothing:
        return frozenset(step.name for step in steps.pending(SqliteUtilsDatabase(nothing, execute_plugins=False)))


@cache
def relations(steps: Migrations) -> frozenset[str]:
    """Return the names of all tables and views of a new database."""
    with closing(sqlite3.connect(IN_MEMORY)) as scratch:
        steps.apply(SqliteUtilsDatabase(scratch, execute_plugins=False))
        return relations_in(scratch)


def relations_in(db: sqlite3.Connection) -> frozenset[str]:
    """Return the names of all tables and views except those of SQLite and sqlite-utils."""
    found = db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'")
    return frozenset(name for (name,) in found) - {STEPS}


def of_fault(path: str | Path, fault: Exception) -> Sentence:
    """Return a message that explains an error of SQLite or the system and says what to do."""
    sentence = FAULTS.get(getattr(fault, "sqlite_errorcode", 0) & 0xFF)
    return sentence(path) if sentence else say("can’t use {file}: {fault}.", file=str(path), fault=str(fault))


def damaged(path: str | Path) -> Sentence:
    return say(
        "{file} is damaged. Stop the server, then run “tidemark restore COPY --replace”.",
        file=str(path),
    )


def full(path: str | Path) -> Sentence:
    return say("the disk with {file} is full. Free some space.", file=str(path))


FAULTS: dict[int, Callable[[str | Path], Sentence]] = {
    sqlite3.SQLITE_NOTADB: no_database,
    sqlite3.SQLITE_CORRUPT: damaged,
    sqlite3.SQLITE_CANTOPEN: unwritable,
    sqlite3.SQLITE_READONLY: unwritable,
    sqlite3.SQLITE_FULL: full,
    sqlite3.SQLITE_BUSY: file_users.busy,
}
