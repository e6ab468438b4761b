"""Old London Bridge: every face, every tie, typed players."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.core import score
from scorer.games.old_london_bridge.cards import FACES, ZONES, needed_inputs, options

NAMES = ("Ann", "Bob", "Cid", "Dee")
ZEROS = {2: 2, 3: 1, 4: 1}
PLAIN = {"buildings": 12, "types": {"C": 1, "G": 1, "I": 1}, "longest": 4, "low30": 0, "sets": 0}


def table(*players: dict[str, Any], order: str = "", **faces: str) -> Any:
    """A record of players who differ from a plain one only in what is said; `order` by initials."""
    count = len(players)
    plain = {"coins": 0, "chapel_steps": 0, "gate_steps": 0, "unused_tiles": 0, "last_coin_space": 0}
    everyone = []
    for name, facts in zip(NAMES, players, strict=False):
        if "typed" in facts:
            everyone.append({"name": name, **facts})
            continue
        cards = {"0": ZEROS[count], **facts.get("cards", {})}
        bridge = {} if "bridge" in facts else {"summary": {**PLAIN, **facts.get("summary", {})}}
        everyone.append({"name": name, **plain, **facts, "cards": cards, **bridge})
    names = [next(name for name in NAMES if name[0] == letter) for letter in order] or list(NAMES[:count])
    setup = {"chapel_order": names, "scoring": faces, "empty_costs": {}}
    return {"game": "old_london_bridge", "table": setup, "players": everyone}


def column(record: Any, rule: str) -> list[int | None]:
    """Return what the line pays to each player, None for a player without it."""
    result = score(record)
    assert result["ok"], result["problems"]
    lines = [{line["rule"]: line["points"] for line in player["lines"]} for player in result["players"]]
    return [line.get(rule) for line in lines]


# Nobody but the player of a face's own fact has anything of it: each face by what it compares.
COMPARED = [
    ("chapel", "base", lambda n: {"chapel_steps": n}),
    ("chapel", "most_chapels", lambda n: {"summary": {"types": {"C": n}}}),
    ("gate", "base", lambda n: {"gate_steps": n}),
    ("gate", "most_gates", lambda n: {"summary": {"types": {"G": n}}}),
    ("inn", "base", lambda n: {"cards": {"1": n}}),
    ("inn", "most_inns", lambda n: {"summary": {"types": {"I": n}}}),
    ("bridge", "longest_sequence", lambda n: {"summary": {"types": {}, "longest": n}}),
]
compared = pytest.mark.parametrize(
    ("zone", "face", "has"), COMPARED, ids=[f"{zone} {face}" for zone, face, _ in COMPARED]
)


@compared
@pytest.mark.parametrize(
    ("counts", "order", "paid"),
    [
        ((2, 1), "AB", [5, 0]),
        ((1, 1), "BA", [0, 5]),
        ((0, 0), "AB", [0, 0]),
        ((0, 3), "BA", [0, 5]),
        ((3, 2, 1), "ABC", [5, 3, 0]),
        ((2, 2, 2), "CAB", [3, 0, 5]),
        ((0, 2, 0), "BAC", [0, 5, 0]),
        ((4, 3, 2, 1), "ABCD", [5, 3, 1, 0]),
        ((1, 1, 1, 1), "DCBA", [0, 1, 3, 5]),
        ((3, 2, 0, 2), "ADBC", [5, 1, 0, 3]),
        ((0, 0, 1, 0), "CABD", [0, 0, 5, 0]),
    ],
)
def test_prizes_are_5_3_1_by_number_of_players_and_ties_go_to_the_chapel_order(
    zone: str, face: str, has: Any, counts: tuple[int, ...], order: str, paid: list[int]
) -> None:
    if (zone, face) == ("chapel", "base"):  # the order must agree with the steps
        order = "".join(sorted(order, key=lambda letter: (-counts["ABCD".index(letter)], order.index(letter))))
    record = table(*(has(count) for count in counts), order=order, **{zone: face})
    assert column(record, zone) == paid


def test_buildings_have_no_minimum_and_gardens_count() -> None:
    record = table({"bridge": ["P"] * 12}, {"summary": {"buildings": 11}}, {"summary": {"buildings": 12}}, order="CBA")
    assert column(record, "bridge") == [3, 0, 5]


@pytest.mark.parametrize(
    ("steps", "coins"), [(0, 0), (3, 0), (4, 3), (6, 3), (7, 5), (9, 5), (10, 9), (12, 9), (13, 12), (30, 12)]
)
def test_gate_steps_pay_by_brackets(steps: int, coins: int) -> None:
    assert column(table({"gate_steps": steps}, {}, gate="step_brackets"), "gate") == [coins, 0]


@pytest.mark.parametrize(("tiles", "coins"), [(0, 0), (1, 1), (2, 4), (3, 9), (4, 16), (5, 16)])
def test_unused_tiles_squared_stop_at_four_and_replace_the_pound_each(tiles: int, coins: int) -> None:
    record = table({"unused_tiles": tiles, "gate_steps": 15}, {}, gate="unused_tiles_squared")
    assert column(record, "gate") == [coins, 0]
    assert column(record, "bonus") == [0 if tiles else None, None]


def test_unused_tiles_pay_a_pound_each_with_any_other_gate_face() -> None:
    for face in set(options("gate")) - {"unused_tiles_squared"}:
        assert column(table({"unused_tiles": 4, "gate_steps": 15}, {}, gate=face), "bonus") == [4, None]


@pytest.mark.parametrize(("space", "coins"), [(0, 0), (1, 1), (2, 3), (3, 6), (5, 11)])
def test_coin_spaces_add_up_to_the_marker(space: int, coins: int) -> None:
    record = table({"last_coin_space": space, "chapel_steps": 6}, {}, chapel="coin_spaces")
    assert column(record, "chapel") == [coins, 0]


def test_distance_is_measured_from_the_last_marker_not_from_the_leader() -> None:
    steps = [{"chapel_steps": 12}, {"chapel_steps": 8}, {"chapel_steps": 6}, {"chapel_steps": 2}]
    assert column(table(*steps, chapel="gap_from_last"), "chapel") == [10, 6, 4, 0]
    assert column(table({"chapel_steps": 3}, {"chapel_steps": 3}, chapel="gap_from_last"), "chapel") == [0, 0]


@pytest.mark.parametrize(
    ("hand", "players", "coins"),
    [
        ({}, 2, 0),
        ({"4": 1}, 2, 4),
        ({"4": 1}, 3, 0),
        ({"4": 2}, 3, 4),
        ({"1": 3}, 4, 4),
        ({"1": 4}, 4, 7),
        ({"1": 6}, 4, 7),
        ({"1": 7}, 4, 11),
        ({"1": 5, "2": 4}, 2, 11),
    ],
)
def test_hand_size_counts_the_zeros(hand: dict[str, int], players: int, coins: int) -> None:
    record = table({"cards": hand}, *({} for _ in range(players - 1)), inn="hand_count")
    assert column(record, "inn") == [coins] + [0] * (players - 1)


def test_the_amount_for_eight_cards_is_the_printed_one_if_it_was_entered() -> None:
    record = table({"cards": {"1": 7}}, {}, {}, inn="hand_count")
    assert "Check your scoring tile" in score(record)["players"][0]["lines"][3]["why"]
    record["table"]["hand_8plus"] = 12
    assert column(record, "inn") == [12, 0, 0]
    assert "check" not in score(record)["players"][0]["lines"][3]["why"]


def best_combinations(hand: Counter[int]) -> int:
    """Brute force: take any combination away and do the same with the rest."""
    sets = {(1, 2): 5, (1, 2, 3): 10, (1, 2, 3, 4): 15}
    return max(
        (
            worth + best_combinations(hand - Counter(cards))
            for cards, worth in sets.items()
            if not Counter(cards) - hand
        ),
        default=0,
    )


@given(st.lists(st.integers(1, 4), max_size=8))
def test_combinations_of_cards_are_the_best_there_are(cards: list[int]) -> None:
    hand = {str(value): cards.count(value) for value in set(cards)}
    assert column(table({"cards": hand}, {}, inn="card_combinations"), "inn") == [best_combinations(Counter(cards)), 0]


@pytest.mark.parametrize(("zone", "face"), [(f.zone, f.id) for f in FACES.values() if f.per_round])
def test_a_face_paid_in_every_round_pays_nothing_at_the_end_and_says_so(zone: str, face: str) -> None:
    record = table({"chapel_steps": 5, "gate_steps": 5, "cards": {"4": 3}}, {}, **{zone: face})
    assert column(record, zone) == [0, 0]
    [line] = [line for line in score(record)["players"][0]["lines"] if line["rule"] == zone]
    assert "already among the coins" in line["why"]


BRIDGE = ["C60", "G31", "I30", "P", "E57", "U40", "C29", "P", "G5", "I4", "E3", "U2"]


@pytest.mark.parametrize(
    ("zone", "face", "coins", "cells"),
    [
        ("chapel", "most_chapels", 5, ["1", "7"]),
        ("gate", "most_gates", 5, ["2", "9"]),
        ("inn", "most_inns", 5, ["3", "10"]),
        ("bridge", "base", 5, [str(space) for space in range(1, 13)]),
        ("bridge", "longest_sequence", 5, ["9", "10", "11", "12"]),
        ("bridge", "numbers_up_to_30", 12, ["3", "7", "9", "10", "11", "12"]),
        ("bridge", "sets_of_six", 20, [str(space) for space in range(1, 13)]),
    ],
)
def test_an_entered_bridge_supplies_everything_and_names_its_spaces(
    zone: str, face: str, coins: int, cells: list[str]
) -> None:
    record = table({"bridge": BRIDGE}, {"summary": {"buildings": 11}}, **{zone: face})
    assert column(record, zone)[0] == coins
    [line] = [line for line in score(record)["players"][0]["lines"] if line["rule"] == zone]
    assert line["cells"] == cells


def test_sets_follow_from_a_summary_of_all_types() -> None:
    record = table({"summary": {"types": dict.fromkeys("CGIEUP", 2), "longest": 5}}, {}, bridge="sets_of_six")
    del record["players"][0]["summary"]["sets"]
    assert column(record, "bridge") == [20, 0]


@pytest.mark.parametrize(("built", "paid"), [(12, None), (11, -1), (10, -2), (9, -4), (8, -7), (7, -11), (4, -11)])
def test_empty_spaces_cost_what_the_board_prints(built: int, paid: int | None) -> None:
    costs = {"1": 1, "2": 2, "3": 4, "4": 7, "5+": 11}
    record = table({"summary": {"buildings": built}}, {})
    record["table"]["empty_costs"] = costs
    assert column(record, "empty") == [paid, None]


def test_an_expert_face_of_the_bridge_keeps_the_cost_of_empty_spaces() -> None:
    for face in options("bridge"):
        assert column(table({"summary": {"buildings": 11}}, {}, bridge=face), "empty") == [-1, None]


def test_every_mix_of_faces_scores() -> None:
    players: tuple[dict[str, Any], ...] = (
        {"bridge": BRIDGE, "chapel_steps": 3, "cards": {"1": 1, "2": 1}},
        {"unused_tiles": 1, "gate_steps": 4},
        {},
    )
    for mix in itertools.product(*(options(zone) for zone in ZONES)):
        result = score(table(*players, **dict(zip(ZONES, mix, strict=True))))
        assert result["ok"]
        assert [line["rule"] for line in result["players"][0]["lines"]] == ["coins", *ZONES]
        assert sorted(player["rank"] for player in result["players"]) == [1, 2, 3]


def test_only_what_the_faces_need_is_needed() -> None:
    faces = {"chapel": "most_chapels", "gate": "unused_tiles_squared", "inn": "most_inns", "bridge": "sets_of_six"}
    assert needed_inputs(faces) == ("coins", "types/C", "types/I", "sets", "buildings", "unused_tiles")
    assert needed_inputs({}) == ("coins", "chapel_steps", "gate_steps", "cards", "buildings", "unused_tiles")
    summary = {"buildings": 12, "types": {"C": 1, "I": 0}, "sets": 0}
    players = [{"name": name, "coins": 3, "unused_tiles": 0, "summary": summary} for name in ("Ann", "Bob")]
    setup = {"chapel_order": ["Bob", "Ann"], "scoring": faces}
    result = score({"game": "old_london_bridge", "table": setup, "players": players})
    assert (result["ok"], result["winners"], result["decided_by"]) == (True, ["Bob"], "points")


def test_no_victory_is_shared() -> None:
    record = table({"coins": 8, "summary": {"buildings": 11}}, {"coins": 2, "summary": {"buildings": 12}}, order="BA")
    result = score(record)
    assert [player["total"] for player in result["players"]] == [7, 7]
    assert (result["winners"], result["decided_by"], result["needs"]) == (["Bob"], "chapel_order", [])


# -- players who typed their line totals ------------------------------------------------------------------------------


def test_others_share_the_prizes_that_a_typed_player_did_not_win() -> None:
    gates: list[dict[str, Any]] = [{"gate_steps": 3}, {"typed": {"gate": 3}}, {"gate_steps": 9}, {"gate_steps": 4}]
    assert column(table(*gates), "gate") == [0, 3, 5, 1]
    gates[1] = {"typed": {"coins": 9}}
    assert column(table(*gates), "gate") == [1, None, 5, 3]


def test_a_typed_player_keeps_her_place_on_the_chapel_track() -> None:
    record = table({"typed": {"coins": 10}}, {"typed": {"coins": 10}}, order="BA")
    result = score(record)
    assert (result["winners"], result["decided_by"]) == (["Bob"], "chapel_order")


def test_the_distance_from_a_typed_player_is_asked_for_only_if_hers_is_the_last_marker() -> None:
    players: list[dict[str, Any]] = [{"chapel_steps": 6}, {"chapel_steps": 4}, {"typed": {"coins": 1}}]
    assert column(table(*players, order="ACB", chapel="gap_from_last"), "chapel") == [2, 0, None]
    record = table(*players, order="ABC", chapel="gap_from_last")
    [need] = score(record)["needs"]
    assert need == {"input": "chapel_steps", "players": ["Cid"], "where": ["/players/2/chapel_steps"]}
    record["players"][2]["chapel_steps"] = 1
    assert column(record, "chapel") == [5, 3, None]
    players[1] = {"chapel_steps": 0}
    assert column(table(*players, order="ABC", chapel="gap_from_last"), "chapel") == [6, 0, None]
