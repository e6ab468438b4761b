"""Takes the names out of plays that were saved when texts still held them, a few plays in each transaction."""

from __future__ import annotations

from typing import Any

from webapp import clubs
from webapp.database import Database
from webapp.history import kept
from webapp.history.kept import Row

FEW = 10  # plays that are gone through at once

# Every text of a play, the earlier versions included, that still holds names.
STILL = """SELECT id, version, record, result, club_id, 0 AS is_old FROM kept_plays
    WHERE id IN ({marks}) AND NOT EXISTS (
        SELECT 1 FROM kept_seats WHERE play_id = id AND kept_seats.version = kept_plays.version)
    UNION ALL
    SELECT play_id, play_versions.version, play_versions.record, play_versions.result, club_id, 1
    FROM play_versions JOIN kept_plays ON id = play_id WHERE play_id IN ({marks}) AND NOT EXISTS (
        SELECT 1 FROM kept_seats WHERE kept_seats.play_id = id AND kept_seats.version = play_versions.version)"""


def go_on(db: Database, after: int) -> int | None:
    """Go through the next plays behind that one; the last of them, None when there are no more."""
    ids: list[int] = [
        play_id
        for (play_id,) in db.execute(
            "SELECT id FROM kept_plays WHERE id > ? ORDER BY id LIMIT ?", [after, FEW]
        ).fetchall()
    ]
    if not ids:
        return None
    rows = _still(db, ids)
    read = {(row["id"], row["version"]): (row["record"], kept.as_before(db, row)) for row in rows}
    with db.atomic():
        for row in _still(db, ids):  # somebody may have changed one since it was read
            record, texts = read.get((row["id"], row["version"]), ("", None))
            if texts is None or record != row["record"]:
                texts = kept.as_before(db, row)
            _keep(db, row, *texts)
    return ids[-1]


def _still(db: Database, ids: list[int]) -> list[Row]:
    marks = ", ".join("?" * len(ids))
    return list(db.query(STILL.format(marks=marks), [*ids, *ids]))


def _keep(db: Database, row: dict[str, Any], record: str, result: str, names: list[str]) -> None:
    people = clubs.People(db, row["club_id"])
    kept.seat(db, row["id"], row["version"], [people.id_of(name) for name in names])
    if row["is_old"]:
        where = "play_versions SET record = ?, result = ? WHERE play_id = ? AND version = ?"
        db.execute(f"UPDATE {where}", [record, result, row["id"], row["version"]])
    else:
        db.execute("UPDATE kept_plays SET record = ?, result = ? WHERE id = ?", [record, result, row["id"]])


def end(db: Database) -> None:
    """No text holds a name any more."""
    db.execute("DELETE FROM former_names")
