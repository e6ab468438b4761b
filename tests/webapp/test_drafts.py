"""Tell what can be said while a table is still being entered, and what of it the next table starts with."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from scorer import games
from tests.webapp.conftest import Device, lay_towns
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
    key = tables.add(db, club, OLD_LONDON_BRIDGE, {}, ["Ann", "Bob"])
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
    assert seen.sheet["range"] == [None, 20]  # what eleven empty spaces cost stands on the players' board
    assert Entries(table).table_problems == []
    tables.keep_setup(db, table, {"chapel_order": ["Bob", "Ann"], "empty_costs": {"5+": 15}})
    seen = Entries(again(db, table.key)).preview(0)
    assert seen.sheet is not None and seen.sheet["total"] == 5
    assert seen.complete


def test_a_monument_just_built_is_a_question_and_a_wrong_card_a_fault(member: Device, db: Database) -> None:
    path = lay_towns(member)
    member.post(f"{path}/seats/0", {"grid/0/0": "monument"})
    page = member.get(f"{path}/seats/0")
    assert '<li class="missing" data-field="monument">' in page and 'aria-invalid="true"' not in page
    for number in range(2):
        member.post(f"{path}/seats/{number}", {"grid/0/0": "monument"})
        member.post(f"{path}/seats/{number}", {"monument": "grove_university"})
    assert '<li class="error" data-field="monument">' in member.get(f"{path}/seats/1")


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
    assert kept["empty_costs"] == {"5+": 15} and "scoring" not in kept  # the expert tiles are drawn anew
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
    key = tables.add(db, club, pier_18, {}, ["Ann", "Bob"])
    for seat in again(db, key).seats:
        state = {"rows": ["F."] * 6, "patrons": 2, "plan": {"achieved": False}}
        seats.keep(db, again(db, key), seat.number, state)
    owner.get("/club")
    assert 'name="plan/date"' not in owner.get(f"/tables/{key}/seats/0")
    assert "tied" in owner.get(f"/tables/{key}/result")
    owner.post(f"/tables/{key}/answers", {"/table/plan_order/0": "Ann"})
    assert "Ann wins the tie" in owner.get(f"/tables/{key}/result")
    assert again(db, key).setup["plan_order"] == ["Ann", "Bob"]
    assert 'name="plan_order/0"' in owner.get(f"/tables/{key}/facts")
    owner.post(f"/tables/{key}/facts", {"plan_order/0": "Bob", "plan_order/1": "Ann"})
    assert "Bob wins the tie" in owner.get(f"/tables/{key}/result")


def test_a_pier_entered_card_by_card_is_seen_and_can_be_painted_instead(owner: Device, db: Database, club: int) -> None:
    pier_18 = games.find("pier_18")
    assert pier_18 is not None
    key = tables.add(db, club, pier_18, {}, ["Ann", "Bob"])
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
    owner.post(f"{address}/setup", {"scoring/chapel": "per_round_leader"})
    owner.get(f"{address}/companion")
    owner.post(f"{address}/companion", {"chapel_order/0": "Bob", "chapel_order/1": "Ann"})
    owner.post(f"{address}/companion", {"put": '["rounds/-", {}]'})
    assert "Round 2 of 6" in owner.get(f"{address}/companion")
    kept = again(db, table.key)
    assert kept.setup["companion"]["chapel_order"] == ["Bob", "Ann"]
    assert "companion" not in Entries(kept).record["table"]
    assert "companion" not in Entries(kept).lasting


def test_old_london_bridge_is_noted_tap_by_tap(owner: Device, db: Database, table: tables.Table) -> None:
    """Two players; every button is taken from the page, as without JavaScript."""
    address = f"/tables/{table.key}/companion"

    def tap(label: str) -> str:
        page = owner.get(address)
        found = re.findall(r"""name="put" value='([^']+)'[^>]*>([^<]+)<""", page)
        [put] = [value for value, shown in found if shown == label][:1]
        owner.post(address, {"put": html.unescape(put)})
        return owner.get(address)

    owner.get(f"/tables/{table.key}/setup")
    assert "Who is first on the chapel stairs?" in owner.get(address)
    page = tap("Bob")
    assert "Round 1 of 6: which card did Ann play?" in page and "turn the wheel" in page
    for card in "3021":
        page = tap(card)
    assert "Turn order</dt><dd>Ann, Bob, Bob, Ann<" in page and "Blue crest: power 1" in page
    tap("Chapel")
    page = tap("56")
    assert "Ann moves 1 space up the chapel track" in page and "Bob builds" in page
    tap("Park")
    tap("Park")
    assert "Blue crest: power 2" in owner.get(address)
    tap("Emporium")
    assert "everyone has built" in tap("44") and "Ann takes £2." in owner.get(address)
    assert "Round 2 of 6: which card did Ann play?" in tap("End round")
    [last] = re.findall(r'name="drop" value="([^"]+)"', owner.get(address))
    owner.post(address, {"drop": last})
    assert "Round 1 of 6: everyone has built" in owner.get(address)
    owner.post(f"/tables/{table.key}/setup", {"scoring/chapel": "per_round_leader"})
    assert "Round 1 of 6" in owner.get(address)


def test_what_the_companion_noted_stands_in_the_forms(owner: Device, table: tables.Table) -> None:
    """Ann builds twelve chapels with blue crests, 1 + 2 + ... + 12 spaces; Bob twelve parks."""
    address = f"/tables/{table.key}"
    told: list[dict[str, Any]] = [{"name": name, "did": "stairs"} for name in ("Ann", "Bob")]
    for number in range(60, 48, -2):
        told += [{"name": name, "did": "card", "value": 4 * (name == "Ann")} for name in ("Ann", "Ann", "Bob", "Bob")]
        for chapel in (number, number - 1):
            told += [
                {"name": "Ann", "did": "tile", "value": "C blue"},
                {"name": "Ann", "did": "number", "value": chapel},
            ]
        told += [{"name": "Bob", "did": "tile", "value": "P"}] * 2 + [{"did": "round"}]
    owner.get(f"{address}/setup")
    owner.post(f"{address}/companion", {"put": json.dumps(["events", told])})
    assert "The game is over" in owner.get(f"{address}/companion")
    page = owner.get(f"{address}/seats/0")
    for name, value in (("chapel_steps", 78), ("gate_steps", 0), ("summary/buildings", 12), ("unused_tiles", 0)):
        [field] = re.findall(rf'<input[^>]*name="{name}"[^>]*>', page)
        assert f'value="{value}"' in field, name


def test_a_table_without_a_companion_has_no_such_page(owner: Device, db: Database, club: int) -> None:
    tiny_towns = games.find("tiny_towns")
    assert tiny_towns is not None
    key = tables.add(db, club, tiny_towns, {"mode": "town_hall"}, ["Ann", "Bob"])  # nobody is Master Builder
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
