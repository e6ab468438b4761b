"""When, where and with whom: scores over time, the calendar, days of the week, first and last plays, places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from webapp.database import Database
from webapp.statistics.measures import FEW
from webapp.statistics.scope import EVER, Scope, months, months_of

MOST_PLACES = 30
MOST_PEOPLE = 8  # whose company is shown together
STEPS = 36  # months of scores that fit side by side


@dataclass(frozen=True, slots=True)
class Average:
    """The scores of a month or a year: how many, their average, and how far that may be off 19 times of 20."""

    period: str
    n: int
    mean: float
    reach: float

    @classmethod
    def of(cls, period: str, n: int, points: int, squared: int) -> Average:
        mean = points / n
        variance = max(0.0, squared / n - mean * mean)
        return cls(period, n, mean, 1.96 * (variance / n) ** 0.5)


def of_club(db: Database, scope: Scope, played: tuple[str, str]) -> list[Average]:
    """The average scores of the months of a scope, or of its years where months would not fit."""
    scope = replace(scope, periods=steps(scope.periods, played))
    return _averages(db, "tally_plays", "sheets", scope.where, scope.values)


def of_player(db: Database, player_id: int, game: str, played: tuple[str, str]) -> list[Average]:
    where, values = Scope(0, game, periods=steps(EVER, played)).of_player(player_id)
    return _averages(db, "tally_players", "sheets", where, values)


def steps(periods: tuple[str, ...], played: tuple[str, str]) -> tuple[str, ...]:
    """The periods that are drawn side by side: the latest months of those asked for, or all years."""
    if periods != EVER:
        found = [month for period in periods for month in months_of(period)]
        return tuple(found[-STEPS:])
    if not played[0]:
        return EVER
    every = months(*played)
    return tuple(every) if len(every) <= STEPS else tuple(dict.fromkeys(month[:4] for month in every))


def _averages(db: Database, table: str, counted: str, where: str, values: list[Any]) -> list[Average]:
    """Of periods with enough scores to say something."""
    rows = db.execute(
        f"""SELECT period, sum({counted}), sum(points), sum(squared) FROM {table} WHERE {where}
        GROUP BY period ORDER BY period""",
        values,
    ).fetchall()
    return [Average.of(*row) for row in rows if row[1] >= FEW]


def weekdays(db: Database, club_id: int, year: str = "", game: str = "") -> list[int]:
    """How many plays there were on Mondays, on Tuesdays, and so on."""
    only, values = ("AND game = ?", [club_id, year, game]) if game else ("", [club_id, year])
    rows = db.execute(
        f"SELECT weekday, sum(plays) FROM tally_weekdays WHERE club_id = ? AND period = ? {only} GROUP BY weekday",
        values,
    ).fetchall()
    plays = dict(rows)
    return [plays.get(weekday, 0) for weekday in range(7)]


def calendar(db: Database, club_id: int, year: str) -> list[list[tuple[str, int] | None]]:
    """The weeks of a year from Monday to Sunday: each day and how many plays it had; None outside the year."""
    plays = dict(
        db.execute(
            "SELECT day, plays FROM tally_days WHERE club_id = ? AND day BETWEEN ? AND ?",
            [club_id, f"{year}-01-01", f"{year}-12-31"],
        ).fetchall()
    )
    first = date(int(year), 1, 1)
    start = first - timedelta(days=first.weekday())
    weeks: list[list[tuple[str, int] | None]] = []
    for week in range(54):
        days = [start + timedelta(days=7 * week + weekday) for weekday in range(7)]
        if any(day.year == first.year for day in days):
            weeks.append(
                [(day.isoformat(), plays.get(day.isoformat(), 0)) if day.year == first.year else None for day in days]
            )
    return weeks


def busiest(db: Database, club_id: int, year: str) -> tuple[str, int] | None:
    """The day with the most plays, the earliest of equals."""
    row = db.execute(
        """SELECT day, plays FROM tally_days WHERE club_id = ? AND day BETWEEN ? AND ?
        ORDER BY plays DESC, day LIMIT 1""",
        [club_id, f"{year}-01-01", f"{year}-12-31"],
    ).fetchone()
    return (row[0], row[1]) if row else None


def places(db: Database, club_id: int, year: str = "") -> list[tuple[str, int]]:
    """Where the club played, ever or in a year, most often first."""
    return db.execute(
        f"""SELECT place, plays FROM tally_places WHERE club_id = ? AND period = ? AND place <> ''
        ORDER BY plays DESC, place LIMIT {MOST_PLACES}""",
        [club_id, year],
    ).fetchall()


def first_and_last(db: Database, club_id: int, game: str = "") -> list[dict[str, Any]]:
    """The first play and the latest one, with their keys."""
    only, values = ("AND game = ?", [club_id, game]) if game else ("", [club_id])
    return [
        row
        for order in ("", "DESC")
        for row in db.query(
            f"""SELECT key, game, played_at FROM kept_plays WHERE club_id = ? AND deleted_at IS NULL {only}
            ORDER BY played_at {order}, id {order} LIMIT 1""",
            values,
        )
    ]


def first_and_last_of(db: Database, player_id: int) -> list[dict[str, Any]]:
    return [
        row
        for order in ("", "DESC")
        for row in db.query(
            f"""SELECT key, kept_plays.game, kept_plays.played_at FROM kept_plays WHERE id = (
                SELECT play_id FROM kept_scores WHERE player_id = ?
                ORDER BY played_at {order}, play_id {order} LIMIT 1)""",
            [player_id],
        )
    ]


def company(db: Database, club_id: int) -> tuple[list[tuple[int, str]], dict[tuple[int, int], int]]:
    """Those who play most, and how often any two of them sat at one table."""
    people = db.execute(
        f"""SELECT players.id, players.name FROM players JOIN tally_players ON player_id = players.id
        WHERE club_id = ? AND place = '' AND period = '' AND variant = '*' GROUP BY players.id
        ORDER BY sum(plays) DESC, players.name LIMIT {MOST_PEOPLE}""",
        [club_id],
    ).fetchall()
    marks = ", ".join("?" * len(people))
    ids = [number for number, _ in people]
    met = db.execute(
        f"""SELECT player_id, opponent_id, sum(won) + sum(lost) + sum(tied) FROM tally_pairs
        WHERE player_id IN ({marks}) AND opponent_id IN ({marks}) GROUP BY 1, 2""",
        [*ids, *ids],
    ).fetchall()
    return people, {(one, other): times for one, other, times in met}
