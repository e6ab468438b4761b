"""Manage the photos that a club lets us keep as samples: ask for permission, list and delete them."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, flash, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.clubs import access, address, needs, require
from webapp.database import get_db
from webapp.history import saved_plays
from webapp.i18n import translate
from webapp.numbers import number
from webapp.page import render_template
from webapp.photo_uploads import pool, shooting
from webapp.table import samples

blueprint = Blueprint("samples", __name__, url_prefix="/data/samples")

SHOWN = 50  # samples on a page


def sample_of(key: str) -> samples.Sample:
    """Return the sample with this key if this device is a member of its club, else answer 403 or 404."""
    sample = samples.find(get_db(), key)
    if sample is None:
        abort(404)
    access.enter(sample.club_id, "member")
    return sample


@blueprint.get("")
@needs("member")
def listing() -> str:
    club_id = require(access.current(), "member").club_id
    before = number(request.args.get("before")) or 2**62
    found = samples.of_club(get_db(), club_id, before, SHOWN)
    return render_template("data/samples.html", samples=found, older=found[-1].id if len(found) == SHOWN else None)


@blueprint.get("/<sample_key>.jpg")
def picture(sample_key: str) -> Response:
    return Response(samples.picture(get_db(), sample_of(sample_key)), mimetype="image/jpeg")


@blueprint.post("/<sample_key>")
def answer(sample_key: str) -> BaseResponse:
    """Save the answer whether we may keep a photo: keep its boards, each cut out separately, or delete the photo."""
    sample, db = sample_of(sample_key), get_db()
    key = samples.table_key(db, sample)
    if key is None:
        abort(404)
    play = saved_plays.saved_from(db, key)
    back = url_for("play.show", key=play.key) if play else url_for("result.show", key=key)
    if request.form.get("keep") != "yes":
        samples.delete(db, sample)
    elif current_app.config["PHOTO_SAMPLES"]:
        shooting.check(address())
        look = pool().cut_out(samples.picture(db, sample), [board["corners"] for board in sample.boards], address())
        if len(look.boards) == len(sample.boards):
            samples.permit(db, sample, translate(samples.PERMISSION), look)
        else:
            flash("busy")
    return redirect(back, 303)


@blueprint.post("/<sample_key>/delete")
def delete(sample_key: str) -> BaseResponse:
    """Delete a sample for good, because the club withdraws its permission."""
    samples.delete(get_db(), sample_of(sample_key))
    return redirect(url_for("samples.listing"), 303)
