"""Serve the manifest, the service worker and the offline page, which make the site installable as an app."""

from __future__ import annotations

import json

from flask import Blueprint, Response, current_app, render_template, request, url_for

from webapp import static_files

blueprint = Blueprint("shell", __name__)

SCRIPT = "sw.js"  # the service worker

ICONS = [
    {"src": "icons/tidemark-192.png", "sizes": "192x192", "type": "image/png"},
    {"src": "icons/tidemark-512.png", "sizes": "512x512", "type": "image/png"},
    {"src": "icons/tidemark-maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    {"src": "icons/tidemark.svg", "sizes": "any", "type": "image/svg+xml"},
]


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    content = json.loads(render_template("shell/manifest.json"))
    content["icons"] = [{**icon, "src": url_for("static", filename=icon["src"])} for icon in ICONS]
    return Response(json.dumps(content, ensure_ascii=False), mimetype="application/manifest+json")


@blueprint.get("/sw.js")
def worker() -> Response:
    """Return the service worker with the list of this version's files."""
    files = [url_for("static", filename=name) for name in sorted(static_files.public_files()) if name != SCRIPT]
    lines = [
        f"const VERSION = {json.dumps(f'{request.script_root}{current_app.static_url_path}')};",
        f"const FILES = {json.dumps(files)};",
        f"const OFFLINE = {json.dumps(url_for('shell.offline'))};",
        static_files.public_files()[SCRIPT].decode(),
    ]
    return Response("\n".join(lines), mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


@blueprint.get("/offline")
def offline() -> Response:
    """Return the page for when there is no network. It names no user or club, as every device stores the same."""
    return Response(render_template("shell/offline.html"), headers={"Cache-Control": "no-cache"})
