"""One player: how often and how well, form and streaks, bests, lines against the club's, and everybody met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

from scorer import games
from scorer.contract import Game
from webapp import looks
from webapp.database import Database
from webapp.history import Career, Person, Rating, careers
from webapp.looks import PLAIN, Look
from webapp.statistics import game as game_statistics
from webapp.statistics.measures import Rate
from webapp.statistics.scope import Scope

FORM = 10  # latest plays
TRACK = 40  # latest plays on the chart of a rating
NEMESIS_LOSSES = 3
MOST_WAYS = 8


@dataclass(frozen=True, slots=True)
class InGame:
    """What a player has done in one game."""

    game: Game
    plays: int
    wins: Rate
    mean: float | None  # None where no score is known
    career: Career
    best: int | None
    best_key: str
    best_at: str


def in_games(db: Database, player: Person) -> list[InGame]:
    """By game, the most played first."""
    rows = db.execute(
        """SELECT game, sum(plays), sum(wins), sum(contests), sum(points), sum(sheets) FROM tally_players
        WHERE player_id = ? AND place = '' AND period = '' AND variant = '*' GROUP BY game ORDER BY 2 DESC""",
        [player.id],
    ).fetchall()
    found = []
    for name, plays, wins, contests, points, scores in rows:
        game, career = games.find(name), careers.find(db, player.id, name)
        best = _best(db, player.id, name)
        if game is not None and career is not None and best is not None:
            average, most = (points / scores, career.best) if scores else (None, None)
            rate = Rate(wins, contests)
            found.append(InGame(game, plays, rate, average, career, most, best["key"], best["at"]))
    return found


def _best(db: Database, player_id: int, game: str) -> dict[str, Any] | None:
    return db.row(
        """SELECT kept_plays.key, kept_scores.played_at AS at
        FROM kept_scores JOIN kept_plays ON kept_plays.id = play_id
        WHERE player_id = ? AND kept_scores.game = ? ORDER BY total DESC NULLS LAST, kept_scores.played_at LIMIT 1""",
        player_id,
        game,
    )


@dataclass(frozen=True, slots=True)
class Best:
    """A player's best total in one way of playing."""

    player_count: int
    variant: str
    total: int
    key: str
    played_at: str


def bests(db: Database, player: Person, game: str) -> list[Best]:
    """For the ways of playing that the club plays most, by number of players; reached first, as with records."""
    ways = game_statistics.ways(db, player.club_id, game)[:MOST_WAYS]
    found = [
        Best(way["player_count"], way["variant"], **row)
        for way in ways
        for row in db.query(
            """SELECT total, kept_plays.key, kept_scores.played_at
            FROM kept_scores JOIN kept_plays ON kept_plays.id = play_id
            WHERE player_id = ? AND kept_scores.game = ? AND kept_scores.player_count = ? AND kept_scores.variant = ?
            AND total IS NOT NULL ORDER BY total DESC, kept_scores.played_at LIMIT 1""",
            [player.id, game, way["player_count"], way["variant"]],
        )
    ]
    return sorted(found, key=lambda best: (best.player_count, best.variant))


def form(db: Database, player: Person) -> list[dict[str, Any]]:
    """The latest plays, the latest first."""
    return list(
        db.query(
            """SELECT kept_plays.key, kept_scores.game, kept_scores.played_at, total, rank, winner,
                kept_scores.player_count
            FROM kept_scores JOIN kept_plays ON kept_plays.id = play_id
            WHERE player_id = ? ORDER BY kept_scores.played_at DESC, play_id DESC LIMIT ?""",
            [player.id, FORM],
        )
    )


def track(db: Database, player: Person, game: str) -> list[tuple[str, Rating]]:
    """When each of the latest plays of a game was, and the rating after it, the oldest first."""
    rows = db.execute(
        """SELECT played_at, skill, doubt FROM kept_scores WHERE player_id = ? AND game = ?
        ORDER BY played_at DESC, play_id DESC LIMIT ?""",
        [player.id, game, TRACK],
    ).fetchall()
    return [(played_at, Rating(skill, doubt)) for played_at, skill, doubt in reversed(rows)]


@dataclass(frozen=True, slots=True)
class LineAgainstClub:
    """What a line brings a player, and what it brings in the club, on the sheets where it stands."""

    label: str
    sheets: int
    mine: float
    club: float


def lines(db: Database, player: Person, game: Game) -> list[LineAgainstClub]:
    mine = _means(db, "tally_player_lines WHERE player_id = ? AND game = ?", [player.id, game.id])
    scope = Scope(player.club_id, game.id)
    club = _means(db, f"tally_lines WHERE {scope.where}", scope.values)
    return [
        LineAgainstClub(label, mine[rule][0], mine[rule][1], club[rule][1])
        for rule, label in game.rules.items()
        if rule in mine and rule in club
    ]


def _means(db: Database, source: str, values: Sequence[Any]) -> dict[str, tuple[int, float]]:
    rows = db.execute(f"SELECT rule, sum(sheets), sum(points) FROM {source} GROUP BY rule", list(values)).fetchall()
    return {rule: (sheets, points / sheets) for rule, sheets, points in rows}


@dataclass(frozen=True, slots=True)
class Opponent:
    """Everybody placed below you, you have beaten; equal places are ties."""

    id: int
    name: str
    won: int
    lost: int
    tied: int
    look: Look = PLAIN

    @property
    def met(self) -> int:
        return self.won + self.lost + self.tied

    @property
    def rate(self) -> Rate:
        return Rate(self.won, self.met)


def opponents(db: Database, player: Person, game: str | None = None) -> list[Opponent]:
    """Head to head with everybody met, the most met first."""
    only, values = ("AND game = ?", [player.id, game]) if game else ("", [player.id])
    rows = db.execute(
        f"""SELECT opponent_id, players.name, sum(won), sum(lost), sum(tied), colour, token FROM tally_pairs
        JOIN players ON players.id = opponent_id WHERE player_id = ? {only}
        GROUP BY opponent_id, players.name, colour, token
        ORDER BY sum(won) + sum(lost) + sum(tied) DESC, players.name""",
        values,
    ).fetchall()
    return [
        Opponent(number, name, won, lost, tied, looks.worn(name, colour, token))
        for number, name, won, lost, tied, colour, token in rows
    ]


def nemesis(found: Sequence[Opponent]) -> Opponent | None:
    """Who beats you: more defeats than victories, at least three, and the highest share of defeats."""
    feared = [one for one in found if one.lost > one.won and one.lost >= NEMESIS_LOSSES]
    return max(feared, key=lambda one: (one.lost / one.met, one.lost), default=None)


def minion(found: Sequence[Opponent]) -> Opponent | None:
    """Whom you beat, by the same measure: the one whose nemesis you could be."""
    beaten = [one for one in found if one.won > one.lost and one.won >= NEMESIS_LOSSES]
    return max(beaten, key=lambda one: (one.won / one.met, one.won), default=None)


def roll(db: Database, club_id: int) -> list[dict[str, Any]]:
    """Everybody of the club with plays and victories, who plays most first."""
    return standing(db, Scope(club_id))


def standing(db: Database, scope: Scope) -> list[dict[str, Any]]:
    """The same of some of the plays."""
    sql = "SELECT id, name, colour, token FROM players WHERE club_id = ?"
    people = db.execute(sql, [scope.club_id]).fetchall()
    sums = {player_id: [0, 0, 0] for player_id, *_ in people}
    where, values = scope.of_players(list(sums))
    for player_id, *more in db.execute(
        f"SELECT player_id, plays, contests, wins FROM tally_players WHERE {where}", values
    ):
        sums[player_id] = list(map(add, sums[player_id], more))
    rows = [
        {
            "id": player_id,
            "name": name,
            "look": looks.worn(name, colour, token),
            "plays": plays,
            "contests": contests,
            "wins": wins,
            "rate": Rate(wins, contests),
        }
        for player_id, name, colour, token in people
        for plays, contests, wins in [sums[player_id]]
    ]
    return sorted(rows, key=lambda row: (-row["plays"], row["name"]))
