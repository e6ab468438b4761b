"""Check a PostgreSQL database: whether it keeps what we write, and whether its tables are ours."""

from __future__ import annotations

from collections.abc import Iterator

from sqlite_utils import Migrations

from scorer.sentences import in_a_row, say, say_count
from webapp.database.engine import Database
from webapp.database.files import is_of_07, known
from webapp.doctor_check import Finding, fault, fine, warning

OLDEST = 13  # the oldest version of PostgreSQL that works


def of_server(db: Database, of_a_node: int) -> Iterator[Finding]:
    """Check the server's version and settings, and how many nodes may connect."""
    version = int(_setting(db, "server_version_num")) // 10_000
    said = say("PostgreSQL {version}", version=version)
    if version < OLDEST:
        yield fault("version", said, say("Tidemark needs PostgreSQL {version} or newer.", version=OLDEST))
    else:
        yield fine("version", said)
    encoding = _setting(db, "server_encoding")
    if encoding != "UTF8":
        yield fault(
            "encoding",
            say("The database’s encoding {encoding} can’t store every name.", encoding=encoding),
            say("Run “createdb --encoding=UTF8 --template=template0” and “tidemark move”."),
        )
    else:
        yield fine("encoding", say("All names can be stored"))
    careless = [name for name in ("fsync", "full_page_writes", "synchronous_commit") if _setting(db, name) == "off"]
    if careless:
        yield warning(
            "on_disk",
            say(
                "A power cut may lose games, because this is off: {settings}.",
                settings=in_a_row(careless),
            ),
            say("Switch it on in PostgreSQL’s configuration."),
        )
    else:
        yield fine("on_disk", say("Safe from power cuts"))
    yield connections(db, of_a_node)


def connections(db: Database, of_a_node: int) -> Finding:
    most = int(_setting(db, "max_connections")) - int(_setting(db, "superuser_reserved_connections"))
    said = say_count(
        "The database accepts {most} connections: enough for {n} node of Tidemark.",
        "The database accepts {most} connections: enough for {n} nodes of Tidemark.",
        most // of_a_node,
        most=most,
    )
    if most < of_a_node:
        return warning(
            "connections", said, say("Set max_connections to {n} for each node, plus some spare.", n=of_a_node)
        )
    return fine("connections", said)


def of_content(db: Database, steps: Migrations) -> Iterator[Finding]:
    tables, taken, ours = db.columns(), db.steps_taken(), known(steps)
    if not tables:
        yield warning("database", say("The database is empty."), say("Start the server to create the tables."))
        return
    if is_of_07(taken):
        said = say("The database is from Tidemark 0.7. Start one node to convert it.")
        yield warning("schema", said, say("The server keeps the old tables."))
        return
    if not taken or taken - ours:
        whose = (
            say("The database was written by a newer Tidemark.")
            if taken
            else say("The database belongs to another program.")
        )
        yield fault("schema", whose, say("The server can’t start until you fix this."))
        return
    yield fine("schema", say("The database version is right"))
    found = db.execute(
        """SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE NOT indisvalid
        UNION ALL SELECT CAST(conname AS TEXT) FROM pg_constraint WHERE NOT convalidated
        UNION ALL SELECT CAST(tgname AS TEXT) FROM pg_trigger WHERE tgenabled = 'D'"""
    ).fetchall()
    idle = in_a_row([name for (name,) in found])
    if idle:
        yield fault(
            "integrity",
            say(
                "Disabled in the database: {names}.",
                names=idle,
            ),
            say("Enable this again, then run “tidemark recount”."),
        )
    else:
        yield fine("integrity", say("Nothing is disabled in the database"))


def _setting(db: Database, name: str) -> str:
    return str(db.execute(f"SHOW {name}").fetchone()[0])
