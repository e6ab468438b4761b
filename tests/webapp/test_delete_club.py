"""Names that are forgotten, people taken off the list, and a club that is deleted: nothing of them is left anywhere."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webapp.conftest import Device, lay_towns
from tests.webapp.engines import place
from tests.webapp.plays import database, draft, towns, typed
from webapp import clubs, jobs
from webapp.database import Database, connect
from webapp.history import (
    Person,
    delete_club,
    forget_in_texts,
    forget_player,
    job_steps,
    player_profiles,
    rebuild,
    saved_plays,
)
from webapp.history import plays as history
from webapp.history.delete_club import begin


def person(db: Database, club: int, name: str) -> Person:
    row = db.row("SELECT id FROM players WHERE club_id = ? AND name = ?", club, name)
    assert row is not None
    found = player_profiles.find(db, row["id"])
    assert found is not None
    return found


def everything(db: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in db.columns()}


def rows_with(db: Database, word: str) -> list[str]:
    return [table for table, rows in everything(db).items() if any(word in str(value) for row in rows for value in row)]


def test_a_forgotten_name_stands_nowhere_and_the_figures_stay(owner: Device, db: Database, club: int) -> None:
    record = {**typed({"Quirin": 5, "Bob": 5}, "old_london_bridge"), "table": {"chapel_order": ["Quirin", "Bob"]}}
    first, deleted = history.save_all(db, club, [draft(record), draft(towns({"Quirin": 3, "Bob": 2}))])
    play, gone = saved_plays.by_id(db, first), saved_plays.by_id(db, deleted)
    assert play is not None and gone is not None
    history.edit(db, play, play.record, play.decision)
    history.delete(db, gone)
    db.execute("INSERT INTO matches VALUES (?, 'CSV', 'player', 'Quirin', 'Quirin')", [club])
    path = lay_towns(owner)
    owner.post(f"{path}/setup", {"add": "Quirin"})
    quirin = person(db, club, "Quirin")
    owner.get(f"/players/{quirin.id}")
    owner.post(f"/players/{quirin.id}/name", {"name": "Quirinus"})
    assert "Quirinus" in owner.get(f"/players/{quirin.id}")
    answer = owner.post(f"/players/{quirin.id}/forget", follow_redirects=True)
    assert "The name is deleted. Games that mention it" in answer.get_data(as_text=True)
    assert rows_with(db, "Quirinus") == []
    assert rows_with(db, "Quirin") == []
    play = saved_plays.by_id(db, first)
    assert play is not None
    assert play.result["winners"] == ["Somebody"]
    assert play.record["table"]["chapel_order"] == ["Somebody", "Bob"]
    assert rebuild.check(db) == []


def test_a_forgotten_name_goes_from_notes_and_places_too_if_that_is_wanted(
    owner: Device, db: Database, club: int, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forget_in_texts, "FEW", 5)
    path = app.config["DATABASE"]
    at_hers = [
        draft(typed({"Will": 5, "Bob": 2}), f"2026-01-{1 + day % 28:02}T20:00:00Z", notes=notes, place=place)
        for day, (notes, place) in enumerate(
            [("Will's birthday, as Will will say", "Will's kitchen"), ("Willow and will", "Free will")] * 60
        )
    ]
    ids = history.save_all(db, club, at_hers)
    gone = saved_plays.by_id(db, ids[0])
    assert gone is not None
    history.delete(db, gone)
    owner.get("/club")
    db.execute("UPDATE devices SET name = 'Phone of Will'")
    will = person(db, club, "Will")
    owner.get(f"/players/{will.id}")
    owner.post(f"/players/{will.id}/forget", {"words": "1"})
    with closing(connect(path)) as other:  # the server goes on with what is long
        [left] = jobs.under_way(other)
        assert jobs.take(other, left, job_steps.STEPS) is not None
        jobs.finish(other, job_steps.STEPS)
    written = set(db.execute("SELECT notes, place FROM all_plays").fetchall())
    assert written == {
        ("Somebody's birthday, as Somebody will say", "Somebody's kitchen"),
        ("Willow and will", "Free will"),
    }
    assert db.execute("SELECT name FROM devices").fetchall() == [("Phone of Somebody",)]
    assert rows_with(db, "Will") == ["all_plays"]  # Willow
    assert db.execute("SELECT place, count(*) FROM plays GROUP BY place ORDER BY place").fetchall() == [
        ("Free will", 60),
        ("Somebody's kitchen", 59),
    ]
    assert rebuild.check(db) == []


def test_words_stay_unless_somebody_wants_them_gone(owner: Device, db: Database, club: int) -> None:
    history.save_all(db, club, [draft(typed({"Will": 5, "Bob": 2}), notes="as Will says")])
    will = person(db, club, "Will")
    owner.get(f"/players/{will.id}")
    owner.post(f"/players/{will.id}/forget")
    jobs.finish(db, job_steps.STEPS)
    assert db.execute("SELECT notes FROM all_plays").fetchall() == [("as Will says",)]


def test_somebody_is_numbered_if_there_are_several(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = clubs.create(db, "The club")
        history.save_all(db, home, [draft(typed({"Ann": 5, "Bob": 2, "Cid": 1}))])
        words = [forget_player.forget(db, person(db, home, name), "Somebody") for name in ("Ann", "Bob", "Cid")]
        assert words == ["Somebody", "Somebody 2", "Somebody 3"]


def test_only_who_never_played_is_taken_off_the_list(owner: Device, db: Database, club: int) -> None:
    [play_id] = history.save_all(db, club, [draft(typed({"Ann": 5, "Bob": 2}))])
    play = saved_plays.by_id(db, play_id)
    assert play is not None
    better = draft(typed({"Ann": 5, "Cid": 2}))
    history.edit(db, play, better.record, better.decision)
    nobody = clubs.player_id(db, club, "Dot")
    for name, removed in (("Ann", False), ("Bob", False), ("Cid", False), ("Dot", True)):
        number = person(db, club, name).id
        owner.get(f"/players/{number}")
        owner.post(f"/players/{number}/remove")
        assert (player_profiles.find(db, number) is None) is removed, name
    assert player_profiles.find(db, nobody) is None


def test_a_club_is_deleted_after_two_questions(owner: Device, viewer: Device, db: Database, club: int) -> None:
    history.save_all(db, club, [draft(typed({"Ann": 5, "Bob": 2}))])
    owner.get("/club/end")
    assert owner.post("/club/end", {"name": "Friday"}).status_code == 422
    asked = owner.post("/club/end", {"name": "thursday"})
    assert "Delete the club Thursday?" in asked.get_data(as_text=True)
    assert clubs.links(db, club), "nothing has happened yet"
    viewer.get("/club")
    assert viewer.post("/club/end", {"name": "Thursday", "sure": "yes"}).status_code == 403
    owner.post("/club/end", {"name": "Thursday", "sure": "yes"})
    assert clubs.first_club(db) is None
    viewer.get("/plays", status=404)
    jobs.finish(db, job_steps.STEPS)
    assert db.execute("SELECT count(*) FROM clubs").fetchone() == (0,)


def test_nothing_of_a_deleted_club_is_left(owner: Device, db: Database, club: int) -> None:
    """Every table is looked through for the club's number, its players' numbers and everything it wrote."""
    other = clubs.create(db, "The others")
    history.save_all(db, other, [draft(towns({"Zoe": 3, "Yan": 2}), notes="calm")])
    before = {table: len(rows) for table, rows in everything(db).items()}
    before = {**before, "clubs": before["clubs"] - 1, "links": before["links"] - 3, "devices": before["devices"] - 1}
    words = ("Xaverine", "Ottokar", "thunderous", "lighthouse")
    record = towns({"Xaverine": 4, "Ottokar": 2})
    plays = [
        draft(record, f"2026-01-{day:02}T20:00:00Z", notes="thunderous", place="lighthouse") for day in range(1, 29)
    ]
    ids = history.save_all(db, club, [*plays, *plays])
    play = saved_plays.by_id(db, ids[0])
    assert play is not None
    history.edit(db, play, play.record, play.decision)
    history.delete(db, play)
    path = lay_towns(owner)
    owner.post(f"{path}/open")
    begin(db, club)
    db.execute("INSERT INTO matches VALUES (?, 'CSV', 'player', 'x', 'Xaverine')", [club])
    waiting = jobs.add(db, "import", club, state="waiting")
    db.execute("INSERT INTO import_pieces VALUES (?, 0, ?)", [waiting.id, b"\0"])
    db.insert("box_cards", club_id=club, game="tenby", kind="x", name="Ottokar", card="{}")
    db.upsert("remembered", ("club_id", "game"), club_id=club, game="tenby", setup="{}")
    number = db.insert("photos", key="p", play_id=ids[1], reading="{}", kept=1, created_at="")
    db.execute("INSERT INTO pictures VALUES (?, 0, ?)", [number, b"\0"])
    db.insert("samples", key="s", club_id=club, game="tenby", boards="[]", jpeg=b"\0", created_at="", permitted_at="")
    jobs.finish(db, job_steps.STEPS)
    after = {table: len(rows) for table, rows in everything(db).items()}
    assert after == before
    assert [word for word in words if rows_with(db, word)] == []
    for table, rows in everything(db).items():
        columns, _ = db.columns()[table]
        assert all(club not in [v for c, v in zip(columns, row, strict=True) if c == "club_id"] for row in rows), table
    assert rebuild.check(db) == []
    assert db.execute("SELECT player FROM scores ORDER BY seat").fetchall() == [("Zoe",), ("Yan",)]


def test_a_deletion_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delete_club, "FEW", 20)
    path = place(tmp_path / "t.db")
    with database(path) as db:
        home = clubs.create(db, "The club")
        plays = [draft(towns({"Ann": 4, "Bob": 2}), f"2026-01-{day:02}T20:00:00Z") for day in range(1, 29)]
        history.save_all(db, home, [*plays, *plays])
        begin(db, home)
        [job] = jobs.under_way(db)
        assert jobs.take(db, job, job_steps.STEPS) is not None
        assert db.execute("SELECT count(*) FROM all_plays").fetchone() == (36,)
    with closing(connect(path)) as db:
        jobs.finish(db, job_steps.STEPS)
        assert db.execute("SELECT count(*) FROM clubs").fetchone() == (0,)
