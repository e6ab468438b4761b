"""One person is one person in a club, however the name was typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scorer.core import score
from tests.webapp.bringing import bring, taken_out, without_imports
from tests.webapp.conftest import Device, lay_towns
from tests.webapp.plays import club, database, draft, typed
from webapp import clubs
from webapp.database import Database
from webapp.exchange import Refused
from webapp.history import player_profiles, plays, saved_plays

COMPOSED, IN_PARTS = "Ren\u00e9", "Rene\u0301"


def test_a_table_seats_nobody_twice_and_knows_the_club_s_spelling(member: Device, db: Database, club: int) -> None:
    clubs.player_id(db, club, COMPOSED)
    path = lay_towns(member)
    page = member.post(f"{path}/setup", {"new": "ann "}, headers={"X-Tidemark": "part"}).get_data(as_text=True)
    assert "Two players have the same name" in page
    member.post(f"{path}/setup", {"new": IN_PARTS.upper()})
    assert f'<span class="name">{COMPOSED}</span>' in member.get(f"{path}/setup")


def test_an_invisible_letter_is_told(member: Device) -> None:
    path = lay_towns(member)
    page = member.post(f"{path}/setup", {"new": "D\u200bee"}, headers={"X-Tidemark": "part"}).get_data(as_text=True)
    assert "visible characters" in page and "D\u200bee" not in page


def test_a_saved_game_finds_the_people_of_the_club(tmp_path: Path) -> None:
    with database(tmp_path / "a.db") as db:
        home = club(db)
        plays.save_all(db, home, [draft(typed({COMPOSED: 5, "Bob": 3}))])
        [play_id] = plays.save_all(db, home, [draft(typed({"bob": 9, IN_PARTS: 3}))])
        assert clubs.roster(db, home) == [COMPOSED, "Bob"]
        play = saved_plays.by_id(db, play_id)
        assert play is not None
        assert [player["name"] for player in play.record["players"]] == ["Bob", COMPOSED]
        assert [player["name"] for player in play.result["players"]] == ["Bob", COMPOSED]
        assert play.result["winners"] == ["Bob"] and score(play.record)["winners"] == ["Bob"]


def test_nobody_takes_another_spelling_of_somebody_s_name(tmp_path: Path) -> None:
    with database(tmp_path / "a.db") as db:
        home = club(db)
        plays.save_all(db, home, [draft(typed({"Ann": 5, "Bob": 3}))])
        bob = player_profiles.find(db, clubs.player_id(db, home, "BOB"))
        assert bob is not None
        assert not player_profiles.rename(db, bob, "ann")
        assert player_profiles.rename(db, bob, "BOB")


def two_spellings(db: Database) -> int:
    """A club from before names were compared like this."""
    home = club(db)
    for name in ("Ann", "ann"):
        db.insert("players", club_id=home, name=name, created_at="2026-01-01T20:00:00Z")
    record = typed({"Ann": 5, "Bob": 3})
    result = score(record)
    renamed: Any = json.loads(json.dumps([record, result]).replace('"Bob"', '"ann"'))
    plays.save(db, home, *renamed)
    return home


def test_a_club_with_two_spellings_stays_as_it_is(tmp_path: Path) -> None:
    with database(tmp_path / "a.db") as db:
        home = two_spellings(db)
        assert sorted(clubs.roster(db, home)) == ["Ann", "ann"]
        first = taken_out(db, home)
    with database(tmp_path / "b.db") as db:
        copy = club(db)
        db.execute("UPDATE clubs SET name = 'The club'")
        assert bring(db, copy, first.encode()).added == 1
        assert without_imports(taken_out(db, copy)) == without_imports(first)


def test_an_import_finds_the_people_of_the_club(tmp_path: Path) -> None:
    with database(tmp_path / "a.db") as db:
        plays.save_all(db, club(db), [draft(typed({"ann": 5, "BOB": 3}))])
        exported = taken_out(db, club(db))
    with database(tmp_path / "b.db") as db:
        plays.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 3}))])
        bring(db, club(db), exported.encode())
        assert clubs.roster(db, club(db)) == ["Ann", "Bob"]
        bring(db, club(db), "date,game,player,total\n2026-01-31,tenby,aNN,5\n2026-01-31,tenby,Bo\u200bb,3\n".encode())
        assert clubs.roster(db, club(db)) == ["Ann", "Bob"]


def test_renaming_to_an_invisible_name_is_refused(device: Callable[[str], Device], db: Database, club: int) -> None:
    number, member = clubs.player_id(db, club, "Ann"), device("member")
    member.get(f"/players/{number}")
    member.post(f"/players/{number}/name", {"name": "A\u200bnna"})
    assert clubs.roster(db, club) == ["Ann"]


def test_a_file_with_a_key_twice_is_refused_with_its_place(tmp_path: Path) -> None:
    with database(tmp_path / "a.db") as db, pytest.raises(Refused, match="Line 2, column 2"):
        bring(db, club(db), b'{"format": "tidemark club",\n "format": "tidemark club"}')
