"""The database. Its address chooses the engine: a file for SQLite, `postgresql://…` for PostgreSQL.

The two engines, `sqlite.py` and `postgres.py`, are of the same shape (`Engine`). Nothing outside this folder asks which
of them it is.
"""

from __future__ import annotations

import importlib
import json
import secrets
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from flask import Flask, current_app, g
from sqlite_utils import Migrations

from scorer.sentences import Sentence, say
from webapp.clock import ago, now
from webapp.database import (
    attempts,
    copying,
    disk_flush,
    file_users,
    files,
    replaced_files,
    retry,
    sqlite,
    sqlite_copies,
)
from webapp.database.attempts import Limit
from webapp.database.engine import Database, Hear, SpoiltTransaction, StorageFailure
from webapp.database.files import UnusableDatabase
from webapp.database.retry import tries
from webapp.doctor_check import Finding

__all__ = [
    "Database",
    "SpoiltTransaction",
    "UnusableDatabase",
    "ago",
    "attempts",
    "borrowed",
    "close_db",
    "connect",
    "connections",
    "copying",
    "disk_flush",
    "engine_of",
    "errors",
    "file_users",
    "files",
    "get_db",
    "local_files",
    "named",
    "new_key",
    "node_messages",
    "now",
    "pack",
    "replaced_files",
    "retrying",
    "serving",
    "sqlite",
    "sqlite_copies",
    "tries",
    "used",
    "waiting",
]

T = TypeVar("T")
Address = str | Path
SERVERS = ("postgresql://", "postgres://")


class Connections(Protocol):
    """An app's connections that wait for the next request."""

    def take(self) -> Database: ...

    def give_back(self, db: Database) -> None: ...

    def drop(self, db: Database) -> None: ...

    def close(self) -> None: ...


class NodeMessages(Protocol):
    """Hold what nodes that share a database tell each other."""

    def begin(self, hear: Hear, missed: Callable[[], object]) -> None: ...

    def tell(self, what: str, keys: Iterable[str]) -> None: ...

    def close(self) -> None: ...


class Attempts(Protocol):
    """Hold who has tried what, and when: as the limits of an app count them, at all its nodes together."""

    def allow(self, limit: Limit, who: str) -> bool: ...

    def forget(self) -> None: ...


class Engine(Protocol):
    """Hold what each of the two modules has."""

    ERRORS: tuple[type[Exception], ...]  # all that its library raises

    def connect(self, address: Address) -> Database: ...

    def Connections(self, address: Address, pooled: str = "") -> Connections: ...

    def node_messages(self, connections: Any) -> NodeMessages: ...

    def attempts(self, connections: Any) -> Attempts: ...

    def lay_out(self, db: Database, version: str, files: Callable[[], Mapping[str, bytes]]) -> None: ...

    def laid_out(self, db: Database, version: str, name: str) -> bytes | None: ...

    def laid_out_last(self, db: Database, name: str) -> bytes | None: ...

    def opened(self, address: Address, steps: Migrations) -> Database: ...

    def check_address(self, address: Address) -> None: ...

    def exists(self, address: Address) -> bool: ...

    def to_read(self, address: Address) -> Database: ...

    def is_free(self, address: Address) -> bool: ...

    def arriving(self, address: Address, steps: Migrations) -> AbstractContextManager[Database]: ...

    def steps_of(self, address: Address) -> frozenset[str]: ...

    def replacing(
        self, address: Address, steps: Migrations, ending: str
    ) -> AbstractContextManager[tuple[Database, Database, str]]: ...

    def used(self, address: Address) -> AbstractContextManager[None]: ...

    def serving(self, address: Address) -> AbstractContextManager[None]: ...

    def alone(self, address: Address) -> AbstractContextManager[None]: ...

    def is_used(self, address: Address) -> bool: ...

    def examined(self, address: Address, steps: Migrations) -> Iterator[Finding]: ...

    def named(self, address: Address) -> str: ...

    def local_files(self, address: Address) -> list[Path]: ...

    def folder_of_copies(self, address: Address) -> Path | None: ...

    def save(self, address: Address, copy: Path, steps: Migrations) -> int: ...

    def check_copy(self, copy: Path, steps: Migrations) -> None: ...

    def put_back(self, copy: Path, address: Address, replace: bool, steps: Migrations) -> Path | None: ...

    def storage_failure(self, fault: Exception) -> StorageFailure | None: ...

    def is_conflict(self, fault: BaseException) -> bool: ...

    def refusal_of(self, address: Address, fault: Exception) -> Sentence: ...


def engine_of(address: Address) -> Engine:
    """The module for it, loaded when it is first asked for: a household has no client of PostgreSQL."""
    name = "postgres" if str(address).startswith(SERVERS) else "sqlite"
    try:
        return cast(Engine, importlib.import_module(f"{__name__}.{name}"))
    except ImportError as fault:
        if (fault.name or "psycopg").startswith("psycopg"):  # which names nothing where the server's library is missing
            raise UnusableDatabase(
                say("PostgreSQL needs its client on this computer: pip install 'tidemark[postgres]'")
            ) from None
        raise


def connect(address: Address) -> Database:
    """A connection for one thread at a time."""
    return engine_of(address).connect(address)


def waiting(address: Address, pooled: str = "") -> Connections:
    """Connections for an app's requests, which may go by another way than all the rest."""
    return engine_of(address).Connections(address, pooled)


def node_messages(address: Address, connections: Connections) -> NodeMessages:
    """Return what an app tells other nodes, and hears of them."""
    return engine_of(address).node_messages(connections)


def named(address: Address) -> str:
    """Return what to call it where others can read: without its password."""
    return engine_of(address).named(address)


def used(address: Address) -> AbstractContextManager[None]:
    """Keep others from putting another database in its place meanwhile."""
    return engine_of(address).used(address)


def serving(address: Address) -> AbstractContextManager[None]:
    """Keep others from replacing the database, and a second server from starting on a file, meanwhile."""
    return engine_of(address).serving(address)


def local_files(address: Address) -> list[Path]:
    """Return the files of this machine that hold the database, and its copies."""
    return engine_of(address).local_files(address)


def retrying(action: Callable[[], T]) -> T:
    """Run an action, and run it again if it conflicts with another."""
    return retry.run_with_retries(action, _is_conflict)


def _is_conflict(fault: BaseException) -> bool:
    loaded = sys.modules.get(f"{__name__}.postgres")
    return loaded is not None and cast(Engine, loaded).is_conflict(fault)


def errors(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """Return the errors that loaded engines raise, and these others."""
    loaded = sys.modules.get(f"{__name__}.postgres")
    return (sqlite3.Error, *(loaded.ERRORS if loaded else ()), *others)


# -- one for each request ---


def get_db() -> Database:
    """The connection of the request that is being answered."""
    if "db" not in g:
        g.db = connections(current_app).take()
    db: Database = g.db
    return db


def close_db(fault: BaseException | None = None) -> None:
    """Return the connection at the end of a request. After an unexpected fault it is not used again."""
    db = g.pop("db", None)
    if db is None:
        return
    if fault is None:
        connections(current_app).give_back(db)
    else:
        connections(current_app).drop(db)


def connections(app: Flask) -> Connections:
    found: Connections = app.extensions["connections"]
    return found


@contextmanager
def borrowed(app: Flask) -> Iterator[Database]:
    """Lend one of the app's connections to code that answers no request."""
    db = connections(app).take()
    try:
        yield db
    except BaseException:
        connections(app).drop(db)
        raise
    connections(app).give_back(db)


# -- what goes in ---


def new_key() -> str:
    """A name for the web that nobody guesses (72 bits)."""
    return secrets.token_urlsafe(9)


def pack(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
