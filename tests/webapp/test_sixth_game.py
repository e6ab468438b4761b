"""A sixth game is one folder: in a copy of everything it is scored, entered, saved and counted like the others."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.conftest import ROOT
from tests.webapp.conftest import (
    PATIENCE,
    SMALL_PHONE,
    assert_accessible,
    come_in,
    follow,
    paint,
    seat_players,
    total,
    until,
)
from tests.webapp.test_server import free_port, wait_for

pytestmark = pytest.mark.either

LAGOON = Path(__file__).parent / "sixth_game" / "lagoon"
ROWS, COLUMNS = 3, 7
FINGERTIP = 24  # px that a target must have at least, WCAG 2.2
READABLE, SEEN = 4.5, 3.0  # contrasts that text and shapes must have at least

# The squares of every row of a board, as boxes on the screen.
LAID_OUT = """board => [...board.children].map(row => [...row.children].map(square => {
    const box = square.getBoundingClientRect();
    return [box.left, box.top, box.right, box.bottom];
}))"""

WIDENED = """rows => rows.forEach(row => {
    while (row.children.length < 20) row.append(row.lastElementChild.cloneNode(true));
})"""

# The contrast of a mark with what lies behind it, and of its piece with the square.
CONTRASTS = """face => {
    const channel = part => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    const light = colour => {
        const [red, green, blue] = colour.match(/[0-9.]+/g).map(Number).map(channel);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = element => {
        const colour = getComputedStyle(element).backgroundColor;
        return colour === "rgba(0, 0, 0, 0)" ? behind(element.parentElement) : colour;
    };
    const contrast = (one, other) => {
        const [dark, bright] = [light(one), light(other)].sort((less, more) => less - more);
        return (bright + 0.05) / (dark + 0.05);
    };
    const mark = face.querySelector("b");
    return {
        shown: mark.checkVisibility() ? mark.textContent : "",
        mark: contrast(getComputedStyle(mark).color, behind(mark)),
        piece: contrast(behind(face), behind(face.parentElement)),
    };
}"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with the folder of one more game in it, and nothing else changed."""
    copy = tmp_path_factory.mktemp("house")
    rubbish = shutil.ignore_patterns("__pycache__", "training", "photos")
    for package in ("scorer", "webapp", "vision", "templates"):
        shutil.copytree(ROOT / package, copy / package, ignore=rubbish)
    shutil.copytree(LAGOON, copy / "scorer" / "games" / LAGOON.name, ignore=rubbish)
    return copy


def at_home(house: Path) -> dict[str, Any]:
    """Return where a program runs that is to see only the copy."""
    return {"cwd": house, "env": {**os.environ, "PYTHONPATH": str(house), "TIDEMARK_TRUSTED_HOSTS": ""}}


def test_it_keeps_what_every_game_promises(house: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "webapp.cli", "check-game", LAGOON.name],
        capture_output=True,
        text=True,
        check=False,
        **at_home(house),
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


@dataclass
class Evening:
    """A club at whose server the sixth game is played."""

    site: str
    invitation: str


@pytest.fixture(scope="module")
def evening(house: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    folder = tmp_path_factory.mktemp("evening")
    printed = folder / "printed"
    address = ["--host", "127.0.0.1", "--port", str(free_port())]
    with printed.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "webapp.cli", "serve", *address, "--db", str(folder / "served.db")],
            stdout=out,
            stderr=subprocess.STDOUT,
            **at_home(house),
        )
    try:
        site = wait_for(f"http://127.0.0.1:{address[-1]}", process)
        invitation = re.search(r"http://\S+/join/\S+", printed.read_text())
        assert invitation
        yield Evening(site, invitation[0])
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(15)


@pytest.fixture
def visitor(browser: Browser, evening: Evening) -> Iterator[Callable[..., Page]]:
    """A phone that has just opened the invitation; what goes wrong on it fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def enter(**options: Any) -> Page:
        context = browser.new_context(
            **{"has_touch": True, "reduced_motion": "reduce", "service_workers": "block", **options}
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        come_in(page, evening.invitation)
        return page

    yield enter
    for context in contexts:
        context.close()
    assert not faults, faults


def lay_table(page: Page) -> None:
    """Ann and Bob at a new table, unless they sit there already because they played last time."""
    follow(page, "text=Lagoon")
    if page.locator(".seats .name").count() == 0:
        seat_players(page, "Ann", "Bob")
    expect(page.locator(".seats .name")).to_have_text(["Ann", "Bob"])


def begin(page: Page) -> None:
    lay_table(page)
    follow(page, "text=Enter the scores")


def assert_laid_out(page: Page, board: str, rows: int = ROWS, columns: int = COLUMNS) -> None:
    """The board has its rows and columns, within itself and within the screen."""
    within = until(page.locator(board).bounding_box)
    squares = page.eval_on_selector(board, LAID_OUT)
    assert [len(row) for row in squares] == [columns] * rows
    for row in squares:
        assert len({round(top) for _, top, _, _ in row}) == 1, "a row is one row"
        assert all(left[2] <= right[0] for left, right in pairwise(row)), "none lies on another"
        assert row[0][0] >= within["x"]
        assert row[-1][2] <= within["x"] + within["width"] + 0.5
    assert all(above[0][3] <= below[0][1] for above, below in pairwise(squares))
    assert len({round(right - left) for row in squares for left, _, right, _ in row}) <= 2, "all are equally wide"


def assert_told_apart(page: Page, *marks: str) -> None:
    """Each of these pieces stands on a square and is readable, by day and by night."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        faces = page.locator(".board .face:visible")
        found = {face["shown"]: face for face in (one.evaluate(CONTRASTS) for one in faces.all())}
        assert found.keys() == set(marks)
        for mark, face in found.items():
            assert face["mark"] >= READABLE, (scheme, mark, face)
            assert face["piece"] >= SEEN, (scheme, mark, face)
    page.emulate_media(color_scheme="light")


def test_it_is_played_from_the_home_page_to_the_statistics(visitor: Callable[..., Page], evening: Evening) -> None:
    page = visitor(viewport=SMALL_PHONE)
    lay_table(page)
    page.get_by_label("High tide").check()
    assert_accessible(page)

    follow(page, "text=Still playing? Breath")
    page.wait_for_selector(".stepper button")  # the script has begun
    page.get_by_label("How deep in metres?", exact=True).fill("12")
    answer = page.locator("[data-part=answer]")
    expect(answer).to_contain_text("Is safe")
    expect(answer.locator("dd").first).to_have_text("yes")
    expect(answer.locator("li").nth(1)).to_contain_text("Bob")
    expect(answer.locator("li").nth(1)).to_contain_text("28")
    assert_accessible(page)
    follow(page, "text=Enter the scores")

    paint(page, "Coral", "A1", "G3")
    paint(page, "Fish", "G1", "D2")
    paint(page, "Urchin", "A2")
    paint(page, "Fish", "D2")  # a second tap takes it away
    expect(page.locator("[data-cell=D2]")).to_have_attribute("aria-label", "D2: Sand")
    page.get_by_label("Pearls in the basket", exact=True).fill("1")
    total(page, "8 to 10")  # coral 4, fish 2, urchin -1, pearl 3, and 2 if she dived first
    assert_laid_out(page, "[data-board]")
    assert all(
        right - left >= FINGERTIP
        for row in page.eval_on_selector("[data-board]", LAID_OUT)
        for left, _, right, _ in row
    )
    assert_told_apart(page, "C", "F", "U")
    page.locator("[data-cell=A1]").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "Delete"):
        page.keyboard.press(key)
    expect(page.locator("[data-cell=A2]")).to_have_attribute("aria-label", "A2: Sand")
    total(page, "9 to 11")
    page.keyboard.press("Enter")  # the piece taken last
    expect(page.locator("[data-cell=A2]")).to_have_attribute("aria-label", "A2: Fish")
    total(page, "11 to 13")

    follow(page, "text=Next: Bob")
    paint(page, "Coral", "B2")
    page.get_by_label("Pearls in the basket", exact=True).fill("0")
    total(page, "2 to 4")
    follow(page, "text=Next: all players")
    page.click('fieldset.order button:has-text("Bob")')
    expect(page.locator("fieldset.order button").first).to_have_text("2nd Ann")
    assert_accessible(page)
    follow(page, "text=Show result")
    expect(page.locator(".verdict")).to_contain_text("Ann wins on points")
    expect(page.locator(".pad tfoot")).to_contain_text("11")
    assert_laid_out(page, ".why .board.still >> nth=0")
    assert_told_apart(page, "C", "F")
    page.locator('a:has-text("Open saved game"), button:has-text("Save as another game")').first.click()
    page.wait_for_load_state()

    page.goto(f"{evening.site}/stats/games/lagoon")
    page.click("text=Show boards")
    expect(page.locator(".heat .square")).to_have_count(ROWS * COLUMNS)
    expect(page.locator("main")).to_contain_text("High tide")
    assert_accessible(page)
    page.click("#boards .chip:has-text('Coral')")
    expect(page.locator("#boards h3")).to_contain_text("Coral")
    boxes = page.eval_on_selector_all(".heat .square", "all => all.map(one => one.getBoundingClientRect().right)")
    assert len({round(right) for right in boxes}) == COLUMNS
    assert max(boxes) <= SMALL_PHONE["width"]
    expect(page.locator(".heat [data-cell=B2] .number")).to_have_text("50")
    assert_accessible(page)


def test_its_board_keeps_its_rows_without_javascript(visitor: Callable[..., Page]) -> None:
    page = visitor(viewport=SMALL_PHONE, java_script_enabled=False)
    begin(page)
    page.select_option('[name="reef/1/2"]', "urchin")
    page.fill('[name="pearls"]', "2")
    follow(page, 'button:text-is("Show points")')
    total(page, "5 to 7")  # pearls 6, urchin -1, and 2 for the first dive
    assert_laid_out(page, "[data-board]")
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= shown


def test_a_wider_board_moves_within_itself(visitor: Callable[..., Page]) -> None:
    """Twenty columns have no room on a small phone at the size of a fingertip."""
    page = visitor(viewport=SMALL_PHONE)
    begin(page)
    page.wait_for_selector("[data-cell=A1][tabindex]")
    page.eval_on_selector_all("[data-board] > div", WIDENED)
    squares = page.eval_on_selector("[data-board]", LAID_OUT)
    assert [len({round(top) for _, top, _, _ in row}) for row in squares] == [1] * ROWS
    assert min(right - left for row in squares for left, _, right, _ in row) >= FINGERTIP
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= shown
