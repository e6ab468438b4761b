"""Word the rows of each chart, and of the table behind it, for the pages of statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from scorer.contract import Game
from scorer.sentences import Sentence, say, say_count
from webapp.history import Rating
from webapp.statistics.charts import rate_in_short
from webapp.statistics.club import Played
from webapp.statistics.game import LineAverage
from webapp.statistics.measures import Average, Rate, Spread
from webapp.statistics.player import LineAgainstClub, Opponent
from webapp.statistics.results import Standing
from webapp.template_filters import day, mean, month, ordinal, percent, period

MOST_WINNERS = 12
LEAST_SHOWN = 0.05  # a smaller difference is written as 0.0

Rows = list[tuple[Any, ...]]


class Figure(NamedTuple):
    rows: Rows
    table: Rows


def span(low: str, high: str) -> Sentence:
    return say("{low} to {high}", low=low, high=high)


def by_count(groups: Iterable[tuple[int, Spread]]) -> Figure:
    """Return the bars and the table of the average score for each number of players."""
    found = Figure([], [])
    for count, spread in groups:
        words = say_count("{mean} · {n} score", "{mean} · {n} scores", spread.n, mean=mean(spread.mean))
        found.rows.append((say_count("{n} player", "{n} players", count), spread.mean, words))
        found.table.append((count, spread.n, mean(spread.mean), mean(spread.median), spread.best))
    return found


def over_time(averages: Iterable[Average]) -> Figure:
    """Return the track and the table of the average score of each month or year, with its likely range."""
    found = Figure([], [])
    for one in averages:
        low, high = one.mean - one.reach, one.mean + one.reach
        found.rows.append((period(one.period), one.mean, low, high))
        found.table.append((period(one.period), one.n, mean(one.mean), span(mean(low), mean(high))))
    return found


def winners(standings: Iterable[Standing]) -> Figure:
    """Return the rates and the table of how often each player wins. Of the players who could have won a game, only the
    first `MOST_WINNERS` in `standings` are there."""
    found = Figure([], [])
    for one in [one for one in standings if one.contests][:MOST_WINNERS]:
        rate = one.rate
        found.rows.append((one.name, rate, one.avatar))
        likely = span(percent(rate.low), percent(rate.high))
        found.table.append((one.name, rate.of, rate.hits, rate_in_short(rate), likely))
    return found


def lines(averages: Iterable[LineAverage]) -> Figure:
    """Return the bars and the table of the average points for each line of the score sheet."""
    found = Figure([], [])
    for one in averages:
        found.rows.append((one.label, one.mean, mean(one.mean)))
        found.table.append((one.label, mean(one.mean), one.of))
    return found


def seats(count: int, rates: Iterable[Rate]) -> Figure:
    """Return how often each seat wins with this number of players."""
    found = Figure([], [])
    for place, rate in enumerate(rates, 1):
        found.rows.append((say("{nth} player", nth=ordinal(place)), rate))
        who = say_count("{n} player, {nth}", "{n} players, {nth}", count, nth=ordinal(place))
        likely = span(percent(rate.low), percent(rate.high))
        found.table.append((who, rate.of, rate.hits, percent(rate.share), likely))
    return found


def all_seats(by_count: Iterable[tuple[int, Iterable[Rate]]]) -> Rows:
    """Return the table of how often each seat wins, with each number of players."""
    return [row for count, rates in by_count for row in seats(count, rates).table]


def skill(history: Iterable[tuple[str, Rating]]) -> Figure:
    """Return the rating after each game with its likely range."""
    found = Figure([], [])
    for played_at, one in history:
        found.rows.append((day(played_at), one.skill, one.low, one.high))
        found.table.append((day(played_at), mean(one.skill), span(mean(one.low), mean(one.high))))
    return found


def compared(averages: Iterable[LineAgainstClub]) -> Figure:
    """Return how far a player's average of each line is above or below the club's."""
    found = Figure([], [])
    for one in averages:
        ahead = one.mine - one.club
        found.rows.append((one.label, ahead, ("+" if ahead >= LEAST_SHOWN else "") + mean(ahead)))
        found.table.append((one.label, one.sheets, mean(one.mine), mean(one.club)))
    return found


def against(meetings: Iterable[tuple[Game, Opponent]]) -> Figure:
    """Return the rates and the table of how often a player finished ahead of one opponent, by title."""
    found = Figure([], [])
    for game, one in meetings:
        found.rows.append((game.name, one.rate))
        found.table.append((game.name, one.met, one.won, one.lost, one.tied))
    return found


def counts(played: Iterable[tuple[Any, int]]) -> Figure:
    """Return the bars and the table of counts of games; `played` has labels, such as places, with their counts."""
    table: Rows = list(played)
    return Figure([(label, plays, plays) for label, plays in table], table)


def titles(played: Iterable[Played], names: Mapping[str, str]) -> Figure:
    """Return how often each game was played."""
    return counts((names[one.game], one.plays) for one in played)


def months(played: Iterable[tuple[str, int]]) -> Rows:
    """Return the table of the games of each month."""
    return [(month(name), plays) for name, plays in played]


def days(calendar: Iterable[Iterable[tuple[str, int] | None]]) -> Rows:
    """Return a table with the date and the number of games of each day with games. `calendar` has weeks of days, each a
    date with its number of games, or None."""
    return [(day(at), plays) for week in calendar for at, plays in filter(None, week) if plays]


def squares(heat: Iterable[Iterable[tuple[str, float]]]) -> Rows:
    """Return the table of each square's name and the percentage of boards on which a piece lay there."""
    return [(cell, percent(share)) for row in heat for cell, share in row]
