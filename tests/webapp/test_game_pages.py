"""Tell what a game shows lies in its own folder: nothing of it stands elsewhere, and nothing of it hides what is
general.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import TemplateNotFound

from scorer import games
from tests.conftest import ROOT
from tests.packages import PEBBLES, install, installed
from tests.webapp.conftest import Device
from tests.webapp.plays import database
from webapp import clubs, create_app, static_files, themes
from webapp.app import HEADERS, TEMPLATES
from webapp.picture import boards
from webapp.table import example

pytestmark = pytest.mark.either

GAMES = [game.id for game in games.all_games()]
GENERAL = [TEMPLATES, themes.STATIC]


def test_no_template_script_or_sheet_of_all_names_a_game() -> None:
    names = "|".join([*GAMES, *(str(game.name) for game in games.all_games())])
    found = [
        (str(file.relative_to(ROOT)), hit)
        for folder in GENERAL
        for file in folder.rglob("*")
        if file.suffix in {".html", ".txt", ".json", ".js", ".css", ".svg"}
        for hit in re.findall(rf"\b(?:{names})\b", file.read_text(encoding="utf-8"), re.IGNORECASE)
    ]
    assert found == []


def test_a_page_of_a_game_is_found_below_its_name_only(app: Flask) -> None:
    env = app.jinja_env
    assert env.get_template("games/tenby/editor.html").filename == str(themes.page_folder("tenby") / "editor.html")
    assert env.get_template("base.html").filename == str(TEMPLATES / "base.html")
    for name in ("editor.html", "tenby/editor.html", "games/editor.html", "games/tenby/../pier_18/editor.html"):
        with pytest.raises(TemplateNotFound):
            env.get_template(name)


@pytest.mark.parametrize("game", GAMES)
def test_files_of_a_game_are_sent_and_its_templates_are_not(stranger: Device, app: Flask, game: str) -> None:
    below = f"{app.static_url_path}/games/{game}"
    for name, kind in (("style.css", "text/css"), ("art.svg", "image/svg+xml")):
        answer = stranger.client.get(f"{below}/{name}")
        assert (answer.status_code, answer.mimetype) == (200, kind)
        assert answer.data == (themes.page_folder(game) / name).read_bytes()
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
    for name in ("editor.html", "../about.toml", "..%2fabout.toml", "../state.py", "scene.svg"):
        assert stranger.client.get(f"{below}/{name}").status_code == 404


@pytest.fixture
def moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the folders of all games, without their Python, from which everything is read anew."""
    example.laid()  # once, from a file that is not copied
    for game in GAMES:
        python = shutil.ignore_patterns("*.py", "__pycache__", "examples")
        shutil.copytree(games.folder(game), tmp_path / game, ignore=python)
    monkeypatch.setattr(games, "folder", lambda name: tmp_path / name)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget() -> None:
    games.about_box.cache_clear()
    games._achievements.cache_clear()
    drawn = (themes._drawings, themes._scene_file, themes.pieces, themes.backdrop, boards.frame_of, boards.board_image)
    for kept in (themes.about, themes.of, *drawn):
        kept.cache_clear()
    for read in (static_files.game_files, static_files.public_files, static_files.address):
        read.cache_clear()


def test_the_address_of_files_counts_every_file_of_every_page_folder_and_the_colours(moved: Path) -> None:
    addresses = [static_files.address()]
    for name in ("tenby/page/style.css", "tenby/page/editor.html", "pier_18/page/scene.svg", "pier_18/about.toml"):
        file = moved / name
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace('accent = "#1f5390"', 'accent = "#1f5391"').replace("#fffaf0", "#fffaf1") + "\n")
        forget()
        addresses.append(static_files.address())
    assert len(set(addresses)) == len(addresses)


def test_a_game_that_brings_nothing_looks_like_the_app_and_is_entered_with_the_general_form(
    moved: Path, tmp_path: Path
) -> None:
    shutil.rmtree(moved / "tiny_towns" / "page")
    (moved / "tiny_towns" / "about.toml").unlink()
    assert themes.of("tiny_towns") == themes.of(themes.APP)
    assert themes.scene("tiny_towns") == themes.scene(themes.APP)
    assert themes.pieces("tiny_towns") == {} and boards.frame_of("tiny_towns") == boards.Frame()
    made = create_app({"DATABASE": str(tmp_path / "bare.db"), "TESTING": True, "SECRET_KEY": "for the tests"})
    device = Device(made.test_client())
    page = device.get("/")
    assert 'scenes.svg#scene-"/></svg><strong>Tiny Towns' in re.sub(r">\s+<", "><", page)
    page = device.get("/try")
    assert "css/boards.css" not in page and "style.css" not in page and "data-drawn" not in page
    assert page.count('class="square"') >= 16
    made.extensions["connections"].close()


@pytest.mark.parametrize(
    "broken",
    [
        "colours = 3",
        "colours.light = 7\ncolours.dark.ink = 'url(x)'",
        "x =",
        "picture = 1",
        "picture.grounds = 3",
        "picture.square = [1, 0]",
    ],
)
def test_what_cannot_be_read_of_one_game_leaves_the_others_as_they_are(
    moved: Path, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    sound = themes.of("pier_18")
    (moved / "tenby" / "about.toml").write_text(broken, encoding="utf-8")
    (moved / "tenby" / "page" / "scene.svg").write_text("<svg><symbol", encoding="utf-8")
    (moved / "tenby" / "page" / "art.svg").write_bytes(b"\xff\xfe")
    forget()
    assert themes.of("tenby") == themes.of(themes.APP) and themes.of("pier_18") == sound
    assert "url(x)" not in themes.sheet() and themes.sheet().count("[data-world=pier_18]") == 2
    assert themes.scene("tenby") == themes.scene(themes.APP) and themes.pieces("tenby") == {}
    assert 'id="scene-pier_18"' in themes.scenes() and 'id="scene-tenby"' not in themes.scenes()
    assert boards.frame_of("tenby") == boards.Frame()
    assert any("tenby" in record.getMessage() for record in caplog.records)


@pytest.fixture
def pebbles(tmp_path: Path) -> Iterator[Path]:
    """The folder `page` of an installed package: a general page's name, a page of its own, a sheet and a drawing."""
    install(tmp_path / "packages", "pebbles", PEBBLES, about='[colours.light]\naccent = "#123456"')
    page = tmp_path / "packages" / "tidemark_pebbles" / "page"
    page.mkdir()
    (page / "base.html").write_text("in its place")
    (page / "editor.html").write_text('<p id="own">{{ asset("games/pebbles/art.svg") }}</p>')
    (page / "script.js").write_text('import { changed } from "../../js/live.js";')
    (page / "style.css").write_text("[data-world=pebbles] .face { opacity: 1; }")
    (page / "art.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><symbol id="grey" viewBox="0 0 8 8">'
        '<path d="M0 0H8V8Z"/></symbol><use href="#grey" x="0" width="8" height="8"/></svg>'
    )
    (page / "notes.py").write_text("raise SystemExit")
    with installed(tmp_path / "packages"):
        forget()
        yield page
    forget()
    sys.modules.pop("tidemark_pebbles", None)


def test_a_package_brings_its_own_page_and_hides_none_of_ours(pebbles: Path, tmp_path: Path) -> None:
    made = create_app({"DATABASE": str(tmp_path / "club.db"), "TESTING": True, "SECRET_KEY": "for the tests"})
    with database(tmp_path / "club.db") as db:
        link = clubs.links(db, clubs.create(db, "Thursday"))["owner"]
    device = Device(made.test_client())
    device.get(f"/join/{link}")
    table = str(device.post("/tables", {"game": "pebbles"}).location).removesuffix("/setup")
    device.post(f"{table}/setup", {"new": "Ann"})
    page = device.get(f"{table}/seats/0")
    below = f"{made.static_url_path}/games/pebbles"
    assert f'<p id="own">{below}/art.svg</p>' in page and "in its place" not in page
    assert f'<script type="module" src="{below}/script.js">' in page and f'href="{below}/style.css"' in page
    assert 'data-world="pebbles" data-drawn' in page
    sheet = device.get(f"{made.static_url_path}/app.css")
    assert sheet.count("[data-world=pebbles] {") == 2 and "--accent: #123456" in sheet
    assert '[data-world=pebbles] { --art: url("../games/pebbles/art.svg"); --n: 1; }' in device.get(
        f"{made.static_url_path}/css/boards.css"
    )
    assert f"{below}/script.js" in device.get("/sw.js")
    for name in ("base.html", "editor.html", "notes.py"):
        device.get(f"{below}/{name}", status=404)
    made.extensions["connections"].close()
