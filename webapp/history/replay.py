"""Works out anew what hangs on the order of plays: the careers of a game's players, and what they earn by them.

A new play goes on from the latest one; a play that is put into the past, changed or taken out has everything after it
worked out again, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from webapp.database import Database
from webapp.history import achievements, careers
from webapp.history.careers import Career, Moment, Score


def replay(db: Database, club_id: int, game: str, since: Moment) -> None:
    """Work out careers and their achievements in that game from that moment on."""
    known: dict[int, Career] = {}
    kept: list[tuple[Any, ...]] = []
    earned: list[tuple[Any, ...]] = []
    for scores in _played_since(db, club_id, game, since):
        before = [
            known.get(score.player_id) or careers.find(db, score.player_id, game, since) or Career() for score in scores
        ]
        after = careers.advance(before, scores)
        for old, new, score in zip(before, after, scores, strict=True):
            known[score.player_id] = new
            rating = (new.rating.skill, new.rating.doubt)
            kept.append((new.nth, new.streak, new.longest, new.best, *rating, score.play_id, score.seat))
            whose = (score.player_id, club_id, game, score.played_at)
            earned += [(score.play_id, score.seat, name, *whose) for name in achievements.of_career(old, new, score)]
    db.conn.executemany(
        """UPDATE kept_scores SET nth = ?, streak = ?, longest = ?, best = ?, skill = ?, doubt = ?
        WHERE play_id = ? AND seat = ?""",
        kept,
    )
    of_careers = sorted(achievements.CAREER)
    marks = ", ".join("?" * len(of_careers))
    db.execute(
        f"""DELETE FROM earned WHERE club_id = ? AND game = ? AND achievement IN ({marks})
        AND (played_at, play_id) >= (?, ?)""",
        [club_id, game, *of_careers, *since],
    )
    achievements.write(db, earned)


def _played_since(db: Database, club_id: int, game: str, since: Moment) -> Iterator[list[Score]]:
    """The scores of each play from that moment on, in order."""
    rows = db.execute(
        """SELECT play_id, seat, player_id, played_at, total, rank, winner FROM kept_scores
        WHERE club_id = ? AND game = ? AND (played_at, play_id) >= (?, ?) ORDER BY played_at, play_id, seat""",
        [club_id, game, *since],
    ).fetchall()
    for _, scores in groupby(rows, key=lambda row: row[0]):
        yield [
            Score(play_id, seat, player_id, played_at, total, rank, bool(winner))
            for play_id, seat, player_id, played_at, total, rank, winner in scores
        ]
