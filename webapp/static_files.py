"""Serve our style sheets, scripts, drawings and fonts at addresses that change when any of them does.

So browsers may keep them for good. While servers of two versions answer at one address, a page of one may ask the other
for its files: each stores its own where all find them (`Engine.store_static_files`).

The files of a game are in the folder `page` of its package and are sent from `games/<id>/`. Three files combine those
of all games: `app.css` (colours), `css/boards.css` (positions of drawings) and `scenes.svg`.
"""

from __future__ import annotations

import hashlib
import json
import mimetypes
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from flask import Flask, abort, request
from werkzeug.wrappers import Response

from scorer import games
from webapp import compression, themes
from webapp.database import Database, engine_of, get_db

FOLDER = Path(__file__).parent / "static"
COLLECTED = {"app.css": themes.sheet, "css/boards.css": themes.boards, "scenes.svg": themes.scenes}
PACKAGES = "packages.json"  # the installed packages with games; browsers can't fetch it
MERGED = "scene.svg"  # part of `scenes.svg`


def files(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files in a folder and its subfolders, by names such as "css/boards.css"."""
    found = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}


@cache
def game_files() -> dict[str, bytes]:
    """Return the contents of the files in the folders `page` of all games, including templates. The keys are names such
    as "games/<id>/style.css"."""
    return {
        f"games/{game}/{file.name}": file.read_bytes()
        for game in games.ids()
        for file in sorted(themes.page_folder(game).glob("*"))
        if file.suffix in {".html", *compression.KINDS} and file.is_file()
    }


@cache
def public_files() -> dict[str, bytes]:
    """Return the contents of every file that browsers may ask for, by its name."""
    ours = {name: content for name, content in files(FOLDER).items() if name != MERGED}
    theirs = {name: content for name, content in game_files().items() if _is_sent(PurePosixPath(name))}
    together = {name: collect().encode() for name, collect in COLLECTED.items()}
    return {**ours, **theirs, **together}


def _is_sent(path: PurePosixPath) -> bool:
    return path.suffix in compression.KINDS and path.name != MERGED


def version(files: Mapping[str, bytes]) -> str:
    """Return ten characters that change whenever one of the files does."""
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:10]


@cache
def address() -> str:
    """Return the address below which this version's files are; it changes with any file, template or game package."""
    return f"/static/{version({**game_files(), **public_files(), PACKAGES: packages()})}"


def packages() -> bytes:
    """Return the packages of games that are not built in, for the doctor of another node. It is a JSON object from each
    game's id to the name and version of its package."""
    return json.dumps(games.installed()).encode()


def store_static_files(app: Flask, db: Database) -> None:
    """Store this version's files where other nodes find them, if the engine shares files."""
    ours = str(app.static_url_path).rpartition("/")[2]
    engine_of(app.config["DATABASE"]).store_static_files(db, ours, lambda: {**public_files(), PACKAGES: packages()})


def install(app: Flask) -> None:
    """Serve this version's files by Flask's static route, and those of other versions by another route."""
    engine = engine_of(app.config["DATABASE"])

    def served(filename: str, version: str = "") -> Response:
        content = engine.static_file(get_db(), version, filename) if version else public_files().get(filename)
        kind = compression.KINDS.get(PurePosixPath(filename).suffix)
        if not version:
            kind = kind or mimetypes.guess_type(filename)[0]
        if content is None or not kind:
            abort(404)
        response = Response(content, mimetype=kind)
        response.add_etag()
        return response.make_conditional(request, accept_ranges=True, complete_length=len(content))

    app.add_url_rule("/static/<version>/<path:filename>", endpoint="static")
    app.view_functions["static"] = served


def allow_caching(response: Response) -> None:
    """Let every cache keep the answer for good, unless it is an error."""
    if response.status_code < 400:
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        compression.compress(request, response)
    else:
        response.headers["Cache-Control"] = "no-store"
