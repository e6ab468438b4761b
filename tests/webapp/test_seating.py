"""Tell who sits where, by hand: names typed and suggested, seats dragged by a finger."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import SMALL_PHONE, Device, answered, follow, until
from tests.webapp.finger import Finger, middle
from webapp.database import Database, now

pytestmark = pytest.mark.either

CLUB = (
    "Ann",
    "Bob",
    "Zoë",
    "Anneke",
    "Cid",
    "Dora",
    "Emil",
    "Fay",
    "Gus",
    "Hal",
    "Ivo",
    "Jo",
    "Kim",
    "Lou",
    "Mary Ann",
)


def seated(page: Page, *names: str) -> None:
    expect(page.locator(".seats .name")).to_have_text(names)


def known(db: Database, club: int) -> None:
    with db.atomic():
        for name in CLUB:
            db.insert("players", club_id=club, name=name, created_at=now())


def test_enter_takes_a_name_and_makes_room_for_the_next(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", page="setup")
    field = page.locator("#new")
    field.focus()
    for name in ("Ann", "Bob", "Cid"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(field).to_have_value("")
    seated(page, "Ann", "Bob", "Cid")
    expect(field).to_be_focused()
    page.keyboard.type("ann")
    page.keyboard.press("Enter")
    expect(page.locator("#new-errors")).to_contain_text("have the same name")
    expect(field).to_have_value("ann")  # to be mended
    for _ in range(2):
        with answered(page):
            page.keyboard.press("Enter")
        expect(field).to_have_value("ann")  # still
    seated(page, "Ann", "Bob", "Cid")


def test_a_known_player_is_one_tap_among_suggestions(at_table: Callable[..., Page], db: Database, club: int) -> None:
    known(db, club)
    page = at_table("tiny_towns", page="setup")
    chips = page.locator("#known button:visible")
    expect(chips).to_have_count(12)
    page.fill("#new", "ann")
    expect(chips).to_have_text(["+ Ann", "+ Anneke", "+ Mary Ann"])
    page.fill("#new", "zoe")
    chips.click()
    seated(page, "Zoë")
    expect(page.locator("#new")).to_have_value("")
    expect(chips).to_have_count(12)
    page.fill("#new", "zoe")
    expect(chips).to_have_count(0)  # she sits already
    page.fill("#new", "lo")
    chips.click()
    seated(page, "Zoë", "Lou")
    page.fill("#new", "nobody")
    expect(chips).to_have_count(0)
    page.fill("#new", "")
    chips.first.click()
    seated(page, "Zoë", "Lou", "Ann")


def test_names_are_suggested_without_javascript(at_table: Callable[..., Page], db: Database, club: int) -> None:
    known(db, club)
    page = at_table("tiny_towns", page="setup", java_script_enabled=False)
    expect(page.locator("#new")).to_have_attribute("list", "names")
    expect(page.locator("#names option")).to_have_count(len(CLUB))
    expect(page.locator(".grip")).to_have_count(0)
    page.fill("#new", "lou")
    with page.expect_navigation():
        page.press("#new", "Enter")
    follow(page, '#known button:text-is("+ Ann")')
    seated(page, "Lou", "Ann")
    page.fill("#new", "Ann")
    follow(page, 'button:text-is("Add")')
    expect(page.locator("#new")).to_have_value("Ann")
    expect(page.locator("#new-errors")).to_contain_text("have the same name")


def test_seats_are_dragged_with_a_finger(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann", "Bob", "Cid", "Dora", page="setup", viewport=SMALL_PHONE)
    finger = Finger(page)
    grips = page.locator(".grip")
    page.locator("[data-seats]").scroll_into_view_if_needed()
    box = until(grips.first.bounding_box)
    assert box["width"] >= 44 and box["height"] >= 44
    places = [middle(grips.nth(number)) for number in range(4)]
    finger.draw(places[0], places[2])
    seated(page, "Bob", "Cid", "Ann", "Dora")
    with page.expect_response(lambda answer: "order=3%2C0%2C1%2C2" in (answer.request.post_data or "")):
        finger.draw(places[3], places[0])  # whether the answer to the first is there or not
        seated(page, "Dora", "Bob", "Cid", "Ann")
    page.reload()
    seated(page, "Dora", "Bob", "Cid", "Ann")


def test_a_drag_that_is_taken_away_and_a_scroll_move_no_seat(at_table: Callable[..., Page]) -> None:
    page = at_table("tiny_towns", "Ann", "Bob", "Cid", page="setup", viewport=SMALL_PHONE)
    page.locator("[data-seats]").scroll_into_view_if_needed()
    finger = Finger(page)
    grips, names = page.locator(".grip"), page.locator(".seats .name")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    finger.draw(middle(grips.nth(0)), middle(grips.nth(2)), lift=False)
    expect(page.locator(".dragged")).to_have_count(1)
    finger.touch("touchCancel")
    expect(page.locator(".dragged")).to_have_count(0)
    before = page.evaluate("scrollY")
    finger.draw(middle(names.nth(2)), (100, 20))
    until(lambda: page.evaluate(f"scrollY > {before}"))
    seated(page, "Ann", "Bob", "Cid")
    page.reload()  # what was not yet sent is sent now
    seated(page, "Ann", "Bob", "Cid")
    assert not sent


def test_whoever_could_not_sit_down_is_still_in_the_field(member: Device) -> None:
    member.get("/")
    path = str(member.post("/tables", {"game": "tiny_towns"}).location)
    member.post(path, {"new": "Ann"})
    answer = member.post(path, {"new": "Ann <b>"}, follow_redirects=True).get_data(as_text=True)
    assert "Ann &lt;b&gt;" in answer
    answer = member.post(path, {"new": "ANN"}).get_data(as_text=True)
    assert 'value="ANN"' in answer
