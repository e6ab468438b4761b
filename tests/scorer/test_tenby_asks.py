"""Tell what Tenby asks for at each moment: enough to score by, no more than counts, and never a traceback."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.core import load
from scorer.games.tenby import GAME
from scorer.games.tenby.guide import guide
from scorer.games.tenby.inputs import asks
from tests.conftest import EXAMPLES
from tests.scorer.tenby_tables import each, per, pier, player, questions, record, terrace
from tests.scorer.test_fuzz import ANYTHING, places

OURS = [example.record for example in EXAMPLES if example.game.id == "tenby"]


def asked(table: Any, number: int | None = 0) -> dict[str, Any]:
    return {one.name: one for one in asks(load(GAME, table), number)}


def with_accolades(mode: str, *cards: Any) -> Any:
    accolades = {"mode": mode, "cards": list(cards)} if mode else {}
    return {"game": "tenby", "table": {"accolades": accolades}, "players": [player("Ann"), player("B/b")]}


def test_a_new_town_is_asked_for_streets_and_residents_alone() -> None:
    assert list(asked({"players": [{"name": "Ann"}]})) == ["streets", "residents"]


def test_of_a_card_only_counts_that_something_sees_are_asked() -> None:
    street = [terrace("sea", score=per("bench")), terrace(), terrace(score=per("cloud", range_="gold"))]
    found = asked(record(street))
    assert [name for name in found if "features" in name] == [
        "streets/0/0/features/cloud",
        "streets/0/1/features/bench",
        "streets/0/1/features/cloud",
        "streets/0/2/features/cloud",
    ]
    assert found["streets/0/1/features/bench"].high == 2


def test_counts_that_are_known_stay_although_nothing_sees_them() -> None:
    assert "streets/0/0/features/bin" in asked(record([terrace(features={"bin": 1})]))


def test_a_printed_number_has_no_target_and_a_range_only_a_direction_where_it_can() -> None:
    printed = asked(record([terrace(score={"type": "flat", "points": 3, "target": "bench"})]))
    assert "streets/0/0/score/points" in printed and "streets/0/0/score/target" not in printed
    for range_, directed in (("white", False), ("grey", True), ("gold", False)):
        found = asked(record([terrace(score=per("bench", range_=range_))]))
        assert ("streets/0/0/score/direction" in found) is directed
    end = pier("sea", "pier", deck="landmark", score=per("bench", range_="gold"))
    assert "streets/0/0/score/direction" in asked(record([end]))


def test_residents_are_asked_by_their_kind() -> None:
    single = {"name": "Bob", "type": "single", "target": "bin", "tiers": [{}, {}]}
    found = asked(record([terrace()], residents=(each("bench"), single)))
    assert "residents/0/at_least" in found and "residents/1/tiers/1/complete" in found
    assert "residents/1/at_least" not in found
    assert "streets/0/0/features/bench" in found


@pytest.mark.parametrize(
    ("mode", "facts"),
    [
        ("open_sea", set()),
        ("ebb_flow", {"holder", "revealed"}),
        ("high_tide", {"active"}),
        ("", None),
        ("spring_tide", None),
    ],
)
def test_each_mode_asks_for_its_own_facts(mode: str, facts: set[str] | None) -> None:
    found = asked(with_accolades(mode, {"name": "Manager", "target": "business", "amounts": {"Ann": 3}}), None)
    of_card = {name.split("/", 3)[3] for name in found if name.startswith("accolades/cards/0/")}
    assert of_card == (set() if facts is None else {"name", "target", "amounts/Ann", "amounts/B~1b", *facts})
    if facts is not None:
        assert not found["accolades/cards/0/amounts/Ann"].in_doubt
        assert found["accolades/cards/0/amounts/B~1b"].in_doubt


@pytest.mark.parametrize("table", OURS, ids=range(len(OURS)))
def test_whatever_is_left_to_ask_is_asked(table: Any) -> None:
    for number, streets in enumerate(questions(table)):
        names = asked(table, number)
        for s, street in enumerate(streets):
            for c, facts in enumerate(street):
                for fact in facts:
                    path = fact if fact in ("buildings", "subtype") else f"features/{fact}"
                    assert f"streets/{s}/{c}/{path}" in names


@pytest.mark.parametrize(("mode", "most"), [("open_sea", 3), ("ebb_flow", 2), ("high_tide", 3)])
def test_another_accolade_is_offered_while_its_mode_has_room_for_one(mode: str, most: int) -> None:
    for number in range(most + 2):
        cards = [{"name": f"Goal {index}", "target": "bin"} for index in range(number)]
        found = asked(with_accolades(mode, *cards), None)
        assert (f"accolades/cards/{number}" in found) == (number < most)
    offered = [choice.value for choice in asked(with_accolades(mode, *cards[:1]), None)["accolades/cards/1"].choices]
    assert offered[0] == {"name": "Most benches", "target": "bench"}
    assert offered[-1] == {"name": "Accolade 2"}


def test_whether_a_card_was_revealed_is_a_question_without_a_first_answer() -> None:
    for mode, fact in (("ebb_flow", "revealed"), ("high_tide", "active")):
        found = asked(with_accolades(mode, {"name": "Manager", "target": "business"}), None)
        flag = found[f"accolades/cards/0/{fact}"]
        assert (flag.kind, [choice.value for choice in flag.choices]) == ("choice", [True, False])


def test_a_card_of_another_way_to_play_is_offered_and_asks_for_its_own_facts() -> None:
    table = with_accolades("open_sea", {"name": "Manager", "target": "business"})
    [tide, flow] = sorted(asked(table, None)["accolades/others"].choices, key=lambda choice: -len(choice.label))
    assert {tide.value["mode"], flow.value["mode"]} == {"ebb_flow", "high_tide"}
    also = {"name": "Accolade 2", "mode": "ebb_flow"}
    found = asked(with_accolades("open_sea", {"name": "Manager", "target": "business"}, also), None)
    assert "accolades/cards/1/revealed" in found and "accolades/cards/0/revealed" not in found
    assert "accolades/cards/1/mode" in found and "accolades/cards/0/mode" not in found
    assert "accolades/cards/2" in found  # there is room for another card of the open sea


@pytest.mark.parametrize("target", ["completed_street", "longest street"])
def test_a_goal_by_another_name_stays_chosen(target: str) -> None:
    found = asked(with_accolades("open_sea", {"name": "Goal", "target": target}), None)
    assert target in [choice.value for choice in found["accolades/cards/0/target"].choices]


def test_a_quick_player_is_asked_for_points_and_how_many_alone() -> None:
    cards = [{"type": "per", "points": 2}, {"type": "flat", "points": 3}]
    quick = {"name": "Ann", "cards": cards, "streets": [[terrace()]], "residents": [each("bench")]}
    found = asked({"game": "tenby", "table": {}, "players": [quick]})
    assert list(found) == [
        *(f"cards/0/{name}" for name in ("type", "name", "points", "seen")),
        *(f"cards/1/{name}" for name in ("type", "name", "points")),
        "residents/0/name",
        "residents/0/points",
        "completed_streets",
    ]
    assert found["completed_streets"].in_doubt
    guided = guide(load(GAME, {"game": "tenby", "players": [quick]}), 0)
    assert [card["total"] for card in guided["quick"]] == [None, 3]


def test_a_resident_of_typed_points_is_asked_for_them_alone() -> None:
    found = asked(record([terrace()], residents=({"name": "Bob", "type": "typed", "target": "bin"},)))
    assert [name for name in found if name.startswith("residents/0/")] == [
        "residents/0/name",
        "residents/0/type",
        "residents/0/points",
    ]


def test_no_accolades_may_be_told_by_an_empty_object() -> None:
    table = {**record([terrace()]), "table": {"accolades": {}}}
    assert GAME.dump(GAME.load(table))["table"] == {}


@given(st.data())
def test_half_filled_records_raise_nothing(data: st.DataObject) -> None:
    table = copy.deepcopy(data.draw(st.sampled_from(OURS)))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(table)))
        if path:
            holder = table
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = data.draw(ANYTHING)
    for number in (None, 0, 1):
        inputs = asks(load(GAME, table), number)
        assert len({(one.section, one.name) for one in inputs}) == len(inputs)
    assert json.dumps(guide(load(GAME, table), 0))


@given(ANYTHING)
def test_anything_at_all_raises_nothing(table: Any) -> None:
    for number in (None, 0, 5):
        assert isinstance(asks(load(GAME, table), number), tuple)
    assert json.dumps(guide(load(GAME, table), 0))
