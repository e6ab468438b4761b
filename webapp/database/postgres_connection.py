"""Connect to PostgreSQL by psycopg. Writers of different clubs don't wait for each other.

A writer first takes the advisory lock of its club. A writer of the schema, or of rows that belong to no club, makes all
others wait. Such writes are short and rare.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import psycopg
from psycopg.pq import TransactionStatus

from webapp import metrics
from webapp.database import postgres_address
from webapp.database import postgres_schema as schema
from webapp.database.engine import Cursor, Database, Values, inserting
from webapp.database.files import UnusableDatabase, newer
from webapp.database.postgres_dialect import convert_as_sqlite, to_postgres

PATIENCE_S = 5.0  # for a connection, and for one of the pool's

# The first number of each kind of advisory lock: on all clubs, on one club, on the schema, and a trial lock that shows
# whether two addresses lead to the same database.
EVERYBODY, ONE_CLUB, SCHEMA, TRIAL = 7_431_001, 7_431_002, 7_431_003, 7_431_005


class Postgres(Database):
    """Run SQL on one connection to PostgreSQL."""

    newest: int | None = None  # number of migrations that this program knows, set when a database is opened

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        super().__init__()
        self.conn = connection

    @property
    def where(self) -> str:
        return postgres_address.named(self.conn.info.dsn)

    def execute(self, sql: str, values: Values = ()) -> Cursor:
        words, names = to_postgres(sql)
        given = [values[name] for name in names] if isinstance(values, dict) else values
        return cast(Cursor, self.conn.execute(words.encode(), given or None))

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self.atomic(), self.conn.cursor() as cursor:
            cursor.executemany(to_postgres(sql)[0].encode(), rows)

    def insert(self, table: str, **values: Any) -> int:
        return int(self.execute(f"{inserting(table, values)} RETURNING id", list(values.values())).fetchone()[0])

    def columns(self) -> dict[str, tuple[list[str], list[str]]]:
        return schema.columns(self)

    def relations(self) -> frozenset[str]:
        found = self.execute(
            """SELECT CAST(relname AS TEXT) FROM pg_class
            WHERE relkind IN ('r', 'v') AND relnamespace = CAST(current_schema() AS REGNAMESPACE)"""
        ).fetchall()
        return frozenset(name for (name,) in found)

    def steps_taken(self) -> frozenset[str]:
        return schema.applied(self)

    @property
    def in_transaction(self) -> bool:
        return self.conn.info.transaction_status not in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)

    @contextlib.contextmanager
    def _turn(self, club: int | None) -> Iterator[None]:
        asked = time.perf_counter()
        self._begin("", club)
        metrics.WRITE_WAITS.observe(time.perf_counter() - asked)
        yield

    @contextlib.contextmanager
    def founding(self) -> Iterator[None]:
        """Run a block as a transaction that creates tables. It takes no lock."""
        self.conn.execute(b"BEGIN")
        try:
            yield
            self._commit()
        except BaseException:
            self._rollback()
            raise

    def _begin(self, trying: str, club: int | None) -> bool:
        """Begin a transaction, lock `club` or everything (None), and check the schema's version, in one message.

        Return whether it got the locks. If `trying` is "try_", it does not wait for them; if it is "", it does. Raise
        UnusableDatabase if a newer version of Tidemark has changed the schema.
        """
        lock = f"pg_{trying}advisory_xact_lock"
        whose = f"{lock}({EVERYBODY}, 0)"
        if club is not None:
            whose = f"{lock}_shared({EVERYBODY}, 0), {lock}({ONE_CLUB}, {int(club) % 2**31})"
        cursor = self.conn.execute(f"BEGIN; SELECT {whose}; SELECT count(*) FROM {schema.STEPS}".encode())
        try:
            cursor.nextset()
            taken = cursor.fetchone()
            cursor.nextset()
            steps = cursor.fetchone()
            if self.newest is not None and steps and steps[0] > self.newest:
                raise UnusableDatabase(newer(self.where))
        except BaseException:
            self._rollback()
            raise
        return not trying or bool(taken and all(taken))

    def _commit(self) -> None:
        self.conn.execute(b"COMMIT")

    def _rollback(self) -> None:
        if not self.conn.closed and self.in_transaction:
            self.conn.execute(b"ROLLBACK")

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        self.conn.execute(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try:
            yield
        finally:
            self._rollback()

    @contextlib.contextmanager
    def unless_others_write(self, club: int) -> Iterator[bool]:
        try:
            mine = self._begin("try_", club)
            yield mine
            self._commit()
        except (psycopg.OperationalError, UnusableDatabase):  # this work can wait until next time
            self._rollback()
        except BaseException:
            self._rollback()
            raise

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        into = f"COPY {table} ({', '.join(columns)}) FROM STDIN".encode()
        with self.conn.cursor() as cursor, cursor.copy(into) as copy:
            for row in rows:
                copy.write_row(row)

    def last_numbers(self) -> dict[str, int]:
        rows = self.execute(
            """SELECT table_name, coalesce(pg_sequence_last_value(
                CAST(pg_get_serial_sequence(CAST(table_name AS TEXT), 'id') AS REGCLASS)), 0)
            FROM information_schema.columns
            WHERE column_name = 'id' AND is_identity = 'YES' AND table_schema = current_schema()"""
        )
        return dict(rows.fetchall())

    def number_on(self, last: dict[str, int]) -> None:
        for table in self.last_numbers():
            [there] = self.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()
            if number := max(there, last.get(table, 0)):
                self.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {int(number)})")

    def close(self) -> None:
        self.conn.close()


HOW: dict[str, Any] = {
    "autocommit": True,  # transactions begin and end where `atomic` says
    "cursor_factory": psycopg.RawCursor,
    "connect_timeout": int(PATIENCE_S),
    "client_encoding": "utf8",
    "application_name": "tidemark",
}


def connect(address: str | Path) -> Postgres:
    connection: psycopg.Connection[Any] = psycopg.connect(str(address), **HOW)
    convert_as_sqlite(connection)
    return Postgres(connection)
