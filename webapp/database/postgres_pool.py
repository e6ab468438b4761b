"""Keep an app's connections to PostgreSQL ready for the next request.

They may lead through a pooler, such as PgBouncer, that sends each transaction over any connection to the server.
Requests work with that. LISTEN and changes of the schema need a session of their own, so they connect directly to the
server.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from pathlib import Path

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from webapp.database import postgres_address
from webapp.database.engine import Database
from webapp.database.files import UnusableDatabase, other_pool
from webapp.database.postgres_connection import HOW, PATIENCE_S, TRIAL, Postgres, connect
from webapp.database.postgres_dialect import convert_as_sqlite

BRIEFLY_S, LOST_S = 0.5, 5.0  # after a failed wait, other requests wait only briefly for so long
MOST_CONNECTIONS = 24  # of one node: more than its threads that answer requests
IDLE_S = 600.0
SOON_AGAIN_S = 2.0  # the pool waits longer after each failed attempt to connect; after so long it starts again
UNPREPARED = {"prepare_threshold": None}  # behind a pooler the next transaction may get another connection

ERRORS: tuple[type[Exception], ...] = (psycopg.Error, PoolTimeout)


class Connections:
    """Pool connections to PostgreSQL. The first request opens the first connection."""

    def __init__(self, address: str | Path, pooled: str = "") -> None:
        self.address = str(address)
        self.lost_until = 0.0
        if pooled:
            check_same_database(self.address, pooled)
        self.pool = ConnectionPool(
            pooled or self.address,
            kwargs=HOW | UNPREPARED if pooled else HOW,
            configure=convert_as_sqlite,
            check=ConnectionPool.check_connection,  # the server may have restarted
            min_size=0,
            max_size=MOST_CONNECTIONS,
            timeout=PATIENCE_S,
            max_idle=IDLE_S,
            reconnect_timeout=SOON_AGAIN_S,
            open=False,
        )

    def take(self) -> Postgres:
        """Return a connection, or raise the pool's error if the server can't be reached for five seconds. In the five
        seconds after such an error, other requests wait only half a second."""
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
        """Close the idle connections, which are unusable after the server has restarted."""
        self.lost_until = 0.0
        if not self.pool.closed:
            self.pool.drain()

    def close(self) -> None:
        self.pool.close()


def check_same_database(address: str, pooled: str) -> None:
    """Raise UnusableDatabase unless both addresses lead to the same database.

    The test is a lock: if it was taken through `address`, it must be refused through `pooled`.
    """
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
        raise UnusableDatabase(other_pool(postgres_address.named(pooled), postgres_address.named(address)))
