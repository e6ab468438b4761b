"""Build the review of a year: games by day, most wins and best scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from scorer.sentences import Sentence, say, say_count
from webapp.database import Database
from webapp.history import Listed
from webapp.statistics import club, headlines, results
from webapp.statistics.club import SHOWN, Played
from webapp.statistics.results import Standing
from webapp.statistics.scope import Scope
from webapp.template_filters import day, lasting, points

Week = list[tuple[str, int] | None]  # each day and its games; None outside the year


@dataclass(frozen=True, slots=True)
class Best:
    """Hold the best score of a title and the player who reached it first."""

    game: str
    total: int
    player_id: int
    player: str
    key: str
    played_at: str


@dataclass(frozen=True, slots=True)
class Year:
    """Hold the review of a year: games by month, day, title and player, best scores, closest games and places."""

    year: str
    months: list[tuple[str, int]]
    days: dict[str, int]
    games: list[Played]
    people: list[Standing]  # most wins first
    bests: list[Best]
    closest: list[Listed]
    places: list[tuple[str, int]]
    left_out: list[Sentence]

    @property
    def plays(self) -> int:
        return sum(one.plays for one in self.games)

    @property
    def champion(self) -> Standing | None:
        """Return the player with the most wins, or None if nobody won."""
        return self.people[0] if self.people and self.people[0].wins else None

    @property
    def busiest(self) -> tuple[str, int] | None:
        """Return the day with the most games and their number; of equal days, the earliest. None without games."""
        return min(self.days.items(), key=lambda item: (-item[1], item[0]), default=None)

    @property
    def calendar(self) -> list[Week]:
        """Return the weeks of the year from Monday: each day with its number of games, or None outside the year."""
        first = date(int(self.year), 1, 1)
        start, weeks = first - timedelta(days=first.weekday()), []
        for week in range(54):
            days = [start + timedelta(days=7 * week + weekday) for weekday in range(7)]
            if any(one.year == first.year for one in days):
                weeks.append([self._day(one) if one.year == first.year else None for one in days])
        return weeks

    def _day(self, one: date) -> tuple[str, int]:
        return one.isoformat(), self.days.get(one.isoformat(), 0)


def of_club(db: Database, club_id: int, year: str) -> Year | None:
    """Return the review of the year, or None if nothing was played."""
    scope = Scope(club_id, first=f"{year}-01-01", last=f"{year}-12-31")
    games = club.played(db, scope)
    if not games:
        return None
    found = results.by_seat(db, scope)
    people = results.standings(results.people(db, club_id), found)
    days = db.execute(f"SELECT day, count(*) FROM all_plays WHERE {scope.where} GROUP BY day", scope.values)
    return Year(
        year,
        club.by_month(db, scope),
        dict(days.fetchall()),
        games,
        sorted((one for one in people if one.plays), key=lambda one: (-one.wins, -one.plays, one.name)),
        bests(db, scope, [one.game for one in games]),
        club.closest(db, scope),
        club.places(db, scope)[:SHOWN],
        headlines.left_out(results.still_to_count(db, scope), results.undecided(found)),
    )


def bests(db: Database, scope: Scope, order: list[str]) -> list[Best]:
    """Return the best score of each title that has one, sorted as the titles in `order`."""
    rows = db.execute(
        f"""WITH best AS (
            SELECT game AS title, max(total) AS most FROM all_plays JOIN all_scores ON play_id = all_plays.id
            WHERE {scope.where} GROUP BY game
        ), reached AS (
            SELECT title, most, player_id, all_plays.id AS play_id, row_number() OVER (
                PARTITION BY title ORDER BY played_at, all_plays.id, seat) AS nth
            FROM best JOIN all_plays ON game = title
            JOIN all_scores ON play_id = all_plays.id AND total = most WHERE {scope.where}
        )
        SELECT title, most, player_id, name, key, played_at FROM reached JOIN players ON players.id = player_id
        JOIN all_plays ON all_plays.id = play_id WHERE nth = 1""",
        [*scope.values, *scope.values],
    )
    return sorted((Best(*row) for row in rows), key=lambda one: order.index(one.game))


Fact = tuple[Sentence, str, str]  # heading, answer and detail


def facts(year: Year, titles: Mapping[str, str]) -> list[Fact]:
    """Return the highlights of a year, each as heading, value and note. `titles` has the names of titles by id."""
    game = year.games[0]
    found: list[Fact] = [(say("Most played"), titles[game.game], games_of(game.plays))]
    if one := year.champion:
        won = say_count("{wins} of {n} game", "{wins} of {n} games", one.contests, wins=one.wins)
        found.append((say("Most wins"), one.name, won))
    timed, minutes = sum(one.timed for one in year.games), sum(one.minutes for one in year.games)
    if timed:
        found.append(
            (say("Time played"), lasting(minutes), say_count("in {n} timed game", "in {n} timed games", timed))
        )
    if year.busiest and year.busiest[1] > 1:
        found.append((say("Busiest day"), day(year.busiest[0]), games_of(year.busiest[1])))
    if year.bests:
        best = year.bests[0]
        title = titles[best.game]
        found.append((say("Best in {game}", game=title), points(best.total), best.player))
    if year.places:
        place, plays = year.places[0]
        found.append((say("Most frequent place"), place, games_of(plays)))
    return found


def games_of(number: int) -> Sentence:
    return say_count("{n} game", "{n} games", number)
