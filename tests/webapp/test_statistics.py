"""Every statistic against its definition, worked out the long way from the saved results."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scorer import games
from scorer.core import score
from scorer.games.tiny_towns.cards import BUILDINGS
from scorer.report import totals
from tests.webapp.conftest import SEASON
from tests.webapp.plays import club, database, draft, towns, typed
from webapp.cli import demo
from webapp.database import Database
from webapp.history import people
from webapp.history import plays as history
from webapp.statistics import cards
from webapp.statistics import club as club_statistics
from webapp.statistics import game as game_statistics
from webapp.statistics import player as player_statistics
from webapp.statistics.measures import Rate, Spread
from webapp.statistics.player import Opponent, minion, nemesis
from webapp.statistics.scope import Scope
from webapp.table import kinds


def saved_plays(db: Database, game: str = "") -> list[dict[str, Any]]:
    """All saved games in order, unpacked."""
    rows = db.query("SELECT id, key, game, played_at, minutes, record, result FROM plays ORDER BY played_at, id")
    return [
        {**row, "record": json.loads(row["record"]), **json.loads(row["result"])}
        for row in rows
        if game in ("", row["game"])
    ]


def test_wilsons_interval_is_the_published_one() -> None:
    # Wilson 1927 as in Newcombe 1998, table I: 81 of 263, and 0 of 20.
    assert (Rate(81, 263).low, Rate(81, 263).high) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert (Rate(0, 20).low, Rate(0, 20).high) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert (Rate(0, 0).low, Rate(0, 0).high) == (0.0, 1.0)


def test_a_spread_knows_its_middle_and_its_steps() -> None:
    spread = Spread.of([(3, 1), (5, 2), (40, 1)])
    assert (spread.n, spread.mean, spread.median, spread.worst, spread.best) == (4, 13.25, 5, 3, 40)
    assert sum(times for _, times in spread.bars(8)) == 4
    assert len(spread.bars(8)) <= 8
    assert Spread.of([]).bars() == []


def test_the_demo_is_a_believable_season(harbour: tuple[Database, int]) -> None:
    db, club_id = harbour
    plays = saved_plays(db)
    assert len(plays) == SEASON
    assert {play["game"] for play in plays} == {game.id for game in games.everything() if any(demo.laid(game))}
    assert all(play["ok"] and not play["needs"] for play in plays)
    assert len(club_statistics.years(db, club_id)) >= 3
    for game in games.everything():
        players = [player for play in plays if play["game"] == game.id for player in play["players"]]
        won = [player["total"] for player in players if player["winner"]]
        best = max(player["total"] for example in demo.laid(game) for player in score(example)["players"])
        # Examples of the rules may be won with a single point; no finished game is.
        assert (
            min(won) > best / 4 and min(player["total"] for player in players) > best / 8 and max(won) <= best * 1.5
        ), game.id
        assert len(set(won)) > 2, game.id
    rates = {one["name"]: one["rate"].share for one in player_statistics.roll(db, club_id)}
    assert rates["Ada"] > rates["Grete"], "who tries harder wins more"


@pytest.mark.parametrize("game", games.everything(), ids=lambda game: game.id)
def test_a_games_numbers_are_those_of_its_sheets(harbour: tuple[Database, int], game: Any) -> None:
    db, club_id = harbour
    plays, scope = saved_plays(db, game.id), Scope(club_id, game.id)
    scores = [player["total"] for play in plays for player in play["players"]]
    spread = game_statistics.spread(game_statistics.by_player_count(db, scope))
    assert spread.counts == dict(sorted(Counter(scores).items()))
    for line in game_statistics.lines(db, scope, game, cards.dealt(db, scope)):
        sums = [totals(player["lines"]) for play in plays for player in play["players"]]
        assert line.points == sum(mine.get(line.rule, 0) for mine in sums)
        assert line.sheets == sum(line.rule in mine for mine in sums)
        assert line.of == sum(len(play["players"]) for play in plays if could_have(play["record"], line.rule))
    for count, rates in game_statistics.seats(db, scope):
        tables = [play for play in plays if len(play["players"]) == count]
        for seat, rate in enumerate(rates):
            assert rate == Rate(sum(play["players"][seat]["winner"] for play in tables), len(tables))
    for count, found in game_statistics.by_player_count(db, scope):
        mine = [p["total"] for play in plays if len(play["players"]) == count for p in play["players"]]
        assert (found.n, found.best) == (len(mine), max(mine))
    for record in game_statistics.records(db, club_id, game.id):
        holder = history.find(db, record.key)
        assert holder is not None
        assert {"name": record.player, "total": record.total} in [
            {"name": p["name"], "total": p["total"]} for p in holder.result["players"]
        ]
    best = max((record.total for record in game_statistics.records(db, club_id, game.id)), default=0)
    assert best == max(scores, default=0)


def could_have(record: dict[str, Any], rule: str) -> bool:
    """Whether the line's card lay on the table, if there is a card for it; the demo has no typed lines."""
    dealt = record["table"].get("cards", {}).values()
    return record["game"] != "tiny_towns" or rule not in BUILDINGS or rule in {"cottage", *dealt}


def test_a_players_numbers_are_those_of_her_games(harbour: tuple[Database, int]) -> None:
    db, club_id = harbour
    for row in player_statistics.roll(db, club_id):
        person = people.find(db, row["id"])
        assert person is not None
        mine = [play for play in saved_plays(db) if any(p["name"] == person.name for p in play["players"])]
        assert row["plays"] == len(mine)
        for one in player_statistics.in_games(db, person):
            scores = [by_name(play, person.name) for play in mine if play["game"] == one.game.id]
            assert (one.plays, one.wins.hits) == (len(scores), sum(score["winner"] for score in scores))
            assert one.best == max(score["total"] for score in scores)
            for best in player_statistics.bests(db, person, one.game.id):
                ways = [
                    play for play in mine if play["game"] == one.game.id and len(play["players"]) == best.player_count
                ]
                assert best.total <= max(by_name(play, person.name)["total"] for play in ways)
            assert (one.career.streak, one.career.longest) == runs([score["winner"] for score in scores])
        for opponent in player_statistics.opponents(db, person):
            assert (opponent.won, opponent.lost, opponent.tied) == met(mine, person.name, opponent.name)


def by_name(play: Any, name: str) -> Any:
    return next(player for player in play["players"] if player["name"] == name)


def runs(won: list[bool]) -> tuple[int, int]:
    """The victories at the end, and the longest run of them."""
    lengths = [len(run) for run in "".join("w" if one else " " for one in won).split(" ")]
    return lengths[-1], max(lengths)


def met(plays: list[Any], name: str, other: str) -> tuple[int, int, int]:
    ranks = [
        (by_name(play, name)["rank"], by_name(play, other)["rank"])
        for play in plays
        if any(player["name"] == other for player in play["players"])
    ]
    return sum(a < b for a, b in ranks), sum(a > b for a, b in ranks), sum(a == b for a, b in ranks)


def test_a_year_in_review_adds_up(harbour: tuple[Database, int]) -> None:
    db, club_id = harbour
    for name in club_statistics.years(db, club_id):
        year = club_statistics.year_of(db, club_id, name)
        assert year is not None
        mine = [play for play in saved_plays(db) if play["played_at"].startswith(name)]
        assert year.plays == len(mine) == sum(plays for _, plays in year.months)
        assert year.minutes == sum(play["minutes"] or 0 for play in mine)
        assert [best["total"] for best in year.bests] == [
            max(p["total"] for play in mine if play["game"] == best["game"] for p in play["players"])
            for best in year.bests
        ]
        margins = [play.margin for play in year.closest if play.margin is not None]
        assert len(margins) == len(year.closest) and margins == sorted(margins)
    assert club_statistics.year_of(db, club_id, "1999") is None


def test_a_tie_is_no_victory_over_one_another(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        history.save_all(db, home, [draft(typed({"Ann": 5, "Bob": 5, "Cid": 1}))])
        ann = people.find(db, 1)
        assert ann is not None
        against = {one.name: (one.won, one.lost, one.tied) for one in player_statistics.opponents(db, ann)}
        assert against == {"Bob": (0, 0, 1), "Cid": (1, 0, 0)}


def test_a_game_alone_is_neither_won_nor_lost(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        history.save_all(db, club(db), [draft(towns({"Ann": 4}, mode="solo"))])
        [row] = player_statistics.roll(db, club(db))
        assert (row["plays"], row["contests"], row["wins"]) == (1, 0, 0)
        ann = people.find(db, row["id"])
        assert ann is not None
        assert player_statistics.in_games(db, ann)[0].career.rating.skill == 25


def test_the_nemesis_needs_three_victories_and_more_than_defeats() -> None:
    often = Opponent(1, "Bob", won=3, lost=5, tied=0)
    always = Opponent(2, "Cid", won=0, lost=3, tied=0)
    rarely = Opponent(3, "Dee", won=0, lost=2, tied=0)
    even = Opponent(4, "Eve", won=4, lost=4, tied=9)
    assert nemesis([often, always, rarely, even]) == always
    assert nemesis([rarely, even]) is None
    assert minion([Opponent(1, "Bob", won=5, lost=3, tied=0), rarely]) == Opponent(1, "Bob", 5, 3, 0)


def test_a_record_belongs_to_whoever_was_first(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        later, earlier = "2026-03-01T20:00:00Z", "2026-02-01T20:00:00Z"
        history.save_all(
            db, home, [draft(typed({"Ann": 9, "Bob": 2}), later), draft(typed({"Ann": 1, "Bob": 9}), earlier)]
        )
        [record] = game_statistics.records(db, home, "tenby")
        assert (record.player, record.total, record.played_at, record.plays) == ("Bob", 9, earlier, 2)


def test_boards_are_counted_square_by_square(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        history.save_all(db, home, [draft(towns({"Ann": 3, "Bob": 1}))])
        game = games.find("tiny_towns")
        assert game is not None
        [board] = kinds.painted(game.inputs)
        built = game_statistics.pieces(db, Scope(home, "tiny_towns"), board)
        assert [(one.choice.value, one.squares, one.boards) for one in built] == [
            ("cottage", 4, 2),
            ("farm", 2, 2),
            ("empty", 26, 2),
        ]
        heat = game_statistics.heat(db, Scope(home, "tiny_towns"), board, "cottage", 2)
        assert heat[0] == [("A1", 0.0), ("B1", 1.0), ("C1", 0.5), ("D1", 0.5)]
