"""What pages say of plays chosen by period, place, players, way and cards, against the records themselves."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scorer import games
from scorer.contract import Game, Json
from tests.webapp.conftest import Device
from tests.webapp.plays import CARDS, draft, towns, typed
from webapp.database import Database
from webapp.history import kept, plays, recount, variant_of
from webapp.statistics import Period, Rate, Scope, cards, club, figures, insight

PLAYED = ("2023-11", "2026-11")


def told(db: Database, game: Game) -> list[Json]:
    """All games as anybody reads them, the latest first, with nothing that we have worked out."""
    return [
        {**row, "record": json.loads(row["record"]), "result": json.loads(row["result"])}
        for row in db.query(
            "SELECT id, played_at, place, record, result FROM plays WHERE game = ? ORDER BY played_at DESC, id DESC",
            [game.id],
        )
    ]


def lay_there(record: Json) -> set[str]:
    """The cards of a table, as the pages call them."""
    table, found = record["table"], set()
    found |= {card for colour, card in table.get("cards", {}).items() if colour != "blue"}
    for one in table.get("accolades", {}).get("cards", ()):
        found |= {f"accolade/{one['name']}"} if one.get("name") else set()
    for player in record["players"]:
        found |= {player["monument"]} if player.get("monument") else set()
        found |= {f"resident/{one['name']}" for one in player.get("residents", ()) if one.get("name")}
    return found


def pick(plays: list[Json], chance: random.Random) -> tuple[dict[str, Any], Period, list[str]]:
    """Some choices that fit at least one game: now many, now few."""
    one = chance.choice(plays)
    month = one["played_at"][:7]
    period = chance.choice(
        [Period(), Period(month[:4], f"{month[:4]}-01", f"{month[:4]}-12"), Period("range", month[:4] + "-02", month)]
    )
    narrow = {
        "place": chance.choice(["", one["place"]]),
        "players": chance.choice([None, len(one["record"]["players"])]),
        "variant": chance.choice([None, variant_of(one["record"])]),
    }
    dealt = sorted(lay_there(one["record"]))
    return narrow, period, chance.sample(dealt, min(len(dealt), chance.randint(1, 3)))


def fitting(all_plays: list[Json], narrow: dict[str, Any], period: Period, wanted: list[str]) -> list[Json]:
    return [
        play
        for play in all_plays
        if (not narrow["place"] or play["place"] == narrow["place"])
        and narrow["players"] in (None, len(play["record"]["players"]))
        and narrow["variant"] in (None, variant_of(play["record"]))
        and (not period.first or period.first <= play["played_at"][:7] <= period.last)
        and set(wanted) <= lay_there(play["record"])
    ]


@pytest.mark.parametrize("game", [game for game in games.everything() if game.cards], ids=lambda game: game.id)
def test_tables_with_cards_are_those_of_the_records(harbour: tuple[Database, int], game: Game) -> None:
    db, club_id = harbour
    every, chance = told(db, game), random.Random(7)
    tried = 0
    for _ in range(60):
        narrow, period, wanted = pick(every, chance)
        if not wanted:
            continue
        tried += 1
        scope = Scope(club_id, game.id, periods=period.parts, **narrow)
        dealt = cards.dealt(db, scope)
        agree(figures.of_tables(db, scope, game, dealt, wanted, period, ""), fitting(every, narrow, period, wanted))
    assert tried > 20


@pytest.mark.parametrize("game", games.everything(), ids=lambda game: game.id)
def test_sums_of_any_choices_are_those_of_the_records(harbour: tuple[Database, int], game: Game) -> None:
    db, club_id = harbour
    every, chance = told(db, game), random.Random(8)
    for _ in range(40):
        narrow, period, _ = pick(every, chance)
        scope = Scope(club_id, game.id, periods=period.parts, **narrow)
        dealt = cards.dealt(db, scope)
        agree(figures.of_sums(db, scope, game, dealt, PLAYED), fitting(every, narrow, period, []))


def agree(shown: figures.Figures, those: list[Json]) -> None:
    """The figures are those of these games, added up one by one."""
    sheets = [(play, seat, player) for play in those for seat, player in enumerate(play["result"]["players"])]
    assert shown.tables in (None, len(those)) and not shown.since
    counts = {count: dict(spread.counts) for count, spread in shown.by_count}
    assert counts == {
        size: dict(Counter(one["total"] for play, _, one in sheets if len(play["record"]["players"]) == size))
        for size in {len(play["record"]["players"]) for play in those}
    }
    contests = [(play, seat, one) for play, seat, one in sheets if len(play["record"]["players"]) > 1]
    assert {row["name"]: (row["plays"], row["rate"]) for row in shown.people} == {
        name: (
            sum(one["name"] == name for _, _, one in sheets),
            Rate(
                sum(one["winner"] for _, _, one in contests if one["name"] == name),
                sum(one["name"] == name for _, _, one in contests),
            ),
        )
        for name in {one["name"] for _, _, one in sheets}
    }
    for size, rates in shown.seats:
        at = [play for play in those if len(play["record"]["players"]) == size]
        assert rates == [
            Rate(sum(play["result"]["players"][seat]["winner"] for play in at), len(at)) for seat in range(size)
        ]
    assert {size for size, _ in shown.seats} == {len(play["record"]["players"]) for play, _, _ in contests}
    for line in shown.lines:
        points = [
            sum(part["points"] for part in one["lines"] if part["rule"] == line.rule)
            for _, _, one in sheets
            if any(part["rule"] == line.rule for part in one["lines"])
        ]
        had = [play for play, _, _ in sheets if line.rule in lay_there(play["record"])]
        of = len(had) if had else len(sheets)
        assert (line.points, line.sheets, line.of) == (sum(points), len(points), of)
    by_month = Counter(play["played_at"][:7] for play, _, _ in sheets)
    by_year = Counter(play["played_at"][:4] for play, _, _ in sheets)
    for average in shown.over_time:
        assert average.n == (by_month if len(average.period) == 7 else by_year)[average.period]
    assert not those or any(shown.over_time) or max([*by_month.values(), *by_year.values()]) < 36


def test_no_more_than_the_latest_tables_are_read_and_the_page_says_so(
    member: Device, db: Database, club: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "MOST_TABLES", 2)
    tavern = towns({"Ann": 3, "Bob": 1}, cards=CARDS)
    inn = towns({"Ann": 4, "Bob": 1}, cards={**CARDS, "green": "inn"})
    plays.save_all(db, club, [draft(tavern, f"2026-0{month}-01T20:00:00Z") for month in (1, 2, 3)])
    plays.save_all(db, club, [draft(inn, "2026-04-01T20:00:00Z")])
    page = member.get("/stats/games/tiny_towns?card=tavern&card=chapel")
    assert "From the latest 2 tables with these cards, since 1 Feb 2026." in page
    assert "4 scores:" in page and "Tavern · Chapel" in page
    assert "What follows is of all plays of the game." in page
    page = member.get("/stats/games/tiny_towns?card=inn")
    assert "Of 1 table with these cards." in page and "2 scores:" in page
    assert "No plays like that yet." in member.get("/stats/games/tiny_towns?card=inn&card=tavern")
    assert "8 scores:" in member.get("/stats/games/tiny_towns?card=nobodys&card=%00")


def test_looking_ends_however_few_fit(db: Database, club: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "LOOKED_AT", 3)
    tavern = towns({"Ann": 3, "Bob": 1}, cards=CARDS)
    plays.save_all(db, club, [draft(tavern, f"2026-0{month}-01T20:00:00Z", place="Home") for month in (1,)])
    plays.save_all(db, club, [draft(tavern, f"2026-0{month}-01T20:00:00Z") for month in (2, 3, 4, 5)])
    scope = Scope(club, "tiny_towns", place="Home")
    found = figures.tables(db, scope, cards.dealt(db, scope), ["tavern"], Period(), "")
    assert found == ([], "2026-03-01T20:00:00Z")


def test_a_game_that_moves_or_goes_takes_its_cards_along(db: Database, club: int) -> None:
    tavern = towns({"Ann": 3, "Bob": 1}, cards=CARDS)
    [play_id] = plays.save_all(db, club, [draft(tavern, "2026-01-01T20:00:00Z", place="Home")])

    def stands() -> set[tuple[str, str, str]]:
        return set(db.execute("SELECT card, place, played_at FROM kept_cards WHERE play_id = ?", [play_id]).fetchall())

    def play() -> kept.Play:
        found = plays.by_id(db, play_id)
        assert found is not None
        return found

    dealt = {card for colour, card in CARDS.items() if colour != "blue"}
    assert stands() == {(card, "Home", "2026-01-01T20:00:00Z") for card in dealt}
    plays.describe(db, play(), "", "Elsewhere", None, "2026-01-01T20:00:00Z")
    assert {place for _, place, _ in stands()} == {"Elsewhere"}
    plays.describe(db, play(), "", "Elsewhere", None, "2026-01-02T20:00:00Z")
    assert {at for _, _, at in stands()} == {"2026-01-02T20:00:00Z"}
    other = towns({"Ann": 3, "Bob": 1}, cards={**CARDS, "green": "inn"})
    plays.correct(db, play(), other, draft(other).result)
    assert {card for card, _, _ in stands()} == dealt - {"tavern"} | {"inn"}
    plays.delete(db, play())
    assert not stands()
    plays.restore(db, play())
    assert {card for card, _, _ in stands()} == dealt - {"tavern"} | {"inn"}
    db.execute("DELETE FROM kept_cards WHERE card = 'inn'")
    assert recount.recount(db) == ["kept_cards"] and "inn" in {card for card, _, _ in stands()}
    assert recount.recount(db) == []


def test_the_months_and_what_stands_out_are_those_of_the_chosen_plays(member: Device, db: Database, club: int) -> None:
    some = [draft(typed({"Ann": 3, "Bob": 1}), f"2025-0{month}-01T20:00:00Z", place="Home") for month in (3, 3, 4)]
    plays.save_all(db, club, [*some, draft(typed({"Ann": 1, "Bob": 2}), "2026-01-01T20:00:00Z")])
    scope = Scope(club, periods=("2025",), place="Home")
    assert dict(club_months(db, scope)) == {"2025-03": 2, "2025-04": 1}
    assert dict(club_months(db, Scope(club))) == {"2025-03": 2, "2025-04": 1, "2026-01": 1}
    page = member.get("/stats?period=2025&place=Home")
    assert page.index("Month by month") < page.index("What follows is of all plays.") < page.index("Days of the week")
    assert "What follows is of all plays." not in member.get("/stats")
    # Forty games in which the first seat always wins, and others in which the second does: each scope tells its own.
    first = [draft(typed({"Ann": 3, "Bob": 1}), "2024-01-01T20:00:00Z", place="First")] * 40
    second = [draft(typed({"Ann": 1, "Bob": 3}), "2024-01-01T20:00:00Z", place="Second")] * 40
    plays.save_all(db, club, [*first, *second])
    [(_, one)] = insight.of_club(db, Scope(club, place="First"))
    [(_, other)] = insight.of_club(db, Scope(club, place="Second"))
    assert "100" in str(one[0].says) and str(other[0].says).startswith("The first seat wins 0")


def club_months(db: Database, scope: Scope) -> list[tuple[str, int]]:
    return [(month, number) for month, number in club.by_month(db, scope) if number]


@pytest.mark.sqlite
def test_a_card_is_found_by_its_index(harbour: tuple[Database, int], tmp_path: Path) -> None:
    """However many tables a club has, those with a card are found without looking at others."""
    db, club_id = harbour
    plan = " ".join(
        str(row[-1])
        for row in db.execute(
            """EXPLAIN QUERY PLAN SELECT play_id, played_at, place = '' FROM kept_cards
            WHERE club_id = ? AND game = ? AND card = ? AND played_at >= ? AND played_at < ?
            ORDER BY played_at DESC, play_id DESC LIMIT 9""",
            [club_id, "tiny_towns", "tavern", "2024", "2025"],
        )
    )
    assert "COVERING INDEX cards_at_tables" in plan and "TEMP B-TREE" not in plan
