"""A photo instead of sixteen taps: take it, look over what was read, accept it into the board."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.contract import Input, Problem
from scorer.sentences import listed
from vision import games as readers
from vision.contract import GameReader
from vision.pictures import KEPT
from webapp.camera import MAX_UPLOAD, pool, shooting, take_upload
from webapp.clubs import access, address, quotas
from webapp.database import get_db
from webapp.numbers import number as number_in
from webapp.table import Sending, Table, Visit, come_to, forms, kinds, photos, tables

room = Blueprint("photo", __name__)


@room.url_value_preprocessor
def let_in_photos(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """A photo is larger than a form. Asked for rights this early because the CSRF check reads the whole body."""
    if endpoint == "photo.upload":
        visit_with(**(values or {}))
        request.max_content_length = MAX_UPLOAD


@room.get("/tables/<key>/seats/<int:number>/photo")
def shoot(key: str, number: int) -> str:
    return shoot_page(visit_with(key, number).table, number, [])


def shoot_page(table: Table, number: int, problems: Sequence[Problem]) -> str:
    return render_template("photo/shoot.html", table=table, seat=table.seats[number], problems=problems)


@room.post("/tables/<key>/seats/<int:number>/photo")
def upload(key: str, number: int) -> Response | str:
    """Read the photo and keep a clean copy of it for the review."""
    table = visit_with(key, number).table
    look = pool().look(take_upload(), cards=True, game=table.game.id, whose=address())
    if look.picture is None:  # nothing that could be looked at
        return shoot_page(table, number, look.reading.problems)
    stored = photos.store(get_db(), table, number, look.reading, [look.picture, *look.boards])
    return redirect(url_for("photo.review", photo_key=stored), 303)


def visit_with(key: str, number: int) -> Visit:
    """The visit, if this device may enter what lies at the seat and the game can be read from a photo."""
    visit = come_to(key, "enter")
    seat = visit.seat(number)
    if seat is None:
        abort(404)
    reader_of(visit.table)
    if not visit.may_enter(seat):
        abort(403)
    return visit


def reader_of(table: Table) -> GameReader:
    """What reads photos of the game, if anything does."""
    reader = readers.find(table.game.id)
    if reader is None:
        abort(404)
    return reader


def under_review(photo_key: str) -> tuple[photos.Photo, Visit]:
    """A photo that has not been accepted yet, and the visit to its table."""
    photo = photos.find(get_db(), photo_key)
    key = photos.table_key(get_db(), photo) if photo else None
    if photo is None or key is None:
        abort(404)
    return photo, visit_with(key, photo.seat)


@room.get("/photos/<photo_key>/<int(max=999999999):number>.jpg")
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
    reader, boards = reader_of(table), photo.reading.boards
    chosen = number_in(request.args.get("board")) or 0
    number = chosen if chosen < len(boards) else 0
    board = boards[number] if boards else None
    asked = grid_input(visit, photo.seat)
    values = [choice.value for choice in asked.choices]
    return render_template(
        "photo/review.html",
        photo=photo,
        table=table,
        seat=table.seats[photo.seat],
        board=number,
        asked=asked,
        cells=kinds.painted([asked])[0].cells(),
        choices=reader.likeliest_first(board, table.setup, values) if board else [],
        faces={choice.value: choice for choice in asked.choices},
        doubts=[[square.is_doubtful for square in row] for row in board.grid] if board else [],
        other_cards=listed(reader.other_cards(photo.reading, table.setup) if visit.hosts else ()),
        corners=json.dumps(board.corners if board else waiting_corners(photo.reading.size)),
    )


def grid_input(visit: Visit, seat: int) -> Input:
    """The board that a photo fills."""
    return kinds.painted(visit.entries.inputs(seat))[0].asked


def waiting_corners(size: tuple[int, int]) -> list[list[float]]:
    """Where the corners wait to be dragged when no board was found."""
    wide, high = size
    return [[wide * x, high * y] for x, y in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))]


@room.post("/photos/<photo_key>/corners")
def corners(photo_key: str) -> Response:
    """Read again with the corners where a finger put them; the photo need not be sent again."""
    photo, visit = under_review(photo_key)
    shooting.check(address())
    original = photos.picture(get_db(), photo, 0)
    share = min(1.0, KEPT / max(photo.reading.size))  # the copy may have fewer pixels than the photo
    try:
        wanted = [(float(x) * share, float(y) * share) for x, y in json.loads(request.form.get("corners", ""))]
    except (ValueError, TypeError, OverflowError, RecursionError):
        abort(400)
    assert original is not None
    look = pool().look(original, wanted, cards=False, keep=False, game=visit.table.game.id, whose=address())
    if look.reading.boards:
        known = replace(look.reading, cards=photo.reading.cards)
        photos.read_again(get_db(), photo, known, look.boards)
    return redirect(url_for("photo.review", photo_key=photo_key), 303)


@room.post("/photos/<photo_key>/cards")
def play_with_cards(photo_key: str) -> Response:
    """The cards on the photo are those in play."""
    photo, visit = under_review(photo_key)
    table = visit.table
    if not visit.hosts:
        abort(403)
    tables.keep_setup(visit.db, table, reader_of(table).with_cards_seen(photo.reading, table.setup))
    return redirect(url_for("photo.review", photo_key=photo_key), 303)


@room.post("/photos/<photo_key>/accept")
def accept(photo_key: str) -> Response:
    """Into the board, with the squares as they were looked over."""
    photo, visit = under_review(photo_key)
    db, table = visit.db, visit.table
    seat = table.seats[photo.seat]
    number = number_in(request.form.get("board", "0"))
    if number is None or number >= len(photo.reading.boards):
        abort(400)
    draft = reader_of(table).draft(photo.reading, [seat.name], [number], table.setup)
    read = {field: value for field, value in draft.record["players"][0].items() if field != "name"}
    asked = grid_input(visit, photo.seat)
    looked_over = forms.read([asked], forms.build([asked], read, request.form), read)
    with db.atomic():
        visit.enter(seat, {**(seat.state or {}), **looked_over}, Sending(visit.device, "", seat.version))
        wanted = bool(request.form.get("keep"))
        photos.keep(db, photo, wanted and quotas.has_room_for_photos(db, table.club_id))
    return redirect(url_for("table.show", key=table.key, number=photo.seat), 303)
