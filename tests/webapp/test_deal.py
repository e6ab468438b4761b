"""A random set of cards on the page that lays a table: for every game that deals one."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.contract import Game
from scorer.core import load
from tests.conftest import GAMES
from tests.webapp.conftest import Device
from webapp.database import Database
from webapp.table import Entries, tables

pytestmark = pytest.mark.either

DEALERS = [game for game in GAMES if game.deal is not None]


def laid(db: Database, address: str) -> Any:
    return tables.find(db, address.split("/")[2])


def test_somebody_deals() -> None:
    assert "tiny_towns" in [game.id for game in DEALERS]


@pytest.mark.parametrize("game", DEALERS, ids=lambda game: game.id)
def test_a_dealt_set_is_put_on_the_table_without_a_fault(owner: Device, db: Database, game: Game) -> None:
    assert game.deal is not None
    owner.get("/")
    address = owner.post("/tables", {"game": game.id}).location
    assert 'name="deal"' in owner.get(address)
    owner.post(address, {"new": "Ann"})
    before = laid(db, address).setup
    sets = []
    for _ in range(5):
        owner.post(address, {"deal": "1"})
        dealt = laid(db, address)
        assert Entries(dealt).table_problems == []
        sets.append(dealt.setup)
    assert any(one != before for one in sets)
    record = {"game": game.id, "table": before, "players": []}
    assert {path.split("/")[0] for path in game.deal.draw(load(game, record))} <= sets[0].keys()


def test_a_set_follows_the_expansions_chosen_with_it(owner: Device, db: Database) -> None:
    owner.get("/")
    address = owner.post("/tables", {"game": "tiny_towns"}).location
    owner.post(address, {"deal": "1", "expansions": ["villagers"], "mode": "town_hall"})
    setup = laid(db, address).setup
    assert (setup["mode"], setup["expansions"]) == ("town_hall", ["villagers"]) and len(setup["villager_cards"]) == 2


def test_games_that_deal_nothing_have_no_such_button(owner: Device) -> None:
    owner.get("/")
    for game in GAMES:
        if game.deal is None:
            assert 'name="deal"' not in owner.get(owner.post("/tables", {"game": game.id}).location)
