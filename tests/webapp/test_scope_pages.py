"""Pages of some of the plays, the calendar, and the picture of a year."""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import pytest
from PIL import Image

import webapp
from tests.webapp.conftest import Device
from tests.webapp.plays import CARDS, draft, towns, typed
from webapp.database import Database
from webapp.history import plays as history
from webapp.picture import Poster, drawn
from webapp.picture.lettering import writable
from webapp.statistics import Scope, cards, periods, times

TODAY = date(2026, 11, 18)
PLAYED = ("2023-02", "2026-10")


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        (("", "", ""), "", ""),
        (("2025", "", ""), "2025-01", "2025-12"),
        (("12", "", ""), "2025-12", "2026-11"),  # this month and the eleven before
        (("range", "2024-05", "2025-02"), "2024-05", "2025-02"),
        (("", "2024-05", ""), "2024-05", "2026-11"),  # up to today
        (("range", "", "2024-01"), "2023-02", "2024-01"),  # from the first play on
        (("range", "0001-01", "9999-12"), "2023-02", "2026-11"),
        (("range", "soon", "2024-13"), "", ""),
        (("99", "", ""), "", ""),
    ],
)
def test_a_period_is_read_from_the_address(asked: tuple[str, str, str], first: str, last: str) -> None:
    period = periods.asked(*asked, TODAY, PLAYED)
    assert (period.first, period.last) == (first, last)


def test_a_range_that_ends_before_it_begins_has_no_plays(member: Device, db: Database, club: int) -> None:
    history.save_all(db, club, [draft(typed({"Ann": 3, "Bob": 1}))])
    page = member.get("/stats/games/tenby?period=range&since=2026-05&until=2026-01")
    assert "No plays like that yet." in page


def test_the_page_of_a_game_shows_the_chosen_plays(member: Device, db: Database, club: int) -> None:
    history.save_all(
        db,
        club,
        [
            draft(typed({"Ann": 30, "Bob": 20}), "2025-03-01T20:00:00Z", place="The Anchor"),
            draft(typed({"Ann": 10, "Bob": 12}), "2025-08-01T20:00:00Z", place="Home"),
            draft(typed({"Ann": 14, "Bob": 16, "Cid": 18}), "2026-02-01T20:00:00Z", place="Home"),
        ],
    )
    page = member.get("/stats/games/tenby?period=2025")
    assert "4 scores: 18.0 on average, median 16.0, 10 to 30." in page
    page = member.get("/stats/games/tenby?place=Home&players=2")
    assert "2 scores: 11.0 on average, median 11.0, 10 to 12." in page and "Home · 2 players" in page
    page = member.get("/stats/games/tenby?period=range&since=2025-08&until=2026-02&place=Home")
    assert "5 scores: 14.0 on average" in page
    assert "No plays like that yet." in member.get("/stats/games/tenby?place=Home&period=2024")
    assert "<strong>Tenby</strong><span>3 plays" in member.get("/stats")
    page = member.get("/stats?period=2026&players=3")
    assert "<strong>Tenby</strong><span>1 play" in page and "2026 · 3 players" in page
    assert "No plays like that yet." in member.get("/stats?period=2024")


def test_what_the_frame_of_all_pages_sets_hides_nothing_that_a_page_is_given() -> None:
    """A template's own names are the frame's too, once it has set them."""
    root = Path(webapp.__file__).parents[1]
    frame = set(re.findall(r"{% set (\w+)", (root / "templates" / "base.html").read_text()))
    given = {
        keyword.arg
        for path in (root / "webapp" / "views").glob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "render_template"
        for keyword in call.keywords
    }
    assert given and not frame & given


def test_a_card_has_its_tables_and_whoever_builds_most_of_it(member: Device, db: Database, club: int) -> None:
    """Three tables with Taverns: Ann builds two at each and wins, Bob one. One tavern is 2 points, two are 5."""
    record = towns({"Ann": 3, "Bob": 1}, cards=CARDS)
    record["players"][0]["grid"][3][2:] = ["tavern", "tavern"]
    record["players"][1]["grid"][3][3] = "tavern"
    other = towns({"Ann": 3, "Bob": 1}, cards={**CARDS, "green": "inn"})
    history.save_all(db, club, [draft(record)] * 3 + [draft(other)] * 2)
    from scorer import games

    game = games.find("tiny_towns")
    assert game is not None
    scope = Scope(club, "tiny_towns")
    tavern = next(card for card in cards.in_play(cards.dealt(db, scope), game) if card.id == "tavern")
    assert (tavern.tables, tavern.sheets, tavern.built, tavern.pieces) == (3, 6, 6, 9)
    assert (tavern.mean, tavern.with_it.hits, tavern.with_it.of) == (3.5, 3, 6)
    assert [(one.name, one.often) for one in cards.builders(db, scope)["tavern"]] == [("Ann", 2.0), ("Bob", 1.0)]
    page = member.get("/stats/games/tiny_towns?card=tavern")
    assert "Tables with Tavern" in page and "Ann builds most of it" in page
    results = [json.loads(result) for (result,) in db.execute("SELECT result FROM plays ORDER BY id")]
    with_it, at_all = (
        [player["total"] for result in some for player in result["players"]] for some in (results[:3], results)
    )
    means = f"{sum(with_it) / 6:.1f} <small>{sum(at_all) / 10:.1f} at all tables"
    assert means.replace("-", "\N{MINUS SIGN}") in page
    page = member.get("/stats/games/tiny_towns")
    assert "3.5 points on average on 6 sheets" in page and "Ann builds most of it" in page


def test_the_calendar_has_every_play_on_its_day(harbour: tuple[Database, int]) -> None:
    db, home = harbour
    moments = [at for (at,) in db.execute("SELECT played_at FROM kept_plays").fetchall()]
    for year in ("2024", "2025", "2026"):
        weeks = times.calendar(db, home, year)
        shown = [day for week in weeks for day in week if day]
        assert len(shown) == (366 if year == "2024" else 365)
        assert all(date.fromisoformat(day[0]).weekday() == week.index(day) for week in weeks for day in week if day)
        assert {day: plays for day, plays in shown if plays} == {
            day: sum(at[:10] == day for at in moments) for day in {at[:10] for at in moments if at[:4] == year}
        }
        assert times.weekdays(db, home, year) == [
            sum(at[:4] == year and datetime.fromisoformat(at).weekday() == weekday for at in moments)
            for weekday in range(7)
        ]


def test_company_and_averages_are_those_of_the_records(harbour: tuple[Database, int]) -> None:
    db, home = harbour
    rows = db.execute("SELECT played_at, game, result FROM kept_plays").fetchall()
    seats = dict(db.execute("SELECT id, name FROM players").fetchall())
    tables = {play_id: set() for (play_id,) in db.execute("SELECT id FROM kept_plays").fetchall()}  # type: dict[int, set[str]]
    for play_id, name in db.execute("SELECT play_id, player FROM scores").fetchall():
        tables[play_id].add(name)
    people, met = times.company(db, home)
    for (one, other), often in met.items():
        assert often == sum({seats[one], seats[other]} <= names for names in tables.values())
    assert len(people) == 8
    totals = [
        (at[:4], player["total"])
        for at, game, result in rows
        if game == "pier_18"
        for player in json.loads(result)["players"]
    ]
    for average in times.of_club(db, Scope(home, "pier_18"), ("2022-01", "2026-11")):
        mine = [total for year, total in totals if year == average.period]
        assert (average.n, round(average.mean, 9)) == (len(mine), round(sum(mine) / len(mine), 9))


def test_the_picture_of_a_year_is_small_and_for_the_club_alone(
    member: Device, device: Callable[[str], Device], db: Database, club: int
) -> None:
    history.save_all(
        db, club, [draft(typed({"Ann": 3, "Bob": 1}), f"2025-0{month}-01T20:00:00Z") for month in range(1, 9)]
    )
    answer = member.client.get("/stats/years/2025/tidemark.png")
    assert answer.status_code == 200 and answer.mimetype == "image/png"
    assert len(answer.data) < 200_000
    assert Image.open(io.BytesIO(answer.data)).size == (1080, 1350)
    assert member.client.get("/stats/years/1999/tidemark.png").status_code == 404
    stranger = device("")
    assert stranger.client.get("/stats/years/2025/tidemark.png").status_code == 404
    assert "/stats/years/2025/tidemark.png" in member.get("/stats/years/2025")


def test_any_name_can_be_drawn() -> None:
    assert writable("Björn Ångström") == "Björn Ångström"
    assert writable("M\u1dc4ary") == "Mary", "an accent the font lacks is dropped"
    assert writable("ひろ") == "··"
    long = "Tidemark" * 30
    picture = drawn(Poster(long, long, "1000000", long, [(long, long, long)] * 9, [[("2025-01-01", 3), None]]))
    assert len(picture) < 200_000
