"""Tenby's own pages hold whatever somebody puts into a form, and remember what is entered on them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from scorer.contract import Json
from tests.webapp.conftest import Device
from tests.webapp.test_cardboxes import GULLS, lay_table, put
from webapp.database import Database
from webapp.table import Entries, tables

pytestmark = pytest.mark.either

ODD: list[Any] = [None, 5, "sea", [], {}, [[]], [{}], [[{}]], {"0": 1}, [None, "x"], -1]
PLACES = [
    "streets",
    "streets/0",
    "streets/0/0",
    "streets/0/0/edges",
    "streets/0/0/features",
    "streets/0/0/buildings",
    "streets/0/0/score",
    "streets/0/0/score/target",
    "residents",
    "residents/0",
    "residents/0/tiers",
    "residents/0/tiers/0",
    "cards",
    "cards/-",
]
TABLE_PLACES = [
    "accolades",
    "accolades/mode",
    "accolades/cards",
    "accolades/cards/0",
    "accolades/cards/0/target",
    "accolades/cards/0/mode",
    "accolades/cards/0/revealed",
]
GULL_FRIEND = {
    "name": "Gull friend", "type": "each", "target": "seagull", "at_least": 1, "incomplete": 1, "complete": 2
}  # fmt: skip
RESIDENT = {"name": "Bob", "type": "single", "target": "bin", "tiers": [{"at_least": 1}]}


@pytest.mark.parametrize("place", PLACES)
def test_a_town_that_no_button_makes_is_shown_all_the_same(member: Device, place: str) -> None:
    where = lay_table(member, "Ann")
    for odd in ODD:
        member.post(f"{where}/seats/0", {"put": json.dumps(["streets", [[GULLS]], "residents", [RESIDENT]])})
        member.post(f"{where}/seats/0", put(place, odd))
        for opened in ("", "?open=streets/0/0", "?open=residents/0", "?open=cards/0"):
            member.get(f"{where}/seats/0{opened}")
        member.get(f"{where}/result")


@pytest.mark.parametrize("place", TABLE_PLACES)
def test_accolades_that_no_button_makes_are_shown_all_the_same(member: Device, place: str) -> None:
    where = lay_table(member, "Ann", "Bob")
    for odd in ODD:
        cards = {"mode": "ebb_flow", "cards": [{"name": "Manager", "target": "business"}]}
        member.post(f"{where}/setup", put("accolades", cards))
        member.post(f"{where}/setup", put(place, odd))
        member.get(f"{where}/setup")
        member.get(f"{where}/seats/1")


def test_nothing_is_missing_in_the_part_that_is_being_filled_in(member: Device) -> None:
    where = lay_table(member, "Ann")
    unfinished = {key: value for key, value in GULLS.items() if key != "score"} | {"score": {"type": "per"}}
    member.post(f"{where}/seats/0", put("streets/-", [unfinished]))
    assert "Enter “Points”" in member.get(f"{where}/seats/0")
    assert "Enter “Points”" not in member.get(f"{where}/seats/0?open=streets/0/0")


def test_only_pairs_of_edges_that_fit_are_offered(member: Device) -> None:
    where = lay_table(member, "Ann")
    member.post(f"{where}/seats/0", put("streets/-", [GULLS]))
    page = member.get(f"{where}/seats/0")
    laid = re.findall(r"""'\["streets/0/-", (.*?)\]'""", page)
    edges = [json.loads(card)["edges"] for card in laid]
    assert edges and all(left == "terrace" for left, _ in edges)
    assert "streets/0/^0" not in page  # the sea is on its left


def buttons(page: str, name: str = "put") -> list[list[Any]]:
    """Return what the buttons of a page put, as lists of paths and values."""
    texts = re.findall(rf"""<button name="{name}" value='([^']+)'""", page)
    return [json.loads(text) for text in texts]


def record_at(db: Database, where: str) -> Json:
    table = tables.find(db, where.split("/")[-1])
    assert table is not None
    return Entries(table).record


def press(device: Device, where: str, *pairs: Any, opened: str = "") -> str:
    """Press the button of the seat's page that puts just this; the page that then comes."""
    page = device.get(f"{where}/seats/0?open={opened}")
    assert list(pairs) in buttons(page), pairs
    device.post(f"{where}/seats/0", {"put": json.dumps(pairs), "opened": opened})
    return device.get(f"{where}/seats/0?open={opened}")


def test_the_quick_way_is_one_button_and_two_more_a_card(member: Device, db: Database) -> None:
    where = lay_table(member, "Ann")
    press(member, where, "cards", [])
    press(member, where, "cards/-", {"type": "per", "points": 2})
    page = press(member, where, "cards/0/seen", 3, opened="cards/0")
    assert "3 seen, 2 each" in page
    press(member, where, "cards/-", {"type": "flat", "points": 4})
    press(member, where, "residents/-", {"name": "Resident 1", "type": "typed"})
    page = press(member, where, "residents/0/points", 5, opened="residents/0")
    assert re.search(r"<output[^>]*>15</output>", page)
    [ann] = record_at(db, where)["players"]
    assert ann == {
        "name": "Ann",
        "cards": [{"type": "per", "points": 2, "seen": 3}, {"type": "flat", "points": 4}],
        "residents": [{"name": "Resident 1", "points": 5}],
    }


def test_streets_wait_while_the_quick_way_is_tried(member: Device, db: Database) -> None:
    where = lay_table(member, "Ann")
    member.post(f"{where}/seats/0", put("streets/-", [GULLS]))
    press(member, where, "cards", [])
    assert "streets" not in record_at(db, where)["players"][0]
    member.post(f"{where}/seats/0", {"drop": "cards"})
    assert record_at(db, where)["players"][0]["streets"] == [[{**GULLS, "features": {"seagull": "unknown"}}]]


def test_how_many_a_quick_card_sees_is_missed_once_the_card_is_left(member: Device) -> None:
    where = lay_table(member, "Ann")
    press(member, where, "cards", [])
    press(member, where, "cards/-", {"type": "per", "points": 2})
    assert "Enter “How many this card sees”" in member.get(f"{where}/seats/0")
    assert "Enter “How many this card sees”" not in member.get(f"{where}/seats/0?open=cards/0")


def test_icons_several_things_and_a_second_building_by_tap(member: Device, db: Database) -> None:
    where = lay_table(member, "Ann")
    member.post(f"{where}/seats/0", put("streets/-", [{**GULLS, "buildings": ["red"]}]))
    card = "streets/0/0"
    press(member, where, f"{card}/icons/business", 2, opened=card)
    press(member, where, f"{card}/icons/landmark", 1, opened=card)
    press(member, where, f"{card}/score/target", ["seagull", "business"], opened=card)
    press(member, where, f"{card}/score/target", ["seagull", "business", "landmark"], opened=card)
    press(member, where, f"{card}/score/target", ["business", "landmark"], opened=card)
    page = press(member, where, f"{card}/buildings/-", "blue", opened=card)
    assert "2 each, in the whole street" in page or "3 × 2" in page
    [[kept]] = record_at(db, where)["players"][0]["streets"]
    assert kept["icons"] == {"business": 2, "landmark": 1}
    assert kept["score"]["target"] == ["business", "landmark"]
    assert kept["buildings"] == ["red", "blue"]


def test_only_a_gold_line_is_offered_for_completed_streets(member: Device) -> None:
    where = lay_table(member, "Ann")
    member.post(f"{where}/seats/0", put("streets/-", [GULLS]))
    page = press(
        member,
        where,
        "streets/0/0/score/type",
        "per",
        "streets/0/0/score/target",
        "completed_streets",
        opened="streets/0/0",
    )
    ranges = [pairs[1] for pairs in buttons(page) if pairs[0] == "streets/0/0/score/range"]
    assert ranges == ["gold"]


def test_a_resident_that_asks_for_something_else_has_its_points_typed(member: Device, db: Database) -> None:
    where = lay_table(member, "Ann")
    press(member, where, "residents/-", {"name": "Resident 1", "type": "each"})
    press(member, where, "residents/0/type", "typed", opened="residents/0")
    member.post(f"{where}/seats/0", {"residents/0/points": "6", "residents/0/name": "Harbour master"})
    page = member.get(f"{where}/seats/0?open=residents/0")
    assert '["residents", "residents/0"]' in page  # named, so it can be kept in the box
    assert record_at(db, where)["players"][0]["residents"] == [{"name": "Harbour master", "type": "typed", "points": 6}]


def test_whether_a_card_was_revealed_is_asked_when_it_was_not_said(member: Device, db: Database) -> None:
    where = lay_table(member, "Ann", "Bob")
    rest = {"name": "Rest", "target": "bench", "holder": "Ann"}
    sit = {"name": "Sit", "target": "bench", "holder": "Bob"}
    member.post(f"{where}/setup", {"accolades/mode": "ebb_flow"})
    member.post(f"{where}/setup", put("accolades/cards", [rest, {**sit, "revealed": False}]))
    member.post(f"{where}/setup", {"accolades/cards/0/name": "Rest"})  # another tap answers nothing by itself
    assert "revealed" not in record_at(db, where)["table"]["accolades"]["cards"][0]
    for seat in (0, 1):
        member.post(f"{where}/seats/{seat}", put("streets", [[{**GULLS, "features": {"seagull": seat, "bench": 0}}]]))
    page = member.get(f"{where}/result")
    assert "Was Rest revealed?" in page
    member.post(f"{where}/answers", {"/table/accolades/cards/0/revealed": "True"})
    assert record_at(db, where)["table"]["accolades"]["cards"][0]["revealed"] is True
    assert "wins" in member.get(f"{where}/result")


def open_street(member: Device, rival: int) -> str:
    """A table at which Ann's card pays 3 for each seagull on two cards that nobody has counted; Bob has points."""
    where = lay_table(member, "Ann", "Bob")
    plain = {"deck": "pier", "base": "pier", "edges": ["pier", "pier"]}
    gulls = {**plain, "score": {"type": "per", "target": "seagull", "points": 3, "range": "white"}}
    member.post(f"{where}/seats/0", put("streets", [[plain, gulls, plain]]))
    member.post(f"{where}/seats/1", put("streets", [[{**plain, "score": {"type": "flat", "points": rival}}]]))
    return where


def test_a_count_that_nobody_made_is_shown_as_open_and_never_as_none(member: Device) -> None:
    where = open_street(member, 5)
    page = member.get(f"{where}/result")
    assert "There is no winner yet. Still to count: Seagulls on card 1.1 (Ann), Seagulls on card 1.3 (Ann)." in page
    assert "0 to 18" in page and "wins" not in page and "Ann: answer “None” to the rest" in page
    page = member.get(f"{where}/seats/0")
    assert "Still to count" in page and "0 to 18" in page and "No seagulls" not in page
    rest = ["streets/0/0/features/seagull", 0, "streets/0/2/features/seagull", 0]
    assert rest in buttons(page) and "Enter “None” for everything still to count" in page
    member.post(f"{where}/answers", {"/players/0/streets/0/0/features/seagull": "2"})
    assert "Ann wins either way. Still to count: " in member.get(f"{where}/result")  # 6 against 5
    member.post(f"{where}/answers", {"none": "Ann"})
    assert "Ann wins on points." in member.get(f"{where}/result")


def test_a_game_with_open_counts_is_saved_and_completed_later(member: Device, db: Database) -> None:
    where = open_street(member, 5)
    assert member.post(f"{where}/save").location == f"{where}/result"  # open questions come first
    play = str(member.post(f"{where}/save?shared=1").location)
    assert play.startswith("/plays/")
    rows = db.query("SELECT total, rank, winner, final FROM all_scores ORDER BY seat")
    assert [tuple(row.values()) for row in rows] == [(None, None, None, 0), (5, None, None, 1)]
    assert "0 to 18" in member.get(f"{play}/sheet")
    page = member.get("/stats/games/tenby")
    assert "1 score is not known yet and not included." in page and "/plays?game=tenby&amp;open=1" in page
    assert play in member.get("/plays?game=tenby&open=1")
    page = member.get(play)
    assert "0 to 18" in page and "There is no winner yet. Still to count: " in page
    member.post(f"{play}/settle", {"none": "Ann"})
    assert "Bob wins on points." in member.get(play)
    rows = db.query("SELECT total, rank, winner, final FROM all_scores ORDER BY seat")
    assert [tuple(row.values()) for row in rows] == [(0, 2, 0, 1), (5, 1, 1, 1)]
    assert play not in member.get("/plays?game=tenby&open=1")


def test_before_the_reveal_only_what_can_change_the_winner_is_asked(
    member: Device, stranger: Device, db: Database
) -> None:
    for rival, asks in ((5, True), (19, False)):  # at most 18 against 19
        where = open_street(member, rival)
        member.post(f"{where}/open")
        table = tables.find(db, where.split("/")[2])
        assert table is not None and table.room is not None
        stranger.get(f"/at/{table.room.link}")
        stranger.post(f"/at/{table.room.link}")
        page = member.get(f"{where}/result")
        assert ("These answers can still change who wins:" in page) is asks
        assert ("Reveal the result" in page) is not asks
        member.post(f"{where}/reveal")
        table = tables.find(db, where.split("/")[2])
        assert table is not None and table.revealed_at is not None
        assert stranger.client.get(f"{where}/result").status_code == 200


def test_a_landmark_is_told_by_a_button_and_taken_back(member: Device, db: Database) -> None:
    where = lay_table(member, "Ann")
    plain = {"deck": "pier", "base": "pier", "edges": ["pier", "pier"]}
    counting = {**plain, "score": {"type": "per", "target": "landmark", "points": 4, "range": "white"}}
    member.post(f"{where}/seats/0", put("streets", [[counting, plain]]))
    page = member.get(f"{where}/seats/0")
    no = ["streets/0/1/deck", "pier", "streets/0/1/icons/landmark", 0]
    yes = ["streets/0/1/deck", "landmark", "streets/0/1/icons", {}]
    assert no in buttons(page) and yes in buttons(page)
    member.post(f"{where}/seats/0", {"put": json.dumps(no)})
    assert "Still to count" not in member.get(f"{where}/seats/0")
    member.post(f"{where}/seats/0", {"put": json.dumps(yes)})
    page = member.get(f"{where}/seats/0")
    assert '<output aria-live="polite">4</output>' in page and ">Landmark</span>" in page
    member.post(f"{where}/seats/0", {"put": json.dumps(no)})
    assert '<output aria-live="polite">0</output>' in member.get(f"{where}/seats/0")


def test_a_card_of_another_way_to_play_is_laid_by_a_button(member: Device, db: Database) -> None:
    where = lay_table(member, "Ann", "Bob")
    member.post(f"{where}/setup", {"accolades/mode": "open_sea"})
    member.post(f"{where}/setup", put("accolades/cards/-", {"name": "Manager", "target": "business"}))
    also = ["accolades/cards/-", {"name": "Accolade 2", "mode": "ebb_flow"}]
    assert also in buttons(member.get(f"{where}/setup"))
    member.post(f"{where}/setup", {"put": json.dumps(also)})
    page = member.get(f"{where}/setup")
    assert "Was it revealed?" in page and "Played as" in page
    member.post(f"{where}/setup", {"accolades/cards/1/target": "bench", "accolades/cards/1/holder": "Bob"})
    cards = record_at(db, where)["table"]["accolades"]["cards"]
    assert cards[1] == {"name": "Accolade 2", "mode": "ebb_flow", "target": "bench", "holder": "Bob"}
    assert "Ann was dealt an accolade too" in member.get(f"{where}/setup")


def test_an_accolade_for_several_things_together_by_tap(member: Device, db: Database) -> None:
    where = lay_table(member, "Ann", "Bob")
    member.post(f"{where}/setup", {"accolades/mode": "open_sea"})
    member.post(f"{where}/setup", put("accolades/cards/-", {"name": "Rubbish", "target": "bin"}))
    for several in (["bin", "bench"], ["bin", "bench", "red"], ["bench", "red"]):
        pairs = ["accolades/cards/0/target", several]
        assert pairs in buttons(member.get(f"{where}/setup"))
        member.post(f"{where}/setup", {"put": json.dumps(pairs)})
    assert record_at(db, where)["table"]["accolades"]["cards"][0]["target"] == ["bench", "red"]
