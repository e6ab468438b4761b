"""The club: what was played when, the closest games, the biggest comebacks, the year in review, what was earned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.sentences import Sentence, say, say_count
from webapp import clubs, days
from webapp.database import Database, pack
from webapp.history import Achievement, Listed, achievements, listing
from webapp.statistics import player, times
from webapp.statistics.scope import EVER, Scope, months, months_of
from webapp.words import day, lasting, points

MONTHS, MOST_MONTHS = 24, 36
SHOWN = 5


def played(db: Database, scope: Scope) -> list[dict[str, Any]]:
    """By game: plays, and the minutes of those of which we know them."""
    return list(
        db.query(
            f"""SELECT game, sum(plays) AS plays, sum(timed) AS timed, sum(minutes) AS minutes FROM tally_plays
            WHERE {scope.where} GROUP BY game ORDER BY plays DESC, game""",
            scope.values,
        )
    )


def by_month(db: Database, scope: Scope) -> list[tuple[str, int]]:
    """Plays of each month, without gaps: the latest of the months asked for, or of the latest two years."""
    first, last = latest_months(db, scope.club_id)
    asked = [month for period in scope.periods for month in months_of(period)] if scope.periods != EVER else []
    shown = asked[-MOST_MONTHS:] or (months(first, last) if last else [])
    within = replace(scope, periods=tuple(shown))
    plays = dict(
        db.execute(
            f"SELECT period, sum(plays) FROM tally_plays WHERE {within.where} GROUP BY period", within.values
        ).fetchall()
    )
    return [(month, plays.get(month, 0)) for month in shown]


def played_months(db: Database, club_id: int) -> tuple[str, str]:
    """The first and the last month in which the club played; "" before the first play."""
    [first, last] = db.execute(
        """SELECT (SELECT min(day) FROM tally_days WHERE club_id = ?1),
        (SELECT max(day) FROM tally_days WHERE club_id = ?1)""",
        [club_id],
    ).fetchone()
    return (first[:7], last[:7]) if last else ("", "")


def latest_months(db: Database, club_id: int) -> tuple[str, str]:
    """The same, the first not longer ago than is shown."""
    first, last = played_months(db, club_id)
    if not last:
        return "", ""
    number = int(last[:4]) * 12 + int(last[5:7]) - MONTHS
    return max(first, f"{number // 12:04}-{number % 12 + 1:02}"), last


def years(db: Database, club_id: int) -> list[str]:
    """The years in which the club played, the latest first."""
    rows = db.execute(
        "SELECT DISTINCT period FROM tally_weekdays WHERE club_id = ? AND period <> '' ORDER BY 1 DESC", [club_id]
    ).fetchall()
    return [year for (year,) in rows]


def closest(db: Database, club_id: int, year: str = "") -> list[Listed]:
    """The games with the smallest margin, the latest of equals first."""
    of_year, values = ("AND substr(day, 1, 4) = ?", [club_id, year]) if year else ("", [club_id])
    rows = db.execute(
        f"""SELECT id FROM kept_plays WHERE club_id = ? AND deleted_at IS NULL {of_year} AND margin >= 0
        ORDER BY margin, played_at DESC LIMIT {SHOWN}""",
        values,
    ).fetchall()
    return listing.listed(db, [play_id for (play_id,) in rows])


def comebacks(db: Database, club_id: int) -> list[Listed]:
    """The games won though the winner was far behind somebody on one line."""
    rows = db.execute(
        f"""SELECT id FROM kept_plays WHERE club_id = ? AND deleted_at IS NULL AND comeback > 0
        ORDER BY comeback DESC, played_at DESC LIMIT {SHOWN}""",
        [club_id],
    ).fetchall()
    return listing.listed(db, [play_id for (play_id,) in rows])


@dataclass(frozen=True, slots=True)
class Year:
    """A year in review."""

    year: str
    plays: int
    timed: int
    minutes: int
    months: list[tuple[str, int]]
    games: list[dict[str, Any]]
    people: list[dict[str, Any]]
    bests: list[dict[str, Any]]
    closest: list[Listed]
    places: list[tuple[str, int]]

    @property
    def champion(self) -> dict[str, Any] | None:
        """Who won most; nobody if nobody could win."""
        return self.people[0] if self.people and self.people[0]["wins"] else None


def year_of(db: Database, club_id: int, year: str) -> Year | None:
    scope = Scope(club_id, periods=(year,))
    games = played(db, scope)
    if not games:
        return None
    people = sorted(player.standing(db, scope), key=lambda row: (-row["wins"], -row["plays"], row["name"]))
    plays, timed, minutes = (sum(game[column] for game in games) for column in ("plays", "timed", "minutes"))
    return Year(
        year,
        plays,
        timed,
        minutes,
        by_month(db, scope),
        games,
        [row for row in people if row["plays"]],
        [best for game in games for best in _best_of_year(db, club_id, game["game"], year)],
        closest(db, club_id, year),
        times.places(db, club_id, year)[:SHOWN],
    )


Fact = tuple[str, str, str]  # what it is, what it was, and a word on it


def facts(year: Year, titles: Mapping[str, str], busiest: tuple[str, int] | None) -> list[Fact]:
    """What one wants to tell of a year, the page and the picture alike."""
    game = year.games[0]
    found: list[Fact] = [(say("Played most"), titles.get(game["game"], game["game"]), plays_of(game["plays"]))]
    if year.champion:
        one = year.champion
        games = say_count("{wins} of {n} game", "{wins} of {n} games", one["contests"], wins=one["wins"])
        found.append((say("Most victories"), one["name"], games))
    if year.timed:
        timed = say_count("of the {n} play that was timed", "of the {n} plays that were timed", year.timed)
        found.append((say("At the table"), lasting(year.minutes), timed))
    if busiest and busiest[1] > 1:
        found.append((say("Busiest day"), day(busiest[0]), plays_of(busiest[1])))
    if year.bests:
        best = year.bests[0]
        found.append((say("Best in {game}", game=titles.get(best["game"], "")), points(best["total"]), best["player"]))
    if year.places:
        place, plays = year.places[0]
        found.append((say("Most often at"), place, plays_of(plays)))
    return found


def plays_of(number: int) -> Sentence:
    return say_count("{n} play", "{n} plays", number)


def _best_of_year(db: Database, club_id: int, game: str, year: str) -> list[dict[str, Any]]:
    """The best score of the year's sums, found again by the way of playing in which it was reached."""
    ways = db.execute(
        """SELECT player_count, variant, total FROM tally_totals
        WHERE club_id = ?1 AND place = '' AND period = ?2 AND game = ?3 AND variant IN (
            SELECT variant FROM tally_plays
            WHERE club_id = ?1 AND place = '' AND period = ?2 AND variant <> '*' AND game = ?3)
        AND total = (SELECT max(total) FROM tally_totals
            WHERE club_id = ?1 AND place = '' AND period = ?2 AND variant = '*' AND game = ?3)""",
        [club_id, year, game],
    ).fetchall()
    zone = clubs.zone_of(db, club_id)
    within = days.beginning(f"{year}-01-01", zone), days.end(f"{year}-12-31", zone)
    found = [
        row
        for way in ways
        for row in db.query(
            """SELECT kept_scores.game, total, player_id, players.name AS player, kept_plays.key, kept_scores.played_at
            FROM kept_scores JOIN players ON players.id = player_id JOIN kept_plays ON kept_plays.id = play_id
            WHERE kept_scores.club_id = ? AND kept_scores.game = ? AND kept_scores.player_count = ?
            AND kept_scores.variant = ? AND total = ? AND kept_scores.played_at >= ? AND kept_scores.played_at < ?
            ORDER BY kept_scores.played_at LIMIT 1""",
            [club_id, game, *way, *within],
        )
    ]
    return sorted(found, key=lambda row: str(row["played_at"]))[:1]


@dataclass(frozen=True, slots=True)
class Earned:
    """An achievement in a club: how often, by whom most, who was first and who was last, and where to see it."""

    achievement: Achievement
    times: int
    holders: list[dict[str, Any]]
    first: dict[str, Any] | None
    latest: dict[str, Any] | None


def earned(db: Database, club_id: int) -> list[Earned]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in db.query(
        """SELECT achievement, times, players.id, players.name FROM tally_earned JOIN players ON players.id = player_id
        WHERE tally_earned.club_id = ? ORDER BY times DESC, players.name""",
        [club_id],
    ):
        found.setdefault(row["achievement"], []).append(row)
    first = _moments(db, "club_id", club_id, list(found), "")
    latest = _moments(db, "club_id", club_id, list(found), "DESC")
    return [
        Earned(
            one,
            sum(row["times"] for row in found.get(one.id, [])),
            found.get(one.id, []),
            first.get(one.id),
            latest.get(one.id),
        )
        for one in achievements.everything()
    ]


def earned_by(db: Database, player_id: int) -> list[tuple[Achievement, int, dict[str, Any]]]:
    """A player's achievements: how often, and the first time."""
    times = dict(db.execute("SELECT achievement, times FROM tally_earned WHERE player_id = ?", [player_id]).fetchall())
    first = _moments(db, "player_id", player_id, list(times), "")
    return [(one, times[one.id], first[one.id]) for one in achievements.everything() if one.id in first]


def earned_in(db: Database, play_id: int) -> list[tuple[str, Achievement]]:
    """What a play earned, and whom."""
    found = db.execute(
        """SELECT name, achievement FROM earned JOIN players ON players.id = player_id
        WHERE play_id = ? ORDER BY seat, achievement""",
        [play_id],
    ).fetchall()
    known = {one.id: one for one in achievements.everything()}
    return [(name, known[earned]) for name, earned in found if earned in known]


def _moments(db: Database, column: str, whose: int, wanted: list[str], order: str) -> dict[str, dict[str, Any]]:
    """By achievement, the first or the last time it was earned: in the whole club, or by one player."""
    rows = db.query(
        f"""SELECT earned.achievement, players.name, kept_plays.key, earned.played_at
        FROM words_in(?) AS wanted JOIN earned ON achievement = wanted.value AND (play_id, seat) = (
            SELECT play_id, seat FROM earned WHERE {column} = ? AND achievement = wanted.value
            ORDER BY played_at {order}, play_id {order} LIMIT 1
        ) JOIN players ON players.id = player_id JOIN kept_plays ON kept_plays.id = play_id""",
        [pack(wanted), whose],
    )
    return {row["achievement"]: row for row in rows}
