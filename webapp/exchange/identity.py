"""Recognise plays by our own keys, and by UUIDs that are the same in every export to another program."""

from __future__ import annotations

import uuid

from webapp.database import Database
from webapp.history import archive

NAMESPACE = uuid.UUID("5f3a1e0c-6f0b-5c53-9d0e-7469646d61bc")
TIDEMARK, BG_STATS, CSV = "Tidemark", "BG Stats", "CSV"
SOURCES = (TIDEMARK, CSV, BG_STATS)  # where plays may come from


def database_name(db: Database) -> str:
    """Return the random name of this database, choosing it at the first call.

    With it, the numbers of its players become unique among all servers.
    """
    with db.atomic(0):
        db.execute("INSERT INTO settings VALUES ('file', ?) ON CONFLICT DO NOTHING", [str(uuid.uuid4())])
    row = db.row("SELECT value FROM settings WHERE name = 'file'")
    assert row is not None
    return str(row["value"])


def stable_uuid(*parts: object) -> str:
    """Return a UUID computed from these `parts`, so that it is always the same, in capitals as in BG Stats."""
    return str(uuid.uuid5(NAMESPACE, " ".join(map(str, parts)))).upper()


def original_key(key: str, source: str, source_id: str) -> str:
    """Return the play's key in the Tidemark that it came from, or `key`, its own, if it began here. `source` is the
    program that it came from, and `source_id` what that called it."""
    return source_id if source in {TIDEMARK, CSV} and source_id else key


def uuid_of(key: str, source: str, source_id: str) -> str:
    """Return the UUID of a play for BG Stats; a play that came from BG Stats keeps its own. `source` is the program
    that the play came from, and `source_id` what that called it."""
    if source == BG_STATS and source_id:
        return source_id
    return stable_uuid("play", source_id if source in {TIDEMARK, CSV} and source_id else key)


def plays_by_uuid(db: Database, club_id: int) -> dict[str, int]:
    """Return the database id of each of the club's plays, by the play's UUID."""
    found: dict[str, int] = {}
    for play_id, key, source, source_id in archive.ids(db, club_id):
        found[uuid_of(key, source, source_id)] = play_id
        found.setdefault(stable_uuid("play", key), play_id)
    return found
