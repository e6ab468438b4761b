"""A server whose database files are deleted or replaced acknowledges nothing more, and no second server starts."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError

import pytest
from flask import Flask

from tests.conftest import ROOT
from tests.webapp.visitor import Visitor, clean, serving
from webapp import doctor
from webapp.database import disk_flush, file_users, get_db, replaced_files, sqlite
from webapp.database.disk_flush import Disk
from webapp.database.sqlite import Sqlite, connect

pytestmark = pytest.mark.sqlite

BESIDE = ("-wal", "-shm")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with one row in it."""
    path = tmp_path / "t.db"
    with closing(connect(path)) as db, db.atomic():
        db.execute("CREATE TABLE kept (n INTEGER)")
        db.execute("INSERT INTO kept VALUES (0)")
    return path


def add(db: Sqlite, number: int) -> None:
    with db.atomic():
        db.execute("INSERT INTO kept VALUES (?)", [number])


def numbers(path: Path) -> list[int]:
    """Read the rows as another program does that opens the database now, without what this process remembers."""
    with closing(sqlite3.connect(path)) as plain:
        return [number for (number,) in plain.execute("SELECT n FROM kept ORDER BY n")]


@pytest.mark.parametrize("deleted", [("-wal",), ("-shm",), BESIDE])
def test_deleted_files_are_noticed_before_a_change_is_acknowledged(path: Path, deleted: tuple[str, ...]) -> None:
    """Acknowledged changes are moved into the database itself at once: this process may be killed."""
    with closing(connect(path)) as db, closing(connect(path)) as other:
        add(db, 1)
        for ending in deleted:
            os.unlink(f"{path}{ending}")
        with pytest.raises(replaced_files.Replaced, match="Restart the server"):
            add(other, 2)
        with pytest.raises(replaced_files.Replaced):
            connect(path)
        shutil.copy(path, path.with_name("killed.db"))
        assert numbers(path.with_name("killed.db")) == [0, 1]
    with closing(connect(path)) as db:  # after a restart
        add(db, 3)
    assert numbers(path) == [0, 1, 3]


def test_files_deleted_between_beginning_and_end_are_noticed(path: Path) -> None:
    def change() -> None:
        with db.atomic():
            db.execute("INSERT INTO kept VALUES (1)")
            os.unlink(f"{path}-wal")

    with closing(connect(path)) as db, pytest.raises(replaced_files.Replaced):
        change()


def test_a_database_that_was_replaced_is_noticed_and_left_alone(path: Path) -> None:
    with closing(connect(path)) as db:
        add(db, 1)
        shutil.copy(path, path.with_name("new.db"))
        with closing(sqlite3.connect(path.with_name("new.db"))) as new:
            new.execute("INSERT INTO kept VALUES (7)")
            new.commit()
        os.replace(path.with_name("new.db"), path)
        with pytest.raises(replaced_files.Replaced):
            add(db, 2)
        assert not {1, 2} & set(_main_file(path))


def _main_file(path: Path) -> list[int]:
    """Read the rows of the file alone, as if there were no log beside it."""
    alone = path.with_name("alone.db")
    shutil.copy(path, alone)
    return numbers(alone)


STRANGER = """import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("CREATE TABLE theirs (n INTEGER)")
print("begun", flush=True)
input()
"""


def test_a_log_that_another_program_has_begun_is_not_mixed_with_ours(path: Path) -> None:
    with closing(connect(path)) as db:
        add(db, 1)
        for ending in BESIDE:
            os.unlink(f"{path}{ending}")
        stranger = subprocess.Popen(
            [sys.executable, "-c", STRANGER, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert stranger.stdout is not None
        stranger.stdout.readline()
        with pytest.raises(replaced_files.Replaced):
            add(db, 2)
        before = path.read_bytes()
        with pytest.raises(replaced_files.Replaced):
            add(db, 3)
        assert path.read_bytes() == before
        stranger.communicate(b"\n", timeout=30)


def test_closing_and_opening_again_replaces_nothing(path: Path) -> None:
    """The last connection takes the log along, and the next one makes another."""
    for number in (1, 2):
        with closing(connect(path)) as db:
            add(db, number)
            with closing(connect(path)) as other:
                add(other, number + 10)
    assert numbers(path) == [0, 1, 2, 11, 12]


def test_through_a_link_the_log_itself_is_flushed(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path)
    flushed: list[int] = []
    monkeypatch.setattr(disk_flush, "to_disk", lambda file: flushed.append(os.fstat(file).st_ino))
    with closing(sqlite.connect(link, Disk(link))) as db:
        add(db, 1)
        assert flushed == [os.stat(f"{path}-wal").st_ino]


# -- a server ---


def test_pages_and_health_say_it(app: Flask, tmp_path: Path) -> None:
    with app.app_context():
        path = Path(app.config["DATABASE"]).resolve()
        get_db()
    client = app.test_client()
    assert client.get("/readyz").status_code == 200
    os.unlink(f"{path}-shm")
    os.unlink(f"{path}-wal")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.get_data(as_text=True)) == (503, "the database files were replaced\n")
    assert client.get("/healthz").status_code == 200


def test_nothing_acknowledged_is_lost_when_files_are_deleted_under_a_server(tmp_path: Path) -> None:
    """It answers 503 with a page that says why, `tidemark doctor` says it too, and a restart has everything."""
    path = tmp_path / "t.db"
    with serving(path) as server:
        port = int(server.address.rpartition(":")[2])
        visitor = Visitor(server.address)
        visitor.come_in(server.invitation)
        play = visitor.play()
        visitor.open("/")
        for ending in BESIDE:
            os.unlink(f"{path}{ending}")
        with pytest.raises(HTTPError) as refused:
            visitor.press("/tables", game="tiny_towns")
        page = refused.value.read().decode()
        assert refused.value.code == 503 and "The database was replaced" in page and "restart" in page
        said = [(one.check, one.level) for one in doctor.examine(str(path), port, {}) if one.check == "server"]
        assert said == [("server", doctor.FAULT)]
        server.process.kill()  # the worst way to stop it
        server.process.wait(15)
    with serving(path, port=port) as server:
        assert "Bob" in visitor.open(play)
        visitor.open("/")
        visitor.press("/tables", game="tiny_towns")
        assert visitor.at.endswith("/setup")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "webapp.cli", *arguments]
    return subprocess.run(command, cwd=ROOT, env=clean({}), capture_output=True, text=True, timeout=60, check=False)


def test_a_second_server_on_the_same_file_is_refused_and_commands_are_not(tmp_path: Path) -> None:
    path, link = tmp_path / "t.db", tmp_path / "link.db"
    with serving(path) as server:
        link.symlink_to(path)
        for file in (path, link):
            second = run("serve", "--host", "127.0.0.1", "--port", "1", "--db", file)
            assert second.returncode != 0
            assert f"A server or another command is using {file}. Stop it" in second.stderr
        copy, club = str(tmp_path / "copy.db"), str(tmp_path / "club.json")
        for name, *given in (["backup", copy], ["link"], ["export", club]):
            done = run(name, "--db", path, *given)
            assert done.returncode == 0, done.stderr
        server.process.send_signal(signal.SIGKILL)
        server.process.wait(15)
    with serving(path):  # a server that was killed stands in nobody's way
        pass


def test_a_server_does_not_start_while_a_copy_is_put_back(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with file_users.alone(path), pytest.raises(file_users.InUse, match="is using"), file_users.serving(path):
        raise AssertionError
