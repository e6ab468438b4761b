"""What can be said while a table is still being entered, and what of it the next table starts with."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorer import games
from tests.webapp.conftest import Device
from webapp.database import Database
from webapp.table import Entries, seats, tables

OLD_LONDON_BRIDGE = games.find("old_london_bridge")
assert OLD_LONDON_BRIDGE is not None
DONE: dict[str, Any] = {
    "coins": 20,
    "chapel_steps": 3,
    "gate_steps": 2,
    "cards": {"0": 2},
    "unused_tiles": 0,
    "bridge": ["C60", "G50", "P"],
}


@pytest.fixture
def table(db: Database, club: int) -> tables.Table:
    assert OLD_LONDON_BRIDGE is not None
    key = tables.lay(db, club, OLD_LONDON_BRIDGE, {}, ["Ann", "Bob"])
    return again(db, key)


def again(db: Database, key: str) -> tables.Table:
    found = tables.find(db, key)
    assert found is not None
    return found


def test_points_show_before_the_tables_facts_are_told(db: Database, table: tables.Table) -> None:
    seats.keep(db, table, 0, DONE)
    seats.keep(db, table, 1, {**DONE, "chapel_steps": 9, "bridge": ["U55"] + ["P"] * 11})
    table = again(db, table.key)
    seen = Entries(table).preview(0)
    assert seen.sheet is not None and seen.sheet["total"] == 20  # Bob is further up the chapel track
    assert not seen.complete
    assert {problem["where"] for problem in Entries(table).table_problems} == {"/table/empty_costs/5+"}
    tables.keep_setup(db, table, {"chapel_order": ["Bob", "Ann"], "empty_costs": {"5+": 15}})
    seen = Entries(again(db, table.key)).preview(0)
    assert seen.sheet is not None and seen.sheet["total"] == 5
    assert seen.complete


def test_a_seat_nobody_has_touched_has_no_faults(db: Database, table: tables.Table) -> None:
    assert Entries(table).preview(0).problems == ()
    seats.keep(db, table, 0, {"coins": 3})
    assert Entries(again(db, table.key)).preview(0).problems != ()


def test_the_next_table_starts_with_what_is_printed_but_not_with_tonights_order(
    owner: Device, db: Database, club: int, table: tables.Table
) -> None:
    seats.keep(db, table, 0, DONE)
    seats.keep(db, table, 1, {**DONE, "bridge": ["U55"] + ["P"] * 11})
    address = f"/tables/{table.key}"
    owner.get(f"{address}/facts")
    owner.post(
        f"{address}/facts", {"chapel_order/0": "Bob", "chapel_order/1": "Ann", "empty_costs/5+": "15", "go": "result"}
    )
    assert again(db, table.key).setup["chapel_order"] == ["Bob", "Ann"]
    owner.post(f"{address}/setup", {"scoring/inn": "most_inns"})
    kept = tables.recall(db, club, "old_london_bridge")
    assert kept["empty_costs"] == {"5+": 15} and kept["scoring"] == {**kept["scoring"], "inn": "most_inns"}
    assert "chapel_order" not in kept
    play = owner.post(f"{address}/save").location
    owner.get(play)
    laid = again(db, owner.post(f"{play}/again").location.split("/")[2])
    assert "chapel_order" not in laid.setup and laid.setup["empty_costs"] == {"5+": 15}


def test_the_marker_of_a_player_who_typed_is_asked_for_kept_and_correctable(
    owner: Device, db: Database, table: tables.Table
) -> None:
    tables.keep_setup(db, table, {"scoring": {"chapel": "gap_from_last"}, "chapel_order": ["Ann", "Bob"]})
    seats.keep(db, table, 0, {**DONE, "bridge": ["P"] * 12})
    seats.keep(db, table, 1, {"typed": {"coins": 9}})
    address = f"/tables/{table.key}"
    assert 'name="/players/1/chapel_steps"' in owner.get(f"{address}/result")
    owner.post(f"{address}/answers", {"/players/1/chapel_steps": "1"})
    assert "2 spaces ahead of the last" in owner.get(f"{address}/result")
    assert 'name="chapel_steps"' in owner.get(f"{address}/seats/1")
    owner.post(f"{address}/seats/1", {"chapel_steps": "2"})
    assert "1 space ahead of the last" in owner.get(f"{address}/result")


def test_an_answer_that_settled_a_tie_can_be_corrected(owner: Device, db: Database, club: int) -> None:
    pier_18 = games.find("pier_18")
    assert pier_18 is not None
    key = tables.lay(db, club, pier_18, {}, ["Ann", "Bob"])
    for seat in again(db, key).seats:
        state = {"rows": ["F."] * 6, "patrons": 2, "plan": {"achieved": False}}
        seats.keep(db, again(db, key), seat.number, state)
    owner.get("/club")
    assert 'name="plan/date"' not in owner.get(f"/tables/{key}/seats/0")
    assert "tied" in owner.get(f"/tables/{key}/result")
    owner.post(f"/tables/{key}/answers", {"/players/0/plan/date": "02-01", "/players/1/plan/date": "03-01"})
    assert "Ann wins the tie" in owner.get(f"/tables/{key}/result")
    assert 'name="plan/date"' in owner.get(f"/tables/{key}/seats/0")
    owner.post(f"/tables/{key}/seats/0", {"plan/date": "04-01"})
    assert "Bob wins the tie" in owner.get(f"/tables/{key}/result")


def test_a_pier_entered_card_by_card_is_seen_and_can_be_painted_instead(owner: Device, db: Database, club: int) -> None:
    pier_18 = games.find("pier_18")
    assert pier_18 is not None
    key = tables.lay(db, club, pier_18, {}, ["Ann", "Bob"])
    cards = [{"sections": ["S.", ".P"]}, *[{"sections": ["F.", ".F"], "covers": 1}] * 5]
    for seat in again(db, key).seats:
        seats.keep(db, again(db, key), seat.number, {"cards": cards, "patrons": 2, "plan": {"achieved": True}})
    owner.get("/club")
    page = owner.get(f"/tables/{key}/seats/0")
    assert 'data-cell="B7"' in page and 'name="rows/0/0"' not in page
    assert 'data-cell="B7"' in owner.get(f"/tables/{key}/result")
    owner.post(f"/tables/{key}/seats/0", {"drop": "cards"})
    assert 'name="rows/0/0"' in owner.get(f"/tables/{key}/seats/0")


def test_what_the_companion_is_told_is_no_part_of_the_record(owner: Device, db: Database, table: tables.Table) -> None:
    address = f"/tables/{table.key}"
    owner.get(f"{address}/setup")
    owner.get(f"{address}/companion", 404)  # no face on the table pays every round
    owner.get(f"{address}/setup")
    owner.post(f"{address}/setup", {"scoring/chapel": "per_round_leader"})
    owner.get(f"{address}/companion")
    owner.post(f"{address}/companion", {"chapel_order/0": "Bob", "chapel_order/1": "Ann"})
    owner.post(f"{address}/companion", {"put": '["rounds/-", {}]'})
    assert "Round 2 of 6" in owner.get(f"{address}/companion")
    kept = again(db, table.key)
    assert kept.setup["companion"]["chapel_order"] == ["Bob", "Ann"]
    assert "companion" not in Entries(kept).record["table"]
    assert "companion" not in Entries(kept).lasting


def test_a_game_without_a_companion_has_no_such_page(owner: Device, db: Database, club: int) -> None:
    lonely = next(game for game in games.everything() if game.companion is None)
    key = tables.lay(db, club, lonely, {}, ["Ann", "Bob"])
    owner.get(f"/tables/{key}/companion", 404)
    owner.get("/club")
    assert owner.post(f"/tables/{key}/companion", {}).status_code == 404
    owner.post(f"/tables/{key}/seats/0", {"go": "companion"})


def test_strange_posts_do_not_break_the_companion(owner: Device, db: Database, table: tables.Table) -> None:
    address = f"/tables/{table.key}"
    owner.get("/club")
    owner.post(f"{address}/setup", {"scoring/inn": "per_round_highest_card"})
    for put in (["rounds", 7], ["rounds/-", None], ["chapel_order", {}], ["rounds/0/cards", "x"], ["x", [[]]]):
        assert owner.post(f"{address}/companion", {"put": json.dumps(put), "drop": "rounds/0/0"}).status_code == 303
        owner.get(f"{address}/companion")
        assert owner.post(f"{address}/setup", {"put": json.dumps(["companion", put[1]])}).status_code == 303
        for page in ("companion", "setup", "facts", "seats/0", "result"):
            owner.get(f"{address}/{page}")
