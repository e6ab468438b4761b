"""Every figure of clubs of odd shapes, against the oracle, which works it out the long way from an exported file."""

from __future__ import annotations

import random
import re
from collections import Counter
from html import unescape
from itertools import permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from scorer import games
from tests.webapp import oracle
from tests.webapp.bringing import taken_out
from tests.webapp.conftest import Device
from tests.webapp.drawn_clubs import CLUBS, Drawn, save
from tests.webapp.plays import database
from webapp import clubs
from webapp.database import Database
from webapp.database.files import IN_MEMORY
from webapp.history import Person, player_profiles, rebuild, variant_of
from webapp.statistics import Rate, Scope, achievement_holders, boards, cards, game, player, results, year
from webapp.statistics import club as of_club
from webapp.statistics.measures import FEW
from webapp.template_filters import mean, points

ODD = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
PAGES = settings(ODD, max_examples=15)
TITLES = ("tenby", "tiny_towns", "old_london_bridge", "copenhagen", "pier_18", "gone")


def person(db: Database, club_id: int, name: str) -> Person:
    found = player_profiles.by_name(db, club_id, name)
    assert found is not None
    return found


def choice(plays: list[oracle.Game], chance: random.Random) -> dict[str, Any]:
    """Some filter that fits at least one game, if there is one."""
    if not plays:
        return {}
    one = chance.choice(plays)
    offered: dict[str, Any] = {
        "first": f"{one.day[:7]}-01",
        "last": f"{one.day[:7]}-31",
        "place": one.place,
        "players": one.size,
        "variant": variant_of(one.record),
        "cards": tuple(sorted(one.all_cards())[:2]),
    }
    return {name: value for name, value in offered.items() if chance.random() < 0.3}


def fitting(plays: list[oracle.Game], scope: Scope) -> list[oracle.Game]:
    return [
        play
        for play in plays
        if scope.game in ("", play.title)
        and (not scope.first or scope.first <= play.day)
        and (not scope.last or play.day <= scope.last)
        and scope.place in ("", play.place)
        and scope.players in (None, play.size)
        and scope.variant in (None, play.variant)
        and set(scope.cards) <= play.all_cards()
    ]


@ODD
@given(CLUBS)
def test_every_figure_is_the_oracles(drawn: Drawn) -> None:
    with database(IN_MEMORY) as db:
        home = clubs.create(db, "Odd")
        save(db, clubs.create(db, "The others"), drawn)  # whose games must not count
        save(db, home, drawn)
        plays = oracle.read(taken_out(db, home))
        chance = random.Random(len(plays))
        for narrow in ({}, {}, choice(plays, chance), choice(plays, chance)):
            agrees_on_the_club(db, Scope(home, **{**narrow, "cards": ()}), plays)
            for title in TITLES:
                agrees_on_a_title(db, Scope(home, title, **narrow), plays)
        for name in {seat.name for play in plays for seat in play.seats}:
            agrees_on_a_player(db, home, name, plays)
        agrees_on_years(db, home, plays)
        assert rebuild.check(db) == []


def agrees_on_the_club(db: Database, scope: Scope, every: list[oracle.Game]) -> None:
    plays = fitting(every, scope)
    assert {(one.game, one.plays, one.timed, one.minutes) for one in of_club.played(db, scope)} == {
        (title, len(those), sum(one.minutes is not None for one in those), sum(one.minutes or 0 for one in those))
        for title in {play.title for play in plays}
        if (those := [play for play in plays if play.title == title])
    }
    months = Counter(play.day[:7] for play in plays)
    assert all(count == months[month] for month, count in of_club.by_month(db, scope))
    assert dict(of_club.places(db, scope)) == Counter(play.place for play in plays if play.place)
    margins = sorted(margin for play in plays if (margin := play.margin) is not None and margin >= 0)
    assert [one.margin for one in of_club.closest(db, scope)] == margins[:5]
    ends = of_club.first_and_latest(db, scope)
    assert [end.played_at for end in ends] == ([plays[0].played_at, plays[-1].played_at] if plays else [])
    known = results.people(db, scope.club_id)
    found = [one for one in results.standings(known, results.by_seat(db, scope)) if one.plays]
    assert {one.name: (one.plays, one.contests, one.wins) for one in found} == oracle.standings(plays)
    met = of_club.played_together(db, scope, found)
    for one, other in permutations(found[: of_club.MOST_PEOPLE], 2):
        together = sum({one.name, other.name} <= {seat.name for seat in play.seats} for play in plays)
        assert met.get((one.id, other.id), 0) == together


def agrees_on_a_title(db: Database, scope: Scope, every: list[oracle.Game]) -> None:
    plays = fitting(every, scope)
    seats = [(play, number, seat) for play in plays for number, seat in enumerate(play.seats)]
    scores = game.scores(db, scope)
    assert {count: dict(spread.counts) for count, spread in scores.by_count} == {
        size: dict(Counter(oracle.known_totals(play for play in plays if play.size == size)))
        for size in {play.size for play, _, seat in seats if seat.total is not None}
    }
    assert scores.open == sum(seat.total is None for _, _, seat in seats)
    for average in scores.over_time:
        mine = [seat.total for play, _, seat in seats if play.day.startswith(average.period)]
        known = [total for total in mine if total is not None]
        assert average.n == len(known) >= FEW
        assert average.mean == pytest.approx(sum(known) / len(known))
    for size, rates in results.seats(results.by_seat(db, scope)):
        for number, rate in enumerate(rates):
            won = [seat.winner for play, at, seat in seats if (play.size, at) == (size, number)]
            assert rate == Rate(won.count(True), len(won) - won.count(None))
    for record in game.records(db, scope):
        way = [play for play in plays if (play.size, play.variant) == (record.player_count, record.variant)]
        assert (record.plays, record.total) == (len(way), max(oracle.known_totals(way)))
        first = next(play for play in way if record.total in [seat.total for seat in play.seats])
        assert record.key == first.key
        assert record.player in [seat.name for seat in first.seats if seat.total == record.total]
    if found := games.find(scope.game):
        agrees_on_lines_and_cards(db, scope, found, plays)
    if scope == Scope(scope.club_id, scope.game):
        rated = oracle.ratings(plays)
        for one in game.ratings(db, scope.club_id, scope.game):
            assert one.rating == rated[one.name]
            assert one.plays == sum(seat.name == one.name for _, _, seat in seats)


def agrees_on_lines_and_cards(db: Database, scope: Scope, found: Any, plays: list[oracle.Game]) -> None:
    totals = oracle.line_points(plays)
    for line in game.lines(db, scope, found, game.scores(db, scope)):
        assert (line.points, line.of) == (totals[line.rule], oracle.sheets_with(plays, line.rule)), line.rule
    expected: dict[str, list[int]] = {}
    for play in plays:
        for card, seats in play.cards().items():
            sums = expected.setdefault(card, [0] * 8)
            sums[0] += 1
            for number, brought in seats.items():
                seat = play.seats[number]
                is_decided = play.size > 1 and seat.winner is not None
                has_it = brought is not None
                for place, amount in enumerate(
                    (
                        1,
                        seat.total or 0,
                        has_it,
                        brought or 0,
                        is_decided and has_it,
                        is_decided and has_it and seat.winner,
                        is_decided and seat.winner,
                    ),
                    1,
                ):
                    sums[place] += int(amount or 0)
    shown = {
        card.id: [
            card.tables,
            card.use.of,
            sum(one.totals for one in card.by_size),
            card.had,
            card.points,
            card.with_it.of,
            card.with_it.hits,
            card.with_it.hits + card.without_it.hits,
        ]
        for card in cards.in_play(db, scope, found)
    }
    assert shown == expected
    for board in boards.of_title(db, scope, found, {}):
        if scope.game == "tiny_towns":
            grids = [player["grid"] for play in plays for player in play.record["players"] if "grid" in player]
            pieces = Counter(piece for grid in grids for row in grid for piece in row)
            assert {str(one.choice.value): one.squares for one in board.built} == dict(pieces)
            assert board.piece.boards == len(grids)


def agrees_on_a_player(db: Database, home: int, name: str, every: list[oracle.Game]) -> None:
    mine = [play for play in every if any(seat.name == name for seat in play.seats)]
    one, known = person(db, home, name), results.people(db, home)
    found = player.title_records(db, one, player.results_of(db, one))
    assert {title.game.id for title in found} == {play.title for play in mine if games.find(play.title)}
    for title in found:
        those = [play for play in mine if play.title == title.game.id]
        totals = [seat.total for play in those for seat in play.seats if seat.name == name]
        scores = [total for total in totals if total is not None]
        plays, contests, wins = oracle.standings(those)[name]
        assert (title.plays, title.wins, title.open) == (plays, Rate(wins, contests), len(totals) - len(scores))
        assert title.mean == (pytest.approx(sum(scores) / len(scores)) if scores else None)
        assert title.best == max(scores, default=None)
        everybody = [play for play in every if play.title == title.game.id]
        assert (title.streak, title.longest) == oracle.streaks(everybody, name)
        assert title.rating == oracle.ratings(everybody)[name]
        for best in player.bests(db, one, title.game.id):
            way = [play for play in those if (play.size, play.variant) == (best.player_count, best.variant)]
            reached = [(seat.total, play.key) for play in way for seat in play.seats if seat.name == name]
            assert best.total == max(total for total, _ in reached if total is not None)
            assert best.key == next(key for total, key in reached if total == best.total)
        for line in player.lines(db, one, title.game):
            sheets = [
                (seat.name, seat.points()[line.rule])
                for play in everybody
                for seat in play.seats
                if any(rule == line.rule for rule, _, _ in seat.lines)
            ]
            hers = [points for who, points in sheets if who == name]
            assert line.sheets == len(hers)
            assert line.mine == pytest.approx(sum(hers) / len(hers))
            assert line.club == pytest.approx(sum(points for _, points in sheets) / len(sheets))
    met = player.opponents(known, player.meetings(db, one))
    assert {other.name: (other.won, other.lost, other.tied) for other in met} == oracle.meetings(mine, name)
    assert [latest.key for latest in player.latest_games(db, one)] == [play.key for play in mine[::-1]][: player.FORM]
    for achievement in achievement_holders.of_player(db, home, one.id):
        assert achievement.times >= 1 and 1 <= achievement.games <= achievement.of


def agrees_on_years(db: Database, home: int, every: list[oracle.Game]) -> None:
    assert set(game.choices(db, home).years) == {play.day[:4] for play in every}
    for name in {play.day[:4] for play in every}:
        found, plays = year.of_club(db, home, name), [play for play in every if play.day[:4] == name]
        assert found is not None
        shown = {day: times for week in found.calendar for one in week if one for day, times in [one] if times}
        assert shown == dict(Counter(play.day for play in plays))
        assert found.plays == len(plays)
        for best in found.bests:
            those = [play for play in plays if play.title == best.game]
            assert best.total == max(oracle.known_totals(those))
            assert best.key == next(p.key for p in those if best.total in [seat.total for seat in p.seats])


@pytest.mark.either
@PAGES
@given(CLUBS)
def test_every_page_of_any_club_opens_and_shows_the_oracles_figures(
    viewer: Device, db: Database, club: int, drawn: Drawn
) -> None:
    home = club
    for table in ("all_plays", "standings", "players"):  # of the club drawn before
        db.execute(f"DELETE FROM {table} WHERE club_id = ?", [home])
    save(db, home, drawn)
    plays = oracle.read(taken_out(db, home))
    page = text(viewer.get("/stats"))
    if plays:
        assert f"{len(plays)} game{'s were' if len(plays) > 1 else ' was'} played." in page
    for address in ("/stats?open=company", "/stats/company", "/stats/achievements", "/players", "/plays", "/"):
        viewer.get(address)
    for found in games.all_games():
        those = [play for play in plays if play.title == found.id]
        address = f"/stats/games/{found.id}"
        page = text(viewer.get(address))
        if totals := list(oracle.known_totals(those)):
            assert f"The average score is {mean(sum(totals) / len(totals))}." in page
            assert f"from {points(min(totals))} to {points(max(totals))}" in page
        if left := sum(seat.total is None for play in those for seat in play.seats):
            assert f"{left} score" in page and "not known yet and not included" in page
        for more in ("?open=cards&open=boards", "/cards", "/boards", "?period=2025", "?players=1&place=Home"):
            viewer.get(f"{address}{more}")
    for name in {play.day[:4] for play in plays}:
        viewer.get(f"/stats/years/{name}")
    for number, name in db.execute("SELECT id, name FROM players WHERE club_id = ?", [home]).fetchall():
        page = text(viewer.get(f"/players/{number}"))
        for other, (won, lost, tied) in oracle.meetings(plays, name).items():
            assert f"{other} {won + lost + tied} {won} {lost} {tied}" in page
        for found in games.all_games():
            viewer.get(f"/players/{number}/games/{found.id}")
            viewer.get(f"/players/{number}?open=more-{found.id}")
    for play in plays:
        if games.find(play.title):
            viewer.get(f"/plays/{play.key}")


def text(page: str) -> str:
    """Return the text of a page, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())
