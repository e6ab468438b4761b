"""Accept photos from phones: limit their size and number, and start the processes that read them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

from flask import current_app, request
from werkzeug.datastructures import FileStorage

from vision.worker import LIMITS, Pool
from webapp.clubs import Limit, address

MAX_UPLOAD = 20 * 1024 * 1024  # the largest photo of a phone, unreduced if scripts are off

MOST_AT_ONCE = 6  # photos in one request
shooting = Limit("photos", attempts=30, seconds=60)


def pool() -> Pool:
    """Return the processes that read photos, shared by all requests; the first photo starts them."""
    if "photos" not in current_app.extensions:
        idle = current_app.config.get("PHOTO_IDLE", LIMITS.idle)
        current_app.extensions["photos"] = Pool(limits=replace(LIMITS, idle=idle))
    found: Pool = current_app.extensions["photos"]
    return found


def take_upload() -> Callable[[], bytes]:
    """Count a photo against the sender's limit, and return a function that reads it.

    If the request has no photo, the function returns b"".
    """
    shooting.check(address())
    sent = request.files.get("photo")
    return sent.read if sent else bytes


def uploads() -> list[FileStorage]:
    """Return the photos of this request, or one empty file if there are none; count each against the sender's limit."""
    sent = [one for one in request.files.getlist("photo") if one.filename][:MOST_AT_ONCE]
    sent = sent or [FileStorage(BytesIO())]
    for _ in sent:
        shooting.check(address())
    return sent


def digest(sent: FileStorage) -> str:
    """Return the checksum of the photo, by which an equal photo is recognised."""
    found = hashlib.file_digest(sent.stream, "sha256").hexdigest()  # type: ignore[arg-type]
    sent.stream.seek(0)
    return found
