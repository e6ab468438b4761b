"""The engine for many clubs and several nodes: PostgreSQL, reached by psycopg and its pool of connections.

Nobody waits for a writer of another club: whoever writes takes the advisory lock of the club first. Whoever writes what
belongs to no club, or brings the schema up to date, keeps everybody out meanwhile, which is short and rare.
"""

from __future__ import annotations

import contextlib
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import psycopg
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolTimeout
from sqlite_utils import Migrations

from scorer.sentences import Sentence, say
from webapp import gauges
from webapp.database import occupied, postgres_address, postgres_copies, postgres_health, postgres_shelf
from webapp.database import postgres_schema as schema
from webapp.database.engine import Cursor, Database, Trouble, Values, inserting
from webapp.database.files import Unfit
from webapp.database.postgres_attempts import Attempts
from webapp.database.postgres_wire import ALIVE, Wire
from webapp.database.postgres_words import in_its_words, prepared
from webapp.finding import Finding, fault
from webapp.refusal import BackupError

PATIENCE_S = 5.0  # for a connection, and for one of the pool's
BRIEFLY_S, LOST_S = 0.5, 5.0  # so long nobody waits for a server that somebody has just waited for in vain
MOST_CONNECTIONS = 24  # of one node: more than its threads that answer requests
BESIDE = 5  # of one node, besides: one listens to other nodes, one waits, three work in the background
IDLE_S = 600.0
SOON_AGAIN_S = 2.0  # the pool pauses longer and longer between its tries to connect; after so long it begins anew
LEAVING_S = 1.0  # until the server has noticed that somebody has gone

# The first number of every advisory lock of ours: on all clubs, on one of them, on the schema, on work of one node.
EVERYBODY, ONE_CLUB, SCHEMA, SOLE_WORK = 7_431_001, 7_431_002, 7_431_003, 7_431_004

look_at, named = postgres_address.look_at, postgres_address.named

ERRORS: tuple[type[Exception], ...] = (psycopg.Error, PoolTimeout)
# By SQLSTATE, or the class it begins with: no room, read-only, not to be reached.
FULL = {"53100"}
TROUBLES = ("08", "25006", "53", "57P", "58")
TRY_AGAIN = {"40001", "40P01"}  # two got in each other's way: the one that was sent back begins anew


class Postgres(Database):
    """A connection to the server."""

    newest: int | None = None  # how many steps of the schema this program knows, told when a database is opened

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        super().__init__()
        self.conn = connection

    @property
    def where(self) -> str:
        return named(self.conn.info.dsn)

    def execute(self, sql: str, values: Values = ()) -> Cursor:
        words, names = in_its_words(sql)
        given = [values[name] for name in names] if isinstance(values, dict) else values
        return cast(Cursor, self.conn.execute(words.encode(), given or None))

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self.atomic(), self.conn.cursor() as cursor:
            cursor.executemany(in_its_words(sql)[0].encode(), rows)

    def insert(self, table: str, **values: Any) -> int:
        return int(self.execute(f"{inserting(table, values)} RETURNING id", list(values.values())).fetchone()[0])

    def columns(self) -> dict[str, tuple[list[str], list[str]]]:
        return schema.columns(self)

    def steps_taken(self) -> frozenset[str]:
        return schema.applied(self)

    @property
    def in_transaction(self) -> bool:
        return self.conn.info.transaction_status not in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)

    @contextlib.contextmanager
    def _turn(self, club: int | None) -> Iterator[None]:
        asked = time.perf_counter()
        self._begin("", club)
        gauges.WRITE_WAITS.observe(time.perf_counter() - asked)
        yield

    @contextlib.contextmanager
    def founding(self) -> Iterator[None]:
        """A transaction in a database that has no tables yet, nor anybody who writes."""
        self.conn.execute(b"BEGIN")
        try:
            yield
            self._commit()
        except BaseException:
            self._rollback()
            raise

    def _begin(self, trying: str, club: int | None) -> bool:
        """In one message: begin, take the locks, and see whether the schema is still the one that we know."""
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
                raise Unfit(
                    say("the database is that of a newer Tidemark, so this one only shows it. Update Tidemark.")
                )
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
    def looking(self) -> Iterator[None]:
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
        except (psycopg.OperationalError, Unfit):  # the next time is as good
            self._rollback()
        except BaseException:
            self._rollback()
            raise

    @contextlib.contextmanager
    def sole(self, what: str) -> Iterator[bool]:
        lock = f"({SOLE_WORK}, {zlib.crc32(what.encode()) - 2**31})"
        mine = bool(self.execute(f"SELECT pg_try_advisory_lock{lock}").fetchone()[0])
        try:
            yield mine
        finally:
            if mine and not self.conn.closed:
                self.execute(f"SELECT pg_advisory_unlock{lock}")

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        into = f"COPY {table} ({', '.join(columns)}) FROM STDIN".encode()
        with self.conn.cursor() as cursor, cursor.copy(into) as copy:
            for row in rows:
                copy.write_row(row)

    def number_on(self) -> None:
        numbered = "SELECT table_name FROM information_schema.columns WHERE column_name = 'id' AND is_identity = 'YES'"
        for (table,) in self.execute(f"{numbered} AND table_schema = current_schema()").fetchall():
            last = f"coalesce((SELECT max(id) FROM {table}), 0)"
            self.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {last} + 1, false)")

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
    prepared(connection)
    return Postgres(connection)


class Connections:
    """An app's connections that wait for the next request; none before the first."""

    def __init__(self, address: str | Path) -> None:
        self.address = str(address)
        self.lost_until = 0.0
        self.pool = ConnectionPool(
            self.address,
            kwargs=HOW,
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


def attempts(connections: Connections) -> Attempts:
    return Attempts(connections)


def wire(connections: Connections) -> Wire:
    """Of the same server. Whenever it is there again, connections that were open before are not used any more."""

    def connected() -> psycopg.Connection[Any]:
        connection: psycopg.Connection[Any] = psycopg.connect(connections.address, **HOW, **ALIVE)
        connections.renew()
        return connection

    return Wire(connected)


def opened(address: str | Path, steps: Migrations) -> Postgres:
    """The database, with tables if it has none, and with its schema up to date."""
    try:
        db = connect(address)
        try:
            schema.bring_up_to_date(db, steps, SCHEMA)
        except BaseException:
            db.close()
            raise
    except psycopg.Error as fault:
        raise Unfit(refusal_of(address, fault)) from None
    return db


def to_read(address: str | Path) -> Postgres:
    """A connection that changes nothing."""
    db = connect(address)
    db.execute("SET default_transaction_read_only = on")
    return db


@contextlib.contextmanager
def arriving(address: str | Path, steps: Migrations) -> Iterator[Postgres]:
    """A database to be filled: when the block ends it holds all of it, or as little as before."""
    with contextlib.closing(opened(address, steps)) as db, db.atomic():
        yield db


def exists(address: str | Path) -> bool:  # noqa: ARG001, who asks a server that is not there is told by the server
    return True


def is_free(address: str | Path) -> bool:
    """Whether everything may be put there: it has no clubs."""
    with contextlib.closing(to_read(address)) as db:
        return not schema.applied(db) or db.row("SELECT 1 FROM clubs LIMIT 1") is None


def used(address: str | Path) -> contextlib.AbstractContextManager[None]:  # noqa: ARG001, nobody can take it away
    return contextlib.nullcontext()


@contextlib.contextmanager
def alone(address: str | Path) -> Iterator[None]:
    """Nobody else is at the database just now. One that has left may be seen for a moment."""
    with contextlib.closing(connect(address)) as db:
        until = time.monotonic() + LEAVING_S
        while _others(db):
            if time.monotonic() > until:
                raise occupied.InUse(occupied.busy(named(address)))
            time.sleep(LEAVING_S / 10)
    yield


def is_used(address: str | Path) -> bool:
    try:
        with contextlib.closing(to_read(address)) as db:
            return _others(db)
    except psycopg.Error:
        return False


def _others(db: Postgres) -> bool:
    """Whether there are other connections of ours."""
    [count] = db.execute(
        """SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'tidemark' AND pid <> pg_backend_pid()"""
    ).fetchone()
    return bool(count)


def kept_in(address: str | Path) -> list[Path]:  # noqa: ARG001, the files are the server's
    return []


def trouble(fault: Exception) -> Trouble | None:
    """What the server or its disk did wrong; None if it is ours."""
    state = getattr(fault, "sqlstate", None)
    if isinstance(fault, PoolTimeout) or (state is None and isinstance(fault, psycopg.OperationalError)):
        return Trouble("the database cannot be reached")
    if state is None or not (state.startswith(TROUBLES) or state in TRY_AGAIN):
        return None
    return Trouble(type(fault).__name__.lower(), state in FULL)


def is_in_the_way(fault: BaseException) -> bool:
    """Two transactions wanted the same, and this one gave way: it may be tried again as it was."""
    return isinstance(fault, psycopg.Error) and fault.sqlstate in TRY_AGAIN


def refusal_of(address: str | Path, fault: Exception) -> Sentence:
    return say("{address} cannot be used: {fault}.", address=named(address), fault=_first(fault))


def _first(fault: Exception) -> str:
    """The first line of what the server said, without the full stop."""
    return (str(fault).strip() or type(fault).__name__).splitlines()[0].rstrip(".")


def save(address: str | Path, copy: Path, steps: Migrations) -> int:
    """Make a copy and read it through; how many games it holds."""
    with contextlib.closing(to_read(address)) as db, db.looking():
        [plays] = db.execute("SELECT count(*) FROM kept_plays").fetchone()
        [moment] = db.execute("SELECT pg_export_snapshot()").fetchone()
        postgres_copies.dump(address, copy, moment)
    look_at_copy(copy, steps)
    return int(plays)


def put_back(copy: Path, address: str | Path, replace: bool, steps: Migrations) -> Path | None:  # noqa: ARG001
    """Into a database without clubs: nothing is set aside on a server."""
    if not is_free(address):
        raise BackupError(
            say("{file} has clubs already. Make an empty database (“createdb”) for the copy.", file=named(address))
        )
    postgres_copies.fill(address, copy)
    opened(address, steps).close()
    return None


folder_of_copies, look_at_copy = postgres_copies.folder_of_copies, postgres_copies.look_at_copy
lay_out, laid_out = postgres_shelf.lay_out, postgres_shelf.laid_out


def examined(address: str | Path, steps: Migrations) -> Iterator[Finding]:
    """How the database is, and the server under it."""
    try:
        with contextlib.closing(to_read(address)) as db:
            yield from postgres_health.of_server(db, MOST_CONNECTIONS + BESIDE)
            yield from postgres_health.of_content(db, steps)
    except psycopg.Error as trouble:
        look = say("Look whether the server runs, at the address, and at the rights of its user.")
        yield fault("database", refusal_of(address, trouble), look)
