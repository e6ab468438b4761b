"""Old London Bridge on a phone, from its board to its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import (
    SMALL_PHONE,
    assert_accessible,
    come_back,
    follow,
    total,
)

pytestmark = pytest.mark.either

KINDS = {"C": "Chapel", "G": "Bridge gate", "I": "Inn", "E": "Emporium", "U": "Guild", "P": "Park"}


def lay(page: Page, *tiles: str) -> None:
    """On the keypad: each building, then its number."""
    for tile in tiles:
        page.click(f'[data-kinds] button:has-text("{KINDS[tile[0]]}")')
        if tile[1:]:
            page.click(f'.keypad button:text-is("{tile[1:]}")')


def fill(page: Page, numbers: Mapping[str, int]) -> None:
    for name, number in numbers.items():
        page.fill(f'[name="{name}"]', str(number))


def test_a_game_is_laid_settled_and_saved(at_table: Callable[..., Page]) -> None:
    page = at_table("old_london_bridge", "Ann", "Bob", page="setup", viewport=SMALL_PHONE)
    page.click("text=Expert builders")
    page.click('.chip:has-text("Longest sequence")')
    follow(page, "text=Enter the scores")

    lay(page, "C56", "G44", "I31", "P", "E58", "U40")
    expect(page.locator(".spaces .number")).to_have_text(["C56", "G44", "I31", "P", "E58", "U40", *[""] * 6])
    expect(page.locator('[aria-label^="7:"]')).to_have_attribute("aria-current", "true")
    fill(page, {"coins": 20, "chapel_steps": 5, "gate_steps": 4, "unused_tiles": 1})
    page.click('[id="cards/3 more"]')
    total(page, "at most 41")  # four first prizes so far, and a tile; nobody has said what empty spaces cost
    assert_accessible(page)

    page.click('[aria-label="2: Bridge gate 44"]')  # tiles can be changed ...
    expect(page.locator(".keypad button").first).to_have_text("55")
    page.click('.keypad button:text-is("50")')
    page.click('[aria-label="5: Emporium 58"]')  # ... taken away ...
    page.click("text=Remove")
    page.click('[aria-label="3: Inn 31"]')  # ... and remembered late
    page.click("text=Insert a gap")
    lay(page, "U45")
    expect(page.locator(".spaces .number")).to_have_text(["C56", "G50", "U45", "I31", "P", "U40", *[""] * 6])
    expect(page.locator(".lines")).to_contain_text("A sequence of 4 descending numbers")
    come_back(page)  # a draft survives
    expect(page.locator(".spaces .number")).to_have_text(["C56", "G50", "U45", "I31", "P", "U40", *[""] * 6])

    follow(page, "text=Next: Bob")
    lay(page, "C60", "P")
    page.click('[data-kinds] button:has-text("Guild")')
    expect(page.locator('.keypad button:text-is("59")')).to_be_visible()
    for taken in ("60", "56", "45", "40"):  # here or on Ann's bridge
        expect(page.locator(f'.keypad button:text-is("{taken}")')).to_have_count(0)
    page.click("text=Enter counts only")
    fill(page, {"summary/buildings": 12, "summary/longest": 3})
    fill(page, {"coins": 30, "chapel_steps": 5, "gate_steps": 9, "unused_tiles": 0})
    expect(page.locator(".total output")).not_to_have_text("?")

    follow(page, "text=Next: all players")
    page.click('.order .chip:has-text("Bob")')
    expect(page.locator(".order .chip")).to_have_text(["2nd Ann", "1st Bob"])
    page.fill('[name="empty_costs/5+"]', "15")
    expect(page.locator(".errors")).to_have_count(0)
    follow(page, "text=Show result")
    expect(page.locator("main")).to_contain_text("Were buildings replaced on all other turns?")
    follow(page, "text=Show result")
    expect(page.locator(".verdict")).to_have_text("Bob wins on points.")
    expect(page.locator(".podium")).to_contain_text("Bob40")  # 30 coins, 5 for the chapel, 5 for the gate
    expect(page.locator(".podium")).to_contain_text("Ann16")  # 20, 5 for cards, 5 for the row of four, a tile, less 15
    page.click('.pad a[href="#why-0-bridge"]')
    expect(page.locator(".square.lit")).to_have_count(4)
    follow(page, "text=Open saved game")


def test_the_keyboard_lays_a_bridge(at_table: Callable[..., Page]) -> None:
    page = at_table("old_london_bridge", "Ann", "Bob")
    expect(page.locator('[name="summary/buildings"]')).to_have_count(1)  # the printed scoring counts no more
    page.click("text=Enter each building")
    page.locator('[aria-label="1:"]').focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # a chapel
    page.locator(".keypad button").nth(4).focus()
    page.keyboard.press("Enter")
    expect(page.locator('[aria-label="1: Chapel 56"]')).to_be_visible()
    expect(page.locator("[data-said]")).to_have_text("1: Chapel 56")
    expect(page.locator(":focus")).to_contain_text("Chapel")
    page.locator('[aria-label="2:"]').focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "1: Chapel 56")
    page.keyboard.press("Delete")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "1:")
    page.locator('[id="coins more"]').focus()
    for _ in range(3):
        page.keyboard.press("Enter")
        page.wait_for_timeout(250)  # an answer comes in between and must not take the focus away
    expect(page.locator('[name="coins"]')).to_have_value("3")


def test_everything_works_without_javascript(at_table: Callable[..., Page]) -> None:
    page = at_table("old_london_bridge", "Ann", "Bob", java_script_enabled=False)
    follow(page, "text=Enter each building")
    for place, tile in enumerate(["C56", "P", "G57"]):
        page.select_option(f'[name="bridge/{place}"]', tile[0])
        page.fill(f'[name="bridge/{place}/number"]', tile[1:])
    fill(page, {"coins": 20, "chapel_steps": 5, "gate_steps": 4, "unused_tiles": 0})
    follow(page, 'button:text-is("Show points")')
    total(page, "at most 35")
    follow(page, "text=Next: Bob")
    page.click("text=Enter counts only")
    fill(page, {"summary/buildings": 12, "coins": 20, "chapel_steps": 9, "gate_steps": 2, "unused_tiles": 0})
    follow(page, "text=Next: all players")
    expect(page.locator('[name="chapel_order/0"]')).to_have_count(0)  # the steps tell it
    page.fill('[name="empty_costs/5+"]', "15")
    follow(page, "text=Show result")
    follow(page, "text=Show result")
    expect(page.locator(".verdict")).to_have_text("Bob wins on points.")


def test_only_what_is_not_known_is_asked(at_table: Callable[..., Page]) -> None:
    """Four players after an early end, who remember the order on the chapel track but not the spaces."""
    page = at_table("old_london_bridge", "Ann", "Bob", "Cid", "Dee", page="setup", viewport=SMALL_PHONE)
    page.click("text=Expert builders")
    page.click('.chip:has-text("Sets of all six types")')
    follow(page, "text=Enter the scores")
    for name, moved in (("Ann", "yes"), ("Bob", "yes"), ("Cid", "no"), ("Dee", "no")):
        if name == "Ann":  # the others' bridges are counted then, too
            page.click("text=Enter counts only")
        page.click(f'.field:has-text("left the chapel stairs") .chip:has(span:text-is("{moved}"))')
        fill(page, {"summary/buildings": 5})
        expect(page.locator(".field:has-text('Complete sets')")).to_contain_text("We work this out.")
        fill(page, {"summary/buildings": 10, "summary/sets": 1, "coins": 20, "gate_steps": 2})
        expect(page.locator('[name="unused_tiles"]')).to_have_count(0)  # no bonus space reached
        follow(page, f"text=Next: {'all players' if name == 'Dee' else ''}")
    page.check('[name="ended_early"]')
    fill(page, {"empty_costs/2": 3})
    expect(page.locator('.order .chip[aria-pressed="true"]')).to_have_count(0)  # nothing is filled in ...
    for name in ("Bob", "Ann", "Dee"):
        page.click(f'.order .chip:has-text("{name}")')
    expect(page.locator(".order .chip")).to_have_text(["2nd Ann", "1st Bob", "4th Cid", "3rd Dee"])
    expect(page.locator(".errors")).to_have_count(0)  # ... and nothing complained about
    follow(page, "text=Show result")
    expect(page.locator(".verdict")).to_have_text("Bob wins on points.")
    expect(page.locator("main")).not_to_contain_text("Were buildings replaced on all other turns")


def test_the_companion_pays_round_by_round(at_table: Callable[..., Page]) -> None:
    page = at_table("old_london_bridge", "Ann", "Bob", "Cid", page="setup", viewport=SMALL_PHONE)
    page.click("text=Expert builders")
    page.click('.chip:has-text("Highest card, every round")')
    follow(page, "text=Still playing?")
    for name in ("Bob", "Ann"):
        page.locator(".order").first.locator(f'.chip:has-text("{name}")').click()
    for seat, card in enumerate((3, 4, 4)):
        page.fill(f'[name="rounds/0/cards/{seat}/0"]', str(card))
    expect(page.locator("[data-part=answer]")).to_contain_text("4 is the highest card. Ahead of Cid")
    assert_accessible(page)
    page.click("text=End round")
    expect(page.locator("[data-part=answer]")).to_contain_text("Round 2 of 12")
    follow(page, "text=Enter the scores")
    follow(page, "text=Next: Bob")
    expect(page.locator('[name="round_winnings/inn"]')).to_have_value("2")


def test_a_bridge_is_still_there_after_line_totals_were_typed(at_table: Callable[..., Page]) -> None:
    page = at_table("old_london_bridge", "Ann", "Bob")
    page.click("text=Enter each building")
    lay(page, "C56", "P")
    page.click("text=Enter points instead")
    expect(page.locator(".spaces")).to_have_count(0)
    page.fill('[name="typed/coins"]', "30")
    total(page, "30")
    page.fill('[name="typed/inn"]', "five")
    expect(page.locator('[id="typed/inn-errors"]')).to_contain_text("whole number")
    page.click("text=Enter board instead")
    page.get_by_role("dialog").get_by_role("button", name="Enter board instead").click()
    expect(page.locator(".spaces .number")).to_have_text(["C56", "P", *[""] * 10])
    lay(page, "G57")
    expect(page.locator(".spaces .number")).to_have_text(["C56", "P", "G57", *[""] * 9])


def test_a_bridge_is_laid_with_the_keyboard_alone(at_table: Callable[..., Page]) -> None:
    page = at_table("old_london_bridge", "Ann", "Bob")
    page.click("text=Enter each building")
    page.locator(".spaces .space").first.focus()
    numbers = page.locator(".spaces .number")
    for keys, laid in (("c56", "C56"), ("g44", "G44"), ("p", "P"), ("I31", "I31")):
        page.keyboard.type(keys)
        expect(numbers.filter(has_text=laid)).to_have_count(1)
    page.keyboard.type("e5")  # the number may still go on; Enter says that it does not
    page.keyboard.press("Enter")
    expect(numbers).to_have_text(["C56", "G44", "P", "I31", "E5", *[""] * 7])
    page.keyboard.type("u")
    expect(page.locator(".keypad button")).to_have_text(["4", "3", "2", "1"])
    page.keyboard.type("9")  # none fits that begins so
    expect(numbers.nth(5)).to_have_text("U")
    page.keyboard.press("Delete")
    expect(numbers).to_have_text(["C56", "G44", "P", "I31", "E5", *[""] * 7])
    expect(page.locator(":focus")).to_have_class("space")
