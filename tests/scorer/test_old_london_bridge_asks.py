"""Tell what the form of Old London Bridge asks for, and the numbers its keypad offers."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.contract import Input, choices_of
from scorer.core import load
from scorer.games.old_london_bridge import GAME
from scorer.games.old_london_bridge.guide import guide
from scorer.games.old_london_bridge.inputs import asks

CARDS = {f"cards/{n}" for n in range(1, 5)}
CHAPEL = {"chapel_steps", "chapel_moved"}
SIZE = "summary/buildings"
BASE = {"coins", *CHAPEL, "gate_steps", *CARDS, SIZE, "unused_tiles"}


def record(*players: dict[str, Any], **table: Any) -> dict[str, Any]:
    names = ["Ann", "Bob", "Cid", "Dot"]
    return {
        "game": "old_london_bridge",
        "table": table,
        "players": [{"name": name, **player} for name, player in zip(names, players, strict=False)],
    }


def named(entered: dict[str, Any], player: int | None) -> dict[str, Input]:
    return {asked.name: asked for asked in asks(load(GAME, entered), player)}


def test_the_printed_faces_ask_for_tracks_cards_buildings_and_tiles() -> None:
    assert set(named(record({}, {}), 0)) == BASE


def test_a_bridge_is_asked_for_as_the_others_entered_theirs() -> None:
    laid: dict[str, Any] = {"bridge": ["C5"]}
    counted: dict[str, Any] = {"summary": {"buildings": 12}}
    nothing: dict[str, Any] = {"bridge": []}
    expert = {"scoring": {"bridge": "longest_sequence"}}
    assert "bridge" in named(record(nothing, {}), 0) and "bridge" not in named(record(nothing, {}), 1)
    assert "bridge" not in named(record({}, counted), 0) and "bridge" not in named(record({}, counted, **expert), 0)
    assert "bridge" in named(record({}, laid, **expert), 0) and "bridge" in named(record(laid, counted), 0)
    assert "bridge" in named(record({"bridge": [], "summary": None}, {}), 0)
    assert load(GAME, record({"bridge": ["P"], "summary": None}, {})).faults == ()


@pytest.mark.parametrize(
    ("scoring", "more", "less"),
    [
        ({"chapel": "gap_from_last"}, set(), {"chapel_moved"}),
        ({"chapel": "coin_spaces"}, {"last_coin_space"}, CHAPEL),
        ({"chapel": "most_chapels"}, {"bridge"}, {SIZE, *CHAPEL}),
        ({"chapel": "per_round_leader"}, {"round_winnings/chapel"}, CHAPEL),
        ({"gate": "unused_tiles_squared"}, set(), {"gate_steps"}),
        ({"inn": "most_inns"}, {"bridge"}, {SIZE, *CARDS}),
        ({"inn": "card_combinations"}, set(), set()),
        ({"bridge": "sets_of_six"}, {"bridge"}, {SIZE}),
        ({"bridge": "no such face"}, set(), set()),
    ],
)
def test_another_face_asks_for_what_it_reads(scoring: dict[str, str], more: set[str], less: set[str]) -> None:
    assert set(named(record({}, {}, scoring=scoring), 0)) == (BASE | more) - less


@pytest.mark.parametrize(
    ("scoring", "counted"),
    [
        ({}, {"summary/buildings"}),
        ({"chapel": "most_chapels", "inn": "most_inns"}, {"summary/buildings", "summary/types/C", "summary/types/I"}),
        ({"bridge": "longest_sequence"}, {"summary/buildings", "summary/longest"}),
        ({"bridge": "sets_of_six"}, {"summary/buildings", "summary/sets"}),
    ],
)
def test_a_counted_bridge_asks_only_for_what_the_faces_count(scoring: dict[str, str], counted: set[str]) -> None:
    asked = named(record({"summary": {}, "bridge": ["C5"]}, {}, scoring=scoring), 0)
    assert {name for name in asked if name.startswith("summary")} == counted
    assert "bridge" not in asked


def test_types_that_make_up_the_sets_are_kept() -> None:
    types = dict.fromkeys("CGIEUP", 2)
    entered = record({"summary": {"buildings": 12, "types": types}}, {}, scoring={"bridge": "sets_of_six"})
    assert named(entered, 0)["summary/types"].kind == "data"


def test_nothing_is_asked_that_is_known() -> None:
    assert "cards/0" not in named(record({}, {}), 0)
    assert "chapel_moved" not in named(record({"chapel_steps": 0}, {}), 0)
    assert "unused_tiles" not in named(record({"gate_steps": 2}, {}), 0)  # no bonus space yet
    assert "unused_tiles" in named(record({"gate_steps": 2, "unused_tiles": 1}, {}), 0)  # to be corrected
    assert "unused_tiles" in named(record({"gate_steps": 3}, {}), 0)
    assert "unused_tiles" in named(record({"gate_steps": 2}, {}, scoring={"gate": "most_gates"}), 0)  # left over


@pytest.mark.parametrize(
    ("summary", "asked", "follows"),
    [
        ({}, {"buildings", "types/C", "sets"}, {}),
        ({"buildings": 5}, {"buildings", "types/C"}, {"Complete sets of all six types": 0}),
        ({"buildings": 5, "sets": 0}, {"buildings", "types/C"}, {"Complete sets of all six types": 0}),
        ({"buildings": 5, "sets": 1}, {"buildings", "types/C", "sets"}, {}),  # to be corrected
        ({"buildings": 12, "longest": 12}, {"buildings", "types/C", "sets"}, {}),  # nobody looks at rows
        ({"types": {"P": 12}}, {"types"}, {
            "Buildings, including parks": 12,
            "Chapels": 0,
            "Complete sets of all six types": 0,
        }),
    ],
)  # fmt: skip
def test_what_follows_from_the_rest_is_shown_and_not_asked(
    summary: dict[str, Any], asked: set[str], follows: dict[str, int]
) -> None:
    scoring = {"chapel": "most_chapels", "bridge": "sets_of_six"}
    entered = record({"summary": summary}, {}, scoring=scoring)
    counted = {name.removeprefix("summary/") for name in named(entered, 0) if name.startswith("summary/")}
    assert counted == asked
    assert {str(one["label"]): one["value"] for one in guide(load(GAME, entered), 0)["follows"]} == follows


def test_the_last_type_follows_from_the_others() -> None:
    types = {"G": 2, "I": 2, "E": 2, "U": 2, "P": 2}
    entered = record({"summary": {"buildings": 12, "types": types}}, {}, scoring={"chapel": "most_chapels"})
    assert "summary/types/C" not in named(entered, 0)
    assert guide(load(GAME, entered), 0)["follows"] == [{"label": "Chapels", "value": 2}]


def test_replaced_buildings_are_asked_for_once_the_bridge_is_short() -> None:
    assert "replaced" in named(record({"bridge": ["C50", "G40"]}, {}), 0)
    assert "replaced" not in named(record({"summary": {"buildings": 12}}, {}), 0)
    assert "replaced" not in named(record({"bridge": ["C50"]}, {}, {}, {}, ended_early=True), 0)


def test_an_early_end_is_asked_for_once_where_there_can_be_one() -> None:
    short, full = {"bridge": ["P"] * 9}, {"bridge": ["P"] * 12}
    assert "ended_early" in named(record(short, {}, {}, {}), None)
    assert "ended_early" not in named(record(full, full, full, full), None)
    assert "ended_early" not in named(record(short, short, short), None)


def test_only_the_amounts_that_somebody_pays_are_asked_for() -> None:
    bridges = [["P"] * 12, ["P"] * 11, ["P"] * 10, ["P"] * 3]
    asked = named(record(*({"bridge": bridge} for bridge in bridges)), None)
    assert {name for name in asked if "cost" in name} == {"empty_costs/1", "empty_costs/2", "empty_costs/5+"}
    assert not any(asked[name].this_game_only for name in asked if "cost" in name)


@pytest.mark.parametrize(("cards", "asked"), [({"0": 1, "4": 6}, False), ({"0": 1, "4": 7}, True), ({"4": "x"}, False)])
def test_the_amount_for_eight_cards_is_asked_for_when_somebody_holds_them(cards: dict[str, Any], asked: bool) -> None:
    entered = record({"cards": cards}, {}, scoring={"inn": "hand_count"})
    assert ("hand_8plus" in named(entered, None)) is asked


@pytest.mark.parametrize(
    ("steps", "offered"),
    [
        ((3, 9, 5), None),  # all differ
        ((3, 9, 3), ["Bob", "Ann", "Cid"]),
        ((0, 0, 4), ["Cid", "Ann", "Bob"]),
        ((3, None, 5), ["Cid", "Ann", "Bob"]),
        ((3, "x", 5), ["Cid", "Ann", "Bob"]),
    ],
)
def test_the_order_is_asked_for_where_the_steps_do_not_tell_it_and_never_filled_in(
    steps: tuple[Any, ...], offered: list[str] | None
) -> None:
    players = [{} if each is None else {"chapel_steps": each} for each in steps]
    asked = named(record(*players), None).get("chapel_order")
    assert (asked and [choice.value for choice in choices_of(asked)]) == offered
    assert asked is None or asked.default is None


def test_the_order_is_asked_for_where_no_face_reads_the_steps() -> None:
    players = [{"chapel_steps": 3}, {"chapel_steps": 5}]
    assert "chapel_order" not in named(record(*players), None)
    assert "chapel_order" in named(record(*players, scoring={"chapel": "coin_spaces"}), None)
    assert "chapel_order" in named(record({"typed": {"coins": 3}, "chapel_steps": 3}, players[1]), None)


def test_whoever_stays_on_the_stairs_is_offered_last() -> None:
    asked = named(record({"chapel_moved": False}, {"chapel_steps": 1}, {"chapel_moved": True}), None)
    assert [choice.value for choice in choices_of(asked["chapel_order"])] == ["Bob", "Cid", "Ann"]


def test_a_player_who_typed_is_asked_for_her_marker_only_where_distances_count() -> None:
    typed = {"typed": {"coins": 3}}
    assert named(record(typed, {}), 0) == {}
    [steps] = asks(load(GAME, record(typed, {}, scoring={"chapel": "gap_from_last"})), 0)
    assert steps.name == "chapel_steps" and steps.in_doubt


def test_the_keypad_offers_what_fits_the_row_and_nobody_has_built() -> None:
    entered = record({"bridge": ["C56", "G44", "P", "I3"]}, {"bridge": ["U55", "E2"]})
    spaces = guide(load(GAME, entered), 0)["open"]
    assert len(spaces) == 5
    assert 55 not in spaces[0] and spaces[0][0] == 60 and spaces[0][-1] == 45
    assert list(spaces[4]) == [1]
    assert len(guide(load(GAME, record({"bridge": ["P"] * 12}, {})), 0)["open"]) == 12


@pytest.mark.parametrize("entered", [None, [], "x", {"players": 3}, {"players": [1, None]}])
def test_half_a_record_is_no_obstacle(entered: Any) -> None:
    for player in (None, 0, 7):
        asks(load(GAME, entered), player)
    assert guide(load(GAME, entered), 0)["open"] in ([], [tuple(range(60, 0, -1))])
