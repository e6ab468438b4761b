"""Answer with version 0.7, in the worktree of that version, importing only its code.

This file never changes: `new.py` answers for today's code in the same terms. Pages are asked for by names, months and
ids, and answer with the figures they show. mypy skips this file, because it would check it against today's code.
"""

from __future__ import annotations

import csv
import json
import random
import tempfile
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from made import make
from webapp.cli.opening import opened
from wire import result, serve

from scorer import games
from scorer.core import score, score_as
from scorer.result import can_be_kept
from webapp import clubs
from webapp.cli import demo, main
from webapp.database import Database
from webapp.history import Filter, NewPlay, forgetting, kept, listing, people, plays, work, zones
from webapp.statistics import Scope, cards, figures, periods, times
from webapp.statistics import club as club_statistics
from webapp.statistics import game as game_statistics
from webapp.statistics import player as player_statistics
from webapp.statistics.scope import EVER, span
from webapp.table import kinds

Json = Any
T = TypeVar("T")
NAMED = "id, key, version, record, result"  # what a row needs for its names
FIRST_DAY = "2024-02-29"
held = ExitStack()  # databases that are open
open_now: dict[str, tuple[Database, int]] = {}


def there(found: T | None) -> T:
    """Return the value, and fail if it is None."""
    assert found is not None
    return found


def score_all(records: list[Json]) -> list[Json]:
    return [result(score(record)) for record in records]


def found_club(path: str, plays_wanted: int, seed: int, records: list[Json]) -> None:
    """Create a club with demo games and those records that can be saved; edit some and delete some.

    Open ties are left out, because 0.7 counts all tied players as winners.
    """
    chance = random.Random(seed)
    demo.SEED = seed
    with opened(path, new=True) as db:
        club_id = demo.seed(db, plays_wanted)
        scored = [(record, score(record)) for record in records]
        new = [
            NewPlay(record, found, f"{FIRST_DAY}T{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}Z", "", "The Anchor", n)
            for n, (record, found) in enumerate(scored, 1)
            if found["ok"] and can_be_kept(found) and not found["needs"]
        ]
        plays.save_all(db, club_id, new)
        keys = [row["key"] for row in kept.each(db, club_id, columns=NAMED)]
        for key in chance.sample(keys, len(keys) // 10):
            play = there(kept.find(db, key))
            record = demo.changed(there(games.find(play.game)), play.record, chance)
            corrected = score_as(there(games.find(play.game)), record)
            if can_be_kept(corrected) and not corrected["needs"]:
                plays.correct(db, play, record, corrected)
        for key in chance.sample(keys, len(keys) // 20):
            plays.delete(db, there(kept.find(db, key)))
        for key in chance.sample(keys, len(keys) // 20):
            plays.describe(db, there(kept.find(db, key)), "Moved", "Elsewhere", 77, f"{FIRST_DAY}T20:00:00Z")


def export(path: str, file: str, kind: str = "json") -> None:
    assert main(["export", "--db", path, "--as", kind, file]) == 0


def bring(path: str, file: str) -> None:
    """Import an exported file into a new database."""
    assert main(["import", "--db", path, file]) == 0, "the import was refused"


def club(path: str) -> tuple[Database, int]:
    """Open a database, and find its first club."""
    if path not in open_now:
        db = held.enter_context(opened(path))
        open_now[path] = db, there(clubs.first_club(db))
    return open_now[path]


def change(path: str, what: str, name: str, other: str = "") -> Json:
    """Change a club: set its zone; rename, merge or forget a player; restore a deleted game."""
    db, club_id = club(path)
    if what == "zone":
        done: Json = zones.settle(db, club_id, name)
    elif what == "restore":
        done = None
        plays.restore(db, there(kept.find(db, name)))
    else:
        person = there(people.by_name(db, club_id, name))
        if what == "rename":
            done = people.rename(db, person, other)
        elif what == "merge":
            done = people.merge(db, person, there(people.by_name(db, club_id, other)))
        else:
            done = forgetting.forget(db, person, other, also_in_words=True)
    work.finish(db)
    return done


def exported(path: str, kind: str) -> Json:
    """Return the rows of a CSV export without labels."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "export.csv"
        export(path, str(file), kind)
        with file.open(encoding="utf-8-sig", newline="") as lines:
            return sorted(sorted(without(row, "game", "label").items()) for row in csv.DictReader(lines))


def scope_of(club_id: int, game: str, narrow: Json) -> Scope:
    months = narrow.get("months")
    return Scope(
        club_id,
        game,
        players=narrow.get("players"),
        variant=narrow.get("variant"),
        place=narrow.get("place", ""),
        periods=span(*months) if months else EVER,
    )


def outline(path: str) -> Json:
    """Return everything that has a page."""
    db, club_id = club(path)
    return {
        "plays": {row["key"]: row["game"] for row in kept.each(db, club_id, columns=f"game, {NAMED}")},
        "people": sorted(row["name"] for row in player_statistics.roll(db, club_id)),
        "games": {game: game_statistics.ways(db, club_id, game) for game in games.names()},
        "cards": {game: sorted({card for card, _ in cards.dealt(db, Scope(club_id, game))}) for game in games.names()},
        "years": club_statistics.years(db, club_id),
        "months": club_statistics.played_months(db, club_id),
        "places": times.places(db, club_id),
    }


# -- saved games -------------------------------------------------------------------------------------------------------


def play(path: str, key: str) -> Json:
    db, _ = club(path)
    one = there(kept.find(db, key))
    told = ("game", "played_at", "day", "notes", "place", "minutes", "version", "source", "record")
    return {
        **{name: getattr(one, name) for name in told},
        "deleted": one.deleted_at is not None,
        "result": result(one.result),
        "earned": sorted([name, found.id] for name, found in club_statistics.earned_in(db, one.id)),
        "versions": [
            {
                "version": row["version"],
                "record": json.loads(row["record"]),
                "result": result(kept.unpacked(row["result"])),
            }
            for row in plays.versions(db, one)
        ],
    }


def listed(path: str, words: str = "", player: str = "", **chosen: Json) -> Json:
    """Return every page of a list."""
    db, club_id = club(path)
    person = there(people.by_name(db, club_id, player)).id if player else None
    found, after = [], ""
    while True:
        page = listing.page(db, club_id, Filter(words=words, player=person, **chosen), after)
        found += [of_list(one) for one in page.plays]
        after = page.older
        if not after:
            return found


def of_list(one: Any) -> Json:
    return {name: value for name, value in asdict(one).items() if name != "id"}


def in_the_bin(path: str) -> Json:
    db, club_id = club(path)
    return sorted(play.key for play in listing.deleted(db, club_id, size=10_000)[0])


# -- statistics --------------------------------------------------------------------------------------------------------


def club_page(path: str, **narrow: Json) -> Json:
    db, club_id = club(path)
    scope = scope_of(club_id, "", narrow)
    company, met = times.company(db, club_id)
    names = dict(company)
    return {
        "played": {row["game"]: row for row in club_statistics.played(db, scope)},
        "months": club_statistics.by_month(db, scope),
        "people": standing(db, scope),
        "weekdays": times.weekdays(db, club_id),
        "ends": times.first_and_last(db, club_id),
        "company": {f"{names[one]}+{names[other]}": often for (one, other), often in met.items()},
        "closest": [[one.key, one.margin] for one in club_statistics.closest(db, club_id)],
        "comebacks": [[one.key, one.comeback, one.comeback_rule] for one in club_statistics.comebacks(db, club_id)],
    }


def standing(db: Database, scope: Scope) -> Json:
    return {row["name"]: of_person(row) for row in player_statistics.standing(db, scope) if row["plays"]}


def of_person(row: Json) -> Json:
    return {name: row[name] for name in ("plays", "contests", "wins")}


def game_page(path: str, game: str, card: str = "", **narrow: Json) -> Json:
    """Return the figures of a game's page; with `card`, only for tables with that card."""
    db, club_id = club(path)
    found, scope = there(games.find(game)), scope_of(club_id, game, narrow)
    dealt, played = cards.dealt(db, scope), club_statistics.played_months(db, club_id)
    if card:
        shown = figures.of_tables(db, scope, found, dealt, [card], periods.Period(), clubs.zone_of(db, club_id))
    else:
        shown = figures.of_sums(db, scope, found, dealt, played)
    return {
        "by_count": {count: dict(spread.counts) for count, spread in shown.by_count},
        "over_time": [asdict(one) for one in shown.over_time],
        "people": {row["name"]: of_person(row) for row in shown.people},
        "lines": [[one.rule, one.sheets, one.of, one.points] for one in shown.lines],
        "seats": {count: [[rate.hits, rate.of] for rate in rates] for count, rates in shown.seats},
        "cards": {one.id: without(asdict(one), "id", "label") for one in cards.in_play(dealt, found)},
        "builders": {
            one: {builder.name: without(asdict(builder), "player_id", "name") for builder in builders}
            for one, builders in cards.builders(db, scope, card).items()
        },
        "records": [without(asdict(one), "player_id") for one in game_statistics.records(db, club_id, game)],
        "ratings": {one.name: [one.nth, *asdict(one.rating).values()] for one in ratings(db, club_id, game)},
        "weekdays": times.weekdays(db, club_id, game=game),
        "ends": times.first_and_last(db, club_id, game),
        "boards": {
            board.asked.name: {
                str(one.choice.value): [
                    one.squares,
                    one.boards,
                    dict(
                        cell
                        for row in game_statistics.heat(db, scope, board, str(one.choice.value), one.boards)
                        for cell in row
                    ),
                ]
                for one in game_statistics.pieces(db, scope, board)
            }
            for board in kinds.painted(found.inputs)
        },
    }


def ratings(db: Database, club_id: int, game: str) -> Any:
    return game_statistics.ratings(db, club_id, game)


def without(fields: Any, *names: str) -> Any:
    return {name: value for name, value in fields.items() if name not in names}


def year_page(path: str, year: str) -> Json:
    db, club_id = club(path)
    found = there(club_statistics.year_of(db, club_id, year))
    return {
        "sums": [found.plays, found.timed, found.minutes],
        "months": found.months,
        "played": {row["game"]: row for row in found.games},
        "people": {row["name"]: of_person(row) for row in found.people},
        "champion": found.champion and found.champion["name"],
        "bests": [without(row, "player_id") for row in found.bests],
        "closest": [[one.key, one.margin] for one in found.closest],
        "places": found.places,
        "busiest": times.busiest(db, club_id, year),
        "calendar": [day for week in times.calendar(db, club_id, year) for day in week if day and day[1]],
        "weekdays": times.weekdays(db, club_id, year),
    }


def achievements_page(path: str) -> Json:
    db, club_id = club(path)
    return {
        one.achievement.id: {
            "times": one.times,
            "holders": {row["name"]: row["times"] for row in one.holders},
            "first": one.first,
            "latest": one.latest,
        }
        for one in club_statistics.earned(db, club_id)
    }


def player_page(path: str, name: str) -> Json:
    db, club_id = club(path)
    person = there(people.by_name(db, club_id, name))
    played = club_statistics.played_months(db, club_id)
    met = player_statistics.opponents(db, person)
    nemesis, minion = player_statistics.nemesis(met), player_statistics.minion(met)
    return {
        "games": {one.game.id: in_game(db, person, one, played) for one in player_statistics.in_games(db, person)},
        "form": player_statistics.form(db, person),
        "ends": times.first_and_last_of(db, person.id),
        "met": {one.name: [one.won, one.lost, one.tied] for one in met},
        "against": {
            game: {one.name: [one.won, one.lost, one.tied] for one in player_statistics.opponents(db, person, game)}
            for game in games.names()
        },
        "nemesis": nemesis and nemesis.name,
        "minion": minion and minion.name,
        "earned": {one.id: [often, first] for one, often, first in club_statistics.earned_by(db, person.id)},
    }


def in_game(db: Database, person: Any, one: Any, played: Any) -> Json:
    game = one.game
    return {
        "plays": one.plays,
        "wins": [one.wins.hits, one.wins.of],
        "mean": one.mean,
        "best": [one.best, one.best_key, one.best_at],
        "career": asdict(one.career),
        "track": [[at, *asdict(rating).values()] for at, rating in player_statistics.track(db, person, game.id)],
        "bests": [asdict(best) for best in player_statistics.bests(db, person, game.id)],
        "lines": [[line.sheets, line.mine, line.club] for line in player_statistics.lines(db, person, game)],
        "over_time": [asdict(each) for each in times.of_player(db, person.id, game.id, played)],
        "cards": {
            f"{row['card']} {row['player_count']}": without(row, "card", "player_count")
            for row in cards.of_player(db, person.id, game.id)
        },
    }


ANSWERS = {
    "score": score_all,
    "found_club": found_club,
    "make": make,
    "export": export,
    "bring": bring,
    "change": change,
    "exported": exported,
    "outline": outline,
    "play": play,
    "list": listed,
    "bin": in_the_bin,
    "club": club_page,
    "game": game_page,
    "year": year_page,
    "achievements": achievements_page,
    "player": player_page,
}

if __name__ == "__main__":
    with held:
        serve(ANSWERS)
