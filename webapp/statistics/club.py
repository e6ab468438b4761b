"""Compute the page of a club: what was played when and where, who plays together, and the closest games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.database import Database
from webapp.history import Listed, listing
from webapp.statistics.game import MOST_PLACES
from webapp.statistics.results import Standing
from webapp.statistics.scope import Scope, months

MONTHS, MOST_MONTHS = 24, 36
SHOWN = 5
MOST_PEOPLE = 8  # in the table of who plays together


@dataclass(frozen=True, slots=True)
class Played:
    """Hold how often a title was played; `timed` games have a known time, `minutes` in all."""

    game: str
    plays: int
    timed: int
    minutes: int


def played(db: Database, scope: Scope) -> list[Played]:
    """Return the titles with their games, most played first."""
    rows = db.execute(
        f"""SELECT game, count(*), count(minutes), coalesce(sum(minutes), 0) FROM all_plays WHERE {scope.where}
        GROUP BY game ORDER BY count(*) DESC, game""",
        scope.values,
    )
    return [Played(*row) for row in rows]


def by_month(db: Database, scope: Scope) -> list[tuple[str, int]]:
    """Return each month and its number of games, months without games included.

    A scope without a period gives the 24 months up to the latest game. One with a period gives at most its last 36
    months.
    """
    plays = dict(
        db.execute(
            f"SELECT substr(day, 1, 7), count(*) FROM all_plays WHERE {scope.where} GROUP BY 1", scope.values
        ).fetchall()
    )
    if scope.first:
        first, last, most = scope.first[:7], scope.last[:7], MOST_MONTHS
    else:
        first, last, most = min(plays, default=""), max(plays, default=""), MONTHS
    shown = months(first, last)[-most:] if first and first <= last else []
    return [(month, plays.get(month, 0)) for month in shown]


def closest(db: Database, scope: Scope) -> list[Listed]:
    """Return at most `SHOWN` games: those that were won by the smallest margin, the smallest first. Of equal margins,
    the latest game comes first."""
    rows = db.execute(
        f"""SELECT id FROM all_plays WHERE {scope.where} AND margin >= 0
        ORDER BY margin, played_at DESC, id DESC LIMIT {SHOWN}""",
        scope.values,
    ).fetchall()
    return listing.listed(db, [play_id for (play_id,) in rows])


@dataclass(frozen=True, slots=True)
class Moment:
    """Hold a game and when it was played."""

    key: str
    game: str
    played_at: str


def first_and_latest(db: Database, scope: Scope) -> list[Moment]:
    """Return the first and the latest game, which may be the same; an empty list if there is none."""
    return [
        Moment(*row)
        for order in ("", "DESC")
        for row in db.execute(
            f"""SELECT key, game, played_at FROM all_plays WHERE id = (
                SELECT id FROM all_plays WHERE {scope.where} ORDER BY played_at {order}, id {order} LIMIT 1)""",
            scope.values,
        )
    ]


def places(db: Database, scope: Scope) -> list[tuple[str, int]]:
    """Return at most `MOST_PLACES` places with their numbers of games, the most frequent place first."""
    return db.execute(
        f"""SELECT place, count(*) FROM all_plays WHERE {scope.where} AND place <> ''
        GROUP BY place ORDER BY count(*) DESC, place LIMIT {MOST_PLACES}""",
        scope.values,
    ).fetchall()


def played_together(db: Database, scope: Scope, people: Sequence[Standing]) -> dict[tuple[int, int], int]:
    """Return how many games two players both played, by pairs of ids; each pair is there in both orders. Only the first
    `MOST_PEOPLE` of `people` are compared; pairs without a game are left out."""
    some = [one.id for one in people[:MOST_PEOPLE]]
    if len(some) < 2:
        return {}
    # The players of a game become a number with a bit for each: there are few different ones.
    bits = " ".join(f"WHEN {int(number)} THEN {1 << bit}" for bit, number in enumerate(some))
    found: dict[tuple[int, int], int] = {}
    for who, times in db.execute(
        f"""SELECT who, count(*) FROM (
            SELECT all_plays.id, sum(CASE player_id {bits} ELSE 0 END) AS who
            FROM all_plays JOIN all_scores ON play_id = all_plays.id WHERE {scope.where} GROUP BY all_plays.id
        ) AS met GROUP BY who""",
        scope.values,
    ):
        together = [number for bit, number in enumerate(some) if who >> bit & 1]
        for pair in ((one, other) for one in together for other in together if one != other):
            found[pair] = found.get(pair, 0) + times
    return found
