"""News that load a page anew, while what somebody has tapped there is on its way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, Route, expect

from tests.webapp.conftest import Laid, follow

pytestmark = pytest.mark.either

TELL = "document.addEventListener('news', () => console.log('told'))"


@dataclass
class Tapped:
    """A phone at the result of a table, where what leads home has been tapped: nobody has answered yet."""

    page: Page
    home: Route
    said: list[str]

    def hear(self) -> None:
        """Until news have come to the page, which is not asked anything while it leads elsewhere."""
        while not self.said:
            self.page.wait_for_timeout(50)


@pytest.fixture
def tap(laid: Laid, at_the_club: Callable[..., Page], site: str) -> Callable[[], Tapped]:
    page = at_the_club()
    page.clock.install()

    def tapped() -> Tapped:
        laid.enter_all()
        laid.member.post(f"{laid.path}/reveal")
        page.goto(f"{site}{laid.path}/result")
        page.wait_for_selector("body[data-heard]", state="attached")
        page.evaluate(TELL)
        said: list[str] = []
        asked: list[Route] = []
        page.on("console", lambda line: said.append(line.text))
        page.route(f"{site}/", lambda route: asked.append(route))
        page.click("a.brand", no_wait_after=True)
        while not asked:
            page.wait_for_timeout(50)
        laid.tap(laid.member, 0, **{f"grid/0/{column}": "cottage" for column in range(4)})
        return Tapped(page, asked[0], said)

    return tapped


def test_news_do_not_take_the_place_of_what_was_tapped(tap: Callable[[], Tapped], site: str) -> None:
    tapped = tap()
    tapped.hear()
    tapped.home.continue_()
    tapped.page.wait_for_url(f"{site}/")


def test_a_tap_that_leads_nowhere_holds_news_up_for_a_while_only(tap: Callable[[], Tapped]) -> None:
    tapped = tap()
    tapped.hear()
    tapped.home.abort("aborted")
    assert "−12" not in tapped.page.content()
    tapped.page.clock.fast_forward(30_000)
    expect(tapped.page.locator("body")).to_contain_text("−12")  # four squares less without a building
    tapped.page.unroute_all()
    follow(tapped.page, "a.brand")
