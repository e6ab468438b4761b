"""Tell what is old goes once a day while we serve, and never by a clock in doubt; the way in is printed when asked
for.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.webapp.conftest import Device, lay_towns
from tests.webapp.engines import place
from tests.webapp.plays import club, database, draft, towns
from webapp import clock_check, clubs, create_app, jobs, purging, server
from webapp.cli.command import main
from webapp.clock import Clock, clock
from webapp.clubs import audit_log
from webapp.database import Database, now
from webapp.history import plays, saved_plays

Move = Callable[[int], None]


@pytest.fixture
def move(monkeypatch: pytest.MonkeyPatch) -> Move:
    """Sets the clock so many days from now."""
    clock.suspect(None)
    days = [0]
    monkeypatch.setattr(Clock, "wall", lambda _: datetime.now(UTC) + timedelta(days=days[0]))
    monkeypatch.setattr(clock, "doubt", None)

    def to(count: int) -> None:
        days[0] = count

    return to


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A database with a game that was deleted 31 days ago, and one that was deleted today."""
    with database(tmp_path / "t.db") as db:
        for days, names in ((31, {"Ann": 4, "Bob": 2}), (0, {"Cid": 4, "Dot": 2})):
            [number] = plays.save_all(db, club(db), [draft(towns(names))])
            with db.atomic():
                play = saved_plays.by_id(db, number)
                assert play is not None
                plays.delete(db, play)
                at = (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
                db.execute("UPDATE all_plays SET deleted_at = ? WHERE id = ?", [at, number])
    return place(tmp_path / "t.db")


def deleted(path: str) -> int:
    with database(path) as db:
        return int(db.execute("SELECT count(*) FROM all_plays WHERE deleted_at IS NOT NULL").fetchone()[0])


def purge(path: str) -> None:
    with database(path) as db:
        jobs.add(db, purging.KIND)
        jobs.finish(db, purging.STEPS)
        assert jobs.under_way(db) == jobs.failed(db) == []


def test_what_is_old_goes_without_a_new_start(path: str) -> None:
    purge(path)
    assert deleted(path) == 1
    with database(path) as db:
        db.execute("UPDATE all_plays SET deleted_at = '2020-01-01T00:00:00Z'")
    stop = jobs.keep_working(path, purging.STEPS, [purging.KIND])
    for _ in range(100):
        if not deleted(path):
            break
        stop.wait(0.1)
    stop.set()
    assert deleted(path) == 0


@pytest.mark.parametrize("days", [40, 400, -2, -3000])
def test_nothing_goes_because_of_a_leap(path: str, move: Move, days: int) -> None:
    with database(path) as db, db.atomic():
        db.execute("UPDATE all_plays SET deleted_at = ?", [now()])
        audit_log.note(db, 1, "named", "Friday")
    with database(path) as db:
        clock_check.check(db)
    move(days)
    purge(path)
    move(0)
    assert deleted(path) == 2
    with database(path) as db:
        assert len(audit_log.of_club(db, 1)) == 1


def test_a_full_disk_does_not_end_the_work(
    path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_db: Database) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(purging, "PURGES", [fail])
    monkeypatch.setattr("webapp.jobs.worker.AFTER_AN_ERROR_S", 0.1)
    stop = jobs.keep_working(path, purging.STEPS, [purging.KIND])
    for _ in range(100):
        if "no space left" in (said := capsys.readouterr().out):
            break
        stop.wait(0.1)
    assert "background work is put off: no space left" in said
    monkeypatch.undo()
    for _ in range(100):
        if deleted(path) == 1:
            break
        stop.wait(0.1)
    stop.set()
    assert deleted(path) == 1


def test_the_way_in_is_printed_when_the_club_is_founded_and_not_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place(tmp_path / "new.db")
    create_app({"DATABASE": path, "SECRET_KEY": "for the tests"})
    server.print_address(path, "http://here:8000")
    first = capsys.readouterr().out
    with database(path) as db:
        token = clubs.links(db, 1)["owner"]
    assert f"http://here:8000/join/{token}" in first and "█" in first and "Tidemark is at http://here:8000" in first
    server.print_address(path, "http://here:8000")
    again = capsys.readouterr().out
    assert "Tidemark is at http://here:8000" in again and "tidemark link" in again
    assert token not in again and "/join/" not in again


def test_a_command_prints_the_way_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = place(tmp_path / "two.db")
    with database(path) as db:
        first, second = clubs.create(db, "Thursday"), clubs.create(db, "Friday")
        tokens = {name: clubs.links(db, name) for name in (first, second)}
    monkeypatch.setenv("TIDEMARK_PUBLIC_URL", "https://scores.example/")
    for words, club_id, role in (
        ([], first, "owner"),
        (["--club", "Friday"], second, "owner"),
        (["--club", "2", "--role", "member"], second, "member"),
    ):
        assert main(["link", "--db", path, *words]) == 0
        printed = capsys.readouterr().out
        assert f"https://scores.example/join/{tokens[club_id][role]}\n" in printed and "█" in printed
    monkeypatch.delenv("TIDEMARK_PUBLIC_URL")
    assert main(["link", "--db", path, "--port", "81"]) == 0
    assert f":81/join/{tokens[first]['owner']}" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["link", "--db", path, "--club", "Sunday"])


def test_a_table_is_laid_without_forgetting_another(member: Device, db: Database, move: Move) -> None:
    """By a clock that had leapt, a new table used to take the others away."""
    path = lay_towns(member)
    move(40)
    member.get("/")
    assert member.post("/tables", {"game": "tiny_towns"}).status_code == 303
    move(0)
    member.get(f"{path}/setup")
