"""Offer the engine for many clubs and several nodes: PostgreSQL, reached by psycopg and its pool of connections."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg_pool import PoolTimeout
from sqlite_utils import Migrations

from scorer.sentences import say
from webapp.database import file_users, postgres_address, postgres_copies, postgres_health, postgres_static_files
from webapp.database import postgres_schema as schema
from webapp.database.engine import StorageFailure
from webapp.database.files import UnusableDatabase, is_of_07, not_empty
from webapp.database.postgres_attempts import Attempts
from webapp.database.postgres_connection import EVERYBODY, HOW, SCHEMA, Postgres
from webapp.database.postgres_connection import connect as connect
from webapp.database.postgres_messages import ALIVE, NodeMessages
from webapp.database.postgres_pool import ERRORS as ERRORS
from webapp.database.postgres_pool import MOST_CONNECTIONS
from webapp.database.postgres_pool import Connections as Connections
from webapp.doctor_check import Finding, fault
from webapp.operator_errors import BackupError

BESIDE = 5  # more connections of one node: one listens to other nodes, one waits, three work in the background
LEAVING_S = 1.0  # time in which the server notices a closed connection

check_address, named, refusal_of = postgres_address.check_address, postgres_address.named, postgres_address.refusal_of

# By SQLSTATE, or its class: no room, read-only, or out of reach.
FULL = {"53100"}
TROUBLES = ("08", "25006", "53", "57P", "58")
TRY_AGAIN = {"40001", "40P01"}  # two transactions conflicted; the refused one may try again


def attempts(connections: Connections) -> Attempts:
    return Attempts(connections)


def node_messages(connections: Connections) -> NodeMessages:
    """Return the channel for messages between nodes. Each time it connects, idle connections of the pool are closed."""

    def connected() -> psycopg.Connection[Any]:
        connection: psycopg.Connection[Any] = psycopg.connect(connections.address, **HOW, **ALIVE)
        connections.renew()
        return connection

    return NodeMessages(connected)


def opened(address: str | Path, steps: Migrations) -> Postgres:
    """Open the database, create its tables if it has none, and update its schema."""
    try:
        db = connect(address)
        try:
            schema.bring_up_to_date(db, steps, SCHEMA)
        except BaseException:
            db.close()
            raise
    except psycopg.Error as fault:
        raise UnusableDatabase(refusal_of(address, fault)) from None
    return db


def to_read(address: str | Path) -> Postgres:
    """Open a connection that can only read."""
    db = connect(address)
    db.execute("SET default_transaction_read_only = on")
    return db


@contextlib.contextmanager
def arriving(address: str | Path, steps: Migrations) -> Iterator[Postgres]:
    """Yield a database to fill. What is written is saved when the block ends, or not at all if the block fails."""
    with contextlib.closing(opened(address, steps)) as db, db.atomic():
        yield db


def steps_of(address: str | Path) -> frozenset[str]:
    """Return the names of the migrations that a database has; none if it can't be reached."""
    try:
        with contextlib.closing(to_read(address)) as db:
            return schema.applied(db)
    except psycopg.Error:
        return frozenset()


@contextlib.contextmanager
def replacing(address: str | Path, steps: Migrations, ending: str) -> Iterator[tuple[Postgres, Postgres, str]]:
    """Yield the old database, a new one that replaces it after the block, and the old schema's later name.

    The later name ends in `ending`. All of this is one transaction, in which nobody else can write.
    """
    with alone(address), contextlib.closing(connect(address)) as old, contextlib.closing(connect(address)) as new:
        try:
            with new.founding():
                new.execute(f"SELECT pg_advisory_xact_lock({EVERYBODY}, 0)")
                name, aside = schema.names_beside(new, ending)
                schema.found_beside(new, steps, f"{name}_new")
                yield old, new, say("the schema {name}", name=aside)
                new.execute(f'ALTER SCHEMA "{name}" RENAME TO "{aside}"')
                new.execute(f'ALTER SCHEMA "{name}_new" RENAME TO "{name}"')
        except psycopg.errors.InsufficientPrivilege:
            raise UnusableDatabase(
                say("The user of {file} must own the schema and be able to create another.", file=named(address))
            ) from None


def exists(address: str | Path) -> bool:  # noqa: ARG001, connecting to a missing database raises an error
    return True


def is_free(address: str | Path) -> bool:
    """Return whether the database has no clubs, so that it can be filled."""
    with contextlib.closing(to_read(address)) as db:
        return not schema.applied(db) or db.row("SELECT 1 FROM clubs LIMIT 1") is None


def used(address: str | Path) -> contextlib.AbstractContextManager[None]:  # noqa: ARG001, nobody can replace it
    return contextlib.nullcontext()


def serving(address: str | Path) -> contextlib.AbstractContextManager[None]:  # noqa: ARG001, several servers may use it
    return contextlib.nullcontext()


@contextlib.contextmanager
def alone(address: str | Path) -> Iterator[None]:
    """Run a block if nobody else uses the database. Raise InUse if others have not closed it within a second."""
    with contextlib.closing(connect(address)) as db:
        until = time.monotonic() + LEAVING_S
        while _others(db):
            if time.monotonic() > until:
                raise file_users.InUse(file_users.busy(named(address)))
            time.sleep(LEAVING_S / 10)
    yield


def is_used(address: str | Path) -> bool:
    try:
        with contextlib.closing(to_read(address)) as db:
            return _others(db)
    except psycopg.Error:
        return False


def _others(db: Postgres) -> bool:
    """Return whether Tidemark has other connections to this database."""
    [count] = db.execute(
        """SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'tidemark' AND pid <> pg_backend_pid()"""
    ).fetchone()
    return bool(count)


def local_files(address: str | Path) -> list[Path]:  # noqa: ARG001, the server keeps the files
    return []


def storage_failure(fault: Exception) -> StorageFailure | None:
    """Return how the server or its disk failed, or None if the error has another cause."""
    state = getattr(fault, "sqlstate", None)
    if isinstance(fault, PoolTimeout) or (state is None and isinstance(fault, psycopg.OperationalError)):
        return StorageFailure("the database cannot be reached")
    if state is None or not (state.startswith(TROUBLES) or state in TRY_AGAIN):
        return None
    return StorageFailure(type(fault).__name__.lower(), state in FULL)


def is_conflict(fault: BaseException) -> bool:
    """Return whether PostgreSQL refused the transaction because it conflicted with another. It may be tried again."""
    return isinstance(fault, psycopg.Error) and fault.sqlstate in TRY_AGAIN


def save(address: str | Path, copy: Path, steps: Migrations) -> int:
    """Copy the database to the file `copy` and check it. Return its number of games."""
    with contextlib.closing(to_read(address)) as db, db.snapshot():
        [plays] = db.execute("SELECT count(*) FROM all_plays").fetchone()
        [moment] = db.execute("SELECT pg_export_snapshot()").fetchone()
        postgres_copies.dump(address, copy, moment)
    check_copy(copy, steps)
    return int(plays)


def put_back(copy: Path, address: str | Path, replace: bool, steps: Migrations) -> Path | None:  # noqa: ARG001
    """Restore a copy into a database without clubs; `replace` has no effect.

    Return None, because no old database is kept.
    """
    if not is_free(address):
        raise BackupError(not_empty(named(address)))
    postgres_copies.fill(address, copy)
    if not is_of_07(steps_of(address)):  # a server converts a database of 0.7 when it starts
        opened(address, steps).close()
    return None


folder_of_copies, check_copy = postgres_copies.folder_of_copies, postgres_copies.check_copy
store_static_files, static_file = postgres_static_files.store_static_files, postgres_static_files.static_file
latest_static_file = postgres_static_files.latest_static_file


def examined(address: str | Path, steps: Migrations) -> Iterator[Finding]:
    """Yield what checks of the server and of the database's content have found."""
    try:
        with contextlib.closing(to_read(address)) as db:
            yield from postgres_health.of_server(db, MOST_CONNECTIONS + BESIDE)
            yield from postgres_health.of_content(db, steps)
    except psycopg.Error as trouble:
        yield fault("database", refusal_of(address, trouble))
