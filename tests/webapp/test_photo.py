"""From a photo to a board that somebody has looked over."""

from __future__ import annotations

import io
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorer import games
from tests.vision import tables as drawn
from tests.webapp.canned import PATIENT
from tests.webapp.conftest import Device, Laid, lay_towns
from vision.problems import problem
from vision.reading import Board, Card, Look, Reading, Square
from vision.worker import Pool
from webapp import photo_uploads, settings
from webapp.database import Database
from webapp.operator_errors import BadSetting
from webapp.table import photos, tables
from webapp.views import photo as photo_view

PICTURES = Path(__file__).parent.parent / "vision" / "photos"
BOARD, THREE = PICTURES / "00.jpg", PICTURES / "01.jpg"


class Remembering:
    """The processes that read photos; a picture that was read before is not read again."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.known: dict[Any, Look] = {}

    def look(self, data: Any, corners: Any = None, **how: Any) -> Look:
        how.pop("later", None)  # all at once
        photo = data if isinstance(data, bytes) else data()
        key = (photo, str(corners))
        if key not in self.known:
            self.known[key] = self.pool.look(photo, corners, **how)
        return self.known[key]


@pytest.fixture(scope="module")
def readers() -> Iterator[Remembering]:
    pool = Pool(limits=PATIENT)
    yield Remembering(pool)
    pool.close()


@pytest.fixture(autouse=True)
def put_the_readers_away(app: Flask, readers: Remembering) -> Iterator[None]:
    app.extensions["photos"] = readers
    yield
    if app.extensions["photos"] is not readers:
        app.extensions["photos"].close()


@pytest.fixture
def own_readers(app: Flask) -> None:
    """Processes that nobody else uses."""
    app.extensions["photos"] = Pool(limits=PATIENT)


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


def at(db: Database, address: str) -> tables.Table:
    """The table of an address."""
    table = tables.find(db, address.split("/")[2])
    assert table is not None
    return table


def of_table(db: Database, address: str) -> list[photos.Photo]:
    return photos.of_table(db, at(db, address))


def with_cards(owner: Device, review: str) -> str:
    """The review once the cards are read as well."""
    for _ in range(1200):
        page = owner.get(review)
        if "data-follow" not in page:
            return page
        time.sleep(0.1)
    raise AssertionError("the cards never came")


def test_a_photo_becomes_a_board(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    page = owner.get(review)
    assert page.count('<select name="squares/') == 16
    assert owner.post(review, {"go": "0"}).location == seat
    state = at(db, seat).seats[0].state
    assert state is not None
    assert len(state["grid"]) == 4 and all(len(row) == 4 for row in state["grid"])
    owner.get(seat)


@pytest.mark.either
def test_squares_are_entered_as_they_were_looked_over(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    name = f"squares/{of_table(db, seat)[0].id}/0"
    owner.post(review, {f"{name}/0/0": "cottage", f"{name}/3/3": "farm"})
    owner.post(review, {"go": "0"})
    state = at(db, seat).seats[0].state
    assert state is not None and (state["grid"][0][0], state["grid"][3][3]) == ("cottage", "farm")


@pytest.mark.either
def test_a_square_that_is_right_as_it_is_is_doubtful_no_more(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    page = owner.get(review)
    [photo] = of_table(db, seat)
    read = photo.reading.boards[0].grid
    doubts = [f"{i}/{j}" for i, row in enumerate(read) for j, one in enumerate(row) if one.is_doubtful]
    assert page.count('class="spot doubtful"') == len(doubts) > 0
    name = f"{photo.id}/0"
    chosen = re.findall(rf'<select name="(squares/{name}/./.)".*?<option value="([^"]*)" selected', page, re.DOTALL)
    as_read = {square: value for square, value in chosen if square.removeprefix(f"squares/{name}/") in doubts}
    answer = owner.post(review, {f"sure/{name}": ",".join(doubts), **as_read}, headers={"X-Tidemark": "part"})
    assert 'class="spot doubtful"' not in answer.get_data(as_text=True)
    cut = {"csrf_token": "", "come": "begins", **as_read, f"whose/{name}": ""}
    owner.post(review, cut)  # before the rest of the page had come
    [photo] = of_table(db, seat)
    assert photo.given[0].seat == 0 and set(doubts) <= set(photo.given[0].looked or ())
    answer = owner.post(review, {f"sure/{name}": "", **as_read}, headers={"X-Tidemark": "part"})
    assert f'value="{",".join(doubts)}"' not in answer.get_data(as_text=True), "undone"


@pytest.mark.either
def test_what_is_no_piece_changes_nothing(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    [photo] = of_table(db, seat)
    name = f"{photo.id}/0"
    owner.post(review, {f"squares/{name}/0/0": "nonsense", f"squares/{name}/9/9": "farm", f"sure/{name}": "0/0,x,9/9"})
    owner.post(review, {f"whose/{name}": "99", "monument/" + name: "nonsense", "cards/red": "cottage"})
    assert of_table(db, seat)[0].given[0] == photos.Given(0, {})


@pytest.mark.either
def test_corners_are_read_again_without_a_new_photo(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    [photo] = of_table(db, seat)
    before = photo.reading.boards[0].corners
    moved = [[x + 3, y + 3] for x, y in before]
    owner.post(f"/photos/{photo.key}/corners", {"corners": json.dumps(moved)})
    [photo] = of_table(db, seat)
    assert photo.reading.boards[0].corners != before and photo.given[0].seat == 0
    for one, other in zip(sorted(photo.reading.boards[0].corners), sorted(moved), strict=True):
        assert one == pytest.approx(other, abs=0.2)


@pytest.mark.either
def test_a_board_that_was_not_found_is_marked_beside_the_others(owner: Device, db: Database, seat: str) -> None:
    """Its corner lies outside the picture."""
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    [photo] = of_table(db, seat)
    corners = [[-40, -30], [200, 10], [190, 200], [10, 210]]
    owner.post(f"/photos/{photo.key}/corners", {"corners": json.dumps(corners), "board": "1"})
    [photo] = of_table(db, seat)
    assert [given.seat for given in photo.given] == [0, None]
    assert owner.client.get(f"/photos/{photo.key}/2.jpg").mimetype == "image/jpeg"
    assert owner.get(review).count('<select name="squares/') == 32
    assert owner.post(f"/photos/{photo.key}/corners", {"corners": json.dumps(corners), "board": "9"}).status_code == 400


NO_CORNERS = ["", "[]", "nonsense", "[[1,2]]", '[["a","b"]]', "[[1e999,1],[2,2],[3,3],[4,4]]", "7"]


@pytest.mark.either
@pytest.mark.parametrize("corners", NO_CORNERS)
def test_corners_that_are_none_change_nothing(owner: Device, db: Database, seat: str, corners: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    [photo] = of_table(db, seat)
    assert owner.post(f"/photos/{photo.key}/corners", {"corners": corners}).status_code in {303, 400}
    owner.get(review)


@pytest.mark.either
@pytest.mark.parametrize("data", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, b"\xff\xd8\xff" + b"\0" * 500])
@pytest.mark.parametrize("where", ["/photo/tiny_towns", "{table}/photo", "{table}/seats/0/photo"])
def test_what_is_no_photo_is_told_in_words(owner: Device, db: Database, seat: str, data: bytes, where: str) -> None:
    before = db.row("SELECT count(*) AS n FROM tables")
    answer = send(owner, where.format(table=seat.removesuffix("/seats/0")), data)
    assert answer.status_code == 200
    assert 'id="photo-errors"' in answer.get_data(as_text=True)
    assert db.row("SELECT count(*) AS n FROM tables") == before, "no table is laid for it"


@pytest.mark.either
def test_a_form_without_a_photo_is_told_so(owner: Device, seat: str) -> None:
    answer = owner.post(f"{seat}/photo", {"photo": "not a file"}, content_type="multipart/form-data")
    assert answer.status_code == 200 and 'id="photo-errors"' in answer.get_data(as_text=True)


@pytest.mark.either
def test_a_photo_of_absurd_size_is_refused(owner: Device, seat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo_view, "MAX_UPLOAD", 100_000)
    assert send(owner, f"{seat}/photo", b"\0" * 100_001).status_code == 413
    assert send(owner, "/photo/tiny_towns", b"\0" * 100_001).status_code == 413


def test_a_photo_is_seen_by_its_club_alone(
    owner: Device, viewer: Device, stranger: Device, db: Database, seat: str
) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    key = of_table(db, seat)[0].key
    stranger.get(review, 404)
    stranger.get(f"/photos/{key}/0.jpg", 404)
    viewer.get(review, 403)
    viewer.get(f"/photos/{key}/0.jpg", 403)
    viewer.get("/photo/tiny_towns", 403)
    assert owner.client.get(f"/photos/{key}/0.jpg").mimetype == "image/jpeg"
    assert owner.client.get(f"/photos/{key}/9.jpg").status_code == 404
    assert owner.client.get("/photo/tenby").status_code == 404


def test_a_photo_is_forgotten_once_it_is_accepted(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    owner.post(review, {"go": "0"})
    assert db.row("SELECT count(*) AS n FROM photos") == {"n": 0}
    assert db.row("SELECT count(*) AS n FROM pictures") == {"n": 0}
    assert "Tiny Towns: " in owner.get(review) and owner.page.count('name="grid/0/0"')


def test_a_photo_that_somebody_keeps_goes_with_the_game(owner: Device, db: Database, seat: str) -> None:
    review = send(owner, f"{seat}/photo", BOARD.read_bytes()).location
    owner.get(review)
    key = of_table(db, seat)[0].key
    owner.post(review, {"go": "0", "keep": "1"})
    assert of_table(db, seat) == [], "it is looked over no more"
    play = owner.post(seat.replace("/seats/0", "/save")).location
    assert re.search(rf'src="/photos/{key}/0\.jpg"\s+alt="Photo of Ann’s board"', owner.get(play))
    assert owner.client.get(f"/photos/{key}/0.jpg").status_code == 200


def test_the_wish_to_keep_a_photo_outlasts_a_question(owner: Device, db: Database, club: int) -> None:
    """A photo of the table does not say whose board it is: the page asks, and forgets nothing meanwhile."""
    review = send(owner, "/photo/tiny_towns", BOARD.read_bytes()).location
    assert not re.search(r'name="keep"[^>]* checked', owner.get(review))
    owner.page = owner.post(review, {"go": "result", "keep": "1"}, follow_redirects=True).get_data(as_text=True)
    assert re.search(r'name="keep"[^>]* checked', owner.page)


@pytest.mark.either
def test_nothing_a_camera_writes_into_files_is_kept(owner: Device, db: Database, seat: str) -> None:
    send(owner, f"{seat}/photo", BOARD.read_bytes())
    key = of_table(db, seat)[0].key
    for number in (0, 1):
        with owner.client.get(f"/photos/{key}/{number}.jpg") as picture:
            assert b"Exif" not in picture.data and b"ICC_PROFILE" not in picture.data


# -- the whole table ---


@pytest.mark.either
@pytest.mark.usefixtures("own_readers")
def test_boards_come_before_the_cards(owner: Device, db: Database, cards_photo: bytes) -> None:
    owner.get("/")
    review = send(owner, "/photo/tiny_towns", cards_photo).location
    assert at(db, review).setup["cards"]["red"] == "farm"
    page = with_cards(owner, review)
    assert at(db, review).setup["cards"]["red"] == "granary"
    assert "Not read" not in page and page.count('class="field doubtful"') == 1, "the black one"


@pytest.fixture
def table_of_three(owner: Device) -> str:
    return lay_towns(owner)


def give(device: Device, review: str, photo: photos.Photo, *whose: str) -> None:
    device.post(review, {f"whose/{photo.id}/{number}": one for number, one in enumerate(whose)})


@pytest.mark.either
def test_three_boards_for_two_seats_and_one_that_is_nobodys(owner: Device, db: Database, table_of_three: str) -> None:
    review = send(owner, f"{table_of_three}/photo", THREE.read_bytes()).location
    assert review == f"{table_of_three}/photos"
    page = owner.get(review)
    [photo] = of_table(db, review)
    assert len(photo.reading.boards) == 3 and page.count("data-seen=") == 3
    give(owner, review, photo, "1", "0")
    assert owner.post(review, {"go": "result"}).location == f"{review}?asked=1"
    assert "Choose a player or “Nobody” for each board" in owner.get(f"{review}?asked=1")
    assert all(seat.state is None for seat in at(db, review).seats), "nothing is entered while one is asked about"
    give(owner, review, photo, "1", "0", "nobody")
    assert [given.seat for given in of_table(db, review)[0].given] == [1, 0, photos.NOBODY]
    owner.post(review, {"go": "result"})
    entered = [seat.state is not None for seat in at(db, review).seats]
    assert entered == [True, True, False]
    cells = [at(db, review).seats[seat].state["grid"] for seat in (1, 0)]  # type: ignore[index]
    assert cells[0] != cells[1]


@pytest.mark.either
def test_a_player_has_one_board(owner: Device, db: Database, table_of_three: str) -> None:
    review = send(owner, f"{table_of_three}/photo", THREE.read_bytes()).location
    owner.get(review)
    [photo] = of_table(db, review)
    give(owner, review, photo, "0")
    give(owner, review, photo, "0", "0")
    assert [given.seat for given in of_table(db, review)[0].given] == [None, 0, None]


@pytest.mark.either
def test_totals_are_told_before_anything_is_entered(owner: Device, db: Database, table_of_three: str) -> None:
    review = send(owner, f"{table_of_three}/photo", THREE.read_bytes()).location
    owner.get(review)
    [photo] = of_table(db, review)
    with_cards(owner, review)
    empty = {f"squares/{photo.id}/0/{i}/{j}": "empty" for i in range(4) for j in range(4)}
    page = owner.post(review, {f"whose/{photo.id}/0": "2", **empty}, headers={"X-Tidemark": "part"})
    assert re.search(r"Cid\s+<b>−16</b>", page.get_data(as_text=True))
    assert at(db, review).seats[2].state is None


@pytest.mark.either
def test_two_photos_are_looked_over_together(owner: Device, db: Database, table_of_three: str) -> None:
    files = [(io.BytesIO(file.read_bytes()), file.name) for file in (BOARD, PICTURES / "02.jpg")]
    review = owner.post(f"{table_of_three}/photo", {"photo": files}, content_type="multipart/form-data").location
    page = owner.get(review)
    one, other = of_table(db, review)
    assert page.count("data-seen=") == 2 and "Delete photo 2" in page
    owner.post(review, {f"whose/{one.id}/0": "0", f"whose/{other.id}/0": "1"})
    owner.post(review, {"go": "2"})
    assert [seat.state is not None for seat in at(db, review).seats] == [True, True, False]


def test_a_photo_can_be_taken_back(owner: Device, db: Database, table_of_three: str) -> None:
    review = send(owner, f"{table_of_three}/photo", THREE.read_bytes()).location
    owner.get(review)
    [photo] = of_table(db, review)
    assert owner.post(f"/photos/{photo.key}/away").status_code == 303
    assert of_table(db, review) == [] and owner.client.get(f"/photos/{photo.key}/0.jpg").status_code == 404
    assert owner.post(review, {"go": "result", f"whose/{photo.id}/0": "0"}).status_code == 303
    assert all(seat.state is None for seat in at(db, review).seats)


def test_a_photo_that_comes_twice_is_kept_once(owner: Device, db: Database, table_of_three: str) -> None:
    first, again = (send(owner, f"{table_of_three}/photo", BOARD.read_bytes()).location for _ in range(2))
    assert first == again and len(of_table(db, first)) == 1
    begun, twice = (send(owner, "/photo/tiny_towns", THREE.read_bytes()).location for _ in range(2))
    assert begun == twice != first and len(of_table(db, begun)) == 1


@pytest.mark.either
def test_a_table_begins_with_a_photo_and_names(owner: Device, db: Database) -> None:
    owner.get("/")
    review = send(owner, "/photo/tiny_towns", (PICTURES / "09.jpg").read_bytes()).location
    assert "photo to check" in owner.get("/")
    owner.get(review)
    assert at(db, review).seats == ()
    assert owner.client.get(review.replace("photos", "seats/0")).location == review
    [photo] = of_table(db, review)
    owner.post(review, {"new": "Dora", "add": f"{photo.id}/1"})
    owner.post(review, {"new": "Emil", "add": ""})
    assert [seat.name for seat in at(db, review).seats] == ["Dora", "Emil"]
    assert [given.seat for given in of_table(db, review)[0].given] == [1, 0]
    page = owner.post(review, {"new": "dora", "add": ""}).get_data(as_text=True)
    assert "Two players have the same name" not in page, "she keeps her seat"
    page = owner.post(review, {"new": "\u200b", "add": ""}).get_data(as_text=True)
    assert "A name needs 1 to 40 visible characters" in page
    assert owner.post(review, {"go": "result"}).location.endswith("/result")


@pytest.mark.either
def test_boards_go_with_players_who_change_places(owner: Device, db: Database, table_of_three: str) -> None:
    review = send(owner, f"{table_of_three}/photo", THREE.read_bytes()).location
    owner.get(review)
    [photo] = of_table(db, review)
    give(owner, review, photo, "0", "2", "1")
    owner.get(f"{table_of_three}/setup")
    owner.post(f"{table_of_three}/setup", {"down": "0"})  # Bob, Ann, Cid
    assert [given.seat for given in of_table(db, review)[0].given] == [1, 2, 0]
    owner.post(f"{table_of_three}/setup", {"remove": "0"})
    assert [given.seat for given in of_table(db, review)[0].given] == [0, 1, None]


@pytest.mark.either
def test_a_guest_photographs_her_own_board_alone(
    laid: Laid, stranger: Device, device: Callable[[str], Device], db: Database
) -> None:
    laid.seat(stranger, 1)
    laid.play_as(laid.member, 0)
    assert send(stranger, f"{laid.path}/seats/0/photo", BOARD.read_bytes()).status_code == 403
    hosts = send(laid.member, f"{laid.path}/photo", THREE.read_bytes()).location
    [theirs] = of_table(db, hosts)
    review = send(stranger, f"{laid.path}/seats/1/photo", BOARD.read_bytes()).location
    page = stranger.get(review)
    _, hers = of_table(db, review)
    assert f"/photos/{hers.key}/" in page and theirs.key not in page and "+Dora" not in page
    for path in (f"/photos/{theirs.key}/0.jpg", f"/photos/{theirs.key}/1.jpg"):
        assert stranger.client.get(path).status_code == 403
    assert stranger.post(f"/photos/{theirs.key}/away").status_code == 403
    give(stranger, review, theirs, "1")
    give(stranger, review, hers, "0")
    assert [photo.given[0].seat for photo in of_table(db, review)] == [None, 1]
    stranger.post(review, {"go": "1"})
    assert [seat.state is not None for seat in laid.table().seats] == [False, True, False]


@pytest.mark.either
def test_a_photo_without_boards_says_what_to_do(owner: Device, db: Database, table_of_three: str) -> None:
    review = send(owner, f"{table_of_three}/photo", (PICTURES / "04.jpg").read_bytes()).location
    page = with_cards(owner, review)
    assert "We found no board" in page and '<details class="corners" open>' in page
    assert owner.post(review, {"go": "result"}).status_code == 303


# -- cards ---


@pytest.fixture(scope="module")
def cards_photo() -> bytes:
    return drawn.photo((), ("granary", "well", "chapel", "tavern", "bakery"))


@pytest.mark.either
def test_cards_fill_in_the_set_up_and_what_was_not_read_is_ringed(
    owner: Device, db: Database, table_of_three: str, cards_photo: bytes
) -> None:
    answer = owner.post(
        f"{table_of_three}/photo",
        {"photo": (io.BytesIO(cards_photo), "cards.jpg"), "wants": "cards"},
        content_type="multipart/form-data",
    )
    assert answer.location == f"{table_of_three}/setup#cards"
    page = owner.get(f"{table_of_three}/setup")
    cards = at(db, table_of_three).setup["cards"]
    assert (cards["red"], cards["yellow"], cards["black"]) == ("granary", "bakery", "factory")
    assert page.count('class="unread"') == 1
    owner.post(
        f"{table_of_three}/setup",
        {**{f"cards/{colour}": card for colour, card in cards.items()}, "cards/black": "bank"},
    )
    assert 'class="unread"' not in owner.get(f"{table_of_three}/setup"), "somebody has chosen it"


@pytest.mark.either
def test_a_card_that_is_right_as_it_is_is_ringed_no_more(
    owner: Device, db: Database, table_of_three: str, cards_photo: bytes
) -> None:
    review = send(owner, f"{table_of_three}/photo", cards_photo).location
    assert owner.get(review).count('class="field doubtful"') == 1
    cards = {f"cards/{colour}": card for colour, card in at(db, review).setup["cards"].items()}
    owner.post(review, {**cards, "right": "cards/black"})
    assert 'class="field doubtful"' not in owner.get(review)
    photos.take_back(db, of_table(db, review)[0])
    send(owner, f"{table_of_three}/photo", cards_photo)
    assert owner.get(f"{table_of_three}/setup").count('class="unread"') == 1
    owner.post(f"{table_of_three}/setup", {**cards, "right": "cards/black"})
    assert 'class="unread"' not in owner.get(f"{table_of_three}/setup")


@pytest.mark.either
def test_a_monument_is_asked_for_and_those_on_the_photo_come_first(
    owner: Device, db: Database, table_of_three: str
) -> None:
    monument, nothing = Square("monument", 0.99), Square("empty", 0.99)
    board = Board(
        ((0, 0), (9, 0), (9, 9), (0, 9)), 0.9, ((monument, nothing, nothing, nothing), *((nothing,) * 4,) * 3)
    )
    card = Card("mandras_palace", "Mandras Palace", 0.9, ())
    photos.store(db, at(db, table_of_three), Look(Reading("", (9, 9), [board], [card]), b"", (b"",)), seat=1)
    review = f"{table_of_three}/photos"
    page = owner.get(review)
    assert page.index(">Mandras Palace<") < page.index(">Architect&#39;s Guild<")
    assert page.count("data-wants-card") == 1 and "Check 1 square" in page
    [photo] = of_table(db, review)
    owner.post(review, {f"monument/{photo.id}/0": "mandras_palace"})
    page = owner.get(review)
    assert '<option value="mandras_palace" selected>' in page and "data-wants-card" not in page
    assert "Check 1 square" not in page
    owner.post(review, {"go": "0"})
    state = at(db, review).seats[1].state
    assert state is not None and state["monument"] == "mandras_palace"


@pytest.mark.either
@pytest.mark.parametrize(("code", "whose"), [("cut", "Bob"), ("low", "Ann")])
def test_what_is_wrong_with_one_board_is_told_beside_it(
    owner: Device, db: Database, table_of_three: str, code: str, whose: str
) -> None:
    """The right board reaches out of the picture; how low the camera was is told of the first one alone."""
    rows = ((Square("empty", 0.99),) * 4,) * 4
    inside, outside = (Board(((x, 1), (x + 8, 1), (x + 8, 9), (x, 9)), 0.9, rows) for x in (1, 15))
    reading = Reading("", (20, 10), [inside, outside], problems=[problem(code)])
    photos.store(db, at(db, table_of_three), Look(reading, b"", (b"", b"")))
    review = f"{table_of_three}/photos"
    owner.get(review)
    give(owner, review, of_table(db, review)[0], "0", "1")
    before, *sections = owner.get(review).split('<section class="seen-board"')
    told = {
        name for name, section in zip(("Ann", "Bob"), sections, strict=True) if str(problem(code).message) in section
    }
    assert told == {whose} and str(problem(code).message) not in before


@pytest.mark.either
def test_a_photo_on_which_nothing_was_found_is_no_unfinished_game(owner: Device, db: Database, club: int) -> None:
    game = games.find("tiny_towns")
    assert game is not None
    key = tables.add(db, club, game, {}, [])
    photos.store(db, at(db, f"/tables/{key}"), Look(Reading("", (9, 9), problems=[problem("no_board")]), b""))
    assert key not in owner.get("/")


@pytest.mark.either
def test_another_photo_of_the_same_board_takes_the_place_of_the_first(
    owner: Device, db: Database, table_of_three: str
) -> None:
    owner.get(f"{table_of_three}/seats/0")
    send(owner, f"{table_of_three}/seats/0/photo", BOARD.read_bytes())
    review = send(owner, f"{table_of_three}/seats/0/photo", (PICTURES / "02.jpg").read_bytes()).location
    [photo] = of_table(db, review)
    assert [given.seat for given in photo.given] == [0]


@pytest.mark.either
def test_cards_do_not_change_what_others_have_begun(
    owner: Device, db: Database, table_of_three: str, cards_photo: bytes
) -> None:
    owner.get(f"{table_of_three}/seats/0")
    owner.post(f"{table_of_three}/seats/0", {"grid/0/0": "farm"})
    review = send(owner, f"{table_of_three}/photo", cards_photo).location
    page = with_cards(owner, review)
    assert at(db, review).setup["cards"]["red"] == "farm"
    assert "The photo shows cards that are not in this game: Granary and Bakery." in page
    owner.post(review, {"play": "1"})
    assert at(db, review).setup["cards"]["red"] == "granary"


@pytest.mark.either
def test_cards_that_come_later_change_the_pieces_that_were_looked_over(
    owner: Device, db: Database, table_of_three: str
) -> None:
    review = send(owner, f"{table_of_three}/photo", BOARD.read_bytes()).location
    with_cards(owner, review)
    [photo] = of_table(db, review)
    owner.post(review, {f"squares/{photo.id}/0/0/0": "farm", f"whose/{photo.id}/0": "0"})
    owner.get(f"{table_of_three}/setup")
    owner.post(f"{table_of_three}/setup", {"cards/red": "orchard"})
    owner.get(review)
    owner.post(review, {"go": "1"})
    state = at(db, review).seats[0].state
    assert state is not None and state["grid"][0][0] == "orchard"


@pytest.mark.either
def test_a_photo_of_no_cards_is_told_in_words(owner: Device, db: Database, table_of_three: str) -> None:
    answer = owner.post(
        f"{table_of_three}/photo",
        {"photo": (io.BytesIO((PICTURES / "04.jpg").read_bytes()), "x.jpg"), "wants": "cards"},
        content_type="multipart/form-data",
    )
    assert (
        "We couldn’t read a card." in answer.get_data(as_text=True) and of_table(db, table_of_three + "/photos") == []
    )


@pytest.mark.either
def test_the_set_up_offers_the_photo_first(owner: Device, table_of_three: str) -> None:
    page = owner.get(f"{table_of_three}/setup")
    assert page.index("Photograph the boards") < page.index("Who played?") < page.index("Photograph the cards")
    home = owner.get("/")
    assert home.index("Photograph a Tiny Towns table") < home.index("players</span>")


@pytest.mark.either
@pytest.mark.usefixtures("own_readers")
def test_the_api_reads_a_photo(app: Flask) -> None:
    client = app.test_client()
    answer = client.post("/api/v1/photo", data={"photo": (io.BytesIO(BOARD.read_bytes()), "my board.jpg")})
    reading = answer.get_json()
    assert (answer.status_code, reading["ok"], reading["file"]) == (200, True, "my board.jpg")
    assert len(reading["boards"][0]["grid"]) == 4
    assert client.post("/api/v1/photo").status_code == 422
    unknown = client.post("/api/v1/photo?game=tenby", data={"photo": (io.BytesIO(b"x"), "a.jpg")})
    assert unknown.status_code == 422
    [problem] = unknown.get_json()["problems"]
    assert problem["message"] == "Choose one of tiny_towns. You entered tenby."
    assert client.post("/api/v1/photo", data={"photo": "not a file"}).status_code == 422


@pytest.mark.either
@pytest.mark.usefixtures("own_readers")
def test_a_busy_server_says_wait(app: Flask) -> None:
    client = app.test_client()
    with app.app_context():
        pool = photo_uploads.pool()
    taken = [worker for worker in pool.workers if pool.turns.take("somebody else", 1)]
    pool.limits = type(pool.limits)(patience=0.01)
    answer = client.post("/api/v1/photo", data={"photo": (io.BytesIO(BOARD.read_bytes()), "board.jpg")})
    assert answer.status_code == 202 and int(answer.headers["Retry-After"]) > 0
    assert answer.get_json()["problems"][0]["code"] == "wait"
    for worker in taken:
        pool.turns.give_back("somebody else", worker)


@pytest.mark.either
@pytest.mark.usefixtures("own_readers")
def test_who_sends_many_photos_keeps_nobody_out(app: Flask) -> None:
    """Three from one address and one from another, which comes after them and is read as second."""
    with app.app_context():
        pool = photo_uploads.pool()
    worker = pool.turns.take("the test", 1)
    assert worker is not None
    done: list[tuple[str, int]] = []

    def send(address: str) -> None:
        with app.test_client() as client:
            sent = {"photo": (io.BytesIO(BOARD.read_bytes()), "board.jpg")}
            answer = client.post("/api/v1/photo", data=sent, environ_base={"REMOTE_ADDR": address})
            done.append((address, answer.status_code))

    threads = []
    for number, address in enumerate([*["192.0.2.1"] * 3, "192.0.2.2"], 1):
        threads.append(threading.Thread(target=send, args=[address]))
        threads[-1].start()
        for _ in range(6000):
            if len(pool.turns.waiting) == number:
                break
            time.sleep(0.01)
    assert len(pool.turns.waiting) == 4
    pool.turns.give_back("the test", worker)
    for thread in threads:
        thread.join(300)
    assert [status for _, status in done] == [200] * 4
    assert [address for address, _ in done].index("192.0.2.2") <= 1


@pytest.mark.parametrize("text", ["0", "-1", "soon", "1e3"])
def test_the_idle_time_of_the_reader_is_seconds(text: str) -> None:
    with pytest.raises(BadSetting, match="TIDEMARK_PHOTO_IDLE"):
        settings.of({"TIDEMARK_PHOTO_IDLE": text})
    assert settings.of({"TIDEMARK_PHOTO_IDLE": "60"}) == {"PHOTO_IDLE": 60}


@pytest.mark.either
def test_the_reader_ends_after_the_time_that_is_set(app: Flask) -> None:
    del app.extensions["photos"]
    app.config["PHOTO_IDLE"] = 60
    with app.app_context():
        assert photo_uploads.pool().limits.idle == 60


@pytest.mark.either
def test_cards_that_are_on_no_photo_are_not_ringed(owner: Device, db: Database, table_of_three: str) -> None:
    review = send(owner, f"{table_of_three}/photo", BOARD.read_bytes()).location
    page = owner.get(review)
    assert "We couldn’t read the cards. Check them." in page and 'class="field doubtful"' not in page
    owner.get(f"{table_of_three}/seats/0")
    owner.post(f"{table_of_three}/seats/0", {"grid/0/0": "farm"})
    assert "We couldn’t read the cards" not in owner.get(review)
