"""A photo instead of sixteen taps: take it, look over what was read, accept it into the board."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.contract import Input
from vision import games as readers
from vision.pictures import KEPT, MARGIN
from vision.reading import Reading
from vision.worker import Pool
from webapp.clubs import Limit, access, address
from webapp.database import get_db
from webapp.table import Sending, Table, Visit, come_to, forms, pad, photos, tables
from webapp.table.photos import Photo

room = Blueprint("photo", __name__)

MAX_UPLOAD = 20 * 1024 * 1024  # the largest photo a phone takes, sent as it is where there is no script
DOUBTFUL = 0.9  # below this a square is ringed

shooting = Limit(attempts=30, seconds=60)


def pool() -> Pool:
    """The processes that read photos, started with the first photo and shared by all requests."""
    if "photos" not in current_app.extensions:
        current_app.extensions["photos"] = Pool()
    found: Pool = current_app.extensions["photos"]
    return found


@room.url_value_preprocessor
def let_in_photos(endpoint: str | None, values: object) -> None:
    """A photo is larger than a form. Said this early because the check of the CSRF token reads the form."""
    if endpoint == "photo.upload":
        request.max_content_length = MAX_UPLOAD


def take_upload() -> bytes:
    """The photo of this request."""
    shooting.check(address())
    sent = request.files.get("photo")
    return sent.read() if sent else b""


@room.get("/tables/<key>/seats/<int:number>/photo")
def shoot(key: str, number: int) -> str:
    return shoot_page(visit_with(key, number).table, number, [])


def shoot_page(table: Table, number: int, problems: Sequence[dict[str, str]]) -> str:
    return render_template("photo/shoot.html", table=table, seat=table.seats[number], problems=problems)


@room.post("/tables/<key>/seats/<int:number>/photo")
def upload(key: str, number: int) -> Response | str:
    """Read the photo and keep a clean copy of it for the review."""
    table, data = visit_with(key, number).table, take_upload()
    reading = pool().read(data, cards=True)
    picture = pool().kept(data) if reading["size"][0] else None
    if not isinstance(picture, bytes):  # nothing that could be looked at
        return shoot_page(table, number, reading["problems"])
    stored = photos.store(get_db(), table, number, reading, [picture, *straightened(data, reading)])
    return redirect(url_for("photo.review", photo_key=stored), 303)


def straightened(data: bytes, reading: dict[str, Any]) -> list[bytes]:
    """Every board of the reading as seen from above."""
    made = [pool().straightened(data, board["corners"]) for board in reading["boards"]]
    return [picture for picture in made if isinstance(picture, bytes)]


def visit_with(key: str, number: int) -> Visit:
    """The visit, if this device may enter what lies at the seat and the game can be read from a photo."""
    visit = come_to(key, "enter")
    seat = visit.seat(number)
    if seat is None or readers.find(visit.table.game.id) is None:
        abort(404)
    if not visit.may_enter(seat):
        abort(403)
    return visit


def under_review(photo_key: str) -> tuple[Photo, Visit]:
    """A photo that has not been accepted yet, and the visit to its table."""
    photo = photos.find(get_db(), photo_key)
    row = get_db().row("SELECT key FROM tables WHERE id = ?", photo.table_id) if photo else None
    if photo is None or row is None:
        abort(404)
    return photo, visit_with(row["key"], photo.seat)


@room.get("/photos/<photo_key>/<int:number>.jpg")
def picture(photo_key: str, number: int) -> Response:
    """The photo, or one of its boards: for those who review it, and with a saved game for the club."""
    photo = photos.find(get_db(), photo_key)
    if photo is None:
        abort(404)
    if photo.play_id is not None:
        access.enter(photos.club_of(get_db(), photo), "viewer")
    else:
        under_review(photo_key)
    found = photos.picture(get_db(), photo, number)
    if found is None:
        abort(404)
    return Response(found, mimetype="image/jpeg")


@room.get("/photos/<photo_key>")
def review(photo_key: str) -> str:
    """The straightened board with what was read on each square; the doubtful ones are ringed."""
    photo, visit = under_review(photo_key)
    table = visit.table
    boards = photo.reading["boards"]
    chosen = request.args.get("board", "0")
    board = int(chosen) if chosen.isdecimal() and int(chosen) < len(boards) else 0
    asked = grid_input(visit, photo.seat)
    return render_template(
        "photo/review.html",
        photo=photo,
        table=table,
        seat=table.seats[photo.seat],
        board=board,
        asked=asked,
        cells=[[pad.cell_name(asked, row, column) for column in range(asked.size[1])] for row in range(asked.size[0])],
        choices=likeliest_first(table, boards[board], asked) if boards else [],
        faces={choice.value: choice for choice in asked.choices},
        doubts=[[square["confidence"] < DOUBTFUL for square in row] for row in boards[board]["grid"]] if boards else [],
        other_cards=other_cards(table, photo) if visit.hosts else {},
        corners=json.dumps(boards[board]["corners"] if boards else waiting_corners(photo.reading["size"])),
        margin=MARGIN,
    )


def grid_input(visit: Visit, seat: int) -> Input:
    """The board that a photo fills."""
    return next(asked for asked in visit.entries.inputs(seat) if asked.kind == "grid")


def likeliest_first(table: Table, board: dict[str, Any], asked: Input) -> list[list[list[str]]]:
    """For each square the pieces it may be: as read, then the runners-up, then all others."""
    reader = readers.find(table.game.id)
    assert reader is not None
    cards, others = table.setup.get("cards", {}), [choice.value for choice in asked.choices]

    def pieces(square: dict[str, Any]) -> list[str]:
        labels = [square["label"], *(label for label, _ in square["alternatives"])]
        found = [reader.piece(label, cards) for label in labels]
        return list(dict.fromkeys(piece for piece in [*found, *others] if piece in others))

    return [[pieces(square) for square in row] for row in board["grid"]]


def other_cards(table: Table, photo: Photo) -> dict[str, str]:
    """Cards seen on the photo that the table does not play with, by colour."""
    reader = readers.find(table.game.id)
    assert reader is not None
    seen: dict[str, str] = reader.cards_in_play(Reading.from_json(photo.reading))
    return {colour: card for colour, card in seen.items() if table.setup.get("cards", {}).get(colour) != card}


def waiting_corners(size: list[int]) -> list[list[float]]:
    """Where the corners wait to be dragged when no board was found."""
    wide, high = size
    return [[wide * x, high * y] for x, y in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))]


@room.post("/photos/<photo_key>/corners")
def corners(photo_key: str) -> Response:
    """Read again with the corners where a finger put them; the photo need not be sent again."""
    photo, _ = under_review(photo_key)
    shooting.check(address())
    original = photos.picture(get_db(), photo, 0)
    share = min(1.0, KEPT / max(photo.reading["size"]))  # the copy may have fewer pixels than the photo
    try:
        wanted = [[float(x) * share, float(y) * share] for x, y in json.loads(request.form.get("corners", ""))]
    except (ValueError, TypeError, OverflowError, RecursionError):
        abort(400)
    assert original is not None
    reading = pool().read(original, wanted, cards=False)
    if reading["boards"]:
        known = {**reading, "cards": photo.reading["cards"]}
        photos.read_again(get_db(), photo, known, straightened(original, reading))
    return redirect(url_for("photo.review", photo_key=photo_key), 303)


@room.post("/photos/<photo_key>/cards")
def play_with_cards(photo_key: str) -> Response:
    """The cards on the photo are those in play."""
    photo, visit = under_review(photo_key)
    table = visit.table
    if not visit.hosts:
        abort(403)
    setup = forms.put(table.setup, ("cards",), {**table.setup.get("cards", {}), **other_cards(table, photo)})
    tables.keep_setup(get_db(), table, setup)
    return redirect(url_for("photo.review", photo_key=photo_key), 303)


@room.post("/photos/<photo_key>/accept")
def accept(photo_key: str) -> Response:
    """Into the board, with the squares as they were looked over."""
    photo, visit = under_review(photo_key)
    db, table = visit.db, visit.table
    seat = table.seats[photo.seat]
    reader, number = readers.find(table.game.id), request.form.get("board", "0")
    assert reader is not None
    if not (number.isdecimal() and int(number) < len(photo.reading["boards"])):
        abort(400)
    reading = Reading.from_json(photo.reading)
    draft = reader.draft(reading, [seat.name], [int(number)], table.setup.get("cards"))
    read = {field: value for field, value in draft.record["players"][0].items() if field != "name"}
    asked = grid_input(visit, photo.seat)
    looked_over = forms.read([asked], forms.build([asked], read, request.form), read)
    with db.atomic():
        visit.enter(seat, {**(seat.state or {}), **looked_over}, Sending(visit.device, "", seat.version))
        photos.keep(db, photo, bool(request.form.get("keep")))
    return redirect(url_for("table.show", key=table.key, number=photo.seat), 303)
