"""Replace a name in texts that people wrote: notes and places of games, and names of devices.

Capitals count, since "Will" is a person and "will" is not.
"""

from __future__ import annotations

import re

from scorer.record import MAX_NAME
from webapp import jobs
from webapp.clubs import audit_log
from webapp.database import Database
from webapp.history import plays, saved_plays
from webapp.jobs import Job

FEW = 50  # games in one transaction
AT_ONCE = 10  # steps taken before the page is answered


def begin(db: Database, club_id: int, name: str, word: str) -> None:
    """Replace `name` by `word` in names of devices, and add a job that replaces it in games.

    This happens in the caller's transaction.
    """
    audit_log.rename_devices(db, club_id, lambda called: without(called, name, word)[:MAX_NAME])
    jobs.add(db, "words", club_id, {"name": name, "word": word})


def run_short_steps(db: Database, club_id: int) -> None:
    """Run at most `AT_ONCE` steps of each of the club's jobs that replace a name; a worker does the rest."""
    for job in jobs.of_club(db, club_id, "words"):
        left: Job | None = job
        for _ in range(AT_ONCE):
            left = jobs.take(db, left, {"words": step}) if left is not None else None


def step(db: Database, job: Job) -> Job | None:
    """Replace the name in the next games that have notes or a place, including deleted games.

    Return the job to continue, or None at the end.
    """
    rows = db.execute(
        """SELECT id FROM all_plays WHERE club_id = ? AND id > ? AND (notes <> '' OR place <> '')
        ORDER BY id LIMIT ?""",
        [job.club_id, job.step.get("after", 0), FEW],
    ).fetchall()
    for play_id in (row[0] for row in rows):
        _change(db, play_id, job.subject["name"], job.subject["word"])
    return jobs.at_step(job, len(rows), after=rows[-1][0]) if rows else None


def _change(db: Database, play_id: int, name: str, word: str) -> None:
    play = saved_plays.by_id(db, play_id)
    if play is not None:
        notes, place = (without(text, name, word) for text in (play.notes, play.place))
        if (notes, place) != (play.notes, play.place):
            longest = plays.LONGEST_NOTES
            plays.describe(db, play, notes[:longest], place[:MAX_NAME].strip(), play.minutes, play.played_at)


def without(text: str, name: str, word: str) -> str:
    """Return the text with `word` wherever the name is a word of its own."""
    spelt = r"\s+".join(map(re.escape, name.split()))
    return re.sub(rf"(?<!\w){spelt}(?!\w)", lambda _: word, text)
