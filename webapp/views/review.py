"""Review photos: assign boards to players, check the squares, and accept the boards."""

from __future__ import annotations

import json
from dataclasses import replace

from flask import Blueprint, abort, current_app, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer.sentences import listed
from vision.pictures import KEPT
from vision.reading import Point
from webapp.clubs import access, address, quotas
from webapp.database import get_db
from webapp.history import finished
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.photo_uploads import pool, shooting
from webapp.table import TableContext, changing, forms, onward, photos, review_form, review_page, table_context, tables
from webapp.table import review as reviews

blueprint = Blueprint("review", __name__)

MOST_BOARDS = 12  # on one photo


def under_review(photo_key: str) -> tuple[photos.Photo, TableContext]:
    """Return a photo under review, and this device's context at its table.

    Answer 403 unless the device belongs to a member or took the photo, and 404 if there is no such photo.
    """
    photo = photos.find(get_db(), photo_key)
    key = photos.table_key(get_db(), photo) if photo else None
    if photo is None or key is None:
        abort(404)
    context = table_context(key)
    if not context.may("member") and photo.device != context.device:
        abort(403)
    reviews.reader_of(context.table)
    return photo, context


@blueprint.get("/photos/<photo_key>/<int(max=999999999):number>.jpg")
def picture(photo_key: str, number: int) -> Response:
    """Return the photo (`number` 0) or a board of it: to its reviewers until the game is saved, then to the club."""
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


@blueprint.get("/tables/<key>/photos")
def show(key: str) -> str | Response:
    """Show the photos, with each board straightened and what was read on its squares."""
    context = table_context(key)
    review = reviews.Review(context, reviews.reader_of(context.table))
    if not review.photos:
        return redirect(onward(context.table, "boards" if context.table.seats else "setup"), 303)
    return page(review)


def page(review: reviews.Review, problem: str = "") -> str:
    table = review.table
    return render_template(
        "photo/review.html",
        table=table,
        review=review,
        pictures=review_page.pictures(review),
        boards=review_page.boards(review),
        faces={choice.value: choice for choice in review.asked.choices},
        form=forms.build(review.card_inputs, table.setup),
        other_cards=listed(review.other_cards),
        newcomers=review.newcomers,
        problem=problem,
        is_asked="asked" in request.args,
        is_keep_ticked="keep" in request.values,
        next_seat=next_seat(review),
    )


def next_seat(review: reviews.Review) -> str:
    """Return where to go after the review: the number of a seat whose board is missing, or "result"."""
    waiting = [seat for seat in review.waiting if review.context.may_enter(seat)]
    return str(waiting[0].number) if waiting and review.table.seats else "result"


@blueprint.post("/tables/<key>/photos")
def change(key: str) -> Response | str:
    """Save what was corrected, and accept the boards if the user goes on."""
    with changing(key) as context:
        review = reviews.Review(context, reviews.reader_of(context.table))
        table, problem = review_form.keep_posted(review, request.form)
        review = reviews.Review(context.now_at(tables.find(context.db, key) or table), review.reader)
        go = request.form.get("go")
        if go and not problem and not review.unclaimed:
            has_room = quotas.has_room_for_photos(context.db, table.club_id)
            keeps_photo, sampled = "keep" in request.form and has_room, current_app.config["PHOTO_SAMPLES"] and has_room
            context = review_form.accept(review, keeps_photo, sampled)
            if go == "result" and context.table.phones < 2:
                finished.save_at_reveal(context)
            return redirect(onward(context.table, go), 303)
    if problem or request.headers.get("X-Tidemark") == "part":
        return page(review, problem)
    ticked = 1 if "keep" in request.form else None
    return redirect(url_for("review.show", key=key, asked=1 if go else None, keep=ticked), 303)


@blueprint.post("/photos/<photo_key>/corners")
def corners(photo_key: str) -> Response:
    """Read a board again with corners that the user placed."""
    photo, context = under_review(photo_key)
    shooting.check(address())
    original = photos.picture(get_db(), photo, 0)
    number = number_in(request.form.get("board", "0"))
    if number is None or number > len(photo.reading.boards) or number >= MOST_BOARDS:
        abort(400)
    share = min(1.0, KEPT / max(photo.reading.size))  # the stored copy may be smaller than the photo
    wanted = posted_corners(share)
    assert original is not None
    look = pool().look(original, wanted, cards=False, keep=False, game=context.table.game.id, whose=address())
    if look.reading.boards:
        [board] = look.reading.boards
        back = replace(board, corners=tuple((x / share, y / share) for x, y in board.corners))
        photos.put_board(get_db(), photo, number, back, look.boards[0])
    return redirect(url_for("review.show", key=context.table.key), 303)


def posted_corners(share: float) -> list[Point]:
    try:
        return [(float(x) * share, float(y) * share) for x, y in json.loads(request.form.get("corners", ""))]
    except (ValueError, TypeError, OverflowError, RecursionError):
        abort(400)


@blueprint.post("/photos/<photo_key>/away")
def remove(photo_key: str) -> Response:
    """Delete a photo and everything that was read on it."""
    photo, context = under_review(photo_key)
    photos.take_back(context.db, photo)
    return redirect(url_for("review.show", key=context.table.key), 303)
