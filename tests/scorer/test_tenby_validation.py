"""Tenby's faults: each by its code and place, all at once, and none where the rules are kept."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.contract import StateError
from scorer.core import score
from scorer.games.tenby import GAME
from scorer.games.tenby.validate import wrong_number
from tests.scorer.tenby_tables import contest, each, flat, per, pier, player, record, tables, terrace

Json = Any
LANDMARK = {"deck": "landmark", "base": "terrace", "edges": ["terrace", "terrace"]}
PLAIN = {"deck": "plain_end", "score": flat(2)}


def faults(table: Json, level: str = "error") -> list[tuple[str, str]]:
    return [(p["code"], p["where"]) for p in score(table)["problems"] if p["level"] == level]


STREETS = {
    "terrace beside pier": ([terrace(), pier()], [("edge_mismatch", "/1/edges/0")]),
    "sea beside sea": ([terrace("terrace", "sea"), terrace("sea")], [("sea_inside_street", "/0/edges/1")]),
    "the sea on both sides": ([pier("sea", "sea")], [("bad_edge_pair", "/0/edges")]),
    "the sea on both sides of a terrace": ([terrace("sea", "sea")], [("bad_edge_pair", "/0/edges")]),
    "an edge nobody knows": ([terrace("beach")], [("bad_edge_pair", "/0/edges")]),
    "one edge": ([{**terrace(), "edges": ["sea"]}], [("bad_edge_pair", "/0/edges")]),
    "a number as an edge": ([{**terrace(), "edges": ["sea", 4]}], [("bad_edge_pair", "/0/edges")]),
    "a pier with a terrace edge": ([pier("pier", "terrace")], [("base_edges_disagree", "/0/base")]),
    "a terrace without one": ([terrace("pier", "sea")], [("base_edges_disagree", "/0/base")]),
    "two landmarks": ([LANDMARK, terrace(), LANDMARK], [("two_landmarks", "/2/deck")]),
    "three landmarks": ([LANDMARK] * 3, [("two_landmarks", "/1/deck"), ("two_landmarks", "/2/deck")]),
    "no card": ([], [("empty_street", "")]),
    "three benches": ([terrace(features={"bench": 3})], [("feature_over_max", "/0/features/bench")]),
    "a life ring": ([terrace(features={"life_ring": 1})], [("unknown_feature", "/0/features/life_ring")]),
    "a feature with a slash": ([terrace(features={"a/b": 1})], [("unknown_feature", "/0/features/a~1b")]),
    "fewer than no bins": ([terrace(features={"bin": -1})], [("bad_number", "/0/features/bin")]),
    "half a bin": ([terrace(features={"bin": 0.5})], [("bad_number", "/0/features/bin")]),
    "a true bin": ([terrace(features={"bin": True})], [("bad_number", "/0/features/bin")]),
    "an endless sky": ([terrace(features={"cloud": 10**5000})], [("feature_over_max", "/0/features/cloud")]),
    "an orange house": ([terrace(buildings=["red", "orange"])], [("unknown_colour", "/0/buildings/1")]),
    "a house of no colour": ([terrace(buildings=[None])], [("unknown_colour", "/0/buildings/0")]),
    "counting white": ([terrace(score=per("white"))], [("unknown_target", "/0/score/target")]),
    "counting sunsets": ([terrace(score=per("sunset"))], [("unknown_target", "/0/score/target")]),
    "counting nothing": ([terrace(score=per([]))], [("unknown_target", "/0/score/target")]),
    "a one-way white arrow": ([terrace(score=per("bin", direction="left"))], [("bad_range", "/0/score/direction")]),
    "a one-way gold line": (
        [terrace(score=per("bin", 1, "gold", direction="left"))],
        [("bad_range", "/0/score/direction")],
    ),
    "a one-way gold line on a common pier end": (
        [pier("sea", "pier", score=per("bin", 1, "gold", direction="right"))],
        [("bad_range", "/0/score/direction")],
    ),
    "a one-way gold line on a landmark amid the pier": (
        [pier(score=per("bin", 1, "gold", direction="right")) | {"deck": "landmark"}],
        [("bad_range", "/0/score/direction")],
    ),
    "a silver arrow": ([terrace(score=per("bin", 1, "silver"))], [("bad_range", "/0/score/range")]),
    "an arrow upwards": ([terrace(score=per("bin", 1, "grey", direction="up"))], [("bad_range", "/0/score/direction")]),
    "a numbered range": ([terrace(score=per("bin", 1) | {"range": 2})], [("bad_range", "/0/score/range")]),
    "colours without a building": (
        [terrace(score=per("unique_colours"))],
        [("unique_needs_building", "/0/buildings")],
    ),
    "a negative number": ([terrace(score=flat(-1))], [("bad_number", "/0/score/points")]),
    "an end of three points": (
        [PLAIN | terrace("pier") | {"deck": "plain_end", "buildings": ["white"], "score": flat(3)}],
        [("plain_end_wrong", "/0/score")],
    ),
    "a red end": (
        [terrace("pier", buildings=["red"], score=flat(2)) | {"deck": "plain_end"}],
        [("plain_end_wrong", "/0/buildings")],
    ),
    "a counting end": (
        [pier("sea", score=per("bin")) | {"deck": "plain_end"}],
        [("plain_end_wrong", "/0/score")],
    ),
    "an end without a score": ([pier("sea") | {"deck": "plain_end"}], [("plain_end_wrong", "/0/score")]),
    "a card without edges": ([{"deck": "pier", "base": "pier"}], [("missing_field", "/0/edges")]),
    "a card from nowhere": ([{**pier(), "deck": "market"}], [("unknown_option", "/0/deck")]),
    "a card with a price": ([pier(price=3)], [("unknown_field", "/0/price")]),
    "an icon nobody knows": ([pier(icons={"start": 1})], [("unknown_field", "/0/icons/start")]),
    "a printed number with a range": (
        [pier(score={**flat(2), "range": "gold"})],
        [("unknown_field", "/0/score/range")],
    ),
}


@pytest.mark.parametrize("title", STREETS)
def test_a_street_with(title: str) -> None:
    street, expected = STREETS[title]
    where = "/players/0/streets/0"
    assert faults(record(street)) == [(code, where + place) for code, place in expected]


@pytest.mark.parametrize(
    "street",
    [
        [terrace(score=per("bin", 1, "grey", direction="left"))],
        [pier("sea", "pier", score=per("bin", 1, "gold", direction="right")) | {"deck": "landmark"}],
        [pier("pier", "sea", score=per("bin", 1, "gold", direction="left")) | {"deck": "landmark"}],
        [pier("sea", score=flat(2)) | {"deck": "plain_end"}],
        [terrace("terrace", "pier", buildings=["white"], score=flat(2)) | {"deck": "plain_end"}],
        [terrace("sea"), terrace("terrace", "pier"), pier(), pier("pier", "terrace", base="terrace"), terrace()],
        [{**LANDMARK, "buildings": ["red", "white", "white"]}],
        [terrace(features={"binoculars": 1, "cloud": 4, "seagull": 3, "bench": 2, "bin": 0})],
        [terrace(subtype="none", buildings=[])],
    ],
)
def test_streets_the_rules_allow(street: list[Json]) -> None:
    assert faults(record(street)) == []


def single(*tiers: tuple[int, int, int], **more: Json) -> Json:
    rows = [{"at_least": a, "incomplete": i, "complete": c} for a, i, c in tiers]
    return {"name": "R", "type": "single", "target": "bin", "tiers": rows, **more}


RESIDENTS = {
    "equal rows": (each("bin", 1, 3, 3), []),
    "nothing for incomplete streets": (single((2, 0, 3), (4, 0, 6)), []),
    "less for completed streets": (each("bin", 3, 5, 2), []),
    "tiers that ask for no more": (single((4, 1, 2), (4, 2, 3)), [("resident_tiers", "/tiers/1/at_least")]),
    "tiers that pay less": (single((4, 1, 5), (6, 1, 4)), [("resident_tiers", "/tiers/1/complete")]),
    "tiers in another order": (single((6, 2, 6), (4, 1, 5), (8, 3, 7)), []),
    "tiers in another order that pay less": (single((6, 1, 4), (4, 1, 5)), [("resident_tiers", "/tiers/0/complete")]),
    "typed points": ({"name": "Harbour master", "type": "typed", "points": 6}, []),
    "typed points and no type": ({"name": "Harbour master", "points": 6}, []),
    "typed points that are missing": ({"name": "Harbour master", "type": "typed"}, [("missing_field", "/points")]),
    "typed points and a target": (
        {"name": "Harbour master", "type": "typed", "points": 6, "target": "bin"},
        [("unknown_field", "/target")],
    ),
    "no tiers": (single(), [("resident_tiers", "/tiers")]),
    "no threshold": (each("bin", 0), [("bad_number", "/at_least")]),
    "an unknown target": (each("gold"), [("unknown_target", "/target")]),
    "a white target": (each("white"), [("unknown_target", "/target")]),
    "a third type": (each("bin") | {"type": "some"}, [("unknown_option", "/type")]),
    "no name": (each("bin", name="  "), [("missing_field", "/name")]),
}


@pytest.mark.parametrize("title", RESIDENTS)
def test_a_resident_with(title: str) -> None:
    resident, expected = RESIDENTS[title]
    where = "/players/0/residents/0"
    found = faults(record([terrace()], residents=(resident,)))
    assert found == [(code, where + place) for code, place in expected]


def held(name: str, holder: str | None, **more: Json) -> Json:
    return {"name": name, "target": "bin", "revealed": False, **({"holder": holder} if holder else {}), **more}


def goals(number: int) -> list[Json]:
    return [{"name": f"Goal {index}", "target": "bin"} for index in range(number)]


CARDS = "/table/accolades/cards"
ACCOLADES = {
    "four in the open sea": ("open_sea", goals(4), [("accolade_count", CARDS)]),
    "none in the open sea": ("open_sea", [], [("accolade_count", CARDS)]),
    "three in the open sea": ("open_sea", goals(3), []),
    "two at high tide": ("high_tide", goals(2), [("accolade_count", CARDS)]),
    "one more than players at high tide": ("high_tide", goals(3), []),
    "one holder": ("ebb_flow", [held("a", "Ann")], [("accolade_count", CARDS), ("accolade_holder", CARDS)]),
    "three dealt to two": (
        "ebb_flow",
        [held("a", "Ann"), held("b", "Bob"), held("c", "Ann")],
        [("accolade_count", CARDS)],
    ),
    "two for one player": (
        "ebb_flow",
        [held("a", "Ann"), held("b", "Ann")],
        [("accolade_holder", f"{CARDS}/1/holder")],
    ),
    "a holder who does not play": (
        "ebb_flow",
        [held("a", "Ann"), held("b", "Zoe")],
        [("accolade_holder", f"{CARDS}/1/holder")],
    ),
    "no holder": ("ebb_flow", [held("a", None), held("b", "Bob")], [("accolade_holder", f"{CARDS}/0/holder")]),
    "one card twice": (
        "ebb_flow",
        [held("Manager", "Ann"), held(" manager", "Bob")],
        [("accolade_duplicate", f"{CARDS}/1/name")],
    ),
    "an unknown target": ("open_sea", [{"name": "a", "target": "gold"}], [("unknown_target", f"{CARDS}/0/target")]),
    "completed streets": ("open_sea", [{"name": "a", "target": "completed_streets"}], []),
    "an amount for a stranger": (
        "open_sea",
        [{"name": "a", "target": "bin", "amounts": {"Zoe": 1}}],
        [("unknown_field", f"{CARDS}/0/amounts/Zoe")],
    ),
    "an amount below nothing": (
        "open_sea",
        [{"name": "a", "amounts": {"Ann": -1, "Bob": 1}}],
        [("bad_number", f"{CARDS}/0/amounts/Ann")],
    ),
    "the open sea together with ebb and flow": (
        "ebb_flow",
        [held("a", "Ann"), held("b", "Bob"), {"name": "c", "target": "bin", "mode": "open_sea"}],
        [],
    ),
    "ebb and flow together with the open sea": (
        "open_sea",
        [{"name": "c", "target": "bin"}, held("a", "Ann", mode="ebb_flow"), held("b", "Bob", mode="ebb_flow")],
        [],
    ),
    "ebb and flow for one of two beside the open sea": (
        "open_sea",
        [{"name": "c", "target": "bin"}, held("a", "Ann", mode="ebb_flow")],
        [("accolade_count", CARDS), ("accolade_holder", CARDS)],
    ),
    "four in the open sea beside ebb and flow": (
        "ebb_flow",
        [held("a", "Ann"), held("b", "Bob"), *({**goal, "mode": "open_sea"} for goal in goals(4))],
        [("accolade_count", CARDS)],
    ),
    "a card played in a way nobody knows": (
        "open_sea",
        [{"name": "c", "target": "bin", "mode": "low_tide"}],
        [("unknown_option", f"{CARDS}/0/mode")],
    ),
    "an unknown mode": ("low_tide", goals(1), [("unknown_option", "/table/accolades/mode")]),
}


@pytest.mark.parametrize("title", ACCOLADES)
def test_accolades_with(title: str) -> None:
    mode, cards, expected = ACCOLADES[title]
    assert faults(contest(mode, cards, player("Ann", [terrace()]), player("Bob"))) == expected


def test_an_unknown_ruling_is_refused() -> None:
    assert faults(record([terrace()], secret_tie="double")) == [("unknown_option", "/table/rulings/secret_tie")]


def test_whoever_has_no_accolade_is_named() -> None:
    """Every player is dealt one (rulebook, Ebb & Flow)."""
    towns = [player(name, [terrace()]) for name in ("Ann", "Bob", "Cid")]
    problems = score(contest("ebb_flow", [held("a", "Bob")], *towns))["problems"]
    assert [problem["message"] for problem in problems if problem["code"] == "accolade_holder"] == [
        "Ann was dealt an accolade too. Add it.",
        "Cid was dealt an accolade too. Add it.",
    ]


@pytest.mark.parametrize("target", ["white", "sunset"])
def test_what_can_be_counted_is_listed_with_completed_streets_by_both_names(target: str) -> None:
    [problem] = score(record([terrace(score=per(target))]))["problems"]
    assert problem["message"].endswith("unique_colours, completed_streets, completed_street.")


def typed(name: str, accolades: int) -> Json:
    return {"name": name, "typed": {"card": 20, "accolade": accolades}}


TWO_DEALT = [held("a", "Ann", revealed=True), held("b", "Bob")]
PAID = [
    ("open_sea", goals(1), [typed("Ann", 10), typed("Bob", 10)], False),
    ("open_sea", goals(1), [typed("Ann", 10), typed("Bob", 5)], False),
    ("open_sea", goals(1), [typed("Ann", 5), typed("Bob", 5)], True),
    ("open_sea", goals(1), [typed("Ann", 5), typed("Bob", 0)], False),
    ("open_sea", goals(1), [typed("Ann", 10), typed("Bob", 0)], True),
    ("open_sea", goals(1), [typed("Ann", 0), typed("Bob", 0)], True),
    ("open_sea", goals(1), [typed("Ann", 7), player("Bob")], False),
    ("open_sea", goals(1), [typed("Ann", 3), typed("Bob", 3), player("Cid")], True),
    ("open_sea", goals(1), [typed("Ann", 3), typed("Bob", 3), typed("Cid", 0)], False),
    ("open_sea", goals(2), [typed("Ann", 10), typed("Bob", 10)], True),
    ("open_sea", goals(2), [typed("Ann", 15), typed("Bob", 5)], True),
    ("ebb_flow", TWO_DEALT, [typed("Ann", 15), typed("Bob", 5)], True),
    ("ebb_flow", TWO_DEALT, [typed("Ann", 20), typed("Bob", 0)], False),
    (
        "high_tide",
        [{**goal, "active": at == 0} for at, goal in enumerate(goals(3))],
        [typed("Ann", 20), player("Bob")],
        False,
    ),
    ("high_tide", goals(3), [typed("Ann", 20), player("Bob")], True),
]


@pytest.mark.parametrize(("mode", "cards", "players", "possible"), PAID)
def test_accolades_cannot_be_typed_that_no_card_pays(mode: str, cards: Json, players: Json, possible: bool) -> None:
    """Tied players share equally (rulebook, Option: Accolades), so 10 for two players is not 10."""
    expected = [] if possible else ["accolade_points"]
    assert [code for code, _ in faults(contest(mode, cards, *players))] == expected


def test_known_amounts_say_who_can_have_got_an_accolade() -> None:
    rest = {"name": "Rest", "target": "bench", "amounts": {"Bob": 1}}
    ann = player("Ann", [terrace(features={"bench": 2})])
    assert faults(contest("open_sea", [rest], ann, typed("Bob", 10))) == [
        ("accolade_points", "/players/1/typed/accolade")
    ]


def test_accolades_that_nobody_laid_can_be_typed() -> None:
    table = {"game": "tenby", "table": {}, "players": [typed("Ann", 7), typed("Bob", 1)]}
    assert faults(table) == []


QUICK = {
    "a card that sees": ({"type": "per", "points": 2, "seen": 3}, []),
    "a printed number": ({"type": "flat", "points": 4, "name": "Pier head"}, []),
    "a card that sees, not told how many": ({"type": "per", "points": 2}, [("missing_field", "/seen")]),
    "a card without a type": ({"points": 2, "seen": 1}, [("missing_field", "/type")]),
    "a printed number that sees": ({"type": "flat", "points": 2, "seen": 1}, [("unknown_field", "/seen")]),
    "a hundred seen": ({"type": "per", "points": 2, "seen": 100}, [("bad_number", "/seen")]),
    "no card": (7, [("unreadable", "")]),
}


@pytest.mark.parametrize("title", QUICK)
def test_a_quick_player_with(title: str) -> None:
    card, expected = QUICK[title]
    table = {"game": "tenby", "table": {}, "players": [{"name": "Ann", "cards": [card]}]}
    found = [(code, where) for code, where in faults(table) if where.startswith("/players/0/cards/0")]
    if title == "no card":
        found = found[:1]
    assert found == [(code, "/players/0/cards/0" + place) for code, place in expected]


def test_a_quick_player_has_no_streets_and_types_her_residents() -> None:
    quick = {"name": "Ann", "cards": [], "streets": [], "residents": [each("bin")]}
    assert faults({"game": "tenby", "table": {}, "players": [quick]}) == [
        ("missing_field", "/players/0/residents/0/points"),
        ("unknown_field", "/players/0/streets"),
    ]


def test_six_players_are_one_too_many() -> None:
    table = {"game": "tenby", "table": {}, "players": [player(f"P{i}") for i in range(6)]}
    assert faults(table) == [("player_count", "/players")]


def test_everything_wrong_is_told_at_once() -> None:
    street = [
        LANDMARK | {"features": {"bench": 3, "tide": 1}},
        pier("terrace", "sea", buildings=["pink"]),
        LANDMARK | {"score": per("unique_colours", 1, "gold", direction="left")},
    ]
    resident = single((4, 5, 3), (6, 1, 1), target="sun")
    table = record(street, [], residents=(resident,))
    table["table"]["accolades"] = {"mode": "open_sea", "cards": goals(4)}
    assert {code for code, _ in faults(table)} == {
        "accolade_count",
        "bad_range",
        "base_edges_disagree",
        "edge_mismatch",
        "empty_street",
        "feature_over_max",
        "resident_tiers",
        "sea_inside_street",
        "two_landmarks",
        "unique_needs_building",
        "unknown_colour",
        "unknown_feature",
        "unknown_target",
    }


def test_faults_are_told_beside_what_cannot_be_read() -> None:
    street = [terrace(features={"bench": 3}), pier(score={"type": "flat", "points": "two"})]
    assert {code for code, _ in faults(record(street))} == {"bad_number", "feature_over_max", "edge_mismatch"}


@pytest.mark.parametrize(
    ("card", "warning"),
    [
        (pier(subtype="business"), "subtype_on_pier"),
        (terrace(buildings=["white"], score=flat(2)) | {"deck": "plain_end"}, "plain_end_edges"),
        (terrace(buildings=["white"]), "white_building"),
        (pier("sea", buildings=["white"], score=flat(2)) | {"deck": "plain_end"}, "white_building"),
        (terrace(buildings=["red"] * 10), "many_buildings"),
        ({**LANDMARK, "buildings": ["red"] * 10}, "many_buildings"),
        (terrace() | {"deck": "pier"}, "deck_differs"),
        (pier() | {"deck": "terrace"}, "deck_differs"),
        (terrace(score=per("completed_street")), "street_out_of_range"),
    ],
)
def test_what_the_rulebook_only_hints_at_is_a_warning(card: Json, warning: str) -> None:
    assert score(record([card]))["ok"]
    assert [code for code, _ in faults(record([card]), "warning")] == [warning]


@pytest.mark.parametrize(
    ("resident", "warning"),
    [
        (each("bin", 3, 5, 2), "resident_rows"),
        (single((4, 4, 3), (2, 1, 2)), "resident_rows"),
        (each("completed_street", 2), "never_reached"),
        (each("unique_colours", 6), "never_reached"),
    ],
)
def test_an_odd_resident_is_a_question(resident: Json, warning: str) -> None:
    table = record([terrace()], residents=(resident,))
    assert score(table)["ok"]
    assert [code for code, _ in faults(table, "warning")] == [warning]


@pytest.mark.parametrize(
    "card",
    [
        {**LANDMARK, "buildings": ["red", "red", "white"]},
        terrace("pier", buildings=["white"], score=flat(2)) | {"deck": "plain_end"},
        terrace(buildings=["red", "blue"]),
        {**LANDMARK, "base": "pier", "edges": ["pier", "pier"]},
        terrace(score=per("completed_streets", 2, "gold")),
    ],
)
def test_what_may_well_be_raises_no_question(card: Json) -> None:
    assert score(record([card]))["problems"] == []


def places(value: Json, path: tuple[Json, ...] = ()) -> list[tuple[Json, ...]]:
    """Return where every value of a record stands."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in children for place in places(child, (*path, key)))]


@given(st.data())
@settings(max_examples=120)
def test_a_record_with_one_value_exchanged_never_brings_the_scorer_down(data: st.DataObject) -> None:
    table = deepcopy(data.draw(tables()))
    *path, last = data.draw(st.sampled_from(places(table)[1:]))
    strange = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.just([]))
    spot = table
    for key in path:
        spot = spot[key]
    spot[last] = data.draw(strange | st.just({}) | st.just([[]]) | st.just({"a": 1}))
    try:
        state = GAME.load(table)
    except StateError as unreadable:
        GAME.validate(unreadable.state)
    else:
        assert GAME.load(GAME.dump(state)) == state
    assert isinstance(score(table)["ok"], bool)


def test_a_player_who_cannot_be_read_keeps_nobody_from_hearing_what_is_wrong() -> None:
    """Ebb & Flow with a secret card of somebody whose name is missing, beside typed accolade points."""
    cards = [{"name": name, "target": "bench", "holder": holder, "revealed": False} for name, holder in HELD]
    record = {
        "game": "tenby",
        "table": {"accolades": {"mode": "ebb_flow", "cards": cards}},
        "players": [{"name": "Ann", "streets": []}, 2.5, {"name": "Cid", "typed": {"accolade": 5}}],
    }
    assert "unreadable" in {problem["code"] for problem in score(record)["problems"]}


HELD = (("Most benches", "Ann"), ("Most bins", "Bob"), ("Most seagulls", "Cid"))


def test_holders_and_amounts_may_be_spelled_in_another_way() -> None:
    cards = [
        {"name": "Most benches", "target": "bench", "holder": "ANN ", "revealed": True, "amounts": {"rene\u0301": 3}},
        {"name": "Most bins", "target": "bin", "holder": "Ren\u00e9", "revealed": False},
    ]
    record = {
        "game": "tenby",
        "table": {"accolades": {"mode": "ebb_flow", "cards": cards}},
        "players": [{"name": "Ann", "streets": []}, {"name": "Ren\u00e9", "streets": []}],
    }
    result = score(record)
    assert result["ok"], result["problems"]
    # René has more benches, 15; and nobody has more bins than he, 5: of none at all there is a house rule.
    assert [player["total"] for player in result["players"]] == [0, 20]
    cards[0]["amounts"] = {"rene\u0301": 3, "REN\u00c9": 4}
    assert [problem["code"] for problem in score(record)["problems"]] == ["duplicate_name"]


@pytest.mark.parametrize(
    ("allowed", "words"),
    [
        (range(2, 4), "This mode needs 2 to 3 accolade cards. You entered 9."),
        (range(3, 4), "With this many players, this mode needs 3 accolade cards. You entered 9."),
        (range(1, 2), "With this many players, this mode needs 1 accolade card. You entered 9."),
    ],
)
def test_a_wrong_number_of_accolades_is_told_with_the_right_one(allowed: range, words: str) -> None:
    assert str(wrong_number(9, allowed)) == words
