"""What makes the site an app on a phone's home screen: the manifest, the service worker, and a page for no network."""

from __future__ import annotations

import json
from pathlib import Path

from flask import Blueprint, Response, current_app, render_template, request, url_for

room = Blueprint("shell", __name__)

ICONS = [
    {"src": "icons/tidemark-192.png", "sizes": "192x192", "type": "image/png"},
    {"src": "icons/tidemark-512.png", "sizes": "512x512", "type": "image/png"},
    {"src": "icons/tidemark-maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    {"src": "icons/tidemark.svg", "sizes": "any", "type": "image/svg+xml"},
]


def static_folder() -> Path:
    return Path(current_app.static_folder or "")


@room.get("/manifest.webmanifest")
def manifest() -> Response:
    content = json.loads(render_template("shell/manifest.json"))
    content["icons"] = [{**icon, "src": url_for("static", filename=icon["src"])} for icon in ICONS]
    return Response(json.dumps(content, ensure_ascii=False), mimetype="application/manifest+json")


@room.get("/sw.js")
def worker() -> Response:
    """The service worker with the files of this version; it sees all pages below the folder of its own address."""
    names = sorted(file.relative_to(static_folder()) for file in static_folder().rglob("*") if file.is_file())
    files = [url_for("static", filename=str(name)) for name in names if name.name != "sw.js"]
    lines = [
        f"const VERSION = {json.dumps(f'{request.script_root}{current_app.static_url_path}')};",
        f"const FILES = {json.dumps(files)};",
        f"const OFFLINE = {json.dumps(url_for('shell.offline'))};",
        (static_folder() / "sw.js").read_text(encoding="utf-8"),
    ]
    return Response("\n".join(lines), mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


@room.get("/offline")
def offline() -> Response:
    """Shown when there is no network. The same for everybody: no token, no name, no club."""
    return Response(render_template("shell/offline.html"), headers={"Cache-Control": "no-cache"})
