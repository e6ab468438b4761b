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
    "a card counting streets": ([terrace(score=per("completed_streets"))], [("unknown_target", "/0/score/target")]),
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
    "rows mixed up": (each("bin", 3, 5, 2), [("resident_rows", "/complete")]),
    "rows mixed up in a tier": (single((2, 1, 2), (4, 4, 3)), [("resident_rows", "/tiers/1/complete")]),
    "tiers that ask for no more": (single((4, 1, 2), (4, 2, 3)), [("resident_tiers", "/tiers/1/at_least")]),
    "tiers that pay less": (single((4, 1, 5), (6, 1, 4)), [("resident_tiers", "/tiers/1/complete")]),
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
    "one holder": ("ebb_flow", [held("a", "Ann")], [("accolade_count", CARDS)]),
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
    "an unknown mode": ("low_tide", goals(1), [("unknown_option", "/table/accolades/mode")]),
}


@pytest.mark.parametrize("title", ACCOLADES)
def test_accolades_with(title: str) -> None:
    mode, cards, expected = ACCOLADES[title]
    assert faults(contest(mode, cards, player("Ann", [terrace()]), player("Bob"))) == expected


def test_an_unknown_ruling_is_refused() -> None:
    assert faults(record([terrace()], secret_tie="double")) == [("unknown_option", "/table/rulings/secret_tie")]


def test_six_players_are_one_too_many() -> None:
    table = {"game": "tenby", "table": {}, "players": [player(f"P{i}") for i in range(6)]}
    assert faults(table) == [("player_count", "/players")]


def test_everything_wrong_is_told_at_once() -> None:
    street = [
        LANDMARK | {"features": {"bench": 3, "tide": 1}},
        pier("terrace", "sea", buildings=["pink"]),
        LANDMARK | {"score": per("unique_colours", 1, "gold", direction="left")},
    ]
    resident = single((4, 5, 3), (3, 1, 1), target="sun")
    table = record(street, [], residents=(resident,))
    table["table"]["accolades"] = {"mode": "open_sea", "cards": goals(4)}
    assert {code for code, _ in faults(table)} == {
        "accolade_count",
        "bad_range",
        "base_edges_disagree",
        "edge_mismatch",
        "empty_street",
        "feature_over_max",
        "resident_rows",
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
    ],
)
def test_what_the_rulebook_only_hints_at_is_a_warning(card: Json, warning: str) -> None:
    assert score(record([card]))["ok"]
    assert [code for code, _ in faults(record([card]), "warning")] == [warning]


def places(value: Json, path: tuple[Json, ...] = ()) -> list[tuple[Json, ...]]:
    """Where every value of a record stands."""
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
