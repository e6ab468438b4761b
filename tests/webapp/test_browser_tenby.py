"""Tenby on a phone, from the home page to a saved game: streets by edges, conditions first, cards from the box."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorer.games.tenby import GAME
from tests.webapp.conftest import SMALL_PHONE, assert_accessible, seat_players, total
from tests.webapp.test_cardboxes import GULLS, boxed
from webapp.database import Database
from webapp.table import cardboxes


def tap(page: Page, inside: str, words: str) -> None:
    page.locator(inside).get_by_role("button", name=words, exact=True).first.click()


def lay(page: Page, place: str, kind: str) -> None:
    """One tap: the card fits, so it lies there, and its panel opens."""
    cards = page.locator(".strip .laid")
    before = cards.count()
    tap(page, place, kind)
    expect(cards).to_have_count(before + 1)


def condition(page: Page, target: str, points: str, reach: str) -> None:
    """Three taps."""
    tap(page, "#opened .tiles", target)
    expect(page.locator("#opened .sentence")).to_contain_text(target)
    tap(page, "#opened", points)
    expect(page.locator(f'#opened button[aria-pressed=true]:text-is("{points}")')).to_be_visible()
    tap(page, "#opened .ranges", reach)
    expect(page.locator("#opened .ranges [aria-pressed=true]")).to_contain_text(reach)


def count(page: Page, card: str, feature: str, number: str) -> None:
    group = page.locator(f'.counting[aria-label="Card {card}"]').get_by_role("radiogroup", name=feature)
    group.locator(".chip", has_text=number).click()
    expect(group).not_to_have_class("unknown")


def close(page: Page) -> None:
    tap(page, "#opened", "Done")
    expect(page.locator("#opened")).to_have_count(0)


@pytest.mark.parametrize("viewport", [None, SMALL_PHONE], ids=["phone", "small phone"])
def test_a_game_is_built_settled_and_saved(at_the_club: Callable[..., Page], viewport: dict[str, int] | None) -> None:
    page = at_the_club(**({"viewport": viewport} if viewport else {}))
    page.click("text=Tenby")
    seat_players(page, "Ann", "Bob")
    page.locator("label", has_text="The Open Sea").click()
    tap(page, "#new-accolade", "Benches")
    expect(page.locator(".goal")).to_have_count(1)
    tap(page, ".goal", "Keep in the card box")
    expect(page.locator(".goal")).to_contain_text("In the card box")
    page.click("#house-rules summary")
    assert_accessible(page)
    page.click("text=Enter the scores")

    # Ann: a completed street of two cards that look at each other, and a resident.
    assert_accessible(page)
    lay(page, "#new-street", "Left end terrace (sea)")
    assert_accessible(page)
    condition(page, "Seagulls", "2", "Whole street")
    assert_accessible(page)
    page.fill('[name="streets/0/0/name"]', "Gull house")
    tap(page, "#opened", "Keep in the card box")
    expect(page.locator("#opened")).to_contain_text("In the card box")
    assert_accessible(page)
    lay(page, "#next-0", "Right end terrace (sea)")
    expect(page.locator(".street h2")).to_contain_text("Completed")
    expect(page.locator("#next-0")).to_have_count(0)  # nothing follows the sea
    tap(page, "#opened .tiles", "Printed number")
    tap(page, "#opened .chips", "4")
    total(page, "4")
    close(page)
    count(page, "1.1", "Seagulls", "1")
    count(page, "1.2", "Seagulls", "2")
    total(page, "10")
    count(page, "1.1", "Benches", "1")
    count(page, "1.2", "Benches", "0")
    expect(page.locator(".strip .wants")).to_have_count(0)
    assert_accessible(page)
    page.click("text=+ Resident of every street")
    tap(page, "#opened .tiles", "Seagulls")
    for field, points in (("at_least", "3"), ("incomplete", "2"), ("complete", "5")):
        page.fill(f'[name="residents/0/{field}"]', points)
    total(page, "15")
    page.reload()  # a draft survives
    total(page, "15")
    assert_accessible(page)

    # Bob: the same card out of the box, beside a plain end, and then his line totals instead.
    page.click("text=Next: Bob")
    tap(page, "#new-street", "Gull house, from the card box")
    expect(page.locator(".strip .laid")).to_have_count(1)
    lay(page, "#next-0", "Right end terrace")
    lay(page, "#next-0", "Plain left end terrace")
    total(page, "2")
    close(page)
    count(page, "1.3", "Seagulls", "3")
    total(page, "8")
    page.click("text=Type line totals instead")
    page.fill('[name="typed/card"]', "9")
    total(page, "9")
    page.click("text=Who won?")
    expect(page.locator(".questions")).to_contain_text("how many benches?")
    assert_accessible(page)
    page.get_by_label("Bob", exact=True).fill("2")
    page.click("text=Settle it")
    expect(page.locator(".verdict")).to_have_text("Bob wins on points.")
    page.click(".why .lines li >> nth=0")
    expect(page.locator('.laid.lit[data-cell="1.1"]')).to_be_visible()
    assert_accessible(page)
    page.click("text=Save to the history")
    expect(page.locator(".flash")).to_contain_text("Saved")
    expect(page.locator(".strip.still .laid")).to_have_count(2)
    assert_accessible(page)
    page.click("text=Club")
    page.click("text=Cards you have described")
    expect(page.locator(".cards")).to_have_count(2)
    assert_accessible(page)


def test_everything_works_without_javascript(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club(java_script_enabled=False)
    page.click("text=Tenby")
    for name in ("Ann", "Bob"):
        page.fill("#new", name)
        page.click('button:text-is("Add")')
    page.click("text=Enter the scores")
    lay(page, "#new-street", "Left end terrace (sea)")
    condition(page, "Seagulls", "2", "Whole street")
    close(page)
    page.check('[name="streets/0/0/features/seagull"][value="3"]', force=True)
    page.click('button:text-is("Count")')
    total(page, "6")
    page.click("text=Next: Bob")
    lay(page, "#new-street", "Plain left end terrace")
    page.click("text=Who won?")
    expect(page.locator(".verdict")).to_have_text("Ann wins on points.")
    page.click("text=Save to the history")
    expect(page.locator(".flash")).to_contain_text("Saved")


def test_a_card_is_described_with_the_keyboard(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club()
    page.click("text=Tenby")
    seat_players(page, "Ann")
    page.click("text=Enter the scores")
    page.locator("#new-street").get_by_role("button", name="Mid pier").focus()
    page.keyboard.press("Enter")
    page.locator("#opened .tiles").get_by_role("button", name="Piers", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#opened [data-next] button").first).to_be_focused()  # on to the next question
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator('#opened button[aria-pressed=true]:text-is("2")')).to_be_focused()
    page.locator("#opened .ranges button").last.press("Enter")
    total(page, "2")


# A phone whose storage takes its time to open, as one that is busy or short of memory does.
SLOW_STORE = """
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (...names) {
  const request = open.apply(this, names);
  const late = (ready) => request.addEventListener("success", () => setTimeout(ready, 1000));
  Object.defineProperty(request, "onsuccess", { set: late });
  return request;
};
"""


def test_what_is_tapped_before_the_phones_storage_is_open_counts_and_stays_in_view(
    at_the_club: Callable[..., Page],
) -> None:
    page = at_the_club()
    page.add_init_script(SLOW_STORE)
    page.click("text=Tenby")
    seat_players(page, "Ann")
    page.click("text=Enter the scores")
    page.wait_for_selector("html.js")
    page.locator("#new-street").get_by_role("button", name="Mid pier").press("Enter")
    expect(page.locator("#opened .tiles").get_by_role("button", name="Piers", exact=True)).to_be_visible()
    expect(page.locator(".strip .laid")).to_have_count(1)


def test_a_full_box_is_a_list_to_choose_from_and_messages_lead_to_their_card(
    at_the_club: Callable[..., Page], db: Database, club: int
) -> None:
    cardboxes.take_in(db, club, GAME, boxed(*({**GULLS, "name": f"Gull house {number}"} for number in range(8))))
    page = at_the_club()
    page.click("text=Tenby")
    seat_players(page, "Ann")
    page.click("text=Enter the scores")
    page.wait_for_selector("html.js")
    page.select_option("#new-street select", label="Gull house 5")
    expect(page.locator(".strip .laid")).to_have_count(1)
    expect(page.locator(".laid .title")).to_have_text("Gull house 5")
    lay(page, "#next-0", "Mid terrace")
    expect(page.locator("#new-street select")).to_have_value("")
    tap(page, "#opened .tiles", "Different colours")
    tap(page, "#opened", "3")
    tap(page, "#opened .ranges", "Next to it")
    expect(page.locator(".problems")).to_contain_text("has a building of its own")
    close(page)
    page.click(".problems a")
    expect(page.locator("#opened")).to_contain_text("Different colours")
    tap(page, "#opened .marks", "Green")
    total(page, "0")
    assert_accessible(page)
