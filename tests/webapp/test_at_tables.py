"""Renaming, making one and forgetting reach the tables that are still being entered, and the phones at them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorer import games
from tests.webapp.conftest import Device, Laid, lay_towns
from tests.webapp.plays import draft, towns
from webapp import clubs
from webapp.database import Database
from webapp.history import Person, forget_player, player_profiles, plays
from webapp.table import Seat, Table, events, seats, tables

pytestmark = pytest.mark.either

OTHERS = "An unfinished game has both names"


def person(db: Database, club: int, name: str) -> Person:
    found = player_profiles.find(db, clubs.player_id(db, club, name))
    assert found is not None
    return found


def roster(db: Database) -> list[str]:
    return sorted(name for (name,) in db.execute("SELECT name FROM players").fetchall())


def names_at(laid: Laid) -> list[str]:
    return [seat.name for seat in laid.table().seats]


def rename(owner: Device, who: Person, name: str) -> str:
    owner.get(f"/players/{who.id}")
    return owner.post(f"/players/{who.id}/name", {"name": name}, follow_redirects=True).get_data(as_text=True)


def save(laid: Laid) -> None:
    laid.enter_all()
    laid.member.get(f"{laid.path}/seats")
    laid.member.post(f"{laid.path}/reveal")
    assert "/rooms/" in str(laid.member.post(f"{laid.path}/save?shared").location)


def test_saving_a_table_does_not_bring_an_old_name_back(laid: Laid, owner: Device, db: Database, club: int) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 4, "Bob": 2}))])
    page = rename(owner, person(db, club, "Ann"), "Anna")
    assert names_at(laid) == ["Anna", "Bob", "Cid"] and OTHERS not in page
    save(laid)
    assert roster(db) == ["Anna", "Bob", "Cid"]


@pytest.mark.parametrize("spelt", ["ANN", "ann", " Ann\u200b"])
def test_names_are_compared_however_they_are_spelt(
    laid: Laid, owner: Device, db: Database, club: int, spelt: str
) -> None:
    db.execute("UPDATE seats SET name = ? WHERE name = 'Ann'", [spelt])
    rename(owner, person(db, club, "Ann"), "Anna")
    assert names_at(laid) == ["Anna", "Bob", "Cid"]


def test_a_name_that_is_only_spelt_otherwise_follows(laid: Laid, owner: Device, db: Database, club: int) -> None:
    page = rename(owner, person(db, club, "Ann"), "ANN")
    assert names_at(laid) == ["ANN", "Bob", "Cid"] and OTHERS not in page


def test_somebody_else_of_nearly_the_same_name_keeps_it(owner: Device, db: Database, club: int) -> None:
    """As in histories of before names were compared."""
    with db.atomic():
        for name in ("Ann", "ann", "Bob"):
            db.insert("players", club_id=club, name=name, created_at="2020-01-01T00:00:00Z")
    key = lay(db, club, "tiny_towns", {}, ["ann", "Bob"])
    rename(owner, person(db, club, "Ann"), "Anna")
    assert [seat.name for seat in at(db, key).seats] == ["ann", "Bob"]


def test_a_table_at_which_both_names_sit_is_left_and_said_so(
    laid: Laid, owner: Device, db: Database, club: int
) -> None:
    laid.member.get(f"{laid.path}/setup")
    laid.member.post(f"{laid.path}/setup", {"add": "anna"})
    assert OTHERS in rename(owner, person(db, club, "Ann"), "Anna")
    assert names_at(laid) == ["Ann", "Bob", "Cid", "anna"]


def test_another_club_keeps_its_names(laid: Laid, owner: Device, db: Database, club: int) -> None:
    other = clubs.create(db, "The others")
    key = tables.add(db, other, laid.table().game, {}, ["Ann", "Bob"])
    rename(owner, person(db, club, "Ann"), "Anna")
    table = tables.find(db, key)
    assert table is not None and [seat.name for seat in table.seats] == ["Ann", "Bob"]


def test_phones_are_told_and_what_they_are_just_sending_comes_in(
    laid: Laid, owner: Device, stranger: Device, db: Database, club: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid.seat(stranger, 0)
    stranger.get(f"{laid.path}/seats/0")
    told: list[str] = []
    monkeypatch.setattr(events, "tell", lambda db, _: told.extend(db.touched))
    before = laid.table().version
    rename(owner, person(db, club, "Ann"), "Anna")
    rename(owner, person(db, club, "Anna"), "Annabel")
    assert laid.table().version == before + 2 and laid.table().key in told
    sent = {"player": "Ann", "version": "1", "change": "c1", "grid/0/0": "cottage"}
    assert laid.tap(stranger, 0, **sent) == 200
    assert laid.cell(0) == "cottage" and names_at(laid)[0] == "Annabel"


def test_what_was_on_its_way_while_she_was_renamed_is_kept(laid: Laid, owner: Device, db: Database, club: int) -> None:
    """The request has read the table a moment before."""
    table = laid.table()
    rename(owner, person(db, club, "Ann"), "Anna")
    entered = seats.enter(db, table, table.seats[0], {"grid": [["cottage"]]}, seats.Sending("phone", "c1", 1))
    assert laid.cell(0) == "cottage"
    assert [seat.name for seat in entered.table.seats] == ["Anna", "Bob", "Cid"]


def test_a_draft_goes_with_the_name(laid: Laid, owner: Device, db: Database, club: int) -> None:
    table = laid.table()
    with db.atomic():
        seats.keep_draft(db, table, table.seats[0], "phone", json.dumps({"grid": []}))
    rename(owner, person(db, club, "Ann"), "Anna")
    assert seats.draft(db, table, Seat(0, "Anna", None, 1), "phone") == {"grid": []}


def lay(db: Database, club: int, game: str, setup: dict[str, Any], names: list[str]) -> str:
    found = games.find(game)
    assert found is not None
    return tables.add(db, club, found, setup, names)


def at(db: Database, key: str) -> Table:
    table = tables.find(db, key)
    assert table is not None
    return table


def test_what_the_table_says_by_name_follows(owner: Device, db: Database, club: int) -> None:
    """Also where names are keys, next to the names of the others."""
    card = {"holder": "Ann", "amounts": {"Ann": 3, "Bob": 2}}
    accolades = lay(db, club, "tenby", {"accolades": {"cards": [card]}}, ["Ann", "Bob"])
    chapel = lay(db, club, "old_london_bridge", {"chapel_order": ["Bob", "Ann"]}, ["Ann", "Bob"])
    rename(owner, person(db, club, "Ann"), "Anna")
    renamed = {"holder": "Anna", "amounts": {"Anna": 3, "Bob": 2}}
    assert at(db, accolades).setup == {"accolades": {"cards": [renamed]}}
    assert at(db, chapel).setup == {"chapel_order": ["Bob", "Anna"]}
    forget_player.forget(db, person(db, club, "Anna"), "Somebody")
    assert at(db, accolades).setup["accolades"]["cards"][0]["amounts"] == {"Somebody": 3, "Bob": 2}


def test_two_names_that_are_one_are_one_at_tables_too(laid: Laid, owner: Device, db: Database, club: int) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 4, "Bob": 2})), draft(towns({"Anna": 4, "Bob": 2}))])
    ann, anna = person(db, club, "Ann"), person(db, club, "Anna")
    owner.get(f"/players/{ann.id}")
    owner.post(f"/players/{ann.id}/merge", {"into": str(anna.id)})
    assert names_at(laid) == ["Anna", "Bob", "Cid"]
    save(laid)
    assert roster(db) == ["Anna", "Bob", "Cid"]


def test_a_forgotten_name_goes_from_tables_and_meets_no_namesake(member: Device, db: Database, club: int) -> None:
    laid = Laid(member, db, lay_towns(member))
    member.post(f"{laid.path}/setup", {"add": "somebody"})
    before = laid.table().version
    assert forget_player.forget(db, person(db, club, "ANN"), "Somebody") == "Somebody 2"
    assert names_at(laid) == ["Somebody 2", "Bob", "Cid", "somebody"]
    assert laid.table().version > before
