"""Photos on a phone, by touch: from the home page to the result in four taps, and the review of what was read."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Route, expect

from scorer import games
from scorer.games.tiny_towns.cards import FIRST_GAME
from tests.vision import tables as drawn
from tests.webapp.canned import PATIENT, Canned, plain
from tests.webapp.conftest import Device, assert_accessible, come_back, follow, hand_over, until
from tests.webapp.plays import draft, towns
from vision.reading import Board, Card, Look, Reading, Square
from vision.worker import Pool
from webapp.database import Database
from webapp.history import plays
from webapp.table import photos, tables

pytestmark = pytest.mark.either

TOWNS = ("cf.w ..c. t... ..o.", "cc.. f..w .y.. ..b.")
CARDS = ("granary", "well", "chapel", "tavern", "bakery", "factory")
# Ann: two Cottages fed by the Granary 6, Chapel 2, Tavern 2, ten empty squares. Bob: two fed Cottages 6, ten empty.
POINTS = {"Ann": "0", "Bob": "−4"}


@pytest.fixture(autouse=True)
def put_the_readers_away(app: Flask) -> Iterator[None]:
    yield
    if "photos" in app.extensions:
        app.extensions["photos"].close()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo of two towns and the six cards."""
    file = tmp_path_factory.mktemp("photos") / "table.jpg"
    file.write_bytes(drawn.photo(TOWNS, CARDS))
    return file


@pytest.fixture
def known(db: Database, club: int) -> None:
    """Ann and Bob have played here before, and Cid with them."""
    plays.save_all(db, club, [draft(towns({"Ann": 2, "Bob": 1, "Cid": 3}))])


class Finger:
    """Taps, and counts them."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps += 1


def photographed(page: Page, finger: Finger, table: Path) -> None:
    """Tap the first button of the home page, which opens the camera, and take the photo."""
    with page.expect_file_chooser() as camera:
        finger.tap(page.locator(".camera", has_text="Photograph a Tiny Towns table").first)
    camera.value.set_files(table)
    expect(page.locator("[data-board]")).to_have_count(2, timeout=120_000)
    page.wait_for_load_state()


def of_board(page: Page, number: int) -> Locator:
    return page.locator(".seen-board").nth(number)


@pytest.mark.usefixtures("known")
def test_a_table_is_photographed_and_scored_in_four_taps(
    at_the_club: Callable[..., Page], app: Flask, table: Path
) -> None:
    app.extensions["photos"] = Pool(limits=PATIENT)
    page, finger = at_the_club(), Finger()
    photographed(page, finger, table)
    finger.tap(page.locator("[data-give='+Ann']"))
    expect(page.locator("[data-give='0']")).to_contain_text("✓")
    finger.tap(page.locator("[data-give='+Bob']"))
    expect(page.locator(".so-far")).to_contain_text("Bob")
    expect(page.locator("[data-part=cards][data-follow]")).to_have_count(0, timeout=120_000)
    expect(page.locator(".so-far")).to_contain_text(f"Bob {POINTS['Bob']}")
    finger.tap(page.locator(".bar [data-go]"))
    page.wait_for_url("**/result")
    assert finger.taps == 4
    for name, points in POINTS.items():
        expect(page.locator(".podium li", has_text=name)).to_contain_text(points)


# -- the review, on a photo whose reading is made up ---


@pytest.fixture
def canned(app: Flask) -> Canned:
    readers = Canned()
    app.extensions["photos"] = readers
    return readers


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "table.jpg"
    file.write_bytes(plain(800, 600))
    return file


def reviewed(page: Page, small: Path) -> Page:
    """Two boards, Ann's and Bob's, to be looked over."""
    photographed(page, Finger(), small)
    page.locator("[data-give='+Ann']").tap()
    expect(page.locator("[data-give='0'] b")).to_be_visible()
    page.locator("[data-give='+Bob']").tap()
    expect(page.locator(".so-far")).to_contain_text("Bob")
    return page


def spot(page: Page, number: int, cell: str) -> Locator:
    return of_board(page, number).locator(f"[data-cell={cell}]")


@pytest.mark.usefixtures("known", "canned")
def test_a_square_is_changed_by_two_taps_and_back_by_one(at_the_club: Callable[..., Page], small: Path) -> None:
    page = reviewed(at_the_club(), small)
    # A Cottage fed by the Farm is worth 3, 14 squares are empty.
    expect(page.locator(".so-far")).to_contain_text("Ann −11")
    expect(page.locator(".spot.doubtful")).to_have_count(2)
    spot(page, 0, "B1").tap()
    choices = page.locator("[data-choosing] [data-value]")
    expect(choices.first).to_contain_text("Farm is right")
    expect(choices.nth(1)).to_contain_text("Chapel")
    expect(choices.nth(2)).to_contain_text("Tavern")
    choices.nth(1).tap()
    expect(page.locator(".so-far")).to_contain_text(
        "Ann −14"
    )  # nobody feeds the Cottage, nor does the Chapel see any fed
    expect(of_board(page, 0).locator(".doubtful")).to_have_count(0)
    page.locator("[data-choosing]:visible, .standing-bar").locator("[data-undo]:visible").first.tap()
    expect(page.locator(".so-far")).to_contain_text("Ann −11")
    expect(of_board(page, 0).locator(".doubtful")).to_have_count(1)
    come_back(page)
    expect(page.locator(".so-far")).to_contain_text("Ann −11")


@pytest.mark.usefixtures("known", "canned")
def test_one_button_leads_through_all_doubts_of_all_boards(at_the_club: Callable[..., Page], small: Path) -> None:
    page = reviewed(at_the_club(viewport={"width": 320, "height": 568}), small)
    page.get_by_role("button", name="Check 2 squares").tap()
    panel = page.locator("[data-choosing]")
    expect(panel.locator("p")).to_have_text("Ann’s board, B1")
    assert_accessible(page)
    panel.locator("[data-now] button").tap()
    expect(panel.locator("p")).to_have_text("Bob’s board, B1")
    panel.locator("[data-now] button").tap()
    expect(panel).to_be_hidden()
    expect(page.locator(".spot.doubtful")).to_have_count(0)
    with page.expect_navigation(url="**/result"):
        page.get_by_role("button", name="Show result").tap()


def test_a_monument_names_its_card_on_its_square_and_then_all_looks_right(
    at_the_club: Callable[..., Page], db: Database, club: int
) -> None:
    """All six cards in play were read; which monument stands on B1 is the only thing that is still to be said."""
    game = games.find("tiny_towns")
    assert game is not None
    cards = [Card(card, card, 0.9, ()) for card in (*FIRST_GAME.values(), "mandras_palace")]
    sure, monument = Square("empty", 0.999), Square("monument", 0.999)
    board = Board(((0, 0), (9, 0), (9, 9), (0, 9)), 0.9, ((sure, monument, sure, sure), *((sure,) * 4,) * 3))
    table = tables.find(db, tables.add(db, club, game, {"cards": FIRST_GAME}, ["Ann", "Bob"]))
    assert table is not None
    look = Look(Reading("", (9, 9), [board], cards), plain(9, 9), (plain(200, 200),))
    photos.store(db, table, look, seat=0)
    page = at_the_club(f"/tables/{table.key}/photos")
    page.get_by_role("button", name="Check 1 square").tap()
    panel = page.locator("[data-choosing]")
    expect(panel.locator("p")).to_have_text("Ann’s board, B1")
    panel.get_by_role("button", name="Mandras Palace").tap()
    expect(panel).to_be_hidden()
    expect(page.get_by_role("button", name="Use these boards")).to_be_visible()
    expect(page.locator(".looked-at .still .square")).to_have_count(16)
    follow(page, "text=Use these boards")
    table = tables.find(db, table.key)
    assert table is not None and table.seats[0].state is not None
    assert table.seats[0].state["monument"] == "mandras_palace"


@pytest.mark.usefixtures("known", "canned")
def test_squares_are_looked_over_by_keyboard(at_the_club: Callable[..., Page], small: Path) -> None:
    page = reviewed(at_the_club(), small)
    spot(page, 0, "A1").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-now] button")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".so-far")).to_contain_text("Ann −14")
    page.keyboard.press("Escape")


@pytest.mark.usefixtures("known", "canned")
def test_a_name_is_dragged_onto_its_board_by_a_finger(at_the_club: Callable[..., Page], small: Path) -> None:
    page = at_the_club()
    photographed(page, Finger(), small)
    start = until(page.locator("[data-give='+Cid']").bounding_box)
    end = until(page.locator("[data-board]").nth(1).bounding_box)
    hand = page.context.new_cdp_session(page)
    places = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (start, end)]
    (x, y), (to_x, to_y) = places
    path = [(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8) for step in range(9)]
    for number, (at_x, at_y) in enumerate(path):
        kind = "touchMove" if number else "touchStart"
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at_x, "y": at_y}]})
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("[data-board]").nth(1)).to_contain_text("Cid")
    expect(page.locator("[data-board]").nth(0)).to_contain_text("Board 1")
    assert page.evaluate("scrollY") == 0, "the page stays where it is"


@pytest.mark.usefixtures("canned")
def test_somebody_new_is_named_and_one_board_is_nobodys(
    at_the_club: Callable[..., Page], db: Database, small: Path
) -> None:
    page = at_the_club()
    photographed(page, Finger(), small)
    page.fill("#new", "Dora")
    page.press("#new", "Enter")
    expect(page.locator("[data-board]").nth(0)).to_contain_text("Dora")
    expect(page.locator("#new")).to_have_value("")
    page.get_by_role("button", name="Show result").tap()
    expect(page.locator(".names [role=alert]")).to_contain_text("for each board")
    page.get_by_label("Keep the photo with the game").check()
    page.locator("[data-give=nobody]").tap()
    expect(of_board(page, 1).locator("h2")).to_have_text("Board 2: nobody")
    with page.expect_navigation(url="**/result"):
        page.get_by_role("button", name="Show result").tap()
    assert db.row("SELECT count(*) AS n FROM photos") == {"n": 1}  # kept, whatever else was tapped


# -- taking and sending ---


def test_a_photo_is_shown_at_once_and_sent_once(at_the_club: Callable[..., Page], canned: Canned, small: Path) -> None:
    page = at_the_club()
    held: list[Route] = []
    page.route("**/photo/tiny_towns", lambda route: held.append(route))
    page.locator(".camera input").first.set_input_files(small)
    expect(page.locator(".sending img")).to_be_visible()
    expect(page.locator(".sending progress")).to_be_visible()
    expect(page.locator(".sending [role=status]")).not_to_be_empty()
    page.locator(".camera input").first.set_input_files(small)
    page.wait_for_timeout(300)
    assert len(held) == 1
    held[0].continue_()
    page.wait_for_url("**/photos")
    assert len(canned.photos) == 1


def test_a_photo_that_does_not_arrive_can_be_sent_again(
    browser: Browser, member: Device, site: str, canned: Canned, small: Path
) -> None:
    context = browser.new_context(service_workers="block")  # of no `phone`, which may log no error
    hand_over(member, context, site)
    page = context.new_page()
    page.goto(site)
    page.route("**/photo/tiny_towns", lambda route: route.abort())
    page.locator(".camera input").first.set_input_files(small)
    expect(page.locator(".shoot .errors")).to_contain_text("No connection")
    page.unroute("**/photo/tiny_towns")
    page.locator(".camera input").first.set_input_files(small)
    page.wait_for_url("**/photos")
    assert len(canned.photos) == 1
    context.close()


def test_a_photo_is_made_small_and_upright(at_the_club: Callable[..., Page], canned: Canned, tmp_path: Path) -> None:
    lying = Image.new("RGB", (4000, 3000), (90, 120, 60))
    exif = lying.getexif()
    exif[0x0112] = 6  # held upright
    file = tmp_path / "upright.jpg"
    lying.save(file, exif=exif)
    page = at_the_club()
    page.locator(".camera input").first.set_input_files(file)
    page.wait_for_url("**/photos")
    with Image.open(io.BytesIO(canned.photos[0])) as sent:
        assert sent.size == (1950, 2600) and 0x0112 not in sent.getexif()


def test_what_the_browser_cannot_decode_goes_as_it_is(
    at_the_club: Callable[..., Page], canned: Canned, tmp_path: Path
) -> None:
    file = tmp_path / "photo.heic"
    file.write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 200)
    page = at_the_club()
    page.locator(".camera input").first.set_input_files(file)
    expect(page.locator(".shoot .errors")).to_have_text("This is not a photo.")
    expect(page.locator(".sending")).to_have_count(0)
    expect(page.locator(".camera input").first).to_have_value("")


def test_several_photos_are_sent_one_after_the_other(
    at_the_club: Callable[..., Page], canned: Canned, tmp_path: Path
) -> None:
    files = []
    for number in range(2):
        files.append(tmp_path / f"{number}.jpg")
        files[-1].write_bytes(plain(800 + 40 * number, 600))
    page = at_the_club()
    page.locator(".camera input[multiple]").first.set_input_files(files)
    page.wait_for_url("**/photos")
    expect(page.locator("[data-board]")).to_have_count(4)
    assert len(canned.photos) == 2


def test_a_corner_may_lie_outside_the_picture(at_the_club: Callable[..., Page], canned: Canned, small: Path) -> None:
    page = at_the_club()
    photographed(page, Finger(), small)
    page.locator(".corners summary").tap()
    page.select_option(".corners select", label="A board we didn’t find")
    page.locator(".corners svg").scroll_into_view_if_needed()
    picture = until(page.locator(".corners image").bounding_box)
    mark = until(page.locator(".corners [role=slider]").first.bounding_box)
    assert mark["width"] >= 24
    page.mouse.move(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    page.mouse.down()
    page.mouse.move(picture["x"] - 20, picture["y"] - 15, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Read photo again").tap()
    expect(page.locator("[data-board]")).to_have_count(3)
    [corners] = canned.asked_corners
    assert corners[0][0] < 0 and corners[0][1] < 0


@pytest.mark.usefixtures("known", "canned")
def test_cards_and_board_are_photographed_from_their_pages(at_the_club: Callable[..., Page], small: Path) -> None:
    page = at_the_club()
    with page.expect_navigation(url="**/setup"):
        page.locator("button.game", has_text="Tiny Towns").tap()
    with page.expect_file_chooser() as camera:
        page.locator("label.camera", has_text="Photograph the boards").tap()
    camera.value.set_files(small)
    page.wait_for_url("**/photos")
    page.goto(page.url.replace("/photos", "/seats/0"))
    with page.expect_file_chooser() as camera:
        page.locator("label.camera", has_text="Photograph my board").tap()
    camera.value.set_files(small)
    page.wait_for_url("**/photos")


@pytest.mark.usefixtures("known", "canned")
def test_a_table_is_photographed_without_script(at_the_club: Callable[..., Page], small: Path) -> None:
    page = at_the_club(java_script_enabled=False)
    page.locator(".shoot input[type=file]").first.set_input_files(small)
    follow(page, ".shoot button")
    page.select_option("[name^=whose] >> nth=0", label="Ann")
    page.select_option("[name^=whose] >> nth=1", label="Bob")
    page.select_option(".seen-board >> nth=0 >> [data-cell=B1] select", label="Chapel")
    follow(page, ".acts noscript button")
    expect(page.locator(".so-far")).to_contain_text("Ann −14")
    follow(page, "text=Show result")
    expect(page).to_have_url(re.compile("/result$"))
