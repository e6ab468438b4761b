"""Rows taken from one database into another as they are, whatever the engines are, and compared there."""

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

# Rows at a time. Whether those of a table are heavy, as pictures are, the first few tell.
FEW, MANY = 20, 1_000

NO_NUL = "\ufffd"  # stands for it in the texts of a server, which keeps none: for us it is as good

Row = Sequence[Any]
Tell = Callable[[int], None]  # hears of so many rows more


@cache
def tables(steps: Migrations) -> tuple[str, ...]:
    """All tables of the schema, those that others point at first."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        steps.apply(SqliteUtilsDatabase(fresh, execute_plugins=False))
        made = fresh.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
        return parents_first({name: sql for name, sql in made if not name.startswith(("_sqlite", "sqlite_"))})


def parents_first(made: Mapping[str, str]) -> tuple[str, ...]:
    """The names of tables by what made them: each after those that it points at."""
    placed: dict[str, None] = {}
    while len(placed) < len(made):
        for name, sql in made.items():
            wanted = set(re.findall(r'REFERENCES "?(\w+)"?', sql)) - {name}
            if wanted <= placed.keys():
                placed[name] = None
    return tuple(placed)


class Table:
    """A table of a database, read in the order of its keys and no more of it at a time than memory has room for."""

    def __init__(self, db: Database, name: str, columns: Sequence[str], keys: Sequence[str]) -> None:
        self.db, self.name, self.columns, self.keys = db, name, columns, keys

    def batches(self, only: str = "", values: Sequence[Any] = ()) -> Iterator[list[Row]]:
        """All rows, or those that fit a condition."""
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
        """Return the digest of rows as they come."""
        sql = f"SELECT {', '.join(self.columns)} FROM {self.name} WHERE {only}"
        return self.db.execute(sql, values).fetchall()

    def rows(self, only: str = "", values: Sequence[Any] = ()) -> Iterator[Row]:
        return chain.from_iterable(self.batches(only, values))


class Digest:
    """Hold what tells whether two tables hold the same rows in the same order."""

    def __init__(self) -> None:
        self.sum, self.count = hashlib.sha256(), 0

    def over(self, batches: Iterable[list[Row]], tell: Tell) -> Iterator[Row]:
        """The rows as they pass."""
        for rows in batches:
            for row in rows:
                self.sum.update(repr(tuple(row)).replace("\\x00", NO_NUL).encode("utf-8", "surrogatepass"))
                yield row
            self.count += len(rows)
            tell(len(rows))

    def told(self) -> tuple[int, str]:
        return self.count, self.sum.hexdigest()


def of(db: Database, names: Sequence[str]) -> list[Table]:
    known = db.columns()
    return [Table(db, name, *known[name]) for name in names]


def count(db: Database, names: Sequence[str]) -> int:
    """Return how many rows there are in all."""
    return sum(db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names)


def copy(source: Database, target: Database, names: Sequence[str], tell: Tell) -> dict[str, tuple[int, str]]:
    """All rows of these tables, in place of those that the target has; what each table's were."""
    passed = {}
    for table in of(source, names):
        digest = Digest()
        # Also what triggers have put there, as others came in.
        target.execute(f"DELETE FROM {table.name}")
        target.load(table.name, table.columns, digest.over(table.batches(), tell))
        passed[table.name] = digest.told()
    target.number_on(source.last_numbers())
    return passed


def digests(db: Database, names: Sequence[str], tell: Tell) -> dict[str, tuple[int, str]]:
    """Return what each table holds."""
    found = {}
    for table in of(db, names):
        digest = Digest()
        for _ in digest.over(table.batches(), tell):
            pass
        found[table.name] = digest.told()
    return found
