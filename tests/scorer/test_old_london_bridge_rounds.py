"""Old London Bridge: the companion that pays the faces of every round."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.games.old_london_bridge.rounds import paid_so_far

ALL = {
    "chapel": "per_round_leader",
    "gate": "per_round_leader",
    "inn": "per_round_highest_card",
    "bridge": "per_round_lowest_number",
}


def log(*rounds: dict[str, Any], players: str = "ABC", scoring: dict[str, str] | None = None) -> Any:
    return {"players": list(players), "scoring": scoring or ALL, "chapel_order": list(players), "rounds": list(rounds)}


def played(order: str, steps: list[int], cards: list[int], numbers: list[int | None]) -> dict[str, Any]:
    names = sorted(order)
    built = {name: [] if number is None else [number] for name, number in zip(names, numbers, strict=True)}
    hands = {name: [card] for name, card in zip(names, cards, strict=True)}
    return {
        "chapel_order": list(order),
        "gate_steps": dict(zip(names, steps, strict=True)),
        "cards": hands,
        "numbers": built,
    }


def paid(entered: Any) -> list[tuple[int, str, str, int]]:
    answer = paid_so_far(entered)
    assert answer["ok"], answer["problems"]
    assert all(payment["why"] for payment in answer["payments"])
    return [(p["round"], p["zone"], p["player"], p["coins"]) for p in answer["payments"]]


def test_each_face_pays_one_player_a_round() -> None:
    assert paid(log(played("BAC", [3, 2, 0], [1, 2, 4], [30, 31, 12]))) == [
        (1, "inn", "C", 2),
        (1, "chapel", "B", 1),
        (1, "gate", "A", 1),
        (1, "bridge", "C", 2),
    ]


def test_cards_tie_by_the_order_before_anybody_moves_tracks_by_the_order_after() -> None:
    first = played("CBA", [2, 2, 2], [3, 3, 3], [9, 8, 7])
    second = played("BCA", [2, 2, 2], [1, 1, 1], [20, 21, 22])
    by_zone = [(zone, player) for _, zone, player, _ in paid(log(first, second)) if zone in {"inn", "gate"}]
    assert by_zone == [("inn", "A"), ("gate", "C"), ("inn", "C"), ("gate", "B")]


def test_somebody_is_paid_even_if_nobody_has_moved() -> None:
    by_zone = {zone: player for _, zone, player, _ in paid(log(played("ABC", [0, 0, 0], [0, 0, 0], [None] * 3)))}
    assert by_zone == {"inn": "A", "chapel": "A", "gate": "A"}


def test_a_round_without_an_order_left_the_chapel_track_as_it_was() -> None:
    entered = log(
        {"chapel_order": ["C", "A", "B"]}, {}, {"chapel_order": ["B", "C", "A"]}, scoring={"chapel": "per_round_leader"}
    )
    assert [player for _, _, player, _ in paid(entered)] == ["C", "C", "B"]


def test_two_players_play_two_cards_and_build_twice_but_one_is_paid() -> None:
    entered = log(
        {"cards": {"A": [0, 3], "B": [2, 3]}, "numbers": {"A": [50, 12], "B": [11]}, "chapel_order": ["B", "A"]},
        players="AB",
        scoring={"inn": "per_round_highest_card", "bridge": "per_round_lowest_number"},
    )
    assert paid(entered) == [(1, "inn", "A", 2), (1, "bridge", "B", 2)]


def test_an_unfinished_round_pays_for_its_cards_only() -> None:
    entered = log({"cards": {"A": [1], "B": [2], "C": [0]}, "finished": False})
    assert paid(entered) == [(1, "inn", "B", 2)]
    assert paid(log({"finished": False})) == []


def test_running_payments_are_the_round_winnings_of_the_record() -> None:
    first, second = played("BAC", [3, 2, 0], [1, 2, 4], [30, 31, 12]), played("BAC", [3, 4, 0], [4, 2, 3], [11, 13, 14])
    assert paid_so_far(log(first, second))["winnings"] == {
        "A": {"chapel": 0, "gate": 1, "inn": 2, "bridge": 2},
        "B": {"chapel": 2, "gate": 1, "inn": 0, "bridge": 0},
        "C": {"chapel": 0, "gate": 0, "inn": 2, "bridge": 2},
    }


def test_other_faces_are_not_paid_in_rounds() -> None:
    assert paid(log({}, {}, scoring={"chapel": "base", "gate": "most_gates"})) == []


GOOD = played("BAC", [3, 2, 0], [1, 2, 4], [30, 31, 12])


@pytest.mark.parametrize(
    ("entered", "faults"),
    [
        (log({**GOOD, "chapel_order": ["A", "B"]}), [("chapel_order_not_a_permutation", "/rounds/0/chapel_order")]),
        (log({"chapel_order": ["A", "B", "C"], "gate_steps": GOOD["gate_steps"]}), [
            ("missing_field", "/rounds/0/cards"),
            ("missing_field", "/rounds/0/numbers"),
        ]),
        (log({**GOOD, "cards": {"A": [5], "B": [1], "C": [2]}}), [("bad_card", "/rounds/0/cards/A/0")]),
        (log({**GOOD, "cards": {"A": [1, 1], "B": [1], "C": [2]}}), [("bad_card", "/rounds/0/cards/A")]),
        (log({**GOOD, "cards": {"A": [1], "B": [1]}}), [("missing_field", "/rounds/0/cards/C")]),
        (log({**GOOD, "numbers": {"A": [61], "B": [], "C": []}}), [("number_range", "/rounds/0/numbers/A/0")]),
        (log({**GOOD, "numbers": {"A": [6, 5], "B": [], "C": []}}), [("bad_number", "/rounds/0/numbers/A")]),
        (log(GOOD, GOOD), [("duplicate_number", f"/rounds/1/numbers/{name}") for name in "ABC"]),
        (log(*[{}] * 13, scoring={"chapel": "per_round_leader"}), [("bad_number", "/rounds")]),
        (log(scoring={"chapel": "per_round_highest_card"}), [("unknown_option", "/scoring/chapel")]),
        (log(players="A"), [("player_count", "/players")]),
        (log(players="AABC"), [("player_count", "/players")]),
        ({**log(), "hats": 3}, [("unknown_field", "/hats")]),
        ({"players": ["A", "B"], "scoring": {}, "rounds": []}, [("missing_field", "/chapel_order")]),
    ],
)  # fmt: skip
def test_what_cannot_be_is_pointed_out(entered: Any, faults: list[tuple[str, str]]) -> None:
    answer = paid_so_far(entered)
    assert not answer["ok"] and answer["payments"] == []
    assert [(problem["code"], problem["where"]) for problem in answer["problems"]] == faults


@pytest.mark.parametrize(
    "entered", [None, [], {}, {"players": 3}, {"players": [None] * 9, "rounds": [[]], "scoring": 0}]
)
def test_nothing_makes_the_companion_raise(entered: Any) -> None:
    assert paid_so_far(entered)["ok"] is False
