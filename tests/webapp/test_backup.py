"""Copies: consistent while in use, checked, never over anything; and what a killed server has acknowledged is there."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import date, timedelta
from http.client import HTTPException
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.webapp.bringing import taken_out
from tests.webapp.plays import club, database, draft, typed
from tests.webapp.test_server import free_port, wait_for
from webapp import backup, clubs, jobs
from webapp.backup import BackupError
from webapp.database import file_users, sqlite_copies
from webapp.database.file_users import InUse
from webapp.history import plays as history
from webapp.history import rebuild

pytestmark = pytest.mark.sqlite  # about the file, and copies of it


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
            assert rebuild.check(copy) == []


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
    assert (backup.check_copy(live), backup.check_copy(aside)) == (1, 2)


def test_a_log_left_behind_by_a_lost_database_does_not_creep_into_its_successor(live: Path, tmp_path: Path) -> None:
    backup.backup(live, tmp_path / "copy.db")
    log = live.with_name(f"{live.name}-wal")
    log.write_bytes(b"of a database that is gone")
    live.unlink()
    aside = backup.restore(tmp_path / "copy.db", live)
    assert aside is not None and not log.exists()
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"of a database that is gone"
    assert backup.check_copy(live) == 1


@pytest.mark.parametrize("content", [b"", b"not a database at all", b"SQLite format 3\0" + bytes(4096)])
def test_what_is_no_sound_copy_is_refused(live: Path, tmp_path: Path, content: bytes) -> None:
    bad = tmp_path / "bad.db"
    bad.write_bytes(content)
    with pytest.raises(BackupError):
        backup.restore(bad, live, replace=True)
    assert backup.check_copy(live) == 1


def test_a_torn_copy_is_refused(live: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup.backup(live, copy)
    torn = bytearray(copy.read_bytes())
    for page in range(8, len(torn) // 4096, 3):
        torn[page * 4096 : page * 4096 + 200] = os.urandom(200)
    copy.write_bytes(torn)
    with pytest.raises(BackupError, match=r"damaged|not a Tidemark"):
        backup.restore(copy, live, replace=True)


def test_what_is_missing_is_told(live: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="there is no"):
        backup.backup(tmp_path / "no.db", tmp_path / "x.db")
    with pytest.raises(BackupError, match="there is no"):
        backup.check_copy(tmp_path / "no.db")
    with pytest.raises(BackupError, match="can’t write"):
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
    stop = jobs.keep_working(live, backup.steps(live), [backup.KIND])
    folder = live.parent / "backups"
    for _ in range(1200):
        if folder.exists() and list(folder.glob("live-*.db")):
            break
        threading.Event().wait(0.05)
    stop.set()
    [copy] = folder.glob("live-*.db")
    assert backup.check_copy(copy) == 1


@pytest.fixture
def server(live: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """`tidemark serve` on that file, in a group of processes of its own, so that all of it can be killed."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "webapp.cli", "serve", "--host", "127.0.0.1", "--port", str(port), "--db", str(live)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        start_new_session=True,
    )
    try:
        yield wait_for(f"http://127.0.0.1:{port}", process), process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def accept(browser: urllib.request.OpenerDirector, invitation: str) -> None:
    """Open the invitation and press its button."""
    with browser.open(invitation, timeout=30) as page:
        token = re.search(r'name="csrf_token" value="([^"]+)"', page.read().decode())
    assert token is not None
    browser.open(invitation, f"csrf_token={token[1]}".encode(), timeout=30).close()


class Owner:
    """Saves games over HTTP, one after another, and remembers which the server has acknowledged."""

    def __init__(self, live: Path, address: str) -> None:
        self.address = address
        self.acknowledged: list[str] = []
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with database(live) as db:
            home = club(db)
            invitation = f"{address}/join/{clubs.links(db, home)['owner']}"
            self.file = json.loads(taken_out(db, home))
        accept(self.browser, invitation)
        with self.browser.open(f"{address}/data", timeout=30) as page:
            token = re.search(r'name="csrf_token" value="([^"]+)"', page.read().decode())
        assert token is not None
        self.token = token[1]

    def save(self, key: str) -> None:
        content = json.dumps({**self.file, "plays": [{**self.file["plays"][0], "key": key}]})
        parts = [f'name="csrf_token"\r\n\r\n{self.token}', f'name="file"; filename="play.json"\r\n\r\n{content}']
        body = "".join(f"--edge\r\nContent-Disposition: form-data; {part}\r\n" for part in parts) + "--edge--\r\n"
        headers = {"Content-Type": "multipart/form-data; boundary=edge", "Referer": self.address}
        request = urllib.request.Request(f"{self.address}/data/import", body.encode(), headers)
        with self.browser.open(request, timeout=30) as page:
            assert "1 game added" in page.read().decode()
        self.acknowledged.append(key)

    def save_until_nobody_answers(self) -> None:
        with suppress(OSError, HTTPException):
            for number in range(100_000):
                self.save(f"play-{number}")


def test_a_server_killed_while_saving_has_lost_nothing_it_acknowledged(
    live: Path, tmp_path: Path, server: tuple[str, subprocess.Popen[bytes]]
) -> None:
    address, process = server
    owner = Owner(live, address)
    saving = threading.Thread(target=owner.save_until_nobody_answers)
    saving.start()
    while len(owner.acknowledged) < 20 and saving.is_alive():
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    saving.join()
    assert len(owner.acknowledged) >= 20
    with database(live) as db:
        kept = {key for (key,) in db.execute("SELECT key FROM all_plays").fetchall()}
        assert set(owner.acknowledged) <= kept
        assert rebuild.check(db) == []
    plays = backup.backup(live, tmp_path / "copy.db")
    live.unlink()
    assert backup.restore(tmp_path / "copy.db", live) is None
    assert backup.check_copy(live) == plays == len(kept)
    with database(live) as db:
        assert {key for (key,) in db.execute("SELECT key FROM all_plays").fetchall()} == kept


# -- checksums ---


def test_every_flipped_byte_of_a_copy_is_noticed(live: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup.backup(live, copy)
    whole = copy.read_bytes()
    chance = random.Random(7)
    places = [
        *range(0, 100),
        *(chance.randrange(len(whole)) for _ in range(40)),
        *range(len(whole) - 4096, len(whole), 64),
    ]
    accepted = []
    for place in places:
        flipped = bytearray(whole)
        flipped[place] ^= 1 << chance.randrange(8)
        copy.write_bytes(flipped)
        try:
            backup.check_copy(copy)
            accepted.append(place)
        except BackupError:
            pass
    assert accepted == []
    copy.write_bytes(whole)
    assert backup.check_copy(copy) == 1


@pytest.mark.parametrize("left", [1, 50, 4096, 5000, -4096, -100, -1])
def test_a_truncated_copy_is_noticed(live: Path, tmp_path: Path, left: int) -> None:
    copy = tmp_path / "copy.db"
    backup.backup(live, copy)
    copy.write_bytes(copy.read_bytes()[:left])
    with pytest.raises(BackupError):
        backup.restore(copy, tmp_path / "back.db")


def test_a_copy_with_two_tables_swapped_is_noticed(live: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup.backup(live, copy)
    with closing(sqlite3.connect(copy)) as db:
        for old, new in (("standings", "x"), ("all_lines", "y"), ("x", "all_lines"), ("y", "standings")):
            if old in {"x", "y"} or db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [old]).fetchone():
                db.execute("PRAGMA legacy_alter_table = ON")
                db.execute(f"ALTER TABLE {old} RENAME TO {new}")
        db.commit()
    with pytest.raises(BackupError, match="is damaged"):
        backup.restore(copy, tmp_path / "back.db")


def test_a_copy_that_was_written_wrongly_is_noticed_at_once(
    live: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = sqlite_copies.copy_to

    def careless(database: Path, *targets: Path) -> None:
        honest(database, *targets)
        spoilt = bytearray(targets[0].read_bytes())
        spoilt[-1] ^= 1  # the last byte of a page, which no check of SQLite looks at
        targets[0].write_bytes(spoilt)

    monkeypatch.setattr(sqlite_copies, "copy_to", careless)
    with pytest.raises(BackupError, match="is damaged"):
        backup.backup(live, tmp_path / "copy.db")
    assert list(tmp_path.glob("*copy.db*")) == []


def test_copies_of_before_without_a_checksum_are_still_taken(live: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.db"
    sqlite_copies.copy_to(live, plain)
    assert backup.restore(plain, tmp_path / "back.db") is None
    assert backup.check_copy(tmp_path / "back.db") == 1


def test_a_copy_put_to_use_as_it_is_can_be_copied_and_put_back_again(live: Path, tmp_path: Path) -> None:
    used = tmp_path / "used.db"
    backup.backup(live, used)
    with database(used) as db:
        history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    assert backup.backup(used, tmp_path / "again.db") == 2
    assert backup.restore(tmp_path / "again.db", tmp_path / "back.db") is None
    with database(tmp_path / "back.db") as db:
        assert rebuild.check(db) == []


# -- in use ---


def test_nothing_is_put_in_the_place_of_a_database_that_is_served(
    live: Path, tmp_path: Path, server: tuple[str, subprocess.Popen[bytes]]
) -> None:
    address, process = server
    copy = tmp_path / "copy.db"
    assert backup.backup(live, copy) == 1
    with pytest.raises(BackupError, match="is using"):
        backup.restore(copy, live, replace=True)
    urllib.request.urlopen(address, timeout=30).close()
    os.killpg(process.pid, signal.SIGKILL)  # the sign goes away with the process
    process.wait()
    for _ in range(600):
        if not file_users.is_used(live):
            break
        time.sleep(0.1)
    assert backup.restore(copy, live, replace=True) is not None


def test_nothing_is_opened_while_it_is_being_put_back(live: Path) -> None:
    with file_users.alone(live), pytest.raises(InUse, match="Stop it first"), database(live):
        raise AssertionError
    with database(live), file_users.used(live):  # many may be at it
        assert file_users.is_used(live)
    assert not file_users.is_used(live)
