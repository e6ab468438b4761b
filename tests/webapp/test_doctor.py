"""The doctor: finds what is wrong, says what to do, and ends with a code that cron understands."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import namedtuple
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.webapp.plays import club, database, draft, typed
from tests.webapp.test_server import free_port
from vision.sandbox import Guards
from webapp import backup, doctor, jobs
from webapp import clock as clocks
from webapp.cli import main
from webapp.database import file_users, now, pack
from webapp.doctor import history, machine
from webapp.history import plays

pytestmark = pytest.mark.sqlite  # about the file, and copies of it


@pytest.fixture
def live(tmp_path: Path) -> Path:
    path = tmp_path / "live.db"
    with database(path) as db:
        plays.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    backup.rotate(path)
    return path


def found(path: Path, port: int = 1, **environment: str) -> dict[str, doctor.Finding]:
    """The worst of each thing looked at."""
    findings = doctor.examine(str(path), port, environment)
    return {one.check: one for one in sorted(findings, key=lambda one: one.level)}


def of_history(path: Path) -> dict[str, doctor.Finding]:
    return {one.check: one for one in sorted(history.checks(path), key=lambda one: one.level)}


def test_background_work_that_does_not_move_or_failed_is_named(live: Path) -> None:
    with database(live) as db:
        jobs.add(db, "import", club(db), total=1000)
        db.execute("UPDATE jobs SET done = 214")
        assert of_history(live)["jobs"].level == doctor.FINE
        db.execute("UPDATE jobs SET updated_at = '2026-01-01T00:00:00Z'")
        found = of_history(live)["jobs"]
        assert found.level == doctor.WARNING
        assert found.said == "These background jobs failed or are stuck: import 214/1000."
        db.execute("UPDATE jobs SET updated_at = ?, created_at = '2026-01-01T00:00:00Z'", [now()])
        assert of_history(live)["jobs"].level == doctor.WARNING, "it takes too long"
        db.execute("UPDATE jobs SET state = 'done'")
        assert of_history(live)["jobs"].level == doctor.FINE
        db.execute("UPDATE jobs SET state = 'failed', error = ?", [pack({"code": "fault", "fault": "KeyError"})])
        found = of_history(live)["jobs"]
        assert found.level == doctor.FAULT and "import (KeyError)" in found.said


def test_a_sound_installation_is_fine(live: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {file.name: file.read_bytes() for file in live.parent.glob("live.db*")}
    findings = found(live)
    mine = {
        check: one
        for check, one in findings.items()
        if check not in {"memory", "open_files", "tesseract", "photo_guards"}
    }
    assert {one.level for one in mine.values()} == {doctor.FINE}, mine
    assert {"schema", "integrity", "clock", "rights", "disk", "copies", "checksums", "photo_worker"} <= set(mine)
    assert {"settings", "proxy", "temporary", "server"} <= set(mine)
    assert live.read_bytes() == before["live.db"]  # nothing was changed
    code = main(["doctor", "--db", str(live), "--port", str(free_port())])
    assert code == doctor.worst(findings.values())
    assert "checks found nothing wrong" in capsys.readouterr().out


def test_for_machines(live: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live.write_bytes(b"SQLite format 3\0" + b"\xff" * 4080)
    assert main(["doctor", "--json", "--db", str(live), "--port", str(free_port())]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["level"] == 2
    [broken] = [one for one in told["findings"] if one["check"] == "database"]
    assert broken["level"] == "fault" and "Name another one" in broken["said"]


def test_bad_places_and_newer_databases(live: Path) -> None:
    assert of_history(live.parent)["database"].level == doctor.FAULT
    assert of_history(live.parent / "none.db")["database"].level == doctor.WARNING
    with closing(sqlite3.connect(live)) as db:
        db.execute("INSERT INTO _sqlite_migrations (migration_set, name) VALUES ('tidemark', 'm999_wonders')")
        db.commit()
    assert "newer" in of_history(live)["schema"].said


def test_rows_without_their_owner(live: Path) -> None:
    with closing(sqlite3.connect(live)) as db:
        db.execute("INSERT INTO seats (table_id, seat, name) VALUES (77, 0, 'Nobody')")
        db.commit()
    damaged = of_history(live)["integrity"]
    assert damaged.level == doctor.FAULT and "is damaged" in damaged.said


def test_tables_that_are_missing_are_named(live: Path) -> None:
    assert of_history(live)["tables"].level == doctor.FINE
    with closing(sqlite3.connect(live)) as db:
        db.execute("DROP TABLE photo_boards")
    lacking = of_history(live)["tables"]
    assert lacking.level == doctor.FAULT and "lacks photo_boards" in str(lacking.said)


def test_copies_that_are_missing_old_or_spoilt(live: Path) -> None:
    [copy] = backup.copies_of(live)
    old = time.time() - 3 * 24 * 3600
    os.utime(copy, (old, old))
    assert "72 hours old" in of_history(live)["copies"].said
    assert of_history(live)["copies"].level == doctor.WARNING
    content = bytearray(copy.read_bytes())
    content[5000] ^= 4
    copy.write_bytes(content)
    assert of_history(live)["checksums"].level == doctor.FAULT
    copy.unlink()
    assert of_history(live)["copies"].level == doctor.WARNING


@pytest.mark.skipif(os.name != "posix", reason="rights of files are told otherwise there")
def test_files_that_others_read(live: Path) -> None:
    live.chmod(0o640)
    live.parent.chmod(0o777)
    findings = of_history(live)
    assert "live.db" in findings["rights"].said and findings["rights"].level == doctor.WARNING
    assert findings["folder"].level == doctor.WARNING
    live.parent.chmod(0o700)


Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize(("free", "level"), [(10, 2), (200, 1), (5000, 0)])
def test_a_disk_that_fills_up(live: Path, monkeypatch: pytest.MonkeyPatch, free: int, level: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 0, free * 2**20))
    assert of_history(live)["disk"].level == level


def test_a_clock_that_leapt(live: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks.clock, "wall", lambda: datetime.now(UTC) + timedelta(days=40))
    assert of_history(live)["clock"].level == doctor.FAULT
    with closing(sqlite3.connect(live)) as db:  # it only looked
        assert "last" not in db.execute("SELECT value FROM settings WHERE name = 'clock'").fetchone()[0]


def of_settings(**environment: str) -> list[tuple[str, int]]:
    named = {f"TIDEMARK_{name}": value for name, value in environment.items()}
    return [(one.check, one.level) for one in machine.configuration(named)]


def test_settings_that_do_not_fit_together() -> None:
    public = "https://scores.example"
    assert of_settings() == [("settings", 0), ("proxy", 0)]
    assert of_settings(PUBLIC_URL=public, PROXY="1") == [("settings", 0), ("proxy", 0)]
    assert of_settings(PUBLIC_URL=public) == [("settings", 0), ("proxy", 1)]
    assert of_settings(PROXY="1") == [("settings", 0), ("proxy", 1)]
    assert of_settings(PUBLIC_URL=public, PROXY="1", TRUSTED_HOSTS="other.example") == [("settings", 0), ("proxy", 2)]
    assert of_settings(PUBLIC_URL=public, PROXY="1", TRUSTED_HOSTS=".example") == [("settings", 0), ("proxy", 0)]
    assert of_settings(PUBLIC_URL=public, PROXY="1", PROXY_FROM="0.0.0.0/0") == [("settings", 0), ("proxy", 2)]
    assert of_settings(PROXI="1") == [("settings", 1), ("proxy", 0)]
    assert of_settings(SECRET_KEY="x") == [("settings", 2)]


def test_few_files_and_no_room_for_uploads(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 4096))
    [few] = machine.files_open({"TIDEMARK_LISTENERS": "3500"})
    assert few.level == doctor.WARNING and "4200" in few.said and "4096" in few.said
    [enough] = machine.files_open({"TIDEMARK_LISTENERS": "3000"})
    assert enough.level == doctor.FINE

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    [no_room] = machine.temporary()
    assert no_room.level == doctor.FAULT and "No space left" in no_room.said


class Dead:
    def read(self, _: bytes) -> dict[str, Any]:
        return {"problems": [{"code": "too_hard"}]}

    def close(self) -> None:
        pass


def test_a_photo_worker_that_dies_and_no_tesseract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "Pool", Dead)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert [(one.check, one.level) for one in machine.photos()] == [("tesseract", 1), ("photo_worker", 2)]


def test_who_answers_at_the_port(live: Path, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = free_port()

    def level(port: int) -> int:
        [one] = machine.probe_server(live, port)
        return one.level

    assert level(nobody) == doctor.FINE
    with file_users.used(live):
        assert level(nobody) == doctor.WARNING  # a server that hangs, or listens elsewhere
    assert level(int(site.rpartition(":")[2])) == doctor.FINE
    monkeypatch.setattr(machine, "answer_at", lambda _: "hello")
    assert level(nobody) == doctor.WARNING


@pytest.mark.parametrize(("platform", "level"), [("linux", 1), ("darwin", 0), ("win32", 0)])
def test_what_the_reader_of_photos_gives_up_is_told(platform: str, level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert machine.guards(Guards(files=True, network=True)).level == 0
    assert machine.guards(Guards(files=True)).level == level
