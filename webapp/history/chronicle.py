"""What depends on the order of plays: how often, streaks, bests and ratings, as each player stood after each play.

The standing after a play is kept with its score. A new play goes on from the latest one; a play that is put into the
past, changed or taken out has the chronicle of its game told anew from there, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from webapp.database import Database
from webapp.history.rating import Rating, rate

Moment = tuple[str, int]  # when it was played, and the play's id to tell apart what was played at once
BEGINNING: Moment = ("", 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in one game: plays so far, victories in a row, the longest such row, the best total, the rating."""

    nth: int = 0
    streak: int = 0
    longest: int = 0
    best: int = -(10**6)
    rating: Rating = Rating()


@dataclass(frozen=True, slots=True)
class Score:
    """One player's outcome in one play."""

    play_id: int
    seat: int
    player_id: int
    played_at: str
    total: int
    rank: int
    winner: bool


def advance(before: Sequence[Standing], scores: Sequence[Score]) -> list[Standing]:
    """How the players of one play stand after it. Alone one cannot win: no streak and no rating changes."""
    contest = len(scores) > 1
    ratings = [standing.rating for standing in before]
    rated = rate(ratings, [score.rank for score in scores]) if contest else ratings
    after = []
    for standing, score, rating in zip(before, scores, rated, strict=True):
        streak = (standing.streak + 1 if score.winner else 0) if contest else standing.streak
        longest, best = max(standing.longest, streak), max(standing.best, score.total)
        after.append(Standing(standing.nth + 1, streak, longest, best, rating))
    return after


def replay(db: Database, club_id: int, game: str, since: Moment) -> None:
    """Tell the chronicle of the game anew from that moment on."""
    from webapp.history.achievements import CAREER, of_career

    standings: dict[int, Standing] = {}
    kept: list[tuple[Any, ...]] = []
    earned: list[tuple[Any, ...]] = []
    for scores in played_since(db, club_id, game, since):
        before = [_before(db, standings, game, score.player_id, since) for score in scores]
        after = advance(before, scores)
        for old, new, score in zip(before, after, scores, strict=True):
            standings[score.player_id] = new
            rating = (new.rating.skill, new.rating.doubt)
            kept.append((new.nth, new.streak, new.longest, new.best, *rating, score.play_id, score.seat))
            whose = (score.player_id, club_id, game, score.played_at)
            earned += [(score.play_id, score.seat, id, *whose) for id in of_career(old, new, score)]
    db.conn.executemany(
        """UPDATE kept_scores SET nth = ?, streak = ?, longest = ?, best = ?, skill = ?, doubt = ?
        WHERE play_id = ? AND seat = ?""",
        kept,
    )
    db.conn.executemany(
        """DELETE FROM earned WHERE club_id = ? AND game = ? AND achievement = ?
        AND (played_at, play_id) >= (?, ?)""",
        [(club_id, game, achievement, *since) for achievement in sorted(CAREER)],
    )
    db.conn.executemany("INSERT INTO earned VALUES (?, ?, ?, ?, ?, ?, ?)", earned)


def played_since(db: Database, club_id: int, game: str, since: Moment) -> Iterator[list[Score]]:
    """The scores of each play from that moment on, in order."""
    rows = db.execute(
        """SELECT play_id, seat, player_id, played_at, total, rank, winner FROM kept_scores
        WHERE club_id = ? AND game = ? AND (played_at, play_id) >= (?, ?) ORDER BY played_at, play_id, seat""",
        [club_id, game, *since],
    ).fetchall()
    for _, scores in groupby(rows, key=lambda row: row[0]):
        yield [Score(*row[:6], bool(row[6])) for row in scores]


def _before(db: Database, standings: dict[int, Standing], game: str, player_id: int, since: Moment) -> Standing:
    if player_id not in standings:
        standings[player_id] = standing(db, player_id, game, since) or Standing()
    return standings[player_id]


def standing(db: Database, player_id: int, game: str, until: Moment = ("~", 0)) -> Standing | None:
    """How the player stood before that moment, or stands now."""
    row = db.row(
        """SELECT nth, streak, longest, best, skill, doubt FROM kept_scores
        WHERE player_id = ? AND game = ? AND (played_at, play_id) < (?, ?)
        ORDER BY played_at DESC, play_id DESC LIMIT 1""",
        player_id,
        game,
        *until,
    )
    if row is None:
        return None
    rating = Rating(row["skill"], row["doubt"])
    return Standing(row["nth"], row["streak"], row["longest"], row["best"], rating)
