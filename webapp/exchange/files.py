"""Answers that a browser keeps as a file."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from flask import Response


def download(content: str | bytes | Iterable[str], name: str, media: str) -> Response:
    """A file to keep."""
    response = Response(content, mimetype=media)
    response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    return response
