"""Numbers of rows, each of which names one thing for good.

SQLite gives the largest number to the next row once its own is gone. Whoever still holds it (a page that was opened
before, a step of a merge, an import that notes what it brought) would then mean somebody else, perhaps of another club.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlite_utils import Database


def never_given_anew(db: Database, tables: Iterable[str]) -> None:
    """From now on these tables number as a server does. Nothing but their words changes, so no row is written anew."""
    if not isinstance(db, Database):  # a server, whose numbers go on by themselves
        return
    db.execute("CREATE TABLE once (id INTEGER PRIMARY KEY AUTOINCREMENT)")  # SQLite's list of last numbers stays
    db.execute("DROP TABLE once")
    [version] = db.execute("PRAGMA schema_version").fetchone()
    db.execute("PRAGMA writable_schema = ON")
    for table in tables:
        db.execute(
            """UPDATE sqlite_master SET sql = replace(sql, 'INTEGER PRIMARY KEY', 'INTEGER PRIMARY KEY AUTOINCREMENT')
            WHERE type = 'table' AND name = ? AND sql NOT LIKE '%AUTOINCREMENT%'""",
            [table],
        )
    db.execute(f"PRAGMA schema_version = {version + 1}")
    db.execute("PRAGMA writable_schema = OFF")
