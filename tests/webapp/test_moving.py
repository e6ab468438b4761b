"""Everything is taken to a server and back: row by row the same, every phone still in, and whole or not at all."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import ROOT
from tests.documents import commands
from tests.webapp import engines
from tests.webapp.cluster import programs
from tests.webapp.conftest import Device, lay_towns
from tests.webapp.plays import draft, towns
from webapp import backup, clubs, create_app, jobs, moving
from webapp.backup import BackupError
from webapp.cli import demo, main
from webapp.cli.open_database import opened
from webapp.database import Database, connect, copying, postgres_copies
from webapp.history import plays as history
from webapp.moving import MoveError, MoveResult
from webapp.operator_errors import Refusal
from webapp.schema import migrations
from webapp.schema.upgrade import opened as brought_up_to_date

pytestmark = pytest.mark.either

GAMES = 12


@pytest.fixture
def server() -> Iterator[Callable[[], str]]:
    """Empty databases on the server."""
    with ExitStack() as made:
        yield lambda: made.enter_context(engines.empty())


@pytest.fixture
def documented() -> Iterator[str]:
    """The database that the commands of docs/servers/several-servers.md make, for a user who may do nothing else."""
    folder = engines.cluster().folder
    environment = os.environ | {"PGHOST": str(folder), "PGUSER": "tidemark"}
    shown = [line for line in commands(ROOT / "docs" / "servers" / "several-servers.md") if line.startswith("create")]
    assert len(shown) == 2
    for command in shown:
        program, *options = shlex.split(command.replace("tidemark", "documented"))
        subprocess.run([programs() / program, *options], env=environment, check=True)
    yield f"postgresql://documented@/documented?host={quote(str(folder), safe='')}"
    engines.order("DROP DATABASE documented WITH (FORCE)")
    engines.order("DROP USER documented")


@pytest.fixture
def home(seeded: Path, tmp_path: Path) -> str:
    return str(shutil.copy(seeded, tmp_path / "home.db"))


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with two clubs, a device, an open table with phones, a picture and something half brought in."""
    path = str(tmp_path_factory.mktemp("seeded") / "home.db")
    app = create_app({"DATABASE": path, "TESTING": True})
    with closing(connect(path)) as db:
        club = demo.seed(db, GAMES)
        other = clubs.create(db, "Ärger 🏠")
        history.save_all(db, other, [draft(towns({"Zoë": 4, "Yvönne": 2}), notes="'; -- \\ \n\t?")])
        device = Device(app.test_client())
        device.get(f"/join/{clubs.links(db, club)['owner']}")
        table = lay_towns(device)
        device.post(f"{table}/open")
        [play] = db.execute("SELECT max(id) FROM all_plays").fetchone()
        photo = db.insert("photos", key="p", play_id=play, reading="{}", kept=1, created_at="")
        db.put("pictures", photo_id=photo, number=0, jpeg=bytes(range(256)) * 300)
        db.put("import_pieces", job_id=jobs.add(db, "import", club, state="waiting").id, number=0, content=b"\0{")
        # a table that another one, laid before, goes on to
        [last] = db.execute("SELECT max(id) FROM tables").fetchone()
        row = db.row("SELECT club_id, game, setup, created_at, updated_at FROM tables WHERE id = ?", last)
        assert row is not None
        db.insert("tables", key="before", **row)
    put_away(app)
    return Path(path)


def put_away(app: Flask) -> None:
    app.extensions["wire"].close()
    app.extensions["connections"].close()


def tell(*_: Any) -> None:
    pass


def everything(address: str) -> dict[str, list[Any]]:
    with closing(connect(address)) as db:
        names = copying.tables(migrations.steps)
        return {table.name: [tuple(row) for row in table.rows()] for table in copying.tables_of(db, names)}


def test_a_file_moves_into_the_database_that_the_documentation_makes(home: str, documented: str) -> None:
    assert main(["move", home, documented]) == 0


def test_there_and_back(home: str, server: Callable[[], str], tmp_path: Path) -> None:
    before, content = everything(home), Path(home).read_bytes()
    assert all(before[table] for table in ("devices", "rooms", "seats", "achievements", "standings", "ratings"))
    there, second, back = server(), server(), str(tmp_path / "back.db")
    assert moving.move(home, there, tell) == MoveResult(2, GAMES + 1, was_there=False)
    assert everything(there) == before
    moving.move(there, second, tell)
    moving.move(second, back, tell)
    assert everything(back) == before
    moving.move(back, str(tmp_path / "other.db"), tell)
    assert everything(str(tmp_path / "other.db")) == before
    assert Path(home).read_bytes() == content and not list(tmp_path.glob(".*"))
    assert Path(back).stat().st_mode & 0o077 == 0


def test_what_comes_afterwards_gets_numbers_of_its_own(home: str, server: Callable[[], str]) -> None:
    there = server()
    moving.move(home, there, tell)
    with opened(there) as db:
        known = {club for (club,) in db.execute("SELECT id FROM clubs").fetchall()}
        new = clubs.create(db, "Later")
        assert new not in known
        history.save_all(db, new, [draft(towns({"Ann": 4, "Bob": 2}))])


def test_phones_stay_signed_in(home: str, server: Callable[[], str]) -> None:
    first = create_app({"DATABASE": home, "TESTING": True})
    phone = Device(first.test_client())
    with closing(connect(home)) as db:
        phone.get(f"/join/{clubs.links(db, 1)['member']}")
    assert demo.CLUB in phone.get("/club")
    put_away(first)
    there = server()
    moving.move(home, there, tell)
    app = create_app({"DATABASE": there, "TESTING": True})
    moved = app.test_client()
    carry_cookies(phone.client, moved)
    assert demo.CLUB in Device(moved).get("/club")
    assert demo.CLUB not in Device(app.test_client()).get("/")
    put_away(app)


def carry_cookies(one: FlaskClient, other: FlaskClient) -> None:
    cookie = one.get_cookie("tidemark")
    assert cookie is not None
    other.set_cookie("tidemark", cookie.value)


def test_the_one_letter_that_no_server_keeps_stops_nobody(home: str, server: Callable[[], str]) -> None:
    with closing(connect(home)) as db:
        db.execute("UPDATE all_plays SET notes = ? WHERE club_id = 2", ["before\0after"])
        db.execute("UPDATE clubs SET name = ? WHERE id = 2", ["a\0b"])
    there = server()
    moving.move(home, there, tell)
    assert [club[1] for club in everything(there)["clubs"]] == [demo.CLUB, "a\ufffdb"]


# -- what is refused ---


def test_nothing_is_put_over_anything(home: str, server: Callable[[], str], tmp_path: Path) -> None:
    there, file = server(), tmp_path / "club.db"
    for address in (there, str(file)):
        with opened(address, new=True) as db:
            clubs.create(db, "Ours")
        kept = everything(address)
        with pytest.raises(MoveError, match="already has other data"):
            moving.move(home, address, tell)
        assert everything(address) == kept
    (tmp_path / "gone.db-wal").write_bytes(b"of a database that is gone")
    with pytest.raises(Refusal):
        moving.move(home, str(tmp_path / "gone.db"), tell)
    assert not (tmp_path / "gone.db").exists()


def test_whoever_begins_again_after_the_end_is_told_so(
    home: str, server: Callable[[], str], capsys: pytest.CaptureFixture[str]
) -> None:
    there = server()
    assert main(["move", home, there]) == 0
    assert ": 2 clubs, 13 games." in capsys.readouterr().out
    assert main(["move", home, there]) == 0
    assert ": 2 clubs, 13 games." in capsys.readouterr().out
    with opened(home) as db:
        clubs.create(db, "Another")
    assert main(["move", home, there]) == 1


def test_nobody_else_is_at_either_of_them(home: str, server: Callable[[], str]) -> None:
    there = server()
    with opened(home), pytest.raises(Refusal, match="is using"):
        moving.move(home, there, tell)
    with closing(brought_up_to_date(there)), pytest.raises(Refusal, match="is using"):
        moving.move(home, there, tell)


def test_what_is_no_database_of_this_version(
    home: str, server: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = server()
    for name, content in (("none.db", None), ("text.db", b"hello, hello"), ("empty.db", b"")):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(Refusal):
            moving.move(str(tmp_path / name), there, tell)
    with pytest.raises(Refusal, match="is not a Tidemark database"):
        moving.move(there, str(tmp_path / "x.db"), tell)
    with closing(connect(home)) as db:
        db.execute("INSERT INTO _sqlite_migrations VALUES (99, 'tidemark', 'm099_unknown', '')")
    with pytest.raises(MoveError, match="newer Tidemark"):
        moving.move(home, there, tell)
    monkeypatch.delenv("TIDEMARK_DATABASE", raising=False)
    with pytest.raises(SystemExit, match="2"):
        main(["move", home])


def test_a_difference_is_found_and_nothing_of_it_is_kept(
    home: str, server: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = copying.copy

    def careless(source: Database, target: Database, *others: Any) -> Any:
        passed = honest(source, target, *others)
        target.execute("UPDATE standings SET streak = streak + 1")
        return passed

    monkeypatch.setattr(copying, "copy", careless)
    there = server()
    for target in (there, str(tmp_path / "there.db")):
        with pytest.raises(MoveError, match="standings"):
            moving.move(home, target, tell)
    assert not (tmp_path / "there.db").exists()
    with closing(connect(there)) as db:
        assert db.execute("SELECT count(*) FROM clubs").fetchone() == (0,)


def test_numbers_of_what_is_gone_are_given_to_nobody_elsewhere_either(
    home: str, server: Callable[[], str], tmp_path: Path
) -> None:
    """A page that was left open may still name them."""
    with opened(home) as db:
        [gone] = db.execute("SELECT max(id) FROM players").fetchone()
        gone = max(gone, clubs.player_id(db, 1, "Gone"))
        db.execute("DELETE FROM players WHERE name = 'Gone'")
    there, second, back = server(), server(), str(tmp_path / "back.db")
    moving.move(home, there, tell)
    moving.move(there, second, tell)
    moving.move(second, back, tell)
    for place in (home, there, second, back):
        with opened(place) as db:
            assert clubs.player_id(db, 1, "Newcomer") == gone + 1
            assert clubs.create(db, "Later") == 3


def test_whoever_stops_it_is_told_what_comes_of_saying_it_again(
    home: str, server: Callable[[], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = server()

    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    for step in ("digests", "copy"):  # all that was copied goes again; nothing was
        monkeypatch.setattr(copying, step, interrupted)
        assert main(["move", home, there]) == 1
        said = capsys.readouterr().err
        assert "stopped" in said
        assert everything(there)["clubs"] == []
    monkeypatch.undo()
    assert main(["move", home, there]) == 0
    assert ": 2 clubs, 13 games." in capsys.readouterr().out


# -- stopped ---


def begun(home: str, target: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "webapp.cli", "move", home, target], cwd=ROOT)


def wait_until(there: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not there():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_killed_on_the_way_to_a_server(home: str, server: Callable[[], str]) -> None:
    there = server()
    brought_up_to_date(there).close()
    with psycopg.connect(there) as barrier:  # half of it has arrived when somebody else is at the next table
        barrier.execute("LOCK TABLE all_lines")
        waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'all_lines'::regclass"
        process = begun(home, there)
        wait_until(lambda: barrier.execute(waits).fetchone() == (1,))
        process.send_signal(signal.SIGKILL)
        process.wait()
        barrier.rollback()
    assert everything(there)["clubs"] == []
    assert not moving.move(home, there, tell).was_there
    assert everything(there) == everything(home)


def test_killed_on_the_way_to_a_file(home: str, tmp_path: Path) -> None:
    target, unfinished = tmp_path / "there.db", tmp_path / ".there.db.arriving"
    process = begun(home, str(target))
    wait_until(lambda: unfinished.exists() or target.exists())
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not target.exists() or everything(str(target)) == everything(home)
    moving.move(home, str(target), tell)
    assert everything(str(target)) == everything(home)
    assert not unfinished.exists()


# -- copies of a database on a server ---


@pytest.fixture
def there(home: str, server: Callable[[], str]) -> str:
    address = server()
    moving.move(home, address, tell)
    return address


def test_a_copy_of_a_server_is_read_through_and_put_into_an_empty_one(
    there: str, server: Callable[[], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, back = tmp_path / "copy.dump", server()
    assert main(["backup", "--db", there, str(copy)]) == 0
    assert capsys.readouterr().out == f"Backup made and checked: {copy}, {GAMES + 1} games.\n"
    assert copy.stat().st_mode & 0o077 == 0 and [*tmp_path.glob(".copy*")] == []
    with pytest.raises(BackupError, match="already has other data"):
        backup.restore(copy, there, replace=True)
    brought_up_to_date(back).close()  # a server was started there and has founded nothing
    assert backup.restore(copy, back) is None
    assert everything(back) == everything(there)
    with pytest.raises(BackupError, match="already exists"):
        backup.backup(there, copy)


def test_a_spoilt_copy_of_a_server_is_refused(there: str, server: Callable[[], str], tmp_path: Path) -> None:
    copy, back = tmp_path / "copy.dump", server()
    backup.backup(there, copy)
    whole = copy.read_bytes()
    for content in (b"", b"SQLite format 3\0", whole[:5000], whole[: len(whole) // 2]):
        copy.write_bytes(content)
        with pytest.raises(BackupError):
            backup.restore(copy, back)
    with closing(connect(back)) as db:
        assert db.columns() == {}


def test_the_programs_that_make_copies_may_be_missing(
    there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="To use pg_dump, install"):
        backup.backup(there, tmp_path / "copy.dump")
    assert not list(tmp_path.glob("*copy*"))


def test_the_password_goes_to_them_unseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pg_dump").write_text(f'#!/bin/sh\necho "$PGPASSWORD, $*" > {tmp_path}/seen\nexit 1\n')
    (tmp_path / "pg_dump").chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="failed"):
        postgres_copies.dump("postgresql://ann:se%40cret@db.example/club?sslmode=require", tmp_path / "x", "1-2")
    password, arguments = (tmp_path / "seen").read_text().split(", ", 1)
    assert password == "se@cret" and "cret" not in arguments
    assert "sslmode=require" in arguments and "--snapshot=1-2" in arguments


def test_nobody_makes_daily_copies_of_a_server(there: str) -> None:
    assert backup.rotate(there) is None and backup.latest(there) is None and backup.copies_of(there) == []
