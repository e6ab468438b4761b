"""Tiny Towns on a phone, from the home page to a saved game."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import SMALL_PHONE, assert_accessible, paint, seat_players, total


@pytest.mark.parametrize("viewport", [None, SMALL_PHONE], ids=["phone", "small phone"])
def test_a_game_is_painted_settled_and_saved(at_the_club: Callable[..., Page], viewport: dict[str, int] | None) -> None:
    page = at_the_club(**({"viewport": viewport} if viewport else {}))
    assert_accessible(page)
    page.click("text=Tiny Towns")
    seat_players(page, "Ann", "Bob")
    assert_accessible(page)
    page.click("text=Enter the scores")

    paint(page, "Cottage", "A1", "B1", "C1")
    paint(page, "Farm", "D1")
    paint(page, "Well", "B2")
    total(page, "\N{MINUS SIGN}1")  # 9 for the cottages, 1 for the well, 11 empty squares
    paint(page, "Monument", "D4")
    expect(page.locator(".problems").first).to_contain_text("onument")
    page.select_option("select[name=monument]", label="Grove University")
    total(page, "3")
    assert_accessible(page)

    page.click("text=Next: Bob")
    paint(page, "Tavern", "A1", "B1", "C1", "D1")
    total(page, "2")
    paint(page, "Tavern", "A1")  # a second tap takes it away
    total(page, "\N{MINUS SIGN}4")
    page.reload()  # a draft survives
    total(page, "\N{MINUS SIGN}4")
    paint(page, "Tavern", "A1")
    paint(page, "Well", "A4")
    total(page, "3")  # 14 for the taverns, 11 empty squares

    page.click("text=Who won?")
    expect(page.locator(".verdict")).to_contain_text("tied")
    assert_accessible(page)
    page.get_by_label("Ann", exact=True).fill("3")
    page.get_by_label("Bob", exact=True).fill("5")
    page.click("text=Settle it")
    expect(page.locator(".verdict")).to_contain_text("Ann wins the tie")
    page.click(".pad a >> nth=0")
    expect(page.locator(".square.lit").first).to_be_visible()
    assert_accessible(page)
    page.click("text=Save to the history")
    expect(page.locator(".flash")).to_contain_text("Saved")
    assert_accessible(page)
    page.click(".brand")
    expect(page.locator(".rows")).to_contain_text("Ann won with 3")
    assert_accessible(page)


def test_everything_works_without_javascript(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club(java_script_enabled=False)
    page.click("text=Tiny Towns")
    for name in ("Ann", "Bob"):
        page.fill("#new", name)
        page.click('button:text-is("Add")')
    page.click("text=Enter the scores")
    for cell in ("0/0", "0/1", "0/2", "0/3"):
        page.select_option(f'[name="grid/{cell}"]', "tavern")
    page.click('button:text-is("Count")')
    total(page, "2")
    page.click("text=Next: Bob")
    page.select_option('[name="grid/0/0"]', "monument")
    page.click('button:text-is("Count")')
    page.select_option('[name="monument"]', "grove_university")
    page.click("text=Who won?")
    expect(page.locator(".verdict")).to_have_text("Ann wins on points.")
    page.click("text=Save to the history")
    expect(page.locator(".flash")).to_contain_text("Saved")


def test_the_board_is_painted_with_the_keyboard(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club()
    page.click("text=Tiny Towns")
    seat_players(page, "Ann")
    page.click("text=Enter the scores")
    page.wait_for_selector("[data-cell=A1][tabindex]")  # the board's script has begun
    page.locator('.palette input[value="tavern"]').focus()
    page.keyboard.press("Space")
    page.locator("[data-cell=A1]").focus()
    for key in ("Enter", "ArrowRight", "Enter", "ArrowDown", "Enter", "ArrowLeft", "ArrowLeft", "Space", "Delete"):
        page.keyboard.press(key)
    expect(page.locator("[data-cell=B2]")).to_have_attribute("aria-label", "B2: Tavern")
    expect(page.locator("[data-cell=A2]")).to_have_attribute("aria-label", "A2: Empty")
    total(page, "\N{MINUS SIGN}4")


def test_line_totals_can_be_typed_instead(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club()
    page.click("text=Tiny Towns")
    seat_players(page, "Ann")
    page.click("text=Enter the scores")
    page.click("text=Type the total or the lines instead")
    page.fill('[name="typed/tavern"]', "14")
    page.fill('[name="typed/empty"]', "-5")
    total(page, "9")
    assert_accessible(page)
    page.fill('[name="typed/tavern"]', "many")
    expect(page.locator('[id="typed/tavern-errors"]')).to_contain_text("whole number")
    expect(page.locator('[name="typed/tavern"]')).to_have_value("many")
