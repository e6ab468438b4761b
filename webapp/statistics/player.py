"""Compute the page of a player: titles, form, best scores, rating, score lines and opponents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scorer import games
from scorer.contract import Game
from scorer.sentences import Sentence
from webapp.avatars import PLAIN, Avatar
from webapp.database import Database
from webapp.history import Person, Rating
from webapp.statistics import results
from webapp.statistics.game import over_time
from webapp.statistics.measures import Average, Rate
from webapp.statistics.results import Standing
from webapp.statistics.scope import Scope

FORM = 10  # latest games
TRACK = 40  # latest games on the chart of a rating
NEMESIS_LOSSES = 3
MOST_WAYS = 8


@dataclass(frozen=True, slots=True)
class Results:
    """Hold how often a player reached a total in one month, title, variant and number of players."""

    game: str
    player_count: int
    variant: str
    month: str
    total: int | None  # None while it is still to count
    plays: int
    decided: int
    wins: int


@dataclass(frozen=True, slots=True)
class Best:
    """Hold a player's best score in one variant and number of players, and where it was reached first."""

    player_count: int
    variant: str
    total: int
    key: str
    played_at: str


@dataclass(frozen=True, slots=True)
class TitleRecord:
    """Hold a player's figures in one title, such as wins, mean, best score and streak."""

    game: Game
    plays: int
    open: int  # scores that are still to count
    wins: Rate
    mean: float | None  # None while no score is known
    best: int | None
    streak: int
    longest: int
    rating: Rating


def results_of(db: Database, player: Person, game: str = "") -> list[Results]:
    """Return a player's results in all titles or one: one for each table size, variant, month and score."""
    only, values = ("AND game = ?", [game]) if game else ("", [])
    rows = db.execute(
        f"""SELECT game, player_count, variant, substr(day, 1, 7), total, count(*),
            count(winner) FILTER (WHERE player_count > 1), count(*) FILTER (WHERE winner = 1 AND player_count > 1)
        FROM all_scores JOIN all_plays ON all_plays.id = play_id
        WHERE player_id = ? AND deleted_at IS NULL {only} GROUP BY 1, 2, 3, 4, 5""",
        [player.id, *values],
    )
    return [Results(*row) for row in rows]


def title_records(db: Database, player: Person, done: Sequence[Results]) -> list[TitleRecord]:
    """Return a player's figures in each title, most played first; `done` has the player's results."""
    rows = db.execute("SELECT game, streak, longest, skill, doubt FROM standings WHERE player_id = ?", [player.id])
    standings = {game: (streak, longest, Rating(skill, doubt)) for game, streak, longest, skill, doubt in rows}
    by_game: dict[str, list[Results]] = {}
    for one in done:
        by_game.setdefault(one.game, []).append(one)
    found = [
        _title_record(game, those, *standings.get(name, (0, 0, Rating())))
        for name, those in by_game.items()
        if (game := games.find(name)) is not None
    ]
    return sorted(found, key=lambda one: (-one.plays, one.game.id))


def _title_record(game: Game, done: Sequence[Results], streak: int, longest: int, rating: Rating) -> TitleRecord:
    known = [(one.total, one.plays) for one in done if one.total is not None]
    plays, scores = sum(one.plays for one in done), sum(times for _, times in known)
    return TitleRecord(
        game,
        plays,
        plays - scores,
        Rate(sum(one.wins for one in done), sum(one.decided for one in done)),
        sum(total * times for total, times in known) / scores if scores else None,
        max((total for total, _ in known), default=None),
        streak,
        longest,
        rating,
    )


def scores_over_time(done: Sequence[Results]) -> list[Average]:
    """Return a player's average scores by month, or by year if months are many; `done` has one title's results."""
    return over_time([(one.month, one.total, one.plays) for one in done if one.total is not None])


def bests(db: Database, player: Person, game: str) -> list[Best]:
    """Return a player's best score in each variant and number of players, most played first."""
    rows = db.execute(
        """WITH best AS (
            SELECT player_count AS players, variant AS way, max(total) AS most, count(*) AS plays
            FROM all_scores JOIN all_plays ON all_plays.id = play_id
            WHERE player_id = ? AND deleted_at IS NULL AND game = ? GROUP BY 1, 2
        ), reached AS (
            SELECT best.*, play_id, row_number() OVER (
                PARTITION BY players, way ORDER BY played_at, play_id) AS nth
            FROM all_scores JOIN all_plays ON all_plays.id = play_id
            JOIN best ON players = player_count AND way = variant AND most = total
            WHERE player_id = ? AND deleted_at IS NULL AND game = ?
        )
        SELECT players, way, most, key, played_at FROM reached JOIN all_plays ON all_plays.id = play_id
        WHERE nth = 1 ORDER BY reached.plays DESC, players, way LIMIT ?""",
        [player.id, game, player.id, game, MOST_WAYS],
    )
    return [Best(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class Latest:
    """Hold what a list shows of one of a player's latest games: its key, title, time, total and rank."""

    key: str
    game: str
    played_at: str
    total: int | None
    rank: int | None
    winner: int | None
    player_count: int


def latest_games(db: Database, player: Person) -> list[Latest]:
    rows = db.execute(
        """SELECT key, game, played_at, total, rank, winner, player_count
        FROM all_scores JOIN all_plays ON all_plays.id = play_id WHERE player_id = ? AND deleted_at IS NULL
        ORDER BY played_at DESC, play_id DESC LIMIT ?""",
        [player.id, FORM],
    )
    return [Latest(*row) for row in rows]


def rating_history(db: Database, player: Person, game: str) -> list[tuple[str, Rating]]:
    """Return the times of the player's latest games of a title (at most `TRACK`) and the ratings, oldest first."""
    rows = db.execute(
        """SELECT played_at, skill, doubt
        FROM all_scores JOIN all_plays ON all_plays.id = all_scores.play_id
        JOIN ratings ON ratings.play_id = all_scores.play_id AND ratings.seat = all_scores.seat
        WHERE player_id = ? AND deleted_at IS NULL AND game = ?
        ORDER BY played_at DESC, all_scores.play_id DESC LIMIT ?""",
        [player.id, game, TRACK],
    ).fetchall()
    return [(played_at, Rating(skill, doubt)) for played_at, skill, doubt in reversed(rows)]


@dataclass(frozen=True, slots=True)
class LineAgainstClub:
    """Hold the average points of a score line, for a player and for the club, on sheets that have the line."""

    rule: str
    label: Sentence
    sheets: int
    mine: float
    club: float


def lines(db: Database, player: Person, game: Game) -> list[LineAgainstClub]:
    """Return the player's and the club's average points for each line of the score sheet that the player has had. A
    rule with several lines on a sheet counts once."""
    scope = Scope(player.club_id, game.id)
    found: dict[str, list[int]] = {}
    for rule, is_hers, sheets, points in db.execute(
        f"""SELECT rule, player_id = ?, count(*), sum(points) FROM (
            SELECT rule, all_lines.play_id, all_lines.seat, sum(points) AS points
            FROM all_plays JOIN all_lines ON all_lines.play_id = all_plays.id
            WHERE {scope.where}
            GROUP BY all_lines.play_id, all_lines.seat, rule
        ) AS sums JOIN all_scores ON all_scores.play_id = sums.play_id AND all_scores.seat = sums.seat
        GROUP BY 1, 2""",
        [player.id, *scope.values],
    ):
        sums = found.setdefault(rule, [0] * 4)
        sums[2] += sheets
        sums[3] += points
        if is_hers:
            sums[:2] = [sheets, points]
    return [
        LineAgainstClub(rule, label, found[rule][0], found[rule][1] / found[rule][0], found[rule][3] / found[rule][2])
        for rule, label in game.rules.items()
        if rule in found and found[rule][0]
    ]


@dataclass(frozen=True, slots=True)
class Opponent:
    """Hold how often the player finished ahead of this opponent (`won`), behind (`lost`) or tied."""

    id: int
    name: str
    won: int
    lost: int
    tied: int
    avatar: Avatar = PLAIN

    @property
    def met(self) -> int:
        return self.won + self.lost + self.tied

    @property
    def rate(self) -> Rate:
        return Rate(self.won, self.met)


# Ranks decide. If a rank is open, a winner is ahead of a loser; between two winners or two losers, points decide.
FINISHED_AHEAD = """({one}.rank < {other}.rank OR ({one}.rank IS NULL OR {other}.rank IS NULL)
    AND CASE WHEN {one}.winner <> {other}.winner THEN {one}.winner = 1 ELSE {one}.total > {other}.total END)"""
AHEAD = FINISHED_AHEAD.format(one="mine", other="theirs")
BEHIND = FINISHED_AHEAD.format(one="theirs", other="mine")
TIED = """(mine.rank = theirs.rank OR (mine.rank IS NULL OR theirs.rank IS NULL)
    AND mine.total = theirs.total AND coalesce(mine.winner = theirs.winner, TRUE))"""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Hold a player's results against one opponent in a title with one number of players. `their_wins` counts the games
    that the opponent won."""

    game: str
    player_count: int
    opponent: int
    won: int
    lost: int
    tied: int
    their_wins: int


def meetings(db: Database, player: Person, opponent: int | None = None) -> list[Meeting]:
    """Return a player's results against each opponent, or against the one with the id `opponent`."""
    only, wanted = ("AND theirs.player_id = ?", [opponent]) if opponent else ("", [])
    rows = db.execute(
        f"""SELECT game, player_count, theirs.player_id, count(*) FILTER (WHERE {AHEAD}),
            count(*) FILTER (WHERE {BEHIND}), count(*) FILTER (WHERE {TIED}),
            count(*) FILTER (WHERE theirs.winner = 1 AND mine.winner IS NOT NULL)
        FROM all_scores AS mine JOIN all_plays ON all_plays.id = mine.play_id
        JOIN all_scores AS theirs ON theirs.play_id = mine.play_id AND theirs.seat <> mine.seat
        WHERE mine.player_id = ? AND deleted_at IS NULL {only} GROUP BY game, player_count, theirs.player_id""",
        [player.id, *wanted],
    )
    return [Meeting(*row) for row in rows]


def opponents(known: dict[int, Standing], met: Iterable[Meeting]) -> list[Opponent]:
    """Return each opponent with the sums of the results in `met`, most games together first; `known` has all players by
    id."""
    sums: dict[int, list[int]] = {}
    for one in met:
        mine = sums.setdefault(one.opponent, [0, 0, 0])
        for place, amount in enumerate((one.won, one.lost, one.tied)):
            mine[place] += amount
    found = [
        Opponent(number, known[number].name, won, lost, tied, known[number].avatar)
        for number, (won, lost, tied) in sums.items()
        if won + lost + tied and number in known
    ]
    return sorted(found, key=lambda one: (-one.met, one.name))


def nemesis(found: Sequence[Opponent]) -> Opponent | None:
    """Return the opponent in `found` who was ahead of the player in the largest share of meetings, or None. The
    opponent must have been ahead at least three times, and more often than behind."""
    feared = [one for one in found if one.lost > one.won and one.lost >= NEMESIS_LOSSES]
    return max(feared, key=lambda one: (one.lost / one.met, one.lost), default=None)


def favourite(found: Sequence[Opponent]) -> Opponent | None:
    """Return the opponent in `found` whom the player beat in the largest share of meetings, or None. The player must
    have been ahead at least three times, and more often than behind."""
    beaten = [one for one in found if one.won > one.lost and one.won >= NEMESIS_LOSSES]
    return max(beaten, key=lambda one: (one.won / one.met, one.won), default=None)


def standings_of_club(db: Database, club_id: int) -> list[Standing]:
    """Return the players of the club (not guests) with their games and wins, most games first."""
    return results.standings(results.people(db, club_id), results.by_seat(db, Scope(club_id)))
