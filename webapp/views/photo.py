"""Take photos of a whole table or of one board, and read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from typing import Any

from flask import Blueprint, abort, current_app, jsonify, redirect, request, url_for
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response

from scorer import games
from scorer.contract import Game, Problem
from scorer.sentences import say
from vision import games as readers
from vision.reading import Look
from webapp.clubs import access, address, needs, require
from webapp.database import get_db
from webapp.i18n import translate_all
from webapp.page import render_template
from webapp.photo_uploads import MAX_UPLOAD, digest, pool, uploads
from webapp.table import (
    Table,
    TableContext,
    events,
    forms,
    json_paths,
    photos,
    review,
    review_form,
    table_context,
    tables,
)
from webapp.viewfinder import MOST_FRAME, answer, viewfinder

blueprint = Blueprint("photo", __name__)

CARDS = "cards"  # what a photo taken during set-up should show
NO_CARDS_READ = Problem("no_cards_read", say("We couldn’t read a card. Lay cards flat and avoid glare."))
STORED_S = 30.0  # how long cards that were read wait until their photo is stored


@blueprint.url_value_preprocessor
def allow_photo(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Allow a larger body for a photo, after checking the device's rights. `values` are the arguments of the route.
    This comes before the CSRF check, which reads the whole body."""
    allowed: dict[str | None, Callable[..., object]] = {
        "photo.begin": may_begin,
        "photo.upload": context_with,
        "photo.upload_table": visit_of,
        "photo.look_for_game": may_begin,
        "photo.look_at_table": visit_of,
        "photo.look_at_seat": context_with,
    }
    if endpoint is not None and endpoint in allowed:
        allowed[endpoint](**(values or {}))
        request.max_content_length = MOST_FRAME if "look" in endpoint else MAX_UPLOAD


# -- rights ---


def may_begin(name: str) -> Game:
    """Return the game `name` if this device belongs to a member. Answer 404 if photos of it can't be read."""
    require(access.current(), "member")
    game = games.find(name)
    if game is None or readers.find(name) is None:
        abort(404)
    return game


def visit_of(key: str) -> TableContext:
    """Return this device's context at the table. Answer 404 if there is no photo reader for its game."""
    context = table_context(key)
    review.reader_of(context.table)
    return context


def context_with(key: str, number: int) -> TableContext:
    """Return this device's context at the table, if it may enter the board of seat `number`.

    Answer 404 if photos of the game can't be read.
    """
    context = table_context(key)
    seat = context.seat(number)
    if seat is None:
        abort(404)
    review.reader_of(context.table)
    if not context.may_enter(seat):
        abort(403)
    return context


# -- taking photos ---


@blueprint.get("/photo/<name>")
@needs("member")
def of_game(name: str) -> str:
    return begin_page(may_begin(name), [])


def begin_page(game: Game, problems: Sequence[Problem]) -> str:
    return render_template("photo/shoot.html", game=game, table=None, seat=None, problems=problems)


@blueprint.post("/photo/<name>")
@needs("member")
def begin(name: str) -> Response | str:
    """Start a table from photos of it, with the club's last options.

    If this device has sent the same photo before, use the table that was started then.
    """
    game, db = may_begin(name), get_db()
    sent = uploads()
    here = require(access.current(), "member")
    key: str | None = None
    found: list[Problem] = []
    for one in sent:
        twin = photos.known(db, access.phone_id(), digest(one))
        before = photos.find(db, twin) if twin else None
        if before is not None and key is None:
            key = photos.table_key(db, before)
            continue
        key, problems = begin_with(one, game, key, here.club_id)
        found += problems
    return redirect(url_for("review.show", key=key), 303) if key else begin_page(game, found)


def begin_with(sent: FileStorage, game: Game, key: str | None, club_id: int) -> tuple[str | None, Sequence[Problem]]:
    """Read one photo. Return the key of its table or None, then the problems with the photo. If `key` is None, a usable
    photo starts a new table."""
    db = get_db()

    def table_for_it() -> Table:
        nonlocal key
        if key is None:
            setup = tables.recall(db, club_id, game.id) or forms.defaults(game.inputs)
            key = tables.add(db, club_id, game, setup, [])
        table = tables.find(db, key)
        assert table is not None
        return table

    problems = read_and_store(sent, game, club_id, table_for_it)
    return key, problems


@blueprint.get("/tables/<key>/photo")
def shoot_table(key: str) -> str:
    return shoot_page(visit_of(key).table, None, [])


@blueprint.get("/tables/<key>/seats/<int:number>/photo")
def shoot(key: str, number: int) -> str:
    return shoot_page(context_with(key, number).table, number, [])


def shoot_page(table: Table, number: int | None, problems: Sequence[Problem]) -> str:
    seat = table.seats[number] if number is not None else None
    return render_template("photo/shoot.html", game=table.game, table=table, seat=seat, problems=problems)


@blueprint.post("/tables/<key>/photo")
def upload_table(key: str) -> Response | str:
    """Read posted photos of the whole table: boards for the players, cards for the set-up. If all can be used, go on to
    the review, or with "wants" "cards" to the set-up. Otherwise show the problems."""
    context, wants = visit_of(key), request.form.get("wants", "")
    problems: list[Problem] = []
    for sent in uploads():
        problems += read_and_store(sent, context.table.game, context.table.club_id, lambda: context.table, wants=wants)
    if problems:
        return shoot_page(context.table, None, problems)
    if wants == CARDS:
        return redirect(url_for("setup.show", key=key, _anchor="cards"), 303)
    return redirect(url_for("review.show", key=key), 303)


@blueprint.post("/tables/<key>/seats/<int:number>/photo")
def upload(key: str, number: int) -> Response | str:
    """Read posted photos of one player's board. Go on to the review, or show why a photo can't be used."""
    context = context_with(key, number)
    problems: list[Problem] = []
    for sent in uploads():
        problems += read_and_store(sent, context.table.game, context.table.club_id, lambda: context.table, seat=number)
    if problems:
        return shoot_page(context.table, number, problems)
    return redirect(url_for("review.show", key=key), 303)


def read_and_store(
    sent: FileStorage,
    game: Game,
    club_id: int,
    table_of: Callable[[], Table],
    seat: int | None = None,
    wants: str = "",
) -> Sequence[Problem]:
    """Read a photo and store a clean copy for the review. Return the problems if it can't be used.

    `table_of` finds or creates its table. Cards on the photo may be read later, in the background. With `wants`
    "cards", they are read at once, and a photo without cards can't be used.
    """
    db, mark, stored = get_db(), digest(sent), Future[str | None]()
    later = None if wants == CARDS else later_cards(stored, club_id)
    try:
        look = pool().look(sent.read, cards=True, game=game.id, whose=address(), later=later)
        if look.picture is None:  # not a photo
            return look.reading.problems
        if wants == CARDS and not look.reading.cards:
            return [NO_CARDS_READ]
        with db.atomic(club_id):
            table = table_of()
            key = photos.store(db, table, look, access.phone_id(), mark, seat)
            if not look.cards_follow:
                play_with_those_seen(tables.find(db, table.key), look)
        stored.set_result(key)
    finally:
        if not stored.done():
            stored.set_result(None)
    return []


def later_cards(stored: Future[str | None], club_id: int) -> Callable[[Look], None]:
    """Return a function that adds cards to a photo when they have been read. It first waits for `stored`, which gets
    the photo's key, or None if the photo was not stored."""
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
    """Put the cards on the photo (`look`) into play, unless a board has been entered. Cards that people have set by
    hand stay as they are."""
    if table is None or not look.reading.cards or any(seat.state is not None for seat in table.seats):
        return
    setup = review.reader_of(table).cards.with_seen(look.reading, table.setup)
    for name in {
        name for photo in photos.of_table(get_db(), table) for name in photo.told
    }:  # people have set these by hand
        setup = json_paths.put(setup, json_paths.steps(name), json_paths.get(table.setup, json_paths.steps(name)))
    review_form.lay_cards(get_db(), table, setup)


# -- the camera's preview ---


@blueprint.post("/photo/<name>/look")
@needs("member")
def look_for_game(name: str) -> Response:
    return seen_in_frame(may_begin(name))


@blueprint.post("/tables/<key>/photo/look")
def look_at_table(key: str) -> Response:
    return seen_in_frame(visit_of(key).table.game)


@blueprint.post("/tables/<key>/seats/<int:number>/photo/look")
def look_at_seat(key: str, number: int) -> Response:
    return seen_in_frame(context_with(key, number).table.game)


def seen_in_frame(game: Game) -> Response:
    """Return what a frame of the phone's camera shows, as the JSON of `viewfinder.answer`. The frame is not stored."""
    frame = request.get_data(cache=False)
    return jsonify(translate_all(answer(viewfinder().read(frame, game.id, access.phone_id()))))
