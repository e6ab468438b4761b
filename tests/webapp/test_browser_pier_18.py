"""Pier 18 on a phone, from its board to its result."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import (
    SMALL_PHONE,
    answered,
    assert_accessible,
    come_back,
    follow,
    paint,
    total,
)

pytestmark = pytest.mark.either


def test_a_game_is_painted_settled_and_saved(at_table: Callable[..., Page]) -> None:
    page = at_table("pier_18", "Ann", "Bob", viewport=SMALL_PHONE)

    paint(page, "Flower seller", "A1")
    paint(page, "Poet", "A2", "A3", "B1")
    paint(page, "Fisher", "B3", "B4")
    page.click("text=Add a section")
    paint(page, "Lovers", "A7")
    page.click('[id="patrons more"]')
    expect(page.locator('[name="patrons"]')).to_have_value("1")
    total(page, "8")  # 2 beside the seller, 1 pair of poets, 2 for lovers, 2 fishers, 1 patron
    page.click("text=The plan’s goal is achieved")
    total(page, "12")
    page.fill('[name="plan/points"]', "3")
    total(page, "11")
    come_back(page)  # a draft survives, as long as it was
    total(page, "11")
    expect(page.locator(".square")).to_have_count(14)

    follow(page, "text=Next: Bob")
    expect(page.locator('[name="patrons"]')).to_have_value("3")  # what is left
    paint(page, "Fisher", "A1", "A2", "A3", "A4", "A5", "A6")
    paint(page, "Poet", "B1", "B2", "B3", "B4")
    total(page, "11")
    paint(page, "Poet", "B3")  # a second tap takes it away
    paint(page, "Fisher", "B3")
    paint(page, "Flower seller", "B4")
    paint(page, "Empty", "A6")
    total(page, "12")  # 5 fishers, a pair of poets, 3 beside the seller, 3 patrons
    paint(page, "Empty", "B3")
    total(page, "9")
    paint(page, "Poet", "A6")
    total(page, "9")
    paint(page, "Lovers", "B6")
    paint(page, "Empty", "B4")
    total(page, "11")

    follow(page, "text=Show result")
    expect(page.locator(".verdict")).to_have_text("Bob wins the tie-break by most symbols on the pier.")
    page.click('.pad a[href="#why-0-flower_sellers"]')
    expect(page.locator(".square.lit")).to_have_count(3)
    expect(page.get_by_text("Open saved game")).to_be_visible()


def test_only_a_full_tie_asks_whose_plan_is_earlier(at_table: Callable[..., Page]) -> None:
    page = at_table("pier_18", "Ann", "Bob")
    with answered(page):
        paint(page, "Fisher", "A1")
    page.fill('[name="patrons"]', "2")
    total(page, "3")
    follow(page, "text=Next: Bob")
    paint(page, "Fisher", "B6")
    total(page, "3")
    follow(page, "text=Show result")
    expect(page.locator(".verdict")).to_contain_text("tied")
    expect(page.locator(".questions")).to_contain_text("Whose plan shows the earlier date?")
    with page.expect_navigation():
        page.locator(".questions").get_by_role("button", name="Bob", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("Bob wins the tie-break by earliest date")


def test_the_patron_finds_its_pier(at_table: Callable[..., Page]) -> None:
    page = at_table("pier_18", "Ann", "Bob")
    paint(page, "Poet", "A1", "A2")
    follow(page, ".tabs >> text=Rounds")
    page.click('.inline button:text-is("Bob")')  # who begins
    answer = page.locator("[data-part=answer]")
    expect(answer).to_contain_text("Round 1 of 4")
    expect(answer).to_contain_text("Lay out 3 cards. Bob chooses first")
    page.click('.chip:has-text("Fisher")')
    expect(answer).to_contain_text("Whose last card has the earliest date?")
    assert_accessible(page)
    page.click("text=Patron to Bob")
    expect(answer).to_contain_text("Ann chooses first")
    for round_ in range(2, 5):
        expect(answer).to_contain_text(f"Round {round_} of 4")
        page.click('.chip:has-text("Poet")')
        expect(page.locator(".verdict")).to_have_text("The patron joins Ann.")
        page.click("text=Patron to Ann")
    expect(answer).to_contain_text("The game is over.")
    follow(page, "text=Enter the scores")
    expect(page.locator('[name="patrons"]')).to_have_value("3")  # known, so nobody counts them


def test_a_plan_is_described_once_and_picked_by_its_goal_ever_after(at_table: Callable[..., Page]) -> None:
    for evening in ("first", "second"):
        page = at_table("pier_18", "Ann", "Bob", viewport=SMALL_PHONE)
        paint(page, "Poet", "A1", "B1")
        page.fill('[name="patrons"]', "2")
        page.click("text=The plan’s goal is achieved")
        if evening == "first":
            page.fill('[name="plan/card/name"]', "Poets on both sides")
            page.fill('[name="plan/card/points"]', "6")
            page.fill('[name="plan/card/date"]', "14.6.")
            page.click("text=Save in card box")
            expect(page.locator("[data-part=plan]")).to_contain_text("This card is in the card box.")
        else:
            page.click('[data-part=plan] button:has-text("Poets on both sides")')
        expect(page.locator('[name="plan/card/date"]')).to_have_value("14")
        expect(page.locator('[name="plan/card/date/month"] option:checked')).to_have_text("June")
        expect(page.locator(".lines")).to_contain_text("“Poets on both sides” achieved: 6")
        assert_accessible(page)
