"""The app on the home screen: what its worker keeps, and above all what it does not."""

from __future__ import annotations

import gzip
import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from PIL import Image

from tests.webapp.conftest import Device
from webapp.database import Database, engine_of
from webapp.static_files import files, version


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
        addresses.append(version(files(tmp_path)))
    (tmp_path / "app.css").rename(tmp_path / "another.css")
    addresses.append(version(files(tmp_path)))
    assert len(set(addresses)) == len(addresses)
    assert version(files(tmp_path)) == addresses[-1]


def test_what_this_version_has_not_is_kept_by_nobody(stranger: Device, app: Flask) -> None:
    """It may be there in a moment, where another server answers."""
    for address in (f"{app.static_url_path}/none.css", "/static/0123456789/app.css", "/static/0123456789/none"):
        answer = stranger.client.get(address)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store")
        assert "Set-Cookie" not in answer.headers


@pytest.mark.postgres
def test_files_of_another_version_are_as_that_one_laid_them_out(stranger: Device, app: Flask, db: Database) -> None:
    engine = engine_of(app.config["DATABASE"])
    engine.store_static_files(db, "0123456789", lambda: {"js/page.js": b"1;", "none": b"?"})
    answer = stranger.client.get("/static/0123456789/js/page.js", headers={"Accept-Encoding": "gzip"})
    assert answer.mimetype == "text/javascript" and gzip.decompress(answer.get_data()) == b"1;"
    assert "immutable" in answer.headers["Cache-Control"] and "Set-Cookie" not in answer.headers
    assert stranger.client.get("/static/0123456789/js/other.js").status_code == 404
    assert stranger.client.get("/static/0123456789/none").status_code == 404, "of no kind that pages ask for"
    engine.store_static_files(db, "0123456789", lambda: {"js/page.js": b"2;"})
    assert stranger.client.get("/static/0123456789/js/page.js").get_data() == b"2;"
    for number in range(4):
        engine.store_static_files(db, f"other{number}", lambda: {"js/page.js": b"3;"})
    assert stranger.client.get("/static/0123456789/js/page.js").status_code == 404, "nobody has been of it for long"


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
