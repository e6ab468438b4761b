"""The card box: sound forms, merging by name, conflicts told, and knowledge that adds up."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.games.tenby.cardbox import CARDBOX, SHELF
from tests.scorer.tenby_tables import each, flat, per, pier, questions, record, tables, terrace

Json = Any
CAFE = terrace(name="Café", score=per("bench", 2), features={"bin": 1})
MANAGER = {"name": "Manager", "target": "business"}
SEES_ALL = "bench and flower box: 1 each, in the whole street"
TWO_TIERS = {
    "name": "Painter",
    "type": "single",
    "target": "unique_colours",
    "tiers": [{"at_least": 3, "incomplete": 2, "complete": 4}, {"at_least": 5, "incomplete": 4, "complete": 8}],
}


def box(*town_cards: Json, residents: tuple[Json, ...] = (), accolades: tuple[Json, ...] = ()) -> Json:
    return {
        **SHELF.empty(),
        "town_cards": list(town_cards),
        "residents": list(residents),
        "accolades": list(accolades),
    }


def names(found: Json, kind: str = "town_cards") -> list[str]:
    return [item["name"] for item in found[kind]]


def test_a_sound_box_has_no_faults_and_is_exported_by_name() -> None:
    mine = box({**CAFE, "name": "b"}, {**CAFE, "name": "A"}, residents=(each("bin"),), accolades=(MANAGER,))
    exported, problems = SHELF.export(mine)
    assert problems == []
    assert names(exported) == ["A", "b"]
    assert SHELF.export(json.loads(json.dumps(exported))) == (exported, [])


@pytest.mark.parametrize(
    ("faulty", "code", "where"),
    [
        (box(terrace()), "missing_field", "/town_cards/0/name"),
        (box({**CAFE, "name": " "}), "missing_field", "/town_cards/0/name"),
        (box(CAFE, {**CAFE, "name": "CAFÉ "}), "duplicate_name", "/town_cards/1/name"),
        (box({**CAFE, "features": {"bin": 9}}), "feature_over_max", "/town_cards/0/features/bin"),
        (box({**CAFE, "price": 2}), "unknown_field", "/town_cards/0/price"),
        (box(residents=(each("sun"),)), "unknown_target", "/residents/0/target"),
        (box(accolades=({**MANAGER, "holder": "Ann"},)), "unknown_field", "/accolades/0/holder"),
        ({**box(), "format": "cards"}, "unreadable", "/format"),
        ({**box(), "version": 2}, "unreadable", "/version"),
        ({**box(), "game": "chess"}, "unknown_game", "/game"),
        ({**box(), "decks": []}, "unknown_field", "/decks"),
        ({**box(), "residents": {}}, "unreadable", "/residents"),
        ({**box(), "residents": [7]}, "unreadable", "/residents/0"),
    ],
)
def test_a_fault_is_told_with_its_place_and_stops_an_import(faulty: Json, code: str, where: str) -> None:
    assert (code, where) in [(problem.code, problem.where) for problem in SHELF.export(faulty)[1]]
    merged = SHELF.merge(box(CAFE), faulty)
    assert merged.problems and merged.box == box(CAFE)


def test_new_names_are_added_and_known_ones_left_alone() -> None:
    merged = SHELF.merge(box(CAFE), box(CAFE, {**CAFE, "name": "Pub"}, accolades=(MANAGER,)))
    assert merged.added == (("town_cards", "Pub"), ("accolades", "Manager"))
    assert (merged.completed, merged.conflicts, names(merged.box)) == ((), (), ["Café", "Pub"])


def test_two_descriptions_complete_each_other() -> None:
    theirs = terrace(name="CAFÉ", features={"cloud": 2}, buildings=["red"], subtype="business")
    merged = SHELF.merge(box(CAFE), box(theirs))
    assert merged.completed == (("town_cards", "Café"),)
    known = {**CAFE, "subtype": "business", "buildings": ["red"], "features": {"bin": 1, "cloud": 2}}
    assert merged.box == box(known)


def test_contradictions_are_told_and_mine_is_kept_unless_theirs_is_chosen() -> None:
    theirs = terrace(name="Café", score=per("bench", 3), features={"bin": 2, "cloud": 1})
    merged = SHELF.merge(box(CAFE), box(theirs))
    assert [(c.kind, c.name, c.fields) for c in merged.conflicts] == [
        ("town_cards", "Café", ("features/bin", "score")),
    ]
    assert merged.box == box(CAFE)
    assert (merged.conflicts[0].mine, merged.conflicts[0].theirs) == (CAFE, theirs)
    decided = SHELF.merge(box(CAFE), box(theirs), [("town_cards", "café")])
    assert (decided.replaced, decided.conflicts) == ((("town_cards", "Café"),), ())
    assert decided.box == box(theirs)


def test_buildings_in_another_order_are_the_same_buildings() -> None:
    mine, theirs = ({**CAFE, "buildings": colours} for colours in (["red", "white"], ["white", "red"]))
    assert SHELF.merge(box(mine), box(theirs)).conflicts == ()


def test_saving_completes_what_is_known_and_replaces_what_was_wrong() -> None:
    saved = SHELF.put(SHELF.empty(), "town_cards", CAFE)
    assert saved.added == (("town_cards", "Café"),)
    more = terrace(name="Café", score=per("bench", 2), features={"cloud": 0})
    assert SHELF.put(saved.box, "town_cards", more).box == box({**CAFE, "features": {"bin": 1, "cloud": 0}})
    other = terrace(name="Café", score=per("bench", 1))
    assert SHELF.put(saved.box, "town_cards", other).box == box(other)
    assert SHELF.put(saved.box, "town_cards", terrace()).problems


def test_a_saved_card_can_be_taken_out() -> None:
    mine = box(CAFE, residents=(each("bin"),))
    assert SHELF.remove(mine, "town_cards", "CAFÉ") == box(residents=(each("bin"),))
    assert names(mine) == ["Café"]


def test_a_picked_card_is_asked_only_for_what_the_group_has_never_counted() -> None:
    seen = each("bin", name="Binman"), each("cloud", name="Dreamer")
    assert questions(record([CAFE], residents=seen)) == [[[["cloud"]]]]


@pytest.mark.parametrize(
    ("kind", "thing", "kept"),
    [
        ("town_cards", CAFE, CAFE),
        ("town_cards", pier(), None),
        ("town_cards", {**CAFE, "features": {"cloud": 9}}, None),
        ("residents", each("bin"), each("bin")),
        ("accolades", {**MANAGER, "holder": "Ann", "revealed": True}, MANAGER),
        ("accolades", {"name": "Sunniest", "holder": "Bob", "amounts": {"Ann": 1}}, {"name": "Sunniest"}),
        ("accolades", "nothing", None),
    ],
)
def test_of_a_thing_at_the_table_the_box_keeps_what_is_printed_on_it(kind: str, thing: Json, kept: Json) -> None:
    item, problems = SHELF.described(kind, thing)
    assert item == kept
    assert bool(problems) == (kept is None)


@pytest.mark.parametrize(
    ("kind", "item", "words"),
    [
        ("town_cards", CAFE, "bench: 2 each, next to it"),
        ("town_cards", {**CAFE, "score": flat(3)}, "3 points"),
        ("town_cards", {**CAFE, "score": per(["bench", "flower_box"], 1, "gold")}, SEES_ALL),
        ("town_cards", pier(name="Jetty"), ""),
        ("residents", each("bin"), "bin: 1+ scores 1 or 2 for each street"),
        ("residents", TWO_TIERS, "unique colours: 3+ scores 2 or 4, 5+ scores 4 or 8"),
        ("accolades", {"name": "Seaside", "target": ["completed_streets"]}, "completed streets"),
        ("accolades", {"name": "Sunniest"}, ""),
    ],
)
def test_the_box_says_in_a_few_words_what_is_in_it(kind: str, item: Json, words: str) -> None:
    assert SHELF.summary(kind, item) == words


@pytest.mark.parametrize(
    ("name", "named"), [("Gull house", True), ("Resident 3", False), ("Accolade 12", False), ("", False), (None, False)]
)
def test_a_number_of_ours_is_no_name(name: Json, named: bool) -> None:
    assert CARDBOX.is_named(name) is named


def test_a_resident_of_typed_points_is_kept_without_them() -> None:
    typed = {"name": "Harbour master", "type": "typed", "points": 6}
    assert SHELF.described("residents", typed) == ({"name": "Harbour master", "type": "typed"}, [])
    assert SHELF.summary("residents", {"name": "Harbour master", "type": "typed"}) == ""


def test_the_order_of_tiers_is_no_contradiction() -> None:
    turned = {**TWO_TIERS, "tiers": TWO_TIERS["tiers"][::-1]}
    merged = SHELF.merge(box(residents=(TWO_TIERS,)), box(residents=(turned,)))
    assert (merged.conflicts, merged.box) == ((), box(residents=(TWO_TIERS,)))


def with_names(table: Json, shift: int) -> Json:
    """A box of a table's cards and residents, three names for all the cards; a first description wins."""
    found = SHELF.empty()
    towns = table["players"]
    cards = [
        {**card, "name": f"{(at + index + shift) % 3}"}
        for town in towns
        for at, street in enumerate(town["streets"])
        for index, card in enumerate(street)
    ]
    residents = [resident for town in towns for resident in town["residents"]]
    for kind, things in (("town_cards", cards), ("residents", residents)):
        for thing in things:
            found = SHELF.merge(found, {**SHELF.empty(), kind: [thing]}).box
    return found


@given(tables(), tables())
@settings(max_examples=30)
def test_merging_twice_changes_nothing_more_and_nothing_given_is_touched(one: Json, other: Json) -> None:
    mine, theirs = with_names(one, 0), with_names(other, 1)
    before = deepcopy((mine, theirs))
    merged = SHELF.merge(mine, theirs)
    again = SHELF.merge(merged.box, theirs)
    assert (mine, theirs) == before
    assert (again.box, again.added, again.completed) == (merged.box, (), ())
    decided = SHELF.merge(mine, theirs, [(c.kind, c.name) for c in merged.conflicts])
    assert decided.conflicts == ()
    assert all(problem.level == "warning" for problem in SHELF.export(decided.box)[1])


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "target"]), inner),
    max_leaves=6,
)


@given(st.fixed_dictionaries({}, optional={key: junk for key in SHELF.empty()}) | junk)
@settings(max_examples=100)
def test_no_file_brings_the_box_down(file: Json) -> None:
    exported, _ = SHELF.export(file)
    assert SHELF.export(exported) == (exported, [])
    merged = SHELF.merge(SHELF.empty(), file).box
    assert SHELF.export(merged) == (merged, [])
