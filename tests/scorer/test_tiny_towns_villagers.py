"""The expansion Villagers: every card alone, beside the castle and beside each feeder; what is asked; how quickly."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from scorer.contract import choices_of
from scorer.core import load, score
from scorer.games.tiny_towns import GAME
from scorer.games.tiny_towns.cards import BUILDINGS, MONUMENTS
from scorer.games.tiny_towns.inputs import asks
from tests.scorer import villagers_by_force as force
from tests.scorer.towns import codes, points, record, result, why

PLAY: dict[str, Any] = {"expansions": ["fortune", "villagers"]}
MAY: dict[str, Any] = {"rulings": {"feeding": "may"}}


def line(town: str, rule: str, table: dict[str, Any] | None = None, **facts: Any) -> int:
    """One line of a town at a table that plays all boxes."""
    found = score(record({"grid": town, **facts}, **{**PLAY, **(table or {})}))
    assert found["ok"], found["problems"]
    return sum(one["points"] for one in found["players"][0]["lines"] if one["rule"] == rule)


CASTLE: dict[str, Any] = {"monument": "barrett_castle"}
VINEYARD: dict[str, Any] = {"monument": "eraflage_vineyard"}
CASES: list[tuple[str, str, str, dict[str, Any], int]] = [
    # red
    ("a Grange feeds beside the best type", "Co We Co / . Co . / Ga . Ta Co", "cottage", {}, 9),
    ("a Grange may pick red itself", "Co Ga Co", "cottage", {}, 6),
    ("a Grange may pick the monument", "Co Mo Co / . Co . / . . . Ga", "cottage", {"monument": "silva_forum"}, 9),
    ("a Grange never picks Cottages", "Co Co Co / . . . Ga", "cottage", {}, 0),
    ("the castle is of the Cottages' type", "Co Mo Co / . . . Ga", "cottage", CASTLE, 0),
    ("a Grange feeds the castle", "Mo We / . . . Ga", "monument", CASTLE, 5),
    ("the vineyard is a type and feeds what is beside it", "Co Mo Co / . . . . / . . . Ga", "cottage", VINEYARD, 6),
    ("but not itself", "Mo Co / . . . . / . . . Ga", "monument", VINEYARD, -2),
    ("two Granges pick two types", "Co We . Ta / . . . Co / Ga Ga", "cottage", {}, 6),
    ("one Grange picks one", "Co We . Ta / . . . Co / Ga .", "cottage", {}, 3),
    ("a Grange does not look diagonally", "Ga . / . Co", "cottage", {}, 0),
    ("a Nectar Farm feeds an even number", "Co Co . NF", "cottage", {}, 6),
    ("a Nectar Farm feeds nobody of an odd one", "Co Co Co NF", "cottage", {}, 0),
    ("the castle makes three Cottages even", "Co Co Co NF / Mo", "monument", CASTLE, 5),
    ("the vineyard does too", "Co NF / . Mo", "cottage", VINEYARD, 3),
    ("a second Nectar Farm changes nothing", "Co NF NF", "cottage", {}, 0),
    ("a Patch feeds those that stand apart", "Co . Co / . Co . Co / VP", "cottage", {}, 12),
    ("a Patch feeds six", "Co . Co . / . Co . Co / Co . Co . / VP Co . Co", "cottage", {}, 18),
    ("two Patches feed twelve", "Co . Co . / . Co . Co / Co . Co . / VP Co VP Co", "cottage", {}, 24),
    ("a Patch cannot feed a pair", "Co Co . VP", "cottage", {}, 0),
    ("the castle blocks a Cottage beside it", "Co Mo . VP", "cottage", CASTLE, 0),
    ("the vineyard does too, fed or not", "Co Mo . VP", "cottage", VINEYARD, 0),
    # grey
    ("a Hearth is nothing", "He He", "hearth", {}, 0),
    ("an Outhouse is 1", "Ou Ou", "outhouse", {}, 2),
    ("a tower scores its height", "FT", "folly_tower", {"folly_tower_height": 4, "tallest_other_tower": 5}, 4),
    ("the tallest tower is nothing", "FT", "folly_tower", {"folly_tower_height": 4, "tallest_other_tower": 3}, 0),
    ("nor is one of the tallest", "FT", "folly_tower", {"folly_tower_height": 4, "tallest_other_tower": 4}, 0),
    ("the only tower is the tallest", "FT", "folly_tower", {"folly_tower_height": 9, "tallest_other_tower": 0}, 0),
    # orange
    ("a Monastery without a fed Cottage is 1", "My Co / . My", "monastery", {}, 2),
    ("beside a fed Cottage it is 1", "My Co Ga / . . .", "monastery", {}, 1),
    ("corner to corner it is 6", "My . . . / . . . . / . . . . / Or . . Co", "monastery", {}, 6),
    ("an unfed Cottage does not count", "My Co . . / . . . . / . . . . / Or . . Co", "monastery", {}, 6),
    ("nothing blocks the way", "My Ta Co Ga", "monastery", {}, 2),
    ("each looks for itself", "My My Co Ga", "monastery", {}, 3),
    ("a fed castle is a fed Cottage to it", "My Mo / . Ga", "monastery", CASTLE, 1),
    ("a vineyard is none", "My Mo Gr / . . . Co", "monastery", VINEYARD, 4),
    # green
    ("a Brewery wants three types", "Br We / Co", "brewery", {}, 0),
    ("a Brewery with three types", "We Br Co / . Fa", "brewery", {}, 3),
    ("a Brewery counts types once", "We Br We / . Co", "brewery", {}, 0),
    ("another Brewery is a type", "We Br Co / . Br . ", "brewery", {}, 3),
    ("two Breweries", "We Br Co / Fa Br Th", "brewery", {}, 7),
    ("a monument is a type", "We Br Co / . Mo", "brewery", {"monument": "silva_forum"}, 3),
    ("the castle is a Cottage", "We Br Co / . Mo", "brewery", CASTLE, 0),
    ("the tower is grey", "FT Br Co / . Th", "brewery", {"folly_tower_height": 3, "tallest_other_tower": 9}, 3),
    ("one in a corner never counts", "Br We / Co . / Th", "brewery", {}, 0),
    ("a fifth Brewery adds nothing", "We Br Co . / Br Th Br Fa / Co Br Ch Br / . . . We", "brewery", {}, 18),
    ("a Travelers' Center is 2", "TC TC", "travelers_center", {}, 4),
    # yellow
    ("a Blacksmith is 1", "Bs Bs", "blacksmith", {}, 2),
    ("a Blacksmith with a cube is nothing", "Bs Bs", "blacksmith", {"blacksmith_cubes": {"B1": 1}}, 1),
    ("a Blacksmith is yellow", "Mi Bs", "millstone", {}, 2),
    ("a Blacksmith disturbs an Abbey", "Ab Bs", "abbey", {}, 0),
    # black
    ("a Forge is nothing", "Fg", "forge", {}, 0),
    ("a Citadel is 1", "Ci Ci Ci", "citadel", {}, 3),
    ("a Post Office is nothing", "PO PO", "post_office", {}, 0),
    # monuments
    ("the Quarry wants an empty square beside it", "Mo Co / Co .", "monument", {"monument": "clearfall_quarry"}, 0),
    ("the Quarry with one", "Mo Co / . Co", "monument", {"monument": "clearfall_quarry"}, 5),
    (
        "a villager leaves a square empty",
        "Mo Co / . Co",
        "monument",
        {"monument": "clearfall_quarry", "villagers": ["A2"]},
        5,
    ),
    ("the Library is 5", "Mo", "monument", {"monument": "halfmoon_library"}, 5),
    ("the Northern Semaphore is nothing", "Mo", "monument", {"monument": "northern_semaphore"}, 0),
    ("the tower is one building to the Forum", "Mo FT", "monument", {
        "monument": "silva_forum", "folly_tower_height": 9, "tallest_other_tower": 1}, 2),
    ("what is in no list is counted by its owner", "Xn Xn", "other_green", {"typed_points": {"other_green": 7}}, 7),
    ("a monument too", "Mo", "monument", {"monument": "other_monument", "typed_points": {"other_monument": -2}}, -2),
    ("its colour counts for others", "Mi Xy", "millstone", {"typed_points": {"other_yellow": 0}}, 2),
    ("it is a monument to others", "Th Mo", "theater", {
        "monument": "other_monument", "typed_points": {"other_monument": 0}}, 1),
]  # fmt: skip


@pytest.mark.parametrize(("town", "rule", "facts", "wanted"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_villagers(town: str, rule: str, facts: dict[str, Any], wanted: int) -> None:
    assert line(town, rule, right_feast_halls=0, **facts) == wanted


FEEDERS = [card for card in BUILDINGS.values() if card.colour == "red"]
NEW = [card for card in BUILDINGS.values() if card.expansion == "villagers" and card.colour != "red"]
BESIDE_THEM = [("", "Mo"), ("barrett_castle", "Mo"), ("eraflage_vineyard", "Mo"), ("clearfall_quarry", "Mo")]


@pytest.mark.parametrize("feeder", FEEDERS, ids=lambda card: card.id)
@pytest.mark.parametrize("card", NEW, ids=lambda card: card.id)
def test_every_card_beside_each_feeder_and_the_castle(card: Any, feeder: Any) -> None:
    """Against the scorer by force, which tries every feeding."""
    for monument, _ in BESIDE_THEM:
        for ruling in ("must", "may"):
            squares = f"Co {card.mark} . Co / {feeder.mark} Co Mo . / . {card.mark} Co {feeder.mark} / Co . . Co"
            if card.id == "folly_tower":
                squares = squares.replace("FT", ".", 1)
            if not monument:
                squares = squares.replace("Mo", "Co")
            facts: dict[str, Any] = {"coins": 2, "folly_tower_height": 2, "tallest_other_tower": 3}
            facts |= {"monument": monument} if monument else {}
            entered = record({"grid": squares, **facts}, **PLAY, rulings={"feeding": ruling})
            town = force.Town(force.read(entered["players"][0]), monument, 2, height=2, tallest_elsewhere=3)
            town.rulings = {"feeding": ruling}
            found = score(entered)
            assert found["players"][0]["total"] == force.best(town), (monument, ruling, found["problems"])


# -- rulings -----------------------------------------------------------------------------------------------------------


def test_a_table_may_take_the_cubes_off_its_blacksmiths_first() -> None:
    table = {"rulings": {"blacksmith_cube": "removed"}}
    assert line("Bs Bs", "blacksmith", table, blacksmith_cubes={"A1": 1}) == 2


def test_a_farm_must_feed_its_four_unless_the_table_says_may() -> None:
    town = "My Co . Fa / Mo . . . / . . . . / . . . Co"
    mausoleum: dict[str, Any] = {"monument": "grand_mausoleum_of_the_rodina"}  # it makes food worthless
    assert line(town, "monastery", **mausoleum) == 1
    assert line(town, "monastery", MAY, **mausoleum) == 6


def test_a_patch_may_always_feed_fewer() -> None:
    town = "My Co . VP / Mo . . . / . . . . / . . . Co"
    assert line(town, "monastery", monument="grand_mausoleum_of_the_rodina") == 6


def test_coins_may_always_be_kept_and_a_spent_one_feeds_two() -> None:
    town = "My Co . . / . . . . / TB . . Mo / . . . Co"
    festival: dict[str, Any] = {"monument": "estival_festival", "coins": 1}
    assert line(town, "coins", **festival) == 0  # 6 for food and 1 for the Monastery, against 2 and 1


def test_a_coin_that_is_kept_feeds_nobody() -> None:
    """A coin feeds 2, or 1 if one may; what is not spent is a point and keeps all three Monasteries at 1."""
    town = ". . Mo . / . My Co Co / My . . Co / . TB . My"
    mausoleum: dict[str, Any] = {"monument": "grand_mausoleum_of_the_rodina", "coins": 2}
    spent = {coins: result({"grid": town, **mausoleum, "coins": coins}, **PLAY, **MAY) for coins in (0, 1, 2)}
    # From B2, A3 and D4 it is 1, 3 and 3 steps to C2, 2, 4 and 2 to D2, 3, 3 and 1 to D3: D2 is fed, once there is a
    # coin. Three Cottages are 9, fed or not, and 8 squares are empty.
    assert [found["players"][0]["total"] for found in spent.values()] == [9 - 8 + 3, 9 - 8 + 8, 9 - 8 + 8 + 1]


def test_no_monastery_no_difference() -> None:
    town = "Te Co Co Fa / Co Co . Co"
    assert line(town, "cottage", MAY) == line(town, "cottage") == 12


# -- towers ------------------------------------------------------------------------------------------------------------


def towers(*heights: int, **table: Any) -> list[int]:
    towns = [{"grid": "FT", "folly_tower_height": height} if height else {"grid": "Co"} for height in heights]
    found = result(*towns, **PLAY, **table)["players"]
    return [sum(one["points"] for one in player["lines"] if one["rule"] == "folly_tower") for player in found]


@pytest.mark.parametrize(
    ("heights", "wanted"),
    [
        ((4, 4, 3), [0, 0, 3]),
        ((5, 2), [0, 2]),
        ((2, 2), [0, 0]),
        ((1, 0), [0, 0]),
        ((7, 6, 5, 4, 3, 2), [0, 6, 5, 4, 3, 2]),
    ],
)
def test_every_tower_but_the_tallest_scores(heights: tuple[int, ...], wanted: list[int]) -> None:
    assert towers(*heights) == wanted


TOWER: dict[str, Any] = {"grid": "FT", "folly_tower_height": 3}


def asked_of(*towns: Any) -> list[str]:
    return [need["input"] for need in score(record(*towns))["needs"]]


def test_the_tallest_tower_elsewhere_is_asked_for_where_a_town_is_missing() -> None:
    assert asked_of(TOWER) == ["tallest_other_tower"]
    assert asked_of({**TOWER, "tallest_other_tower": 0}) == []
    assert asked_of(TOWER, {"typed": {"total": 3}}) == ["tallest_other_tower"]
    assert asked_of(TOWER, {"typed": {"folly_tower": 4}}) == []  # it scored, so it has 4 levels
    assert asked_of(TOWER, {"grid": "Co Co"}) == []
    assert asked_of(TOWER, {**TOWER, "folly_tower_height": 4}, {"typed": {}}) == ["tallest_other_tower"]


def test_nobody_is_asked_about_a_tower_that_is_known_not_to_be_the_tallest() -> None:
    found = score(record(TOWER, {**TOWER, "folly_tower_height": 4}, {"typed": {}}))
    assert [need["where"] for need in found["needs"]] == [["/players/1/tallest_other_tower"]]
    assert found["players"][0]["lines"][0]["points"] == 3


def test_until_the_answer_a_tower_shows_nothing() -> None:
    assert points("FT", "folly_tower", folly_tower_height=3) == 0
    assert "until" in why("FT", "folly_tower", folly_tower_height=3)


def test_what_is_entered_and_what_stands_here_are_compared_alike() -> None:
    found = result({**TOWER, "tallest_other_tower": 2}, {**TOWER, "folly_tower_height": 5}, {"typed": {}})
    assert found["players"][0]["lines"][0]["points"] == 3


# -- reasons -----------------------------------------------------------------------------------------------------------

REASONS = [
    ("Co We . Ta / . . . Co / Ga Ga", "grange", {}, "A3 and B3 feed A1 and D2. Chosen types: Well, Tavern"),
    ("Co NF", "nectar_farm", {}, "The number of buildings with the feed symbol is odd (1), so nothing is fed"),
    (
        "Co Co / . Co . Co / . . VP .",
        "vegetable_patch",
        {},
        "C3 feeds D2. Can’t be fed, because another building with the feed symbol is beside it: A1, B1 and B2",
    ),
    ("FT", "folly_tower", {"folly_tower_height": 1, "tallest_other_tower": 2}, "1 level, and a taller tower has 2"),
    ("My . Co Ga", "monastery", {}, "A1 is 2 steps from its nearest fed Cottage, C1: 2"),
    ("My Co", "monastery", {}, "There is no fed Cottage: 1 each"),
    (
        "We Br Co / Br Th",
        "brewery",
        {},
        "B1 has 3 or more building types beside it: 3. A2 has fewer: 0",
    ),
    ("Bs Bs", "blacksmith", {"blacksmith_cubes": {"A1": 1}}, "B1 has no cube: 1. A1 has a cube: 0"),
    ("Mo Co / .", "monument", {"monument": "clearfall_quarry"}, "A2 beside it is empty: 5"),
]


@pytest.mark.parametrize(("town", "rule", "facts", "wanted"), REASONS)
def test_why(town: str, rule: str, facts: dict[str, Any], wanted: str) -> None:
    assert why(town, rule, **facts) == wanted


def test_a_card_of_no_list_goes_by_the_name_the_table_gave_it() -> None:
    town = {"grid": "Xy Mo", "typed_points": {"other_yellow": 2, "other_monument": 3}}
    named = {"monument": "other_monument", "monument_name": "Larkstone"}
    entered = record({**town, **named}, card_names={"yellow": "Cobbler"})
    labels = [one["label"] for one in score(entered)["players"][0]["lines"]]
    assert labels[:2] == ["Cobbler", "Larkstone"]


# -- what is illegal, what is doubtful ---------------------------------------------------------------------------------

SMITH: dict[str, Any] = {"grid": "Bs Co", "blacksmith_cubes": {"A1": 1}}
ILLEGAL = [
    ({**TOWER, "grid": "FT FT"}, "two_folly_towers", "/grid/0/1"),
    ({"grid": "FT"}, "missing_field", "/folly_tower_height"),
    ({**TOWER, "folly_tower_height": 0}, "folly_tower_height", "/folly_tower_height"),
    ({**TOWER, "folly_tower_height": -2}, "folly_tower_height", "/folly_tower_height"),
    ({**TOWER, "folly_tower_height": "tall"}, "bad_number", "/folly_tower_height"),
    ({**SMITH, "villagers": ["A1", "B1", "C1", "D1"]}, "too_many_villagers", "/villagers"),
    ({**SMITH, "villagers": ["A1", "A1"]}, "villagers_share_a_square", "/villagers/1"),
    ({**SMITH, "villagers": ["E1"]}, "unknown_square", "/villagers/0"),
    ({**SMITH, "blacksmith_cubes": {"A1": 2}}, "too_many_cubes", "/blacksmith_cubes/A1"),
    ({**SMITH, "blacksmith_cubes": {"B1": 1}}, "no_blacksmith_there", "/blacksmith_cubes/B1"),
    ({**SMITH, "blacksmith_cubes": {"Z1": 1}}, "unknown_square", "/blacksmith_cubes/Z1"),
    ({"grid": "Xy"}, "missing_field", "/typed_points/other_yellow"),
    ({"grid": "Mo", "monument": "other_monument"}, "missing_field", "/typed_points/other_monument"),
    ({"grid": "Co", "typed_points": {"well": 3}}, "unknown_field", "/typed_points/well"),
]


@pytest.mark.parametrize(("town", "code", "where"), ILLEGAL)
def test_illegal(town: dict[str, Any], code: str, where: str) -> None:
    assert codes(record(town, **PLAY)) == [(code, f"/players/0{where}")]


DOUBTFUL = [
    (
        {**TOWER, "folly_tower_height": 19, "tallest_other_tower": 1},
        PLAY,
        "tall_tower",
        "/players/0/folly_tower_height",
    ),
    ({"grid": "Co", "folly_tower_height": 2}, {}, "not_needed", "/players/0/folly_tower_height"),
    ({"grid": "Co", "tallest_other_tower": 2}, {}, "not_needed", "/players/0/tallest_other_tower"),
    ({"grid": "Co", "blacksmith_cubes": {"A1": 1}}, {}, "not_needed", "/players/0/blacksmith_cubes/A1"),
    ({"grid": "Co", "villagers": ["A1"]}, {}, "not_needed", "/players/0/villagers"),
    ({"grid": "Co", "right_coins": 2}, {}, "not_needed", "/players/0/right_coins"),
    ({"grid": "Co", "typed_points": {"other_green": 2}}, {}, "not_needed", "/players/0/typed_points/other_green"),
    ({"grid": "Co"}, {"villager_cards": ["forage"]}, "not_needed", "/table/villager_cards"),
    ({"grid": "Co"}, {"tiny_tears": True}, "not_needed", "/table/tiny_tears"),
    (SMITH, {"villager_cards": ["forage", "scrap"]}, "villager_cards", "/table/villager_cards"),
    (SMITH, {"villager_cards": ["innovate", "renovate"]}, "villager_cards", "/table/villager_cards"),
    (SMITH, {"villager_cards": ["forage", "solicit"]}, "villager_cards", "/table/villager_cards"),
]


@pytest.mark.parametrize(("town", "table", "code", "where"), DOUBTFUL)
def test_doubtful_but_scored(town: dict[str, Any], table: dict[str, Any], code: str, where: str) -> None:
    entered = record({"coins": 0, **town} if table is PLAY else town, **table)
    assert score(entered)["ok"]
    assert codes(entered, "warning") == [(code, where)]


@pytest.mark.parametrize("cubes", [{}, {"blacksmith_cubes": {"A1": 0}}])
def test_a_blacksmith_s_cube_is_asked_for(cubes: dict[str, Any]) -> None:
    entered = record({"grid": "Bs Co", **cubes})
    assert codes(entered, "warning") == [("blacksmith_cubes_not_given", "/players/0/blacksmith_cubes")]
    assert codes(record({"grid": "Bs Co", **cubes}, rulings={"blacksmith_cube": "removed"}), "warning") == []


def test_villager_cards_that_are_played_together_pass_in_silence() -> None:
    for cards in (["forage", "renovate"], ["scrap", "innovate"], []):
        assert codes(record(SMITH, villager_cards=cards), "warning") == []
    assert codes(record({**SMITH, "coins": 1}, villager_cards=["scrap", "solicit"], **PLAY), "warning") == []


def test_cards_of_villagers_need_the_expansion() -> None:
    assert codes(record("He", expansions=[])) == [("expansion_not_in_play", "/table/cards/grey")]
    assert codes(record("He", expansions=["fortune"])) == [("expansion_not_in_play", "/table/cards/grey")]


def test_solo_has_no_folly_tower() -> None:
    assert codes(record(TOWER, mode="solo")) == [("not_in_solo", "/table/cards/grey")]
    assert codes(record("He", mode="solo")) == []


def test_two_players_may_each_hold_a_monument_of_no_list() -> None:
    other = {"grid": "Mo", "monument": "other_monument", "typed_points": {"other_monument": 1}}
    assert codes(record(other, other)) == []


# -- forms -------------------------------------------------------------------------------------------------------------


def asked(entered: dict[str, Any], index: int | None = 0) -> list[str]:
    return [one.name for one in asks(load(GAME, entered), index)]


def test_a_town_asks_for_what_it_needs() -> None:
    assert asked(record(TOWER))[1:3] == ["folly_tower_height", "tallest_other_tower"]
    assert asked(record(TOWER, {"grid": "Co"}))[1:2] == ["folly_tower_height"]
    assert "tallest_other_tower" not in asked(record(TOWER, {"grid": "Co"}))
    assert asked(record("Bs . Bs"))[1:3] == ["blacksmith_cubes/A1", "blacksmith_cubes/C1"]
    assert "blacksmith_cubes/A1" not in asked(record("Bs", rulings={"blacksmith_cube": "removed"}))
    assert "right_coins" in asked(record({"grid": "Sc", "coins": 1}))
    assert "right_coins" not in asked(record({"grid": "Sc", "coins": 1}, {"grid": "Co", "coins": 1}))
    assert "typed_points/other_green" in asked(record("Xn"))
    assert asked(record({"grid": "Mo", "monument": "other_monument"}))[1:4] == [
        "monument",
        "typed_points/other_monument",
        "monument_name",
    ]


def test_rulings_and_names_are_offered_with_their_cards_only() -> None:
    def offered(town: str) -> set[str]:
        return {name for name in asked(record(town), None) if name.startswith(("rulings/", "card_names/"))}

    assert offered("Co") == set()
    assert offered("My Bs") == {"rulings/feeding", "rulings/blacksmith_cube"}
    assert offered("Sc Xy") == {"rulings/schoolhouse", "card_names/yellow"}


def test_the_table_asks_for_villager_cards_with_villagers_only() -> None:
    assert "villager_cards" not in asked(record("Co"), None)
    assert {"villager_cards", "tiny_tears"} <= set(asked(record("He"), None))
    [cards] = [one for one in asks(load(GAME, record("He")), None) if one.name == "villager_cards"]
    assert "solicit" not in [choice.value for choice in choices_of(cards)]


# -- one swap away -----------------------------------------------------------------------------------------------------


def test_a_cube_goes_with_its_blacksmith_and_a_tower_keeps_its_height() -> None:
    assert GAME.what_if is not None
    best = GAME.what_if.best(GAME.load(record({"grid": "Bs . . Mi / . Co", "blacksmith_cubes": {"A1": 1}})), 0)
    assert best is not None and "Blacksmiths" not in best.why and "Millstones +2" in best.why
    high = {"grid": "FT . Mo . / . Co", "folly_tower_height": 3, "monument": "mandras_palace"}
    tower = record(high, {**TOWER, "folly_tower_height": 4})
    best = GAME.what_if.best(GAME.load(tower), 0)
    assert best is not None and "Folly Towers" not in best.why


# -- how far we look ---------------------------------------------------------------------------------------------------

# Found by climbing: for each red card the towns that took most to feed.
WORST = [
    ("Co Co My Co / . Mo Sc My / My My Co My / Co Fa Co Co", VINEYARD),
    ("Co My Fa My / Co My My Co / Co Fa Co Co / My My Mo My", CASTLE),
    ("My Co Co Co / My Co Gr My / My My Co Co / Co Gr We My", {}),
    ("Gh Co Gh Co / Co Gh Co My / Gh Co My Co / Co My Mo Gh", VINEYARD),
    ("Co Gh Co My / My Mo My Co / Co My Co Gh / Gh Co Gh Co", VINEYARD),
    ("Co Co Co Co / Co Co Co RC / Co Co Co Co / Co My Co Mo", VINEYARD),
    ("My Co Co Co / Co Co Co My / My RC Co My / Co My Co Co", {}),
    ("My My Co My / Co Co Co Mo / Co Co TB My / Co My My Co", CASTLE),
    ("My My Ga My / Co Co Co My / Th Ga Co Th / Co Ci Co My", {}),
    ("My Co My Th / Co My My Co / My Co VP My / Co My Mo My", CASTLE),
]  # fmt: skip
STEPS = 330_000  # lines of Python: about 10 ms
ORDINARY = 40_000  # with the ruling we play by: about 1 ms


def steps(entered: dict[str, Any]) -> int:
    """Return how many lines of code it takes to score a table: the same on every machine."""
    state, count = GAME.load(entered), 0

    def trace(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        GAME.score(state)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(("town", "facts"), WORST)
@pytest.mark.parametrize("ruling", ["must", "may"])
def test_the_worst_towns_are_fed_in_a_moment(town: str, facts: dict[str, Any], ruling: str) -> None:
    entered = record({"grid": town, "coins": 5, **facts}, **PLAY, rulings={"feeding": ruling})
    assert steps(entered) < (ORDINARY if ruling == "must" else STEPS)


def test_every_new_card_is_tried() -> None:
    used = " ".join([*(town for _, town, *_ in CASES), *(str(facts) for *_, facts, _ in CASES)])
    marks = {card.mark for card in BUILDINGS.values() if card.expansion == "villagers"}
    assert marks <= set(used.split())
    assert {card.id for card in MONUMENTS.values() if card.expansion == "villagers"} <= set(used.split("'"))


# -- a random set ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["standard", "town_hall", "solo"])
@pytest.mark.parametrize("expansions", [[], ["fortune"], ["villagers"], ["fortune", "villagers"]])
def test_what_is_dealt_is_legal_and_asks_nothing(mode: str, expansions: list[str]) -> None:
    assert GAME.deal is not None
    seen = set()
    for _ in range(60):
        entered = record({"grid": "Co", "coins": 0} if "fortune" in expansions else "Co", mode=mode)
        entered["table"]["expansions"] = expansions
        for path, value in GAME.deal.draw(load(GAME, entered)).items():
            *way, last = path.split("/")
            (entered["table"][way[0]] if way else entered["table"])[last] = value
        assert score(entered)["problems"] == []
        seen |= {BUILDINGS[card].expansion for card in entered["table"]["cards"].values()}
    assert seen == {"", *expansions}
