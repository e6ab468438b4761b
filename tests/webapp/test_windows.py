"""Boards, bars and choices in windows of every size and with letters of every size."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import PHONE, SMALL_PHONE, until
from tests.webapp.test_fingers import WINDOWS, resize

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


# Where one has scrolled to, and where palette and bar are, if a square is in view and the palette is not.
WITHOUT_PALETTE = """async () => {
  const found = [];
  const palette = document.querySelector(".palette"), bar = document.querySelector(".bar");
  const rows = [...document.querySelectorAll("[data-board] .square")];
  for (let y = 0; y <= document.documentElement.scrollHeight; y += 20) {
    window.scrollTo(0, y);
    const [box, foot] = [palette.getBoundingClientRect(), bar.getBoundingClientRect().top];
    const seen = rows.some((row) => {
      const { left, top, width, height } = row.getBoundingClientRect();
      const [x, middle] = [left + width / 2, top + height / 2];
      return middle > 0 && middle < foot && row.contains(document.elementFromPoint(x, middle));
    });
    if (seen && (box.top < -1 || box.bottom > foot + 1)) found.push([y, box.top, box.bottom, foot]);
  }
  return found;
}"""


@pytest.mark.parametrize(("game", "rows"), [("tiny_towns", 4), ("pier_18", 5), ("copenhagen", 5)])
def test_a_board_and_its_pieces_are_in_view(at_table: Callable[..., Page], game: str, rows: int) -> None:
    """Every row above the bar, most of them on a lying phone, a finger's width beside them, and the palette."""
    page = at_table(game, "Ann", "Bob")
    for window in (PHONE, TABLET, DESKTOP):
        resize(page, window)
        assert page.evaluate(IN_VIEW) == page.locator("[data-board] > [role=row]").count(), window
    resize(page, LYING)
    assert page.evaluate(IN_VIEW) >= rows
    for name, window in WINDOWS.items():
        resize(page, window)
        board = until(page.locator("[data-board]").bounding_box)
        assert board["x"] >= 24 and board["x"] + board["width"] <= window["width"] - 24
        assert without_palette(page, name) == [], name


def without_palette(page: Page, window: str) -> list[list[float]]:
    """Before anything is scrolled a lying phone shows the page's head and the first of the pieces."""
    return [place for place in page.evaluate(WITHOUT_PALETTE) if window != "lying phone" or place[0] > 60]


def test_the_buildings_are_in_view_with_the_bridge(at_table: Callable[..., Page]) -> None:
    page = at_table("old_london_bridge", "Ann", "Bob")
    page.click("text=Enter each building")
    page.wait_for_selector(".space")
    for name, window in WINDOWS.items():
        resize(page, window)
        assert without_palette(page, name) == [], name


def test_pieces_stand_beside_a_large_board_and_the_bar_never_takes_a_third(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann", viewport=DESKTOP)
    board, palette = (page.locator(one).bounding_box() for one in ("[data-board]", ".palette"))
    assert board and palette
    assert board["width"] > DESKTOP["width"] / 3
    assert palette["x"] > board["x"] + board["width"]
    for size, window in product((100, 200), (SMALL_PHONE, PHONE, LYING, TABLET)):
        resize(page, window)
        page.evaluate("size => document.documentElement.style.fontSize = size", f"{size}%")
        assert page.evaluate(BAR) < 0.25, (size, window)


def test_a_table_is_laid_from_top_to_bottom_and_a_finger_on_add_keeps_the_keyboard(
    at_table: Callable[..., Page],
) -> None:
    page = at_table("tiny_towns", page="setup")
    cards, button = page.locator("[data-part=options]"), page.get_by_role("button", name="Enter the scores")
    last, next_one = cards.bounding_box(), button.bounding_box()
    assert last and next_one
    assert next_one["y"] >= last["y"] + last["height"]
    page.locator("#new").tap()
    for name in ("Ann", "Bob"):
        page.keyboard.type(name)
        page.get_by_role("button", name="Add", exact=True).tap()
        page.wait_for_selector(f'.seats .name >> text="{name}"')
        expect(page.locator("#new")).to_be_focused()
        expect(page.locator("#new")).to_have_value("")
