"""Responses that a browser saves as files."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from flask import Response


def download(content: str | bytes | Iterable[str] | Iterable[bytes], name: str, media: str) -> Response:
    """The content under that name, of that media type."""
    response = Response(content, mimetype=media)
    response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    return response
