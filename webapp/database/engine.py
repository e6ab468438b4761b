"""Define what every engine offers: a connection that runs SQL, and transactions.

SQL is written once, in the part that SQLite and PostgreSQL share: `?`, `?1` and `:name` for values, `ON CONFLICT` with
its columns, `count(*) FILTER`, `NULLS LAST` where a value may be NULL. For lists of values, `numbers_in(?)` and
`words_in(?)` take JSON and return one column, `value`.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Values = Sequence[Any] | dict[str, Any]
Hear = Callable[[str, frozenset[str]], object]  # called with a kind of message and its keys


class SpoiltTransaction(Exception):
    """Raised when a transaction goes on although a part of it has failed. Nothing of the transaction is saved."""


@dataclass(frozen=True, slots=True)
class StorageFailure:
    """Hold the message of a failure of the disk or the server, and whether the disk is full."""

    said: str
    is_full: bool = False


class Cursor(Protocol):
    """Describe the cursor through which the rows of a statement are read. Both engines' libraries provide it."""

    @property
    def rowcount(self) -> int: ...

    @property
    def description(self) -> Any: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(ABC):
    """Run SQL on one connection. Only one thread may use it at a time."""

    def __init__(self) -> None:
        self.touched: set[str] = set()  # keys of the tables whose phones must be told of a change
        self.spoilt = False  # a part of the transaction under way has failed
        self.commits = 0  # transactions committed since the connection was taken

    # -- statements ---

    @abstractmethod
    def execute(self, sql: str, values: Values = ()) -> Cursor: ...

    @abstractmethod
    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None: ...

    def query(self, sql: str, values: Values = ()) -> Iterator[dict[str, Any]]:
        """Yield the rows of a statement, each as a dictionary from the names of its columns to their values."""
        cursor = self.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return (dict(zip(names, row, strict=True)) for row in cursor)

    def row(self, sql: str, *values: Any) -> dict[str, Any] | None:
        """Return the first row of a statement, as a dictionary by column, or None if there is none."""
        return next(self.query(sql, values), None)

    @abstractmethod
    def insert(self, table: str, **values: Any) -> int:
        """Insert a row into a table that numbers its rows. Return its id."""

    def put(self, table: str, **values: Any) -> None:
        """Insert a row into a table that does not number its rows."""
        self.execute(inserting(table, values), list(values.values()))

    def upsert(self, table: str, key: Sequence[str], **values: Any) -> None:
        """Insert a row, or update the row which has the same values in the columns `key`."""
        others = ", ".join(f"{name} = excluded.{name}" for name in values if name not in key)
        self.execute(
            f"{inserting(table, values)} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {others}",
            list(values.values()),
        )

    @abstractmethod
    def columns(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return by table's name its columns, and those columns that are its primary key, in the key's order."""

    @abstractmethod
    def relations(self) -> frozenset[str]:
        """Return the names of all tables and views."""

    def club_of(self, table: str, **which: Any) -> int:
        """Return the id of the club that a row of `table` belongs to, or 0 without such a row.

        `which` is one column and its value.
        """
        [(column, value)] = which.items()
        row = self.execute(f"SELECT club_id FROM {table} WHERE {column} = ?", [value]).fetchone()
        return row[0] if row else 0

    @abstractmethod
    def steps_taken(self) -> frozenset[str]:
        """Return the names of the migrations that have been applied to the database."""

    # -- transactions ---

    @property
    @abstractmethod
    def in_transaction(self) -> bool: ...

    @contextlib.contextmanager
    def atomic(self, club: int | None = None) -> Generator[Database, None, None]:
        """Run a block as one transaction: all of it is saved, or nothing.

        Inside another transaction the block joins that one, and both fail together. `club` is the only club whose rows
        are written, so that writers of other clubs need not wait; 0 means rows that belong to no club yet. With None,
        nobody else can write.
        """
        if self.in_transaction:
            try:
                yield self
            except BaseException:
                self.spoilt = True
                raise
            return
        with self._turn(club):
            self.spoilt = False
            try:
                yield self
                if self.spoilt:
                    raise SpoiltTransaction
                self._commit()
                self.commits += 1
            except BaseException:
                self._rollback()
                raise
        self.settle()
        self.check_place()

    @abstractmethod
    def _turn(self, club: int | None) -> contextlib.AbstractContextManager[None]:
        """Return a context manager that waits for other writers, then runs a transaction; `club` is as in `atomic`."""

    @abstractmethod
    def _commit(self) -> None: ...

    @abstractmethod
    def _rollback(self) -> None: ...

    @abstractmethod
    def snapshot(self) -> contextlib.AbstractContextManager[None]:
        """Return a context manager in which all reads see the same moment. Nothing may be written in it."""

    @abstractmethod
    def unless_others_write(self, club: int) -> contextlib.AbstractContextManager[bool]:
        """Return a context manager that yields True if this club can be written to at once.

        It never waits for others. If it yields False, the caller must write later.
        """

    def settle(self) -> None:  # noqa: B027, an engine whose commits are on disk at once has nothing to do
        """Wait until everything that this process has committed is on disk."""

    def check_place(self) -> None:  # noqa: B027, only files can be deleted under an open connection
        """Raise UnusableDatabase if files that this connection has open were deleted or replaced."""

    def has_room(self) -> bool:
        """Return whether there is room on the disk to save more, as far as can be known without saving."""
        return True

    # -- whole tables ---

    @abstractmethod
    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Insert many rows that come from another database, and keep their ids."""

    @abstractmethod
    def last_numbers(self) -> dict[str, int]:
        """Return by table's name the last id that the table has given to a row, even a deleted one; 0 if none."""

    @abstractmethod
    def number_on(self, last: dict[str, int]) -> None:
        """Give new rows in each table higher ids than any row there, and than the table's number in `last`."""

    @abstractmethod
    def close(self) -> None: ...


def inserting(table: str, values: Iterable[str]) -> str:
    names = list(values)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})"
