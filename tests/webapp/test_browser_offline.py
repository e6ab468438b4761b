"""One phone on the way from the players to the result without a network, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorer import games
from tests.webapp.conftest import Device, follow, hand_over, seat_players, until
from tests.webapp.plays import draft, towns
from tests.webapp.test_browser_live import kept, open_phone, paint
from webapp import clubs
from webapp.database import Database
from webapp.history import plays
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
        phone.goto(f"{site}/tables/{tables.add(db, club, found, forms.defaults(found.inputs), names[:-1])}/setup")
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


@pytest.fixture
def at_home(open_phone: Callable[..., Page], member: Device, site: str, db: Database, club: int) -> Page:
    """A phone on the home page of a club that has played Tiny Towns. It loaded a new game, then lost the network."""
    plays.save_all(db, club, [draft(towns({"Ann": 1, "Cid": 2}))])
    phone = open_phone(service_workers="allow")
    hand_over(member, phone.context, site)
    with phone.expect_response(lambda answer: "/tables/new/seats/5" in answer.url):
        phone.goto(site)
    phone.wait_for_timeout(800)  # until it is read
    phone.context.set_offline(True)
    phone.click('.games button:has-text("Tiny Towns")')
    expect(phone.locator("h1")).to_have_text("Tiny Towns")
    return phone


@pytest.mark.usefixtures("lasting")
def test_a_game_begins_without_a_network_on_the_home_page_and_is_saved_with_one(at_home: Page, db: Database) -> None:
    phone = at_home
    phone.click('[aria-label="Remove Cid"]')
    phone.click('[aria-label="Remove Ann"]')
    phone.click("text=Enter the scores")
    expect(phone.locator("#new-errors")).to_contain_text("at least 1 player")
    for name in ("Ann", "Bob"):
        phone.fill("#new", name)
        phone.click('button:text-is("Add")')
    expect(phone.locator(".seats .name")).to_have_text(["Ann", "Bob"])
    phone.click('label:has-text("Fountain")')
    phone.click("text=Enter the scores")
    expect(phone.locator("h1")).to_have_text("Tiny Towns: Ann")
    paint(phone, "Fountain", "A1 B1")
    phone.go_back()
    phone.click('label:has-text("Millstone")')  # it takes the place of the Fountain
    phone.click("text=Enter the scores")
    expect(phone.locator("[data-cell=A1]")).to_have_attribute("aria-label", "A1: Millstone")
    phone.click('button:has-text("Next: Bob")')
    expect(phone.locator(".tabs .name")).to_have_text(["Ann", "Bob"])
    paint(phone, "Cottage", "A1")
    phone.click("text=Show result")
    expect(phone.locator(".when-awaited")).to_be_visible()
    assert db.row("SELECT count(*) AS n FROM tables") == {"n": 0}

    phone.context.set_offline(False)
    expect(phone).to_have_url(re.compile("/result$"))
    phone.click("text=Skip to the result")
    expect(phone.locator(".outcome")).to_contain_text("Saved")
    assert kept(db, "Ann") == ["millstone", "millstone", "empty", "empty"]
    assert kept(db, "Bob") == ["cottage", "empty", "empty", "empty"]
    assert phone.evaluate("localStorage.getItem('unsent changes')") is None


def test_names_changed_without_a_network_outlive_the_browser_and_are_sent_from_the_home_page(
    at_home: Page, site: str, db: Database, club: int
) -> None:
    clubs.player_id(db, club, "Zoë")
    phone, context = at_home, at_home.context
    phone.fill("#new", "zoë")
    phone.keyboard.press("Enter")
    phone.click('[aria-label="Remove Cid"]')
    phone.click('[aria-label="Move zoë up"]')
    phone.click("text=Enter the scores")
    expect(phone.locator("h1")).to_have_text("Tiny Towns: zoë")
    paint(phone, "Farm", "A1")
    phone.go_back()
    phone.click('[aria-label="Move Ann up"]')
    phone.click("text=Enter the scores")
    expect(phone.locator("h1")).to_have_text("Tiny Towns: Ann")
    paint(phone, "Well", "B1")
    phone.click('button:has-text("Next: zoë")')
    expect(phone.locator("[data-cell=A1] .tone-red")).to_be_visible()
    phone.close()

    context.set_offline(False)
    other = context.new_page()
    other.goto(site)
    expect(other.locator(".rows").first).to_contain_text("Ann and Zoë")
    assert kept(db, "Zoë")[0] == "farm" and kept(db, "Ann")[1] == "well"


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
