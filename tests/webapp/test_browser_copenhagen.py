"""Copenhagen on a phone: a house painted, a house laid tile by tile, and the saved game."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import (
    SMALL_PHONE,
    assert_accessible,
    come_back,
    follow,
    paint,
    total,
)

pytestmark = pytest.mark.either


def lay(page: Page, tile: str, cell: str, turn: int = 0) -> None:
    page.get_by_role("button", name=tile).click()
    if turn:
        page.locator(".tile-turns button").nth(turn).click()
    here = page.get_by_label(f"Here, with the corner on {cell}")
    expect(here).to_be_visible()
    page.wait_for_load_state()  # without script it is another page, of which half would be posted
    here.click()
    expect(page.locator(".laid-tiles")).to_contain_text(tile)


def test_houses_are_laid_and_painted_and_saved(at_table: Callable[..., Page]) -> None:
    page = at_table("copenhagen", "Ann", "Bob", viewport=SMALL_PHONE)

    page.click("text=Enter the tiles")
    lay(page, "Purple five", "A1")
    assert_accessible(page)
    total(page, "1")  # a floor with brickwork
    page.get_by_role("button", name="Red two").click()
    expect(page.get_by_label("Here, with the corner on A2")).to_be_visible()
    expect(page.get_by_label("Here, with the corner on A1")).to_have_count(0)  # taken
    expect(page.get_by_label("Here, with the corner on A4")).to_have_count(0)  # in the air
    page.get_by_label("Here, with the corner on A2").click()
    expect(page.locator(".laid-tiles li")).to_have_count(2)
    page.locator(".laid-tiles button").last.click()
    expect(page.locator(".laid-tiles li")).to_have_count(1)

    follow(page, "text=Next: Bob")
    paint(page, "Brickwork", "A1")
    paint(page, "Window", "B1", "C1", "D1")
    total(page, "0")
    page.click("[data-cell=E1]")
    total(page, "1")
    come_back(page)
    total(page, "1")
    follow(page, "text=Show result")
    follow(page, "text=Show result")  # a doubt about Bob's house comes first
    expect(page.locator(".verdict")).to_contain_text("win together")
    expect(page.get_by_text("Open saved game")).to_be_visible()


def test_a_house_that_no_tiles_form_is_doubted_on_its_board_once_nobody_taps(at_table: Callable[..., Page]) -> None:
    page = at_table("copenhagen", "Ann", "Bob")
    paint(page, "Window", "A1", "B1", "C1", "D1", "E1")
    total(page, "2")  # a floor of windows
    doubt = page.get_by_text("No set of tiles can make this house.")
    expect(doubt).to_have_count(1)
    assert not doubt.is_visible()
    expect(doubt).to_be_visible()
    paint(page, "Brickwork", "A1")  # and now they can
    total(page, "1")
    expect(doubt).to_have_count(0)


def test_nothing_that_was_entered_goes_without_a_question(at_table: Callable[..., Page]) -> None:
    page = at_table("copenhagen", "Ann", "Bob")
    question = page.get_by_role("dialog")
    page.click("text=Enter points instead")
    page.click("text=Enter board instead")  # nothing is entered yet
    page.click("text=Enter points instead")
    page.fill("[name='typed/total']", "7")
    total(page, "7")
    page.click("text=Enter board instead")
    question.get_by_role("button", name="Cancel").click()
    total(page, "7")
    page.click("text=Enter board instead")
    question.get_by_role("button", name="Enter board instead").click()
    expect(page.locator("[data-cell=A1]")).to_be_visible()
    paint(page, "Brickwork", "A1")
    page.goto(page.url.replace("seats/0", "setup"))
    page.click("button[name=remove][value='0']")
    expect(question).to_contain_text("Remove Ann and everything entered for them?")
    question.get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-seat]")).to_have_count(2)
    page.click("button[name=remove][value='0']")
    question.get_by_role("button", name="Remove Ann").click()
    expect(page.locator("[data-seat]")).to_have_count(1)


def test_tiles_are_laid_without_javascript(at_table: Callable[..., Page]) -> None:
    page = at_table("copenhagen", "Ann", "Bob", java_script_enabled=False)
    follow(page, "text=Enter the tiles")
    lay(page, "Purple five", "A1")
    total(page, "1")


def test_finished_floors_and_columns_are_counted_and_doubled(at_table: Callable[..., Page]) -> None:
    page = at_table("copenhagen", "Ann", "Bob")
    page.click("text=Enter points instead")
    page.fill('[name="typed/floors"]', "5")
    page.fill('[name="typed/window_floors"]', "2")
    total(page, "7")
    page.fill('[name="typed/columns"]', "1")
    page.fill('[name="typed/window_columns"]', "1")
    total(page, "11")
    come_back(page)
    expect(page.locator('[name="typed/floors"]')).to_have_value("5")
    expect(page.locator('[name="typed/window_columns"]')).to_have_value("1")
    page.fill('[name="typed/window_floors"]', "6")
    expect(page.locator('[id="typed/window_floors-errors"]')).to_contain_text("Only 5 floors are finished")
