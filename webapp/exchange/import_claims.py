"""Note the rows that an unfinished import added, so that they can be removed if it is stopped.

An import also claims rows it needs that another unfinished import added. Rows of a stopped import are removed unless
another import claims them or a person has changed them since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from scorer.names import folded
from webapp.database import Database, pack
from webapp.history import forget_player, plays
from webapp.jobs import Job

UNDONE = 20  # plays removed in one step
SETTLED = 2_000  # claims settled in one step


def add(db: Database, job: Job, kind: str, ids: Iterable[int]) -> None:
    """Note that the import `job` has added these rows, in the caller's transaction; `kind` is "play" or "player"."""
    db.executemany("INSERT INTO import_claims VALUES (?, ?, ?)", [(job.id, kind, number) for number in ids])


def share(db: Database, job: Job, kind: str, ids: Sequence[int]) -> None:
    """Claim for the import `job` those rows in `ids` that another import claims, in the caller's transaction. `kind` is
    "play" or "player"."""
    if ids:
        db.execute(
            """INSERT INTO import_claims SELECT DISTINCT ?, kind, item_id FROM import_claims
            WHERE kind = ? AND item_id IN (SELECT value FROM numbers_in(?)) ON CONFLICT DO NOTHING""",
            [job.id, kind, pack(list(ids))],
        )


def share_people(db: Database, job: Job, names: Sequence[str]) -> None:
    """Claim the players with these names, if another import claims them."""
    if names and db.row("SELECT 1 FROM import_claims WHERE job_id <> ?", job.id) is not None:
        folded_names = set(map(folded, names))
        people = db.execute("SELECT id, name FROM players WHERE club_id = ?", [job.club_id]).fetchall()
        share(db, job, "player", [number for number, name in people if folded(name) in folded_names])


@contextmanager
def claiming_new_players(db: Database, job: Job) -> Iterator[None]:
    """Note as added by the import all players that are added inside the `with` block."""
    [last] = db.execute("SELECT coalesce(max(id), 0) FROM players").fetchone()
    yield
    added = db.execute("SELECT id FROM players WHERE id > ? AND club_id = ?", [last, job.club_id]).fetchall()
    add(db, job, "player", [number for (number,) in added])


def has_any(db: Database, job: Job) -> bool:
    return db.row("SELECT 1 FROM import_claims WHERE job_id = ?", job.id) is not None


def settle(db: Database, job: Job) -> Job:
    """End up to `SETTLED` claims of the import, so that their rows belong to the club for good. Claims of other imports
    on these rows end too. Return the job as it was, to be continued."""
    rows = db.execute("SELECT kind, item_id FROM import_claims WHERE job_id = ? LIMIT ?", [job.id, SETTLED]).fetchall()
    db.executemany("DELETE FROM import_claims WHERE kind = ? AND item_id = ?", rows)
    return job


def withdraw(db: Database, job: Job) -> int:
    """Give up at most `UNDONE` of the import's claims, the latest first, plays before players, and return how many. A
    row is removed unless another import claims it or somebody has changed it. The standings of earlier games stay
    valid."""
    assert job.club_id is not None
    for kind in ("play", "player"):
        ids = _ids(
            db,
            "SELECT item_id FROM import_claims WHERE job_id = ? AND kind = ? ORDER BY item_id DESC LIMIT ?",
            [job.id, kind, UNDONE],
        )
        if ids:
            db.executemany(
                "DELETE FROM import_claims WHERE job_id = ? AND kind = ? AND item_id = ?",
                [(job.id, kind, number) for number in ids],
            )
            free = _ids(
                db,
                """SELECT value FROM numbers_in(?)
                WHERE NOT EXISTS (SELECT 1 FROM import_claims WHERE kind = ? AND item_id = value)""",
                [pack(ids), kind],
            )
            if kind == "play":
                plays.remove(db, job.club_id, _untouched(db, job, free))
            else:
                forget_player.remove_newcomers(db, job.club_id, free)
            return len(ids)
    return 0


def _untouched(db: Database, job: Job, ids: Sequence[int]) -> list[int]:
    """Return those of the plays `ids` that nobody has edited, deleted or restored since the import began."""
    return _ids(
        db,
        """SELECT play.id FROM numbers_in(?) AS wanted JOIN play_keys AS play ON play.id = wanted.value
        WHERE NOT (play.version > 1 AND play.saved_at >= ?) AND coalesce(play.deleted_at, '') < ?
        AND NOT EXISTS (SELECT 1 FROM audit_log WHERE audit_log.play_id = play.id) ORDER BY play.id DESC""",
        [pack(list(ids)), job.created_at, job.created_at],
    )


def _ids(db: Database, sql: str, values: Sequence[object]) -> list[int]:
    return [number for (number,) in db.execute(sql, values).fetchall()]
