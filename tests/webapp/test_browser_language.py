"""A phone that asks for another language: its scripts speak it too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.webapp import made_up
from tests.webapp.conftest import assert_accessible, follow, seat_players
from tests.webapp.engines import place
from tests.webapp.made_up import LOCALE, told
from webapp import create_app

pytestmark = pytest.mark.either

COINS = "Coins before final scoring"
LESS = told("{label}: less").format(label=told(COINS))


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    folder = made_up.compiled(tmp_path / "translations")
    config = {"DATABASE": place(tmp_path / "test.db"), "TESTING": True, "SECRET_KEY": "for the tests"}
    return create_app({**config, "TRANSLATIONS": str(folder)})


def test_scripts_speak_the_language_of_the_phone(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club(locale=LOCALE)
    expect(page.locator("html")).to_have_attribute("lang", LOCALE)
    follow(page, "button[value=old_london_bridge]")
    for name in ("Ann", "Bob"):
        page.fill("#new", name)
        page.click(f'button:text-is("{told("Add")}")')
        page.wait_for_selector(f'.seats .name:text-is("{name}")')
    follow(page, "button[value=start]")
    stepper = page.locator("[data-stepper] button").first
    expect(stepper).to_have_attribute("aria-label", LESS)
    assert_accessible(page)


def test_a_phone_that_asks_for_english_gets_it(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club(locale="en-GB")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    follow(page, "button[value=old_london_bridge]")
    seat_players(page, "Ann", "Bob")
    follow(page, "button[value=start]")
    expect(page.locator("[data-stepper] button").first).to_have_attribute("aria-label", f"{COINS}: less")
