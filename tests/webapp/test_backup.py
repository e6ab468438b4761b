"""Copies: consistent while in use, checked, never over anything; and what a killed server has acknowledged is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.webapp.plays import club, database, draft, typed
from webapp import backup, history, recount
from webapp.backup import BackupError


@pytest.fixture
def live(tmp_path: Path) -> Path:
    path = tmp_path / "live.db"
    with database(path) as db:
        history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    return path


def test_a_copy_made_while_games_are_saved_is_one_moment_of_them(live: Path, tmp_path: Path) -> None:
    stop = threading.Event()

    def play_on() -> None:
        with database(live) as db:
            while not stop.is_set():
                history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])

    player = threading.Thread(target=play_on)
    player.start()
    try:
        for number in range(5):
            plays = backup.backup(live, tmp_path / f"copy{number}.db")
            assert plays >= 1
    finally:
        stop.set()
        player.join()
    for number in range(5):
        with database(tmp_path / f"copy{number}.db") as copy:
            assert recount.recount(copy, repair=False) == []


def test_a_copy_stands_alone(live: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere" / "copy.db"
    target.parent.mkdir()
    assert backup.backup(live, target) == 1
    assert [file.name for file in target.parent.iterdir()] == ["copy.db"]


def test_nothing_is_overwritten_silently(live: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup.backup(live, copy)
    with pytest.raises(BackupError, match="exists"):
        backup.backup(live, copy)
    with pytest.raises(BackupError, match="--replace"):
        backup.restore(copy, live)
    with database(live) as db:
        history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    aside = backup.restore(copy, live, replace=True)
    assert aside is not None
    assert (backup.checked(live), backup.checked(aside)) == (1, 2)


@pytest.mark.parametrize("content", [b"", b"not a database at all", b"SQLite format 3\0" + bytes(4096)])
def test_what_is_no_sound_copy_is_refused(live: Path, tmp_path: Path, content: bytes) -> None:
    bad = tmp_path / "bad.db"
    bad.write_bytes(content)
    with pytest.raises(BackupError):
        backup.restore(bad, live, replace=True)
    assert backup.checked(live) == 1


def test_a_torn_copy_is_refused(live: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup.backup(live, copy)
    torn = bytearray(copy.read_bytes())
    for page in range(8, len(torn) // 4096, 3):
        torn[page * 4096 : page * 4096 + 200] = os.urandom(200)
    copy.write_bytes(torn)
    with pytest.raises(BackupError, match="damaged|not a Tidemark"):
        backup.restore(copy, live, replace=True)


def test_what_is_missing_is_told(live: Path, tmp_path: Path) -> None:
    for missing in (
        lambda: backup.backup(tmp_path / "no.db", tmp_path / "x.db"),
        lambda: backup.checked(tmp_path / "no.db"),
    ):
        with pytest.raises(BackupError, match="there is no"):
            missing()
    with pytest.raises(BackupError, match="could not be written"):
        backup.backup(live, tmp_path / "no folder" / "x.db")


def test_seven_days_and_four_weeks_are_kept(live: Path) -> None:
    first = date(2026, 1, 1)
    for day in range(60):
        assert backup.rotate(live, first + timedelta(days=day)) is not None
        assert backup.rotate(live, first + timedelta(days=day)) is None
    copies = sorted(file.stem[-10:] for file in (live.parent / "backups").iterdir())
    last = first + timedelta(days=59)
    daily = [str(last - timedelta(days=back)) for back in range(6, -1, -1)]
    assert copies[-7:] == daily
    weekly = {date.fromisoformat(copy).isocalendar()[:2] for copy in copies}
    assert len(copies) <= 11 and len(weekly) == 4
    assert min(copies) <= str(last - timedelta(days=21))


def test_the_watch_makes_todays_copy(live: Path) -> None:
    stop = backup.keep_copies(live)
    folder = live.parent / "backups"
    for _ in range(100):
        if folder.exists() and list(folder.glob("live-*.db")):
            break
        threading.Event().wait(0.05)
    stop.set()
    [copy] = folder.glob("live-*.db")
    assert backup.checked(copy) == 1


SAVING = """
import sys
from tests.webapp.plays import club, database, draft, typed
from webapp import history
with database(sys.argv[1]) as db:
    home = club(db)
    for number in range(10_000):
        [id] = history.save_all(db, home, [draft(typed({"Ann": number % 90, "Bob": 2}))])
        print(id, flush=True)
"""


def test_a_server_killed_while_saving_has_lost_nothing_it_acknowledged(live: Path, tmp_path: Path) -> None:
    saving = subprocess.Popen(
        [sys.executable, "-c", SAVING, str(live)], stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ}
    )
    assert saving.stdout is not None
    acknowledged = [int(saving.stdout.readline()) for _ in range(25)]
    saving.send_signal(signal.SIGKILL)
    acknowledged += [int(line) for line in saving.stdout.read().splitlines() if line]
    saving.stdout.close()
    saving.wait()
    with database(live) as db:
        kept = {id for (id,) in db.execute("SELECT id FROM kept_plays").fetchall()}
        assert set(acknowledged) <= kept
        assert recount.recount(db, repair=False) == []
    plays = backup.backup(live, tmp_path / "copy.db")
    live.unlink()
    assert backup.restore(tmp_path / "copy.db", live) is None
    assert backup.checked(live) == plays == len(kept)
