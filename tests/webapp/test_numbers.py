"""A number names one thing for good: whoever still holds that of something that is gone reaches nobody else by it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Migrations

from scorer.games import find
from tests.webapp.conftest import Device
from tests.webapp.plays import club, database, draft, typed
from webapp import clubs, jobs
from webapp.database import Database, get_db
from webapp.database.sqlite import connect
from webapp.history import (
    Person,
    at_tables,
    chores,
    ending,
    forgetting,
    in_words,
    people,
    plays,
    rescore,
    work,
    zones,
)
from webapp.history.merging import go_on
from webapp.schema import migrations
from webapp.schema.opening import opened
from webapp.table import Seat, tables
from webapp.views import play as view_of_play


def saved(db: Database, home: int, **points: int) -> int:
    [number] = plays.save_all(db, home, [draft(typed(points))])
    return number


def called(db: Database, home: int, name: str) -> Person:
    found = people.by_name(db, home, name)
    assert found is not None
    return found


def at(db: Database, key: str) -> tuple[Seat, ...]:
    table = tables.find(db, key)
    assert table is not None
    return tuple(table.seats)


def is_whole(db: Database) -> bool:
    """Everybody sits where her score stands, in her own club; and all sums are right."""
    apart = db.execute(
        """SELECT count(*) FROM all_scores JOIN all_plays AS play ON play.id = all_scores.play_id
        LEFT JOIN kept_seats ON kept_seats.play_id = play.id AND kept_seats.version = play.version
            AND kept_seats.seat = all_scores.seat AND kept_seats.player_id = all_scores.player_id
        LEFT JOIN players ON players.id = kept_seats.player_id AND players.club_id = play.club_id
        WHERE players.id IS NULL"""
    ).fetchone()
    return apart == (0,) and rebuild.check(db) == []


def test_numbers_of_what_is_gone_are_given_to_nobody(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        for table, row in (
            ("clubs", {"name": "Another", "created_at": ""}),
            ("players", {"club_id": home, "name": "Ann", "created_at": ""}),
            ("chores", {"kind": "none", "club_id": home}),
            ("cards", {"club_id": home, "game": "", "kind": "", "name": "", "card": ""}),
        ):
            first = db.insert(table, **row)
            db.execute(f"DELETE FROM {table} WHERE id = ?", [first])
            assert db.insert(table, **row) > first


@pytest.mark.either
def test_every_table_that_numbers_its_rows_does_so_in_a_file(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "t.db")) as db:
        made = db.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'"
        )
        numbered = {name: sql for name, sql in made.fetchall() if "INTEGER PRIMARY KEY" in sql}
        assert len(numbered) == 10
        assert [name for name, sql in numbered.items() if "AUTOINCREMENT" not in sql] == []


@pytest.mark.either
def test_a_file_of_before_keeps_its_numbers_and_gives_none_anew(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    before = Migrations("tidemark")
    for step in migrations.steps._migrations:
        if step.name < "m045":
            before()(step.fn)
    with closing(connect(path)) as old:
        before.apply(old.utils)
        home = clubs.found(old, "Thursday")
        saved(old, home, Ann=3, Bob=1)
        last = called(old, home, "Bob").id
    with closing(opened(path)) as db:
        assert called(db, home, "Bob").id == last
        eve = people.find(db, clubs.player_id(db, home, "Eve"))
        assert eve is not None and eve.id > last
        assert forgetting.remove(db, eve)
        assert clubs.player_id(db, home, "Finn") > eve.id
        saved(db, home, Ann=3, Finn=1)
        assert is_whole(db)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_the_step_of_a_merge_that_others_have_ended_meets_nobody(tmp_path: Path) -> None:
    """What was read before others made the second one a third, and before a neighbour's newcomer came."""
    with database(tmp_path / "t.db") as db:
        home, other = club(db), clubs.found(db, "The others")
        saved(db, home, Xaver=1, Zoe=2)
        saved(db, home, Yann=1, Zoe=2)
        saved(db, home, Last=1, Zoe=2)
        xaver, yann, last = (called(db, home, name) for name in ("Xaver", "Yann", "Last"))
        assert people.begin_merge(db, xaver, last)
        [read] = chores.of_club(db, home, "merge").values()
        assert people.merge(db, last, yann)
        saved(db, other, Quirin=3, Rosa=1)
        go_on(db, read)
        assert is_whole(db)
        jobs.finish(db, work.STEPS)
        assert people.by_name(db, home, "Quirin") is None
        names = db.execute("SELECT name FROM players WHERE club_id = ? ORDER BY name", [home]).fetchall()
        assert names == [("Yann",), ("Zoe",)]
        assert is_whole(db)


def test_a_merge_that_names_somebody_of_another_club_ends(tmp_path: Path) -> None:
    """As one may that was begun before numbers went on."""
    with database(tmp_path / "t.db") as db:
        home, other = club(db), clubs.found(db, "The others")
        saved(db, home, Ann=1, Bob=2)
        saved(db, other, Quirin=3, Rosa=1)
        ann, quirin = called(db, home, "Ann"), called(db, other, "Quirin")
        for about in ({"person": ann.id, "other": quirin.id}, {"person": quirin.id, "other": ann.id}):
            assert go_on(db, about) is None
        assert is_whole(db) and called(db, home, "Ann") == ann and called(db, other, "Quirin") == quirin


def test_nobody_goes_off_the_list_while_somebody_becomes_her(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        saved(db, home, Ann=1, Bob=2)
        newcomer = people.find(db, clubs.player_id(db, home, "Anna"))
        assert newcomer is not None
        assert people.begin_merge(db, called(db, home, "Ann"), newcomer)
        assert not forgetting.remove(db, newcomer)
        with db.atomic(home):
            forgetting.take_out(db, home, newcomer.id, newcomer.id)
        jobs.finish(db, work.STEPS)
        assert people.by_name(db, home, "Ann") is None
        assert [person.name for person in people.seated(db, 1)] == ["Anna", "Bob"]
        assert is_whole(db)


def test_a_club_that_ends_takes_along_what_it_had_begun(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        club(db)
        ended = clubs.found(db, "Short-lived")
        saved(db, ended, Ann=1, Bob=2)
        saved(db, ended, Anna=1, Bob=2)
        assert people.begin_merge(db, called(db, ended, "Ann"), called(db, ended, "Anna"))
        in_words.begin(db, ended, "Bob", "Somebody")
        ending.begin(db, ended)
        in_words.begin(db, ended, "Ann", "Somebody")  # by somebody who was let in a moment before
        jobs.finish(db, work.STEPS)
        assert db.execute("SELECT kind FROM jobs").fetchall() == []
        assert is_whole(db)


def test_what_others_have_begun_meanwhile_is_not_ended_with_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The background is quicker, and something else has begun since."""
    with database(tmp_path / "t.db") as db:
        home, other = club(db), clubs.found(db, "The others")
        for number in range(3):
            plays.save_all(db, home, [draft(typed({"Ann": 1, "Bob": 2}), f"2026-01-0{number + 1}T03:00:00Z")])
        saved(db, other, Ann=1, Bob=2)
        saved(db, other, Anna=1, Bob=2)
        taken = chores.taken

        def late(*given: Any) -> dict[str, Any] | None:
            monkeypatch.setattr(chores, "taken", taken)
            jobs.finish(db, work.STEPS)
            assert people.begin_merge(db, called(db, other, "Ann"), called(db, other, "Anna"))
            return taken(*given)

        monkeypatch.setattr(chores, "taken", late)
        assert zones.settle(db, home, "America/New_York")
        assert len(chores.of_club(db, other, "merge")) == 1
        days = db.execute("SELECT day FROM all_plays WHERE club_id = ? ORDER BY played_at", [home]).fetchall()
        assert days == [("2025-12-31",), ("2026-01-01",), ("2026-01-02",)]
        jobs.finish(db, work.STEPS)
        assert people.by_name(db, other, "Ann") is None
        assert is_whole(db)


def test_whoever_was_renamed_meanwhile_is_renamed_from_there(tmp_path: Path) -> None:
    """A page that was opened under the old name: nobody is left who would bring it, or the one between, back."""
    with database(tmp_path / "t.db") as db:
        home = club(db)
        saved(db, home, Ann=1, Bob=2)
        ann = called(db, home, "Ann")
        assert people.rename(db, ann, "Anna")
        game = find("tenby")
        assert game is not None
        key = tables.reopen(db, home, game, typed({"Anna": 1, "Bob": 2}), 1)
        assert people.rename(db, ann, "Annie")
        assert [seat.name for seat in at(db, key)] == ["Annie", "Bob"]
        assert forgetting.forget(db, ann, "Somebody") == "Somebody"
        assert [seat.name for seat in at(db, key)] == ["Somebody", "Bob"]
        assert not at_tables.is_seated(db, home, "Annie")


def test_whoever_is_gone_is_not_called_anything_any_more(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        saved(db, home, Ann=1, Bob=2)
        saved(db, home, Anna=1, Bob=2)
        ann = called(db, home, "Ann")
        assert people.merge(db, ann, called(db, home, "Anna"))
        assert not people.rename(db, ann, "Annie")
        assert not forgetting.remove(db, ann)
        assert forgetting.forget(db, ann, "Somebody") is None
        people.change_look(db, ann, ann.look)
        names = db.execute("SELECT name FROM players ORDER BY name").fetchall()
        assert names == [("Anna",), ("Bob",)]


def test_games_are_read_and_changed_while_nobody_is_called_otherwise(
    member: Device, db: Database, club: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a name that went meanwhile would come back, as somebody new."""
    within: list[bool] = []

    def looking(module: Any, name: str) -> Callable[..., Any]:
        real = getattr(module, name)

        def looked(first: Any, *others: Any) -> Any:
            within.append((first if isinstance(first, Database) else get_db()).in_transaction)
            return real(first, *others)

        return looked

    number = saved(db, club, Ann=1, Bob=2)
    monkeypatch.setattr(plays, "by_id", looking(plays, "by_id"))
    assert rescore.apply(db, [number]) == 1
    key = stored.key_of(db, number)
    member.get(f"/plays/{key}")
    monkeypatch.setattr(view_of_play, "play_of", looking(view_of_play, "play_of"))
    for deed in ("edit", "settle"):
        member.post(f"/plays/{key}/{deed}")
    assert set(within) == {True} and len(within) >= 3
