"""UUIDs for other programs: the same thing has the same one in every export, so that nothing is imported twice."""

from __future__ import annotations

import uuid

from webapp.database import Database

OURS = uuid.UUID("5f3a1e0c-6f0b-5c53-9d0e-7469646d61bc")


def place_of_birth(db: Database) -> str:
    """A random name of this file, made once: players are numbered here, and everywhere else too."""
    with db.atomic():
        db.execute("INSERT OR IGNORE INTO settings VALUES ('file', ?)", [str(uuid.uuid4())])
    row = db.row("SELECT value FROM settings WHERE name = 'file'")
    assert row is not None
    return str(row["value"])


def stable(*parts: object) -> str:
    """The UUID of these words, in capitals as BG Stats writes them."""
    return str(uuid.uuid5(OURS, " ".join(map(str, parts)))).upper()
