"""Photos that phones send: how large and how many, and the processes that read them."""

from __future__ import annotations

from flask import current_app, request

from vision.worker import Pool
from webapp.clubs import Limit, address

MAX_UPLOAD = 20 * 1024 * 1024  # the largest photo a phone takes, sent as it is where there is no script

shooting = Limit(attempts=30, seconds=60)


def pool() -> Pool:
    """The processes that read photos, started with the first photo and shared by all requests."""
    if "photos" not in current_app.extensions:
        current_app.extensions["photos"] = Pool()
    found: Pool = current_app.extensions["photos"]
    return found


def take_upload() -> bytes:
    """The photo of this request."""
    shooting.check(address())
    sent = request.files.get("photo")
    return sent.read() if sent else b""
