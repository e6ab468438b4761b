"""The club’s pages in a real browser: accessible in both schemes, on small phones, without a script, on paper."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.webapp.bringing import begun, taken_out
from tests.webapp.conftest import SMALL_PHONE, Device, Laid, assert_accessible, come_in, follow, lay_towns
from webapp import clubs
from webapp.cli import demo
from webapp.clock import Doubt, clock
from webapp.database import Database
from webapp.exchange import corrections, imports
from webapp.history import listing

pytestmark = pytest.mark.either

PAGES = (
    "/",
    "/stats",
    "/stats/games/tiny_towns?open=cards&open=boards",
    "/stats/games/old_london_bridge?players=3",
    "/stats/years/2025",
    "/stats/achievements",
    "/stats/how",
    "/players",
    "/players/1?open=more-tiny_towns",
    "/players/1/against/2",
    "/plays?words=rain",
    "/plays/bin",
    "/club",
    "/club/zone",
    "/club/end",
    "/data",
    "/data/sending/nobodys",
    "/data/rescore",
)


@pytest.fixture
def visit(phone: Callable[..., Page], site: str, db: Database) -> Callable[..., Page]:
    """A phone of an owner of the demo club."""
    club_id = demo.seed(db, 40)

    def enter(**options: object) -> Page:
        page = phone(base_url=site, **options)
        come_in(page, f"/join/{clubs.links(db, club_id)['owner']}")
        return page

    return enter


@pytest.fixture
def life(visit: Callable[..., Page], app: Flask, db: Database, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what a club has after a while: games in the bin, other devices, deeds, a clock in doubt; and imports, by
    key: one that is at it, one that found games told differently."""
    member = Device(app.test_client())
    member.get(f"/join/{clubs.links(db, 1)['member']}")
    gone, changed = listing.recent(db, 1, 2)
    member.get(f"/plays/{gone.key}")
    member.post(f"/plays/{gone.key}/delete")
    Laid(member, db, lay_towns(member))
    file = json.loads(taken_out(db, 1))
    for play in file["plays"]:
        play["notes"] += " and somebody told it at length with averyverylongwordthatnobodycanbreakanywhere" * (
            play["key"] == changed.key
        )
    content = json.dumps(file).encode()
    told = begun(db, 1, content)
    one = imports.finish(db, told)
    assert one is not None and corrections.of_import(db, one.job)
    at_it = begun(db, 1, content)
    today = datetime.now(UTC)
    monkeypatch.setattr(clock, "doubt", Doubt(today, today))
    monkeypatch.setattr(clock, "doubted_at", time.monotonic())
    return [told, at_it]


def test_every_page_is_accessible(
    visit: Callable[..., Page], phone: Callable[..., Page], site: str, db: Database, life: list[str]
) -> None:
    page = visit(viewport=SMALL_PHONE)
    latest, *_ = listing.recent(db, 1, 1)
    for address in (
        *PAGES,
        f"/plays/{latest.key}",
        f"/plays/{latest.key}/sheet",
        *(f"/data/import/{key}" for key in life),
    ):
        page.goto(address)
        look_over(page)
    page.goto("/club/end")
    page.fill("#name", demo.CLUB)
    page.click("main button")
    expect(page.locator(f"text=Delete the club {demo.CLUB}?")).to_be_visible()
    look_over(page)
    page.goto("/players/1")
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    question = page.get_by_role("dialog")
    page.click("form[action$='/forget'] button")
    assert_accessible(page)
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    page.click("form[action$='/forget'] button")
    question.get_by_role("button", name="Delete name").click()
    expect(page.locator(".flash", has_text="The name is deleted. Games that mention it")).to_be_visible()
    look_over(page)
    stranger = phone(base_url=site, viewport=SMALL_PHONE)
    stranger.goto(f"/join/{clubs.links(db, 1)['member']}")
    expect(stranger.locator("text=Join club")).to_be_visible()
    look_over(stranger)


def look_over(page: Page) -> None:
    page.wait_for_load_state()
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert_accessible(page, dark=True)


def test_nothing_needs_a_script(visit: Callable[..., Page]) -> None:
    page = visit(java_script_enabled=False)
    page.goto("/plays")
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


def test_parts_are_fetched_when_they_are_opened(visit: Callable[..., Page]) -> None:
    page = visit()
    page.goto("/stats/games/tiny_towns")
    page.evaluate("window.stays = true")
    page.click("text=Show boards")
    expect(page.locator("#boards .heat")).to_be_visible()
    page.click("#boards .chip:has-text('Farm')")
    expect(page.locator("#boards h3", has_text="Farm")).to_be_visible()
    assert_accessible(page)
    page.click("text=Show cards")
    expect(page.locator("#cards h2")).to_be_visible()
    assert page.evaluate("window.stays"), "no page was loaded anew"
    page.reload()
    expect(page.locator("#cards h2")).to_be_visible()
    page.goto("/players/1")
    page.click("text=More about Tiny Towns")
    expect(page.locator("#more-tiny_towns")).to_contain_text("Compared with the club")
    assert_accessible(page)


def test_every_chart_says_what_it_shows_and_has_its_figures(visit: Callable[..., Page]) -> None:
    page = visit()
    for address in ("/stats", "/stats/games/tiny_towns", "/players/1?open=more-tiny_towns", "/stats/years/2025"):
        page.goto(address)
        for chart in page.locator("figure.chart > svg").all():
            assert chart.get_attribute("role") == "img"
            for part in (chart.get_attribute("aria-labelledby") or "").split():
                assert page.locator(f"[id='{part}']").text_content()
        assert page.locator("details.behind table").count() >= 1


# A shape that no rule of the sheet paints is black.
UNPAINTED = """shapes => shapes.filter(
    shape => getComputedStyle(shape).fill === 'rgb(0, 0, 0)' && !shape.closest('[hidden]')
).map(shape => shape.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_shape_of_a_chart_is_painted_by_the_sheet(visit: Callable[..., Page], scheme: str) -> None:
    page = visit(color_scheme=scheme)
    for address in (
        "/stats",
        "/stats/games/tiny_towns",
        "/players/1?open=more-tiny_towns",
        "/players/1/against/2",
        "/stats/years/2025",
    ):
        page.goto(address)
        shapes = page.locator(".chart > svg > :is(rect, circle, path, polygon, polyline)")
        assert shapes.count() > 0
        assert shapes.evaluate_all(UNPAINTED) == [], address


def test_statistics_print_without_what_is_for_the_screen(visit: Callable[..., Page]) -> None:
    page = visit()
    page.goto("/stats/games/tiny_towns")
    page.emulate_media(media="print")
    expect(page.locator("figure.chart").first).to_be_visible()
    expect(page.locator(".top nav")).to_be_hidden()
    expect(page.locator("nav.links").first).to_be_hidden()


def test_the_reading_pane_opens_a_game_as_its_own_page_shows_it(visit: Callable[..., Page]) -> None:
    """On a wide screen: the first game at once, any other by a click, each in the colours and the sheet of its game."""
    page = visit(viewport={"width": 1280, "height": 800})
    page.goto("/plays")
    pane = page.locator("[data-reading]")
    first = page.locator(".plays li").first.locator("strong").inner_text()
    expect(pane.locator("h1")).to_contain_text(first)
    for title, game, soil in (("Pier 18", "pier_18", "#d9bb8b"), ("Old London Bridge", "old_london_bridge", "#e9dcc0")):
        page.locator(f".plays a:has-text('{title}')").first.click()
        expect(pane).to_have_attribute("data-world", game)
        expect(pane).to_have_css("--soil", soil)  # which stands in the sheet of the game alone
