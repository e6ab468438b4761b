"""Old London Bridge saved without the order on the chapel track: undecided, to be settled later."""

from __future__ import annotations

import json
import re

import pytest

from tests.webapp.conftest import Device
from webapp.database import Database
from webapp.history import saved_plays
from webapp.table import tables

pytestmark = pytest.mark.either


def lay(device: Device, **chapels: int) -> str:
    """A table where the most chapels pay £5 (and of three £3), everybody with 10 coins and nothing else that pays."""
    device.get("/")
    where = str(device.post("/tables", {"game": "old_london_bridge"}).location).removesuffix("/setup")
    for name in chapels:
        device.post(f"{where}/setup", {"add": name})
    faces = {"chapel": "most_chapels", "gate": "step_brackets", "inn": "card_combinations", "bridge": "sets_of_six"}
    device.post(f"{where}/setup", {f"scoring/{zone}": face for zone, face in faces.items()})
    for seat, count in enumerate(chapels.values()):
        state = {"coins": 10, "gate_steps": 0, "cards": {}}
        summary = {"buildings": 12, "types": {"C": count, "P": 0}, "sets": 0}
        pairs = [part for pair in {**state, "summary": summary}.items() for part in pair]
        device.post(f"{where}/seats/{seat}", {"put": json.dumps(pairs)})
    return where


def kept(db: Database, address: str) -> saved_plays.Play:
    play = saved_plays.find(db, address.rstrip("/").split("/")[-1])
    assert play is not None
    return play


def test_a_tie_is_saved_undecided_and_settled_later(member: Device, db: Database) -> None:
    where = lay(member, Ann=3, Bob=3)
    page = member.get(f"{where}/result")
    assert "Ann and Bob are tied" in page and "Save anyway" in page
    # One tap: whoever is ahead.
    asked = re.findall(r'<button name="(/table/[^"]+)" value="([^"]+)"', page)
    assert asked == [("/table/chapel_order/0", "Ann"), ("/table/chapel_order/0", "Bob")]
    address = member.post(f"{where}/save?shared=1").location
    assert "/plays/" in address
    play = kept(db, address)
    assert (play.result["winners"], play.result["decided_by"]) == (["Ann", "Bob"], None)
    # Nobody has won, and nobody has a place, until it is known who was ahead.
    assert [(seat.rank, seat.winner) for seat in play.decision.seats] == [(None, None)] * 2
    assert db.execute("SELECT count(winner), count(rank), count(*) FROM all_scores").fetchall() == [(0, 0, 2)]
    assert "Ann and Bob: winner not known yet" in member.get("/plays")
    page = member.get(address)
    assert "Ann and Bob are tied. Still to count: Order on the chapel track" in page
    member.post(f"{address}/settle", {"/table/chapel_order/0": "Bob"})
    result = kept(db, address).result
    # Bob is ahead: £5 for his chapels.
    assert [(player["name"], player["total"]) for player in result["players"]] == [("Ann", 10), ("Bob", 15)]
    assert (result["winners"], result["decided_by"], result["needs"]) == (["Bob"], "points", [])


def test_half_an_order_changes_nothing(member: Device, db: Database) -> None:
    where = lay(member, Ann=3, Bob=3, Cid=3)
    member.get(f"{where}/result")
    for half in ({"/table/chapel_order/0": "Bob"}, {f"/table/chapel_order/{place}": "Bob" for place in range(2)}):
        member.post(f"{where}/answers", half)
        table = tables.find(db, where.split("/")[-1])
        assert table is not None and "chapel_order" not in table.setup
    member.post(f"{where}/answers", {"/table/chapel_order/0": "Bob", "/table/chapel_order/1": "Ann"})
    assert "Bob</strong> wins" in member.get(f"{where}/result") or "Bob wins on points" in member.page


def test_a_sure_victory_can_be_saved_while_a_smaller_prize_is_open(member: Device, db: Database) -> None:
    where = lay(member, Ann=5, Bob=3, Cid=3)
    page = member.get(f"{where}/result")
    assert "Ann wins either way" in page and "Save anyway" in page
    address = member.post(f"{where}/save?shared=1").location
    result = kept(db, address).result
    # Of Bob and Cid one will get £3 for his chapels.
    assert [player["total"] for player in result["players"]] == [15, 10, 10]
    assert (result["winners"], result["decided_by"]) == (["Ann"], "points")


def test_with_several_phones_a_tie_is_revealed_undecided(member: Device, stranger: Device, db: Database) -> None:
    where = lay(member, Ann=3, Bob=3)
    member.post(f"{where}/open")
    page = member.get(f"{where}/seats")
    found = re.search(r"/at/[A-Za-z0-9_-]+", page)
    assert found
    stranger.get(found[0])
    stranger.post(found[0], {"seat": "1"})
    assert "Reveal anyway" in member.get(f"{where}/result")
