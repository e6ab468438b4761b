"""Create a demo club with a few seasons of games: `tidemark demo`. Every game is legal and scored by the scorer.

A large history reuses tables from a pool (`demo_tables`) with other players. The club meets for evenings of a few
games. Some regulars come more often than others. The two who come nearly always also play best. Sometimes there is a
guest.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from scorer import games
from scorer.contract import Json
from scorer.result import Result
from webapp import clubs
from webapp.cli.demo_tables import SEED, pool
from webapp.database import Database
from webapp.history import NewPlay, decision_of
from webapp.history import plays as history
from webapp.themes import about

CLUB = "The Harbour Club"
# Regulars and their skill: each draws so many random numbers, and the highest numbers get the best boards.
PEOPLE = {"Ada": 6, "Björn": 6, "Chidi": 4, "Dolores": 3, "Edith": 3, "Farid": 2, "Grete": 1, "Hiro": 1}
COME = (16, 14, 8, 7, 5, 4, 3, 2)  # how often each comes, in relation to the others
GUESTS = {"Inês": 2, "Jakub": 1, "Kofi": 3, "Liv": 2, "Marek": 1, "Noor": 2}
# A place or note that names somebody is only used when that person is there.
PLACES = ("", "Ada’s kitchen", "Ada’s kitchen", "The Anchor", "Farid’s balcony", "Train to Esbjerg")
NOTES = (
    "",
    "",
    "",
    "",
    "Rain all evening.",
    "Edith brought cake.",
    "Thinking took longer than building.",
    "Rematch demanded.",
)
POOL = 120  # tables of each game that a large history reuses
YEARS = 3
LATEST = datetime(2026, 11, 12, 19, 0, tzinfo=UTC)
THURSDAY = 3
GAMES = (1, 2, 2, 3, 3, 4)  # numbers of games in an evening, one of which is drawn
COMPANY = (2, 3, 3, 3, 4, 4)  # numbers of people at an evening
GUEST = 0.15  # share of evenings with a guest
REMATCH = 0.2  # share of games that are played again at once
PAUSE = 10  # minutes between two games


def seed(db: Database, plays: int) -> int:
    """Create the club and save `plays` games in it. Return the club's id."""
    club_id = clubs.create(db, CLUB)
    chance = random.Random(SEED)  # noqa: S311 - the club is meant to be the same every time
    pools = {game.id: list(pool(game, chance, min(POOL, plays))) for game in games.all_games()}
    pools = {game: tables for game, tables in pools.items() if tables}
    history.save_all(db, club_id, evenings(chance, pools, plays))
    return club_id


def evenings(chance: random.Random, pools: dict[str, list[str]], plays: int) -> Iterator[NewPlay]:
    """Yield `plays` games from the oldest to the latest. `pools` has, by game, the tables that they are made from."""
    tables = {game: by_size(packed) for game, packed in pools.items()}
    nights: list[int] = []
    while sum(nights) < plays:
        nights.append(min(chance.choice(GAMES), plays - sum(nights)))
    pace = timedelta(days=365 * YEARS) / max(len(nights), 1)
    for number, games_played in enumerate(nights):
        begins = LATEST - pace * (len(nights) - number - 1)
        if pace >= timedelta(days=1):
            begins = begins.replace(hour=19, minute=5 * chance.randrange(9), second=0)
        if pace >= timedelta(days=7):
            begins -= timedelta(days=(begins.weekday() - THURSDAY) % 7)
        yield from evening(chance, tables, begins, games_played, pace / 5)


def by_size(tables: Sequence[str]) -> dict[int, list[str]]:
    """Return the tables in lists by their number of players. Each table is a record and its result, packed as JSON
    text."""
    found: dict[int, list[str]] = {}
    for packed in tables:
        found.setdefault(len(json.loads(packed)[0]["players"]), []).append(packed)
    return found


def evening(
    chance: random.Random, tables: dict[str, dict[int, list[str]]], begins: datetime, games_played: int, most: timedelta
) -> Iterator[NewPlay]:
    """Yield the games of one evening, `games_played` in number. `tables` has packed tables by game and number of
    players. The first game starts at `begins`; from one start to the next is at most `most`."""
    people = company(chance, [], chance.choice(COMPANY))
    if chance.random() < GUEST:
        people[-1] = chance.choice(list(GUESTS))
    place, game = chance.choice([place for place in PLACES if is_there(place, people)]), ""
    for _ in range(games_played):
        if not game or chance.random() >= REMATCH:
            game = chance.choice([other for other in tables if other != game] or [game])
        seats = max((n for n in tables[game] if n <= len(people)), default=min(tables[game]))
        packed = chance.choice(tables[game][seats])
        record, result = json.loads(packed)
        names = chance.sample(company(chance, people, seats), seats)
        record, result = json.loads(renamed(packed, record["players"], by_skill(chance, names, result)))
        usually = about(game).get("finished", {}).get("minutes", 40)
        minutes = round(usually * chance.uniform(0.8, 1.3))
        yield NewPlay(
            record,
            decision_of(record, result),
            begins.strftime("%Y-%m-%dT%H:%M:%SZ"),
            chance.choice([note for note in NOTES if is_there(note, names)]),
            place,
            chance.choice((None, minutes, minutes)),
        )
        begins += min(timedelta(minutes=minutes + PAUSE), most)


def company(chance: random.Random, people: Sequence[str], size: int) -> list[str]:
    """Return `people` and, if they are fewer than `size`, as many random regulars of the club as are missing."""
    found = list(people)
    while len(found) < size:
        [name] = chance.choices(list(PEOPLE), COME)
        found += [name] * (name not in found)
    return found


def is_there(words: str, people: Sequence[str]) -> bool:
    """Return True if all regulars named in the text `words`, such as a note on a game, are among `people`."""
    return all(name in people for name in PEOPLE if name in words)


def by_skill(chance: random.Random, names: Sequence[str], result: Result) -> list[str]:
    """Return a player's name for each seat. Better players tend to get the seats that rank better in the result."""
    skill = {**GUESTS, **PEOPLE}
    order = sorted(names, key=lambda name: -max(chance.random() for _ in range(skill[name])))
    places = sorted(range(len(names)), key=lambda seat: result["players"][seat]["rank"])
    seated = dict(zip(places, order, strict=True))
    return [seated[seat] for seat in range(len(names))]


def renamed(packed: str, players: Sequence[Json], names: Sequence[str]) -> str:
    """Return a record and its result, packed as text, with `names` in place of the names of `players` everywhere."""
    for player, name in zip(players, names, strict=True):
        packed = packed.replace(player["name"], name)
    return packed
