"""Share static files between nodes of different versions, in a table that no backup contains.

A page made by one node may load its static files from a node of another version. After a crash of the server the table
is empty, and such a page works without these files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from webapp.database.postgres_connection import Postgres

TABLE = """CREATE UNLOGGED TABLE IF NOT EXISTS shelf (
    version TEXT NOT NULL, name TEXT NOT NULL, content BYTEA NOT NULL, since TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (version, name)
)"""
VERSIONS = 4  # versions kept: those started last
OLDER = f"""DELETE FROM shelf WHERE version NOT IN (
    SELECT version FROM shelf GROUP BY version ORDER BY max(since) DESC, version LIMIT {VERSIONS})"""


def store_static_files(db: Postgres, version: str, files: Callable[[], Mapping[str, bytes]]) -> None:
    rows = [(version, name, content) for name, content in files().items()]
    with db.atomic(0):  # one node at a time
        db.execute(TABLE)
        db.execute("DELETE FROM shelf WHERE version = ?", [version])
        db.load("shelf", ("version", "name", "content"), rows)
        db.execute(OLDER)


def static_file(db: Postgres, version: str, name: str) -> bytes | None:
    row = db.execute("SELECT content FROM shelf WHERE version = ? AND name = ?", [version, name]).fetchone()
    return cast(bytes, row[0]) if row else None


def latest_static_file(db: Postgres, name: str) -> bytes | None:
    """Return the content of this file in the version of the app that started last, or None."""
    if db.execute("SELECT to_regclass('shelf')").fetchone() == (None,):
        return None
    row = db.execute("SELECT content FROM shelf WHERE name = ? ORDER BY since DESC, version LIMIT 1", [name]).fetchone()
    return cast(bytes, row[0]) if row else None
