"""Photos instead of taps: taken of a whole table or of one board, looked over, accepted into the boards."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, current_app, redirect, request, url_for
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response

from scorer import games
from scorer.contract import Game, Problem
from scorer.sentences import listed, say
from vision import games as readers
from vision.contract import GameReader
from vision.pictures import KEPT
from vision.reading import Look, Point
from webapp.camera import MAX_UPLOAD, digest, pool, shooting, uploads
from webapp.clubs import access, address, needs, quotas, require
from webapp.database import get_db
from webapp.history import finished
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.table import Table, Visit, changing, come_to, events, forms, onward, paths, photos, tables
from webapp.table import review as reviews

room = Blueprint("photo", __name__)

CARDS = "cards"  # all that is wanted of a photo taken at the set-up
NO_CARDS_READ = Problem(
    "no_cards_read", say("We couldn’t read a card. Lay the cards flat and go closer, without glare on their titles.")
)
STORED_S = 30.0  # how long cards that were read wait for their photo to be kept


@room.url_value_preprocessor
def let_in_photos(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """A photo is larger than a form. Asked for rights this early because the CSRF check reads the whole body."""
    allowed: dict[str | None, Callable[..., object]] = {
        "photo.begin": may_begin,
        "photo.upload": visit_with,
        "photo.upload_table": visit_of,
    }
    if endpoint in allowed:
        allowed[endpoint](**(values or {}))
        request.max_content_length = MAX_UPLOAD


# -- who may ---


def may_begin(name: str) -> Game:
    """The game, if a member begins a table of it with a photo."""
    require(access.current(), "member")
    game = games.find(name)
    if game is None or readers.find(name) is None:
        abort(404)
    return game


def visit_of(key: str) -> Visit:
    """Return the visit to a table whose boards can be read from a photo."""
    visit = come_to(key)
    reader_of(visit.table)
    return visit


def visit_with(key: str, number: int) -> Visit:
    """The visit, if this device may enter what lies at the seat and the game can be read from a photo."""
    visit = come_to(key)
    seat = visit.seat(number)
    if seat is None:
        abort(404)
    reader_of(visit.table)
    if not visit.may_enter(seat):
        abort(403)
    return visit


def reader_of(table: Table) -> GameReader:
    """Return what reads photos of the game, if anything does."""
    reader = readers.find(table.game.id)
    if reader is None:
        abort(404)
    return reader


def under_review(photo_key: str) -> tuple[photos.Photo, Visit]:
    """Return a photo that is still under review, and the visit of a member or of the phone that took it."""
    photo = photos.find(get_db(), photo_key)
    key = photos.table_key(get_db(), photo) if photo else None
    if photo is None or key is None:
        abort(404)
    visit = come_to(key)
    if not visit.may("member") and photo.device != visit.device:
        abort(403)
    reader_of(visit.table)
    return photo, visit


# -- taking ---


@room.get("/photo/<name>")
@needs("member")
def of_game(name: str) -> str:
    return begin_page(may_begin(name), [])


def begin_page(game: Game, problems: Sequence[Problem]) -> str:
    return render_template("photo/shoot.html", game=game, table=None, seat=None, problems=problems)


@room.post("/photo/<name>")
@needs("member")
def begin(name: str) -> Response | str:
    """A new table out of a photo of it: the club's last choices, the cards and the boards that are seen."""
    game, db = may_begin(name), get_db()
    sent = uploads()
    here = require(access.current(), "member")
    key: str | None = None
    told: list[Problem] = []
    for one in sent:
        twin = photos.known(db, access.phone(), digest(one))
        before = photos.find(db, twin) if twin else None
        if before is not None and key is None:
            key = photos.table_key(db, before)
            continue
        key, problems = read_one(one, game, key, here.club_id)
        told += problems
    return redirect(url_for("photo.look_over", key=key), 303) if key else begin_page(game, told)


def read_one(sent: FileStorage, game: Game, key: str | None, club_id: int) -> tuple[str | None, Sequence[Problem]]:
    """Read one of the photos a table begins with, and lay the table with the first that is one."""
    db = get_db()

    def table_for_it() -> Table:
        nonlocal key
        if key is None:
            setup = tables.recall(db, club_id, game.id) or forms.defaults(game.inputs)
            key = tables.lay(db, club_id, game, setup, [])
        table = tables.find(db, key)
        assert table is not None
        return table

    problems = take(sent, game, club_id, table_for_it)
    return key, problems


@room.get("/tables/<key>/photo")
def shoot_table(key: str) -> str:
    return shoot_page(visit_of(key).table, None, [])


@room.get("/tables/<key>/seats/<int:number>/photo")
def shoot(key: str, number: int) -> str:
    return shoot_page(visit_with(key, number).table, number, [])


def shoot_page(table: Table, number: int | None, problems: Sequence[Problem]) -> str:
    seat = table.seats[number] if number is not None else None
    return render_template("photo/shoot.html", game=table.game, table=table, seat=seat, problems=problems)


@room.post("/tables/<key>/photo")
def upload_table(key: str) -> Response | str:
    """Read photos of the table: its boards are offered to the seats, its cards to the set-up."""
    visit, wants = visit_of(key), request.form.get("wants", "")
    problems: list[Problem] = []
    for sent in uploads():
        problems += take(sent, visit.table.game, visit.table.club_id, lambda: visit.table, wants=wants)
    if problems:
        return shoot_page(visit.table, None, problems)
    if wants == CARDS:
        return redirect(url_for("setup.show", key=key, _anchor="cards"), 303)
    return redirect(url_for("photo.look_over", key=key), 303)


@room.post("/tables/<key>/seats/<int:number>/photo")
def upload(key: str, number: int) -> Response | str:
    """Read the photo of one player's board."""
    visit = visit_with(key, number)
    problems: list[Problem] = []
    for sent in uploads():
        problems += take(sent, visit.table.game, visit.table.club_id, lambda: visit.table, seat=number)
    if problems:
        return shoot_page(visit.table, number, problems)
    return redirect(url_for("photo.look_over", key=key), 303)


def take(
    sent: FileStorage,
    game: Game,
    club_id: int,
    table_of: Callable[[], Table],
    seat: int | None = None,
    wants: str = "",
) -> Sequence[Problem]:
    """Read the photo and keep a clean copy of it for the review; why it is no photo, if it is none.

    The boards are enough to go on: cards come later, unless it is they that are wanted.
    """
    db, mark, stored = get_db(), digest(sent), Future[str | None]()
    later = None if wants == CARDS else later_cards(stored, club_id)
    try:
        look = pool().look(sent.read, cards=True, game=game.id, whose=address(), later=later)
        if look.picture is None:  # nothing that could be looked at
            return look.reading.problems
        if wants == CARDS and not look.reading.cards:
            return [NO_CARDS_READ]
        with db.atomic(club_id):
            table = table_of()
            key = photos.store(db, table, look, access.phone(), mark, seat)
            if not look.cards_follow:
                play_with_those_seen(tables.find(db, table.key), look)
        stored.set_result(key)
    finally:
        if not stored.done():
            stored.set_result(None)
    return []


def later_cards(stored: Future[str | None], club_id: int) -> Callable[[Look], None]:
    """Return what is done with the cards of a photo, in a thread of their own, once they are read and the photo is
    kept.
    """
    app = current_app._get_current_object()  # type: ignore[attr-defined]

    def came(look: Look) -> None:
        try:
            key = stored.result(STORED_S)
        except TooLate:
            return
        if key is None:
            return
        with app.app_context():
            db = get_db()
            with db.atomic(club_id):
                photo = photos.cards_came(db, key, look.reading)
                where = photos.table_key(db, photo) if photo else None
                if where:
                    play_with_those_seen(tables.find(db, where), look)
            events.tell(db, events.feed())

    return came


def play_with_those_seen(table: Table | None, look: Look) -> None:
    """The cards on the photo are in play, unless somebody has begun to enter boards with others."""
    if table is None or not look.reading.cards or any(seat.state is not None for seat in table.seats):
        return
    setup = reader_of(table).cards.with_seen(look.reading, table.setup)
    for name in {name for photo in photos.of_table(get_db(), table) for name in photo.told}:  # somebody knows better
        setup = paths.put(setup, paths.steps(name), paths.get(table.setup, paths.steps(name)))
    reviews.lay_cards(get_db(), table, setup)


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


# -- looking over ---


@room.get("/tables/<key>/photos")
def look_over(key: str) -> str | Response:
    """Every photo with its boards and whose they are; the boards straightened, with what was read on each square."""
    visit = come_to(key)
    review = reviews.Review(visit, reader_of(visit.table))
    if not review.photos:
        return redirect(onward(visit.table, "boards" if visit.table.seats else "setup"), 303)
    return page(review)


def page(review: reviews.Review, problem: str = "") -> str:
    table = review.table
    return render_template(
        "photo/review.html",
        table=table,
        review=review,
        asked=review.asked,
        faces={choice.value: choice for choice in review.asked.choices},
        form=forms.build(review.card_inputs, table.setup),
        other_cards=listed(review.other_cards),
        newcomers=review.newcomers,
        problem=problem,
        is_asked="asked" in request.args,
        next_seat=next_seat(review),
    )


def next_seat(review: reviews.Review) -> str:
    """Return where the way leads once the boards are taken: the result if all are in, or whoever still waits."""
    waiting = [seat for seat in review.waiting if review.visit.may_enter(seat)]
    return str(waiting[0].number) if waiting and review.table.seats else "result"


@room.post("/tables/<key>/photos")
def change(key: str) -> Response | str:
    """Keep what was said of the boards, and enter them if somebody goes on."""
    with changing(key) as visit:
        review = reviews.Review(visit, reader_of(visit.table))
        table, problem = reviews.keep_posted(review, request.form)
        review = reviews.Review(visit.now_at(tables.find(visit.db, key) or table), review.reader)
        go = request.form.get("go")
        if go and not problem and not review.unclaimed:
            wanted = bool(request.form.get("keep"))
            visit = reviews.accept(review, wanted and quotas.has_room_for_photos(visit.db, table.club_id))
            if go == "result" and visit.table.phones < 2:
                finished.save_at_reveal(visit)
            return redirect(onward(visit.table, go), 303)
    if problem or request.headers.get("X-Tidemark") == "part":
        return page(review, problem)
    return redirect(url_for("photo.look_over", key=key, asked=1 if go else None), 303)


@room.post("/photos/<photo_key>/corners")
def corners(photo_key: str) -> Response:
    """Read a board where a finger put its corners; the photo need not be sent again."""
    photo, visit = under_review(photo_key)
    shooting.check(address())
    original = photos.picture(get_db(), photo, 0)
    number = number_in(request.form.get("board", "0"))
    if number is None or number > len(photo.reading.boards) or number >= MOST_BOARDS:
        abort(400)
    share = min(1.0, KEPT / max(photo.reading.size))  # the copy may have fewer pixels than the photo
    wanted = posted_corners(share)
    assert original is not None
    look = pool().look(original, wanted, cards=False, keep=False, game=visit.table.game.id, whose=address())
    if look.reading.boards:
        [board] = look.reading.boards
        back = replace(board, corners=tuple((x / share, y / share) for x, y in board.corners))
        photos.put_board(get_db(), photo, number, back, look.boards[0])
    return redirect(url_for("photo.look_over", key=visit.table.key), 303)


MOST_BOARDS = 12  # on one photo


def posted_corners(share: float) -> list[Point]:
    try:
        return [(float(x) * share, float(y) * share) for x, y in json.loads(request.form.get("corners", ""))]
    except (ValueError, TypeError, OverflowError, RecursionError):
        abort(400)


@room.post("/photos/<photo_key>/away")
def take_away(photo_key: str) -> Response:
    """The photo is taken back, and all that was read on it."""
    photo, visit = under_review(photo_key)
    photos.take_back(visit.db, photo)
    return redirect(url_for("photo.look_over", key=visit.table.key), 303)
