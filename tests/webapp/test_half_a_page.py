"""A slow network brings a page in two halves, and somebody taps on the first."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorer import games
from scorer.contract import Game
from tests.webapp import slow
from tests.webapp.conftest import Device, follow, seat_players

pytestmark = pytest.mark.either


def test_a_tab_tapped_on_half_a_page_leaves_what_was_entered_below(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club()
    follow(page, "text=Pier 18")
    seat_players(page, "Ann", "Bob")
    follow(page, "text=Enter the scores")
    page.fill('[name="patrons"]', "2")
    page.get_by_label("The plan’s goal is achieved").check()
    follow(page, "text=Next: Bob")
    with slow.rest_held_back(before='name="plan/achieved"'):
        page.click(".tabs >> text=Ann", no_wait_after=True)
        page.wait_for_url("**/seats/0", wait_until="commit")
        expect(page.locator('[name="patrons"]')).to_have_value("2")
        assert page.locator('[name="plan/achieved"]').count() == 0
        page.click(".tabs >> text=Bob", no_wait_after=True)
    page.wait_for_url("**/seats/1")
    follow(page, ".tabs >> text=Ann")
    expect(page.get_by_label("The plan’s goal is achieved")).to_be_checked()
    expect(page.locator('[name="patrons"]')).to_have_value("2")


@pytest.mark.parametrize("game", games.all_games(), ids=lambda game: str(game.id))
def test_each_form_says_how_much_of_it_has_come(member: Device, game: Game) -> None:
    member.get("/")
    path = str(member.post("/tables", {"game": game.id}).location).removesuffix("/setup")
    member.post(f"{path}/setup", {"add": "Ann"})
    member.post(f"{path}/setup", {"add": "Bob", "expansions": ["fortune", "villagers"], "mode": "town_hall"})
    for place in ("setup", "seats/0", "facts", "companion"):
        answer = member.client.get(f"{path}/{place}")
        if answer.status_code != 200:
            continue  # this game has no help while it is played
        form = answer.get_data(as_text=True).partition("data-live")[2].partition("</form>")[0]
        fields = [dict(re.findall(r'(\w+)="([^"]*)"', tag)) for tag in re.findall(r"<input[^>]*>", form)]
        come = [field["value"] for field in fields if field.get("name") == "come"]
        assert (come[0], come[-1]) == ("begins", "ends") and form.rstrip().endswith('value="ends">')
        hidden = {field["name"] for field in fields if field.get("type") == "hidden"}
        for box in (field for field in fields if field.get("type") == "checkbox" and field["name"] not in hidden):
            assert f"{box['name']} {box['value']}" in come, f"{place}: {box['name']}"
