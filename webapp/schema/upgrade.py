"""Open a database and bring its schema up to date, or say in a sentence why that fails."""

from __future__ import annotations

from pathlib import Path

from scorer.sentences import NOTHING, Sentence, in_a_row, say
from webapp.database import Database, UnusableDatabase, engine_of, files
from webapp.schema import migrations

__all__ = ["UnusableDatabase", "check_path", "is_current", "missing", "opened"]

NAMED = 5  # missing tables in the sentence


def opened(address: str | Path) -> Database:
    """Return the database at this address with its schema up to date, making it if there is none. Raise
    UnusableDatabase if that fails."""
    db = engine_of(address).opened(address, migrations.steps)
    refusal = missing(db)
    if refusal:
        db.close()
        raise UnusableDatabase(refusal)
    return db


def check_path(address: str | Path) -> None:
    """Raise an error if no database of ours can be at this address, before anything is made there."""
    engine_of(address).check_address(address)


def missing(db: Database) -> Sentence:
    """Return a sentence that names missing tables and views and says what to do, or NOTHING if all are there."""
    gone = sorted(files.relations(migrations.steps) - db.relations())
    if not gone:
        return NOTHING
    return say("The database lacks {tables}. Restore a backup with “tidemark restore”.", tables=in_a_row(gone[:NAMED]))


def is_current(db: Database) -> bool:
    """Return whether the schema is the one that this version knows, neither older nor newer."""
    return db.steps_taken() == files.known(migrations.steps)
