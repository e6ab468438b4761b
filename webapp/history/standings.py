"""Compute the standings of players in a title: games, wins in a row, best score, and a rating after each game.

All of these depend on the order of games. If the new game is the latest of its title, it is added to the standings.
After any other change they are computed again, at once or, for many games, by a job.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from webapp import jobs
from webapp.database import Database, pack
from webapp.history import achievements
from webapp.history.rating import Rating, rate
from webapp.jobs import Job

Moment = tuple[str, int]  # when a game was played, and its id
AT_ONCE = 5_000  # games computed while somebody waits


@dataclass(frozen=True, slots=True)
class Standing:
    """Hold a player's standing in one title; `streak` is the current and `longest` the longest run of wins."""

    plays: int = 0
    streak: int = 0
    longest: int = 0
    best: int | None = None  # None while no score is known
    rating: Rating = field(default_factory=Rating)


@dataclass(frozen=True, slots=True)
class Score:
    """Hold the score of one player in one game; total, rank and winner are None while they are unknown."""

    play_id: int
    seat: int
    player_id: int
    total: int | None
    rank: int | None
    winner: int | None


Row = tuple[int, int, str]  # play, seat and achievement


@dataclass(slots=True)
class StandingsBuilder:
    """Compute the standings of all players in a title, game by game."""

    standings: dict[int, Standing]
    plays: int = 0
    best: int | None = None  # of everybody
    ratings: dict[tuple[int, int], Rating] = field(default_factory=dict)  # by game and seat
    earned: set[Row] = field(default_factory=set)

    def add(self, scores: Sequence[Score]) -> None:
        before = [self.standings.get(score.player_id, Standing()) for score in scores]
        for score, old, new in zip(scores, before, after_game(before, scores), strict=True):
            self.standings[score.player_id] = new
            self.ratings[score.play_id, score.seat] = new.rating
            for name in achievements.of_standing(old, new):
                self.earned.add((score.play_id, score.seat, name))
        highest = max((score.total for score in scores if score.total is not None), default=None)
        if highest is not None and (self.best is None or highest > self.best):
            if self.best is not None and self.plays >= achievements.GAMES_BEFORE_A_RECORD:
                best = (score for score in scores if score.total == highest)
                self.earned.update((score.play_id, score.seat, achievements.RECORD) for score in best)
            self.best = highest
        self.plays += 1


def after_game(before: Sequence[Standing], scores: Sequence[Score]) -> list[Standing]:
    """Return each player's standing after a game, in the order of the seats, given the standings before it. A game
    played alone changes no streak or rating."""
    ratings = _rated(before, scores)
    after = []
    for old, score, rating in zip(before, scores, ratings, strict=True):
        is_settled = len(scores) > 1 and score.winner is not None
        streak = (old.streak + 1 if score.winner else 0) if is_settled else old.streak
        known = [total for total in (old.best, score.total) if total is not None]
        best = max(known, default=None)
        after.append(Standing(old.plays + 1, streak, max(old.longest, streak), best, rating))
    return after


def _rated(before: Sequence[Standing], scores: Sequence[Score]) -> list[Rating]:
    """Return each player's rating after a game, in the order of the seats; players without a known rank keep theirs."""
    ratings = [old.rating for old in before]
    placed = [(seat, score.rank) for seat, score in enumerate(scores) if score.rank is not None]
    if len(placed) > 1:
        after = rate([ratings[seat] for seat, _ in placed], [rank for _, rank in placed])
        for (seat, _), rating in zip(placed, after, strict=True):
            ratings[seat] = rating
    return ratings


def update(db: Database, club_id: int, game: str, moment: Moment) -> None:
    """Bring a title's standings up to date, in the caller's transaction.

    `moment` is that of the earliest game that was added, edited, deleted or restored. If no game since then has a
    rating, all of them are new and are added. Otherwise the standings are computed again.
    """
    later = """FROM all_plays {join} WHERE club_id = ? AND deleted_at IS NULL AND game = ?
        AND (played_at, all_plays.id) >= (?, ?)"""
    values = [club_id, game, *moment]
    counted = later.format(join="JOIN ratings ON ratings.play_id = all_plays.id")
    is_rated = db.execute(f"SELECT 1 {counted} LIMIT 1", values).fetchone()
    [new] = db.execute(f"SELECT count(*) {later.format(join='')}", values).fetchone()
    [plays] = db.execute(
        "SELECT count(*) FROM all_plays WHERE club_id = ? AND deleted_at IS NULL AND game = ?", [club_id, game]
    ).fetchone()
    if (plays if is_rated or not new else new) > AT_ONCE:
        jobs.add(db, "standings", club_id, {"game": game}, total=plays)
    elif is_rated or not new:
        rebuild(db, club_id, game)
    else:
        _extend(db, club_id, game, moment, plays - new)


def _extend(db: Database, club_id: int, game: str, moment: Moment, plays: int) -> None:
    """Add the title's games since `moment` to the standings, without reading earlier games again. `plays` is the number
    of the club's games of the title before `moment`."""
    played = list(_played(db, club_id, game, moment))
    known = _standings(db, club_id, game)
    course = StandingsBuilder(
        dict(known), plays, max((one.best for one in known.values() if one.best is not None), default=None)
    )
    for scores in played:
        course.add(scores)
    _write(db, club_id, game, course, known, {}, set())


def rebuild(db: Database, club_id: int, game: str) -> None:
    """Compute a title's standings, ratings and the achievements that depend on them again; store what differs."""
    course = StandingsBuilder({})
    for scores in _played(db, club_id, game):
        course.add(scores)
    of_title = "FROM all_plays JOIN {table} ON {table}.play_id = all_plays.id WHERE club_id = ? AND game = ?"
    ratings = {
        (play_id, seat): Rating(skill, doubt)
        for play_id, seat, skill, doubt in db.execute(
            f"SELECT play_id, seat, skill, doubt {of_title.format(table='ratings')}", [club_id, game]
        )
    }
    earned = db.execute(
        f"""SELECT play_id, seat, achievement {of_title.format(table="achievements")}
        AND achievement IN (SELECT value FROM words_in(?))""",
        [club_id, game, pack(sorted(achievements.OF_STANDINGS))],
    ).fetchall()
    _write(db, club_id, game, course, _standings(db, club_id, game), ratings, set(earned))


def step(db: Database, job: Job) -> None:
    """Compute the standings of the job's title again, in one step."""
    assert job.club_id is not None
    rebuild(db, job.club_id, job.subject["game"])


def _played(db: Database, club_id: int, game: str, since: Moment = ("", 0)) -> Iterator[list[Score]]:
    """Yield a list of the players' scores for each game of the title since `since`, in the order of playing."""
    rows = db.execute(
        """SELECT play_id, seat, player_id, total, rank, winner
        FROM all_plays JOIN all_scores ON play_id = all_plays.id
        WHERE club_id = ? AND deleted_at IS NULL AND game = ? AND (played_at, all_plays.id) >= (?, ?)
        ORDER BY played_at, all_plays.id, seat""",
        [club_id, game, *since],
    )
    for _, group in groupby(rows, key=lambda row: row[0]):
        yield [Score(*row) for row in group]


def _standings(db: Database, club_id: int, game: str) -> dict[int, Standing]:
    rows = db.execute(
        """SELECT player_id, plays, streak, longest, best, skill, doubt FROM standings
        WHERE club_id = ? AND game = ?""",
        [club_id, game],
    )
    return {
        player_id: Standing(plays, streak, longest, best, Rating(skill, doubt))
        for player_id, plays, streak, longest, best, skill, doubt in rows
    }


def _write(
    db: Database,
    club_id: int,
    game: str,
    course: StandingsBuilder,
    known: dict[int, Standing],
    ratings: dict[tuple[int, int], Rating],
    earned: set[Row],
) -> None:
    """Store the standings, ratings and achievements in `course` that differ from what is stored.

    `known`, `ratings` and `earned` are what is stored.
    """
    gone = [key for key in ratings if key not in course.ratings]
    new = [(*key, one.skill, one.doubt) for key, one in course.ratings.items() if ratings.get(key) != one]
    _each(db, "DELETE FROM ratings WHERE play_id = ? AND seat = ?", gone)
    _each(
        db,
        """INSERT INTO ratings (play_id, seat, skill, doubt) VALUES (?, ?, ?, ?)
        ON CONFLICT (play_id, seat) DO UPDATE SET skill = excluded.skill, doubt = excluded.doubt""",
        new,
    )
    missing = [(club_id, game, player_id) for player_id in known if player_id not in course.standings]
    _each(db, "DELETE FROM standings WHERE club_id = ? AND game = ? AND player_id = ?", missing)
    now = [
        (club_id, game, player_id, one.plays, one.streak, one.longest, one.best, one.rating.skill, one.rating.doubt)
        for player_id, one in course.standings.items()
        if known.get(player_id) != one
    ]
    _each(
        db,
        """INSERT INTO standings (club_id, game, player_id, plays, streak, longest, best, skill, doubt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (club_id, game, player_id) DO UPDATE SET
        plays = excluded.plays, streak = excluded.streak, longest = excluded.longest, best = excluded.best,
        skill = excluded.skill, doubt = excluded.doubt""",
        now,
    )
    lost = sorted(earned - course.earned)
    _each(db, "DELETE FROM achievements WHERE play_id = ? AND seat = ? AND achievement = ?", lost)
    achievements.write(db, sorted(course.earned - earned))


def _each(db: Database, sql: str, rows: Sequence[Sequence[object]]) -> None:
    if rows:
        db.executemany(sql, rows)
