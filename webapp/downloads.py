"""Make responses that a browser saves as files."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from flask import Response


def download(content: str | bytes | Iterable[str] | Iterable[bytes], name: str, media: str) -> Response:
    """Return the content as a download with this name and media type."""
    response = Response(content, mimetype=media)
    response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    return response
