"""A club is ended: nobody gets in any more, and all of it goes, a little at a time, until no table has a row of it.

Tables are found by their columns: whatever says which club or which player it is about goes, also what is added later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webapp.database import Database, pack

FEW = 20  # plays in one transaction
SOME = 400  # other rows
KEPT = {"clubs", "chores"}  # go last


def begin(db: Database, club_id: int) -> None:
    """The doors are shut at once; the rest is begun."""
    with db.atomic(club_id):
        for table in ("links", "devices", "rooms", "imports", "chores"):
            db.execute(f"DELETE FROM {table} WHERE club_id = ?", [club_id])
        [plays] = db.execute("SELECT count(*) FROM kept_plays WHERE club_id = ?", [club_id]).fetchone()
        db.insert("chores", kind="club", club_id=club_id, about=pack({"club": club_id}), total=plays)


def go_on(db: Database, about: dict[str, Any]) -> dict[str, Any] | None:
    """Some rows more are gone; None when the club is."""
    club_id = about["club"]
    with db.atomic(club_id):
        if rows := _some(db, "tables", ("id",), "club_id = ?", club_id, FEW):
            _delete(db, "tables", ("id",), rows)
            return about
        if rows := _some(db, "kept_plays", ("id",), "club_id = ?", club_id, FEW):
            _delete(db, "kept_plays", ("id",), rows)
            return {**about, "done": about.get("done", 0) + len(rows)}
        for table, keys, which in _about_clubs(db):
            if rows := _some(db, table, keys, which, club_id, SOME):
                _delete(db, table, keys, rows)
                return about
        db.execute("DELETE FROM chores WHERE club_id = ? AND kind <> 'club'", [club_id])  # begun as the doors closed
        db.execute("DELETE FROM clubs WHERE id = ?", [club_id])
    return None


def _about_clubs(db: Database) -> list[tuple[str, Sequence[str], str]]:
    """Tables that say whose they are, with their primary keys; those about players before the players."""
    found = []
    for table, (names, keys) in db.columns().items():
        if "club_id" in names and table not in KEPT:
            found.append((table, keys, "club_id = ?"))
        elif "player_id" in names:
            found.append((table, keys, "player_id IN (SELECT id FROM players WHERE club_id = ?)"))
    return sorted(found, key=lambda one: (one[0] == "players", "club_id" in one[2][:7]))


def _some(db: Database, table: str, columns: Sequence[str], which: str, club_id: int, most: int) -> list[Any]:
    return db.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE {which} LIMIT ?", [club_id, most]).fetchall()


def _delete(db: Database, table: str, keys: Sequence[str], rows: Sequence[Any]) -> None:
    same = " AND ".join(f"{key} = ?" for key in keys)
    db.executemany(f"DELETE FROM {table} WHERE {same}", rows)
