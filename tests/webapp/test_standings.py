"""Standings: a game at the end is added to what stands, every other change works the title out again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.webapp.plays import club, database, draft, typed
from webapp import jobs
from webapp.database import Database
from webapp.history import job_steps, plays, rebuild, saved_plays, standings


@pytest.fixture
def rebuilt(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles that were worked out again."""
    found: list[str] = []
    again = standings.rebuild

    def noted(db: Database, club_id: int, game: str) -> None:
        found.append(game)
        again(db, club_id, game)

    monkeypatch.setattr(standings, "rebuild", noted)
    return found


def on(day: int, ann: int = 5, bob: int = 3, **more: Any) -> Any:
    return draft(typed({"Ann": ann, "Bob": bob}), f"2026-01-{day:02}T20:00:00Z", **more)


def rows(db: Database) -> list[Any]:
    sql = (
        "SELECT name, plays, streak, longest, best FROM standings JOIN players ON players.id = player_id ORDER BY name"
    )
    return db.execute(sql).fetchall()


def test_a_game_at_the_end_is_added(tmp_path: Path, rebuilt: list[str]) -> None:
    with database(tmp_path / "t.db") as db:
        for day in (1, 2, 3):
            plays.save_all(db, club(db), [on(day, ann=4 + day)])
        plays.save_all(db, club(db), [on(4, ann=1), on(5)])
        assert rebuilt == []
        assert rows(db) == [("Ann", 5, 1, 3, 7), ("Bob", 5, 0, 1, 3)]
        assert rebuild.check(db) == []


@pytest.mark.parametrize("change", ["before", "delete the last", "delete the first", "edit", "move", "restore"])
def test_any_other_change_works_the_title_out_again(tmp_path: Path, rebuilt: list[str], change: str) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        ids = plays.save_all(db, home, [on(day) for day in (2, 3, 4)])
        first, *_, last = (saved_plays.by_id(db, number) for number in ids)
        assert first is not None and last is not None
        if change == "before":
            plays.save_all(db, home, [on(1, bob=9)])
        elif change == "edit":
            plays.edit(db, last, on(4, bob=9).record, on(4, bob=9).decision)
        elif change == "move":
            plays.describe(db, first, "", "", None, "2026-02-01T20:00:00Z")
        else:
            plays.delete(db, first if "first" in change else last)
        if change == "restore":
            plays.restore(db, last)
        assert set(rebuilt) == {"tenby"}
        assert rebuild.check(db) == []


def test_a_long_title_is_worked_out_by_a_job(
    tmp_path: Path, rebuilt: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings, "AT_ONCE", 2)
    with database(tmp_path / "t.db") as db:
        home = club(db)
        for day in (2, 3, 4):
            plays.save_all(db, home, [on(day)])
        assert rebuilt == [] and jobs.of_club(db, home) == []
        plays.save_all(db, home, [on(1, bob=9)])
        assert rebuilt == [] and [job.kind for job in jobs.of_club(db, home)] == ["standings"]
        plays.save_all(db, home, [on(5)])  # goes on from what stands until then
        jobs.finish(db, job_steps.STEPS)
        assert rebuilt == ["tenby"] and jobs.of_club(db, home) == []
        assert rows(db) == [("Ann", 5, 4, 4, 5), ("Bob", 5, 0, 1, 9)]
        assert rebuild.check(db) == []


def test_an_open_result_ends_no_streak_and_changes_no_rating(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        plays.save_all(db, club(db), [on(1), on(2)])
        one = on(3)
        unknown = [type(seat)(None, None, None, (), final=False) for seat in one.decision.seats]
        open_one = type(one)(one.record, type(one.decision)(tuple(unknown), None, "", "told"), one.played_at)
        before = db.execute("SELECT player_id, skill, doubt, best FROM standings ORDER BY 1").fetchall()
        plays.save_all(db, club(db), [open_one])
        assert db.execute("SELECT player_id, skill, doubt, best FROM standings ORDER BY 1").fetchall() == before
        assert [row[:3] for row in rows(db)] == [("Ann", 3, 2), ("Bob", 3, 0)]
