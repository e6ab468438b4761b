"""Defines what every engine offers: a connection that runs SQL, and transactions, whole or nothing.

SQL is written once, in what SQLite and PostgreSQL both understand: `?`, `?1` and `:name` for values, `ON CONFLICT` with
its columns, `count(*) FILTER`, `NULLS LAST` where a NULL may come. For lists of values there are `numbers_in(?)` and
`words_in(?)`, which take JSON and have one column, `value`.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Values = Sequence[Any] | dict[str, Any]
Hear = Callable[[str, frozenset[str]], object]  # what has happened, and to whom


class SpoiltTransaction(Exception):
    """Somebody went on after a part of the transaction had failed: nothing of it is kept."""


@dataclass(frozen=True, slots=True)
class StorageFailure:
    """Report that the disk or the server failed: what it said, and whether it has no room left."""

    said: str
    is_full: bool = False


class Cursor(Protocol):
    """The rows that a statement gave, as both engines' libraries hand them out."""

    @property
    def rowcount(self) -> int: ...

    @property
    def description(self) -> Any: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(ABC):
    """A connection, for one thread at a time."""

    def __init__(self) -> None:
        self.touched: set[str] = set()  # keys of tables whose phones have news to hear
        self.spoilt = False  # a part of the transaction under way has failed
        self.commits = 0  # transactions of this request, or of whoever else has it, that have been kept

    # -- statements ---

    @abstractmethod
    def execute(self, sql: str, values: Values = ()) -> Cursor: ...

    @abstractmethod
    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None: ...

    def query(self, sql: str, values: Values = ()) -> Iterator[dict[str, Any]]:
        """The rows with the names of their columns."""
        cursor = self.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return (dict(zip(names, row, strict=True)) for row in cursor)

    def row(self, sql: str, *values: Any) -> dict[str, Any] | None:
        """The first row, if there is one."""
        return next(self.query(sql, values), None)

    @abstractmethod
    def insert(self, table: str, **values: Any) -> int:
        """A new row of a table that numbers its rows; its id."""

    def put(self, table: str, **values: Any) -> None:
        """A new row of any other table."""
        self.execute(inserting(table, values), list(values.values()))

    def upsert(self, table: str, key: Sequence[str], **values: Any) -> None:
        """A new row, or the one that has these values in its key columns changed to it."""
        others = ", ".join(f"{name} = excluded.{name}" for name in values if name not in key)
        self.execute(
            f"{inserting(table, values)} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {others}",
            list(values.values()),
        )

    @abstractmethod
    def columns(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return the columns of each table, and those of its primary key in their order."""

    @abstractmethod
    def relations(self) -> frozenset[str]:
        """Return the names of all tables and views."""

    def club_of(self, table: str, **which: Any) -> int:
        """Whose the row is that has this value in this column; 0, which is nobody, if there is none."""
        [(column, value)] = which.items()
        row = self.execute(f"SELECT club_id FROM {table} WHERE {column} = ?", [value]).fetchone()
        return row[0] if row else 0

    @abstractmethod
    def steps_taken(self) -> frozenset[str]:
        """The names of the steps that its schema has taken."""

    # -- transactions ---

    @property
    @abstractmethod
    def in_transaction(self) -> bool: ...

    @contextlib.contextmanager
    def atomic(self, club: int | None = None) -> Generator[Database, None, None]:
        """All of it or nothing. Within another transaction it is a part of that one, and takes it down if it fails.

        Whoever writes what belongs to one club only says which, so that the writers of other clubs need not wait; 0 is
        for what belongs to nobody yet. Who says nothing writes alone.
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
        """Wait until nobody else writes there, and begin."""

    @abstractmethod
    def _commit(self) -> None: ...

    @abstractmethod
    def _rollback(self) -> None: ...

    @abstractmethod
    def snapshot(self) -> contextlib.AbstractContextManager[None]:
        """Show everything as it stood at one moment. This connection writes nothing meanwhile."""

    @abstractmethod
    def unless_others_write(self, club: int) -> contextlib.AbstractContextManager[bool]:
        """Begin a transaction only if nobody else writes, for work that can wait until next time."""

    def settle(self) -> None:  # noqa: B027, where a commit is on disk when it returns there is nothing to do
        """Return when all that this process has committed by now is on disk."""

    def check_place(self) -> None:  # noqa: B027, only files can be deleted beneath a connection
        """Raise UnusableDatabase if this connection writes to files that nobody will read again."""

    def has_room(self) -> bool:
        """Return whether something can still be saved, as far as that can be told without saving."""
        return True

    # -- the whole of it ---

    @abstractmethod
    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Many rows at once, with the ids that they have elsewhere."""

    @abstractmethod
    def last_numbers(self) -> dict[str, int]:
        """Return the last number that each table gave its rows, 0 if none. That row may be gone."""

    @abstractmethod
    def number_on(self, last: dict[str, int]) -> None:
        """After rows have come with ids of their own: the next ones get others, which nothing had elsewhere either."""

    @abstractmethod
    def close(self) -> None: ...


def inserting(table: str, values: Iterable[str]) -> str:
    names = list(values)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})"
