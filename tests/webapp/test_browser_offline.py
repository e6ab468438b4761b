"""One phone on the way from the players to the result without a network, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import assert_accessible, come_in, follow, seat_players, until
from tests.webapp.test_browser_live import kept, open_phone, paint
from webapp import clubs
from webapp.database import Database

pytestmark = pytest.mark.either

__all__ = ["open_phone"]  # a fixture


@pytest.fixture
def phone(open_phone: Callable[..., Page], site: str, db: Database, club: int) -> Page:
    """A phone on the page where a game begins."""
    page = open_phone()
    come_in(page, f"{site}/join/{clubs.links(db, club)['member']}")
    return page


def begin(phone: Page, game: str, *names: str) -> None:
    """Choose the game and its players; the phone has fetched every board by the end."""
    follow(phone, f'.game:has-text("{game}")')
    fetched: list[str] = []
    phone.on("requestfinished", lambda request: fetched.append(request.url.rpartition("/")[2]))
    seat_players(phone, *names)
    until(lambda: phone.evaluate("1") and {str(number) for number in range(len(names))} <= {*fetched})
    phone.wait_for_timeout(300)  # until the last one is read


@pytest.mark.usefixtures("lasting")
def test_one_phone_goes_from_players_to_the_result_without_a_network(phone: Page, db: Database) -> None:
    begin(phone, "Tiny Towns", "Ann", "Bob", "Cid")
    phone.context.set_offline(True)
    phone.click("text=Enter the scores")
    expect(phone.locator("h1")).to_have_text("Tiny Towns: Ann")
    expect(phone).to_have_url(re.compile("/seats/0$"))
    paint(phone, "Well", "A1 B1")
    phone.click('button:has-text("Next: Bob")')
    expect(phone.locator("h1")).to_have_text("Tiny Towns: Bob")
    paint(phone, "Farm", "A1")
    paint(phone, "Cottage", "B1")
    phone.click('button:has-text("Next: Cid")')
    paint(phone, "Tavern", "C1")
    phone.go_back()
    expect(phone.locator("h1")).to_have_text("Tiny Towns: Bob")
    expect(phone.locator("[data-cell=A1] .tone-red")).to_be_visible()
    phone.click('.tabs button:has-text("Ann")')
    paint(phone, "Well", "C1")
    assert [kept(db, name) for name in ("Ann", "Bob", "Cid")] == [[], [], []]
    assert_accessible(phone)
    phone.click('.tabs button:has-text("Cid")')
    expect(phone.locator("[data-cell=C1] .tone-green")).to_be_visible()
    phone.click("text=Show result")
    expect(phone.locator(".when-awaited")).to_be_visible()
    expect(phone.locator("[data-board]")).to_be_visible()

    phone.context.set_offline(False)
    expect(phone).to_have_url(re.compile("/result$"))
    phone.click("text=Skip to the result")
    assert kept(db, "Ann") == ["well", "well", "well", "empty"]
    assert kept(db, "Bob") == ["farm", "cottage", "empty", "empty"]
    assert kept(db, "Cid") == ["empty", "empty", "tavern", "empty"]
    expect(phone.locator(".outcome")).to_contain_text("Saved")


def test_a_page_shown_without_a_network_stays_and_is_renewed_with_one(phone: Page, db: Database) -> None:
    begin(phone, "Tiny Towns", "Ann", "Bob")
    follow(phone, "text=Enter the scores")
    with phone.expect_response(lambda answer: answer.url.endswith("/seats/1")):
        pass
    phone.wait_for_timeout(300)
    phone.context.set_offline(True)
    paint(phone, "Well", "A1")
    phone.click('button:has-text("Next: Bob")')
    expect(phone.locator(".when-unsent")).to_be_visible()
    phone.click("text=Show result")
    paint(phone, "Farm", "D4")  # the result can wait: there is more to enter
    expect(phone.locator(".when-awaited")).not_to_be_visible()
    phone.context.set_offline(False)
    expect(phone.locator("body.unsent")).to_have_count(0)
    expect(phone.locator(".sheet .lines")).to_contain_text("Empty")
    expect(phone.locator('.tabs button:has-text("Ann")')).to_contain_text("−15")  # what Ann has on the server
    expect(phone).to_have_url(re.compile("/seats/1$"))
    expect(phone.locator("[data-moved]")).to_be_empty()
    row = db.row("SELECT done FROM seats WHERE name = 'Ann'")
    assert row == {"done": 1}


@pytest.mark.parametrize("game", ["Copenhagen", "Old London Bridge", "Pier 18", "Tenby"])
def test_every_game_leads_to_the_result_without_a_network(phone: Page, game: str) -> None:
    begin(phone, game, "Ann", "Bob")
    phone.context.set_offline(True)
    for tap, page in (("Enter the scores", "Ann"), ("Next: Bob", "Bob"), ("Next: all players", "all players")):
        button = phone.locator(f'.bar button:has-text("{tap}")')
        if button.count() or page != "all players":
            button.click()
            expect(phone.locator("h1")).to_have_text(f"{game}: {page}")
    phone.click("text=Show result")
    expect(phone.locator(".when-awaited")).to_be_visible()
    phone.context.set_offline(False)
    expect(phone).to_have_url(re.compile("/result$"))
