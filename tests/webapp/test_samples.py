"""Photos kept as samples: only where the owner of the server wants it, only with a yes, and for members alone."""

from __future__ import annotations

import io
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webapp.canned import PATIENT, Canned, size_of
from tests.webapp.conftest import Device, Laid, lay_towns
from vision import pictures
from vision.reading import Look
from vision.worker import Pool
from webapp import clubs, settings
from webapp.cli.command import main
from webapp.database import Database, connect
from webapp.exchange import club_sqlite
from webapp.table import samples

pytestmark = pytest.mark.either

PHOTO = (Path(__file__).parent.parent / "vision" / "photos" / "00.jpg").read_bytes()
QUESTION = "May we keep the boards on this photo"


class Cutting(Canned):
    """A made-up reading whose boards are cut out in earnest."""

    def cut_out(self, photo: bytes, boards: Any, _: str) -> Look:
        return pictures.cut_out(photo, boards)


@pytest.fixture(autouse=True)
def samples_are_wanted(app: Flask) -> None:
    app.config.update(PHOTO_SAMPLES=1, WTF_CSRF_ENABLED=False)
    app.extensions["photos"] = Cutting()


@pytest.fixture
def table(owner: Device, db: Database) -> str:
    """The address of a table into which two boards of one photo were entered, one square of them corrected."""
    path = lay_towns(owner)
    review = send(owner, f"{path}/photo")
    [(photo,)] = db.execute("SELECT id FROM photos").fetchall()
    owner.post(review, {f"whose/{photo}/0": "0", f"whose/{photo}/1": "1", f"squares/{photo}/0/0/0": "tavern"})
    owner.post(review, {"go": "2"})
    return path


def send(device: Device, address: str) -> str:
    sent = {"photo": (io.BytesIO(PHOTO), "board.jpg")}
    return str(device.post(f"{address}", sent, content_type="multipart/form-data").location)


def finished(device: Device, table: str) -> str:
    """The page of the result, with a third board that was entered by hand."""
    device.get(f"{table}/seats/2")
    device.post(f"{table}/seats/2", {"grid/0/0": "cottage"})
    return device.get(f"{table}/result?checked=1")


def waiting(db: Database) -> samples.Sample:
    [(key,)] = db.execute("SELECT key FROM samples WHERE permitted_at IS NULL").fetchall()
    sample = samples.find(db, key)
    assert sample is not None
    return sample


def say_yes(device: Device, db: Database, club: int) -> list[samples.Sample]:
    device.post(f"/data/samples/{waiting(db).key}", {"keep": "yes"})
    return samples.of_club(db, club)


def rows(db: Database) -> int:
    return int(db.execute("SELECT count(*) FROM samples").fetchone()[0])


def test_nothing_is_asked_and_kept_unless_the_setting_is_on(app: Flask, owner: Device, db: Database) -> None:
    app.config["PHOTO_SAMPLES"] = 0
    path = lay_towns(owner)
    review = send(owner, f"{path}/photo")
    [(photo,)] = db.execute("SELECT id FROM photos").fetchall()
    owner.post(review, {f"whose/{photo}/0": "0", f"whose/{photo}/1": "1"})
    owner.post(review, {"go": "2"})
    assert rows(db) == 0 and QUESTION not in finished(owner, path)
    assert settings.of({"TIDEMARK_PHOTO_SAMPLES": "1"}) == {"PHOTO_SAMPLES": 1}


def test_a_result_asks_and_a_yes_keeps_each_board_by_itself(owner: Device, db: Database, club: int, table: str) -> None:
    assert rows(db) == 1 and samples.of_club(db, club) == [], "nothing is kept before somebody said so"
    page = finished(owner, table)
    assert QUESTION in page and "checked" not in page.partition(QUESTION)[2].partition("</form>")[0]
    kept = say_yes(owner, db, club)
    assert len(kept) == 2 and rows(db) == 2
    whole = size_of(PHOTO)
    for sample in kept:
        picture = samples.picture(db, sample)
        wide, high = size_of(picture)
        [board] = sample.boards
        assert wide < 0.6 * whole[0] and all(0 <= x <= wide and 0 <= y <= high for x, y in board["corners"])
        assert b"Exif" not in picture and sample.permission.startswith(QUESTION) and sample.permitted_at
    grids = [sample.boards[0]["grid"] for sample in kept]
    assert ["tavern", "unknown"] in [grid[0][:2] for grid in grids], "as corrected; a doubt nobody looked at is unknown"
    assert QUESTION not in owner.get(f"{table}/result?checked=1")
    assert owner.post(f"/data/samples/{kept[0].key}", {"keep": "yes"}).status_code == 404


def test_a_no_forgets_the_photo(owner: Device, db: Database, table: str) -> None:
    finished(owner, table)
    assert owner.post(f"/data/samples/{waiting(db).key}", {"keep": "no"}).status_code == 303
    assert rows(db) == 0


def test_a_photo_without_an_answer_is_forgotten_after_a_day_or_with_its_table(
    owner: Device, db: Database, table: str
) -> None:
    samples.forget_unanswered(db)
    assert rows(db) == 1
    db.execute("UPDATE samples SET created_at = '2020-01-01T00:00:00Z'")
    samples.forget_unanswered(db)
    assert rows(db) == 0


def test_discarding_the_game_forgets_the_photo(owner: Device, db: Database, table: str) -> None:
    owner.get(f"{table}/setup")
    owner.post(f"{table}/clear")
    assert rows(db) == 0


def test_a_saved_game_asks_as_well(owner: Device, db: Database, table: str) -> None:
    finished(owner, table)
    play = owner.post(f"{table}/save").location
    assert QUESTION in owner.get(play)
    assert owner.post(f"/data/samples/{waiting(db).key}", {"keep": "no"}).location == play


def test_the_club_lists_and_deletes_its_samples(
    owner: Device, member: Device, db: Database, club: int, table: str
) -> None:
    finished(owner, table)
    one, other = say_yes(owner, db, club)
    assert "/data/samples" in member.get("/data")
    page = member.get("/data/samples")
    assert one.key in page and other.key in page and "Permission given on" in page
    member.post(f"/data/samples/{one.key}/delete")
    assert samples.of_club(db, club) == [other]
    member.get(f"/data/samples/{one.key}.jpg", 404)


def test_only_members_see_and_delete_samples(
    owner: Device, viewer: Device, stranger: Device, db: Database, club: int, table: str
) -> None:
    finished(owner, table)
    asked, visitor = waiting(db), Device(owner.client.application.test_client())
    visitor.get(f"/join/{clubs.links(db, clubs.create(db, 'Sunday'))['owner']}")
    for device, status in ((viewer, 403), (stranger, 404), (visitor, 404)):
        for path in (asked.key, f"{asked.key}/delete"):
            assert device.post(f"/data/samples/{path}", {"keep": "yes"}).status_code == status
        device.get(f"/data/samples/{asked.key}.jpg", status)
    viewer.get("/data/samples", 403)
    assert rows(db) == 1


def test_guests_are_not_asked(laid: Laid, stranger: Device, db: Database) -> None:
    laid.seat(stranger, 1)
    review = send(stranger, f"{laid.path}/seats/1/photo")
    stranger.post(review, {"go": "1"})
    laid.enter_all(done=True)
    stranger.post(f"{laid.path}/reveal")
    assert QUESTION not in stranger.get(f"{laid.path}/result?checked=1")
    assert stranger.post(f"/data/samples/{waiting(db).key}", {"keep": "yes"}).status_code in {403, 404}


def test_a_club_that_is_full_is_not_asked(app: Flask, owner: Device, db: Database, club: int, table: str) -> None:
    finished(owner, table)
    app.config["QUOTA_PHOTOS"] = len(say_yes(owner, db, club))
    review = send(owner, f"{table}/seats/2/photo")
    owner.get(review)
    owner.post(review, {"go": "result"})
    assert rows(db) == 2


def test_the_file_of_the_club_has_its_samples(
    owner: Device, db: Database, club: int, table: str, tmp_path: Path
) -> None:
    finished(owner, table)
    say_yes(owner, db, club)
    send(owner, f"{table}/photo")
    club_sqlite.write(db, club, tmp_path / "club.db")
    with closing(connect(str(tmp_path / "club.db"))) as copy:
        assert len(samples.of_club(copy, club)) == rows(copy) == 2


def test_boards_are_cut_out_in_the_process_for_photos(
    owner: Device, app: Flask, db: Database, club: int, table: str
) -> None:
    with closing(Pool(limits=PATIENT)) as pool:
        app.extensions["photos"] = pool
        finished(owner, table)
        assert len(say_yes(owner, db, club)) == 2


def test_samples_are_exported_and_measured(
    app: Flask, owner: Device, db: Database, club: int, table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(owner, table)
    kept = say_yes(owner, db, club)
    assert main(["photo", "samples", str(tmp_path / "out"), "--db", app.config["DATABASE"]]) == 0
    [folder] = (tmp_path / "out").iterdir()
    truth = json.loads((folder / "truth.json").read_text())
    assert {*truth} == {f"{sample.key}.jpg" for sample in kept} and folder.name == "tiny_towns"
    assert all((folder / name).stat().st_mode & 0o077 == 0 and one["permission"] for name, one in truth.items())
    assert "boards found 0/2" in capsys.readouterr().out
