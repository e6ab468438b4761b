"""The expansion Fortune."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.core import score
from scorer.games.tiny_towns.cards import MONUMENTS
from tests.scorer.towns import codes, points, record, sheet, why


def scored(town: str, rule: str, **facts: Any) -> int:
    """A line of a town at a table that plays Fortune, whatever cards it shows."""
    found = score(record({"grid": town, "coins": 0, **facts}, expansions=["fortune"]))
    assert found["ok"], found["problems"]
    return sum(line["points"] for line in found["players"][0]["lines"] if line["rule"] == rule)


def built(monument: str, **facts: int) -> dict[str, Any]:
    return {"monument": monument, **facts}


CASES: list[tuple[str, str, str, dict[str, Any], int]] = [
    ("a Mine is nothing", "Mn", "mine", {}, 0),
    ("a Statue is nothing", "St St St", "statue", {}, 0),
    ("a Museum is nothing", "Mu", "museum", {}, 0),
    ("an Oddity Shop is 2", "OS OS", "oddity_shop", {}, 4),
    ("a Gamblers' Den is 2", "GD", "gamblers_den", {}, 2),
    ("a Jeweler is 4", "Je", "jeweler", {}, 4),
    ("a Teahouse is 1", "Tea", "teahouse", {}, 1),
    ("Cathedrals beside each other are nothing", "Ca Ca . Ca", "cathedral", {}, 7),
    ("a Parsonage wants one fed Cottage beside it", "Pa Co TB", "parsonage", {}, 4),
    ("a Parsonage has no use for unfed ones", "Pa Co", "parsonage", {}, 0),
    ("a fed castle is a fed Cottage to a Parsonage", "Pa Mo TB", "parsonage", built("barrett_castle"), 4),
    ("a vineyard is no Cottage to a Parsonage", "Pa Mo TB", "parsonage", built("eraflage_vineyard"), 0),
    ("coins left are a point each", "Co", "coins", {"coins": 3}, 3),
    ("the Festival doubles the coins", "Mo", "coins", built("estival_festival", coins=3), 6),
    ("a Festival never built doubles nothing", "Co", "coins", built("estival_festival", coins=3), 3),
    ("a Tithe Barn feeds what stands beside it", ". Co / Co TB / Co . Co", "cottage", {}, 6),
    ("a coin feeds two Cottages anywhere", "TB . Co / . . Co", "cottage", {"coins": 1}, 6),
    ("a coin worth 2 is spent on a Cottage worth 3", "RC Mo / . . Co", "coins", built("estival_festival", coins=1), 0),
    ("a Root Cellar without coins feeds nobody", "RC Co", "cottage", {}, 0),
    ("a Root Cellar feeds a row for a coin", "RC Co Co / . . . Co", "cottage", {"coins": 1}, 6),
    ("the vineyard is 9 if fed", "TB Mo", "monument", built("eraflage_vineyard"), 7),
    ("the vineyard costs 2 for each type in its lines", "We Mo We / . Co", "monument", built("eraflage_vineyard"), -4),
    ("the vineyard can be fed by a Farm", "Mo . . / . Fa", "monument", built("eraflage_vineyard"), 9),
    ("the Treasury counts Cottages beside it", "Co Mo Co / . We", "monument", built("treasury_at_okaver"), 2),
    ("the Hill costs 2 a swap", "Mo", "monument", built("hollow_hill", hollow_hill_swaps=4), -1),
    ("the Windseed Shrine is nothing", "Mo", "monument", built("shrine_of_the_windseed"), 0),
    ("the Grotto is 2", "Mo", "monument", built("caterinas_grotto"), 2),
    ("the Promenade is 3", "Mo", "monument", built("petal_promenade"), 3),
    ("the Masons' Guild is 3", "Mo", "monument", built("masons_guild"), 3),
    ("the Forge is 1", "Mo", "monument", built("prism_forge"), 1),
    ("the Semaphore is 1", "Mo", "monument", built("southern_semaphore"), 1),
]  # fmt: skip


@pytest.mark.parametrize(("town", "rule", "facts", "wanted"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_fortune(town: str, rule: str, facts: dict[str, Any], wanted: int) -> None:
    assert scored(town, rule, **facts) == wanted


def test_a_fifth_coin_beside_a_monument_without_a_card_is_no_surprise() -> None:
    entered = record({"grid": "Mo", "coins": 5}, expansions=["fortune"])
    assert ("monument_without_card", "/players/0/monument") in codes(entered)


def test_coins_of_a_base_game_count_nothing() -> None:
    assert points("Co", "coins", coins=3) == 0


def test_a_base_game_has_no_coins_line() -> None:
    assert "coins" not in [line["rule"] for line in sheet("Co")["lines"]]


def test_the_coins_line_tells_what_was_spent() -> None:
    assert why("TB . Co / . . Co", "coins", coins=3) == "2 coins left. 1 of 3 coins spent to feed. 1 each"
    assert (
        why("TB . Co / . . Co", "tithe_barn", coins=3) == "A1 feeds nothing beside it. 1 coin spent to feed C1 and C2"
    )


def test_coins_can_be_forgotten_but_not_unnoticed() -> None:
    assert codes(record("Mn"), "warning") == [("coins_not_given", "/players/0/coins")]


def test_a_chest_has_room_for_four_coins_or_five() -> None:
    assert codes(record({"grid": "Mn", "coins": 6})) == [("too_many_coins", "/players/0/coins")]
    assert codes(record({"grid": "Mn", "coins": 5}), "warning") == [("fifth_coin", "/players/0/coins")]
    assert codes(record({"grid": "Mn Mo", "coins": 5, "monument": "estival_festival"}), "warning") == []


def test_hollow_hill_needs_its_swaps() -> None:
    entered = record({"grid": "Mo", "coins": 0, "monument": "hollow_hill"}, expansions=["fortune"])
    assert codes(entered) == [("missing_field", "/players/0/hollow_hill_swaps")]


def test_what_is_removed_from_fortune_is_only_asked_about() -> None:
    assert codes(record({"grid": "OS", "coins": 0}, mode="solo"), "warning") == [("not_in_solo", "/table/cards/black")]
    assert codes(record({"grid": "OS", "coins": 0}, mode="town_hall"), "warning") == [
        ("not_in_town_hall", "/table/cards/black")
    ]


CHEST = ["caterinas_grotto", "estival_festival", "petal_promenade", "shrine_of_the_windseed"]


@pytest.mark.parametrize("monument", [card.id for card in MONUMENTS.values() if card.expansion == "fortune"])
def test_a_fifth_coin_is_silent_beside_four_monuments(monument: str) -> None:
    entered = record({"grid": "Mn Mo", "coins": 5, "monument": monument, "hollow_hill_swaps": 0})
    asked = [code for code, _ in codes(entered, "warning") if code == "fifth_coin"]
    assert asked == ([] if monument in CHEST else ["fifth_coin"])


SCHOOL = "Co Sc . Sc / Fa"  # the first one stands beside a fed Cottage
TOGETHER: dict[str, Any] = {}
APART: dict[str, Any] = {"rulings": {"schoolhouse": "apart"}}


@pytest.mark.parametrize(
    ("coins", "right", "table", "wanted"),
    [
        (3, 4, TOGETHER, 2),
        (3, 3, TOGETHER, 4),
        (3, 2, TOGETHER, 4),
        (3, 4, APART, 2),
        (3, 3, APART, 6),
    ],
)
def test_a_schoolhouse_looks_at_food_and_coins(coins: int, right: int, table: dict[str, Any], wanted: int) -> None:
    found = score(record({"grid": SCHOOL, "coins": coins}, {"grid": "Co", "coins": right}, **table))
    lines = {line["rule"]: line["points"] for line in found["players"][0]["lines"]}
    assert lines["schoolhouse"] == wanted


def test_a_schoolhouse_compares_the_coins_that_were_entered_not_those_left() -> None:
    town = {"grid": "Co Sc . / . . TB / . . . Co", "coins": 3}
    [ann, _] = score(record(town, {"grid": "Mn", "coins": 3}))["players"]
    lines = {line["rule"]: line["points"] for line in ann["lines"]}
    assert (lines["schoolhouse"], lines["coins"], lines["cottage"]) == (4, 2, 6)


def test_a_fed_castle_is_a_fed_cottage_to_a_schoolhouse_and_a_vineyard_is_none() -> None:
    assert scored("Sc Mo Fa", "schoolhouse", monument="barrett_castle", right_coins=9) == 2
    assert scored("Sc Mo Fa", "schoolhouse", monument="eraflage_vineyard", right_coins=9) == 0


def test_coins_on_the_right_are_asked_for_where_they_matter() -> None:
    alone = score(record({"grid": SCHOOL, "coins": 2}))
    assert [need["input"] for need in alone["needs"]] == ["right_coins"]
    assert score(record({"grid": SCHOOL, "coins": 2, "right_coins": 2}))["needs"] == []
    typed = score(record({"grid": SCHOOL, "coins": 2}, {"typed": {"coins": 2}}))
    assert [need["where"] for need in typed["needs"]] == [["/players/0/right_coins"]]
    assert score(record({"grid": SCHOOL, "coins": 2}, {"grid": "Co", "coins": 1}))["needs"] == []


def test_food_goes_to_the_schoolhouse() -> None:
    """One coin for 2 of three Cottages: among them the one at the Schoolhouse."""
    assert scored("Co . Co . / . TB . . / Sc Co", "schoolhouse", coins=1, right_coins=9) == 2
    assert scored("Co . Co . / . . TB . / . . . . / Sc Co", "schoolhouse", coins=0, right_coins=0) == 0


def test_every_monument_of_fortune_has_its_pattern() -> None:
    assert all(card.pattern for card in MONUMENTS.values() if card.expansion)
