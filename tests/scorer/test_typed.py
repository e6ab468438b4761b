"""Typed lines that no table can show."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from scorer import games
from scorer.core import score
from scorer.games.tiny_towns import fewest_buildings
from scorer.games.tiny_towns.cards import MONUMENTS
from scorer.games.tiny_towns.line_limits import OTHER_MONUMENT
from scorer.games.tiny_towns.squares import BESIDE, COLUMNS, COUNT, ROWS, SIDE, each
from tests.compare.records import MAKERS, Box


def told(game: str, table: dict[str, Any], *typed: dict[str, int]) -> list[tuple[str, str]]:
    players = [{"name": name, "typed": points} for name, points in zip("ABCD", typed, strict=False)]
    result = score({"game": game, "table": table, "players": players})
    return [(problem["code"], problem["where"]) for problem in result["problems"]]


def clash(*rules: str) -> list[tuple[str, str]]:
    return [("lines_clash" if len(rules) > 1 else "bad_number", f"/players/0/typed/{rules[-1]}")]


BRIDGE = {"chapel_order": ["A", "B"]}


def test_no_prize_of_the_bridge_is_paid_twice() -> None:
    assert told("old_london_bridge", BRIDGE, {"inn": 5}, {"inn": 5}) == [("prize_twice", "/players/1/typed/inn")]
    assert told("old_london_bridge", BRIDGE, {"gate": 4}, {}) == [("no_such_prize", "/players/0/typed/gate")]
    assert told("old_london_bridge", BRIDGE, {"inn": 5}, {"inn": 0}) == []
    expert = {**BRIDGE, "scoring": {"inn": "hand_count"}}
    assert told("old_london_bridge", expert, {"inn": 7}, {"inn": 7}) == []


@pytest.mark.parametrize(
    ("scoring", "typed", "wanted"),
    [
        ({"bridge": "numbers_up_to_30"}, {"bridge": 5}, "bridge"),
        ({"bridge": "numbers_up_to_30"}, {"bridge": 24}, ""),
        ({"bridge": "numbers_up_to_30"}, {"bridge": 24, "empty": -1}, "bridge empty"),  # all 12 spaces hold a number
        ({"bridge": "sets_of_six"}, {"bridge": 2}, "bridge"),
        ({"bridge": "sets_of_six"}, {"bridge": 10, "empty": -15}, ""),
        ({"gate": "unused_tiles_squared"}, {"gate": 9, "bonus": 3}, "bonus"),
        ({"gate": "unused_tiles_squared"}, {"gate": 3}, "gate"),
        ({"gate": "step_brackets"}, {"gate": 13}, "gate"),
        ({"gate": "per_round_leader"}, {"gate": 1}, "gate"),
        ({"chapel": "coin_spaces"}, {"chapel": 5}, "chapel"),
        ({"inn": "card_combinations"}, {"inn": 4}, "inn"),
        ({"inn": "hand_count"}, {"inn": 5}, "inn"),
        ({}, {"empty": -4}, "empty"),
    ],
)
def test_a_zone_of_the_bridge_pays_what_its_face_says(
    scoring: dict[str, str], typed: dict[str, int], wanted: str
) -> None:
    table = {**BRIDGE, "scoring": scoring, "empty_costs": {"1": 1, "2": 3, "3": 6, "4": 10, "5+": 15}}
    rules = wanted.split()
    found = [("lines_clash" if len(rules) > 1 else "bad_number", f"/players/0/typed/{rule}") for rule in rules[-1:]]
    assert told("old_london_bridge", table, typed, {}) == found


def test_a_lower_prize_follows_a_higher_one() -> None:
    three = {"chapel_order": ["A", "B", "C"], "empty_costs": {"1": 1, "2": 3, "3": 6, "4": 10, "5+": 15}}
    lines = {"coins": 1}
    found = told("old_london_bridge", three, {**lines, "inn": 3}, lines, lines)
    assert found == [("prize_missing", "/players/0/typed/inn")]
    assert told("old_london_bridge", three, {**lines, "inn": 3}, {}, lines) == []  # Bob may have won the other
    assert told("old_london_bridge", three, {"chapel": 3}, {"chapel": 5}, lines) == [
        ("chapel_order_contradicts_prizes", "/players/0/typed/chapel"),
        ("chapel_order_contradicts_prizes", "/players/1/typed/chapel"),
    ]
    bridges = [{"bridge": 5, "empty": -3}, {"bridge": 3, "empty": -1}, {"bridge": 0, "empty": -10}]
    assert told("old_london_bridge", three, *bridges) == [("lines_clash", "/players/0/typed/bridge")]
    assert told("old_london_bridge", three, *bridges[:2], {"bridge": 0}) == [
        ("lines_clash", "/players/0/typed/bridge"),
        ("lines_clash", "/players/0/typed/bridge"),
        ("lines_clash", "/players/1/typed/bridge"),
    ]


@pytest.mark.parametrize(
    ("typed", "table", "wanted"),
    [
        ({"lovers": 3}, {}, clash("lovers")),
        ({"lovers": 6, "poets": 2, "fishers": 3, "flower_sellers": 4}, {}, []),
        # 6 cards of 2 sections: 12 on a side, where 4 lovers keep 2 free between them, 8 on both sides.
        ({"lovers": 16}, {"sections_per_card": 2}, []),
        ({"lovers": 18}, {"sections_per_card": 2}, clash("lovers")),
        ({"fishers": 13}, {"sections_per_card": 2}, clash("fishers")),
        # 6 poets and 9 fishers take 15 of 24 spaces, and 3 lovers need 3 each: 1 on the side of the fishers.
        ({"poets": 3, "fishers": 9, "lovers": 6}, {"sections_per_card": 2}, []),
        ({"poets": 4, "fishers": 9, "lovers": 6}, {"sections_per_card": 2}, clash("poets", "lovers", "fishers")),
        ({"flower_sellers": 15, "lovers": 6}, {"sections_per_card": 2}, clash("flower_sellers", "lovers")),
    ],
)
def test_a_pier_has_room_for_its_symbols(typed: dict[str, int], table: dict[str, Any], wanted: list[Any]) -> None:
    assert told("pier_18", table, typed, {}) == wanted


def test_symbols_and_patrons_of_typed_piers_are_counted_again() -> None:
    ann = {"name": "A", "typed": {"poets": 2, "fishers": 1, "patrons": 1}, "symbols": 4}
    found = []
    for patrons in (3, 2):
        players = [ann, {"name": "B", "typed": {"patrons": patrons}}]
        found += score({"game": "pier_18", "table": {}, "players": players})["problems"]
    assert [(p["code"], p["where"], p["level"]) for p in found] == [
        ("lines_clash", "/players/0/symbols", "warning"),
        ("patron_total", "/players/1/typed/patrons", "error"),
    ]


def test_accolades_pay_no_more_than_lie_on_any_table() -> None:
    # 3 cards of 10, 2 of 15 and 3 of 10.
    assert told("tenby", {}, {"card": 4, "accolade": 60}, {"accolade": 30}) == []
    assert told("tenby", {}, {"accolade": 60}, {"accolade": 31}) == [("accolade_points", "/players/0/typed/accolade")]


def test_empty_spaces_never_pay() -> None:
    assert told("old_london_bridge", BRIDGE, {"empty": 2}, {}) == [("bad_number", "/players/0/typed/empty")]


def test_a_town_has_the_cards_of_its_table() -> None:
    cards = {"red": "farm", "grey": "well", "orange": "chapel", "green": "tavern", "yellow": "theater", "black": "bank"}
    table = {"mode": "standard", "cards": cards}
    assert told("tiny_towns", table, {"inn": 4, "tavern": 5}) == [("not_on_this_table", "/players/0/typed/inn")]
    assert told("tiny_towns", table, {"tavern": 5, "empty": -2, "monument": 6}) == []


def test_two_cards_of_one_colour_cannot_both_pay() -> None:
    found = told("tiny_towns", {}, {"inn": 6}, {"tavern": 5})
    assert found == [("two_of_one_colour", "/players/1/typed/tavern")]
    assert told("tiny_towns", {}, {"inn": 6}, {"tavern": 0, "well": 3}) == []


@pytest.mark.parametrize(
    "typed", [{"floors": 10}, {"columns": 5}, {"window_columns": 2}, {"floors": -1}, {"total": 39}]
)
def test_a_house_has_nine_floors_and_five_columns(typed: dict[str, int]) -> None:
    assert [code for code, _ in told("copenhagen", {}, typed, {})] == ["bad_number"]


def test_a_range_is_told_with_its_line() -> None:
    record = {"game": "tiny_towns", "table": {}, "players": [{"name": "A", "typed": {"empty": 3}}]}
    [problem] = score(record)["problems"]
    assert problem["message"] == "“Empty squares” can only score −16 to 0. You entered 3."


@pytest.mark.parametrize(
    ("line", "points"),
    # 16 Warehouses of 3 cubes; 1 or 5 Almshouses; 16 Cloisters, 4 of them in corners.
    [("warehouse", -48), ("warehouse", 0), ("almshouse", -1), ("almshouse", -5), ("cloister", 64)],
)
def test_points_that_a_town_can_show_are_taken(line: str, points: int) -> None:
    assert told("tiny_towns", {}, {line: points}) == []


@pytest.mark.parametrize(
    ("line", "points"),
    [("warehouse", 1), ("almshouse", 6), ("almshouse", 27), ("tavern", 7), ("farm", 1), ("bank", 21), ("inn", 13)],
)
def test_points_that_no_town_can_show_are_refused(line: str, points: int) -> None:
    assert told("tiny_towns", {}, {line: points}) == [("bad_number", f"/players/0/typed/{line}")]


def test_coins_that_count_twice_can_be_typed() -> None:
    table = {"expansions": ["fortune"]}
    assert told("tiny_towns", table, {"coins": 10, "monument": 4}) == []  # five, at the Estival Festival
    assert told("tiny_towns", table, {"coins": 10}) == [("lines_clash", "/players/0/typed/coins")]
    assert told("tiny_towns", table, {"coins": 11}) == [("bad_number", "/players/0/typed/coins")]


FIRST = {"red": "farm", "grey": "well", "orange": "chapel", "green": "tavern", "yellow": "theater", "black": "factory"}


def of_town(typed: dict[str, int], *others: dict[str, int], **cards: str) -> list[tuple[str, str]]:
    return told("tiny_towns", {"mode": "standard", "cards": {**FIRST, **cards}}, typed, *others)


@pytest.mark.parametrize(
    ("typed", "cards", "wanted"),
    [
        ({"cottage": 5}, {}, clash("cottage")),
        ({"cottage": 12}, {}, []),
        ({"tavern": 3}, {}, clash("tavern")),
        # 8 fed Cottages need 2 Farms, or the Grand Mausoleum: 7 empty squares are left at most.
        ({"cottage": 24, "empty": -7}, {}, []),
        ({"cottage": 24, "empty": -8}, {}, clash("cottage", "empty")),
        ({"cottage": 3, "empty": -16}, {}, clash("cottage", "empty")),
        # A Temple needs 2 fed Cottages; 3 of them need 3, as 2 Cottages never touch 3 buildings twice.
        ({"temple": 4}, {"orange": "temple"}, clash("cottage", "temple")),
        ({"cottage": 3, "temple": 4}, {"orange": "temple"}, clash("temple", "cottage")),  # 3 of them would be 9
        ({"cottage": 6, "temple": 8}, {"orange": "temple"}, []),
        ({"cottage": 6, "temple": 12}, {"orange": "temple"}, clash("temple", "cottage")),
        ({"cottage": 3, "temple": 12, "monument": 5}, {"orange": "temple"}, []),  # beside Barrett Castle
        # Each Chapel counts the same Cottages; the Grand Mausoleum pays for those that are not fed, too.
        ({"cottage": 12, "chapel": 6, "monument": 2}, {}, clash("cottage", "chapel")),
        ({"cottage": 12, "chapel": 8}, {}, []),
        ({"cottage": 15, "chapel": 1}, {"red": "granary"}, []),
        # 2 Wells see 4 Cottages if 2 stand beside both, fed or not, or Barrett Castle alone: 3 squares are needed.
        ({"well": 4, "empty": -13}, {}, []),
        ({"well": 4, "empty": -14}, {}, clash("well", "empty")),
        ({"fountain": 2}, {"grey": "fountain"}, clash("fountain")),
        ({"market": 45}, {"yellow": "market"}, clash("market")),
        ({"bakery": 15, "empty": -10}, {"yellow": "bakery"}, clash("bakery", "empty")),  # 2 more stand beside them
        # 2 Theaters see 3 types each; in 4 squares there are 3 Theaters and 1 type, or 2 and 2, for 4 points at most.
        ({"theater": 6, "empty": -11}, {}, []),
        ({"theater": 6, "empty": -12}, {}, clash("theater", "empty")),
        ({"empty": -3, "monument": 0}, {}, []),
    ],
)
def test_a_town_shows_its_lines_together(typed: dict[str, int], cards: dict[str, str], wanted: list[Any]) -> None:
    assert of_town(typed, **cards) == wanted


def test_a_number_of_buildings_in_place_of_their_points_is_recognised() -> None:
    player = {"name": "A", "typed": {"cottage": 12, "chapel": 3}}
    [problem] = score({"game": "tiny_towns", "table": {"cards": FIRST}, "players": [player]})["problems"]
    question = "A count of 3 would score 12. Did you enter the count instead of the points?"
    assert problem["message"] == f"These numbers can’t all be right: Cottages 12, Chapels 3. {question}"


def test_every_clash_is_told() -> None:
    found = of_town({"cottage": 4, "tavern": 4, "chapel": 0, "empty": -2})
    assert found == [("bad_number", f"/players/0/typed/{rule}") for rule in ("cottage", "tavern")]


def test_neighbours_cannot_all_have_more_feast_halls() -> None:
    pair = {"green": "feast_hall"}
    wrong = [("lines_clash", "/players/1/typed/feast_hall")]
    assert of_town({"feast_hall": 3}, {"feast_hall": 3}, **pair) == wrong
    assert of_town({"feast_hall": 6}, {"feast_hall": 2}, **pair) == []  # 2 halls against 1
    assert of_town({"feast_hall": 6}, {"feast_hall": 6}, **pair) == []  # 3 halls each
    assert of_town({"feast_hall": 3}, {"total": 20}, **pair) == []
    # A has more than C, B more than A, and C cannot have more than B.
    assert of_town({"feast_hall": 3}, {"feast_hall": 6}, {"feast_hall": 9}, **pair) == [
        ("lines_clash", "/players/2/typed/feast_hall")
    ]


def test_the_tallest_tower_brings_nothing() -> None:
    table = {"expansions": ["villagers"], "cards": {**FIRST, "grey": "folly_tower"}}
    wrong = [("lines_clash", "/players/0/typed/folly_tower")]
    assert told("tiny_towns", table, {"folly_tower": 3}, {"folly_tower": 2}) == wrong
    assert told("tiny_towns", table, {"folly_tower": 3}, {"cottage": 3}) == []


def test_a_fact_for_a_tie_is_only_questioned() -> None:
    player = {"name": "A", "typed": {"cottage": 6, "empty": -3}, "empty_squares": 4, "cottages": 2}
    result = score({"game": "tiny_towns", "table": {}, "players": [player]})
    assert result["ok"]
    assert [(p["where"], p["level"]) for p in result["problems"]] == [("/players/0/empty_squares", "warning")]


def test_the_tables_of_touching_squares_and_markets_are_right() -> None:
    found: dict[int, set[int]] = {}
    for squares in range(1 << COUNT):
        lines = [
            max((squares & ROWS[at // SIDE]).bit_count(), (squares & COLUMNS[at % SIDE]).bit_count())
            for at in each(squares)
        ]
        found.setdefault(len(lines), set()).add(sum(lines))
    assert [found[number] for number in range(COUNT + 1)] == list(fewest_buildings.MARKETS)
    for some in range(1, 4):
        most = Counter[int]()
        for standing in combinations(range(COUNT), some):
            beside = sorted(
                (sum(BESIDE[at] >> one & 1 for one in standing) for at in {*range(COUNT)} - {*standing}), reverse=True
            )
            for others in range(some, COUNT - some + 1):
                most[others] = max(most[others], sum(beside[:others]))
        assert [most[others] for others in range(some, COUNT - some + 1)] == list(
            fewest_buildings.TOUCHING[some - 1][some - 1 :]
        )


def test_no_monument_in_the_list_brings_more_than_one_that_is_not() -> None:
    """The Silva Forum brings 1 and 15 of one type, a flat one what its card says."""
    assert all(abs(card.worth) in OTHER_MONUMENT and COUNT in OTHER_MONUMENT for card in MONUMENTS.values())


def as_typed(record: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The table with the lines of each sheet in place of its board, those that brought nothing perhaps left blank."""
    result = score(record)
    players = []
    for player in result["players"]:
        lines = Counter[str]()
        for line in player["lines"]:
            lines[line["rule"]] += line["points"]
        blank = chance.random() < 0.5
        facts = {rung["rule"]: rung["value"] for rung in player["tiebreaks"] if rung["rule"] != "chapel_order"}
        players.append(
            {
                "name": player["name"],
                "typed": {rule: points for rule, points in lines.items() if points or not blank},
                **{fact: said for fact, said in facts.items() if said is not None and chance.random() < 0.5},
            }
        )
    return {**record, "players": players}


def real_tables(game: str, number: int, chance: random.Random) -> Any:
    """Random tables that are legal, with every board entered and nothing left open."""
    box = Box(Path(games.__file__).parent)
    while number:
        record = json.loads(json.dumps(MAKERS[game](box, chance)))
        if not any("typed" in player for player in record["players"]):
            result = score(record)
            if result["ok"] and not result["needs"]:
                number -= 1
                yield record, {(problem["code"], problem["where"]) for problem in result["problems"]}


@pytest.mark.parametrize("game", MAKERS)
def test_the_sheet_of_a_real_table_is_never_doubted(game: str) -> None:
    chance = random.Random(31)
    for record, own in real_tables(game, 200, chance):
        typed = as_typed(record, chance)
        found = [problem for problem in score(typed)["problems"] if (problem["code"], problem["where"]) not in own]
        assert not found, (found, typed)
