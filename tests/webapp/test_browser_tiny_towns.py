"""Tiny Towns on a phone, from the home page to a saved game."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorer.games.tiny_towns.cards import FIRST_GAME
from tests.webapp.conftest import (
    SMALL_PHONE,
    assert_accessible,
    come_back,
    follow,
    paint,
    seat_players,
    seat_without_script,
    total,
    until,
)

pytestmark = pytest.mark.either


def test_a_game_is_painted_settled_and_saved(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club(viewport=SMALL_PHONE)
    follow(page, '.game:has-text("Tiny Towns")')
    seat_players(page, "Ann", "Bob")
    follow(page, "text=Enter the scores")

    paint(page, "Cottage", "A1", "B1", "C1")
    paint(page, "Farm", "D1")
    paint(page, "Well", "B2")
    total(page, "\N{MINUS SIGN}1")  # 9 for the cottages, 1 for the well, 11 empty squares
    paint(page, "Monument", "D4")
    expect(page.locator(".problems").first).to_contain_text("onument")
    page.select_option("select[name=monument]", label="Grove University")
    total(page, "3")

    follow(page, "text=Next: Bob")
    paint(page, "Tavern", "A1", "B1", "C1", "D1")
    total(page, "2")
    paint(page, "Tavern", "A1")  # a second tap takes it away
    total(page, "\N{MINUS SIGN}4")
    come_back(page)  # a draft survives
    total(page, "\N{MINUS SIGN}4")
    paint(page, "Tavern", "A1")
    paint(page, "Well", "A4")
    total(page, "3")  # 14 for the taverns, 11 empty squares

    follow(page, "text=Show result")
    expect(page.locator(".verdict")).to_contain_text("tied")
    page.get_by_label("Ann", exact=True).fill("3")
    page.get_by_label("Bob", exact=True).fill("5")
    follow(page, "text=Break the tie")
    expect(page.locator(".verdict")).to_contain_text("Ann wins the tie")
    page.click(".pad a >> nth=0")
    expect(page.locator(".square.lit").first).to_be_visible()
    follow(page, "text=Open saved game")
    follow(page, ".brand")
    expect(page.locator(".rows")).to_contain_text("Ann won with 3")


def test_everything_works_without_javascript(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club(java_script_enabled=False)
    follow(page, '.game:has-text("Tiny Towns")')
    seat_without_script(page, "Ann", "Bob")
    follow(page, "text=Enter the scores")
    for cell in ("0/0", "0/1", "0/2", "0/3"):
        page.select_option(f'[name="grid/{cell}"]', "tavern")
    follow(page, 'button:text-is("Show points")')
    total(page, "2")
    follow(page, "text=Next: Bob")
    page.select_option('[name="grid/0/0"]', "monument")
    follow(page, 'button:text-is("Show points")')
    page.select_option('[name="monument"]', "grove_university")
    follow(page, "text=Show result")
    expect(page.locator(".verdict")).to_have_text("Ann wins on points.")
    follow(page, "text=Open saved game")


def test_the_board_is_painted_with_the_keyboard(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann")
    page.wait_for_selector("[data-cell=A1][tabindex]")  # the board's script has begun
    page.locator('.palette input[value="tavern"]').focus()
    page.keyboard.press("Space")
    page.locator("[data-cell=A1]").focus()
    for key in ("Enter", "ArrowRight", "Enter", "ArrowDown", "Enter", "ArrowLeft", "ArrowLeft", "Space", "Delete"):
        page.keyboard.press(key)
    expect(page.locator("[data-cell=B2]")).to_have_attribute("aria-label", "B2: Tavern")
    expect(page.locator("[data-cell=A2]")).to_have_attribute("aria-label", "A2: Empty")
    total(page, "\N{MINUS SIGN}4")


def test_line_totals_can_be_typed_instead(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann")
    page.click("text=Enter points instead")
    page.fill('[name="typed/tavern"]', "14")
    page.fill('[name="typed/empty"]', "-5")
    total(page, "9")
    assert_accessible(page)
    page.fill('[name="typed/tavern"]', "many")
    expect(page.locator('[id="typed/tavern-errors"]')).to_contain_text("whole number")
    expect(page.locator('[name="typed/tavern"]')).to_have_value("many")


FOLLIES = {"expansions": ["villagers"], "cards": {**FIRST_GAME, "grey": "folly_tower", "yellow": "blacksmith"}}


def test_a_tower_and_a_cube_are_tapped_on_their_squares(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann", "Bob", setup=FOLLIES, viewport=SMALL_PHONE)
    paint(page, "Folly Tower", "B2")
    paint(page, "Blacksmith", "C3", "D1")
    tower, smith = page.locator("[data-cell=B2]"), page.locator("[data-cell=C3]")
    more = tower.get_by_role("button", name="Levels of the Folly Tower: more")
    expect(tower).to_have_class(re.compile("faulty"))
    expect(page.locator(".problems")).to_contain_text("how many levels")
    for button in (more, smith.locator(".lying")):
        box = until(button.bounding_box)
        assert box["height"] >= 44 and box["width"] >= 44
        around = until(button.locator("xpath=ancestor::*[@data-cell]").bounding_box)
        assert around["x"] <= box["x"] + 0.5
        assert box["x"] + box["width"] <= around["x"] + around["width"] + 0.5
    for _ in range(5):
        more.click()
    expect(tower.locator("input")).to_have_value("5")
    page.click("[data-undo]")
    expect(tower.locator("input")).to_have_value("4")
    total(
        page, "\N{MINUS SIGN}11 to \N{MINUS SIGN}7"
    )  # two Blacksmiths, 13 empty squares, and 4 if Bob’s tower is taller
    expect(tower).not_to_have_class(re.compile("faulty"))
    smith.locator(".lying").click()
    total(page, "\N{MINUS SIGN}12 to \N{MINUS SIGN}8")
    assert_accessible(page)
    page.click('.palette label:has-text("Cottage")')
    smith.click(position={"x": 16, "y": 12})  # the rest of the square still paints
    expect(smith.locator(".lying")).to_have_count(0)
    total(page, "\N{MINUS SIGN}12 to \N{MINUS SIGN}8")
    come_back(page)
    expect(page.locator("[data-cell=B2] input")).to_have_value("4")
    follow(page, "text=Next: Bob")
    paint(page, "Folly Tower", "A1")
    for _ in range(5):
        page.get_by_role("button", name="Levels of the Folly Tower: more").click()
    total(page, "\N{MINUS SIGN}15")
    follow(page, "text=Show result")
    follow(page, "text=Show result")  # nobody has said whether a cube lies on the other Blacksmith
    expect(page.locator(".why").first.locator("[data-cell=B2] .carried")).to_have_text("4")
    expect(page.locator(".pad")).to_contain_text("Folly Towers")
    assert_accessible(page)


def test_towers_and_cubes_take_the_keyboard(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann", "Bob", setup=FOLLIES)
    paint(page, "Folly Tower", "A1")
    paint(page, "Blacksmith", "B1")
    page.locator("[data-cell=A1]").focus()
    expect(page.locator("[data-cell=A1] .stepper button").last).to_be_visible()
    for key in ("Tab", "Tab", "Enter", "Enter", "Space"):  # the number, more
        page.keyboard.press(key)
    expect(page.locator("[data-cell=A1] input")).to_have_value("3")
    for key in ("Escape", "ArrowRight", "Tab", "Space"):
        page.keyboard.press(key)
    expect(page.locator("[data-cell=B1] input[type=checkbox]")).to_be_checked()
    expect(page.locator("[data-cell=A1]")).to_have_attribute("aria-label", "A1: Folly Tower")
    total(page, "\N{MINUS SIGN}14 to \N{MINUS SIGN}11")


def test_towers_and_cubes_without_javascript(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann", "Bob", setup=FOLLIES, java_script_enabled=False, viewport=SMALL_PHONE)
    page.select_option('[name="grid/1/1"]', "folly_tower")
    page.select_option('[name="grid/2/2"]', "blacksmith")
    follow(page, 'button:text-is("Show points")')
    page.get_by_label("Levels of the Folly Tower").fill("6")
    page.get_by_label("Cube on the Blacksmith on C3").check()
    follow(page, 'button:text-is("Show points")')
    expect(page.get_by_label("Levels of the Folly Tower")).to_have_value("6")
    expect(page.get_by_label("Cube on the Blacksmith on C3")).to_be_checked()
    total(page, "\N{MINUS SIGN}14 to \N{MINUS SIGN}8")
    page.get_by_label("Cube on the Blacksmith on C3").uncheck()
    follow(page, 'button:text-is("Show points")')
    total(page, "\N{MINUS SIGN}13 to \N{MINUS SIGN}7")


def test_that_nobody_knows_the_turns_is_one_tap(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann", "Bob", viewport=SMALL_PHONE)
    paint(page, "Cottage", "A1")
    total(page, "\N{MINUS SIGN}15")
    follow(page, "text=Next: Bob")
    paint(page, "Cottage", "A1")
    total(page, "\N{MINUS SIGN}15")
    follow(page, "text=Show result")
    page.get_by_label("We don’t know").check()
    follow(page, "text=Break the tie")
    expect(page.locator(".verdict")).to_contain_text("win together")
    follow(page, "text=Open saved game")
    follow(page, 'button:text-is("Edit game")')
    number = page.locator("#master_builder_turns")
    expect(page.get_by_label("We don’t know")).to_be_checked()
    page.get_by_role("button", name="Turns as Master Builder: more").click()
    expect(page.get_by_label("We don’t know")).not_to_be_checked()
    expect(number).to_have_value("1")
