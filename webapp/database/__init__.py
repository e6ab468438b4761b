"""Connect to the database. Its address chooses the engine: a file for SQLite, `postgresql://…` for PostgreSQL.

The modules `sqlite.py` and `postgres.py` both offer what `Engine` lists. Code outside this folder works with either and
never asks for the engine's name.
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
    """Keep open connections ready for the requests of an app."""

    def take(self) -> Database: ...

    def give_back(self, db: Database) -> None: ...

    def drop(self, db: Database) -> None: ...

    def close(self) -> None: ...


class NodeMessages(Protocol):
    """Carry messages between the nodes that share a database."""

    def begin(self, hear: Hear, missed: Callable[[], object]) -> None: ...

    def tell(self, what: str, keys: Iterable[str]) -> None: ...

    def close(self) -> None: ...


class Attempts(Protocol):
    """Count the attempts of visitors, such as wrong codes, at all nodes of an app, so that limits can refuse some."""

    def allow(self, limit: Limit, who: str) -> bool: ...

    def forget(self) -> None: ...


class Engine(Protocol):
    """List the functions and classes that the modules `sqlite` and `postgres` both offer."""

    ERRORS: tuple[type[Exception], ...]  # the exceptions of the engine's library

    def connect(self, address: Address) -> Database: ...

    def Connections(self, address: Address, pooled: str = "") -> Connections: ...

    def node_messages(self, connections: Any) -> NodeMessages: ...

    def attempts(self, connections: Any) -> Attempts: ...

    def store_static_files(self, db: Database, version: str, files: Callable[[], Mapping[str, bytes]]) -> None: ...

    def static_file(self, db: Database, version: str, name: str) -> bytes | None: ...

    def latest_static_file(self, db: Database, name: str) -> bytes | None: ...

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
    """Return the engine of an address.

    Its module is imported only when needed, because most installations have no PostgreSQL client.
    """
    name = "postgres" if str(address).startswith(SERVERS) else "sqlite"
    try:
        return cast(Engine, importlib.import_module(f"{__name__}.{name}"))
    except ImportError as fault:
        if (fault.name or "psycopg").startswith("psycopg"):  # without libpq the error has no module name
            raise UnusableDatabase(
                say("PostgreSQL needs its client on this computer: pip install 'tidemark[postgres]'")
            ) from None
        raise


def connect(address: Address) -> Database:
    """Open a connection. Only one thread may use it at a time."""
    return engine_of(address).connect(address)


def waiting(address: Address, pooled: str = "") -> Connections:
    """Return an object that keeps connections ready for requests; `pooled` is a pooler's address, if there is one."""
    return engine_of(address).Connections(address, pooled)


def node_messages(address: Address, connections: Connections) -> NodeMessages:
    """Return the channel on which an app sends messages to other nodes and receives theirs."""
    return engine_of(address).node_messages(connections)


def named(address: Address) -> str:
    """Return the address without its password, for logs and messages."""
    return engine_of(address).named(address)


def used(address: Address) -> AbstractContextManager[None]:
    """Return a context manager in which nobody can replace the database."""
    return engine_of(address).used(address)


def serving(address: Address) -> AbstractContextManager[None]:
    """Return a context manager in which nobody can replace the database, and no second server can use its file."""
    return engine_of(address).serving(address)


def local_files(address: Address) -> list[Path]:
    """Return the files on this machine that hold the database and its copies."""
    return engine_of(address).local_files(address)


def retrying(action: Callable[[], T]) -> T:
    """Run an action and return its result. If its transaction conflicts with another, try again, at most six times."""
    return retry.run_with_retries(action, _is_conflict)


def _is_conflict(fault: BaseException) -> bool:
    loaded = sys.modules.get(f"{__name__}.postgres")
    return loaded is not None and cast(Engine, loaded).is_conflict(fault)


def errors(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """Return the exceptions that the engines in use can raise, and `others`, for an `except` clause."""
    loaded = sys.modules.get(f"{__name__}.postgres")
    return (sqlite3.Error, *(loaded.ERRORS if loaded else ()), *others)


# -- connections of requests ---


def get_db() -> Database:
    """Return the connection of the current request, taken when first asked for."""
    if "db" not in g:
        g.db = connections(current_app).take()
    db: Database = g.db
    return db


def close_db(fault: BaseException | None = None) -> None:
    """Give back the request's connection. After an unexpected error, close it instead."""
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
    """Lend one of the app's connections to code that runs outside a request."""
    db = connections(app).take()
    try:
        yield db
    except BaseException:
        connections(app).drop(db)
        raise
    connections(app).give_back(db)


# -- values to store ---


def new_key() -> str:
    """Return a random key for an address that nobody can guess (72 bits)."""
    return secrets.token_urlsafe(9)


def pack(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
