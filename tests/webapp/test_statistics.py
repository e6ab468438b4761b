"""Statistics of a season against the oracle, and definitions that are worth a test of their own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from scorer import games
from tests.webapp import oracle
from tests.webapp.bringing import taken_out
from tests.webapp.conftest import SEASON
from tests.webapp.plays import club, database, draft, towns, typed
from tests.webapp.test_oracle import agrees_on_a_player, agrees_on_a_title, agrees_on_the_club, agrees_on_years, choice
from webapp.cli import demo_tables
from webapp.database import Database
from webapp.history import player_profiles
from webapp.history import plays as history
from webapp.statistics import Scope, player, results
from webapp.statistics import game as titles
from webapp.statistics.measures import Rate, Spread
from webapp.statistics.player import Opponent, favourite, nemesis


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
    plays = oracle.read(taken_out(db, club_id))
    assert len(plays) == SEASON
    assert {play.title for play in plays} == {
        game.id for game in games.all_games() if any(demo_tables.example_tables(game))
    }
    assert len(titles.choices(db, club_id).years) >= 3
    rates = {one.name: one.rate.share for one in player.standings_of_club(db, club_id)}
    assert rates["Ada"] > rates["Grete"], "who tries harder wins more"


def test_a_seasons_figures_are_the_oracles(harbour: tuple[Database, int]) -> None:
    db, club_id = harbour
    plays, chance = oracle.read(taken_out(db, club_id)), random.Random(7)
    for narrow in ({}, *(choice(plays, chance) for _ in range(12))):
        agrees_on_the_club(db, Scope(club_id, **{**narrow, "cards": ()}), plays)
        for game in games.all_games():
            agrees_on_a_title(db, Scope(club_id, game.id, **narrow), plays)
    agrees_on_years(db, club_id, plays)
    for one in player.standings_of_club(db, club_id):
        agrees_on_a_player(db, club_id, one.name, plays)


def opponents_of(db: Database, home: int, name: str) -> dict[str, tuple[int, int, int]]:
    one = player_profiles.by_name(db, home, name)
    assert one is not None
    found = player.opponents(results.people(db, home), player.meetings(db, one))
    return {other.name: (other.won, other.lost, other.tied) for other in found}


def test_a_tie_is_no_win_over_one_another(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        history.save_all(db, home, [draft(typed({"Ann": 5, "Bob": 5, "Cid": 1}))])
        assert opponents_of(db, home, "Ann") == {"Bob": (0, 0, 1), "Cid": (1, 0, 0)}


def test_a_game_alone_is_neither_won_nor_lost(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        history.save_all(db, home, [draft(towns({"Ann": 4}, mode="solo"))])
        [row] = player.standings_of_club(db, home)
        assert (row.plays, row.contests, row.wins) == (1, 0, 0)
        assert [one.rating.skill for one in titles.ratings(db, home, "tiny_towns")] == [25]


def test_the_nemesis_needs_three_wins_and_more_than_losses() -> None:
    often = Opponent(1, "Bob", won=3, lost=5, tied=0)
    always = Opponent(2, "Cid", won=0, lost=3, tied=0)
    rarely = Opponent(3, "Dee", won=0, lost=2, tied=0)
    even = Opponent(4, "Eve", won=4, lost=4, tied=9)
    assert nemesis([often, always, rarely, even]) == always
    assert nemesis([rarely, even]) is None
    assert favourite([Opponent(1, "Bob", won=5, lost=3, tied=0), rarely]) == Opponent(1, "Bob", 5, 3, 0)


def test_a_record_belongs_to_whoever_was_first(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        later, earlier = "2026-03-01T20:00:00Z", "2026-02-01T20:00:00Z"
        history.save_all(
            db, home, [draft(typed({"Ann": 9, "Bob": 2}), later), draft(typed({"Ann": 1, "Bob": 9}), earlier)]
        )
        [record] = titles.records(db, Scope(home, "tenby"))
        assert (record.player, record.total, record.played_at, record.plays) == ("Bob", 9, earlier, 2)


def test_a_merged_player_has_the_games_of_both(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        history.save_all(
            db, home, [draft(typed({"Ann": 9, "Bob": 2})), draft(typed({"Anne": 7, "Bob": 3}), "2026-01-02T20:00:00Z")]
        )
        one, other = player_profiles.by_name(db, home, "Anne"), player_profiles.by_name(db, home, "Ann")
        assert one is not None and other is not None and player_profiles.merge(db, one, other)
        assert {(row.name, row.plays, row.wins) for row in player.standings_of_club(db, home)} == {
            ("Ann", 2, 2),
            ("Bob", 2, 0),
        }
        agrees_on_a_player(db, home, "Ann", oracle.read(taken_out(db, home)))


def test_the_ways_of_playing_are_found_in_an_index(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        history.save_all(
            db,
            home,
            [
                draft(towns({"Ann": 4}, mode="solo")),
                draft(towns({"Ann": 1, "Bob": 4})),
                draft(towns({"Ann": 1, "Bob": 4}, mode="town_hall")),
            ],
        )
        assert titles.variants(db, home, "tiny_towns") == ["mode=solo", "mode=town_hall"]
