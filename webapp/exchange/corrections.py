"""Store the plays that differ between an imported file and the club, until somebody chooses for each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from webapp.clubs import audit_log
from webapp.database import Database, pack
from webapp.exchange import differences
from webapp.exchange.differences import Difference
from webapp.jobs import Job


@dataclass(frozen=True, slots=True)
class Correction:
    """Hold a saved play that differs in the file, with the differences: field, our value, the file's value."""

    play_id: int
    key: str
    game: str
    played_at: str
    differences: list[list[str]]


def add(db: Database, job: Job, play_id: int, theirs: str, found: Sequence[Difference]) -> None:
    """Store the file's version of a play for the import `job`, in the caller's transaction. `theirs` is that version as
    JSON; `found` has its differences from ours."""
    columns = {"theirs": theirs, "differences": pack(found)}
    db.upsert("import_differences", ("job_id", "play_id"), job_id=job.id, play_id=play_id, **columns)


def of_import(db: Database, job: Job, most: int = 50) -> list[Correction]:
    rows = db.query(
        """SELECT play_id, plays.key, game, played_at, differences FROM import_differences
        JOIN plays ON plays.id = play_id WHERE job_id = ? ORDER BY play_id LIMIT ?""",
        [job.id, most],
    )
    return [Correction(**{**row, "differences": json.loads(row["differences"])}) for row in rows]


def resolve(db: Database, job: Job, shown: Sequence[int], taken: Sequence[int]) -> None:
    """Replace our version of the plays in `taken` by the file's; keep ours of all other plays in `shown`. Both are ids.
    The differences that the import `job` stored of all plays in `shown` are deleted."""
    for play_id in shown:
        with db.atomic(job.club_id):
            row = db.row(
                "SELECT theirs, differences FROM import_differences WHERE job_id = ? AND play_id = ?", job.id, play_id
            )
            if row is not None and play_id in taken:
                for deed in differences.take(db, play_id, json.loads(row["theirs"]), json.loads(row["differences"])):
                    audit_log.note_of_game(db, play_id, deed)
            db.execute("DELETE FROM import_differences WHERE job_id = ? AND play_id = ?", [job.id, play_id])


def forget(db: Database, job: Job) -> None:
    db.execute("DELETE FROM import_differences WHERE job_id = ?", [job.id])
