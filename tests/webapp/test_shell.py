"""The app on the home screen: what its worker keeps, and above all what it does not."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path

from flask import Flask
from PIL import Image

from tests.webapp.conftest import Device
from webapp.app import fingerprint


def kept_files(stranger: Device) -> list[str]:
    found = re.search(r"const FILES = (\[.*?\]);", stranger.get("/sw.js"))
    assert found
    files: list[str] = json.loads(found.group(1))
    return files


def test_the_worker_keeps_only_static_files_and_the_page_for_no_network(stranger: Device) -> None:
    files = kept_files(stranger)
    assert files and all(file.startswith("/static/") for file in files)
    assert 'const OFFLINE = "/offline"' in stranger.page
    for file in files:
        with stranger.client.get(file) as answer:
            assert answer.status_code == 200, file


def test_the_workers_version_is_that_of_the_static_files_and_is_asked_for_anew(stranger: Device, app: Flask) -> None:
    stranger.get("/sw.js")
    assert f'const VERSION = "{app.static_url_path}"' in stranger.page
    assert stranger.client.get("/sw.js").headers["Cache-Control"] == "no-cache"


def test_the_address_of_static_files_is_new_whenever_one_of_them_is(tmp_path: Path) -> None:
    addresses = []
    for name, content in (("app.css", "a"), ("app.css", "b"), ("js/page.js", "c"), ("js/page.js", "d")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
        addresses.append(fingerprint(tmp_path))
    assert len(set(addresses)) == len(addresses)
    assert fingerprint(tmp_path) == addresses[-1]


def test_the_page_for_no_network_is_the_same_for_everybody(owner: Device, stranger: Device) -> None:
    page = owner.get("/offline")
    assert page == stranger.get("/offline")
    assert "csrf" not in page and "Thursday" not in page
    assert "Set-Cookie" not in owner.client.get("/offline").headers


def test_the_manifest_names_icons_of_their_true_sizes(stranger: Device) -> None:
    manifest = json.loads(stranger.get("/manifest.webmanifest"))
    assert manifest["display"] == "standalone" and manifest["start_url"] == manifest["scope"] == "/"
    purposes = {icon.get("purpose", "any") for icon in manifest["icons"]}
    assert purposes == {"any", "maskable"}
    for icon in manifest["icons"]:
        if icon["type"] == "image/png":
            with stranger.client.get(icon["src"]) as answer:
                image = Image.open(BytesIO(answer.data))
            assert f"{image.width}x{image.height}" == icon["sizes"]
