"""From a photo to a board that somebody has looked over."""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.webapp.conftest import Device, assert_accessible, seat_players
from webapp import camera, settings
from webapp.database import Database
from webapp.refusal import BadSetting
from webapp.table import tables
from webapp.views import photo as photo_view

PICTURES = Path(__file__).parent.parent / "vision" / "photos"
BOARD = PICTURES / "00.jpg"


@pytest.fixture(autouse=True)
def put_the_readers_away(app: Flask) -> Iterator[None]:
    yield
    if "photos" in app.extensions:
        app.extensions["photos"].close()


@pytest.fixture
def seat(owner: Device, db: Database, club: int) -> str:
    """The address of an empty seat at a table of Tiny Towns."""
    owner.get("/")
    address = owner.post("/tables", {"game": "tiny_towns"}).location
    owner.post(address, {"new": "Ann"})
    owner.get(address)
    return str(address).replace("/setup", "/seats/0")


def send(device: Device, address: str, data: bytes, name: str = "board.jpg") -> Any:
    return device.post(address, {"photo": (io.BytesIO(data), name)}, content_type="multipart/form-data")


def test_a_photo_becomes_a_board(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    page = owner.get(review)
    assert page.count("<select name=") == 16
    assert owner.post(f"{review}/accept", {"board": "0"}).location == seat
    table = tables.find(db, seat.split("/")[2])
    assert table is not None and table.seats[0].state is not None
    grid = table.seats[0].state["grid"]
    assert len(grid) == 4 and all(len(row) == 4 for row in grid)
    owner.get(seat)


def test_squares_are_taken_over_as_they_were_changed(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    owner.post(f"{review}/accept", {"board": "0", "grid/0/0": "cottage", "grid/3/3": "farm"})
    table = tables.find(db, seat.split("/")[2])
    assert table is not None and table.seats[0].state is not None
    assert (table.seats[0].state["grid"][0][0], table.seats[0].state["grid"][3][3]) == ("cottage", "farm")


def test_corners_are_read_again_without_a_new_photo(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    page = owner.get(review)
    before = json.loads(page.split('name="corners" value="')[1].split('"')[0].replace("&#34;", '"'))
    moved = [[x + 3, y + 3] for x, y in before]
    owner.post(f"{review}/corners", {"corners": json.dumps(moved)})
    page = owner.get(review)
    after = json.loads(page.split('name="corners" value="')[1].split('"')[0].replace("&#34;", '"'))
    assert after != before and len(after) == 4


NO_CORNERS = ["", "[]", "nonsense", "[[1,2]]", '[["a","b"]]', "[[1e999,1],[2,2],[3,3],[4,4]]", "7"]


@pytest.mark.parametrize("corners", NO_CORNERS)
def test_corners_that_are_none_change_nothing(owner: Device, seat: str, corners: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    assert owner.post(f"{review}/corners", {"corners": corners}).status_code in {303, 400}
    owner.get(review)


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, b"\xff\xd8\xff" + b"\0" * 500])
def test_what_is_no_photo_is_told_in_words(owner: Device, seat: str, data: bytes) -> None:
    answer = send(owner, f"{seat}/photo", data)
    assert answer.status_code == 200
    assert 'id="photo-errors"' in answer.get_data(as_text=True)


def test_a_photo_of_absurd_size_is_refused(owner: Device, seat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo_view, "MAX_UPLOAD", 100_000)
    assert send(owner, f"{seat}/photo", b"\0" * 100_001).status_code == 413


def test_a_photo_is_seen_by_its_club_alone(owner: Device, viewer: Device, stranger: Device, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    stranger.get(review, 404)
    stranger.get(f"{review}/0.jpg", 404)
    viewer.get(review, 403)
    assert owner.client.get(f"{review}/0.jpg").mimetype == "image/jpeg"
    assert owner.client.get(f"{review}/9.jpg").status_code == 404


def test_a_photo_is_forgotten_with_its_table(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    owner.post(f"{review}/accept", {"board": "0"})
    saved = owner.post(seat.replace("/seats/0", "/save")).location
    assert saved.startswith("/plays/")
    assert db.row("SELECT count(*) AS n FROM photos") == {"n": 0}
    assert db.row("SELECT count(*) AS n FROM pictures") == {"n": 0}


def test_a_photo_that_somebody_keeps_goes_with_the_game(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    owner.post(f"{review}/accept", {"board": "0", "keep": "1"})
    play = owner.post(seat.replace("/seats/0", "/save")).location
    assert f'src="{review}/0.jpg"' in owner.get(play)
    assert owner.client.get(f"{review}/0.jpg").status_code == 200


def test_nothing_a_camera_writes_into_files_is_kept(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    for number in (0, 1):
        with owner.client.get(f"{review}/{number}.jpg") as picture:
            assert b"Exif" not in picture.data and b"ICC_PROFILE" not in picture.data


def test_the_api_reads_a_photo(app: Flask) -> None:
    client = app.test_client()
    answer = client.post("/api/v1/photo", data={"photo": (io.BytesIO(BOARD.read_bytes()), "my board.jpg")})
    reading = answer.get_json()
    assert (answer.status_code, reading["ok"], reading["file"]) == (200, True, "my board.jpg")
    assert len(reading["boards"][0]["grid"]) == 4
    assert client.post("/api/v1/photo").status_code == 422
    assert client.post("/api/v1/photo", data={"photo": "not a file"}).status_code == 422


def test_a_busy_server_says_wait(app: Flask) -> None:
    client = app.test_client()
    with app.app_context():
        pool = camera.pool()
    taken = [worker for worker in pool.workers if pool.turns.take("somebody else", 1)]
    pool.limits = type(pool.limits)(patience=0.01)
    answer = client.post("/api/v1/photo", data={"photo": (io.BytesIO(BOARD.read_bytes()), "board.jpg")})
    assert answer.status_code == 202 and int(answer.headers["Retry-After"]) > 0
    assert answer.get_json()["problems"][0]["code"] == "wait"
    for worker in taken:
        pool.turns.give_back("somebody else", worker)


def test_a_photo_ends_in_a_saved_score(at_the_club: Callable[..., Page]) -> None:
    page = at_the_club()
    page.click("text=Tiny Towns")
    seat_players(page, "Ann")
    page.click("text=Enter the scores")
    page.click("text=Photograph my board")
    assert_accessible(page)
    page.set_input_files("#photo", BOARD)
    expect(page.locator("[data-reading]")).to_be_visible(timeout=30_000)
    assert_accessible(page)
    square = page.locator("[data-reading] .square").first
    before = square.locator("select").input_value()
    square.click()
    assert square.locator("select").input_value() != before
    page.click("text=Take it over")
    expect(page.locator(".total output")).not_to_have_text("")
    page.click("text=Who won?")
    page.click("text=Save to the history")
    expect(page.locator(".flash")).to_contain_text("Saved")


def test_who_sends_many_photos_keeps_nobody_out(app: Flask) -> None:
    """Eight from one address and one from another, which comes after them and is read as second."""
    with app.app_context():
        pool = camera.pool()
    worker = pool.turns.take("the test", 1)
    assert worker is not None
    done: list[tuple[str, int]] = []

    def send(address: str) -> None:
        with app.test_client() as client:
            sent = {"photo": (io.BytesIO(BOARD.read_bytes()), "board.jpg")}
            answer = client.post("/api/v1/photo", data=sent, environ_base={"REMOTE_ADDR": address})
            done.append((address, answer.status_code))

    threads = []
    for number, address in enumerate([*["192.0.2.1"] * 6, "192.0.2.2"], 1):
        threads.append(threading.Thread(target=send, args=[address]))
        threads[-1].start()
        for _ in range(500):
            if len(pool.turns.waiting) == number:
                break
            time.sleep(0.01)
    assert len(pool.turns.waiting) == 7
    pool.turns.give_back("the test", worker)
    for thread in threads:
        thread.join(60)
    assert [status for _, status in done] == [200] * 7
    assert [address for address, _ in done].index("192.0.2.2") <= 1


@pytest.mark.parametrize("text", ["0", "-1", "soon", "1e3"])
def test_the_idle_time_of_the_reader_is_seconds(text: str) -> None:
    with pytest.raises(BadSetting, match="TIDEMARK_PHOTO_IDLE"):
        settings.of({"TIDEMARK_PHOTO_IDLE": text})
    assert settings.of({"TIDEMARK_PHOTO_IDLE": "60"}) == {"PHOTO_IDLE": 60}


def test_the_reader_ends_after_the_time_that_is_set(app: Flask) -> None:
    app.config["PHOTO_IDLE"] = 60
    with app.app_context():
        assert camera.pool().limits.idle == 60
