"""Old London Bridge: twelve turns, early ends, and what need not be entered because it is known."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from scorer.core import score
from scorer.games.old_london_bridge import GAME
from scorer.result import can_be_saved

NAMES = ("Ann", "Bob", "Cid", "Dee")
COSTS = {"1": 1, "2": 3, "3": 6, "4": 10, "5+": 15}


def table(*players: dict[str, Any], **about: Any) -> Any:
    """Full bridges of players who never moved, but for what is said; "-" takes a fact away."""
    everyone = []
    for name, facts in zip(NAMES, players, strict=False):
        bridge = {} if "bridge" in facts else {"summary": {"buildings": 12}}
        plain = {"coins": 10, "chapel_steps": 0, "gate_steps": 0, "cards": {}, "unused_tiles": 0, **bridge}
        known = {key: value for key, value in {**plain, **facts}.items() if value != "-"}
        everyone.append({"name": name, **known})
    order = list(NAMES[: len(players)])
    kept = {key: value for key, value in {"chapel_order": order, "empty_costs": COSTS, **about}.items() if value != "-"}
    return {"game": "old_london_bridge", "table": kept, "players": everyone}


def found(record: Any) -> list[tuple[str, str, str]]:
    return [(problem["level"], problem["code"], problem["where"]) for problem in score(record)["problems"]]


def built(buildings: int, **facts: Any) -> dict[str, Any]:
    return {"summary": {"buildings": buildings}, **facts}


# -- twelve turns (rulebook, how to play) ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("buildings", [1, 7, 11, 12])
def test_buildings_and_replaced_ones_make_twelve(players: int, buildings: int) -> None:
    others: list[dict[str, Any]] = [{}] * (players - 1)
    assert found(table(built(buildings, replaced=12 - buildings), *others)) == []
    [(level, code, where)] = found(table(built(buildings, replaced=13 - buildings), *others))
    assert (level, code, where) == ("error", "impossible_turns", "/players/0/replaced")


def test_fifteen_turns_are_impossible() -> None:
    [problem] = score(table(built(12, replaced=3), {}))["problems"]
    said = "12 buildings and 3 replaced ones make 15 turns, but each player has 12. Check both numbers."
    assert problem["message"] == said


def test_eleven_turns_are_refused_where_the_game_cannot_have_ended_early() -> None:
    short = built(10, replaced=1)
    wrong = ("error", "impossible_turns", "/players/0/replaced")
    assert found(table(short, {})) == found(table(short, {}, {})) == [wrong]
    assert found(table(short, {}, {}, {}, ended_early=False)) == [wrong]
    asked = ("warning", "fewer_than_12_buildings", "/players/0/replaced")
    assert found(table(short, {}, {}, {})) == [asked]


@pytest.mark.parametrize(
    ("players", "buildings", "message"),
    [
        (2, 11, "This bridge has 11 buildings after 12 turns. Were buildings replaced on all other turns?"),
        (3, 1, "This bridge has 1 building after 12 turns. Were buildings replaced on all other turns?"),
        (4, 9, "This bridge has 9 buildings after 12 turns. Were others replaced, or did the game end early?"),
    ],
)
def test_a_short_bridge_is_asked_about(players: int, buildings: int, message: str) -> None:
    [problem] = score(table(built(buildings), *[{}] * (players - 1)))["problems"]
    assert (problem["level"], problem["message"]) == ("warning", message)


@pytest.mark.parametrize("bridge", [{"bridge": []}, built(0)])
def test_nobody_ends_without_a_building(bridge: dict[str, Any]) -> None:
    result = score(table(bridge, {}))
    assert not result["ok"]
    assert ["at least" in problem["message"] for problem in result["problems"]] == [True]


# -- an early end: three stacks have run out, with four players from round 9 on ----------------------------------------


def test_an_early_end_is_stated_once_and_nobody_is_asked_again() -> None:
    players = [built(9), built(8, replaced=1), built(9), built(3, replaced=6)]
    assert found(table(*players, ended_early=True)) == []
    assert [level for level, _, _ in found(table(*players))] == ["warning"] * 4


TYPES = {"C": 3, "G": 3, "I": 3, "E": 0, "U": 0, "P": 0}


@pytest.mark.parametrize(
    ("players", "possible"),
    [
        ([built(9)] * 4, True),
        ([built(11)] * 4, True),
        ([built(9), built(9), built(9), built(12)], False),
        ([built(9)] * 3, False),
        ([built(9)] * 2, False),
        ([built(8, replaced=0), built(9), built(9), built(9)], False),  # eight rounds are too few
        ([built(9, replaced=1), built(9, replaced=0), built(9), built(9)], False),  # not the same number of turns
        ([built(9, replaced=1), built(10, replaced=0), built(9), built(9)], True),
        ([built(9, replaced=0), built(10), built(9), built(9)], False),
        ([{"summary": {"types": TYPES}}] * 4, True),  # in nine rounds just the three stacks
        ([{"summary": {"types": {**TYPES, "C": 2, "P": 1}}, "replaced": 0}] * 4, False),
        ([{"summary": {"types": {**TYPES, "C": 2, "P": 1}}, "replaced": 1}] * 4, True),
        ([{"summary": {"types": {**TYPES, "P": 1}}, "replaced": 0}] * 4, True),  # forty tiles, four of them gardens
        ([{"summary": {"types": dict.fromkeys("CGIEUP", 1)}}] * 4, False),  # with twelve of three types in all
    ],
)
def test_a_game_that_cannot_have_ended_early_is_told_so(players: list[dict[str, Any]], possible: bool) -> None:
    record = table(*players, ended_early=True)
    wrong = [("error", "early_end_impossible", "/table/ended_early")]
    assert [one for one in found(record) if one[0] == "error"] == ([] if possible else wrong)


def test_an_early_end_is_kept_in_the_record() -> None:
    record = table(*[built(9)] * 4, ended_early=True)
    assert GAME.dump(GAME.load(record))["table"]["ended_early"] is True
    record["table"]["ended_early"] = "yes"
    assert found(record) == [("error", "unreadable", "/table/ended_early")]


# -- nothing is demanded that is known ---------------------------------------------------------------------------------


def test_the_zero_cards_are_known_by_the_number_of_players() -> None:
    """Everybody gets them back in every round (rulebook, the inn; two each with two players)."""
    two = score(table({"cards": {"1": 1}}, {}, scoring={"inn": "hand_count"}))
    assert two["players"][0]["lines"][3]["why"].startswith("3 cards in hand, including cards of value 0")
    three = score(table({"cards": {"1": 1}}, {}, {}, scoring={"inn": "hand_count"}))
    assert three["players"][0]["lines"][3]["why"].startswith("2 cards in hand, including cards of value 0")
    assert found(table({"cards": {"0": 1}}, {})) == [("error", "zero_cards", "/players/0/cards/0")]


@pytest.mark.parametrize(("steps", "known"), [(0, True), (2, True), (3, False)])
def test_without_a_bonus_space_there_are_no_tiles(steps: int, known: bool) -> None:
    for face in ("base", "unused_tiles_squared"):
        record = table({"gate_steps": steps, "unused_tiles": "-"}, {}, scoring={"gate": face})
        assert score(record)["ok"] is known
    assert known or found(record) == [("error", "missing_field", "/players/0/unused_tiles")]


def test_the_chapel_order_follows_where_all_steps_differ() -> None:
    steps = [{"chapel_steps": 2}, {"chapel_steps": 9}, {"chapel_steps": 5}]
    result = score(table(*steps, chapel_order="-"))
    assert [player["tiebreaks"][0]["value"] for player in result["players"]] == [3, 1, 2]
    assert score(table(*steps, chapel_order=["Bob", "Cid", "Ann"])) == result


def chapels(*counts: int, coins: tuple[int, ...], steps: tuple[int, ...], order: Any = "-") -> Any:
    """A table where only the most chapels pay (£5 and £3 among three) beside the coins; all have 12 buildings."""
    faces = {"chapel": "most_chapels", "gate": "step_brackets", "inn": "card_combinations", "bridge": "sets_of_six"}
    record = table(
        *({"chapel_steps": each, "coins": kept} for each, kept in zip(steps, coins, strict=True)),
        chapel_order=order,
        scoring=faces,
    )
    for player, count in zip(record["players"], counts, strict=True):
        player["gate_steps"], player["cards"] = 0, {}
        player["summary"] = {"buildings": 12, "types": {"C": count, "P": 0}, "sets": 0}
    return record


def told(record: Any) -> Any:
    result = score(record)
    assert result["ok"], result["problems"]
    totals = [player["total"] for player in result["players"]]
    return totals, [player["rank"] for player in result["players"]], result["winners"], result["decided_by"]


ASKED = {"input": "chapel_order", "players": ["Ann", "Cid"], "where": ["/table/chapel_order"] * 2}


def test_prizes_that_hang_on_an_order_nobody_said_are_not_given_yet() -> None:
    """Ann and Cid share a space and the most chapels: one of them gets £5 and the other £3."""
    record = chapels(4, 1, 4, coins=(10, 10, 10), steps=(2, 5, 2))
    assert told(record) == ([13, 10, 13], [1, 3, 1], ["Ann", "Cid"], None)
    result = score(record)
    assert result["needs"] == [ASKED] and can_be_saved(result)
    [why] = [line["why"] for line in result["players"][0]["lines"] if line["rule"] == "chapel"]
    assert why == "£3 to £5. The order on the chapel track is not known yet"
    record["table"]["chapel_order"] = ["Bob", "Cid", "Ann"]
    assert told(record) == ([13, 10, 15], [2, 3, 1], ["Cid"], "points")


def test_who_can_win_in_no_order_does_not_share_the_victory() -> None:
    """Ann and Cid will have 15 and 13 points: Bob's 14 are more than either is sure of, and never the most."""
    record = chapels(4, 1, 4, coins=(10, 14, 10), steps=(2, 5, 2))
    assert told(record) == ([13, 14, 13], [1, 3, 1], ["Ann", "Cid"], None)


def test_who_wins_in_every_order_wins_and_the_rest_can_be_settled_later() -> None:
    record = chapels(4, 1, 4, coins=(10, 16, 10), steps=(2, 5, 2))
    assert told(record) == ([13, 16, 13], [2, 1, 2], ["Bob"], "points")
    assert can_be_saved(score(record)) and score(record)["needs"] == [ASKED]
    # With 15 points each Bob is ahead of Ann, and of Cid, by his steps.
    record = chapels(4, 1, 4, coins=(10, 15, 10), steps=(2, 5, 2))
    assert told(record) == ([13, 15, 13], [2, 1, 2], ["Bob"], "chapel_order")
    assert can_be_saved(score(record))


def test_an_order_that_decides_only_the_victory_is_asked_of_those_who_tie() -> None:
    record = chapels(4, 3, 2, coins=(10, 12, 15), steps=(2, 5, 2))
    # 15, 15 and 15: Bob is ahead of both whatever their order, so nobody has to be asked.
    assert told(record) == ([15, 15, 15], [2, 1, 2], ["Bob"], "chapel_order")
    assert score(record)["needs"] == []
    record = chapels(4, 3, 2, coins=(10, 10, 15), steps=(2, 5, 2))
    assert told(record) == ([15, 13, 15], [1, 3, 1], ["Ann", "Cid"], None)
    assert score(record)["needs"] == [ASKED]


def test_an_order_on_which_nothing_hangs_is_not_asked_for() -> None:
    record = chapels(4, 3, 2, coins=(10, 10, 10), steps=(0, 0, 0))
    assert told(record) == ([15, 13, 10], [1, 2, 3], ["Ann"], "points")
    assert score(record)["needs"] == [] and score(record)["problems"] == []


@pytest.mark.parametrize("steps", [(2, 5, 2), (0, 0, 0), (3, 3, 3), (0, 1, 1)])
def test_what_is_certain_is_what_all_orders_agree_on(steps: tuple[int, ...]) -> None:
    """Against every order said aloud, for all that few chapels and coins can be."""
    for counts in itertools.product((0, 2, 3), repeat=3):
        for coins in itertools.product((8, 10), repeat=3):
            results = []
            for order in itertools.permutations(NAMES[:3]):
                said = score(chapels(*counts, coins=coins, steps=steps, order=list(order)))
                if said["ok"]:
                    results.append(said)
            unsaid = score(chapels(*counts, coins=coins, steps=steps))
            for index, player in enumerate(unsaid["players"]):
                assert player["total"] == min(said["players"][index]["total"] for said in results)
            assert set(unsaid["winners"]) == {name for said in results for name in said["winners"]}
            assert can_be_saved(unsaid)


def test_names_in_the_order_may_be_spelled_in_another_way() -> None:
    record = chapels(4, 3, 2, coins=(10, 10, 10), steps=(2, 2, 2), order=[" bob", "CID", "ann"])
    assert score(record)["ok"]


MOVED, STAYED = {"chapel_steps": "-", "chapel_moved": True}, {"chapel_steps": "-", "chapel_moved": False}
UNSAID = {"chapel_steps": "-"}


@pytest.mark.parametrize(
    ("players", "paid"),
    [
        ([MOVED, MOVED, MOVED, MOVED], [5, 3, 1, 0]),
        ([MOVED, STAYED, STAYED, STAYED], [5, 0, 0, 0]),
        ([UNSAID, UNSAID, MOVED, STAYED], [5, 3, 1, 0]),  # who is ahead of a moved marker has moved
        ([MOVED, STAYED, UNSAID, UNSAID], [5, 0, 0, 0]),  # who is behind one on the stairs has not
        ([{"chapel_steps": 7}, UNSAID, {"chapel_steps": 3}, UNSAID], None),
        ([{"chapel_steps": 7}, UNSAID, {"chapel_steps": 3}, {"chapel_steps": 0}], [5, 3, 1, 0]),
        ([{"chapel_steps": 3}, MOVED, {"chapel_steps": 3}, MOVED], [5, 3, 1, 0]),
        ([UNSAID, {"chapel_steps": 0}, UNSAID, UNSAID], None),
    ],
)
def test_the_order_and_who_has_moved_say_all_of_the_chapel_track(
    players: list[dict[str, Any]], paid: list[int] | None
) -> None:
    result = score(table(*players))
    assert result["ok"] is (paid is not None)
    if paid:
        assert [player["lines"][1]["points"] for player in result["players"]] == paid
        assert all(player["lines"][1]["why"] for player in result["players"])
    else:
        assert {problem["code"] for problem in result["problems"]} == {"missing_field"}
        assert {problem["where"][-13:] for problem in result["problems"]} == {"/chapel_steps"}


def test_spaces_are_needed_where_distances_count() -> None:
    record = table(MOVED, {}, scoring={"chapel": "gap_from_last"})
    assert found(record) == [("error", "missing_field", "/players/0/chapel_steps")]


def test_the_order_must_agree_with_who_has_moved() -> None:
    assert found(table(STAYED, MOVED)) == [("error", "chapel_order_contradicts_steps", "/table/chapel_order/1")]
    assert found(table(STAYED, {"chapel_steps": 2})) == [
        ("error", "chapel_order_contradicts_steps", "/table/chapel_order/1"),
    ]
    both = {"chapel_steps": 0, "chapel_moved": True}
    assert found(table(both, {})) == [("error", "chapel_moved_contradicts_steps", "/players/0/chapel_moved")]
    assert found(table({**both, "chapel_steps": 2}, {})) == []
