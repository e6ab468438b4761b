"""A clock that is wrong loses nothing: days back, weeks ahead, or in the year of its making."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp.conftest import Device, Laid, lay_towns
from tests.webapp.engines import place
from tests.webapp.plays import club as club_of
from tests.webapp.plays import database, draft, typed
from webapp import backup, clock_check, create_app
from webapp import clock as clocks
from webapp.cli import main
from webapp.database import Database, ago, connect, now
from webapp.history import plays as history
from webapp.history import saved_plays
from webapp.table import tables

pytestmark = pytest.mark.either

TODAY = datetime(2026, 5, 20, 20, 0, tzinfo=UTC)


class Hands:
    """A clock that we set."""

    def __init__(self) -> None:
        self.at = TODAY

    def __call__(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hands]:
    made = Hands()
    monkeypatch.setattr(clocks.clock, "wall", made)
    yield made
    clocks.clock.suspect(None)


def look_hourly(db: Database, hands: Hands, hours: int) -> None:
    for _ in range(hours):
        hands.move(hours=1)
        clock_check.check(db)


def test_an_honest_clock_is_believed_for_years(hands: Hands, db: Database, club: int) -> None:
    for _ in range(200):
        hands.move(days=5)
        assert clock_check.may_forget(db)


@pytest.mark.parametrize("days", [-2, -400, 40, 4000])
def test_a_leap_is_doubted_and_nothing_is_forgotten(hands: Hands, db: Database, club: int, days: int) -> None:
    assert clock_check.may_forget(db)
    hands.move(days=days)
    assert not clock_check.may_forget(db)
    assert ago(days=0)[:10] == str(min(TODAY, hands.at).date())
    assert now()[:10] == str(max(TODAY, hands.at).date())


def test_a_clock_set_right_by_minutes_is_no_leap(hands: Hands, db: Database, club: int) -> None:
    clock_check.check(db)
    hands.move(minutes=-30)
    assert clock_check.may_forget(db)


def test_it_is_believed_again_after_a_steady_day(hands: Hands, db: Database, club: int) -> None:
    clock_check.check(db)
    hands.move(days=40)
    clock_check.check(db)
    look_hourly(db, hands, 23)
    assert clock_check.check(db) is not None
    look_hourly(db, hands, 2)
    assert clock_check.check(db) is None


def test_hours_switched_off_do_not_count_but_spoil_nothing(hands: Hands, db: Database, club: int) -> None:
    clock_check.check(db)
    hands.move(days=40)
    clock_check.check(db)
    for _ in range(5):  # five evenings of four hours, a week between them
        clock_check.check(db)
        look_hourly(db, hands, 4)
        hands.move(days=7)
    assert clock_check.check(db) is not None  # 20 hours
    look_hourly(db, hands, 4)
    assert clock_check.check(db) is None


def test_another_leap_starts_the_day_anew(hands: Hands, db: Database, club: int) -> None:
    clock_check.check(db)
    hands.move(days=40)
    clock_check.check(db)
    look_hourly(db, hands, 20)
    hands.move(days=-3)
    look_hourly(db, hands, 20)
    assert clock_check.check(db) is not None


def test_after_a_doubt_nothing_is_forgotten_for_a_month(hands: Hands, db: Database, club: int) -> None:
    """Entries made with a wrong clock have an old date. Correcting the clock must not delete their table."""
    clock_check.check(db)
    hands.move(days=-900)
    clock_check.check(db)
    hands.move(days=900)
    assert clock_check.check(db) is None and not clock_check.may_forget(db)
    hands.move(days=13)
    assert not clock_check.may_forget(db)
    for _ in range(2):
        hands.move(days=9)
        may = clock_check.may_forget(db)
    assert may


def test_an_older_database_is_asked_for_its_latest_time(hands: Hands, db: Database, club: int) -> None:
    db.execute("DELETE FROM settings WHERE name = 'clock'")
    db.execute("UPDATE clubs SET created_at = '2026-05-20T20:00:00Z'")
    hands.move(days=-2)
    assert not clock_check.may_forget(db)


def test_the_first_start_of_all_in_1970_and_then_the_truth(hands: Hands, tmp_path: Path) -> None:
    hands.at = datetime(1970, 1, 1, 0, 5, tzinfo=UTC)
    app = create_app({"DATABASE": place(tmp_path / "pi.db"), "SECRET_KEY": "for the tests"})
    db = connect(app.config["DATABASE"])
    assert clocks.clock.doubt and now() >= "2026-01-01"
    hands.at = TODAY
    assert clock_check.check(db) is None
    assert not clock_check.may_forget(db)
    db.close()


def test_leaps_at_the_start_of_a_server_keep_what_could_be_put_back(
    hands: Hands, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = pytest.importorskip("webapp.server")
    path = tmp_path / "leap.db"
    with database(path) as db:
        [play_id] = history.save_all(db, club_of(db), [draft(typed({"Ann": 5, "Bob": 2}))])
        play = saved_plays.by_id(db, play_id)
        assert play is not None
        history.delete(db, play)
    for days in (40, -2):
        hands.at = TODAY + timedelta(days=days)
        create_app({"DATABASE": place(path), "SECRET_KEY": "for the tests"})
        server.print_address(place(path), "http://here")
        assert "The clock says" in capsys.readouterr().out
    with database(path) as db:
        assert db.execute("SELECT count(*) FROM all_plays WHERE deleted_at IS NOT NULL").fetchone() == (1,)


def test_the_owner_reads_of_it_and_confirms_by_a_command(
    hands: Hands, app: Flask, db: Database, owner: Device, member: Device, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "clock" not in owner.get("/")
    hands.move(days=40)
    clock_check.check(db)
    assert "The clock says 2026-06-29 20:00 UTC" in owner.get("/")
    assert "The clock says" not in member.get("/")
    assert main(["clock", "--db", app.config["DATABASE"]]) == 1
    assert "2026-06-29" in capsys.readouterr().out
    assert main(["clock", "--right", "--db", app.config["DATABASE"]]) == 0
    assert "The clock is right" in capsys.readouterr().out
    assert "The clock says" not in owner.get("/")


def test_who_saves_by_a_doubted_clock_is_asked_for_the_day(hands: Hands, laid: Laid, db: Database) -> None:
    laid.enter_all()
    hands.move(days=40)
    clock_check.check(db)
    laid.member.post(f"{laid.path}/reveal")
    saved = laid.member.post(f"{laid.path}/save?shared=1")
    assert "The server’s clock may be wrong" in laid.member.get(str(saved.location))


def test_tables_laid_by_a_clock_of_long_ago_are_not_stamped_so(
    hands: Hands, db: Database, device: Callable[[str], Device]
) -> None:
    clock_check.check(db)
    hands.move(days=-300)
    clock_check.check(db)
    path = lay_towns(device("member"))
    table = tables.find(db, path.removeprefix("/tables/"))
    assert table is not None and table.updated_at >= "2026-05-20"


# -- copies ---


@pytest.mark.sqlite
def test_copies_dated_ahead_push_no_others_out(hands: Hands, tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    with database(path) as db:
        club_of(db)
    for _ in range(7):
        hands.move(days=1)
        backup.rotate(path)
    before = set(backup.copies_of(path))
    hands.move(days=40)
    with database(path):  # looks at the clock, and doubts it
        backup.rotate(path)
    assert before < set(backup.copies_of(path))
    hands.move(days=-40)
    with database(path):
        for _ in range(6):
            hands.move(days=1)
            assert backup.rotate(path) is not None
    dates = [date.fromisoformat(copy.stem[-10:]) for copy in backup.copies_of(path)]
    assert dates[-1] == date(2026, 7, 6)  # the one of the wrong clock: 27 May and forty days
    assert dates[-8:-1] == [date(2026, 5, 27) + timedelta(days=day) for day in range(7)]


@pytest.mark.sqlite
def test_a_clock_set_back_still_gets_its_copy(hands: Hands, tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    with database(path) as db:
        club_of(db)
    first = backup.rotate(path)
    hands.move(days=-2)
    with database(path):
        assert backup.rotate(path) is None  # the same day, by what was seen
    hands.move(days=3)
    with database(path):
        second = backup.rotate(path)
    assert first and second and {first, second} == set(backup.copies_of(path))
