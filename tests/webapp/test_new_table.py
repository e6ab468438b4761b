"""A game that a phone has begun without a network: it is stored when its first change arrives."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.conftest import GAMES
from tests.webapp.conftest import Device
from webapp import clubs
from webapp.database import Database
from webapp.table import tables
from webapp.table.tables import Table

pytestmark = pytest.mark.either

KEY = "0123456789abcdef0123456789abcdef"


def begin(device: Device, club: int, *names: str, key: str = KEY, game: str = "tiny_towns", **more: str) -> int:
    """Post the first change of a game as the script would. Return the status of the answer."""
    said = {"begins_game": game, "begins_club": str(club), "seated": list(names), **more}
    return device.post(f"/tables/{key}/setup", said, headers={"X-Tidemark": "part"}).status_code


def found(db: Database) -> Table:
    table = tables.find(db, KEY)
    assert table is not None
    return table


def count(db: Database) -> int:
    [[number]] = db.execute("SELECT count(*) FROM tables").fetchall()
    return int(number)


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_the_pages_of_a_new_game_can_be_loaded_and_store_nothing(member: Device, db: Database, game: str) -> None:
    setup = member.get(f"/tables/new/setup?game={game}")
    most = setup.count('name="seated"')
    seat = member.get(f"/tables/new/seats/{most - 1}?game={game}")
    assert 'name="player" value="~0~"' in seat and "/tables/new/" in seat
    if 'value="facts"' in seat:
        assert "~1~" in member.get(f"/tables/new/facts?game={game}")
    assert count(db) == 0


def test_pages_of_a_new_game_are_for_members(viewer: Device, stranger: Device, member: Device, db: Database) -> None:
    for device in (viewer, stranger):
        device.get("/tables/new/setup?game=tiny_towns", 404)
    member.get("/tables/new/setup?game=chess", 404)
    member.get("/tables/new/setup", 404)
    member.get("/club")
    assert member.post("/tables/new/setup", {"game": "tiny_towns"}).status_code == 404
    assert count(db) == 0


def test_the_first_change_stores_the_game_with_its_players_and_later_ones_go_on(
    member: Device, db: Database, club: int
) -> None:
    assert begin(member, club, "Ann", "Bob", change="one", practice="1", come="practice 1") == 200
    assert begin(member, club, "Ann", "Bob", change="one") == 200  # twice the same
    assert [seat.name for seat in found(db).seats] == ["Ann", "Bob"] and found(db).practice and count(db) == 1
    said = {"player": "Ann", "grid/0/0": "cottage", "version": "1", "change": "two"}
    member.post(f"/tables/{KEY}/seats/0", said, headers={"X-Tidemark": "part"})
    assert begin(member, club, "Cid", "Ann", change="three") == 200
    cid, ann = found(db).seats
    assert (cid.name, cid.state, ann.name) == ("Cid", None, "Ann")
    assert ann.state is not None and ann.state["grid"][0][0] == "cottage"


def test_names_get_the_spelling_of_the_club_and_boards_still_find_their_players(
    member: Device, db: Database, club: int
) -> None:
    clubs.player_id(db, club, "Zoë")
    assert begin(member, club, "zoë", "zoë", " Bob\u200b ", *"ABCDEF") == 200
    assert [seat.name for seat in found(db).seats] == ["Zoë", "Bob", *"ABCD"]
    said = {"player": "zoë", "grid/0/0": "well", "version": "1"}
    assert member.post(f"/tables/{KEY}/seats/0", said, headers={"X-Tidemark": "part"}).status_code == 200
    assert found(db).seats[0].state is not None


def test_two_phones_begin_one_game(device: Callable[[str], Device], db: Database, club: int) -> None:
    assert [begin(device("member"), club, name) for name in ("Ann", "Bob")] == [200, 200]
    assert [seat.name for seat in found(db).seats] == ["Bob"] and count(db) == 1


def test_only_members_of_the_club_begin_a_game_and_only_one_that_exists(
    member: Device, viewer: Device, stranger: Device, db: Database, club: int
) -> None:
    assert begin(viewer, club, "Ann") == 403
    assert begin(stranger, club, "Ann") in (400, 404)
    other = clubs.create(db, "Sunday")
    assert begin(member, other, "Ann") == 404
    assert begin(member, club, "Ann", game="chess") == 404
    for key in ("new", "short", KEY.upper(), f"{KEY}{KEY}"):
        assert begin(member, club, "Ann", key=key) == 404
    assert count(db) == 0


def test_a_key_of_another_club_or_game_is_refused(member: Device, db: Database, club: int) -> None:
    assert begin(member, club, "Ann") == 200
    assert begin(member, club, "Bob", game="tenby") == 404
    other = clubs.create(db, "Sunday")
    member.get(f"/join/{clubs.links(db, other)['member']}")
    assert begin(member, other, "Bob") == 404
    assert [seat.name for seat in found(db).seats] == ["Ann"]


def test_beginning_needs_the_token_of_a_page(member: Device, db: Database, club: int) -> None:
    member.page = re.sub('name="csrf_token" value="[^"]+"', "", member.page)
    assert begin(member, club, "Ann") == 400
    assert count(db) == 0
