"""Copy rows unchanged from one database to another, whatever their engines are, and compare them."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from itertools import chain
from typing import Any

from sqlite_utils import Database as SqliteUtilsDatabase
from sqlite_utils import Migrations

from webapp.database.engine import Database

# Rows read at a time: few at first, and in tables with pictures.
FEW, MANY = 20, 1_000

NO_NUL = "\ufffd"  # replaces a NUL in texts, because PostgreSQL can't store one

Row = Sequence[Any]
Report = Callable[[int], None]  # called with the number of rows just read


@cache
def tables(steps: Migrations) -> tuple[str, ...]:
    """Return the names of all tables of the schema, each after the tables that it refers to."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        steps.apply(SqliteUtilsDatabase(fresh, execute_plugins=False))
        statements = fresh.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
        return parents_first({name: sql for name, sql in statements if not name.startswith(("_sqlite", "sqlite_"))})


def parents_first(statements: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of tables, each after those to which it refers. `statements` has the SQL that creates each."""
    placed: dict[str, None] = {}
    while len(placed) < len(statements):
        for name, sql in statements.items():
            wanted = set(re.findall(r'REFERENCES "?(\w+)"?', sql)) - {name}
            if wanted <= placed.keys():
                placed[name] = None
    return tuple(placed)


class Table:
    """Read the rows of a table in the order of its primary key, a limited number at a time."""

    def __init__(self, db: Database, name: str, columns: Sequence[str], keys: Sequence[str]) -> None:
        self.db, self.name, self.columns, self.keys = db, name, columns, keys

    def batches(self, only: str = "", values: Sequence[Any] = ()) -> Iterator[list[Row]]:
        """Yield the rows in batches. `only` is an SQL condition that they must meet; `values` fill its placeholders."""
        places = [self.columns.index(key) for key in self.keys]
        beyond = f"({', '.join(self.keys)}) > ({', '.join('?' for _ in self.keys)})"
        last: list[Any] = []
        most = FEW
        while True:
            where = " AND ".join(part for part in (only, beyond if last else "") if part)
            found = self.found(f"{where or '1 = 1'} ORDER BY {', '.join(self.keys)} LIMIT ?", [*values, *last, most])
            if found:
                yield found
            if len(found) < most:
                return
            last = [found[-1][place] for place in places]
            most = FEW if any(isinstance(value, bytes) for value in found[-1]) else MANY

    def found(self, only: str, values: Sequence[Any]) -> list[Row]:
        """Return all rows that meet the SQL condition `only`; `values` fill its placeholders.

        ORDER BY and LIMIT may follow the condition.
        """
        sql = f"SELECT {', '.join(self.columns)} FROM {self.name} WHERE {only}"
        return self.db.execute(sql, values).fetchall()

    def rows(self, only: str = "", values: Sequence[Any] = ()) -> Iterator[Row]:
        return chain.from_iterable(self.batches(only, values))


class Digest:
    """Count rows and compute their checksum, to tell whether two tables have the same rows in the same order."""

    def __init__(self) -> None:
        self.sum, self.count = hashlib.sha256(), 0

    def include(self, batches: Iterable[list[Row]], report: Report) -> Iterator[Row]:
        """Yield all rows of the batches and include them in the checksum. Call `report` with the number of rows in each
        batch."""
        for rows in batches:
            for row in rows:
                self.sum.update(repr(tuple(row)).replace("\\x00", NO_NUL).encode("utf-8", "surrogatepass"))
                yield row
            self.count += len(rows)
            report(len(rows))

    def summary(self) -> tuple[int, str]:
        return self.count, self.sum.hexdigest()


def tables_of(db: Database, names: Sequence[str]) -> list[Table]:
    known = db.columns()
    return [Table(db, name, *known[name]) for name in names]


def count(db: Database, names: Sequence[str]) -> int:
    """Return the number of rows in all these tables together."""
    return sum(db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names)


def copy(source: Database, target: Database, names: Sequence[str], report: Report) -> dict[str, tuple[int, str]]:
    """Replace the target's rows in these tables by the source's. Return by table's name the number and the checksum of
    its rows. Call `report` with the number of rows in each batch."""
    passed = {}
    for table in tables_of(source, names):
        digest = Digest()
        # Triggers may have written rows here while other tables were copied.
        target.execute(f"DELETE FROM {table.name}")
        target.load(table.name, table.columns, digest.include(table.batches(), report))
        passed[table.name] = digest.summary()
    target.number_on(source.last_numbers())
    return passed


def digests(db: Database, names: Sequence[str], report: Report) -> dict[str, tuple[int, str]]:
    """Return by table's name the number of its rows and their checksum. Call `report` with the number of rows in each
    batch."""
    found = {}
    for table in tables_of(db, names):
        digest = Digest()
        for _ in digest.include(table.batches(), report):
            pass
        found[table.name] = digest.summary()
    return found
