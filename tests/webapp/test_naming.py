"""A name stands once, with its person: games keep seats, whatever else the word means, and old files are taken up."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scorer.core import score
from tests.conftest import EXAMPLES, Example
from tests.webapp.plays import club, database, draft, towns, typed
from webapp import clubs
from webapp.database import Database, pack
from webapp.database.sqlite import connect
from webapp.history import naming, people, recount, work
from webapp.history import plays as history
from webapp.schema import migrations

# What else a word may mean: squares, numbers, buildings, ways of playing, fields, codes of cards.
WORDS = ("Ann", "A1", "3", "cottage", "Cottage", "standard", "grid", "flowers", "holder", 'Quo"te\\', "Ŝlosilo")


def called(example: Example, name: str) -> dict[str, Any]:
    """The example's record with the first player called so."""
    text = pack(example.record)
    record: dict[str, Any] = json.loads(text.replace(pack(example.record["players"][0]["name"]), pack(name)))
    return record


@pytest.mark.parametrize("name", WORDS)
def test_what_is_kept_reads_as_it_was_and_under_other_names_as_the_rules_say_it(name: str) -> None:
    told_anew = 0
    for example in EXAMPLES:
        record = called(example, name)
        result = score(record)
        names = [player["name"] for player in record["players"]]
        if not result["ok"] or len(set(names)) < len(names):
            continue
        kept = naming.hidden(record, result)
        assert json.loads(naming.told(kept[0], names)) == record
        assert json.loads(naming.told(kept[1], names)) == json.loads(pack(result))
        others = [f"Zoe{seat}" for seat in range(len(names))]
        anew = json.loads(naming.told(kept[0], others))
        assert json.loads(naming.told(kept[1], others)) == json.loads(pack(score(anew))), str(example)
        told_anew += 1
    assert told_anew > 30


def test_letters_that_no_text_has_cannot_be_brought_in() -> None:
    saved = draft(typed({"Ann": 3, "Bob": 1}))
    odd: Any = {**saved.result, "problems": [{"code": "x", "message": "\ufdd1 won", "where": "", "level": "warning"}]}
    kept = naming.hidden(saved.record, odd)
    assert json.loads(naming.told(kept[1], ["Ann", "Bob"]))["problems"][0]["message"] == "\ufffd won"


def test_a_name_stands_in_the_file_once(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        record = {**typed({"Ann": 5, "Xaver": 5}, "old_london_bridge"), "table": {"chapel_order": ["Xaver", "Ann"]}}
        [play_id] = history.save_all(db, club(db), [draft(record), draft(towns({"Xaver": 2, "Ann": 3}))])[:1]
        play = history.by_id(db, play_id)
        assert play is not None
        history.correct(db, play, play.record, play.result)
        assert places_of(db, "Xaver") == [("players", "name")]
        xaver = people.find(db, clubs.player_id(db, club(db), "Xaver"))
        assert xaver is not None
        assert people.rename(db, xaver, "Yvonne")
        assert places_of(db, "Xaver") == []
        [told] = db.execute("SELECT record FROM plays WHERE id = ?", [play_id]).fetchone()
        assert json.loads(told)["table"] == {"chapel_order": ["Yvonne", "Ann"]}
        assert recount.recount(db, repair=False) == []


def places_of(db: Database, word: str) -> list[tuple[str, str]]:
    """The tables and columns in which the word stands."""
    found = []
    for table, (columns, _) in db.columns().items():
        for column in columns:
            sql = f"SELECT 1 FROM {table} WHERE instr(CAST({column} AS TEXT), ?) > 0 LIMIT 1"
            if db.execute(sql, [word]).fetchone():
                found.append((table, column))
    return found


def old_file(path: Path) -> int:
    """A file of before names were kept apart: two plays, one of them deleted, and an earlier version."""
    with closing(connect(path)) as db:
        migrations.steps.apply(db.utils, stop_before="m020_names_apart")
        home = clubs.found(db, "The club")
        db.execute(
            "INSERT INTO players (club_id, name, created_at) VALUES (?, 'Ann', ''), (?, 'Bob', '')", [home, home]
        )
        for number, deleted in ((1, None), (2, "2099-01-01T00:00:00Z")):
            saved = draft(towns({"Ann": 4, "Bob": number}))
            kept = [pack(saved.record), pack(saved.result)]
            db.execute(
                """INSERT INTO kept_plays (key, club_id, game, played_at, saved_at, version, record, result,
                rules_version, player_count, deleted_at) VALUES (?, ?, 'tiny_towns', ?, ?, 2, ?, ?, '1', 2, ?)""",
                [f"k{number}", home, saved.played_at, saved.played_at, *kept, deleted],
            )
            db.execute("INSERT INTO play_versions VALUES (?, 1, '', ?, ?, '1')", [number, *kept])
        return home


def test_an_old_file_is_read_at_once_and_taken_up_in_the_background(tmp_path: Path) -> None:
    home = old_file(tmp_path / "old.db")
    with closing(connect(tmp_path / "old.db")) as db:
        migrations.steps.apply(db.utils)
        for name, now in (("Ann", "Zoe"), ("Bob", "Ann")):  # names change owners before their games are taken up
            found = people.find(db, clubs.player_id(db, home, name))
            assert found is not None
            assert people.rename(db, found, now)
        before = [play.result["winners"] for play in history.each(db, home, deleted=True)]
        assert before == [["Zoe"], ["Zoe"]]
        recount.if_due(db)
        work.finish(db)
        assert [play.result["winners"] for play in history.each(db, home, deleted=True)] == before
        assert places_of(db, "Bob") == []
        assert places_of(db, "Ann") == [("players", "name")]
        assert db.execute("SELECT count(*) FROM kept_seats").fetchone() == (8,)
        assert db.execute("SELECT player, total FROM scores").fetchall()[0][0] == "Zoe"
        assert recount.recount(db, repair=False) == []


def is_over(left: Iterator[int]) -> int:
    """Whether SQLite is to break off."""
    return int(next(left, None) is None)


def test_taking_names_out_goes_on_wherever_it_was_stopped(tmp_path: Path) -> None:
    home = old_file(tmp_path / "old.db")
    with closing(connect(tmp_path / "old.db")) as db:
        migrations.steps.apply(db.utils)
        texts = [row[0] for row in db.execute("SELECT record FROM kept_plays ORDER BY id").fetchall()]
    for ticks in range(1, 40):
        with closing(connect(tmp_path / "old.db")) as db:
            left = iter(range(ticks * 2))
            db.conn.set_progress_handler(partial(is_over, left), 20)
            with contextlib.suppress(sqlite3.OperationalError):
                work.finish(db)
            db.conn.set_progress_handler(None, 0)
            assert [pack(play.record) for play in history.each(db, home, deleted=True)] == texts
    with closing(connect(tmp_path / "old.db")) as db:
        recount.if_due(db)
        work.finish(db)
        assert db.execute("SELECT count(*) FROM kept_seats").fetchone() == (8,)
        assert recount.recount(db, repair=False) == []
