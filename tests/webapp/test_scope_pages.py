"""Pages of some of the plays, the calendar, and the picture of a year."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Callable
from datetime import date
from html import unescape
from pathlib import Path

import pytest
from PIL import Image

import webapp
from scorer import games
from scorer.contract import Game
from tests.webapp.conftest import Device
from tests.webapp.plays import CARDS, draft, towns, typed
from webapp.database import Database
from webapp.history import plays as history
from webapp.picture import Poster, draw_poster
from webapp.picture.fonts import writable
from webapp.statistics import Scope, cards, periods

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
    period = periods.requested(*asked, TODAY, PLAYED)
    assert (period.first, period.last) == (first, last)


def test_a_range_that_ends_before_it_begins_has_no_plays(member: Device, db: Database, club: int) -> None:
    history.save_all(db, club, [draft(typed({"Ann": 3, "Bob": 1}))])
    page = member.get("/stats/games/tenby?period=range&since=2026-05&until=2026-01")
    assert "No games match." in page


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
    assert "The average score is 18.0." in page and "4 scores from 10 to 30. Average 18.0, median 16.0." in page
    page = member.get("/stats/games/tenby?place=Home&players=2")
    assert (
        "The average score is 11.0." in page
        and "2 scores from 10 to 12. Average 11.0, median 11.0." in page
        and "Home · 2 players" in page
    )
    page = member.get("/stats/games/tenby?period=range&since=2025-08&until=2026-02&place=Home")
    assert "The average score is 14.0." in page and "5 scores" in page
    assert "No games match." in member.get("/stats/games/tenby?place=Home&period=2024")
    assert "<strong>Tenby</strong><span>3 games" in member.get("/stats")
    page = member.get("/stats?period=2026&players=3")
    assert "<strong>Tenby</strong><span>1 game" in page and "2026 · 3 players" in page
    assert "No games match." in member.get("/stats?period=2024")


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


def test_a_card_has_its_games_and_whoever_has_it_most_often(member: Device, db: Database, club: int) -> None:
    """Three games with Taverns: Ann builds two each time and wins, Bob one; then one in which nobody builds any."""
    record = towns({"Ann": 3, "Bob": 1}, cards=CARDS)
    record["players"][0]["grid"][3][2:] = ["tavern", "tavern"]
    record["players"][1]["grid"][3][3] = "tavern"
    other = towns({"Ann": 3, "Bob": 1}, cards={**CARDS, "green": "inn"})
    history.save_all(db, club, [draft(record)] * 3 + [draft(other)] * 2)
    in_play = cards.in_play(db, Scope(club, "tiny_towns"), title("tiny_towns"))
    [tavern] = [card for card in in_play if card.id == "tavern"]
    assert (tavern.tables, tavern.use.of, tavern.had) == (3, 6, 6)
    assert (tavern.mean, tavern.with_it.hits, tavern.with_it.of) == (3.5, 3, 6)  # one tavern is 2 points, two are 5
    page = member.get("/stats/games/tiny_towns?card=tavern&open=cards")
    assert "Games with Tavern" in page and "<dt>Points from the card</dt><dd>3.5</dd>" in page
    assert "most often" not in page, "everybody had it every time"
    history.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 1}, cards=CARDS))])
    assert "Ann has this card most often." in member.get("/stats/games/tiny_towns?card=tavern&open=cards")
    page = member.get("/stats/games/tiny_towns?open=cards")
    assert "<td>4</td><td>3.5</td><td>50%</td>" in page
    assert "<strong>Farm</strong>" not in page, "cards that bring no points are no row"


def title(name: str) -> Game:
    found = games.find(name)
    assert found is not None
    return found


def test_games_with_all_of_some_cards(member: Device, db: Database, club: int) -> None:
    tavern = towns({"Ann": 3, "Bob": 1}, cards=CARDS)
    inn = towns({"Ann": 4, "Bob": 1}, cards={**CARDS, "green": "inn"})
    history.save_all(db, club, [draft(tavern, f"2026-0{month}-01T20:00:00Z") for month in (1, 2, 3)])
    history.save_all(db, club, [draft(inn, "2026-04-01T20:00:00Z")])
    page = member.get("/stats/games/tiny_towns?card=tavern&card=chapel")
    assert "6 scores" in page and "Tavern · Chapel" in page
    assert "2 scores" in member.get("/stats/games/tiny_towns?card=inn")
    assert "No games match." in member.get("/stats/games/tiny_towns?card=inn&card=tavern")
    assert "8 scores" in member.get("/stats/games/tiny_towns?card=nobodys&card=%00")


def test_parts_of_pages_load_when_they_are_opened(member: Device, db: Database, club: int) -> None:
    record = towns({"Ann": 3, "Bob": 1}, cards=CARDS)
    record["players"][0]["grid"][3][3] = "tavern"
    history.save_all(db, club, [draft(record, place="Home")])
    page = member.get("/stats/games/tiny_towns?place=Home")
    assert "Where players put Cottage" not in page and "Where players put Cottage" in member.get(part(page, "boards"))
    assert ">Average points</th>" not in page and ">Average points</th>" in member.get(part(page, "cards"))
    assert "Where players put Cottage" in member.get("/stats/games/tiny_towns?place=Home&open=boards")
    page = member.get("/players/1")
    assert "Compared with the club" not in page
    assert "Compared with the club" in member.get(part(page, "more-tiny_towns"))
    assert "Compared with the club" in member.get("/players/1?open=more-tiny_towns")
    assert "Games that two people played together" in member.get(part(member.get("/stats?place=Home"), "company"))


def part(page: str, name: str) -> str:
    """The address of a part that is not open yet."""
    [address] = re.findall(rf'open={name}#{name}" data-fetch="([^"]+)"', page)
    return unescape(address)


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
    picture = draw_poster(Poster(long, long, "1000000", long, [(long, long, long)] * 9, [[("2025-01-01", 3), None]]))
    assert len(picture) < 200_000
