"""Our own files: sheets, scripts, drawings and fonts, at addresses that change when any of them does.

So browsers may keep them for good. While servers of two versions answer at one address, a page that the one has made
may ask the other for its files: each lays its own out where all find them (`Engine.lay_out`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from flask import Flask, abort, request
from werkzeug.wrappers import Response

from webapp import packing
from webapp.database import Database, engine_of, get_db

FOLDER = Path(__file__).parent / "static"


def files(folder: Path) -> dict[str, bytes]:
    """By name, all that it holds."""
    found = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}


def version(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:10]


def address() -> str:
    return f"/static/{version(files(FOLDER))}"


def lay_out(app: Flask, db: Database) -> None:
    """Before pages are made that name them. An engine that has no use for them does not have them read again."""
    ours = str(app.static_url_path).rpartition("/")[2]
    engine_of(app.config["DATABASE"]).lay_out(db, ours, lambda: files(FOLDER))


def install(app: Flask) -> None:
    """The address without a version in it is Flask's own, of this version."""
    engine = engine_of(app.config["DATABASE"])

    def served(filename: str, version: str = "") -> Response:
        if not version:
            return app.send_static_file(filename)
        content = engine.laid_out(get_db(), version, filename)
        kind = packing.KINDS.get(PurePosixPath(filename).suffix)
        if content is None or kind is None:
            abort(404)
        return Response(content, mimetype=kind)

    app.add_url_rule("/static/<version>/<path:filename>", endpoint="static")
    app.view_functions["static"] = served


def may_be_kept(response: Response) -> None:
    """For good, by everybody on the way; what is not there may be so in a moment."""
    if response.status_code < 400:
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        packing.pack(request, response)
    else:
        response.headers["Cache-Control"] = "no-store"
