"""A game from a package of its own is played in the web; its saved games stay readable when the package is gone."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.packages import PEBBLES, forget, install, installed
from tests.photographed import install_mosaic, photo_of_the_wall
from tests.webapp.bringing import bring, taken_out
from tests.webapp.conftest import Device
from tests.webapp.engines import place
from tests.webapp.plays import club, database
from webapp import clubs, create_app, doctor, server
from webapp.doctor import machine
from webapp.exchange.import_errors import Refused
from webapp.history import rebuild

pytestmark = pytest.mark.either

# What becomes of the package: nothing, a version that cannot be imported, one that breaks the contract.
LATER = {"gone": None, "broken": "import nowhere", "of another contract": "GAME = 5"}


@contextmanager
def at(path: Path) -> Iterator[Device]:
    """An owner at a server that has just been started."""
    app = create_app({"DATABASE": place(path), "TESTING": True, "SECRET_KEY": "for the tests"})
    with database(path) as db:
        link = clubs.links(db, club(db))["owner"]
    device = Device(app.test_client())
    device.get(f"/join/{link}")
    yield device
    app.extensions["connections"].close()


@pytest.fixture
def packages(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "packages"
    install(folder, "pebbles", PEBBLES)
    with installed(folder):
        yield folder
    sys.modules.pop("tidemark_pebbles", None)


def play(device: Device) -> str:
    """Enter 3 and 1 pebbles, 6 and 2 points, save the game and return its address."""
    device.get("/")
    table = device.post("/tables", {"game": "pebbles"}).location.removesuffix("/setup")
    for name in ("Ann", "Bob"):
        device.post(f"{table}/setup", {"new": name})
    device.get(f"{table}/seats/0")
    device.post(f"{table}/seats/0", {"pebbles": "3", "come": ["begins", "ends"]})
    page = device.get(f"{table}/seats/0")
    assert ">6</output>" in page
    assert "points still depend" not in page and "Leave out" not in page
    device.get(f"{table}/seats/1")
    device.post(f"{table}/seats/1", {"pebbles": "1", "come": ["begins", "ends"]})
    device.get(f"{table}/result")
    return device.post(f"{table}/save").location


def test_a_game_without_facts_of_the_table_is_entered_and_saved(packages: Path, tmp_path: Path) -> None:
    with at(tmp_path / "club.db") as device:
        page = device.get(play(device))
    assert "Pebbles" in page and "Ann" in page and "Edit game" in page


def test_a_package_with_a_board_of_its_own_is_photographed_and_looked_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(install_mosaic(tmp_path)))
    with installed(tmp_path / "site"), at(tmp_path / "club.db") as device:
        assert "We read the boards from your photo." in device.get("/")
        device.get("/photo/mosaic")
        sent = {"photo": (io.BytesIO(photo_of_the_wall()), "wall.jpg")}
        review = device.post("/photo/mosaic", sent, content_type="multipart/form-data").location
        page = device.get(review)
        assert page.count('<select name="squares/') == 15 and 'data-cell="E3"' in page and 'data-cell="A4"' not in page
        assert 'width="480" height="288"' in page and "data-follow" not in page
        [name] = re.findall(r'data-seen="([^"]+)"', page)
        # The first stone is said to be none: 5 are left.
        device.post(review, {"new": "Ann", "add": name, f"squares/{name}/0/0": "bare"})
        assert ">5<" in device.get(review) or "5 points" in device.get(review)
        assert device.post(review, {"go": "result"}).status_code == 303
        result = device.get(review.replace("/photos", "/result"))
        assert "Ann" in result and ">5<" in result
        device.client.application.extensions["photos"].close()
    for module in ("tidemark_mosaic.photo", "tidemark_mosaic"):
        sys.modules.pop(module, None)


@pytest.fixture
def later(packages: Path, tmp_path: Path) -> Callable[[str], str]:
    """A game is saved, and then something happens to its package; return the address of the game."""

    def happen(what: str) -> str:
        with at(tmp_path / "club.db") as device:
            saved = play(device)
        if LATER[what] is None:
            shutil.rmtree(packages)
            packages.mkdir()
        else:
            (packages / "tidemark_pebbles" / "__init__.py").write_text(LATER[what] or "", encoding="utf-8")
        sys.modules.pop("tidemark_pebbles", None)
        shutil.rmtree(packages / "tidemark_pebbles" / "__pycache__", ignore_errors=True)
        forget()
        return saved

    return happen


@pytest.mark.parametrize("what", LATER)
def test_saved_games_of_a_package_that_does_not_work_are_listed_shown_and_exported(
    later: Callable[[str], str], tmp_path: Path, what: str
) -> None:
    saved = later(what)
    with at(tmp_path / "club.db") as device:
        assert "Pebbles" in device.get("/plays") and "Pebbles" in device.get("/")
        page = device.get(saved)
        assert "The rules of this game are not installed." in page and "Ann" in page and ">6<" in page
        assert "Edit game" not in page and "Play this game again" not in page
        for action in ("edit", "again", "settle"):
            assert device.post(f"{saved}/{action}").status_code == 404
        assert ">6<" in device.get(f"{saved}/sheet")
        year = f"/stats/years/{datetime.now(UTC).year}"
        assert "Pebbles" in device.get("/stats") and "Pebbles" in device.get(year)
        for path in ("/stats/achievements", "/stats/how", "/players", "/club", "/data", "/plays/bin"):
            device.get(path)
        device.get("/stats/games/pebbles", status=404)
        [kept] = json.loads(device.get("/data/export/json"))["plays"]
        assert [score["total"] for score in kept["scores"]] == [6, 2]
        assert kept["record"]["players"][0] == {"name": "Ann", "pebbles": 3}
        [theirs] = json.loads(device.get("/data/export/bgstats"))["plays"]
        assert [score["score"] for score in theirs["playerScores"]] == ["6", "2"]
        assert "Pebbles 6" in theirs["comments"]
        assert '"pebbles","Ann","6","1"' in device.get("/data/export/players")
        device.get(saved)
        device.post(f"{saved}/delete")
        assert "Pebbles" in device.get("/plays/bin")
        device.post(f"{saved}/restore")
        assert "Pebbles" in device.get("/plays")


def test_a_file_with_games_of_a_missing_package_is_refused_by_the_name_of_the_game(
    later: Callable[[str], str], tmp_path: Path
) -> None:
    later("gone")
    with database(tmp_path / "club.db") as db:
        file = taken_out(db, club(db))
    said = "The file needs the game “pebbles”. Install it first."
    with database(tmp_path / "other.db") as db, pytest.raises(Refused, match=said):
        bring(db, clubs.create(db, "Other"), file)


def test_the_server_and_the_doctor_name_a_package_that_does_not_work(
    later: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    later("broken")
    [finding] = machine.packages()
    assert finding.level == doctor.WARNING and "We can’t import tidemark_pebbles" in finding.said
    server.name_refused_games()
    assert "tidemark: The game “pebbles” of tidemark-pebbles 1.0 was not loaded" in capsys.readouterr().err


def test_what_was_begun_with_a_package_that_is_gone_stops_no_page(later: Callable[[str], str], tmp_path: Path) -> None:
    with at(tmp_path / "club.db") as device:
        device.get("/")
        table = device.post("/tables", {"game": "pebbles"}).location.removesuffix("/setup")
        device.post(f"{table}/setup", {"new": "Ann"})
    saved = later("gone")
    with at(tmp_path / "club.db") as device:
        assert "Pebbles" in device.get("/")
        assert device.client.get(f"{table}/setup").status_code == 404
        assert device.post("/tables", {"game": "pebbles"}).status_code == 404
    with database(tmp_path / "club.db") as db:
        rebuild.rebuild(db)
    with at(tmp_path / "club.db") as device:
        assert ">6<" in device.get(saved)
