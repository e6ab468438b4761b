"""Delete a club: lock it at once, then delete its rows in small steps until no table has any.

Tables are found by their columns `club_id` and `player_id`, so a new table needs no change here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webapp import clubs, jobs
from webapp.database import Database
from webapp.jobs import Job

FEW = 100  # games in one transaction
SOME = 2_000  # other rows in one transaction
LAST = {"clubs", "jobs"}


def begin(db: Database, club_id: int) -> None:
    """Lock everybody out of the club at once, and add a job that deletes its rows."""
    with db.atomic(club_id):
        for table in ("links", "devices", "rooms"):
            db.execute(f"DELETE FROM {table} WHERE club_id = ?", [club_id])
        jobs.remove_others(db, club_id)
        [plays] = db.execute("SELECT count(*) FROM all_plays WHERE club_id = ?", [club_id]).fetchone()
        jobs.add(db, "club", club_id, total=plays)


def step(db: Database, job: Job) -> Job | None:
    """Delete some of the club's rows and return the job to continue; at the end, delete the club and return None."""
    club_id = job.club_id
    assert club_id is not None
    for table, most in (("tables", FEW), ("all_plays", FEW)):
        if rows := _some(db, table, ("id",), "club_id = ?", club_id, most):
            _delete(db, table, ("id",), rows)
            return jobs.at_step(job, len(rows) if table == "all_plays" else 0, at=table)
    for table, keys, which in _about_clubs(db):
        if rows := _some(db, table, keys, which, club_id, SOME):
            _delete(db, table, keys, rows)
            return jobs.at_step(job, at=table)
    jobs.remove_others(db, club_id, job)
    clubs.remove(db, club_id)
    return None


def _about_clubs(db: Database) -> list[tuple[str, Sequence[str], str]]:
    """Return name and primary key of each table with rows of a club, and the SQL condition that finds them. Rows must
    be deleted in the order of this list."""
    found = []
    for table, (names, keys) in db.columns().items():
        if "club_id" in names and table not in LAST:
            found.append((table, keys, "club_id = ?"))
        elif "player_id" in names:
            found.append((table, keys, "player_id IN (SELECT id FROM players WHERE club_id = ?)"))
    return sorted(found, key=lambda one: (one[0] == "players", "club_id" in one[2][:7]))


def _some(db: Database, table: str, columns: Sequence[str], which: str, club_id: int, most: int) -> list[Any]:
    return db.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE {which} LIMIT ?", [club_id, most]).fetchall()


def _delete(db: Database, table: str, keys: Sequence[str], rows: Sequence[Any]) -> None:
    same = " AND ".join(f"{key} = ?" for key in keys)
    db.executemany(f"DELETE FROM {table} WHERE {same}", rows)
