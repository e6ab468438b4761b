"""Photos on a phone, by touch: from the home page to the result in four taps, and the review of what was read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, expect

from tests.vision import tables as drawn
from tests.webapp.plays import draft, towns
from webapp.database import Database
from webapp.history import plays

TOWNS = ("cf.w ..c. t... ..o.", "cc.. f..w .y.. ..b.")
CARDS = ("granary", "well", "chapel", "tavern", "bakery", "factory")
# Ann: two Cottages fed by the Granary 6, Chapel 2, Tavern 2, ten empty squares. Bob: two fed Cottages 6, ten empty.
POINTS = {"Ann": "0", "Bob": "−4"}


@pytest.fixture(autouse=True)
def put_the_readers_away(app: Flask) -> Iterator[None]:
    yield
    if "photos" in app.extensions:
        app.extensions["photos"].close()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo of two towns and the six cards."""
    file = tmp_path_factory.mktemp("photos") / "table.jpg"
    file.write_bytes(drawn.photo(TOWNS, CARDS))
    return file


@pytest.fixture
def known(db: Database, club: int) -> None:
    """Ann and Bob have played here before, and Cid with them."""
    plays.save_all(db, club, [draft(towns({"Ann": 2, "Bob": 1, "Cid": 3}))])


class Finger:
    """Taps, and counts them."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps += 1


def photographed(page: Page, finger: Finger, table: Path) -> None:
    """Tap the first button of the home page, which opens the camera, and take the photo."""
    with page.expect_file_chooser() as camera:
        finger.tap(page.locator(".camera", has_text="Photograph the table").first)
    camera.value.set_files(table)
    expect(page.locator("[data-board]")).to_have_count(2, timeout=60_000)


def of_board(page: Page, number: int) -> Locator:
    return page.locator(".seen-board").nth(number)


@pytest.mark.usefixtures("known")
def test_a_table_is_photographed_and_scored_in_four_taps(at_the_club: Callable[..., Page], table: Path) -> None:
    page, finger = at_the_club(), Finger()
    photographed(page, finger, table)
    finger.tap(page.locator("[data-give='+Ann']"))
    expect(page.locator("[data-give='0']")).to_contain_text("✓")
    finger.tap(page.locator("[data-give='+Bob']"))
    expect(page.locator(".so-far")).to_contain_text("Bob")
    expect(page.locator("[data-part=cards][data-follow]")).to_have_count(0, timeout=60_000)
    expect(page.locator(".so-far")).to_contain_text(f"Bob {POINTS['Bob']}")
    finger.tap(page.get_by_role("button", name="Who won?"))
    page.wait_for_url("**/result")
    assert finger.taps == 4
    for name, points in POINTS.items():
        expect(page.locator(".podium li", has_text=name)).to_contain_text(points)


def test_probe(at_the_club: Callable[..., Page], table: Path, known: None) -> None:
    for scheme in ("light", "dark"):
        page, finger = at_the_club(color_scheme=scheme, viewport={"width": 390, "height": 844}), Finger()
        photographed(page, finger, table)
        finger.tap(page.locator("[data-give='+Ann']"))
        expect(page.locator("[data-part=cards][data-follow]")).to_have_count(0, timeout=60_000)
        finger.tap(page.locator("[data-give='+Bob']"))
        page.wait_for_timeout(1000)
        page.screenshot(path=f"/tmp/pt/b-{scheme}.png", full_page=True)
        page.locator("[data-next-doubt]").tap()
        page.wait_for_timeout(300)
        page.screenshot(path=f"/tmp/pt/c-{scheme}.png")
        page.locator("[data-now] button").tap()
        page.set_viewport_size({"width": 320, "height": 568})
        page.wait_for_timeout(300)
        page.screenshot(path=f"/tmp/pt/d-{scheme}.png")
        page.goto(page.url.replace("/photos", "/setup"))
        page.screenshot(path=f"/tmp/pt/g-{scheme}.png", full_page=True)
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(page.url.replace("/setup", "/seats/0"))
        page.screenshot(path=f"/tmp/pt/h-{scheme}.png", full_page=True)
