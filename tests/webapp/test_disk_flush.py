"""Commits share a flush of the disk, and nobody is told that something is kept before it is there."""

from __future__ import annotations

import errno
import os
import shutil
import threading
import time
from pathlib import Path

import pytest
from flask import Flask

from webapp.database import disk_flush
from webapp.database.disk_flush import Disk
from webapp.database.sqlite import Connections, Sqlite, connect

pytestmark = pytest.mark.sqlite  # about the file, and copies of it


@pytest.fixture
def shared(tmp_path: Path) -> Connections:
    path = tmp_path / "t.db"
    with connect(path).atomic() as db:
        db.execute("CREATE TABLE kept (n INTEGER)")
    return Connections(path)


def write(connections: Connections, number: int) -> None:
    db = connections.take()
    with db.atomic():
        db.execute("INSERT INTO kept VALUES (?)", [number])
    connections.give_back(db)


def numbers(path: Path) -> set[int]:
    db = connect(path)
    found = {row["n"] for row in db.query("SELECT n FROM kept")}
    db.close()
    return found


def test_all_who_wait_for_the_disk_share_one_flush(shared: Connections, monkeypatch: pytest.MonkeyPatch) -> None:
    flushes: list[float] = []

    def slow(file: int) -> None:
        flushes.append(time.monotonic())
        time.sleep(0.2)

    monkeypatch.setattr(disk_flush, "to_disk", slow)
    writers = [threading.Thread(target=write, args=[shared, number]) for number in range(24)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(flushes) <= 4  # one at a time they would be 24
    assert numbers(Path(shared.address)) == set(range(24))


def test_what_is_acknowledged_outlives_a_power_cut(
    shared: Connections, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any moment what was on disk then, and nothing later, is there after a restart."""
    path, on_disk = Path(shared.address), tmp_path / "on disk"
    on_disk.mkdir()
    acknowledged: list[int] = []
    cuts: list[tuple[set[int], Path]] = []

    def flush(file: int) -> None:
        time.sleep(0.005)
        moment = on_disk / f"{len(cuts)}.db"
        shutil.copy(path, moment)
        shutil.copy(f"{path}-wal", f"{moment}-wal")
        cuts.append((set(), moment))

    monkeypatch.setattr(disk_flush, "to_disk", flush)
    copied = threading.Lock()

    def many(first: int) -> None:
        for number in range(first, first + 15):
            write(shared, number)
            with copied:
                acknowledged.append(number)
                # Whatever is flushed from now on, and what was flushed last, has to hold it.
                cuts[-1][0].update(acknowledged)

    writers = [threading.Thread(target=many, args=[first]) for first in range(0, 90, 15)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(acknowledged) == 90 and len(cuts) > 5
    for promised, moment in cuts:
        assert promised <= numbers(moment)


def test_a_disk_that_fails_acknowledges_nothing(shared: Connections, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: int) -> None:
        raise OSError("the disk is full of holes")

    with monkeypatch.context() as broken:
        broken.setattr(disk_flush, "to_disk", fail)
        with pytest.raises(OSError, match="holes"):
            write(shared, 1)
    write(shared, 2)
    assert 2 in numbers(Path(shared.address))


def test_who_waits_for_a_flush_that_fails_is_told_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Disk(tmp_path / "t.db")
    (tmp_path / "t.db-wal").write_bytes(b"")
    begun, told = threading.Event(), []

    def fail(file: int) -> None:
        begun.set()
        time.sleep(0.2)
        raise OSError("no")

    def wait() -> None:
        try:
            log.wait()
        except OSError:
            told.append("told")

    monkeypatch.setattr(disk_flush, "to_disk", fail)
    log.note()
    first = threading.Thread(target=wait)
    first.start()
    begun.wait(5)
    second = threading.Thread(target=wait)
    second.start()
    first.join()
    second.join()
    assert told == ["told", "told"]


def test_a_connection_of_its_own_flushes_by_itself(tmp_path: Path) -> None:
    alone = connect(tmp_path / "t.db")
    assert alone.disk is None and next(alone.query("PRAGMA synchronous"))["synchronous"] == 2
    alone.close()


def test_the_connections_of_an_app_flush_together(app: Flask) -> None:
    one: Sqlite = app.extensions["connections"].take()
    other: Sqlite = app.extensions["connections"].take()
    assert one.disk is other.disk is not None
    assert next(one.query("PRAGMA synchronous"))["synchronous"] == 1
    for db in (one, other):
        app.extensions["connections"].give_back(db)


class OfMacos:
    """Hold what its module offers."""

    F_FULLFSYNC = 51

    def __init__(self, fails: bool) -> None:
        self.fails, self.ordered = fails, list[tuple[int, int]]()

    def fcntl(self, file: int, order: int) -> None:
        self.ordered.append((file, order))
        if self.fails:
            raise OSError(errno.ENOTSUP, "Operation not supported")


@pytest.mark.parametrize("fails", [False, True])
def test_on_macos_the_disk_is_told_to_empty_its_memory(fails: bool, tmp_path: Path) -> None:
    calls = OfMacos(fails)
    with (tmp_path / "log").open("wb") as file:
        disk_flush.flush_of(calls)(file.fileno())
        assert calls.ordered == [(file.fileno(), OfMacos.F_FULLFSYNC)]
    assert disk_flush.flush_of(None) is disk_flush.flush_of(object()) is getattr(os, "fdatasync", os.fsync)
