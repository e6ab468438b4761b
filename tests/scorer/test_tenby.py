"""Tenby's points: ranges, colours, residents, accolades, ties, and a second scorer that tries everything."""

from __future__ import annotations

import gettext
from typing import Any

import pytest
from hypothesis import given, settings

from scorer.core import score
from scorer.games.tenby import GAME
from scorer.sentences import Sentence
from tests.scorer.tenby_tables import (
    NAMES,
    brute_totals,
    contest,
    each,
    flat,
    per,
    pier,
    player,
    record,
    tables,
    terrace,
)

Json = Any


def lines(result: Json, index: int = 0) -> list[tuple[str, int]]:
    assert result["ok"], result["problems"]
    return [(line["label"], line["points"]) for line in result["players"][index]["lines"]]


def why(result: Json, label: str) -> str:
    assert result["ok"], result["problems"]
    return next(str(line["why"]) for line in result["players"][0]["lines"] if line["label"] == label)


def clouds(*counts: int) -> list[Json]:
    return [terrace(features={"cloud": count}) for count in counts]


@pytest.mark.parametrize(
    ("range_", "direction", "points"),
    [
        ("white", "both", 3 + 2),
        ("grey", "both", 4 + 3 + 2 + 1),
        ("grey", "left", 4 + 3),
        ("grey", "right", 2 + 1),
        ("gold", "both", 1 + 4 + 3 + 4 + 2 + 1 + 3),
    ],
)
def test_arrows_never_see_their_own_card_and_a_gold_line_does(range_: str, direction: str, points: int) -> None:
    street = clouds(1, 4, 3, 4, 2, 1, 3)
    street[3]["score"] = per("cloud", 1, range_, direction=direction)
    assert lines(score(record(street))) == [("Clouds", points)]


@pytest.mark.parametrize(("deck", "edges"), [("landmark", ["sea", "pier"]), ("landmark", ["pier", "sea"])])
def test_a_gold_line_drawn_one_way_on_a_landmark_pier_end_sees_the_whole_street(deck: str, edges: list[str]) -> None:
    end = {**pier(*edges), "deck": deck, "features": {"bin": 1}}
    end["score"] = per("bin", 2, "gold", direction="right" if edges[0] == "sea" else "left")
    rest = [pier(features={"bin": 1}), pier(features={"bin": 2})]
    street = [end, *rest] if edges[0] == "sea" else [*rest, end]
    assert lines(score(record(street))) == [("Bins", 8)]


def test_nothing_leaves_the_street() -> None:
    counting = terrace(score=per("cloud", 1, "gold"))
    assert lines(score(record([counting], clouds(4)))) == [("Clouds", 0)]


def test_a_card_without_a_score_gets_no_line() -> None:
    assert lines(score(record([terrace()]))) == []


def test_every_white_building_counts_as_any_colour_for_every_card_anew() -> None:
    whites = {**terrace(), "deck": "landmark", "buildings": ["white", "white", "blue"]}
    street = [terrace(score=per("red")), whites, terrace(score=per("blue"))]
    assert lines(score(record(street))) == [("Red buildings", 2), ("Blue buildings", 3)]


@pytest.mark.parametrize(
    ("ruling", "range_", "points"),
    [("exclude", "gold", 1), ("include", "gold", 2), ("exclude", "white", 1), ("include", "white", 1)],
)
def test_the_own_building_of_a_card_for_different_colours(ruling: str, range_: str, points: int) -> None:
    own = terrace(buildings=["green"], score=per("unique_colours", 1, range_))
    street = [own, terrace(buildings=["yellow"]), terrace(buildings=["yellow"])]
    assert lines(score(record(street, gold_unique_own=ruling))) == [("Different colours", points)]


def test_a_neighbour_in_the_colour_of_the_own_building_still_counts() -> None:
    own = terrace(buildings=["green"], score=per("unique_colours", 3, "gold"))
    assert lines(score(record([own, terrace(buildings=["green"])]))) == [("Different colours", 3)]


def test_there_are_only_five_colours_however_many_buildings_are_white() -> None:
    whites = [terrace(buildings=["white"]) for _ in range(7)]
    street = [terrace(buildings=["red"], score=per("unique_colours", 1, "gold")), *whites]
    assert lines(score(record(street))) == [("Different colours", 5)]


def test_icons_follow_from_the_card_and_can_be_overridden() -> None:
    street = [
        terrace(score=per("town", 1, "gold")),
        terrace(subtype="home", icons={"home": 2}, score=per("home", 1, "gold")),
        {**terrace(), "deck": "landmark", "icons": {"town": 0}, "score": per("landmark", 1, "gold")},
        terrace(right="pier", score=per("terrace", 1, "gold")),
        pier(score=per("pier", 1, "gold")),
    ]
    expected = [("Town cards", 4), ("Homes", 2), ("Landmarks", 1), ("Terraces", 4), ("Piers", 1)]
    assert lines(score(record(street))) == expected


def test_targets_of_a_list_are_counted_together() -> None:
    street = [terrace(score=per(["bench", "bin"], 2)), terrace(features={"bench": 2, "bin": 1})]
    assert lines(score(record(street))) == [("Benches and bins", 6)]


def test_a_building_is_counted_once_though_two_colours_are_asked_for_together() -> None:
    street = [terrace(score=per(["red", "blue"])), terrace(buildings=["white"])]
    assert lines(score(record(street))) == [("Red buildings and blue buildings", 1)]


def test_reasons_name_the_cards_that_were_seen() -> None:
    street = [
        pier(score=per("seagull", 1, "grey")),
        pier(features={"seagull": 1}),
        {**pier(), "deck": "landmark", "name": "Lifeboat", "features": {"seagull": 2}},
    ]
    reason = why(score(record(street)), "Seagulls")
    assert reason == "3 within two cards. 1 on card 1.2, 2 on card 1.3"


def test_reasons_name_the_white_buildings_that_count_as_colours() -> None:
    street = [terrace(buildings=["blue"], score=per("unique_colours", 2)), terrace(buildings=["yellow", "white"])]
    assert why(score(record(street)), "Different colours").endswith("yellow, white. 2 × 2")


def test_reasons_say_that_nothing_lies_to_one_side() -> None:
    street = [*clouds(4), terrace(score=per("cloud", 1, "grey", direction="right"))]
    assert why(score(record(street)), "Clouds") == "No card lies to the right"


TIERS = [
    {"at_least": 6, "incomplete": 3, "complete": 6},
    {"at_least": 8, "incomplete": 6, "complete": 10},
    {"at_least": 10, "incomplete": 9, "complete": 15},
]


def shutters(total: int, completed: bool) -> list[Json]:
    """A street with so many shutters."""
    counts = [3] * (total // 3) + [total % 3]
    edges = ["sea" if completed else "terrace", *["terrace"] * (len(counts) - 1), "sea" if completed else "terrace"]
    return [terrace(edges[i], edges[i + 1], features={"shutters": count}) for i, count in enumerate(counts)]


@pytest.mark.parametrize(
    ("streets", "points"),
    [
        ([(5, True)], 0),
        ([(6, False)], 3),
        ([(7, True)], 6),
        ([(9, True)], 10),
        ([(16, True)], 15),
        ([(10, False), (7, True)], 9),
        ([(6, False), (6, True)], 6),
        ([], 0),
    ],
)
def test_a_single_resident_takes_its_best_street(streets: list[tuple[int, bool]], points: int) -> None:
    carpenter = {"name": "Carpenter", "type": "single", "target": "shutters", "tiers": TIERS}
    table = record(*(shutters(*street) for street in streets), residents=(carpenter,))
    assert lines(score(table)) == [("Carpenter", points)]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_tiers_may_be_entered_in_any_order(order: tuple[int, ...]) -> None:
    carpenter = {"name": "Carpenter", "type": "single", "target": "shutters", "tiers": [TIERS[at] for at in order]}
    result = score(record(shutters(9, True), residents=(carpenter,)))
    assert lines(result) == [("Carpenter", 10)]
    nothing = score(record(shutters(5, True), residents=(carpenter,)))
    assert "Pairs of shutters: needs at least 6 in one street" in why(nothing, "Carpenter")


def test_a_resident_may_pay_less_for_a_completed_street() -> None:
    """Residents score "more or less points" for one (rulebook, Resident Cards); the better street is taken."""
    hermit = {"name": "Hermit", "type": "single", "target": "shutters", "tiers": [TIERS[0] | {"complete": 1}]}
    result = score(record(shutters(6, True), shutters(6, False), residents=(hermit,)))
    assert lines(result) == [("Hermit", 3)]


@pytest.mark.parametrize("target", ["completed_street", "completed_streets"])
def test_each_completed_street_is_one_instance_for_residents_and_gold_lines(target: str) -> None:
    """Rulebook, Icon: Completed Street; a range ends with its own street."""
    mayor = each(target, 1, 0, 4, name="Mayor")
    streets = [shutters(6, True), shutters(6, False), shutters(3, True)]
    for street in streets:
        street[0]["score"] = per(target, 3, "gold")
    result = score(record(*streets, residents=(mayor,)))
    assert lines(result) == [
        ("Completed streets", 3),
        ("Completed streets", 0),
        ("Completed streets", 3),
        ("Mayor", 8),
    ]
    assert why(result, "Completed streets") == "Its street is completed. 1 × 3"


def test_completed_streets_are_counted_together_with_other_things() -> None:
    street = [
        terrace("sea", features={"bin": 1}, score=per(["bin", "completed_street"], 2, "gold")),
        terrace(right="sea"),
    ]
    result = score(record(street))
    assert lines(result) == [("Bins and completed streets", 4)]
    assert "1 on card 1.1, the completed street" in why(result, "Bins and completed streets")


def test_arrows_see_no_whole_street() -> None:
    street = [terrace("sea", score=per("completed_street", 3)), terrace(right="sea")]
    assert lines(score(record(street))) == [("Completed streets", 0)]


def test_a_resident_that_asks_for_nothing_of_ours_pays_what_was_typed_and_breaks_ties() -> None:
    master = {"name": "Harbour master", "type": "typed", "points": 0}
    table = {"game": "tenby", "table": {}, "players": [player("Ann", [terrace()]), player("Bob", residents=(master,))]}
    result = score(table)
    assert lines(result, 1) == [("Harbour master", 0)]
    assert (result["winners"], result["decided_by"]) == (["Bob"], "resident_cards")


def test_two_residents_may_use_the_same_street() -> None:
    carpenter = {"name": "Carpenter", "type": "single", "target": "shutters", "tiers": TIERS}
    table = record(shutters(6, True), residents=(carpenter, carpenter))
    assert lines(score(table)) == [("Carpenter", 6), ("Carpenter", 6)]


def test_completed_streets_are_counted_by_a_resident_for_every_town_card() -> None:
    mayor = each("town", 1, 0, 4, name="Mayor")
    table = record(shutters(6, True), shutters(6, False), shutters(3, True), residents=(mayor,))
    assert lines(score(table)) == [("Mayor", 8)]


def test_a_resident_for_different_colours_leaves_nothing_out() -> None:
    painter = each("unique_colours", 3, 1, 2, name="Painter")
    own = terrace(buildings=["green"], score=per("unique_colours", 1, "gold"))
    table = record([own, terrace(buildings=["white"]), terrace(buildings=["red"])], residents=(painter,))
    assert lines(score(table)) == [("Different colours", 2), ("Painter", 1)]


class Backwards(gettext.NullTranslations):
    """A language whose words are English ones from the end."""

    def gettext(self, message: str) -> str:
        return " ".join(reversed(message.split(" ")))


@pytest.mark.parametrize(
    ("name", "elsewhere"),
    [
        ("Resident 3", "3 Resident"),
        ("Resident 03", "Resident 03"),
        ("Most flower boxes", "boxes flower Most"),
        ("Resident doctor", "Resident doctor"),
        ("Carpenter of {town}", "Carpenter of {town}"),
    ],
)
def test_names_of_ours_are_told_in_any_language_and_those_people_chose_as_they_are(name: str, elsewhere: str) -> None:
    result = score(record([terrace()], residents=(each("bin", name=name),)))
    [line] = result["players"][0]["lines"]
    assert line["label"] == name
    assert isinstance(line["label"], Sentence)
    assert line["label"].into(Backwards()) == elsewhere


def benches(*amounts: int) -> list[Json]:
    """Players with so many benches each."""
    return [
        player(name, *([terrace(features={"bench": 1})] for _ in range(amount)))
        for name, amount in zip(NAMES, amounts, strict=False)
    ]


def totals(result: Json) -> list[int]:
    assert result["ok"], result["problems"]
    return [each_player["total"] for each_player in result["players"]]


@pytest.mark.parametrize(
    ("amounts", "points"),
    [
        ([1, 2, 0], [0, 10, 0]),
        ([2, 2, 0], [5, 5, 0]),
        ([2, 2, 2], [3, 3, 3]),
        ([1, 1, 1, 1], [2, 2, 2, 2]),
        ([1, 1, 1, 1, 1], [2, 2, 2, 2, 2]),
        ([0, 0, 0], [3, 3, 3]),
    ],
)
def test_an_accolade_is_split_and_the_rest_is_lost(amounts: list[int], points: list[int]) -> None:
    goal = {"name": "Rest", "target": "bench"}
    assert totals(score(contest("open_sea", [goal], *benches(*amounts)))) == points


def test_nobody_gets_an_accolade_for_nothing_if_the_table_says_so() -> None:
    goal = {"name": "Rest", "target": "bench"}
    assert totals(score(contest("open_sea", [goal], *benches(0, 0), zero_accolade="nobody"))) == [0, 0]


@pytest.mark.parametrize(
    ("amounts", "revealed", "rulings", "points"),
    [
        ([2, 1], True, {}, [15, 0]),
        ([1, 2], True, {}, [0, 15]),
        ([2, 2], True, {}, [7, 7]),
        ([2, 1], False, {}, [5, 0]),
        ([1, 2], False, {}, [0, 0]),
        ([2, 2], False, {}, [5, 0]),
        ([2, 2], False, {"secret_tie": "share"}, [2, 0]),
        ([0, 0], False, {}, [5, 0]),
        ([0, 0], False, {"zero_accolade": "nobody"}, [0, 0]),
    ],
)
def test_ebb_and_flow(amounts: list[int], revealed: bool, rulings: dict[str, str], points: list[int]) -> None:
    cards = [
        {"name": "Rest", "target": "bench", "holder": "Ann", "revealed": revealed},
        {"name": "Litter", "holder": "Bob", "revealed": False, "amounts": {"Ann": 1, "Bob": 0}},
    ]
    assert totals(score(contest("ebb_flow", cards, *benches(*amounts), **rulings))) == points


def test_only_its_holder_gets_a_line_for_a_secret_accolade() -> None:
    cards = [{"name": name, "target": "bench", "holder": name, "revealed": False} for name in ("Ann", "Bob")]
    result = score(contest("ebb_flow", cards, *benches(1, 1)))
    assert [lines(result, 0), lines(result, 1)] == [[("Ann", 5)], [("Bob", 5)]]


def test_a_high_tide_card_pays_once_a_counter_lies_on_it() -> None:
    cards = [{"name": f"{i}", "target": "bench", "active": i == 1} for i in range(3)]
    result = score(contest("high_tide", cards, *benches(1, 0)))
    assert lines(result) == [("0", 0), ("1", 10), ("2", 0)]
    assert "counter" in why(result, "0")


def test_the_open_sea_and_ebb_and_flow_together() -> None:
    """Game options can be combined (rulebook, Game Options): a card's own mode goes before the table's."""
    cards = [
        {"name": "Rest", "target": "bench", "holder": "Ann", "revealed": True},
        {"name": "Sit", "target": "bench", "holder": "Bob", "revealed": False},
        {"name": "Stay", "target": "bench", "mode": "open_sea"},
    ]
    result = score(contest("ebb_flow", cards, *benches(1, 2)))
    assert lines(result, 0) == [("Rest", 0), ("Stay", 0)]
    assert lines(result, 1) == [("Rest", 15), ("Sit", 5), ("Stay", 10)]
    cites = [line["cite"] for line in result["players"][1]["lines"]]
    assert cites == [f"rulebook, Accolades: {name}" for name in ("Ebb & Flow", "Ebb & Flow", "The Open Sea")]


@pytest.mark.parametrize(
    ("mode", "fact", "question", "winners"),
    [
        ("ebb_flow", "revealed", "Was Rest revealed?", ["Ann"]),  # 5 or 15 points, and nothing for Bob
        ("high_tide", "active", "Is there a counter on Rest?", []),
    ],
)
def test_what_an_accolade_pays_is_asked_for_and_not_assumed(
    mode: str, fact: str, question: str, winners: list[str]
) -> None:
    told = {"holder": "Ann"} if mode == "ebb_flow" else {}
    others = [{"name": "Bins", "target": "bin", "holder": "Bob", "revealed": True}]
    if mode == "high_tide":
        others = [{"name": name, "target": "bin", "active": False} for name in ("Bins", "More bins")]
    rest: Json = {"name": "Rest", "target": "bench", **told}
    table = contest(mode, [rest, *others], *benches(2, 1), zero_accolade="nobody")
    result = score(table)
    where = [f"/table/accolades/cards/0/{fact}"]
    assert result["needs"] == [{"input": fact, "players": ["Ann"], "where": where, "label": question}]
    assert (result["winners"], result["decided_by"]) == (winners, "points" if winners else None)
    assert why(result, "Rest").startswith("Not known yet whether ")
    rest[fact] = True
    assert totals(score(table)) == [15 if mode == "ebb_flow" else 10, 0]
    rest[fact] = False
    assert totals(score(table)) == [5 if mode == "ebb_flow" else 0, 0]


def quick(name: str, *cards: Json, **more: Json) -> Json:
    return {"name": name, "cards": list(cards), **more}


def test_scoring_cards_alone_are_scored_line_by_line() -> None:
    """Most conditions have a feature and a number of points for each that is in range (rulebook, Scoring Condition)."""
    cards = [
        {"type": "per", "points": 2, "seen": 3},
        {"type": "per", "points": 3, "seen": 0, "name": "Pub"},
        {"type": "flat", "points": 4},
    ]
    residents = [{"name": "Carpenter", "points": 6}]
    result = score({"game": "tenby", "table": {}, "players": [quick("Ann", *cards, residents=residents)]})
    [ann] = result["players"]
    assert [(line["label"], line["points"], line["why"]) for line in ann["lines"][:3]] == [
        ("Scoring cards", 6, "3 seen, 2 each"),
        ("Scoring cards", 0, "“Pub”. 0 seen, 3 each"),
        ("Printed points", 4, "4 printed"),
    ]
    assert (ann["total"], ann["lines"][3]["label"]) == (16, "Carpenter")


def test_a_quick_player_is_asked_for_completed_streets_only_in_a_tie() -> None:
    bob = quick("Bob", {"type": "flat", "points": 9}, residents=[{"name": "Carpenter", "points": 0}])
    table = {"game": "tenby", "table": {}, "players": [points("Ann", 9, 1, 0), bob]}
    assert score(table)["needs"] == [
        {"input": "completed_streets", "players": ["Bob"], "where": ["/players/1/completed_streets"]}
    ]
    bob["completed_streets"] = 1
    result = score(table)
    assert (result["winners"], result["decided_by"]) == (["Bob"], "resident_cards")
    assert GAME.dump(GAME.load(table))["players"][1] == bob | {"residents": [{"type": "typed"} | bob["residents"][0]]}


def test_a_quick_player_is_asked_for_amounts_as_nobody_can_count_hers() -> None:
    goals = [{"name": "Rest", "target": "bench"}, {"name": "Seafront", "target": "completed_street"}]
    table = contest("open_sea", goals, *benches(1), quick("Dee", completed_streets=1))
    assert [need["label"] for need in score(table)["needs"]] == ["Rest: how many? (Benches)"]


@pytest.mark.parametrize("target", [{}, {"target": None}, {"target": "longest street"}])
def test_a_goal_that_no_count_can_answer_takes_typed_amounts(target: Json) -> None:
    goal = {"name": "Longest street", "amounts": {"Ann": 4, "Bob": 6}, **target}
    assert totals(score(contest("open_sea", [goal], *benches(0, 0)))) == [0, 10]


def test_missing_amounts_are_asked_for_where_they_belong() -> None:
    goal = {"name": "Longest street", "amounts": {"Ann": 4}}
    typed = {"name": "a/b~c", "typed": {"card": 30}}
    result = score(contest("open_sea", [goal], *benches(0), typed))
    where = ["/table/accolades/cards/0/amounts/a~1b~0c"]
    question = {"input": "amounts", "label": "Longest street: how many?", "players": ["a/b~c"], "where": where}
    assert result["needs"] == [question]
    assert result["winners"] == ["a/b~c"] and result["players"][0]["range"] == [0, 10]  # the accolade pays 10
    assert lines(result) == [("Longest street", 0)]
    assert lines(result, 1) == [("Town cards", 30), ("Longest street", 0)]


def test_every_accolade_has_its_own_question() -> None:
    cards = [{"name": "Rest", "target": "bench"}, {"name": "Birds", "target": "seagull"}]
    result = score(contest("open_sea", cards, *benches(1), {"name": "Dee", "typed": {"card": 1}}))
    assert [(need["label"], need["players"]) for need in result["needs"]] == [
        ("Rest: how many? (Benches)", ["Dee"]),
        ("Birds: how many? (Seagulls)", ["Dee"]),
    ]


def test_a_secret_accolade_asks_nobody_once_somebody_is_ahead() -> None:
    cards = [
        {"name": "Rest", "target": "bench", "holder": "Ann", "revealed": False},
        {"name": "Sit", "target": "bench", "holder": "Bob", "revealed": False, "amounts": {"Dee": 0}},
        {"name": "Stay", "target": "bench", "holder": "Dee", "revealed": False, "amounts": {"Dee": 0}},
    ]
    table = contest("ebb_flow", cards, *benches(1, 2), {"name": "Dee", "typed": {"card": 1}})
    result = score(table)
    assert result["needs"] == []
    assert totals(result) == [0, 5, 1]


def test_a_player_who_typed_her_accolades_is_paid_what_she_typed() -> None:
    goal = {"name": "Rest", "target": "bench", "amounts": {"Dee": 2}}
    result = score(contest("open_sea", [goal], *benches(2), {"name": "Dee", "typed": {"accolade": 5}}))
    assert [lines(result, 0), lines(result, 1)] == [[("Rest", 5)], [("Accolades", 5)]]


def test_nobody_is_asked_for_amounts_if_all_accolades_are_typed() -> None:
    goal = {"name": "Rest", "target": "bench"}
    typed = [{"name": name, "typed": {"card": 3, "accolade": points}} for name, points in (("Ann", 10), ("Bob", 0))]
    result = score(contest("open_sea", [goal], *typed))
    assert (result["needs"], result["winners"]) == ([], ["Ann"])


def test_completed_streets_told_for_the_tie_break_serve_an_accolade_too() -> None:
    goal = {"name": "Seafront", "target": "completed_streets"}
    typed = {"name": "Dee", "typed": {"card": 3}, "completed_streets": 2}
    result = score(contest("open_sea", [goal], player("Ann", shutters(3, True)), typed))
    assert (result["needs"], totals(result)) == ([], [0, 13])


def test_a_typed_amount_counts_and_a_town_that_shows_another_is_remarked_on() -> None:
    goal = {"name": "Rest", "target": "bench", "amounts": {"Ann": 3}}
    result = score(contest("open_sea", [goal], *benches(1, 2)))
    assert totals(result) == [10, 0]
    assert [(p["code"], p["level"]) for p in result["problems"]] == [("amount_differs", "warning")]


def points(name: str, amount: int, completed: int, residents: int) -> Json:
    """A town worth so many points, with so many completed streets and residents that pay nothing."""
    done = [[terrace("sea", "terrace"), terrace("terrace", "sea")] for _ in range(completed)]
    held = tuple(each("porch", 9) for _ in range(residents))
    return player(name, [terrace(score=flat(amount))], *done, residents=held)


@pytest.mark.parametrize(
    ("towns", "winners", "decided_by"),
    [
        ([(9, 0, 0), (8, 5, 5)], ["Ann"], "points"),
        ([(9, 1, 0), (9, 2, 0)], ["Bob"], "completed_streets"),
        ([(9, 1, 3), (9, 1, 2)], ["Ann"], "resident_cards"),
        ([(9, 1, 2), (9, 1, 2)], ["Ann", "Bob"], "shared"),
        ([(9, 1, 2), (9, 1, 2), (9, 0, 9)], ["Ann", "Bob"], "shared"),
        ([(9, 1, 1), (9, 1, 2), (9, 2, 0)], ["Cid"], "completed_streets"),
    ],
)
def test_ties_go_to_completed_streets_then_residents(
    towns: list[tuple[int, int, int]], winners: list[str], decided_by: str
) -> None:
    players = [points(name, *town) for name, town in zip(NAMES, towns, strict=False)]
    result = score({"game": "tenby", "table": {}, "players": players})
    assert (result["winners"], result["decided_by"]) == (winners, decided_by)


def test_a_typed_player_is_asked_for_tie_breaks_only_in_a_tie() -> None:
    bob: Json = {"name": "Bob", "typed": {"card": 9}}
    table = {"game": "tenby", "table": {}, "players": [points("Ann", 9, 1, 0), bob]}
    assert score(table)["needs"] == [
        {"input": "completed_streets", "players": ["Bob"], "where": ["/players/1/completed_streets"]}
    ]
    bob["typed"]["card"] = 8
    assert score(table)["needs"] == []


def test_an_empty_town_scores_nothing_and_is_allowed() -> None:
    assert totals(score(record())) == [0]


@given(tables())
@settings(max_examples=120)
def test_a_second_scorer_that_tries_everything_agrees(table: Json) -> None:
    result = score(table)
    assert result["ok"], result["problems"]
    assert totals(result) == brute_totals(table)


@given(tables())
@settings(max_examples=60)
def test_a_table_is_the_same_after_writing_and_reading_it(table: Json) -> None:
    state = GAME.load(table)
    assert GAME.load(GAME.dump(state)) == state
    assert score(GAME.dump(state)) == score(table)


@given(tables())
@settings(max_examples=60)
def test_a_town_seen_in_a_mirror_scores_the_same(table: Json) -> None:
    total = totals(score(table))
    turned = {"left": "right", "right": "left", "both": "both"}
    for each_player in table["players"]:
        for street in each_player["streets"]:
            street.reverse()
            for card in street:
                card["edges"].reverse()
                if "direction" in card.get("score", {}):
                    card["score"]["direction"] = turned[card["score"]["direction"]]
    assert totals(score(table)) == total
