"""Tell what cannot be: databases of others and of tomorrow, bad places, settings that make no sense. All told in a
line.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.webapp.plays import club, database, draft, typed
from webapp import create_app, settings
from webapp.cli import main
from webapp.clubs.quotas import QUOTAS
from webapp.database import connect, files
from webapp.history import plays as history
from webapp.operator_errors import BadSetting
from webapp.schema import UnusableDatabase, upgrade

pytestmark = pytest.mark.sqlite  # about the file


@pytest.fixture
def live(tmp_path: Path) -> Path:
    path = tmp_path / "live.db"
    with database(path) as db:
        history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    return path


def tidemark(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "webapp.cli", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def from_tomorrow(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('tidemark', 'm999_wonders', 'x')"
        )
        db.commit()


COMMANDS = (
    ["serve", "--port", "1"],
    ["recount", "--check"],
    ["export"],
    ["backup", "copy.db"],
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command[0]))
def test_a_database_from_a_newer_version_is_refused_by_every_command(live: Path, command: list[str]) -> None:
    from_tomorrow(live)
    done = tidemark(*command, "--db", str(live), GLIBC_TUNABLES="glibc.malloc.tcache_count=0")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "newer Tidemark" in done.stderr
    assert "Traceback" not in done.stderr


def test_so_it_is_by_the_application_and_when_put_back(live: Path, tmp_path: Path) -> None:
    from_tomorrow(live)
    with pytest.raises(UnusableDatabase, match="newer"):
        create_app({"DATABASE": str(live)})
    assert main(["restore", str(live), "--db", str(tmp_path / "back.db")]) == 1
    assert not (tmp_path / "back.db").exists()


def folder(path: Path) -> None:
    path.mkdir()


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")


def torn(path: Path) -> None:
    with database(path) as db:
        history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))] * 20)
    path.write_bytes(path.read_bytes()[:3000])


def nothing(_: Path) -> None:
    pass


def pipe(path: Path) -> None:
    os.mkfifo(path)


PLACES: list[tuple[str, Callable[[Path], object], str]] = [
    ("folder", folder, "is not a tidemark database"),
    ("empty", Path.touch, "is empty"),
    ("text", lambda path: path.write_text("Dear diary, " * 100), "is not a tidemark database"),
    ("other", of_another_program, "is not a tidemark database"),
    ("torn", torn, "damaged"),
    ("pipe", pipe, "is not a tidemark database"),
    ("missing/parent", nothing, "there is no folder"),
    ("x" * 300, nothing, "name too long"),
]


@pytest.mark.parametrize(("name", "make", "sentence"), PLACES, ids=[name[:10] for name, _, _ in PLACES])
def test_a_bad_place_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, make: Callable[[Path], object], sentence: str
) -> None:
    path = tmp_path / name
    make(path)
    for command in (["demo", "--games", "1"], ["clock"], ["serve", "--port", "1"]):
        os.environ["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=0"  # serve starts over without
        try:
            code = main([*command, "--db", str(path)])
        except SystemExit as fault:  # there is none to work on
            code, told = 1, str(fault)
        else:
            told = capsys.readouterr().err
        assert code == 1
        assert sentence in told.lower() or command == ["clock"], told
        assert told.strip().count("\n") == 0


def test_a_database_without_a_name_is_refused() -> None:
    with pytest.raises(UnusableDatabase, match="is not a Tidemark database"):
        upgrade.opened("")


@pytest.mark.parametrize(("denied", "right"), [("file", os.R_OK), ("file", os.W_OK), ("folder", os.W_OK)])
def test_what_must_not_be_touched_is_told(live: Path, monkeypatch: pytest.MonkeyPatch, denied: str, right: int) -> None:
    """Root may access everything, so the check of rights is replaced."""
    target = live if denied == "file" else live.parent
    monkeypatch.setattr(files, "may", lambda path, asked: not (path == target and asked & right))
    with pytest.raises(UnusableDatabase, match="can’t read or write"):
        upgrade.opened(live)


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can become somebody else")
def test_somebody_elses_database_is_told_in_a_line(live: Path) -> None:
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--clear-groups", sys.executable, "-c", f"open({str(live)!r})"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Permission denied" in done.stderr  # as whoever this is, the system itself says no


def test_a_full_disk_and_a_locked_file_have_their_sentences(live: Path) -> None:
    with closing(connect(live)) as db:
        db.execute("PRAGMA max_page_count = 1")
        with pytest.raises(sqlite3.OperationalError) as full:
            db.execute("CREATE TABLE more AS SELECT randomblob(1000000)")
    assert "is full" in files.of_fault(live, full.value)


# -- settings ---


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", "123456"),
        ("SECRET_KEY", "x"),
        ("PROXY", "maybe"),
        ("PROXY", "-1"),
        ("PROXY_FROM", "next door"),
        ("SIGNUP", "perhaps"),
        ("PUBLIC_URL", "scores"),
        ("PUBLIC_URL", "http://[::1"),
        ("PUBLIC_URL", "http://host:99999999"),
        ("TRUSTED_HOSTS", "{}"),
        ("TRUSTED_HOSTS", '["a b"]'),
        ("TRUSTED_HOSTS", "[1]"),
        ("BGG", "12"),
        ("BGG", '{"tenby": "many"}'),
        ("BGG", "[" * 100_000),
        ("TRANSLATIONS", "/dev/null/nowhere"),
        ("METRICS_TOKEN", "x"),
        ("WEBHOOK", "hub.example/games"),
        ("WEBHOOK", "ftp://hub.example"),
        ("WEBHOOK", "https://ann:secret@hub.example"),
        ("WEBHOOK", "https://hub.example/#games"),
        ("WEBHOOK", "https://hub.example"),  # without a secret
        ("WEBHOOK_SECRET", "short"),
        ("QUOTA_PLAYS", "many"),
        ("QUOTA_MEGABYTES", "-1"),
    ],
)
def test_a_setting_without_sense_is_told(name: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=f"TIDEMARK_{name}"):
        settings.of({f"TIDEMARK_{name}": value})
    if len(value) < 1000 and name in {"SECRET_KEY", "PROXY"}:
        done = tidemark("serve", "--port", "1", "--db", str(tmp_path / "x.db"), **{f"TIDEMARK_{name}": value})
        assert done.returncode == 1
        assert f"TIDEMARK_{name}" in done.stderr and "Traceback" not in done.stderr
        assert value not in done.stderr or len(value) == 1


def test_settings_are_read_as_what_they_are() -> None:
    assert settings.of(
        {
            "TIDEMARK_SECRET_KEY": "12345678901234567890",
            "TIDEMARK_PROXY": "1",
            "TIDEMARK_TRUSTED_HOSTS": '["scores.example"]',
            "TIDEMARK_PUBLIC_URL": "https://scores.example/",
            "TIDEMARK_BGG": '{"tenby": 12345}',
            "TIDEMARK_SIGNUP": "",
            "TIDEMARK_QUOTA_PLAYS": "1000",
            "TIDEMARK_NONSENSE": "1",
            "HOME": "/root",
        }
    ) == {
        "SECRET_KEY": "12345678901234567890",
        "PROXY": 1,
        "TRUSTED_HOSTS": ["scores.example"],
        "PUBLIC_URL": "https://scores.example/",
        "BGG": {"tenby": 12345},
        "QUOTA_PLAYS": 1000,
    }


def test_every_quota_can_be_set() -> None:
    assert {f"QUOTA_{what.upper()}" for what in QUOTAS} <= set(settings.KNOWN)


# -- files that only their owner reads ---


def others_may(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode) & 0o077


def test_whatever_the_umask_files_are_their_owners(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = tmp_path / "club.db"
        with database(path) as db:
            history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
            made = {file.name for file in tmp_path.iterdir()}
            assert {"club.db", "club.db-wal", "club.db-shm", "club.db.lock"} <= made
            assert not [file.name for file in tmp_path.iterdir() if others_may(file)]
        for command in (["backup", "copy.db"], ["export", "all.json"], ["export", "scores.csv"]):
            assert main([command[0], str(tmp_path / command[1]), "--db", str(path)]) == 0
        assert main(["restore", str(tmp_path / "copy.db"), "--replace", "--db", str(path)]) == 0
        assert len(list(tmp_path.glob("club.db.before-*"))) >= 1
        assert not [file.name for file in tmp_path.rglob("*") if others_may(file)]
    finally:
        os.umask(before)


def test_files_of_before_are_narrowed_and_it_is_said_once(live: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copies = live.parent / "backups"
    copies.mkdir()
    old = copies / "live-2026-01-01.db"
    shutil.copy(live, old)
    for path in (live, old):
        path.chmod(0o644)
    assert main(["recount", "--check", "--db", str(live)]) == 0
    assert "other users could read live.db, live-2026-01-01.db. Only you can now" in capsys.readouterr().err
    assert (others_may(live), others_may(old)) == (0, 0)
    assert main(["recount", "--check", "--db", str(live)]) == 0
    assert capsys.readouterr().err == ""
