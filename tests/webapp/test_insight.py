"""Insights: the tests against published and hand-made figures, and what is told of made-up clubs."""

from __future__ import annotations

import random
import re
from html import unescape
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from scorer import games
from scorer.sentences import NOTHING
from tests.webapp.conftest import Device
from tests.webapp.plays import CARDS, club, database, draft, towns, typed
from webapp.database import Database
from webapp.history import Decision, NewPlay, SeatScore
from webapp.history import plays as history
from webapp.statistics import Scope, cards, headlines, insight, results
from webapp.statistics.insight import Question
from webapp.statistics.significance import (
    EXACT_UP_TO,
    Fourfold,
    Tosses,
    association,
    binomial_test,
    significant,
    welch_test,
)

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
    return binomial_test([Tosses(hits, of, 0.5)])


def test_the_sign_test_counts_coin_tosses() -> None:
    assert even(9, 10) == pytest.approx(2 * 11 / 1024)  # ten ways to nine, one to ten, to either side
    assert even(5, 10) == pytest.approx(1.0)
    assert even(0, 0) == 1.0
    # One of three by chance: 3 of 3 has 1 way of 27; with a coin besides, 3 of 3 and 1 of 1 has 1 of 54.
    assert binomial_test([Tosses(3, 3, 1 / 3)]) == pytest.approx(1 / 27)
    assert binomial_test([Tosses(3, 3, 1 / 3), Tosses(1, 1, 1 / 2)]) == pytest.approx(1 / 54)


def test_means_are_apart_by_their_standard_errors() -> None:
    # A difference of 1.96 standard errors is what chance brings once in twenty times.
    assert welch_test(11.96, 50, 100, 10, 50, 100) == pytest.approx(0.05, abs=1e-4)


def test_of_many_questions_only_what_stands_out_is_told() -> None:
    # Benjamini and Hochberg 1995, the example of section 3.2: 15 questions, of which the first four are told.
    published = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719]
    published += [0.6528, 0.7590, 1.0000]
    assert significant(published) == [True] * 4 + [False] * 11
    assert significant([]) == []


def test_chance_alone_tells_next_to_nothing() -> None:
    """A hundred clubs of fair coins with twenty questions each: hardly one of them is told anything."""
    chance = random.Random(7)
    told = 0
    for _ in range(100):
        heads = [sum(chance.random() < 0.5 for _ in range(40)) for _ in range(20)]
        asked = [Question(even(hits, 40), NOTHING, NOTHING) for hits in heads]
        told += bool(insight.insights(asked))
    assert told <= 10


def town(winner: str, with_tavern: str | None) -> NewPlay:
    """Ann and Bob, one of whom has more cottages; one may have a tavern instead of the last empty square."""
    record = towns({"Ann": 3 if winner == "Ann" else 1, "Bob": 3 if winner == "Bob" else 1}, cards=CARDS)
    for player in record["players"]:
        if player["name"] == with_tavern:
            player["grid"][3][3] = "tavern"
    return draft(record)


def test_what_the_games_show_is_said_with_its_figures(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        games_played = (
            [town("Ann", "Ann")] * 24 + [town("Bob", "Ann")] * 6 + [town("Bob", None)] * 24 + [town("Ann", None)] * 6
        )
        history.save_all(db, home, games_played)
        scope, game = Scope(home, "tiny_towns"), games.find("tiny_towns")
        assert game is not None
        [found] = insight.of_players_cards("Ann", game, cards.of_player(db, scope, 1))
        assert found.says == "Ann wins 80% of Tiny Towns games with Tavern, and 20% without it."
        assert found.rests_on == "30 scores with this card, 30 without"
        assert found.sure == "Very sure."
        # Ann and Bob win thirty times each: neither is ahead of the other, and the first seat has no advantage.
        found_of_seats = results.by_seat(db, scope)
        told = insight.of_seats(results.seats(found_of_seats))
        assert [one.says for one in told] == ["Going first doesn’t help (60 games)."]
        assert headlines.leader(results.claims(results.people(db, home), found_of_seats)) is None


def table(winner: str, names: str, with_tavern: str) -> NewPlay:
    """Players named by single letters, of whom one has more cottages and some have a tavern."""
    record = towns({name: 3 if name == winner else 1 for name in names}, cards=CARDS)
    for player in record["players"]:
        if player["name"] in with_tavern:
            player["grid"][3][3] = "tavern"
    return draft(record)


def told_of_taverns(page: str) -> list[tuple[int, int]]:
    """Return the rates with a Tavern and without one in each sentence about it under "What stands out"."""
    said = re.findall(r"<summary>([^<]*Tavern[^<]*)</summary>", page)
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
    assert told_of_taverns(viewer.get("/stats/games/tiny_towns/cards")) == [expected]
    assert told_of_taverns(viewer.get("/stats/games/tiny_towns?open=cards")) == [expected]
    # A wins 90 of 150 with it and 20 of 20 without at tables of two, 2 of 40 and 25 of 100 at those of five: together
    # 48 % with it and 38 % without. The weights are 150 x 20 / 170 = 17.6 and 40 x 100 / 140 = 28.6, so that
    # (17.6 x 0.6 + 28.6 x 0.05) / 46.2 are won with it and (17.6 x 1 + 28.6 x 0.25) / 46.2 without.
    [person] = [row[0] for row in db.execute("SELECT id FROM players WHERE name = 'A'")]
    assert told_of_taverns(viewer.get(f"/players/{person}/games/tiny_towns")) == [(26, 54)]


def test_nothing_stands_out_where_tables_of_one_size_speak_against_the_others(
    db: Database, club: int, viewer: Device
) -> None:
    against = [table("A", "AB", "B")] * 40
    history.save_all(db, club, against)
    [(with_it, without)] = told_of_taverns(viewer.get("/stats/games/tiny_towns/cards"))
    assert with_it < without
    history.save_all(db, club, [table("C", "ABCDE", "C")] * 12)
    assert told_of_taverns(viewer.get("/stats/games/tiny_towns/cards")) == []


def test_few_games_say_nothing(db: Database, club: int, viewer: Device) -> None:
    history.save_all(db, club, [town("Ann", "Ann")] * 6)
    for address in ("", "/games/tiny_towns", "/games/tiny_towns/cards"):
        assert "What stands out" not in viewer.get(f"/stats{address}")


def said(page: str) -> str:
    """The sentences that a page opens with."""
    [lead, *_] = re.findall(r'<p class="lead">(.*?)</p>', page, re.S)
    return " ".join(unescape(lead).split())


def won(*winners: str, losers: str = "B") -> list[NewPlay]:
    """Games of Tenby that one of them won, a day apart."""
    return [
        draft(typed({name: 9 if name == winner else 4 for name in (*losers, "A")}), f"2026-01-{day:02}T20:00:00Z")
        for day, winner in enumerate(winners, start=1)
    ]


def test_pages_open_with_who_wins_and_whether_that_may_be_luck(db: Database, club: int, viewer: Device) -> None:
    history.save_all(db, club, won(*"AABA"))
    expected = "4 games were played. A has won 3 of 4 games of Tenby. Among all players, that may still be luck."
    assert said(viewer.get("/stats")) == expected
    few = expected.replace("played.", "played. The average score is 6.5.", 1)
    assert said(viewer.get("/stats/games/tenby")) == few
    [ann] = [row[0] for row in db.execute("SELECT id FROM players WHERE name = 'A'")]
    luck = "A has won 3 of 4 games against others. A has won 3 of 4 games of Tenby. That may still be luck."
    assert said(viewer.get(f"/players/{ann}")) == luck


def test_what_luck_does_not_explain_is_said_so(db: Database, club: int, viewer: Device) -> None:
    """Twelve wins of twelve: an even share brings that once in 4,096 times, for one of two players in 2,048."""
    history.save_all(db, club, won(*"AAAAAAAAAAAA"))
    assert "A has won 12 of 12 games of Tenby. That is more than luck explains." in said(viewer.get("/stats"))
    [bob] = [row[0] for row in db.execute("SELECT id FROM players WHERE name = 'B'")]
    expected = (
        "B has won 0 of 12 games against others. B has won 0 of 12 games of Tenby. "
        "Bad luck alone doesn’t explain so few wins."
    )
    assert said(viewer.get(f"/players/{bob}")) == expected


def test_a_first_win_over_somebody_is_told_with_the_game(db: Database, club: int, viewer: Device) -> None:
    *_, fourth, fifth, sixth = history.save_all(db, club, won(*"AAAABB"))
    keys = dict(db.execute("SELECT id, key FROM plays").fetchall())
    news = "B finished ahead of A for the first time in 5 games."
    assert news in viewer.get(f"/plays/{keys[fifth]}")
    assert "for the first time" not in viewer.get(f"/plays/{keys[fourth]}")
    assert "for the first time" not in viewer.get(f"/plays/{keys[sixth]}")


def test_what_is_still_to_count_is_left_out_and_counted(
    db: Database, club: int, viewer: Device, member: Device
) -> None:
    assert "still to count" not in member.get("/data")
    seats = (SeatScore(8, 1, None), SeatScore(None, None, None, final=False))
    unknown = NewPlay(typed({"A": 8, "B": 0}), Decision(seats, None, "", "told"), "2026-02-01T20:00:00Z")
    history.save_all(db, club, [*won(*"AB"), unknown])
    page = viewer.get("/stats/games/tenby")
    assert "1 score is not known yet and not included. 1 game without a known winner is not included." in page
    assert said(page) == "3 games were played. The average score is 6.8."  # of 9, 4, 4, 9 and 8
    for address in ("/stats", "/stats/years/2026"):
        page = viewer.get(address)
        assert "1 score is not known yet and not included. 1 game without a known winner is not included." in page
        assert re.search(r'href="/plays\?open=1">Complete games', page), address
    assert "1 game has scores still to count. The files leave these empty." in member.get("/data")
