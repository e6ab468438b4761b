"""Count wins by title, number of players, seat and player with one query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webapp import avatars
from webapp.avatars import Avatar
from webapp.database import Database
from webapp.statistics.measures import Rate
from webapp.statistics.scope import Scope
from webapp.statistics.significance import Tosses, binomial_test

NOTHING = Rate(0, 0)


@dataclass(frozen=True, slots=True)
class SeatResults:
    """Hold the results of one player in one seat of a title. `decided` counts games with a known winner."""

    game: str
    player_count: int
    seat: int
    player_id: int
    plays: int
    decided: int
    wins: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Hold the games and wins of a player. Nobody wins a game played alone."""

    id: int
    name: str
    avatar: Avatar
    plays: int
    rate: Rate
    guest: bool = False

    @property
    def contests(self) -> int:
        return self.rate.of

    @property
    def wins(self) -> int:
        return self.rate.hits


@dataclass(frozen=True, slots=True)
class Claim:
    """Hold how often a player won a title, the expected number, and the probability that chance explains it."""

    game: str
    player_id: int
    name: str
    rate: Rate
    expected: float
    chance: float

    @property
    def is_ahead(self) -> bool:
        return self.rate.hits > self.expected


def by_seat(db: Database, scope: Scope) -> list[SeatResults]:
    return [
        SeatResults(*row)
        for row in db.execute(
            f"""SELECT game, player_count, seat, player_id, count(*),
                count(winner) FILTER (WHERE player_count > 1), count(*) FILTER (WHERE winner = 1 AND player_count > 1)
            FROM all_plays JOIN all_scores ON play_id = all_plays.id WHERE {scope.where}
            GROUP BY game, player_count, seat, player_id""",
            scope.values,
        )
    ]


def undecided(found: Sequence[SeatResults]) -> int:
    """Return how many games against others have no known winner; `found` has the results of each seat."""
    return sum(one.plays - one.decided for one in found if one.seat == 0 and one.player_count > 1)


def still_to_count(db: Database, scope: Scope) -> int:
    """Return how many scores in the scope are not final."""
    [count] = db.execute(
        f"SELECT count(*) FROM all_plays JOIN all_scores ON play_id = all_plays.id WHERE {scope.where} AND final = 0",
        scope.values,
    ).fetchone()
    return int(count)


def people(db: Database, club_id: int) -> dict[int, Standing]:
    """Return the club's players and guests by id, sorted by name, with no games counted yet."""
    rows = db.execute(
        "SELECT id, name, colour, token, guest FROM players WHERE club_id = ? ORDER BY name", [club_id]
    ).fetchall()
    return {
        number: Standing(number, name, avatars.avatar_of(name, colour, token), 0, NOTHING, bool(guest))
        for number, name, colour, token, guest in rows
    }


def standings(known: dict[int, Standing], results: Iterable[SeatResults]) -> list[Standing]:
    """Return the players of the club (not guests) with their games and wins in `results`, most games first. `known` has
    all players by id."""
    sums = {number: [0, 0, 0] for number in known}
    for one in results:
        mine = sums.setdefault(one.player_id, [0, 0, 0])
        mine[0] += one.plays
        mine[1] += one.wins
        mine[2] += one.decided
    found = [
        Standing(number, one.name, one.avatar, plays, Rate(wins, decided))
        for number, one in known.items()
        if not one.guest
        for plays, wins, decided in [sums[number]]
    ]
    return sorted(found, key=lambda one: (-one.plays, one.name))


def seats(results: Iterable[SeatResults]) -> list[tuple[int, list[Rate]]]:
    """Return each number of players with the rates of wins at its tables: one for each seat, in order."""
    found: dict[int, dict[int, Rate]] = {}
    for one in results:
        if one.player_count > 1:
            rates = found.setdefault(one.player_count, {})
            before = rates.get(one.seat, NOTHING)
            rates[one.seat] = Rate(before.hits + one.wins, before.of + one.decided)
    return [(count, [rates[seat] for seat in sorted(rates)]) for count, rates in sorted(found.items())]


def claims(known: dict[int, Standing], results: Sequence[SeatResults]) -> list[Claim]:
    """Return for each title and player the wins, compared with an even share at tables of the same size. `known` has
    all players by id."""
    tables: dict[tuple[str, int], Rate] = {}
    mine: dict[tuple[str, int], dict[int, Rate]] = {}
    for one in results:
        size = (one.game, one.player_count)
        tables[size] = _more(tables.get(size), one)
        counts = mine.setdefault((one.game, one.player_id), {})
        counts[one.player_count] = _more(counts.get(one.player_count), one)
    found = []
    for (game, player_id), counts in mine.items():
        tosses = [Tosses(rate.hits, rate.of, tables[game, count].share) for count, rate in counts.items() if rate.of]
        if tosses and player_id in known:
            found.append(claim(game, known[player_id], tosses))
    return found


def claim(game: str, player: Standing, tosses: Sequence[Tosses]) -> Claim:
    """Return how often a player won a title, compared with chance.

    `tosses` has the player's wins for each number of players.
    """
    rate = Rate(sum(one.hits for one in tosses), sum(one.of for one in tosses))
    expected = sum(one.of * one.chance for one in tosses)
    return Claim(game, player.id, player.name, rate, expected, binomial_test(tosses))


def _more(before: Rate | None, one: SeatResults) -> Rate:
    return Rate(one.wins, one.decided) if before is None else Rate(before.hits + one.wins, before.of + one.decided)
