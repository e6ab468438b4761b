"""An app's connections to PostgreSQL that wait for the next request.

They may lead through a pooler, such as PgBouncer, that gives each transaction whatever connection it has: what
requests do needs no more. What belongs to a session goes straight to the server: LISTEN and the schema.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from pathlib import Path

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from scorer.sentences import say
from webapp.database import postgres_address
from webapp.database.engine import Database
from webapp.database.files import UnusableDatabase
from webapp.database.postgres_connection import HOW, PATIENCE_S, TRIAL, Postgres, connect
from webapp.database.postgres_dialect import prepared

BRIEFLY_S, LOST_S = 0.5, 5.0  # so long nobody waits for a server that somebody has just waited for in vain
MOST_CONNECTIONS = 24  # of one node: more than its threads that answer requests
IDLE_S = 600.0
SOON_AGAIN_S = 2.0  # the pool pauses longer and longer between its tries to connect; after so long it begins anew
UNPREPARED = {"prepare_threshold": None}  # the next transaction would look for it on another connection

ERRORS: tuple[type[Exception], ...] = (psycopg.Error, PoolTimeout)


class Connections:
    """Pool connections to PostgreSQL. None is opened before the first request."""

    def __init__(self, address: str | Path, pooled: str = "") -> None:
        self.address = str(address)
        self.lost_until = 0.0
        if pooled:
            check_same_database(self.address, pooled)
        self.pool = ConnectionPool(
            pooled or self.address,
            kwargs=HOW | UNPREPARED if pooled else HOW,
            configure=prepared,
            check=ConnectionPool.check_connection,  # the server may have been started anew
            min_size=0,
            max_size=MOST_CONNECTIONS,
            timeout=PATIENCE_S,
            max_idle=IDLE_S,
            reconnect_timeout=SOON_AGAIN_S,
            open=False,
        )

    def take(self) -> Postgres:
        """Wait while the server is started anew; but not long, once it is known to be out of reach."""
        if self.pool.closed:
            self.pool.open()
        patience = BRIEFLY_S if time.monotonic() < self.lost_until else PATIENCE_S
        try:
            connection = self.pool.getconn(patience)
        except ERRORS:
            self.lost_until = time.monotonic() + LOST_S
            raise
        self.lost_until = 0.0
        return Postgres(connection)

    def give_back(self, db: Database) -> None:
        assert isinstance(db, Postgres)
        self.pool.putconn(db.conn)

    def drop(self, db: Database) -> None:
        db.close()
        self.give_back(db)

    def renew(self) -> None:
        """The server is there (again): none that waits is used any more."""
        self.lost_until = 0.0
        if not self.pool.closed:
            self.pool.drain()

    def close(self) -> None:
        self.pool.close()


def check_same_database(address: str, pooled: str) -> None:
    """Two addresses of one database: what is locked by the one cannot be locked by the other."""
    postgres_address.check_address(pooled)
    trial = f"advisory_xact_lock({TRIAL}, {secrets.randbelow(2**31)})"
    try:
        with contextlib.closing(connect(address)) as there, contextlib.closing(connect(pooled)) as here:
            there.execute("BEGIN")
            there.execute(f"SELECT pg_{trial}")
            [apart] = here.execute(f"SELECT pg_try_{trial}").fetchone()
    except psycopg.Error as fault:
        raise UnusableDatabase(postgres_address.refusal_of(pooled, fault)) from None
    if apart:
        raise UnusableDatabase(
            say(
                "{pooled} and {address} are different databases. Correct TIDEMARK_DATABASE_POOLED, or remove it.",
                pooled=postgres_address.named(pooled),
                address=postgres_address.named(address),
            )
        )
