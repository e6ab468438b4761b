"""Compress our style sheets, scripts and drawings, which shrink to a quarter of their size.

Pages are not compressed: they have secrets, and the size of a compressed page would give hints about them.
"""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache

from flask import Request
from werkzeug.wrappers import Response

TEXTS = {"text/css", "text/javascript", "image/svg+xml"}
KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
FILES = 128  # more than there are


def name_kinds() -> None:
    """Register the media types of our files, because on Windows any program may have changed that of scripts."""
    for ending, kind in KINDS.items():
        mimetypes.add_type(kind, ending)


def compress(request: Request, response: Response) -> None:
    """Compress a style sheet, script or drawing with gzip if the browser accepts it; never a part of a file."""
    if response.mimetype not in TEXTS or response.status_code != 200:
        return
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] and "Range" not in request.headers:
        response.direct_passthrough = False
        response.set_data(packed(response.get_data()))
        response.content_encoding = "gzip"


@lru_cache(FILES)
def packed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
