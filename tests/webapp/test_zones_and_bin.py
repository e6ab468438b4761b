"""The club's days, and the bin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.webapp.bringing import bring
from tests.webapp.conftest import Device
from tests.webapp.plays import club, database, draft, towns, typed
from webapp import clubs, jobs
from webapp.database import Database
from webapp.exchange import export_files
from webapp.exchange.import_report import Outcome
from webapp.history import Filter, job_steps, listing, rebuild, saved_plays, time_zone
from webapp.history import plays as history

LATE = "2026-01-01T03:30:00Z"  # 22:30 on New Year's Eve in New York


def saved(db: Database, home: int, at: str = LATE) -> str:
    [number] = history.save_all(db, home, [draft(typed({"Ann": 3, "Bob": 1}), at)])
    return saved_plays.key_of(db, number)


def test_a_changed_zone_moves_every_play_and_its_sums(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        for number in range(60):
            history.save_all(db, home, [draft(towns({"Ann": 2, "Bob": 1}), f"2026-03-{1 + number % 28:02}T02:00:00Z")])
        gone = saved_plays.find(db, saved(db, home))
        assert gone is not None
        history.delete(db, gone)
        assert time_zone.change_zone(db, home, "America/Los_Angeles")
        # Two in the morning in UTC is six or seven in the evening before; 1 March is the last day of February.
        months = db.execute("SELECT substr(day, 1, 7), count(*) FROM plays GROUP BY 1 ORDER BY 1").fetchall()
        assert months == [("2026-02", 3), ("2026-03", 57)]
        assert saved_plays.find(db, gone.key).day == "2025-12-31"  # type: ignore[union-attr]
        assert rebuild.check(db) == []
        assert not time_zone.change_zone(db, home, "Europe/Atlantis")
        assert not time_zone.change_zone(db, home, "Europe/Paris", guessed=True), "somebody has said already"
        assert time_zone.change_zone(db, home, "UTC")
        assert db.execute("SELECT DISTINCT day FROM all_plays WHERE day = substr(played_at, 1, 10)").fetchall()
        assert rebuild.check(db) == []


def test_the_moving_of_plays_can_stop_after_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_zone, "BATCH", 25)
    with database(tmp_path / "t.db") as db:
        home = club(db)
        history.save_all(db, home, [draft(typed({"Ann": 2, "Bob": 1}), LATE) for _ in range(60)])
        db.execute("UPDATE clubs SET zone = 'America/New_York'")
        job = jobs.take(db, jobs.add(db, "zone", home), job_steps.STEPS)
        assert job is not None and job.done == 25
        # Between two steps a play that waits and one that has moved are deleted, and a new one is saved.
        for number in (1, 60):
            play = saved_plays.by_id(db, number)
            assert play is not None
            history.delete(db, play)
        saved(db, home)
        steps = 1
        while job is not None:
            job, steps = jobs.take(db, job, job_steps.STEPS), steps + 1
        assert steps == 3, "25, 25, and the rest with the new one"
        assert rebuild.check(db) == []
        assert db.execute("SELECT count(*) FROM all_plays WHERE day <> '2025-12-31'").fetchone() == (0,)


def test_the_first_device_says_where_the_club_is_and_owners_change_it(
    member: Device, owner: Device, viewer: Device, db: Database, club: int
) -> None:
    assert "data-guess" in member.get("/")
    assert viewer.post("/club/zone", {"zone": "Europe/Berlin", "guessed": "1"}).status_code == 403
    assert member.post("/club/zone", {"zone": "Mars/Olympus", "guessed": "1"}).status_code == 400
    member.post("/club/zone", {"zone": "America/New_York", "guessed": "1"})
    assert "data-guess" not in member.get("/")
    member.post("/club/zone", {"zone": "Europe/Berlin", "guessed": "1"})
    assert member.post("/club/zone", {"zone": "Europe/Berlin"}).status_code == 403
    assert db.execute("SELECT zone FROM clubs").fetchone() == ("America/New_York",)
    key = saved(db, club)
    assert "31 Dec 2025" in member.get(f"/plays/{key}")
    assert "31 Dec 2025" in member.get("/plays")
    assert 'value="2025-12-31"' in member.get(f"/plays/{key}")
    assert "New York" in owner.get("/club")
    assert 'required value="America/New_York"' in owner.get("/club/zone")
    owner.post("/club/zone", {"zone": "Europe/Berlin"})
    assert "1 Jan 2026" in member.get(f"/plays/{key}")


def test_an_owner_types_a_city_for_the_time_zone(owner: Device, db: Database) -> None:
    refused = owner.post("/club/zone", {"zone": "Atlantis"})
    assert refused.status_code == 400 and "Choose a city from the list" in refused.get_data(as_text=True)
    assert db.execute("SELECT zone FROM clubs").fetchone() == ("",)
    owner.post("/club/zone", {"zone": " new york "})
    assert db.execute("SELECT zone FROM clubs").fetchone() == ("America/New_York",)


def test_lists_begin_and_end_with_the_clubs_day(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        for at in ("2025-12-31T04:59:59Z", "2025-12-31T05:00:00Z", "2026-01-01T04:59:59Z", "2026-01-01T05:00:00Z"):
            saved(db, home, at)
        chosen = Filter(since="2025-12-31", until="2025-12-31")
        found = listing.page(db, home, chosen, zone="America/New_York").plays
        assert [play.played_at for play in found] == ["2026-01-01T04:59:59Z", "2025-12-31T05:00:00Z"]
        assert len(listing.page(db, home, chosen).plays) == 2


def test_another_day_keeps_the_hour_at_the_club(member: Device, db: Database, club: int) -> None:
    db.execute("UPDATE clubs SET zone = 'America/New_York'")
    key = saved(db, club)
    member.post(f"/plays/{key}/notes", {"day": "2025-12-31", "notes": "late"})
    play = saved_plays.find(db, key)
    assert play is not None and (play.played_at, play.day) == (LATE, "2025-12-31")
    member.post(f"/plays/{key}/notes", {"day": "2025-07-04"})
    play = saved_plays.find(db, key)
    assert play is not None and (play.played_at, play.day) == ("2025-07-05T02:30:00Z", "2025-07-04")


def test_the_bin_lists_deleted_games_and_puts_them_back(
    member: Device, viewer: Device, db: Database, club: int
) -> None:
    assert "No game was deleted" in member.get("/plays/bin")
    member.get("/club")
    keys = [saved(db, club, f"2026-02-0{day}T20:00:00Z") for day in (1, 2, 3)]
    for key in keys[:2]:
        member.post(f"/plays/{key}/delete")
    db.execute("UPDATE all_plays SET deleted_at = '2026-11-01T12:00:00Z' WHERE key = ?", [keys[0]])
    page = member.get("/plays/bin")
    assert f"/plays/{keys[0]}/restore" in page and f"/plays/{keys[1]}/restore" in page
    assert f"/plays/{keys[2]}/restore" not in page
    assert "restore until 1 Dec 2026" in page
    assert page.count("Deleted ·") == 2, "and by which device"
    db.execute("DELETE FROM audit_log")
    assert "deleted 1 Nov 2026, restore until 1 Dec 2026" in member.get("/plays/bin")
    assert viewer.client.get("/plays/bin").status_code == 403
    answer = member.post(f"/plays/{keys[0]}/restore", {"from_bin": "1"})
    assert str(answer.location).startswith("/plays/bin")
    page = member.get("/plays/bin")
    assert "Game restored." in page and f"/plays/{keys[0]}/restore" not in page
    assert rebuild.check(db) == []


def test_the_bin_has_pages(member: Device, db: Database, club: int) -> None:
    ids = history.save_all(db, club, [draft(typed({"Ann": 3, "Bob": 1})) for _ in range(35)])
    for number in ids:
        play = saved_plays.by_id(db, number)
        assert play is not None
        history.delete(db, play)
    first, older = listing.deleted(db, club)
    rest, end = listing.deleted(db, club, older)
    assert (len(first), len(rest), end) == (30, 5, "")
    assert sorted(play.id for play in [*first, *rest]) == ids


@pytest.mark.parametrize("kind", ["players", "bgstats", "json"])
def test_a_new_york_evening_goes_out_and_comes_back_on_its_day(tmp_path: Path, kind: str) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        assert time_zone.change_zone(db, home, "America/New_York")
        saved(db, home)
        written = "".join(export_files.write(db, home, kind))
        assert {
            "players": '"2025-12-31T22:30:00-05:00"',
            "bgstats": '"playDate":"2025-12-31 22:30:00","playDateYmd":20251231',
            "json": '"played_at":"2026-01-01T03:30:00Z"',
        }[kind] in written
        assert bring(db, home, written) == Outcome(0, 1), "it is known again, and nothing differs"
        other = clubs.create(db, "The others")
        assert time_zone.change_zone(db, other, "America/New_York")
        bring(db, other, written)
        assert db.execute("SELECT played_at, day FROM all_plays WHERE club_id = ?", [other]).fetchall() == [
            (LATE, "2025-12-31")
        ]


def test_a_bare_day_is_the_clubs_day(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        for zone in ("America/New_York", "Pacific/Auckland", "UTC"):
            assert time_zone.change_zone(db, home, zone)
            bring(db, home, f"play,date,game,player,total\n{zone},2026-03-05,Tenby,Ada,12\n")
        jobs.finish(db, job_steps.STEPS)
        moments = db.execute("SELECT played_at FROM all_plays ORDER BY id").fetchall()
        # Midnight there: five hours later in UTC, thirteen earlier, and now.
        assert moments == [("2026-03-05T05:00:00Z",), ("2026-03-04T11:00:00Z",), ("2026-03-05T00:00:00Z",)]
