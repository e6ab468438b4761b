"""A number names one thing for good: whoever still holds that of something that is gone reaches nobody else by it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scorer.games import find
from tests.webapp.conftest import Device
from tests.webapp.plays import club, database, draft, typed
from webapp import clubs, jobs
from webapp.database import Database, get_db
from webapp.history import (
    Person,
    delete_club,
    forget_in_texts,
    forget_player,
    job_steps,
    player_profiles,
    plays,
    rebuild,
    rescore,
    saved_plays,
    time_zone,
)
from webapp.jobs import Job
from webapp.schema.upgrade import opened
from webapp.table import Seat, renaming, tables
from webapp.views import play as view_of_play

pytestmark = pytest.mark.either


def saved(db: Database, home: int, **points: int) -> int:
    [number] = plays.save_all(db, home, [draft(typed(points))])
    return number


def called(db: Database, home: int, name: str) -> Person:
    found = player_profiles.by_name(db, home, name)
    assert found is not None
    return found


def at(db: Database, key: str) -> tuple[Seat, ...]:
    table = tables.find(db, key)
    assert table is not None
    return tuple(table.seats)


def is_whole(db: Database) -> bool:
    """Everybody sits at games of her own club only; and all that is derived is right."""
    strangers = db.execute(
        """SELECT count(*) FROM all_scores JOIN all_plays ON all_plays.id = play_id
        LEFT JOIN players ON players.id = player_id AND players.club_id = all_plays.club_id
        WHERE players.id IS NULL"""
    ).fetchone()
    return strangers == (0,) and rebuild.check(db) == []


def test_numbers_of_what_is_gone_are_given_to_nobody(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        for table, row in (
            ("clubs", {"name": "Another", "created_at": ""}),
            ("players", {"club_id": home, "name": "Ann", "created_at": ""}),
            ("jobs", {"key": "k", "kind": "none", "club_id": home, "created_at": "", "updated_at": ""}),
            ("samples", {"key": "k", "club_id": home, "game": "", "boards": "[]", "jpeg": b"", "created_at": ""}),
            ("box_cards", {"club_id": home, "game": "", "kind": "", "name": "", "card": ""}),
        ):
            first = db.insert(table, **row)
            db.execute(f"DELETE FROM {table} WHERE id = ?", [first])
            assert db.insert(table, **row) > first


def test_every_table_that_numbers_its_rows_does_so_in_a_file(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "t.db")) as db:
        made = db.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'"
        )
        numbered = {name: sql for name, sql in made.fetchall() if "INTEGER PRIMARY KEY" in sql}
        assert len(numbered) == 12
        assert [name for name, sql in numbered.items() if "AUTOINCREMENT" not in sql] == []


def test_a_club_that_ends_takes_along_what_it_had_begun(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        club(db)
        ended = clubs.create(db, "Short-lived")
        saved(db, ended, Ann=1, Bob=2)
        jobs.add(db, "zone", ended)
        forget_in_texts.begin(db, ended, "Bob", "Somebody")
        delete_club.begin(db, ended)
        forget_in_texts.begin(db, ended, "Ann", "Somebody")  # by somebody who was let in a moment before
        jobs.finish(db, job_steps.STEPS)
        assert db.execute("SELECT kind FROM jobs").fetchall() == []
        assert is_whole(db)


def test_what_others_have_begun_meanwhile_is_not_ended_with_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The background is quicker, and something else has begun since."""
    with database(tmp_path / "t.db") as db:
        home, other = club(db), clubs.create(db, "The others")
        for number in range(3):
            plays.save_all(db, home, [draft(typed({"Ann": 1, "Bob": 2}), f"2026-01-0{number + 1}T03:00:00Z")])
        plays.save_all(db, other, [draft(typed({"Ann": 1, "Bob": 2}), notes="Ann was here")])
        take = jobs.take

        def late(*given: Any) -> Job | None:
            monkeypatch.setattr(jobs, "take", take)
            jobs.finish(db, job_steps.STEPS)
            forget_in_texts.begin(db, other, "Ann", "Somebody")
            return take(*given)

        monkeypatch.setattr(jobs, "take", late)
        assert time_zone.change_zone(db, home, "America/New_York")
        assert len(jobs.of_club(db, other, "words")) == 1
        days = db.execute("SELECT day FROM all_plays WHERE club_id = ? ORDER BY played_at", [home]).fetchall()
        assert days == [("2025-12-31",), ("2026-01-01",), ("2026-01-02",)]
        jobs.finish(db, job_steps.STEPS)
        assert db.execute("SELECT notes FROM plays WHERE club_id = ?", [other]).fetchall() == [("Somebody was here",)]
        assert is_whole(db)


def test_whoever_was_renamed_meanwhile_is_renamed_from_there(tmp_path: Path) -> None:
    """A page that was opened under the old name: nobody is left who would bring it, or the one between, back."""
    with database(tmp_path / "t.db") as db:
        home = club(db)
        saved(db, home, Ann=1, Bob=2)
        ann = called(db, home, "Ann")
        assert player_profiles.rename(db, ann, "Anna")
        game = find("tenby")
        assert game is not None
        key = tables.reopen(db, home, game, typed({"Anna": 1, "Bob": 2}), 1)
        assert player_profiles.rename(db, ann, "Annie")
        assert [seat.name for seat in at(db, key)] == ["Annie", "Bob"]
        assert forget_player.forget(db, ann, "Somebody") == "Somebody"
        assert [seat.name for seat in at(db, key)] == ["Somebody", "Bob"]
        assert not renaming.is_seated(db, home, "Annie")


def test_whoever_is_gone_is_not_called_anything_any_more(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        saved(db, home, Ann=1, Bob=2)
        saved(db, home, Anna=1, Bob=2)
        ann = called(db, home, "Ann")
        assert player_profiles.merge(db, ann, called(db, home, "Anna"))
        assert not player_profiles.rename(db, ann, "Annie")
        assert not forget_player.remove(db, ann)
        assert forget_player.forget(db, ann, "Somebody") is None
        player_profiles.change_avatar(db, ann, ann.avatar)
        names = db.execute("SELECT name FROM players ORDER BY name").fetchall()
        assert names == [("Anna",), ("Bob",)]


def test_games_are_read_and_changed_while_nobody_is_called_otherwise(
    member: Device, db: Database, club: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a name that went meanwhile would come back, as somebody new."""
    within: list[bool] = []

    def looking(module: Any, name: str) -> Callable[..., Any]:
        real = getattr(module, name)

        def looked(first: Any, *others: Any, **named: Any) -> Any:
            within.append((first if isinstance(first, Database) else get_db()).in_transaction)
            return real(first, *others, **named)

        return looked

    number = saved(db, club, Ann=1, Bob=2)
    monkeypatch.setattr(saved_plays, "by_id", looking(saved_plays, "by_id"))
    assert rescore.apply(db, [number]) == 1
    key = saved_plays.key_of(db, number)
    member.get(f"/plays/{key}")
    monkeypatch.setattr(view_of_play, "play_of", looking(view_of_play, "play_of"))
    for deed in ("edit", "settle"):
        member.post(f"/plays/{key}/{deed}")
    assert set(within) == {True} and len(within) >= 3
