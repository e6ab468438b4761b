"""Tenby on a phone, from its board to its result: streets by edges, conditions first, cards from the box."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from scorer.games.tenby import GAME
from tests.webapp.conftest import (
    SMALL_PHONE,
    assert_accessible,
    come_back,
    follow,
    seat_players,
    total,
)
from tests.webapp.test_cardboxes import GULLS, boxed
from webapp.database import Database
from webapp.table import cardboxes

pytestmark = pytest.mark.either


def tap(page: Page, inside: str, words: str) -> None:
    page.wait_for_load_state()  # of a page without script, which was only just come to: half of it would be posted
    page.locator(inside).get_by_role("button", name=words, exact=True).first.click()


def lay(page: Page, place: str, kind: str) -> None:
    """One tap: the card fits, so it lies there, and its panel opens."""
    cards = page.locator(".strip .laid")
    before = cards.count()
    tap(page, place, kind)
    expect(cards).to_have_count(before + 1)
    page.wait_for_load_state()


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
    group.locator(".chip", has_text="None" if number == "0" else number).click()
    expect(group).not_to_have_class("unknown")


def close(page: Page) -> None:
    tap(page, "#opened", "Done")
    expect(page.locator("#opened")).to_have_count(0)


def test_a_game_is_built_settled_and_saved(at_table: Callable[..., Page]) -> None:
    page = at_table("tenby", "Ann", "Bob", page="setup", viewport=SMALL_PHONE)
    page.locator("label", has_text="The Open Sea").click()
    tap(page, "#new-accolade", "Benches")
    expect(page.locator(".goal")).to_have_count(1)
    tap(page, ".goal", "Save in card box")
    expect(page.locator(".goal")).to_contain_text("in the card box")
    page.click("#house-rules summary")
    follow(page, "text=Enter the scores")

    # Ann: a completed street of two cards that look at each other, and a resident.
    lay(page, "#new-street", "Left end terrace (sea)")
    condition(page, "Seagulls", "2", "Whole street")
    assert_accessible(page)
    page.fill('[name="streets/0/0/name"]', "Gull house")
    tap(page, "#opened", "Save in card box")
    expect(page.locator("#opened")).to_contain_text("in the card box")
    lay(page, "#next-0", "Right end terrace (sea)")
    expect(page.locator(".street h2")).to_contain_text("Completed")
    expect(page.locator("#next-0")).to_have_count(0)  # nothing follows the sea
    tap(page, "#opened .tiles", "Printed number")
    tap(page, "#opened .chips", "4")
    total(page, "4 to 26")  # two cards with up to 3 seagulls at 2 each, and the accolade's 10
    close(page)
    count(page, "1.1", "Seagulls", "1")
    count(page, "1.2", "Seagulls", "2")
    total(page, "10 to 20")
    count(page, "1.1", "Benches", "1")
    count(page, "1.2", "Benches", "0")
    expect(page.locator(".strip .wants")).to_have_count(0)
    page.click("text=Add resident (every street)")
    tap(page, "#opened .tiles", "Seagulls")
    for field, points in (("at_least", "3"), ("incomplete", "2"), ("complete", "5")):
        page.fill(f'[name="residents/0/{field}"]', points)
    total(page, "15 to 25")
    come_back(page)  # a draft survives
    total(page, "15 to 25")

    # Bob: the same card out of the box, beside a plain end, and then his line totals instead.
    follow(page, "text=Next: Bob")
    tap(page, "#new-street", "Gull house, from the card box")
    expect(page.locator(".strip .laid")).to_have_count(1)
    lay(page, "#next-0", "Right end terrace")
    lay(page, "#next-0", "Plain left end terrace")
    total(page, "2 to 30")
    close(page)
    count(page, "1.3", "Seagulls", "3")
    total(page, "8 to 30")
    page.click("text=Enter points instead")
    page.fill('[name="typed/card"]', "9")
    total(page, "9 to 19")
    follow(page, "text=Show result")
    expect(page.locator(".questions")).to_contain_text("Most benches: how many?")
    page.get_by_label("Bob", exact=True).fill("2")
    follow(page, "text=Save answers")
    expect(page.locator(".verdict")).to_have_text("Bob wins on points.")
    page.click(".why .lines li >> nth=0")
    expect(page.locator('.laid.lit[data-cell="1.1"]')).to_be_visible()
    follow(page, "text=Open saved game")
    expect(page.locator(".strip.still .laid")).to_have_count(2)
    follow(page, "text=Club")
    page.click('a:has-text("Tenby")')
    expect(page.locator(".cards")).to_have_count(2)


def test_everything_works_without_javascript(at_table: Callable[..., Page]) -> None:
    page = at_table("tenby", "Ann", "Bob", java_script_enabled=False)
    lay(page, "#new-street", "Left end terrace (sea)")
    condition(page, "Seagulls", "2", "Whole street")
    close(page)
    page.check('[name="streets/0/0/features/seagull"][value="3"]', force=True)
    follow(page, 'button:text-is("Show points")')
    total(page, "6")
    follow(page, "text=Next: Bob")
    tapped = Taps(page)
    tapped("[data-part=town]", "Enter only what each card scores")
    quick_cards(page, tapped, EIGHT[1:2] + EIGHT[-1:])
    total(page, "13")
    assert tapped.count <= 6
    follow(page, "text=Show result")
    expect(page.locator(".verdict")).to_have_text("Bob wins on points.")


def test_a_card_is_described_with_the_keyboard(at_table: Callable[..., Page]) -> None:
    page = at_table("tenby", "Ann")
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
    follow(page, "text=Tenby")
    seat_players(page, "Ann")
    follow(page, "text=Enter the scores")
    page.wait_for_selector("html.js")
    page.locator("#new-street").get_by_role("button", name="Mid pier").press("Enter")
    expect(page.locator("#opened .tiles").get_by_role("button", name="Piers", exact=True)).to_be_visible()
    expect(page.locator(".strip .laid")).to_have_count(1)


def test_a_full_box_is_a_list_to_choose_from(at_table: Callable[..., Page], db: Database, club: int) -> None:
    cardboxes.take_in(db, club, GAME, boxed(*({**GULLS, "name": f"Gull house {number}"} for number in range(8))))
    page = at_table("tenby", "Ann")
    page.select_option("#new-street select", label="Gull house 5")
    expect(page.locator(".strip .laid")).to_have_count(1)
    expect(page.locator(".laid .title")).to_have_text("Gull house 5")
    lay(page, "#next-0", "Mid terrace")
    expect(page.locator("#new-street select")).to_have_value("")
    condition(page, "Different colours", "3", "Next to it")
    tap(page, "#opened .marks", "Green")
    total(page, "0 to 27")  # up to 6 seagulls at 2, and up to 5 colours at 3


EIGHT = [(2, 3), (1, 7), (3, 0), (2, 12), (4, 1), (1, 4), (None, 2), (None, 6)]  # points each and seen, or printed


class Taps:
    """Counts what a finger does."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, inside: str, words: str) -> None:
        self.count += 1
        tap(self.page, inside, words)


def quick_cards(page: Page, tapped: Taps, cards_seen: Sequence[tuple[int | None, int]]) -> None:
    """Scoring cards, each with what it pays and how many it sees."""
    cards = page.locator("[aria-labelledby=quick-cards] button")
    for number, (points, seen) in enumerate(cards_seen, start=1):
        if points is None:
            tapped("#next-printed", str(seen))
            expect(cards).to_have_count(number)
            continue
        tapped("#next-each", str(points))
        expect(cards).to_have_count(number)
        expect(page.locator("#opened")).to_contain_text(f"Card {number}: {points} for each")
        tapped("#opened [data-next]", str(seen))
        expect(cards.last).to_contain_text(f"{points} × {seen} = {points * seen}")


def test_eight_scoring_cards_take_three_taps_each_at_most(at_table: Callable[..., Page]) -> None:
    page = at_table("tenby", "Ann", viewport=SMALL_PHONE)
    tapped = Taps(page)
    tapped("[data-part=town]", "Enter only what each card scores")
    expect(page.locator("#next-card")).to_be_visible()
    quick_cards(page, tapped, EIGHT)
    total(page, "53")
    assert tapped.count <= 24
    expect(page.locator(".sheet .lines")).to_contain_text("12 seen, 2 each")
    # What is tapped stays within reach: the last card's question and the next card are on one screen.
    assert page.evaluate("document.getElementById('next-card').getBoundingClientRect().top < innerHeight")
    assert_accessible(page)
    tap(page, ".residents", "Add resident")
    expect(page.locator("#opened")).to_contain_text("How many points does it score?")
    tap(page, "#opened [data-next]", "5")
    total(page, "58")
    page.locator("[aria-labelledby=quick-cards] button").first.click()
    expect(page.locator("#opened")).to_contain_text("How many does the card see?")
    tap(page, "#opened [data-next]", "4")  # counted wrongly
    total(page, "60")
    page.click("#opened summary")
    come_back(page)
    total(page, "60")


def test_what_is_rare_on_a_card_is_tapped_too(at_table: Callable[..., Page]) -> None:
    page = at_table("tenby", "Ann", "Bob", page="setup", viewport=SMALL_PHONE)
    page.locator("label", has_text="Ebb & Flow").click()
    tap(page, "#new-accolade", "Benches")
    expect(page.locator(".goal")).to_have_count(1)
    page.click("#other-ways summary")
    tap(page, "#other-ways", "A card from The Open Sea")
    expect(page.locator(".goal")).to_have_count(2)
    page.locator(".goal").first.locator("label", has_text="Kept secret").click()
    page.locator(".chips").first.locator("label", has_text="None").click()  # back to a table without accolades
    expect(page.locator(".goal")).to_have_count(0)
    follow(page, "text=Enter the scores")
    lay(page, "#new-street", "Mid terrace")
    condition(page, "Businesses", "2", "Whole street")
    page.click("#opened summary:text-is('Several things counted together')")
    tap(page, "#opened [id^=also]", "Landmarks")
    expect(page.locator("#opened .sentence")).to_contain_text("Businesses and landmarks")
    page.click("#opened >> text=Kind, edges and other details")
    page.click("#opened summary:text-is('Icons: none, one or several')")
    page.get_by_role("group", name="Icons: Businesses").get_by_role("button", name="2").click()
    total(page, "4 to 6")
    page.get_by_role("group", name="Icons: Landmarks").get_by_role("button", name="1").click()
    total(page, "6")
    tap(page, "#opened [aria-label=Building]", "Red")
    page.click("#opened summary:text-is('The card shows a second building')")
    tap(page, "[aria-label='Second building']", "Add: Blue")
    expect(page.locator("#opened [aria-label=Buildings]")).to_contain_text("×")
    assert_accessible(page)
    close(page)
    page.click("text=Add resident (enter points)")
    page.fill('[name="residents/0/points"]', "3")
    total(page, "9")
