"""Three phones and a television at one table, in real browsers, to the reveal; one is offline half-way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.webapp.conftest import PATIENCE, PHONE, SMALL_PHONE, Laid, assert_accessible, follow, hand_over, until
from webapp.database import Database
from webapp.table import reveal, tables

pytestmark = pytest.mark.either

# The beats of the reveal as they come, whether the places could be seen too early, and when it is over.
HEARD = """
[window.heard, window.early] = [[], false];
document.addEventListener("beat", ({ detail }) => {
  heard.push(detail.kind);
  early ||= document.querySelector(".podium").checkVisibility();
});
document.addEventListener("revealed", () => (window.over = true));
"""
# Chromium logs whatever is not answered with 200.
EXPECTED = ("ERR_INTERNET_DISCONNECTED", "409 (Conflict)", "503 (Service Unavailable)", "net::ERR_FAILED")


@pytest.fixture
def open_phone(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Phones that may lose their network; any other fault on one fails the test. They go before the site does."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def heard(message: Any) -> None:
        if message.type == "error" and not any(known in message.text for known in EXPECTED):
            faults.append(message.text)

    def open_one(**options: Any) -> Page:
        context = browser.new_context(**{"viewport": PHONE, "has_touch": True, "service_workers": "block", **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", heard)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not faults, faults


@pytest.fixture
def host(open_phone: Callable[..., Page], site: str, laid: Laid) -> Page:
    """A member's phone in the room of Ann, Bob and Cid."""
    page = open_phone()
    hand_over(laid.member, page.context, site)
    page.goto(site + laid.around)
    page.wait_for_selector(".qr")
    return page


def come(page: Page, host: Page, name: str) -> Page:
    """By the link behind the host's QR code: one tap to the board."""
    page.goto(host.get_attribute(".ways a.address", "href") or "")
    follow(page, f'button:has-text("{name}")')
    page.wait_for_selector("[data-board]")
    return page


def show_on(screen: Page, phone: Page, site: str) -> None:
    """Scan the TV with a phone in the room; the TV follows by itself."""
    screen.goto(f"{site}/tv")
    here = phone.url
    phone.goto(screen.get_attribute(".qr", "data-address") or "")
    follow(phone, 'button:has-text("Show")')
    screen.wait_for_selector(".tv .places")
    phone.goto(here)


def paint(page: Page, piece: str, cells: str) -> None:
    page.click(f'.palette label:has-text("{piece}")')
    for cell in cells.split():
        page.click(f"[data-cell={cell}]")


def kept(db: Database, name: str) -> list[str]:
    """The first row of the player's town, as the server has it."""
    row = db.row("SELECT tables.key FROM tables")
    assert row
    table = tables.find(db, row["key"])
    assert table
    (seat,) = (seat for seat in table.seats if seat.name == name)
    return seat.state["grid"][0] if seat.state else []


@pytest.mark.usefixtures("lasting")
def test_three_phones_and_a_television_play_to_the_reveal(
    host: Page, open_phone: Callable[..., Page], site: str, db: Database
) -> None:
    bob = come(open_phone(), host, "Bob")
    expect(host.locator('[data-place="1"] .is-taken')).to_be_visible(timeout=15_000)

    cid = open_phone(viewport=SMALL_PHONE)  # has no camera, and types the code
    code = host.inner_text(".ways .code")
    cid.goto(f"{site}/join")
    cid.fill("#code", code.lower())
    follow(cid, "text=Ask to join")
    cid.wait_for_selector(".sign")
    follow(host, 'button:has-text("Accept")')
    follow(cid, 'button:has-text("Play as Cid")')
    cid.wait_for_selector("[data-board]")

    screen = open_phone(viewport={"width": 1280, "height": 720}, has_touch=False)
    show_on(screen, bob, site)
    assert_accessible(screen)

    paint(bob, "Cottage", "A1 B1")
    expect(screen.locator('[data-standing="1"] .is-begun')).to_be_visible(timeout=15_000)
    bob.context.set_offline(True)
    paint(bob, "Farm", "C1")
    paint(bob, "Cottage", "D1")
    expect(bob.locator(".when-unsent")).to_be_visible()
    bob.click('button:text-is("Done")')  # cannot leave with something unsent
    expect(bob.locator("[data-board]")).to_be_visible()
    paint(cid, "Tavern", "A1")
    assert kept(db, "Bob")[2] == "empty"
    bob.context.set_offline(False)
    expect(bob.locator("body.unsent")).to_have_count(0)
    assert kept(db, "Bob") == ["cottage", "cottage", "farm", "cottage"]
    follow(bob, 'button:text-is("Done")')
    expect(screen.locator('[data-standing="1"] .is-done')).to_be_visible(timeout=15_000)
    follow(cid, 'button:text-is("Done")')
    follow(bob, "text=Go to the reveal")
    expect(bob.locator(".podium")).to_have_count(0)

    follow(host, 'button:has-text("Play as Ann")')
    paint(host, "Well", "A1")
    follow(host, '.tabs button:has-text("Room")')
    follow(host, "text=Go to the reveal")
    follow(host, "text=Reveal the result")
    for page in (host, bob, cid, screen):
        page.wait_for_selector("[data-stage][data-ready]")
        expect(page.locator(".podium")).not_to_be_visible()
    bob.click("text=Skip to the result")  # for himself
    expect(bob.locator(".podium")).to_be_visible()
    expect(cid.locator(".podium")).not_to_be_visible()
    host.click("text=Skip to the result")  # for everybody
    for page in (host, bob, cid, screen):
        expect(page.locator(".podium")).to_be_visible()
    expect(host.locator(".outcome")).to_contain_text("Saved")


def test_the_reveal_comes_line_by_line_and_ends_by_itself(
    host: Page, open_phone: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reveal, "LINE", 300)  # instead of 1.3 s
    bob = come(open_phone(), host, "Bob")
    bob.add_init_script(HEARD)
    still = come(open_phone(reduced_motion="reduce"), host, "Cid")
    for page in (bob, still):
        paint(page, "Cottage", "A1")
        follow(page, 'button:text-is("Done")')
        page.wait_for_selector(".places")
    follow(host, 'button:has-text("Play as Ann")')
    paint(host, "Well", "A1 B1")
    follow(host, '.tabs button:has-text("Room")')
    follow(host, "text=Go to the reveal")
    follow(host, "text=Reveal the result")
    expect(still.locator(".podium")).to_be_visible()  # no motion: all at once
    until(lambda: bob.evaluate("window.over"))
    heard, early = bob.evaluate("[heard, early]")
    assert heard[-1] == "flag" and "line" in heard and not early
    expect(bob.locator(".podium")).to_be_visible()


@pytest.mark.usefixtures("lasting")
def test_an_answer_half_typed_outlasts_what_other_phones_do(
    host: Page, open_phone: Callable[..., Page], laid: Laid, site: str
) -> None:
    for number, piece in enumerate(("well", "cottage", "well")):
        laid.tap(laid.member, number, **{"grid/0/0": piece})
    bob = come(open_phone(), host, "Bob")
    host.goto(f"{site}{laid.path}/result")
    turns = host.get_by_label("Bob", exact=True)
    turns.fill("4")
    follow(bob, 'button:text-is("Done")')
    expect(host.locator(".places li", has_text="Bob")).to_contain_text("done")
    expect(turns).to_have_value("4")
    expect(turns).to_be_focused()
    host.get_by_label("Ann", exact=True).fill("5")
    host.get_by_label("Cid", exact=True).fill("6")
    follow(host, "text=Break the tie")
    follow(host, "text=Reveal the result")
    host.click("text=Skip to the result")
    expect(host.locator(".verdict")).to_contain_text("Bob")


def test_two_phones_at_one_board_choose_between_both_versions(
    host: Page, open_phone: Callable[..., Page], site: str, db: Database
) -> None:
    bob = open_phone()
    bob.goto(host.get_attribute(".ways a.address", "href") or "")
    follow(bob, "text=Join room")
    [key] = db.execute("SELECT key FROM tables").fetchone()
    for page in (bob, host):  # nobody plays as Bob
        page.goto(f"{site}/tables/{key}/seats/1")
        page.wait_for_selector("[data-cell][tabindex]")
    bob.context.set_offline(True)
    paint(bob, "Farm", "B1")
    paint(host, "Well", "B1")
    until(lambda: kept(db, "Bob")[:2] == ["empty", "well"])
    bob.context.set_offline(False)
    bob.wait_for_selector("text=which one is right")
    assert kept(db, "Bob")[:2] == ["empty", "well"]
    follow(bob, "text=Use mine")
    assert kept(db, "Bob")[:2] == ["empty", "farm"]
    host.wait_for_selector("text=just changed this board")  # and is told


# How far what is on the screen moved without a touch, added up; a shift soon after a touch counts as well.
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shifted += entry.value)))
  .observe({ type: "layout-shift", buffered: false });
"""


def test_no_message_moves_a_board_and_what_two_phones_did_is_put_together_in_place(
    host: Page, open_phone: Callable[..., Page], site: str, db: Database
) -> None:
    link = host.get_attribute(".ways a.address", "href") or ""
    bob = open_phone()
    bob.goto(link)
    follow(bob, "text=Join room")
    [key] = db.execute("SELECT key FROM tables").fetchone()
    for page in (bob, host):  # nobody plays as Bob
        page.goto(f"{site}/tables/{key}/seats/1")
        page.wait_for_selector("[data-cell][tabindex]")
    host.evaluate(SHIFTS)
    paint(host, "Farm", "A1")
    until(lambda: kept(db, "Bob")[:1] == ["farm"])
    bob.wait_for_selector("[data-cell=A1] .tone-red")  # put in its place: the page stays
    bob.evaluate(SHIFTS)
    bob.click('.palette label:has-text("Well")')
    bob.context.set_offline(True)
    paint(bob, "Well", "C1")
    bob.wait_for_selector("body.unsent .when-unsent")
    paint(host, "Farm", "B1")
    until(lambda: kept(db, "Bob")[:2] == ["farm", "farm"])
    bob.context.set_offline(False)
    until(lambda: kept(db, "Bob")[:3] == ["farm", "farm", "well"])
    expect(bob.locator("[data-moved]")).to_contain_text("B1: now Farm.")
    expect(bob.locator("[data-moved]")).not_to_contain_text("C1")
    expect(host.locator("[data-cell=C1] .tone-grey")).to_be_visible()
    assert bob.locator(".palette :checked").get_attribute("value") == "well"
    bob.click("[data-undo]")
    until(lambda: kept(db, "Bob")[:3] == ["farm", "farm", "empty"])
    for page in (host, bob):
        assert page.evaluate("window.shifted") == 0


def test_what_was_tapped_offline_outlives_the_page(
    host: Page, open_phone: Callable[..., Page], site: str, db: Database
) -> None:
    bob = come(open_phone(service_workers="allow"), host, "Bob")
    bob.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    place = bob.url
    paint(bob, "Cottage", "A1")
    expect(bob.locator(".sheet .lines")).to_contain_text("Cottages")
    bob.context.set_offline(True)
    paint(bob, "Farm", "B1")
    bob.wait_for_selector("body.unsent")
    bob.goto(place)  # reloaded without a network
    expect(bob.locator("h1")).to_have_text("No network")
    expect(bob.locator("[data-kept]")).to_be_visible()
    bob.close()
    bob = bob.context.new_page()  # the browser was killed
    bob.context.set_offline(False)
    bob.goto(place)
    expect(bob.locator("[data-cell=B1] .tone-red")).to_be_visible()
    until(lambda: kept(db, "Bob")[:2] == ["cottage", "farm"])
    quiet = bob.context.new_page()  # one that does not load itself anew when a change has arrived
    quiet.goto(f"{site}/offline")
    cached = quiet.evaluate(
        "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((c) => c.keys()))))"
        ".then((all) => all.flat().map((request) => new URL(request.url).pathname))"
    )
    assert cached and all(path == "/offline" or path.startswith("/static/") for path in cached)


def test_where_there_is_no_stream_the_phone_asks(app: Flask, host: Page, open_phone: Callable[..., Page]) -> None:
    app.extensions["feed"].most = 0
    bob = open_phone()
    host.reload()
    page = come(bob, host, "Bob")
    expect(page).to_have_url(re.compile("/seats/1$"))
    expect(host.locator('[data-place="1"] .is-taken')).to_be_visible()


def test_without_script_a_guest_joins_enters_and_sees_the_result(
    open_phone: Callable[..., Page], laid: Laid, site: str
) -> None:
    bob = open_phone(java_script_enabled=False)
    bob.goto(site + laid.link())
    follow(bob, 'button:has-text("Bob")')
    bob.select_option('[name="grid/0/0"]', "cottage")
    follow(bob, 'button:text-is("Done")')
    expect(bob.locator('[data-place="1"] .is-done')).to_be_visible()
    laid.enter_all()
    laid.member.post(f"{laid.path}/reveal")
    follow(bob, "text=Go to the reveal")
    expect(bob.locator(".podium")).to_be_visible()
    expect(bob.locator("[data-stage]")).not_to_be_visible()


def test_a_change_whose_answer_was_lost_is_made_once(host: Page, open_phone: Callable[..., Page], db: Database) -> None:
    bob = come(open_phone(), host, "Bob")
    lost: list[int] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    bob.route("**/seats/1", lambda route: lose(route) if route.request.method == "POST" else route.continue_())
    paint(bob, "Cottage", "A1")
    expect(bob.locator(".sheet .lines")).to_contain_text("Cottages")
    assert lost == [200]
    row = db.row("SELECT version FROM seats WHERE name = 'Bob'")
    assert row == {"version": 2}
