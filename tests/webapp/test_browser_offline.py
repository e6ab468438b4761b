"""One phone on the way from the players to the result without a network, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorer import games
from tests.webapp.conftest import Device, follow, hand_over, seat_players, until
from tests.webapp.test_browser_live import kept, open_phone, paint
from webapp.database import Database
from webapp.table import forms, tables

pytestmark = pytest.mark.either

__all__ = ["open_phone"]  # a fixture


Begin = Callable[..., Page]


@pytest.fixture
def begin(open_phone: Callable[..., Page], member: Device, site: str, db: Database, club: int) -> Begin:
    """A phone whose players have been chosen: it has fetched every board."""

    def choose(game: str, *names: str) -> Page:
        found, phone = games.find(game), open_phone(service_workers="allow")
        assert found is not None
        hand_over(member, phone.context, site)
        fetched: list[str] = []
        phone.on("requestfinished", lambda request: fetched.append(request.url.rpartition("/")[2]))
        phone.goto(f"{site}/tables/{tables.lay(db, club, found, forms.defaults(found.inputs), names[:-1])}/setup")
        seat_players(phone, names[-1])
        until(lambda: phone.evaluate("1") and {str(number) for number in range(len(names))} <= {*fetched})
        phone.wait_for_timeout(300)  # until the last one is read
        return phone

    return choose


@pytest.mark.usefixtures("lasting")
def test_one_phone_goes_from_players_to_the_result_without_a_network(begin: Begin, db: Database) -> None:
    phone = begin("tiny_towns", "Ann", "Bob", "Cid")
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


def test_a_page_shown_without_a_network_stays_and_is_renewed_with_one(begin: Begin, db: Database) -> None:
    phone = begin("tiny_towns", "Ann", "Bob")
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


@pytest.mark.parametrize("game", ["old_london_bridge", "tenby"])
def test_games_of_numbers_and_of_cards_lead_to_the_result_too(begin: Begin, game: str) -> None:
    phone = begin(game, "Ann", "Bob")
    phone.context.set_offline(True)
    for tap, page in (("Enter the scores", "Ann"), ("Next: Bob", "Bob"), ("Next: all players", "all players")):
        button = phone.locator(f'.bar button:has-text("{tap}")')
        if button.count() or page != "all players":
            button.click()
            expect(phone.locator("h1")).to_contain_text(f": {page}")
    phone.click("text=Show result")
    expect(phone.locator(".when-awaited")).to_be_visible()
    phone.context.set_offline(False)
    expect(phone).to_have_url(re.compile("/result$"))
