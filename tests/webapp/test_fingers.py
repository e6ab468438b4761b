"""Boards under real touches and under the keyboard: what is painted, what scrolls, what zooms, what is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import PHONE, SMALL_PHONE, total, until
from tests.webapp.finger import Finger, middle

pytestmark = pytest.mark.either

LYING = {"width": 568, "height": 320}
WINDOWS = {"phone": PHONE, "small phone": SMALL_PHONE, "lying phone": LYING}


def resize(page: Page, window: dict[str, int]) -> None:
    page.set_viewport_size({"width": window["width"], "height": window["height"]})


def pieces(page: Page) -> list[str]:
    """The squares that show a piece, which must be those that are posted."""
    shown: list[str] = page.eval_on_selector_all(
        "[data-board] .square:has(.face:not([hidden]))", "all => all.map((one) => one.dataset.cell)"
    )
    kept: list[str] = page.eval_on_selector_all(
        "[data-board] .square",
        "all => all.filter((one) => one.querySelector('select').selectedIndex).map((one) => one.dataset.cell)",
    )
    assert shown == kept
    return shown


@pytest.mark.parametrize(("game", "row"), [("tiny_towns", "A1 B1 C1 D1"), ("copenhagen", "A9 B9 C9 D9 E9")])
def test_a_board_is_one_stop_of_the_tab_key_and_a_stroke_paints_its_row(
    at_table: Callable[..., Page], game: str, row: str
) -> None:
    page = at_table(game, "Ann", "Bob")
    page.wait_for_selector("[data-cell=A1][tabindex]")
    stops = page.eval_on_selector_all(
        "[data-board] *", "all => all.filter((one) => one.tabIndex >= 0 && one.checkVisibility()).length"
    )
    assert stops == 1
    page.locator(".palette input:checked").focus()
    page.keyboard.press("Tab")
    if page.evaluate("document.activeElement.matches('[data-undo]')"):
        page.keyboard.press("Tab")
    expect(page.locator(".square").first).to_be_focused()
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.closest('[data-board]')")
    page.evaluate("scrollTo(0, 0)")

    finger, squares = Finger(page), row.split()
    first, last = squares[0], squares[-1]
    finger.over(first, last)
    assert pieces(page) == squares
    assert page.evaluate("scrollY") == 0
    finger.over(first, last, steps=1)  # however fast; and what begins on a piece clears
    assert pieces(page) == []
    page.click("[data-undo]")
    assert pieces(page) == squares
    page.click("[data-undo]")
    assert pieces(page) == []
    expect(page.locator("[data-undo]")).to_be_disabled()
    assert "/seats/0" in page.url


def test_a_scroll_that_begins_beside_the_board_paints_nothing(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann")
    for window in WINDOWS.values():
        resize(page, window)
        page.evaluate("scrollTo(0, 0)")
        board = until(page.locator("[data-board]").bounding_box)
        finger = Finger(page)
        finger.draw((12, board["y"] + 60), (60, 4))
        until(lambda: page.evaluate("scrollY > 0"))
        finger.draw(middle(page.locator(".palette label").nth(1)), (200, 20), (200, 250))
        assert pieces(page) == []


def test_what_the_browser_takes_over_has_painted_nothing(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann")
    page.wait_for_selector("[data-cell=A1][tabindex]")
    finger = Finger(page)
    finger.tap(page.locator("[data-cell=A1]"))
    assert pieces(page) == ["A1"]
    start, end = middle(page.locator("[data-cell=A1]")), middle(page.locator("[data-cell=D1]"))
    finger.touch("touchStart", start)
    finger.touch("touchCancel")
    assert pieces(page) == ["A1"]
    finger.draw(start, end, lift=False)
    assert pieces(page) == []  # the stroke clears
    finger.touch("touchCancel")
    assert pieces(page) == ["A1"]
    finger.pinch(middle(page.locator("[data-cell=B2]")), (40, 60, 100, 160, 220))
    until(lambda: page.evaluate("visualViewport.scale > 1.2"))
    assert pieces(page) == ["A1"]


def test_a_finger_that_stays_long_taps_as_well(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann")
    page.wait_for_selector("[data-cell=A1][tabindex]")
    page.locator("[data-cell=C3]").dispatch_event("click")  # by voice, or with a screen reader
    assert pieces(page) == ["C3"]
    finger = Finger(page)
    finger.touch("touchStart", middle(page.locator("[data-cell=B2]")))
    page.wait_for_timeout(800)
    finger.touch("touchEnd")
    assert pieces(page) == ["B2", "C3"]
    total(page, "\N{MINUS SIGN}14")


def test_a_scroll_over_the_bridge_builds_nothing(at_table: Callable[..., Page]) -> None:
    page = at_table("old_london_bridge", "Ann", "Bob")
    page.click("text=Enter each building")
    page.click('[data-kinds] button:has-text("Chapel")')
    page.click('.keypad button:text-is("56")')
    finger = Finger(page)
    finger.draw(middle(page.locator('.square[data-cell="4"]')), (190, 20))
    until(lambda: page.evaluate("scrollY > 0"))
    expect(page.locator(".space[aria-current]")).to_have_attribute("aria-label", "2:")
    expect(page.locator(".spaces .number").nth(0)).to_have_text("C56")
    expect(page.locator(".spaces .number").nth(1)).to_have_text("")


def test_arrows_letters_and_enter_paint(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann")
    page.wait_for_selector("[data-cell=A1][tabindex]")
    page.locator("[data-cell=A1]").focus()

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    def here(label: str) -> None:
        expect(page.locator(":focus")).to_have_attribute("aria-label", label)

    press("t", "Enter")
    here("A1: Tavern")
    press("t")
    expect(page.locator("[data-said]")).to_have_text("Theater")
    expect(page.locator(".palette input:checked")).to_have_value("theater")
    press("End", "Enter")
    here("D1: Theater")
    press("ArrowRight", "ArrowUp")
    here("D1: Theater")
    press("Control+End", "2", " ")
    here("D4: Cottage")
    press("Shift+ArrowLeft", "Shift+ArrowLeft", "Home")
    here("A4: Empty")
    assert pieces(page) == ["A1", "D1", "B4", "C4", "D4"]
    press("Control+Home", "Delete")
    here("A1: Empty")
    press("Control+z")
    here("A1: Tavern")
    assert pieces(page) == ["A1", "D1", "B4", "C4", "D4"]
    total(page, "\N{MINUS SIGN}7")  # 2 for the tavern; 2 for the theater, which sees it and a cottage; 11 empty squares


def test_a_message_leads_to_its_square(at_table: Callable[..., Page]) -> None:
    page = at_table("pier_18", "Ann", "Bob")
    page.wait_for_selector("[data-cell=A1][tabindex]")
    page.locator("[data-cell=A4]").click()
    page.locator(".problems a").first.click()
    until(lambda: page.evaluate("Boolean(document.querySelector(location.hash.replaceAll('/', '\\\\/') || 'nothing'))"))
