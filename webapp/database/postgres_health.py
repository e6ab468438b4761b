"""Check a PostgreSQL database: whether it keeps what we write, and whether its tables are ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlite_utils import Migrations

from scorer.sentences import in_a_row, say
from webapp.database import files
from webapp.database.engine import Database
from webapp.doctor_check import Finding, fault, fine, warning

if TYPE_CHECKING:
    from webapp.database.postgres_connection import Postgres

OLDEST = 13  # the oldest version of PostgreSQL that works


def of_server(db: Database, of_a_node: int) -> Iterator[Finding]:
    """Yield findings about the server's version and settings, and whether it allows enough connections. `of_a_node` is
    how many connections one node needs."""
    version = int(_setting(db, "server_version_num")) // 10_000
    if version < OLDEST:
        yield fault("version", say("Tidemark needs PostgreSQL {version} or newer.", version=OLDEST))
    else:
        yield fine("version")
    encoding = _setting(db, "server_encoding")
    if encoding != "UTF8":
        yield fault(
            "encoding",
            say("The database’s encoding {encoding} can’t store every name.", encoding=encoding),
            say("Run “createdb --encoding=UTF8 --template=template0” and “tidemark move”."),
        )
    else:
        yield fine("encoding")
    careless = [name for name in ("fsync", "full_page_writes", "synchronous_commit") if _setting(db, name) == "off"]
    if careless:
        yield warning(
            "on_disk",
            say("A power cut may lose games. Switch on {settings} in PostgreSQL.", settings=in_a_row(careless)),
        )
    else:
        yield fine("on_disk")
    most = int(_setting(db, "max_connections")) - int(_setting(db, "superuser_reserved_connections"))
    said = say("Each server needs {n} of the database’s {most} connections.", n=of_a_node, most=most)
    yield warning("connections", said) if most < of_a_node else fine("connections", said)


def of_content(db: Postgres, steps: Migrations) -> Iterator[Finding]:
    taken = db.steps_taken()
    if not db.columns():
        yield warning("database", files.missing(db.where), files.START)
        return
    refusal = files.of_steps(db.where, taken, steps)
    if refusal:
        yield (warning if files.is_of_07(taken) else fault)("schema", refusal)
        return
    yield fine("schema")
    found = db.execute(
        """SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE NOT indisvalid
        UNION ALL SELECT CAST(conname AS TEXT) FROM pg_constraint WHERE NOT convalidated
        UNION ALL SELECT CAST(tgname AS TEXT) FROM pg_trigger WHERE tgenabled = 'D'"""
    ).fetchall()
    idle = in_a_row([name for (name,) in found])
    if idle:
        yield fault(
            "integrity",
            say("Enable {names} in the database again, then run “tidemark recount”.", names=idle),
        )
    else:
        yield fine("integrity")


def _setting(db: Database, name: str) -> str:
    return str(db.execute(f"SHOW {name}").fetchone()[0])
