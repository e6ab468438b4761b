"""Careers: how a player stands in one game after each play: how often, streaks, the best total, the rating.

The career after a play is kept with its score, so that a new play goes on from the latest one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from webapp.database import Database
from webapp.history.rating import Rating, rate

Moment = tuple[str, int]  # when it was played, and the play's id to tell apart what was played at once
BEGINNING: Moment = ("", 0)
NOW: Moment = ("~", 0)
NO_BEST = -(10**6)  # below every total


@dataclass(frozen=True, slots=True)
class Career:
    """A player in one game: plays so far, victories in a row, the longest such row, the best total, the rating."""

    nth: int = 0
    streak: int = 0
    longest: int = 0
    best: int = NO_BEST
    rating: Rating = field(default_factory=Rating)


@dataclass(frozen=True, slots=True)
class Score:
    """One player's outcome in one play."""

    play_id: int
    seat: int
    player_id: int
    played_at: str
    total: int | None  # None where nobody knows
    rank: int | None
    winner: bool


def advance(before: Sequence[Career], scores: Sequence[Score]) -> list[Career]:
    """The careers of a play's players after it. Alone one cannot win: no streak and no rating changes.

    Nor does a streak change where nobody knows who won.
    """
    contest = len(scores) > 1 and any(score.winner for score in scores)
    rated = _rated(before, scores)
    after = []
    for career, score, rating in zip(before, scores, rated, strict=True):
        streak = (career.streak + 1 if score.winner else 0) if contest else career.streak
        longest, best = max(career.longest, streak), max(career.best, NO_BEST if score.total is None else score.total)
        after.append(Career(career.nth + 1, streak, longest, best, rating))
    return after


def _rated(before: Sequence[Career], scores: Sequence[Score]) -> list[Rating]:
    """The ratings after the play, of those whose place is known among each other; the others keep theirs."""
    ratings = [career.rating for career in before]
    placed = [(seat, score.rank) for seat, score in enumerate(scores) if score.rank is not None]
    if len(placed) > 1:
        after = rate([ratings[seat] for seat, _ in placed], [rank for _, rank in placed])
        for (seat, _), rating in zip(placed, after, strict=True):
            ratings[seat] = rating
    return ratings


def find(db: Database, player_id: int, game: str, until: Moment = NOW) -> Career | None:
    """The player's career as it stood before that moment, or stands now; None before the first play."""
    row = db.execute(
        """SELECT nth, streak, longest, best, skill, doubt FROM kept_scores
        WHERE player_id = ? AND game = ? AND (played_at, play_id) < (?, ?)
        ORDER BY played_at DESC, play_id DESC LIMIT 1""",
        [player_id, game, *until],
    ).fetchone()
    return career_of(row) if row else None


def career_of(row: Sequence[Any]) -> Career:
    """A career from its columns in `kept_scores`."""
    nth, streak, longest, best, skill, doubt = row
    return Career(nth, streak, longest, best, Rating(skill, doubt))
