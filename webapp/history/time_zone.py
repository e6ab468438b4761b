"""Set a club's time zone, which decides the day on which a game was played."""

from __future__ import annotations

from webapp import clubs, days, jobs
from webapp.database import Database
from webapp.jobs import Job

BATCH = 2_000  # games in one transaction


def change_zone(db: Database, club_id: int, zone: str, guessed: bool = False) -> bool:
    """Set the club's time zone, and return whether that was done.

    It is not done for an unknown zone, or for a `guessed` zone if one is already set.
    """
    if not days.is_zone(zone):
        return False
    with db.atomic(club_id):
        known = clubs.zone_of(db, club_id)
        if guessed and known:
            return False
        clubs.set_zone(db, club_id, zone)
        job = jobs.add(db, "zone", club_id, total=None)
    jobs.take(db, job, {"zone": step})
    return True


def step(db: Database, job: Job) -> Job | None:
    """Set the days of the next games by the club's time zone; return the job to continue, or None at the end."""
    assert job.club_id is not None
    zone = clubs.zone_of(db, job.club_id)
    rows = db.execute(
        "SELECT id, played_at, day FROM all_plays WHERE club_id = ? AND id > ? ORDER BY id LIMIT ?",
        [job.club_id, job.step.get("after", 0), BATCH],
    ).fetchall()
    moved = [(day, play_id) for play_id, at, stands in rows if (day := days.day_of(at, zone)) != stands]
    db.executemany("UPDATE all_plays SET day = ? WHERE id = ?", moved)
    return jobs.at_step(job, len(rows), after=rows[-1][0]) if len(rows) == BATCH else None
