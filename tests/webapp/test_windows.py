"""Boards, bars and choices in windows of every size and with letters of every size."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import PHONE, SMALL_PHONE
from tests.webapp.test_fingers import begin, resize

pytestmark = pytest.mark.either

LYING, TABLET, DESKTOP = {"width": 844, "height": 390}, {"width": 768, "height": 1024}, {"width": 1280, "height": 800}
# How many rows of the board are in view at once, as a share of all, before anything is scrolled.
IN_VIEW = """() => {
  const bar = document.querySelector("#entry > .bar").getBoundingClientRect().top;
  const rows = [...document.querySelectorAll("[data-board] > [role=row]")].map((row) => row.getBoundingClientRect());
  return rows.filter(({ top, bottom }) => top >= 0 && bottom <= Math.min(bar, innerHeight)).length;
}"""
# The share of the window that the bar takes.
BAR = """() => {
  const { top, bottom } = document.querySelector("#entry > .bar").getBoundingClientRect();
  return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
}"""


@pytest.mark.parametrize(("game", "rows"), [("Tiny Towns", 4), ("Pier 18", 5), ("Copenhagen", 5)])
def test_every_row_of_a_board_is_in_view_above_the_bar_and_most_on_a_lying_phone(
    at_the_club: Callable[..., Page], game: str, rows: int
) -> None:
    page = at_the_club()
    begin(page, game)
    for window in (PHONE, TABLET, DESKTOP):
        resize(page, window)
        assert page.evaluate(IN_VIEW) == page.locator("[data-board] > [role=row]").count(), window
    resize(page, LYING)
    assert page.evaluate(IN_VIEW) >= rows


def test_pieces_stand_beside_a_large_board_on_a_desktop(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club(viewport=DESKTOP)
    begin(page, "Tiny Towns")
    board, palette = (page.locator(one).bounding_box() for one in ("[data-board]", ".palette"))
    assert board and palette
    assert board["width"] > DESKTOP["width"] / 3
    assert palette["x"] > board["x"] + board["width"]


def test_the_bar_never_takes_a_third_of_the_window(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club()
    begin(page, "Tiny Towns")
    for size, window in product((100, 200), (SMALL_PHONE, PHONE, LYING, TABLET)):
        resize(page, window)
        page.evaluate("size => document.documentElement.style.fontSize = size", f"{size}%")
        assert page.evaluate(BAR) < 0.25, (size, window)


def test_whoever_lays_a_table_passes_its_cards_before_the_scores(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club()
    page.click('.game:has-text("Tiny Towns")')
    cards, button = page.locator("[data-part=options]"), page.get_by_role("button", name="Enter the scores")
    last, next_one = cards.bounding_box(), button.bounding_box()
    assert last and next_one
    assert next_one["y"] >= last["y"] + last["height"]


def test_a_finger_on_add_keeps_the_keyboard(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club()
    page.click('.game:has-text("Tiny Towns")')
    page.locator("#new").tap()
    for name in ("Ann", "Bob"):
        page.keyboard.type(name)
        page.get_by_role("button", name="Add", exact=True).tap()
        page.wait_for_selector(f'.seats .name >> text="{name}"')
        expect(page.locator("#new")).to_be_focused()
        expect(page.locator("#new")).to_have_value("")
