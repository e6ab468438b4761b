"""Statistics in a real browser: accessible in both schemes and on small phones, without a script, and on paper."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.webapp.conftest import SMALL_PHONE, assert_accessible
from webapp import clubs
from webapp.cli import demo
from webapp.database import Database
from webapp.history import listing

PAGES = (
    "/stats",
    "/stats/games/tiny_towns",
    "/stats/games/old_london_bridge?players=3",
    "/stats/years/2025",
    "/stats/achievements",
    "/stats/how",
    "/players",
    "/players/1",
    "/players/1/against/2",
    "/plays?words=rain",
    "/data",
    "/data/rescore",
)


@pytest.fixture
def visit(phone: Callable[..., Page], site: str, db: Database) -> Callable[..., Page]:
    """A phone of an owner of the demo club."""
    club_id = demo.seed(db, 40)

    def enter(**options: object) -> Page:
        page = phone(base_url=site, **options)
        page.goto(f"/join/{clubs.links(db, club_id)['owner']}")
        page.click("text=Come in")
        return page

    return enter


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(visit: Callable[..., Page], db: Database, scheme: str) -> None:
    page = visit(color_scheme=scheme, viewport=SMALL_PHONE)
    [latest] = listing.recent(db, 1, 1)
    for address in (*PAGES, f"/plays/{latest.key}", f"/plays/{latest.key}/sheet"):
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        assert_accessible(page)


def test_nothing_needs_a_script(visit: Callable[..., Page]) -> None:
    page = visit(java_script_enabled=False)
    page.goto("/plays")
    page.locator("details.filter > summary").click()
    page.select_option("#game", "tiny_towns")
    page.get_by_role("button", name="Find").click()
    assert set(page.locator(".rows strong").all_inner_texts()) == {"Tiny Towns"}
    page.goto("/stats/games/tiny_towns")
    assert page.locator("figure.chart svg").count() >= 4
    page.locator(".links a", has_text="Cottage").first.click()
    assert page.locator("h3", has_text="Cottage").is_visible()


def test_every_chart_says_what_it_shows_and_has_its_figures(visit: Callable[..., Page]) -> None:
    page = visit()
    for address in ("/stats", "/stats/games/tiny_towns", "/players/1", "/stats/years/2025"):
        page.goto(address)
        for chart in page.locator("figure.chart svg").all():
            assert chart.get_attribute("role") == "img"
            for part in (chart.get_attribute("aria-labelledby") or "").split():
                assert page.locator(f"[id='{part}']").text_content()
        assert page.locator("details.behind table").count() >= 1


def test_statistics_print_without_what_is_for_the_screen(visit: Callable[..., Page]) -> None:
    page = visit()
    page.goto("/stats/games/tiny_towns")
    page.emulate_media(media="print")
    assert page.locator("figure.chart").first.is_visible()
    assert not page.locator(".top nav").is_visible()
    assert not page.locator("nav.links").first.is_visible()
