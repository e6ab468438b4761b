"""Opens a database and brings its schema up to date, or says in a sentence why that cannot be."""

from __future__ import annotations

from pathlib import Path

from webapp.database import Database, Unfit, engine_of, files
from webapp.schema import migrations

__all__ = ["Unfit", "is_current", "look_at_path", "opened"]


def opened(address: str | Path) -> Database:
    """The database, made if there is none, with its schema up to date."""
    return engine_of(address).opened(address, migrations.steps)


def look_at_path(address: str | Path) -> None:
    """Refuse a place that can hold no database of ours, before anything is made there."""
    engine_of(address).look_at(address)


def is_current(db: Database) -> bool:
    """Return whether the schema is the one this version knows: neither an older nor a newer one."""
    return db.steps_taken() == files.known(migrations.steps)
