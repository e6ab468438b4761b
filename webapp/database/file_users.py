"""Lock a database file for its users: a server, commands that work on it, and the one that replaces the file.

The lock is an empty file beside the database. SQLite locks it, which works the same on every system and ends with the
process. Several users can work on a database at once, one of them as its server. To replace the
file, a command must be its only user.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scorer.sentences import Sentence, say
from webapp import private_files
from webapp.operator_errors import Refusal

PATIENCE_S = 0.5


class InUse(Refusal):
    """Raised when another process uses the file. The message says so."""


@contextmanager
def used(database: str | Path) -> Iterator[None]:
    """Keep others from replacing the database during the block; they may still work on it. Raise InUse if somebody is
    replacing it and does not finish within half a second."""
    with _locked(database, "BEGIN", "SELECT count(*) FROM sqlite_master"):
        yield


@contextmanager
def serving(database: str | Path) -> Iterator[None]:
    """Lock the database for its only server during the block; commands may work on it. Raise InUse after half a second
    if another server has it or somebody is replacing it."""
    with _locked(database, "BEGIN IMMEDIATE", "SELECT 1"):
        yield


@contextmanager
def alone(database: str | Path) -> Iterator[None]:
    """Keep all others away from the database during the block. Raise InUse after half a second if anybody uses it."""
    with _locked(database, "BEGIN EXCLUSIVE", "SELECT 1"):
        yield


def is_used(database: str | Path) -> bool:
    try:
        with alone(database):
            return False
    except InUse:
        return True


@contextmanager
def _locked(database: str | Path, begin: str, query: str) -> Iterator[None]:
    if str(database) == ":memory:":
        yield
        return
    sign = sign_of(database)
    private_files.make(sign)
    connection = sqlite3.connect(sign, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False)
    try:
        try:
            connection.execute(begin)
            connection.execute(query).fetchone()
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise InUse(busy(database)) from None
            raise
        yield
    finally:
        connection.close()


def sign_of(database: str | Path) -> Path:
    path = Path(database).resolve()
    return path.with_name(f"{path.name}.lock")


def busy(database: str | Path) -> Sentence:
    return say("A server or another command is using {file}. Stop it first.", file=str(database))
