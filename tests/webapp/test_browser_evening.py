"""An evening in real browsers: three phones and a television through two games, one offline across the change."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import follow, until
from tests.webapp.test_browser_live import host, open_phone, paint, show_on
from webapp.database import Database
from webapp.table import tables

pytestmark = pytest.mark.either

__all__ = ["host", "open_phone"]  # fixtures


def at(db: Database, number: int) -> tables.Table:
    """The table that was laid as the so-manieth."""
    keys = [row["key"] for row in db.query("SELECT key FROM tables ORDER BY id")]
    table = tables.find(db, keys[number])
    assert table is not None
    return table


def row_of(db: Database, number: int, name: str) -> list[str]:
    (seat,) = (seat for seat in at(db, number).seats if seat.name == name)
    return seat.state["grid"][0] if seat.state else []


def reveal_and_save(host: Page, site: str, path: str) -> None:
    host.goto(f"{site}{path}/result")
    follow(host, "text=Reveal the result")
    host.click("text=Skip to the result")
    follow(host, "text=Save game")
    expect(host).to_have_url(re.compile("/rooms/"))


@pytest.mark.usefixtures("lasting")
def test_an_evening_of_two_games(host: Page, open_phone: Callable[..., Page], site: str, db: Database) -> None:
    link = host.get_attribute(".ways a.address", "href") or ""
    first = f"/tables/{at(db, 0).key}"
    follow(host, 'button:has-text("Play as Ann")')
    bob, cid = come_soon(open_phone(), link, "Bob"), come_soon(open_phone(), link, "Cid")
    room = at(db, 0).room
    assert room is not None
    screen = open_phone(viewport={"width": 1280, "height": 720}, has_touch=False)
    show_on(screen, bob, site)

    for page, name in ((bob, "Bob"), (cid, "Cid")):
        paint(page, "Cottage", "A1 B1" if name == "Bob" else "A1")
    host.goto(f"{site}{first}/seats/0")
    paint(host, "Well", "A1")
    until(lambda: all("empty" not in (row_of(db, 0, name) or ["empty"])[:1] for name in ("Ann", "Bob", "Cid")))
    expect(screen.locator('[data-standing="1"] .is-begun')).to_be_visible()

    # Cid loses the network before the end of the first game, and finds it again in the second one.
    cid.context.set_offline(True)
    reveal_and_save(host, site, first)
    follow(host, '.next button:has-text("Tiny Towns")')
    expect(host).to_have_url(re.compile("/setup$"))
    second = f"/tables/{at(db, 1).key}"
    follow(bob, "text=Go to the next game")  # nobody is pulled away from a result
    bob.wait_for_url(f"**{second}/seats/1")
    expect(screen.locator(".tv .places")).to_be_visible()
    paint(bob, "Farm", "A1")
    until(lambda: row_of(db, 1, "Bob")[:1] == ["farm"])
    cid.context.set_offline(False)
    follow(cid, "text=Go to the next game")
    cid.wait_for_url(f"**{second}/seats/2")
    paint(cid, "Tavern", "A1 B1")
    until(lambda: row_of(db, 1, "Cid")[:2] == ["tavern", "tavern"])
    assert row_of(db, 0, "Cid")[:1] == ["cottage"]

    # The plug of the television is pulled, and Bob closes his tab: both find back by themselves.
    plugged = screen.context.new_page()
    screen.close()
    plugged.goto(f"{site}/tv")
    expect(plugged.locator('[data-standing="2"] .is-begun')).to_be_visible()
    back = bob.context.new_page()
    bob.close()
    back.goto(site)
    follow(back, "text=Continue:")
    expect(back).to_have_url(re.compile(f"{second}/seats/1$"))
    expect(back.locator("[data-cell=A1] .tone-red")).to_be_visible()

    host.goto(f"{site}{second}/seats/0")
    paint(host, "Well", "A1")
    until(lambda: row_of(db, 1, "Ann")[:1] == ["well"])
    reveal_and_save(host, site, second)
    expect(host.locator("text=Tonight so far")).to_be_visible()
    saved = db.row("SELECT count(*) AS n FROM plays")
    assert saved == {"n": 2}


def come_soon(page: Page, link: str, name: str) -> Page:
    page.goto(link)
    follow(page, f'button:has-text("{name}")')
    page.wait_for_selector("[data-board]")
    return page
