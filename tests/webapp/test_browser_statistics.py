"""The club’s pages in a real browser: accessible in both schemes, on small phones, without a script, on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Literal

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.webapp.conftest import SMALL_PHONE, assert_accessible, follow
from tests.webapp.engines import copied
from tests.webapp.plays import club as club_of
from webapp import create_app
from webapp.cli import demo
from webapp.database import Database

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
pytestmark = pytest.mark.either


@pytest.fixture
def app(season: str, tmp_path: Path) -> Iterator[Flask]:
    database = copied(season, tmp_path / "test.db")
    made = create_app({"DATABASE": database, "TESTING": True, "SECRET_KEY": "for the tests"})
    yield made
    made.extensions["connections"].close()


@pytest.fixture
def club(db: Database) -> int:
    return club_of(db)


@pytest.fixture
def visit(at_the_club: Callable[..., Page]) -> Callable[..., Page]:
    """A phone of an owner of the demo club."""
    return partial(at_the_club, role="owner")


def test_what_is_opened_and_asked_is_accessible(visit: Callable[..., Page], site: str) -> None:
    """Pages with all their parts open, and the questions before something is deleted; more pages: test_layout."""
    page = visit("/stats/games/tiny_towns?open=cards&open=boards", viewport=SMALL_PHONE)
    look_over(page)
    page.goto(f"{site}/players/1?open=more-tiny_towns")
    look_over(page)
    question = page.get_by_role("dialog")
    page.click("form[action$='/forget'] button")
    assert_accessible(page)
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    page.click("form[action$='/forget'] button")
    question.get_by_role("button", name="Delete name").click()
    expect(page.locator(".flash", has_text="The name is deleted. Games that mention it")).to_be_visible()
    page.goto(f"{site}/club/end")
    page.fill("#name", demo.CLUB)
    page.click("main button")
    expect(page.locator(f"text=Delete the club {demo.CLUB}?")).to_be_visible()
    look_over(page)


def look_over(page: Page) -> None:
    page.wait_for_load_state()
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert_accessible(page, dark=True)


def test_nothing_needs_a_script(visit: Callable[..., Page], site: str) -> None:
    page = visit("/plays", java_script_enabled=False, base_url=site)
    page.locator("details.filter > summary").click()
    page.select_option("#game", "tiny_towns")
    with page.expect_navigation(url="**/plays?**"):
        page.get_by_role("button", name="Find games").click()
    assert set(page.locator(".rows strong").all_inner_texts()) == {"Tiny Towns"}
    page.goto("/stats/games/tiny_towns")
    assert page.locator("figure.chart > svg").count() >= 4
    follow(page, "text=Show boards")
    follow(page, "#boards .chip:has-text('Farm')")
    expect(page.locator("#boards h3", has_text="Farm")).to_be_visible()
    follow(page, "text=Show cards")
    expect(page.locator("#cards h2")).to_be_visible()


def test_parts_are_fetched_when_they_are_opened(visit: Callable[..., Page], site: str) -> None:
    page = visit("/stats/games/tiny_towns", base_url=site)
    page.evaluate("window.stays = true")
    page.click("text=Show boards")
    expect(page.locator("#boards .heat")).to_be_visible()
    page.click("#boards .chip:has-text('Farm')")
    expect(page.locator("#boards h3", has_text="Farm")).to_be_visible()
    page.click("text=Show cards")
    expect(page.locator("#cards h2")).to_be_visible()
    assert page.evaluate("window.stays"), "no page was loaded anew"
    page.reload()
    expect(page.locator("#cards h2")).to_be_visible()
    page.goto("/players/1")
    page.click("text=More about Tiny Towns")
    expect(page.locator("#more-tiny_towns")).to_contain_text("Compared with the club")


# A shape that no rule of the sheet paints is black.
UNPAINTED = """shapes => shapes.filter(
    shape => getComputedStyle(shape).fill === 'rgb(0, 0, 0)' && !shape.closest('[hidden]')
).map(shape => shape.outerHTML.slice(0, 80))"""


def test_every_chart_says_what_it_shows_and_is_painted_by_the_sheet(visit: Callable[..., Page], site: str) -> None:
    """Each has a name and its figures in a table, and each of its shapes a colour in both schemes."""
    page = visit("/stats", base_url=site)
    for address in (
        "/stats",
        "/stats/games/tiny_towns",
        "/players/1?open=more-tiny_towns",
        "/players/1/against/2",
        "/stats/years/2025",
    ):
        page.goto(address)
        for chart in page.locator("figure.chart > svg").all():
            assert chart.get_attribute("role") == "img"
            for part in (chart.get_attribute("aria-labelledby") or "").split():
                assert page.locator(f"[id='{part}']").text_content()
        assert page.locator("details.behind table").count() >= 1 or "against" in address
        shapes = page.locator(".chart > svg > :is(rect, circle, path, polygon, polyline)")
        assert shapes.count() > 0
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert shapes.evaluate_all(UNPAINTED) == [], (address, scheme)


def test_statistics_print_without_what_is_for_the_screen(visit: Callable[..., Page]) -> None:
    page = visit("/stats/games/tiny_towns")
    page.emulate_media(media="print")
    expect(page.locator("figure.chart").first).to_be_visible()
    expect(page.locator(".top nav")).to_be_hidden()
    expect(page.locator("nav.links").first).to_be_hidden()


def test_the_reading_pane_opens_a_game_as_its_own_page_shows_it(visit: Callable[..., Page]) -> None:
    """On a wide screen: the first game at once, any other by a click, each in the colours and the sheet of its game."""
    page = visit("/plays", viewport={"width": 1280, "height": 800})
    pane = page.locator("[data-reading]")
    first = page.locator(".plays li").first.locator("strong").inner_text()
    expect(pane.locator("h1")).to_contain_text(first)
    for title, game, soil in (("Pier 18", "pier_18", "#d9bb8b"), ("Old London Bridge", "old_london_bridge", "#e9dcc0")):
        page.locator(f".plays a:has-text('{title}')").first.click()
        expect(pane).to_have_attribute("data-world", game)
        expect(pane).to_have_css("--soil", soil)  # which stands in the sheet of the game alone
