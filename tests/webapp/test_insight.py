"""Insights: the tests against published and hand-made figures, and what is told of made-up clubs."""

from __future__ import annotations

import random
import re
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from scorer import games
from scorer.contract import Game
from scorer.sentences import NOTHING
from tests.webapp.conftest import Device
from tests.webapp.plays import CARDS, club, database, draft, towns
from webapp.database import Database
from webapp.history import NewPlay, people
from webapp.history import plays as history
from webapp.statistics import cards, insight
from webapp.statistics.chance import EXACT_UP_TO, Fourfold, Tosses, apart, association, shares, surprising
from webapp.statistics.insight import Insight, Question
from webapp.statistics.scope import Scope

TASTING_TEA = Fourfold(3, 4, 1, 4)


def test_fishers_test_is_the_published_one() -> None:
    # Fisher 1935, the lady tasting tea: three of four right has 34 of 70 ways to be matched or beaten on both sides.
    assert association([TASTING_TEA]) == pytest.approx(34 / 70)
    # All four right: one way of 70 on either side.
    assert association([Fourfold(4, 4, 0, 4)]) == pytest.approx(2 / 70)
    assert association([]) == association([Fourfold(3, 3, 0, 0)]) == 1.0


def test_strata_are_put_together_by_trying_every_deal() -> None:
    """Two small tables: every way to deal the victories within each, counted one by one."""
    strata = [Fourfold(3, 4, 1, 4), Fourfold(2, 2, 1, 3)]
    chances: dict[int, float] = {}
    for first in combinations(range(8), 4):
        for second in combinations(range(5), 3):
            hits = sum(place < 4 for place in first) + sum(place < 2 for place in second)
            chances[hits] = chances.get(hits, 0) + 1 / (comb(8, 4) * comb(5, 3))
    expected = sum(chance for chance in chances.values() if chance <= chances[5] * (1 + 1e-9))
    assert association(strata) == pytest.approx(expected)


def test_many_games_are_judged_like_few() -> None:
    """Where the exact test gives way to the approximation the two agree."""
    half = EXACT_UP_TO // 2
    exact = association([Fourfold(150, half, 120, half)])
    rough = association([Fourfold(150, half, 120, half + 1)])
    assert exact == pytest.approx(rough, rel=0.1)
    assert even(330, EXACT_UP_TO) == pytest.approx(even(330, EXACT_UP_TO + 1), rel=0.15)


def even(hits: int, of: int) -> float:
    return shares([Tosses(hits, of, 0.5)])


def test_the_sign_test_counts_coin_tosses() -> None:
    assert even(9, 10) == pytest.approx(2 * 11 / 1024)  # ten ways to nine, one to ten, to either side
    assert even(5, 10) == pytest.approx(1.0)
    assert even(0, 0) == 1.0
    # One of three by chance: 3 of 3 has 1 way of 27; with a coin besides, 3 of 3 and 1 of 1 has 1 of 54.
    assert shares([Tosses(3, 3, 1 / 3)]) == pytest.approx(1 / 27)
    assert shares([Tosses(3, 3, 1 / 3), Tosses(1, 1, 1 / 2)]) == pytest.approx(1 / 54)


def test_means_are_apart_by_their_standard_errors() -> None:
    # A difference of 1.96 standard errors is what chance brings once in twenty times.
    assert apart(11.96, 50, 100, 10, 50, 100) == pytest.approx(0.05, abs=1e-4)


def test_of_many_questions_only_what_stands_out_is_told() -> None:
    # Benjamini and Hochberg 1995, the example of section 3.2: 15 questions, of which the first four are told.
    published = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719]
    published += [0.6528, 0.7590, 1.0000]
    assert surprising(published) == [True] * 4 + [False] * 11
    assert surprising([]) == []


def test_chance_alone_tells_next_to_nothing() -> None:
    """A hundred clubs of fair coins with twenty questions each: hardly one of them is told anything."""
    chance = random.Random(7)
    told = 0
    for _ in range(100):
        heads = [sum(chance.random() < 0.5 for _ in range(40)) for _ in range(20)]
        asked = [Question(even(hits, 40), NOTHING, NOTHING) for hits in heads]
        told += bool(insight.told(asked))
    assert told <= 10


def town(winner: str, with_tavern: str | None) -> NewPlay:
    """Ann and Bob, one of whom has more cottages; one may have a tavern instead of the last empty square."""
    record = towns({"Ann": 3 if winner == "Ann" else 1, "Bob": 3 if winner == "Bob" else 1}, cards=CARDS)
    for player in record["players"]:
        if player["name"] == with_tavern:
            player["grid"][3][3] = "tavern"
    return draft(record)


def about(db: Database, home: int, game: Game) -> list[Insight]:
    scope = Scope(home, game.id)
    return insight.of_game(db, scope, game, cards.dealt(db, scope))


def test_what_the_games_show_is_said_with_its_figures(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        games_played = (
            [town("Ann", "Ann")] * 24 + [town("Bob", "Ann")] * 6 + [town("Bob", None)] * 24 + [town("Ann", None)] * 6
        )
        history.save_all(db, home, games_played)
        ann, game = people.find(db, 1), games.find("tiny_towns")
        assert ann is not None and game is not None
        [found] = [one for one in insight.of_player(db, ann, [game]) if "Tavern" in one.says]
        assert "Ann wins 80% of Tiny Towns with Tavern, 20% without." in found.says
        assert found.rests_on == "30 games with it and 30 without, compared at tables of the same size"
        assert found.sure == "very sure"
        # Ann and Bob win thirty times each: neither is ahead of the other.
        assert not any("ahead" in one.says for one in insight.of_player(db, ann, [game]))
        told = about(db, home, game)
        assert any("Starting player advantage: none to be seen in 60 games." in one.says for one in told)


def table(winner: str, names: str, with_tavern: str) -> NewPlay:
    """Players named by single letters, of whom one has more cottages and some have a tavern."""
    record = towns({name: 3 if name == winner else 1 for name in names}, cards=CARDS)
    for player in record["players"]:
        if player["name"] in with_tavern:
            player["grid"][3][3] = "tavern"
    return draft(record)


def told_of_taverns(page: str) -> list[tuple[int, int]]:
    """Return the rates with a Tavern and without one in each sentence about it under "What stands out"."""
    said = re.findall(r"<li><strong>([^<]*Tavern[^<]*)</strong>", page)
    return [(int(rates[0]), int(rates[1])) for one in said if (rates := re.findall(r"(\d+)\s?%", one))]


def test_what_stands_out_is_what_was_compared(db: Database, club: int, viewer: Device) -> None:
    """Taverns go with defeat at tables of two and of five, but most are built at tables of two, where half win."""
    history.save_all(
        db,
        club,
        [table("A", "AB", "AB")] * 90
        + [table("B", "AB", "AB")] * 60
        + [table("A", "AB", "B")] * 20
        + [table("A", "ABCDE", "A")] * 2
        + [table("C", "ABCDE", "A")] * 38
        + [table("A", "ABCDE", "B")] * 25
        + [table("C", "ABCDE", "B")] * 75,
    )
    # Two players: 150 of 320 win with it and 20 of 20 without; five: 2 of 140 and 138 of 560. All together that would
    # be 33 % with it and 27 % without. The weights are 320 x 20 / 340 = 18.8 and 140 x 560 / 700 = 112, so that
    # (18.8 x 0.469 + 112 x 0.014) / 130.8 win with it and (18.8 x 1 + 112 x 0.246) / 130.8 without.
    expected = (8, 35)
    assert told_of_taverns(viewer.get("/stats")) == [expected]
    assert told_of_taverns(viewer.get("/stats/games/tiny_towns")) == [expected]
    # A wins 90 of 150 with it and 20 of 20 without at tables of two, 2 of 40 and 25 of 100 at those of five: together
    # 48 % with it and 38 % without. The weights are 150 x 20 / 170 = 17.6 and 40 x 100 / 140 = 28.6, so that
    # (17.6 x 0.6 + 28.6 x 0.05) / 46.2 are won with it and (17.6 x 1 + 28.6 x 0.25) / 46.2 without.
    [person] = [row[0] for row in db.execute("SELECT id FROM players WHERE name = 'A'")]
    assert told_of_taverns(viewer.get(f"/players/{person}")) == [(26, 54)]


def test_nothing_stands_out_where_tables_of_one_size_speak_against_the_others(
    db: Database, club: int, viewer: Device
) -> None:
    against = [table("A", "AB", "B")] * 40
    history.save_all(db, club, against)
    [(with_it, without)] = told_of_taverns(viewer.get("/stats"))
    assert with_it < without
    history.save_all(db, club, [table("C", "ABCDE", "C")] * 12)
    assert told_of_taverns(viewer.get("/stats")) == []


def test_few_games_say_nothing(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        history.save_all(db, home, [town("Ann", "Ann")] * 6)
        ann, game = people.find(db, 1), games.find("tiny_towns")
        assert ann is not None and game is not None
        assert insight.of_player(db, ann, [game]) == []
        assert about(db, home, game) == []
