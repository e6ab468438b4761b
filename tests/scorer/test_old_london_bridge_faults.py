"""Old London Bridge: what is refused, with all faults at once, and what is only asked."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.core import score

FULL = ["P"] * 6


def good(count: int = 2) -> Any:
    """A legal table; Ann's bridge is entered, the others have summaries."""
    zeros = 2 if count == 2 else 1
    plain: dict[str, Any] = {"coins": 10, "chapel_steps": 0, "gate_steps": 3, "cards": {"0": zeros}, "unused_tiles": 0}
    names = ["Ann", "Bob", "Cid", "Dee"][:count]
    players = [{"name": name, **plain, "cards": dict(plain["cards"]), "summary": {"buildings": 12}} for name in names]
    del players[0]["summary"]
    players[0]["bridge"] = ["C50", "G40", "I30", "E20", "U10", "P", *FULL]
    return {"game": "old_london_bridge", "table": {"chapel_order": names, "scoring": {}}, "players": players}


def put(record: Any, where: str, value: Any) -> None:
    *path, last = where.removeprefix("/").split("/")
    for step in path:
        record = record[int(step)] if isinstance(record, list) else record.setdefault(step, {})
    record[int(last) if isinstance(record, list) else last] = value


def faults(record: Any, level: str = "error") -> list[tuple[str, str]]:
    result = score(record)
    assert result["ok"] is (level == "warning"), result["problems"]
    return [(problem["code"], problem["where"]) for problem in result["problems"] if problem["level"] == level]


def test_the_good_table_is_good() -> None:
    for count in (2, 3, 4):
        assert faults(good(count), "warning") == []


CHANGED = [
    ("/table/scoring/chapel", "most_gates", "unknown_option", "/table/scoring/chapel"),
    ("/table/scoring/inn", "free beer", "unknown_option", "/table/scoring/inn"),
    ("/table/scoring/inn", None, "unknown_option", "/table/scoring/inn"),
    ("/table/scoring/cellar", "base", "unknown_field", "/table/scoring/cellar"),
    ("/table/chapel_order", ["Ann"], "chapel_order_not_a_permutation", "/table/chapel_order"),
    ("/table/chapel_order", ["Ann", "Ann"], "chapel_order_not_a_permutation", "/table/chapel_order"),
    ("/table/chapel_order", ["Ann", "Zoe"], "chapel_order_not_a_permutation", "/table/chapel_order"),
    ("/table/chapel_order", "Ann, Bob", "unreadable", "/table/chapel_order"),
    ("/players/1/chapel_steps", 1, "chapel_order_contradicts_steps", "/table/chapel_order/1"),
    ("/table/empty_costs/6", 9, "unknown_field", "/table/empty_costs/6"),
    ("/table/empty_costs/3", -1, "negative", "/table/empty_costs/3"),
    ("/table/hand_8plus", -1, "negative", "/table/hand_8plus"),
    ("/players/0/coins", -1, "negative", "/players/0/coins"),
    ("/players/0/coins", 2.5, "bad_number", "/players/0/coins"),
    ("/players/0/coins", "ten", "bad_number", "/players/0/coins"),
    ("/players/0/coins", True, "bad_number", "/players/0/coins"),
    ("/players/0/coins", 10**6, "bad_number", "/players/0/coins"),
    ("/players/0/unused_tiles", -2, "negative", "/players/0/unused_tiles"),
    ("/players/0/gate_steps", -2, "negative", "/players/0/gate_steps"),
    ("/players/1/chapel_steps", -1, "negative", "/players/1/chapel_steps"),
    ("/players/0/chapel_steps", -1, "negative", "/players/0/chapel_steps"),
    ("/players/0/cards/2", -1, "negative", "/players/0/cards/2"),
    ("/players/0/cards/0", -1, "negative", "/players/0/cards/0"),
    ("/players/0/cards/5", 1, "bad_card", "/players/0/cards/5"),
    ("/players/0/cards/0", 1, "zero_cards", "/players/0/cards/0"),
    ("/players/0/cards/0", 3, "zero_cards", "/players/0/cards/0"),
    ("/players/0/cards", [], "unreadable", "/players/0/cards"),
    ("/players/0/last_coin_space", 4, "bad_number", "/players/0/last_coin_space"),
    ("/players/0/last_coin_space", -1, "negative", "/players/0/last_coin_space"),
    ("/players/1/summary/buildings", 13, "more_than_12_buildings", "/players/1/summary/buildings"),
    ("/players/1/summary/buildings", -1, "negative", "/players/1/summary/buildings"),
    ("/players/1/summary/buildings", 10, "empty_costs_unknown", "/table/empty_costs/2"),
    ("/players/1/summary/buildings", 9, "empty_costs_unknown", "/table/empty_costs/3"),
    ("/players/1/summary/buildings", 8, "empty_costs_unknown", "/table/empty_costs/4"),
    ("/players/1/summary/buildings", 3, "empty_costs_unknown", "/table/empty_costs/5+"),
    ("/players/1/summary/longest", 13, "bad_number", "/players/1/summary/longest"),
    ("/players/1/summary/low30", 13, "bad_number", "/players/1/summary/low30"),
    ("/players/1/summary/sets", 3, "bad_number", "/players/1/summary/sets"),
    ("/players/1/summary/types/Z", 1, "bad_building", "/players/1/summary/types/Z"),
    ("/players/1/summary/types/C", 13, "type_over_12", "/players/1/summary/types/C"),
    ("/players/1/summary/types/P", 6, "type_over_12", "/players/1/summary/types/P"),
    ("/players/1/summary/types", {"C": 7, "G": 6}, "bad_number", "/players/1/summary/types"),
    ("/players/1/summary/name", 2.5, "unknown_field", "/players/1/summary/name"),
    ("/players/0/summary", {"buildings": 12}, "unknown_field", "/players/0/summary"),
    ("/players/0/bridge/0", "Z10", "bad_building", "/players/0/bridge/0"),
    ("/players/0/bridge/0", "k50", "bad_building", "/players/0/bridge/0"),
    ("/players/0/bridge/0", "C5O", "bad_building", "/players/0/bridge/0"),
    ("/players/0/bridge/0", "", "bad_building", "/players/0/bridge/0"),
    ("/players/0/bridge/0", 50, "unreadable", "/players/0/bridge/0"),
    ("/players/0/bridge/0", "C", "number_missing", "/players/0/bridge/0"),
    ("/players/0/bridge/0", "C61", "number_range", "/players/0/bridge/0"),
    ("/players/0/bridge/0", "C0", "number_range", "/players/0/bridge/0"),
    ("/players/0/bridge/0", "C-5", "number_range", "/players/0/bridge/0"),
    ("/players/0/bridge/5", "P7", "garden_with_number", "/players/0/bridge/5"),
    ("/players/0/bridge/1", "G51", "not_descending", "/players/0/bridge/1"),
    ("/players/0/bridge/6", "C40", "duplicate_number", "/players/0/bridge/6"),
    ("/players/0/bridge", ["P"] * 13, "more_than_12_buildings", "/players/0/bridge"),
    ("/players/1/name", "Ann", "duplicate_name", "/players/1/name"),
    ("/players/1/hat", "tall", "unknown_field", "/players/1/hat"),
]


@pytest.mark.parametrize(("where", "value", "code", "reported"), CHANGED, ids=[f"{w} {v}" for w, v, _, _ in CHANGED])
def test_one_change_is_refused_where_it_was_made(where: str, value: Any, code: str, reported: str) -> None:
    record = good()
    put(record, where, value)
    found = faults(record)
    assert (code, reported) in found
    extra = {"more_than_12_buildings": {"type_over_12"}}  # thirteen gardens are both
    assert {name for name, _ in found} <= {code} | extra.get(code, set())


@pytest.mark.parametrize("count", [1, 5])
def test_the_game_is_for_two_to_four(count: int) -> None:
    record = good(4)
    player = record["players"][1]
    record["players"] = [{**player, "name": f"P{number}"} for number in range(count)]
    assert faults(record) == [("player_count", "/players")]


@pytest.mark.parametrize(
    ("faces", "missing"),
    [
        ({}, ["coins", "chapel_steps", "gate_steps", "cards", "bridge", "unused_tiles"]),
        ({"chapel": "gap_from_last", "gate": "step_brackets"}, ["chapel_steps", "gate_steps"]),
        ({"chapel": "coin_spaces"}, ["last_coin_space"]),
        ({"inn": "hand_count"}, ["cards"]),
        ({"inn": "card_combinations"}, ["cards"]),
    ],
)
def test_a_fact_that_a_face_needs_has_to_be_entered(faces: dict[str, str], missing: list[str]) -> None:
    record = good()
    record["table"]["scoring"] = faces
    record["players"][0]["chapel_steps"] = 1  # so that Bob's marker may have moved or not
    record["players"][1] = {"name": "Bob"}
    assert {("missing_field", f"/players/1/{fact}") for fact in missing} <= set(faults(record))


@pytest.mark.parametrize(
    ("zone", "face", "fact"),
    [
        ("chapel", "most_chapels", "types/C"),
        ("gate", "most_gates", "types/G"),
        ("inn", "most_inns", "types/I"),
        ("bridge", "longest_sequence", "longest"),
        ("bridge", "numbers_up_to_30", "low30"),
        ("bridge", "sets_of_six", "sets"),
    ],
)
def test_a_summary_has_to_hold_what_the_faces_count(zone: str, face: str, fact: str) -> None:
    record = good()
    record["table"]["scoring"] = {zone: face}
    assert faults(record) == [("missing_field", f"/players/1/summary/{fact}")]


@pytest.mark.parametrize("face", ["most_inns", "per_round_highest_card"])
def test_a_fact_that_no_face_needs_may_be_missing(face: str) -> None:
    record = good()
    record["table"]["scoring"] = {"chapel": "per_round_leader", "gate": "unused_tiles_squared", "inn": face}
    for player in record["players"]:
        del player["chapel_steps"], player["gate_steps"], player["cards"]
    record["players"][1]["summary"]["types"] = {"I": 2}
    assert faults(record, "warning") == []


def test_all_faults_are_told_at_once() -> None:
    record = good()
    record["table"] = {"chapel_order": ["Ann", "Ann"], "scoring": {"gate": "base", "inn": "most_gates"}}
    ann, bob = record["players"]
    ann |= {"coins": -3, "cards": {"0": 1, "7": 2}, "bridge": ["C40", "G41", "P3", "E", "U99", "X1", "C40", "P"]}
    bob |= {"unused_tiles": -1, "summary": {"buildings": 14}}
    assert {code for code, _ in faults(record)} == {
        "chapel_order_not_a_permutation",
        "unknown_option",
        "negative",
        "zero_cards",
        "bad_card",
        "not_descending",
        "garden_with_number",
        "number_missing",
        "number_range",
        "bad_building",
        "duplicate_number",
        "empty_costs_unknown",
        "more_than_12_buildings",
    }


@pytest.mark.parametrize(
    ("bridge", "wrong"),
    [
        (["C5", "P", "G60", "P", "I59"], []),  # a garden starts anew
        (["C5", "G6"], [1]),
        (["C5", "G6", "I6"], [1, 2]),  # equal is not descending either
        (["C20", "G", "I30"], [2]),  # whatever the gate's number is, it cannot stand between
        (["P", "P", "C1"], []),
        (["C30", "G20", "P", "I25", "E26"], [4]),
    ],
)
def test_numbers_descend_between_gardens(bridge: list[str], wrong: list[int]) -> None:
    record = good()
    record["table"]["empty_costs"] = {"2": 2, "3": 3, "4": 4, "5+": 5}
    record["players"][0]["bridge"] = bridge
    result = score(record)
    found = [problem["where"] for problem in result["problems"] if problem["code"] == "not_descending"]
    assert found == [f"/players/0/bridge/{space}" for space in wrong]


def test_a_number_is_unique_at_the_whole_table() -> None:
    record = good()
    del record["players"][1]["summary"]
    record["players"][1]["bridge"] = ["I40", "E30", *["P"] * 4, "U10", "C9", "G8", "I7", "E6", "U5"]
    assert faults(record) == [("duplicate_number", f"/players/1/bridge/{space}") for space in (0, 1, 6)]


def test_twelve_tiles_of_a_type_are_shared_by_the_table() -> None:
    record = good()
    del record["players"][1]["summary"]
    record["players"][1]["bridge"] = ["C49", *["P"] * 6, "G9", "I8", "E7", "U6", "C5"]
    assert faults(record) == [("type_over_12", "/players/1/bridge")]


def test_amounts_of_empty_spaces_are_asked_for_once_each() -> None:
    record = good(4)
    for player, built in zip(record["players"][1:], (10, 10, 9), strict=True):
        player["summary"]["buildings"] = built
    assert faults(record) == [
        ("empty_costs_unknown", "/table/empty_costs/2"),
        ("empty_costs_unknown", "/table/empty_costs/3"),
    ]
    record["table"]["empty_costs"] = {"2": 3, "3": 6}
    assert score(record)["ok"]


def test_typed_players_stand_in_the_chapel_order_too() -> None:
    record = good(3)
    record["players"][1] = {"name": "Bob", "typed": {"coins": 3}, "chapel_steps": 5}
    assert faults(record) == [("chapel_order_contradicts_steps", "/table/chapel_order/1")]
    record["table"]["chapel_order"] = ["Ann", "Cid"]
    assert faults(record) == [("chapel_order_not_a_permutation", "/table/chapel_order")]


ASKED = [
    ("/players/0/unused_tiles", 2, "more_tiles_than_bonus_spaces", "/players/0/unused_tiles"),
    ("/players/1/summary/buildings", 11, "fewer_than_12_buildings", "/players/1/summary/buildings"),
    ("/players/0/last_coin_space", 3, "coin_space_contradicts_steps", "/players/0/last_coin_space"),
    ("/players/1/summary/low30", 12, None, ""),
    ("/table/empty_costs", {"1": 2}, "empty_cost_differs", "/table/empty_costs/1"),
    ("/table/empty_costs", {"2": 5, "4": 3}, "empty_costs_fall", "/table/empty_costs/4"),
    ("/players/0/round_winnings", {"inn": 2}, "round_winnings_above_ceiling", "/players/0/round_winnings/inn"),
]


@pytest.mark.parametrize(("where", "value", "code", "reported"), ASKED, ids=[f"{w} {v}" for w, v, _, _ in ASKED])
def test_what_is_only_unlikely_is_asked_not_refused(where: str, value: Any, code: str | None, reported: str) -> None:
    record = good()
    put(record, where, value)
    assert faults(record, "warning") == ([(code, reported)] if code else [])


def test_remembered_replacements_explain_a_short_bridge() -> None:
    record = good()
    record["players"][1] |= {"summary": {"buildings": 11}, "replaced": 1}
    assert faults(record, "warning") == []


def test_thirty_low_numbers_exist() -> None:
    record = good(3)
    for player in record["players"][1:]:
        player["summary"]["low30"] = 12
    assert faults(record, "warning") == []
    del record["players"][0]["bridge"]
    record["players"][0]["summary"] = {"buildings": 12, "low30": 7}
    assert [code for code, _ in faults(record, "warning")] == ["too_many_low_numbers"]


def test_coins_passed_rise_with_the_steps() -> None:
    record = good()
    record["players"][0] |= {"chapel_steps": 6, "last_coin_space": 2}
    record["players"][1] |= {"chapel_steps": 5, "last_coin_space": 3}
    assert faults(record, "warning") == [("coin_space_contradicts_steps", "/players/0/last_coin_space")]


def test_rounds_pay_within_their_ceiling_and_within_the_coins() -> None:
    record = good(3)
    record["table"]["scoring"] = {"inn": "per_round_highest_card"}
    record["players"][0]["round_winnings"] = {"inn": 24}
    record["players"][0]["coins"] = 30
    assert faults(record, "warning") == []
    record["players"][1]["round_winnings"] = {"inn": 2}
    record["players"][0]["coins"] = 20
    assert {code for code, _ in faults(record, "warning")} == {
        "round_winnings_above_ceiling",
        "fewer_coins_than_rounds_paid",
    }
