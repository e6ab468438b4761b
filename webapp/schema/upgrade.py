"""Opens a database and brings its schema up to date, or says in a sentence why that cannot be."""

from __future__ import annotations

from pathlib import Path

from scorer.sentences import NOTHING, Sentence, in_a_row, say
from webapp.database import Database, UnusableDatabase, engine_of, files
from webapp.schema import migrations

__all__ = ["UnusableDatabase", "check_path", "is_current", "missing", "opened"]

NAMED = 5  # of the tables that are missing


def opened(address: str | Path) -> Database:
    """The database, made if there is none, with its schema up to date and all its tables."""
    db = engine_of(address).opened(address, migrations.steps)
    refusal = missing(db)
    if refusal:
        db.close()
        raise UnusableDatabase(refusal)
    return db


def check_path(address: str | Path) -> None:
    """Refuse a place that can hold no database of ours, before anything is made there."""
    engine_of(address).check_address(address)


def missing(db: Database) -> Sentence:
    """Return which tables and views are missing, and what to do; nothing if all are there."""
    gone = sorted(files.relations(migrations.steps) - db.relations())
    if not gone:
        return NOTHING
    return say("The database lacks {tables}. Restore a backup with “tidemark restore”.", tables=in_a_row(gone[:NAMED]))


def is_current(db: Database) -> bool:
    """Return whether the schema is the one this version knows: neither an older nor a newer one."""
    return db.steps_taken() == files.known(migrations.steps)
