"""Reading, judging and asking: what a record of Tiny Towns may say, must say and need not say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.contract import Entry, Section, StateError, choices_of
from scorer.core import load, score
from scorer.games.tiny_towns import GAME
from scorer.games.tiny_towns.cards import BUILDINGS, CATALOGUE, FIRST_GAME, MONUMENTS, OPTIONS, TYPED, TYPES
from scorer.games.tiny_towns.inputs import INPUTS, asks
from tests.conftest import EXAMPLES
from tests.scorer.towns import codes, record, result

FULL = "Ta Ta Ta Ta / Ta Ta Ta Ta / Ta Ta Ta Ta / Ta Ta Ta "


def changed(path: str, value: Any, *towns: Any, **table: Any) -> dict[str, Any]:
    """A good record with the value at this JSON Pointer replaced."""
    entered = record(*(towns or ("Co Fa",)), **table)
    inside: Any = entered
    *steps, last = path.split("/")[1:]
    for step in steps:
        inside = inside[int(step)] if isinstance(inside, list) else inside[step]
    inside[int(last) if isinstance(inside, list) else last] = value
    return entered


ILLEGAL = [
    ("a building of no card in play", changed("/players/0/grid/1/2", "granary"), "building_not_in_play", "/grid/1/2"),
    ("a monument without its card", record("Co Mo"), "monument_without_card", "/monument"),
    ("two monuments", record({"grid": "Mo . Mo", "monument": "fort_ironweed"}), "two_monuments", "/grid/0/2"),
    ("six Banks", record("Bk Bk Bk Bk / Bk Bk"), "too_many_banks", "/grid/1/1"),
    (
        "two Banks with one resource",
        record({"grid": "Bk Bk", "bank_resources": {"A1": "wood", "B1": "wood"}}),
        "same_bank_resource",
        "/bank_resources/B1",
    ),
    (
        "four cubes on a Warehouse",
        record({"grid": "Wh", "warehouse_cubes": {"A1": 4}}),
        "too_many_cubes",
        "/warehouse_cubes/A1",
    ),
    (
        "cubes where no Warehouse stands",
        record({"grid": "Wh", "warehouse_cubes": {"B1": 1}}),
        "no_warehouse_there",
        "/warehouse_cubes/B1",
    ),
    (
        "a Shrine without its number",
        record({"grid": "Mo", "monument": "shrine_of_the_elder_tree"}),
        "missing_field",
        "/shrine_count",
    ),
    (
        "a Shrine that does not count itself",
        record({"grid": "Mo", "monument": "shrine_of_the_elder_tree", "shrine_count": 0}),
        "shrine_count",
        "/shrine_count",
    ),
    (
        "a Shrine with more buildings than the town",
        record({"grid": "Mo Co", "monument": "shrine_of_the_elder_tree", "shrine_count": 3}),
        "shrine_count",
        "/shrine_count",
    ),
    (
        "a Starloom without its place",
        record({"grid": "Mo", "monument": "the_starloom"}),
        "missing_field",
        "/starloom_place",
    ),
    (
        "a place behind the last player",
        record({"grid": "Mo", "monument": "the_starloom", "starloom_place": 3}, "Co"),
        "starloom_place",
        "/starloom_place",
    ),
    (
        "more Feast Halls on the right than squares",
        record({"grid": "FH", "right_feast_halls": 17}),
        "right_feast_halls",
        "/right_feast_halls",
    ),
    (
        "a square of no board",
        record({"grid": "Wh", "warehouse_cubes": {"E5": 1}}),
        "unknown_square",
        "/warehouse_cubes/E5",
    ),
    (
        "a sixth resource",
        record({"grid": "Bk", "bank_resources": {"A1": "gold"}}),
        "unknown_resource",
        "/bank_resources/A1",
    ),
    ("a building nobody knows", changed("/players/0/grid/3/3", "castle"), "unknown_building", "/grid/3/3"),
    ("a monument nobody knows", changed("/players/0/monument", "eiffel_tower"), "unknown_monument", "/monument"),
    ("three rows", changed("/players/0/grid", [["empty"] * 4] * 3), "grid_size", "/grid"),
    ("a long row", changed("/players/0/grid/2", ["empty"] * 5), "grid_size", "/grid"),
    ("no town at all", changed("/players/0", {"name": "Ann"}), "missing_field", "/grid"),
]


@pytest.mark.parametrize(
    ("entered", "code", "where"), [case[1:] for case in ILLEGAL], ids=[case[0] for case in ILLEGAL]
)
def test_illegal(entered: dict[str, Any], code: str, where: str) -> None:
    assert codes(entered) == [(code, f"/players/0{where}")]
    assert score(entered)["players"] == []


TABLES = [
    ("a card of another colour", changed("/table/cards/red", "well"), "wrong_card", "/table/cards/red"),
    ("no such mode", changed("/table/mode", "duel"), "unknown_option", "/table/mode"),
    ("no such expansion", changed("/table/expansions", ["winter"]), "unknown_expansion", "/table/expansions/0"),
    ("solo with two", record("Co", "Co", mode="solo"), "player_count", "/players"),
    ("the Inn in solo", record("In", mode="solo"), "not_in_solo", "/table/cards/green"),
    ("the Bank in solo", record("Bk", mode="solo"), "not_in_solo", "/table/cards/black"),
    (
        "Fort Ironweed in solo",
        record({"grid": "Co", "monument": "fort_ironweed"}, mode="solo"),
        "not_in_solo",
        "/players/0/monument",
    ),
    (
        "Opaleye's Watch in solo",
        record({"grid": "Co", "monument": "opaleyes_watch"}, mode="solo"),
        "not_in_solo",
        "/players/0/monument",
    ),
    (
        "one monument card twice",
        record({"grid": "Co", "monument": "silva_forum"}, {"grid": "Co", "monument": "silva_forum"}),
        "same_monument",
        "/players/1/monument",
    ),
    ("Fortune's cards without Fortune", record("Mn", expansions=[]), "expansion_not_in_play", "/table/cards/grey"),
]


@pytest.mark.parametrize(("entered", "code", "where"), [case[1:] for case in TABLES], ids=[case[0] for case in TABLES])
def test_illegal_table(entered: dict[str, Any], code: str, where: str) -> None:
    assert codes(entered) == [(code, where)]


def test_a_missing_card_is_a_missing_field() -> None:
    entered = record("Co")
    del entered["table"]["cards"]["black"]
    assert codes(entered) == [("missing_field", "/table/cards/black")]
    del entered["table"]
    assert codes(entered) == [("missing_field", "/table")]


def test_all_faults_are_told_at_once() -> None:
    entered = record({"grid": "Mo Mo Wh / Ta", "warehouse_cubes": {"C1": 9}})
    entered["players"][0]["grid"][3][3] = "granary"
    assert {code for code, _ in codes(entered)} == {
        "two_monuments",
        "monument_without_card",
        "too_many_cubes",
        "building_not_in_play",
    }


DOUBTFUL = [
    ("sixteen buildings", record(f"{FULL} Ta"), "sixteen_buildings", "/grid"),
    ("fifteen Cottages and one empty square", record(f"{FULL} .".replace("Ta", "Co")), "too_full", "/grid"),
    ("a Warehouse without cubes", record("Wh"), "warehouse_cubes_not_given", "/warehouse_cubes"),
    (
        "a second Warehouse that was left blank",
        record({"grid": "Wh Wh", "warehouse_cubes": {"A1": 2}}),
        "warehouse_cubes_not_given",
        "/warehouse_cubes",
    ),
    (
        "buildings on the Watch in another town",
        record({"grid": "Mo", "monument": "fort_ironweed", "opaleye_remaining": ["well"]}),
        "opaleye_remaining",
        "/opaleye_remaining",
    ),
    (
        "a building on the Watch that is none of this table's",
        record({"grid": "Mo", "monument": "opaleyes_watch", "opaleye_remaining": ["inn"]}),
        "opaleye_remaining",
        "/opaleye_remaining",
    ),
    ("a Shrine's number without Shrine", record({"grid": "Co", "shrine_count": 2}), "not_needed", "/shrine_count"),
    (
        "a place for a Starloom never built",
        record({"grid": "Co", "monument": "the_starloom", "starloom_place": 1}),
        "not_needed",
        "/starloom_place",
    ),
    (
        "a resource without Bank",
        record({"grid": "Co", "bank_resources": {"A1": "wood"}}),
        "no_bank_there",
        "/bank_resources/A1",
    ),
    (
        "cubes without Statue",
        record({"grid": "Co", "bondmaker_cubes": {"A1": "wood"}}),
        "no_cottage_there",
        "/bondmaker_cubes/A1",
    ),
    ("a full Cavern", record({"grid": "Co", "cavern_cubes": 3}), "cavern_cubes", "/cavern_cubes"),
    (
        "four buildings on the Watch",
        record({"grid": "Mo", "monument": "opaleyes_watch", "opaleye_remaining": ["well", "farm", "chapel", "tavern"]}),
        "opaleye_remaining",
        "/opaleye_remaining",
    ),
    ("coins without Fortune", record({"grid": "Co", "coins": 2}), "not_needed", "/coins"),
    (
        "turns in a Town Hall",
        record({"grid": "Co", "master_builder_turns": 2}, mode="town_hall"),
        "not_needed",
        "/master_builder_turns",
    ),
    (
        "other Feast Halls than stand on the right",
        record({"grid": "FH", "right_feast_halls": 3}, "FH"),
        "not_needed",
        "/right_feast_halls",
    ),
]


@pytest.mark.parametrize(
    ("entered", "code", "where"), [case[1:] for case in DOUBTFUL], ids=[case[0] for case in DOUBTFUL]
)
def test_doubtful_but_scored(entered: dict[str, Any], code: str, where: str) -> None:
    assert score(entered)["ok"]
    assert codes(entered, "warning") == [(code, f"/players/0{where}")]


@pytest.mark.parametrize("facts", [{"monument": "grove_university"}, {"monument": "opaleyes_watch"}])
def test_some_monuments_can_fill_a_town(facts: dict[str, Any]) -> None:
    assert codes(record({"grid": f"{FULL} Mo", **facts}), "warning") == []
    assert codes(record(f"{FULL} TP"), "warning") == []
    assert codes(record({"grid": f"{FULL} Mo", "monument": "fort_ironweed"}), "warning") != []


@pytest.mark.parametrize(
    "town", [f"{FULL} .".replace("Ta Ta Ta Ta /", "Ta Ta Ta We /", 1), f"{FULL} .".replace("Ta", "We"), f"{FULL} TP"]
)
def test_a_town_may_be_as_full_as_its_last_building_lets_it(town: str) -> None:
    assert codes(record(town), "warning") == []


def test_with_an_expansion_a_full_town_is_ordinary() -> None:
    assert codes(record(f"{FULL} Ci"), "warning") == []
    assert codes(record(f"{FULL} Ta", expansions=["villagers"]), "warning") == []


def test_a_warehouse_that_is_said_to_be_empty_is_not_asked_about() -> None:
    assert codes(record({"grid": "Wh Wh", "warehouse_cubes": {"A1": 0, "B1": 0}}), "warning") == []


def test_harmless_facts_pass_in_silence() -> None:
    facts = {
        "cavern_cubes": 2,
        "master_builder_turns": 5,
        "monument": "statue_of_the_bondmaker",
        "bondmaker_cubes": {"A1": "wood"},
        "warehouse_cubes": {},
        "bank_resources": {},
    }
    assert score(record({"grid": "Co Mo", **facts}))["problems"] == []


def test_typed_players_need_no_cards() -> None:
    entered = record({"typed": {"well": 5}}, {"typed": {"well": 4}})
    del entered["table"]
    assert score(entered)["winners"] == ["Ann"]


@pytest.mark.parametrize("count", [0, 7])
def test_one_to_six_players(count: int) -> None:
    entered = record("Co")
    entered["players"] = [{**entered["players"][0], "name": f"P{number}"} for number in range(count)]
    assert codes(entered) == [("player_count", "/players")]


# -- round trips and strange values ------------------------------------------------------------------------------------

STRANGE: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "A1", "empty", "monument", "wood"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["A1", "D4", "E9", ""]), inner),
    max_leaves=8,
)
FIELDS = [
    *(asked.name.split("/")[0] for asked in INPUTS if asked.section is Section.PLAYER),
    "opaleye_remaining",
    "villagers",
]


@given(st.dictionaries(st.sampled_from([*FIELDS, "bondmaker_cubes", "typed", "name"]), STRANGE), STRANGE, STRANGE)
def test_no_value_is_too_strange(facts: dict[str, Any], cards: Any, expansions: Any) -> None:
    entered = record("Co FH Wh / Fa Mo Mo")
    entered["players"][0].update(facts)
    entered["players"].append({"name": "Bob", **facts})
    found = score(entered)
    json.dumps(found)
    entered["table"].update(cards=cards, expansions=expansions)
    score(entered)
    for index in (0, 1, 5, None):
        asks(load(GAME, entered), index)
    try:
        state = GAME.load(entered)
    except StateError as unreadable:
        state = unreadable.state
    GAME.validate(state)
    GAME.score(state)


def test_every_fact_survives_the_round_trip() -> None:
    facts = {
        "warehouse_cubes": {"A1": 2},
        "bank_resources": {"B1": "glass"},
        "bondmaker_cubes": {"C1": "wood"},
        "opaleye_remaining": ["well"],
        "shrine_count": 1,
        "starloom_place": 1,
        "right_feast_halls": 0,
        "master_builder_turns": 0,
        "cavern_cubes": 1,
        "coins": 0,
        "hollow_hill_swaps": 2,
        "right_coins": 3,
        "tallest_other_tower": 4,
        "folly_tower_height": 2,
        "blacksmith_cubes": {"B1": 1},
        "villagers": ["A1", "B1"],
        "typed_points": {"other_green": -2},
        "monument_name": "Larkstone",
    }
    table: dict[str, Any] = {
        "expansions": ["fortune", "villagers"],
        "rulings": {"feeding": "may"},
        "card_names": {"green": "Pirates' Den"},
        "villager_cards": ["scrap", "solicit"],
        "tiny_tears": True,
    }
    entered = record({"grid": "Wh . Co Mo", "monument": "hollow_hill", **facts}, **table)
    assert GAME.dump(GAME.load(entered)) == entered


def test_a_table_without_players_is_judged_all_the_same() -> None:
    state = GAME.load(record("Co"))
    assert GAME.validate(type(state)(())) == []


# -- cards and forms ---------------------------------------------------------------------------------------------------


def test_the_catalogue_has_every_card_once() -> None:
    def of(expansion: str) -> list[Entry]:
        return [entry for entry in CATALOGUE if entry.expansion == expansion and entry.id not in TYPED]

    assert len(of("")) == 25 + 15 and len(of("Fortune")) == 12 + 10 and len(of("Villagers")) == 13 + 3
    assert [entry.id for entry in of("Promo card")] == ["friendly_local_game_store", "larkstone"]
    assert all(entry.pattern for entry in CATALOGUE if entry.id not in TYPED and entry.expansion != "Promo card")
    assert len({entry.id for entry in CATALOGUE}) == len(CATALOGUE)


def test_a_table_chooses_among_four_cards_of_each_colour() -> None:
    for colour, cards in OPTIONS.items():
        found = [BUILDINGS[card] for card in cards]
        assert len([card for card in found if not (card.expansion or card.typed or card.promo)]) == 4
        assert FIRST_GAME[colour] in cards
    assert [kind.piece for kind in TYPES.values()] == [
        "cottage", "farm", "well", "chapel", "tavern", "theater", "factory", "monument",
    ]  # fmt: skip


def names(entered: dict[str, Any], index: int | None = 0) -> list[str]:
    return [asked.name for asked in asks(load(GAME, entered), index)]


def facts_asked(town: Any, *others: Any, **table: Any) -> list[str]:
    asked = names(record(town, *others, **table))
    assert asked[0] == "grid"
    return [name for name in asked[1:] if name != "master_builder_turns"]


def test_a_town_asks_only_for_what_it_needs() -> None:
    assert facts_asked("Co Fa We") == []
    assert facts_asked("Wh . Wh") == ["warehouse_cubes/A1", "warehouse_cubes/C1"]
    assert facts_asked("Bk") == ["bank_resources/A1"]
    assert facts_asked({"grid": "Mo", "monument": "shrine_of_the_elder_tree"}) == ["monument", "shrine_count"]
    assert facts_asked({"grid": "Mo", "monument": "the_starloom"}) == ["monument", "starloom_place"]
    assert facts_asked({"grid": "Mo", "monument": "the_starloom"}, mode="solo") == ["monument"]
    assert facts_asked({"grid": "Co", "monument": "the_starloom"}) == []
    assert facts_asked("FH") == ["right_feast_halls"]
    assert facts_asked("FH", "Co") == []
    assert facts_asked("FH", {"typed": {}}) == ["right_feast_halls"]
    assert facts_asked({"grid": "Mo Co", "monument": "hollow_hill"}, expansions=["fortune"]) == [
        "monument",
        "hollow_hill_swaps",
        "coins",
    ]


def test_the_palette_is_this_tables_cards() -> None:
    entered = record("Co In")
    [palette] = [choices_of(asked) for asked in asks(load(GAME, entered), 0) if asked.name == "grid"]
    assert [choice.value for choice in palette] == [
        "empty", "cottage", "farm", "well", "chapel", "inn", "theater", "factory", "monument",
    ]  # fmt: skip


def test_a_monument_can_be_chosen_once() -> None:
    entered = record("Mo", {"grid": "Co", "monument": "silva_forum"})
    [free] = [choices_of(asked) for asked in asks(load(GAME, entered), 0) if asked.name == "monument"]
    values = [choice.value for choice in free]
    assert len(free) == 16 and "silva_forum" not in values and "other_monument" in values


def test_the_table_offers_what_its_mode_and_expansions_allow() -> None:
    def offered(**table: Any) -> set[str]:
        return {
            choice.value for asked in asks(load(GAME, record("Co", **table)), None)[2:] for choice in choices_of(asked)
        }

    assert "inn" in offered() and "mine" not in offered()
    assert "inn" not in offered(mode="solo")
    assert "mine" in offered(expansions=["fortune"]) and "hearth" not in offered(expansions=["fortune"])
    both = {*offered(expansions=["fortune", "villagers"])} & {*BUILDINGS}
    assert both == {card.id for card in BUILDINGS.values()} - {"cottage"}
    assert "folly_tower" not in offered(expansions=["villagers"], mode="solo")


def test_what_is_asked_for_is_read() -> None:
    """Every input of the form is a field of the record."""
    known = {asked.name.split("/")[0] for asked in INPUTS}
    assert known >= {
        name.split("/")[0] for example in EXAMPLES if example.game is GAME for name in names(example.record)
    }
    assert {card.id for card in MONUMENTS.values()} == {
        c.value for i in INPUTS if i.name == "monument" for c in choices_of(i)
    }


def test_an_ordinary_table_is_judged_without_a_word() -> None:
    assert result("Co Fa We Ch / Ta Th Fy", "Co Co Fa / We")["problems"] == []
