"""Answer with today's code, in the same terms as `old.py`.

Only this file of the comparison knows today's code. When that changes, change the answers here to fit. The meaning of a
question and the shape of its answer stay as in version 0.7.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from scorer import games
from scorer.core import score
from tests.compare.wire import result, serve
from webapp import clubs, jobs
from webapp.cli import main
from webapp.cli.open_database import opened
from webapp.database import Database
from webapp.history import (
    Filter,
    Person,
    forget_player,
    job_steps,
    listing,
    player_profiles,
    plays,
    saved_plays,
    time_zone,
)
from webapp.statistics import Scope, achievement_holders, boards, cards, results
from webapp.statistics import club as club_statistics
from webapp.statistics import game as game_statistics
from webapp.statistics import player as player_statistics
from webapp.statistics import year as year_statistics
from webapp.statistics.game import ITEMISED
from webapp.statistics.measures import FEW
from webapp.table import kinds

Json = Any
T = TypeVar("T")
held = ExitStack()  # databases that are open
open_now: dict[str, tuple[Database, int]] = {}
painted: dict[tuple[str, str], Json] = {}  # the boards of a title, which are the same whatever is chosen


def there(found: T | None) -> T:
    """Return the value, and fail if it is None."""
    assert found is not None
    return found


def score_all(records: list[Json]) -> list[Json]:
    return [result(score(record)) for record in records]


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
    painted.clear()
    db, club_id = club(path)
    if what == "zone":
        done: Json = time_zone.change_zone(db, club_id, name)
    elif what == "restore":
        done = None
        plays.restore(db, there(saved_plays.find(db, name)))
    else:
        person = there(player_profiles.by_name(db, club_id, name))
        if what == "rename":
            done = player_profiles.rename(db, person, other)
        elif what == "merge":
            done = player_profiles.merge(db, person, there(player_profiles.by_name(db, club_id, other)))
        else:
            done = forget_player.forget(db, person, other, also_in_words=True)
    jobs.finish(db, job_steps.STEPS)
    return done


def exported(path: str, kind: str) -> Json:
    """Return the rows of a CSV export without labels, and without columns that 0.7 did not write."""
    added = ("open", "total", "rank", "winner") if kind == "lines" else ("open",)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "export.csv"
        export(path, str(file), kind)
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = [row for row in csv.DictReader(lines) if row.get("rule") != ""]
        return sorted(sorted(without(row, "game", "label", *added).items()) for row in rows)


def scope_of(club_id: int, game: str, narrow: Json, card: str = "") -> Scope:
    first, last = narrow.get("months") or ("", "")
    return Scope(
        club_id,
        game,
        first=first and f"{first}-01",
        last=last and f"{last}-31",
        place=narrow.get("place", ""),
        players=narrow.get("players"),
        variant=narrow.get("variant"),
        cards=(card,) if card else (),
    )


def outline(path: str) -> Json:
    """Return everything that has a page."""
    db, club_id = club(path)
    choices = game_statistics.choices(db, club_id)
    return {
        "plays": {one.key: one.game for one in saved_plays.each(db, club_id, deleted=True)},
        "people": sorted(one.name for one in player_statistics.standings_of_club(db, club_id)),
        "games": {game: ways(db, club_id, game) for game in games.ids()},
        "cards": {
            game.id: sorted(one.id for one in cards.in_play(db, Scope(club_id, game.id), game)) for game in GAMES
        },
        "years": choices.years,
        "months": choices.months,
        "places": choices.places,
    }


def ways(db: Database, club_id: int, game: str) -> Json:
    rows = db.query(
        """SELECT player_count, variant, count(*) AS plays, count(minutes) AS timed,
            coalesce(sum(minutes), 0) AS minutes
        FROM plays WHERE club_id = ? AND game = ? GROUP BY 1, 2 ORDER BY plays DESC, player_count, variant""",
        [club_id, game],
    )
    return list(rows)


# -- saved games -------------------------------------------------------------------------------------------------------


def play(path: str, key: str) -> Json:
    db, _ = club(path)
    one = there(saved_plays.find(db, key))
    told = ("game", "played_at", "day", "notes", "place", "minutes", "version", "source", "record")
    return {
        **{name: getattr(one, name) for name in told},
        "deleted": one.deleted_at is not None,
        "result": result(one.result),
        "earned": sorted([name, found.id] for name, found, _ in achievement_holders.in_play(db, one.id)),
        "versions": [
            {"version": old.version, "record": old.record, "result": result(old.result)}
            for old in reversed(saved_plays.versions(db, [one.id]).get(one.id, []))
        ],
    }


def listed(path: str, words: str = "", player: str = "", **chosen: Json) -> Json:
    """Return every page of a list."""
    db, club_id = club(path)
    person = there(player_profiles.by_name(db, club_id, player)).id if player else None
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

GAMES = games.all_games()


def club_page(path: str, **narrow: Json) -> Json:
    db, club_id = club(path)
    scope, whole = scope_of(club_id, "", narrow), Scope(club_id)
    company = player_statistics.standings_of_club(db, club_id)[: club_statistics.MOST_PEOPLE]
    names = {one.id: one.name for one in company}
    met = club_statistics.played_together(db, whole, company)
    return {
        "played": {one.game: asdict(one) for one in club_statistics.played(db, scope)},
        "months": months(db, scope),
        "people": standing(db, scope),
        "weekdays": weekdays(db, whole),
        "ends": [asdict(one) for one in club_statistics.first_and_latest(db, whole)],
        "company": {f"{names[one]}+{names[other]}": often for (one, other), often in met.items()},
        "closest": closest(club_statistics.closest(db, whole)),
    }


def months(db: Database, scope: Scope) -> Json:
    """Return the games by month, by default for the club's latest two years, whatever the scope."""
    found = club_statistics.by_month(db, scope)
    if scope.first:
        return found
    latest = club_statistics.by_month(db, Scope(scope.club_id))
    return [(month, dict(found).get(month, 0)) for month, _ in latest]


def closest(found: Iterable[Any]) -> Json:
    return [[one.key, one.margin] for one in found]


def weekdays(db: Database, scope: Scope) -> Json:
    found = [0] * 7
    for day, times in db.execute(f"SELECT day, count(*) FROM all_plays WHERE {scope.where} GROUP BY 1", scope.values):
        found[date.fromisoformat(day).weekday()] += times
    return found


def standing(db: Database, scope: Scope) -> Json:
    found = results.standings(results.people(db, scope.club_id), results.by_seat(db, scope))
    return {one.name: of_person(one) for one in found if one.plays}


def of_person(one: results.Standing) -> Json:
    return {"plays": one.plays, "contests": one.contests, "wins": one.wins}


def game_page(path: str, game: str, card: str = "", **narrow: Json) -> Json:
    """Return the figures of a game's page; with `card`, only for tables with that card."""
    db, club_id = club(path)
    found, whole = there(games.find(game)), Scope(club_id, game)
    scope = scope_of(club_id, game, narrow, card)
    scores = game_statistics.scores(db, scope)
    if (path, game) not in painted:
        painted[path, game] = boards_of(db, whole, found)
    return {
        "by_count": {count: dict(spread.counts) for count, spread in scores.by_count},
        "over_time": [asdict(one) for one in scores.over_time],
        "people": standing(db, scope),
        "lines": lines(db, scope, found, scores),
        "seats": {
            count: [[rate.hits, rate.of] for rate in rates]
            for count, rates in results.seats(results.by_seat(db, scope))
        },
        "cards": {one.id: of_card(one) for one in cards.in_play(db, scope_of(club_id, game, narrow), found)},
        "builders": builders(db, Scope(club_id, game, players=narrow.get("players")), card),
        "records": [without(asdict(one), "player_id") for one in game_statistics.records(db, whole)],
        "ratings": {
            one.name: [one.plays, *asdict(one.rating).values()] for one in game_statistics.ratings(db, club_id, game)
        },
        "weekdays": weekdays(db, whole),
        "ends": [asdict(one) for one in club_statistics.first_and_latest(db, whole)],
        "boards": painted[path, game],
    }


def lines(db: Database, scope: Scope, game: Any, scores: Any) -> Json:
    sheets = dict(
        db.execute(
            f"""SELECT rule, count(DISTINCT all_plays.id * 100 + seat) FROM all_plays
            JOIN all_lines ON play_id = all_plays.id WHERE {scope.where} GROUP BY rule""",
            scope.values,
        ).fetchall()
    )
    found = game_statistics.lines(db, scope, game, scores)
    return [[one.rule, sheets[one.rule], one.of, one.points] for one in found]


CARD = {"built": "had", "contests": "decided", "built_contests": "decided_with", "built_wins": "wins_with"}


def of_card(card: cards.Card) -> Json:
    names = ("tables", "sheets", "points", "totals", "built", "pieces", "contests", "wins", "built_contests")
    return {name: sum(getattr(one, CARD.get(name, name)) for one in card.by_size) for name in (*names, "built_wins")}


def rows_of_cards(db: Database, scope: Scope, grouped: str, only: str = "", values: Iterable[Json] = ()) -> Json:
    """Return the sheets that could have a card and their points from it, grouped by card and more."""
    return db.execute(
        f"""SELECT {grouped}, count(*) AS sheets, coalesce(sum(mine.points), 0), count(mine.points),
            coalesce(sum(mine.pieces), 0), count(winner) FILTER (WHERE player_count > 1),
            count(*) FILTER (WHERE winner = 1 AND player_count > 1),
            count(winner) FILTER (WHERE player_count > 1 AND mine.points IS NOT NULL),
            count(*) FILTER (WHERE winner = 1 AND player_count > 1 AND mine.points IS NOT NULL)
        FROM all_plays JOIN (SELECT DISTINCT play_id, card, min(seat) OVER (PARTITION BY play_id, card) AS first
            FROM all_cards) AS dealt ON dealt.play_id = all_plays.id
        JOIN all_scores ON all_scores.play_id = all_plays.id
        LEFT JOIN all_cards AS mine
        ON mine.play_id = all_plays.id AND mine.card = dealt.card AND mine.seat = all_scores.seat
        JOIN players ON players.id = player_id
        WHERE {scope.where} AND {ITEMISED} AND (first = -1 OR mine.card IS NOT NULL) {only}
        GROUP BY {grouped}""",
        [*scope.values, *values],
    ).fetchall()


def builders(db: Database, scope: Scope, card: str) -> Json:
    """Return by card the points of everybody who could have it on at least three sheets."""
    found: dict[str, Json] = {}
    only, values = ("AND dealt.card = ?", [card]) if card else ("", [])
    for one, name, *sums in rows_of_cards(db, scope, "dealt.card, name", only, values):
        if sums[0] >= FEW:
            named = zip(("sheets", "points", "built", "pieces"), sums[:4], strict=True)
            found.setdefault(one, {})[name] = dict(named)
    return found


def boards_of(db: Database, scope: Scope, game: Any) -> Json:
    first = {one.asked.name: one for one in boards.of_title(db, scope, game, {})}
    found: dict[str, Json] = {board.asked.name: {} for board in kinds.painted(game.inputs)}
    pieces = {str(one.choice.value) for board in first.values() for one in board.built}
    for piece in sorted(pieces):
        for board in boards.of_title(db, scope, game, dict.fromkeys(first, piece)):
            one = board.piece
            if str(one.choice.value) == piece:
                heat = dict(cell for row in board.heat for cell in row)
                found[board.asked.name][piece] = [one.squares, one.boards, heat]
    return found


def without(fields: Any, *names: str) -> Any:
    return {name: value for name, value in fields.items() if name not in names}


def year_page(path: str, year: str) -> Json:
    db, club_id = club(path)
    found = there(year_statistics.of_club(db, club_id, year))
    scope = Scope(club_id, first=f"{year}-01-01", last=f"{year}-12-31")
    return {
        "sums": [found.plays, sum(one.timed for one in found.games), sum(one.minutes for one in found.games)],
        "months": found.months,
        "played": {one.game: asdict(one) for one in found.games},
        "people": {one.name: of_person(one) for one in found.people},
        "champion": found.champion and found.champion.name,
        "bests": [without(asdict(one), "player_id") for one in found.bests],
        "closest": closest(found.closest),
        "places": found.places,
        "busiest": found.busiest,
        "calendar": [day for week in found.calendar for day in week if day and day[1]],
        "weekdays": weekdays(db, scope),
    }


def achievements_page(path: str) -> Json:
    db, club_id = club(path)
    return {
        one.achievement.id: {
            "times": one.times,
            "holders": {holder.name: holder.times for holder in one.holders},
            "first": occasion(one, one.first),
            "latest": occasion(one, one.latest),
        }
        for one in achievement_holders.of_club(db, club_id)
    }


def occasion(one: achievement_holders.Earned, at: achievement_holders.Occasion | None) -> Json:
    return {"achievement": one.achievement.id, **asdict(at)} if at else None


def player_page(path: str, name: str) -> Json:
    db, club_id = club(path)
    person = there(player_profiles.by_name(db, club_id, name))
    done = player_statistics.results_of(db, person)
    known = results.people(db, club_id)
    meetings = player_statistics.meetings(db, person)
    met = player_statistics.opponents(known, meetings)
    nemesis, minion = player_statistics.nemesis(met), player_statistics.favourite(met)
    return {
        "games": {
            one.game.id: in_game(db, person, one, done) for one in player_statistics.title_records(db, person, done)
        },
        "form": [asdict(one) for one in player_statistics.latest_games(db, person)],
        "ends": ends(db, person),
        "met": {one.name: [one.won, one.lost, one.tied] for one in met},
        "against": {
            game: {
                one.name: [one.won, one.lost, one.tied]
                for one in player_statistics.opponents(known, (each for each in meetings if each.game == game))
            }
            for game in games.ids()
        },
        "nemesis": nemesis and nemesis.name,
        "minion": minion and minion.name,
        "earned": {
            one.achievement.id: [one.times, occasion(one, one.first)]
            for one in achievement_holders.of_player(db, club_id, person.id)
        },
    }


def ends(db: Database, person: Person) -> Json:
    """Return a person's first and latest game."""
    sql = """SELECT key, plays.game, plays.played_at FROM plays JOIN scores ON play_id = plays.id
        WHERE player_id = ? ORDER BY plays.played_at {order}, plays.id {order} LIMIT 1"""
    return [row for order in ("", "DESC") for row in db.query(sql.format(order=order), [person.id])]


def in_game(db: Database, person: Person, one: Any, done: list[player_statistics.Results]) -> Json:
    game = one.game.id
    bests = player_statistics.bests(db, person, game)
    best = min(bests, key=lambda each: (-each.total, each.played_at), default=None)
    of_player = "dealt.card, player_count"
    sums = rows_of_cards(db, Scope(person.club_id, game), of_player, "AND player_id = ?", [person.id])
    columns = ("sheets", "points", "built", "pieces", "contests", "wins", "built_contests", "built_wins")
    return {
        "plays": one.plays,
        "wins": [one.wins.hits, one.wins.of],
        "mean": one.mean,
        "best": [one.best, best.key, best.played_at] if best else [None, "", ""],
        "career": {
            "nth": one.plays,
            "streak": one.streak,
            "longest": one.longest,
            "best": one.best,
            "rating": asdict(one.rating),
        },
        "track": [[at, *asdict(rating).values()] for at, rating in player_statistics.rating_history(db, person, game)],
        "bests": sorted((asdict(each) for each in bests), key=lambda each: (each["player_count"], each["variant"])),
        "lines": [[line.sheets, line.mine, line.club] for line in player_statistics.lines(db, person, one.game)],
        "over_time": [
            asdict(each) for each in player_statistics.scores_over_time([each for each in done if each.game == game])
        ],
        "cards": {f"{card} {count}": dict(zip(columns, found, strict=True)) for card, count, *found in sums},
    }


ANSWERS: dict[str, Callable[..., Any]] = {
    "score": score_all,
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
