"""The viewfinder: what a quick look says, who may have one and how many, and a phone whose camera plays a film."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from tests.vision import tables as drawn
from tests.vision.conftest import file_of
from tests.webapp.canned import PATIENT, Canned
from tests.webapp.conftest import PATIENCE, PHONE, Device, Laid, hand_over, until
from vision import quick
from vision.games.tiny_towns import READER
from vision.problems import problem
from vision.reading import Board, Reading
from vision.worker import Pool
from webapp import viewfinder
from webapp.database import Database
from webapp.viewfinder import Viewfinder

pytestmark = pytest.mark.either

TOWNS = ("cf.w ..c. t... ..o.", "cc.. f..w .y.. ..b.")
SIDE = 640
CORNERS = ((10.0, 10.0), (50.0, 10.0), (50.0, 50.0), (10.0, 50.0))


@pytest.fixture(scope="module")
def frame() -> bytes:
    """A frame as the page sends it, of two towns."""
    return small(drawn.photo(TOWNS, ()))


def small(photo: bytes, bright: float = 1.0) -> bytes:
    pixels = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    fitted = cv2.resize(pixels, None, fx=(scale := SIDE / max(pixels.shape)), fy=scale, interpolation=cv2.INTER_AREA)
    return file_of(np.clip(fitted * bright, 0, 255).astype(np.uint8), quality=75)


# -- the quick look ---


def test_a_quick_look_finds_the_boards_and_reads_nothing(frame: bytes) -> None:
    reading = quick.look(frame, READER)
    assert len(reading.boards) == 2 and all(board.grid == () for board in reading.boards)
    assert len(frame) <= viewfinder.MOST_FRAME


def test_glare_is_told_with_its_place(frame: bytes) -> None:
    pixels = cv2.imdecode(np.frombuffer(frame, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    board = quick.look(frame, READER).boards[0]
    middle = 0.75 * np.array(board.corners).mean(axis=0) + 0.25 * np.array(board.corners[0])
    cv2.circle(pixels, tuple(int(v) for v in middle), 26, (255, 255, 255), -1)
    [glare] = [one for one in quick.look(file_of(pixels), READER).problems if one.code == "glare"]
    assert abs(int(glare.message.values["x"]) - middle[0]) < 30 and abs(int(glare.message.values["y"]) - middle[1]) < 30


def test_what_is_no_picture_has_no_boards() -> None:
    reading = quick.look(b"not a picture", READER)
    assert reading.boards == [] and viewfinder.answer(reading) == {"busy": True}


@pytest.mark.parametrize("code", ["small", "low", "cut"])
def test_one_hint_is_told_and_such_a_picture_is_not_good(code: str) -> None:
    reading = Reading(size=(100, 100), boards=[Board(CORNERS, 0.9, ())], problems=[problem("unsure"), problem(code)])
    told = viewfinder.answer(reading)
    assert told["hint"] == viewfinder.HINTS[code] and not told["good"]
    assert told["boards"] == [[[0.1, 0.1], [0.5, 0.1], [0.5, 0.5], [0.1, 0.5]]]
    assert viewfinder.answer(replace(reading, problems=[]))["good"]


# -- how many ---


class Slow:
    """In the place of the processes: a look takes until it is released, and a tenth of a second of the processor."""

    def __init__(self) -> None:
        self.released = threading.Event()

    def glance(self, *_: object) -> Reading:
        assert self.released.wait(30)
        return Reading(size=(100, 100), stages={"quick": 100.0})


def test_one_look_a_viewer_and_two_a_server() -> None:
    slow = Slow()
    finder = Viewfinder(slow, share=1.0)  # type: ignore[arg-type]
    looks = [threading.Thread(target=finder.read, args=(b"", "tiny_towns", who)) for who in ("one", "other")]
    for look in looks:
        look.start()
    while len(finder.busy) < 2:
        time.sleep(0.01)
    assert finder.read(b"", "tiny_towns", "one") is None and finder.read(b"", "tiny_towns", "third") is None
    slow.released.set()
    for look in looks:
        look.join()
    assert finder.busy == set()


def test_looks_take_no_more_than_their_share_of_the_machine() -> None:
    slow = Slow()
    slow.released.set()
    finder = Viewfinder(slow, share=0.4)  # type: ignore[arg-type]
    began, done = time.monotonic(), 0
    while time.monotonic() - began < 2:
        done += finder.read(b"", "tiny_towns", "one") is not None
        time.sleep(0.005)
    lasted = time.monotonic() - began
    assert done >= 3 and 0.1 * done <= 0.4 * (lasted + viewfinder.AHEAD_S) + 0.1


# -- who may ---


def look(device: Device, address: str, frame: bytes) -> int:
    token = re.search(r'name="csrf_token" value="([^"]+)"', device.page)
    headers = {"X-CSRFToken": token[1] if token else "", "Content-Type": "image/jpeg"}
    return device.client.post(f"{address}/look", data=frame, headers=headers).status_code


class Glancing(Canned):
    def glance(self, *_: object) -> Reading:
        return Reading(size=(100, 100), boards=[Board(CORNERS, 0.9, ())])


@pytest.fixture
def glancing(app: Flask) -> None:
    app.extensions["viewfinder"] = Viewfinder(Glancing())  # type: ignore[arg-type]


@pytest.mark.usefixtures("glancing")
def test_a_seated_guest_looks_at_her_own_board_alone(laid: Laid, stranger: Device, viewer: Device) -> None:
    laid.seat(stranger, 1)
    laid.play_as(laid.member, 0)
    stranger.get(f"{laid.path}/seats/1/photo")
    assert look(stranger, f"{laid.path}/seats/1/photo", b"x") == 200
    assert look(stranger, f"{laid.path}/seats/0/photo", b"x") == 403
    viewer.get("/club")
    assert look(viewer, "/photo/tiny_towns", b"x") == 403


@pytest.mark.usefixtures("glancing")
def test_a_frame_is_small_comes_with_a_token_and_leaves_no_trace(owner: Device, db: Database) -> None:
    owner.get("/photo/tiny_towns")
    before = [db.execute(f"SELECT count(*) FROM {table}").fetchone() for table in ("photos", "pictures", "tables")]
    assert look(owner, "/photo/tiny_towns", b"x" * viewfinder.MOST_FRAME) == 200
    assert look(owner, "/photo/tiny_towns", b"x" * (viewfinder.MOST_FRAME + 1)) == 413
    assert owner.client.post("/photo/tiny_towns/look", data=b"x", content_type="image/jpeg").status_code == 400
    after = [db.execute(f"SELECT count(*) FROM {table}").fetchone() for table in ("photos", "pictures", "tables")]
    assert after == before


# -- on a phone ---


@pytest.fixture(scope="module")
def film(frame: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two towns under a camera that is held still, as a film that begins again and again."""
    pixels = cv2.imdecode(np.frombuffer(frame, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    high, wide = pixels.shape[:2]
    file = tmp_path_factory.mktemp("film") / "table.y4m"
    picture = b"FRAME\n" + cv2.cvtColor(pixels, cv2.COLOR_BGR2YUV_I420).tobytes()
    file.write_bytes(f"YUV4MPEG2 W{wide} H{high} F10:1 Ip A1:1 C420\n".encode() + picture * 5)
    return file


@pytest.fixture(scope="module")
def filming(browser: Browser, film: Path) -> Iterator[Browser]:
    camera = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    launched = browser.browser_type.launch(
        executable_path="/usr/bin/chromium",
        args=["--no-sandbox", "--disable-gpu", *camera, f"--use-file-for-fake-video-capture={film}"],
    )
    yield launched
    launched.close()


@pytest.fixture
def with_camera(filming: Browser, site: str, member: Device) -> Iterator[Page]:
    """A phone of a member, whose camera shows the film."""
    context = filming.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]},
        has_touch=True,
        is_mobile=True,
        service_workers="block",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    hand_over(member, context, site)
    page.goto(site)
    yield page
    context.close()
    assert not faults, faults


@pytest.fixture
def unhurried(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Readers that may take as long as they need, on a machine that has much else to do."""
    app.extensions["photos"] = Canned()
    with closing(Pool(2, PATIENT)) as pool:
        app.extensions["viewfinder"] = Viewfinder(pool, share=100.0)
        yield


def open_camera(page: Page) -> None:
    """By the button of the home page, which leads to the live picture where there is a camera."""
    until(lambda: page.evaluate("navigator.mediaDevices.enumerateDevices().then((found) => found.length)") > 0)
    page.locator(".camera", has_text="Photograph a Tiny Towns table").first.tap()
    page.wait_for_url("**/photo/tiny_towns")
    expect(page.locator("[data-viewfinder]")).to_be_visible()


@pytest.mark.usefixtures("unhurried")
def test_boards_that_lie_still_are_outlined_and_photographed_by_themselves(with_camera: Page) -> None:
    with_camera.add_init_script("performance.now = () => 0")  # nothing is late, however slow the machine is
    open_camera(with_camera)
    expect(with_camera.locator(".live polygon")).to_have_count(2, timeout=PATIENCE)
    with_camera.wait_for_url("**/photos", timeout=PATIENCE)


@pytest.mark.usefixtures("unhurried")
def test_the_countdown_can_be_turned_off_and_the_shutter_is_always_there(with_camera: Page) -> None:
    with_camera.add_init_script("performance.now = () => 0; localStorage.setItem('photos by hand', '1')")
    open_camera(with_camera)
    expect(with_camera.locator(".live polygon")).to_have_count(2, timeout=PATIENCE)
    with_camera.wait_for_timeout(4000)
    expect(with_camera.locator("[data-auto]")).not_to_be_checked()
    with_camera.locator("[data-shutter]").tap()
    with_camera.wait_for_url("**/photos", timeout=PATIENCE)


def test_a_late_answer_leaves_it_to_the_hand(with_camera: Page, app: Flask) -> None:
    class Late(Glancing):
        def glance(self, *_: object) -> Reading:
            time.sleep(0.6)
            return super().glance()

    app.extensions.update(viewfinder=Viewfinder(Late(), share=100.0), photos=Canned())  # type: ignore[arg-type]
    open_camera(with_camera)
    expect(with_camera.locator("[data-hint]")).to_have_text("Take the photo yourself")
    expect(with_camera.locator(".live polygon")).to_have_count(0)
    with_camera.locator("[data-shutter]").tap()
    with_camera.wait_for_url("**/photos", timeout=PATIENCE)


@pytest.mark.usefixtures("glancing")
def test_without_a_camera_the_page_stays_as_it_was(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club("/photo/tiny_towns")
    page.wait_for_timeout(500)
    expect(page.locator("[data-viewfinder]")).to_be_hidden()
    expect(page.locator(".shoot .camera", has_text="Take photo")).to_be_visible()
    bare = at_the_club("/photo/tiny_towns", java_script_enabled=False)
    expect(bare.locator("[data-viewfinder]")).to_be_hidden()
    expect(bare.get_by_role("button", name="Read photo")).to_be_visible()
