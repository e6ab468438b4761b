"""Days are those of the club's time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from tests.webapp.plays import club, database, draft, typed
from webapp import days
from webapp.history import plays
from webapp.statistics import Scope
from webapp.statistics import club as of_club

pytestmark = pytest.mark.either


def test_an_evening_in_new_york_stays_on_its_day(tmp_path: Path) -> None:
    """Half past ten on New Year's Eve is four hours or five into the next year in UTC."""
    with database(tmp_path / "t.db") as db:
        home = club(db)
        db.execute("UPDATE clubs SET zone = 'America/New_York'")
        plays.save_all(db, home, [draft(typed({"Ann": 3, "Bob": 1}), "2026-01-01T03:30:00Z", place="Home")])
        plays.save_all(db, home, [draft(typed({"Ann": 3, "Bob": 1}), "2026-07-02T03:30:00Z")])
        found = [day for (day,) in db.execute("SELECT day FROM plays ORDER BY id").fetchall()]
        assert found == ["2025-12-31", "2026-07-01"]
        in_2025 = Scope(home, first="2025-01-01", last="2025-12-31")
        assert [one.plays for one in of_club.played(db, in_2025)] == [1]


def test_days_are_those_of_the_zone() -> None:
    """By hand: New York is 5 hours behind in winter, 4 in summer; Kiritimati 14 ahead."""
    assert days.day_of("2026-01-15T04:59:59Z", "America/New_York") == "2026-01-14"
    assert days.day_of("2026-01-15T05:00:00Z", "America/New_York") == "2026-01-15"
    assert days.day_of("2026-07-15T03:59:59Z", "America/New_York") == "2026-07-14"
    assert days.day_of("2026-01-14T10:00:00Z", "Pacific/Kiritimati") == "2026-01-15"
    assert days.day_of("2026-01-15T23:00:00Z", "") == "2026-01-15"
    assert days.beginning("2026-03-08", "America/New_York") == "2026-03-08T05:00:00Z"
    assert days.end("2026-03-08", "America/New_York") == "2026-03-09T04:00:00Z"
    assert days.on_day("2026-01-15T01:30:00Z", "2026-06-01", "America/New_York") == "2026-06-02T00:30:00Z"
    assert not days.is_zone("Europe/Atlantis")


def test_a_day_agrees_with_the_offset_of_the_hour() -> None:
    """A zone without summer time, worked out with a fixed offset: every hour of two days."""
    kolkata = timezone(timedelta(hours=5, minutes=30))
    for hour in range(48):
        moment = datetime(2026, 2, 27, tzinfo=UTC) + timedelta(hours=hour)
        assert (
            days.day_of(moment.strftime(days.MOMENT), "Asia/Kolkata") == moment.astimezone(kolkata).date().isoformat()
        )
