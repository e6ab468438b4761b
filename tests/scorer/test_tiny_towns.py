"""The cards of Tiny Towns, one clarification at a time: the base game's buildings and monuments."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.core import score
from scorer.games.tiny_towns import GAME
from scorer.games.tiny_towns.cards import BUILDINGS, MONUMENTS, OPTIONS
from scorer.report import as_text
from tests.scorer.towns import codes, points, record, result, sheet, why

BASE = {
    colour: [card for card in cards if not (BUILDINGS[card].expansion or BUILDINGS[card].typed)]
    for colour, cards in OPTIONS.items()
}
BASE_MONUMENTS = [card.id for card in MONUMENTS.values() if not (card.expansion or card.typed)]

BUILDING_CASES = [
    # grey
    ("a Well counts fed and unfed Cottages alike", "Co We Co / . Co", "well", 3),
    ("a Well does not look diagonally", "Co . Co / . We . / Co . Co", "well", 0),
    ("two Wells share a Cottage", "We Co We", "well", 2),
    ("a Fountain scores 2 however many stand beside it", "Fo Fo Fo / . Fo", "fountain", 8),
    ("Fountains on a diagonal are alone", "Fo . / . Fo", "fountain", 0),
    ("a Millstone scores once for red and yellow", "Fa Mi Th", "millstone", 2),
    ("a Millstone has no use for a black neighbour", "Fy Mi Ch", "millstone", 0),
    ("a Shed is always 1", "Sh Sh / . . Sh", "shed", 3),
    # orange
    ("each Chapel counts all fed Cottages", "Co Co Fa / Ch Ch", "chapel", 4),
    ("an Abbey is disturbed by green", "Ab Ta", "abbey", 0),
    ("an Abbey is disturbed by yellow", "Ab Th", "abbey", 0),
    ("an Abbey is disturbed by black", "Ab Wh", "abbey", 0),
    ("an Abbey does not mind red, grey, blue and its like", "Fa Ab Ab We / . Co", "abbey", 6),
    ("an Abbey does not mind what stands diagonally", "Ab . / . Ta", "abbey", 3),
    ("a Cloister outside the corners counts those inside", "Cl . . Cl / . Cl", "cloister", 6),
    ("Cloisters in all four corners are 4 each", "Cl . . Cl / . . . . / . . . . / Cl . . Cl", "cloister", 16),
    ("a Cloister alone in the middle is nothing", ". . / . Cl", "cloister", 0),
    ("a Temple wants two fed Cottages beside it", "Co Te Co / Fa", "temple", 4),
    ("a Temple between unfed Cottages is nothing", "Co Te Co", "temple", 0),
    ("a Temple does not look diagonally", "Te Co / . Co / Fa", "temple", 0),
    # green
    ("a sixth Tavern adds nothing", "Ta Ta Ta Ta / Ta Ta", "tavern", 20),
    ("one Almshouse costs a point", "Al", "almshouse", -1),
    ("three Almshouses cost three", "Al Al Al", "almshouse", -3),
    ("five Almshouses cost five", "Al Al Al Al / Al", "almshouse", -5),
    ("six Almshouses are 26", "Al Al Al Al / Al Al", "almshouse", 26),
    ("eight Almshouses are still 26", "Al Al Al Al / Al Al Al Al", "almshouse", 26),
    ("both Inns of a line get nothing, whatever stands between", "In Fa We In / . In", "inn", 3),
    ("Inns on a diagonal do not disturb each other", "In . / . In / . . In / . . . In", "inn", 12),
    # yellow
    ("a Theater counts a type in row and column once", "Th We We / We . / Fa", "theater", 2),
    ("a Theater never counts yellow", "Th Th / Th", "theater", 0),
    ("a Theater counts fed and unfed Cottages as one type", "Th Co . . / . . . . / . . . . / Co . . Gr", "theater", 1),
    ("a Bakery scores 3 once", "Fa Ba Fy / . Fa", "bakery", 3),
    ("a Bakery has no use for green", "Ba Ta", "bakery", 0),
    ("a Market takes row or column, not both", "Ma Ma / Ma", "market", 6),
    ("a full cross of Markets is 4 each", ". Ma / Ma Ma Ma Ma / . Ma / . Ma", "market", 28),
    ("a Tailor in the centre counts itself", ". . / . Tl", "tailor", 2),
    ("a Tailor outside counts those in the centre", "Tl . / . Tl Tl / . Tl Tl", "tailor", 25),
    ("a Tailor with an empty centre is 1", "Tl", "tailor", 1),
    ("a Friendly Local Game Store is 1", "FL Co Co", "friendly_local_game_store", 1),
    ("a Game Store with two fed Cottages in line is 3", "FL . Co / . / Co / . Fa", "friendly_local_game_store", 3),
    ("a Game Store with one fed Cottage in line is 1", "FL . Co / . Co / . Fa", "friendly_local_game_store", 1),
    ("five unfed Cottages bring it 1", "FL . / . Co Co / . Co Co / . Co", "friendly_local_game_store", 2),
    ("two Game Stores have all of it", "FL Co Co FL / Co Co Co . / Fa Fa", "friendly_local_game_store", 8),
    # black
    ("a Bank is 4", "Bk Bk", "bank", 8),
    ("a Factory is nothing", "Fy Fy", "factory", 0),
    ("a Trading Post is 1", "TP TP", "trading_post", 2),
    ("a Warehouse nobody filled is nothing", "Wh", "warehouse", 0),
]


@pytest.mark.parametrize(
    ("town", "rule", "wanted"), [c[1:] for c in BUILDING_CASES], ids=[c[0] for c in BUILDING_CASES]
)
def test_building(town: str, rule: str, wanted: int) -> None:
    assert points(town, rule) == wanted


MONUMENT_CASES = [
    ("the Archive counts types, not buildings, and no monument", "Co Co We Mo", "archive_of_the_second_age", 2),
    ("the Archive alone is nothing", "Mo", "archive_of_the_second_age", 0),
    ("an unfed castle is nothing", "Mo", "barrett_castle", 0),
    ("a fed castle is 5", "Mo Fa", "barrett_castle", 5),
    ("the Palace counts types beside it once", ". Co / Co Mo We / . Fa", "mandras_palace", 6),
    ("the Palace does not look diagonally", "Co . We / . Mo / Fa . Ch", "mandras_palace", 0),
    ("the Forum alone is a group of one", "Mo", "silva_forum", 2),
    ("the Forum takes the largest group", "Ta Ta . Mo / Ta . . / . . Ch Ch", "silva_forum", 4),
    ("the Forum needs sides, not corners", "Ta . / . Ta / Mo", "silva_forum", 2),
    ("the Baths count seven types at most", "Mo", "the_sky_baths", 14),
    ("the Baths in a town that has everything", "Co Fa We Ch / Ta Th Fy Mo", "the_sky_baths", 0),
    ("the Obelisk is nothing", "Mo", "obelisk_of_the_crescent", 0),
    ("the Statue is nothing", "Mo", "statue_of_the_bondmaker", 0),
    ("the Watch is nothing", "Mo", "opaleyes_watch", 0),
    ("the Guild is 1", "Mo", "architects_guild", 1),
    ("the Fort is 7", "Mo", "fort_ironweed", 7),
    ("the University is 3", "Mo", "grove_university", 3),
    ("the Cathedral is 2", "Mo", "cathedral_of_caterina", 2),
]


@pytest.mark.parametrize(
    ("town", "card", "wanted"), [c[1:] for c in MONUMENT_CASES], ids=[c[0] for c in MONUMENT_CASES]
)
def test_monument(town: str, card: str, wanted: int) -> None:
    assert points(town, "monument", monument=card) == wanted


@pytest.mark.parametrize("card", BASE_MONUMENTS)
def test_a_monument_that_was_never_built_changes_nothing(card: str) -> None:
    with_card = sheet("Co Co We Th / Fa . . .", monument=card)
    assert with_card == sheet("Co Co We Th / Fa . . .")


@pytest.mark.parametrize(("count", "wanted"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 8), (7, 8), (9, 8)])
def test_the_shrine_keeps_the_number_of_its_day(count: int, wanted: int) -> None:
    town = "Mo Co Co Co / Co Co Co Co / Co"
    assert points(town, "monument", monument="shrine_of_the_elder_tree", shrine_count=count) == wanted


@pytest.mark.parametrize(("place", "wanted"), [(1, 6), (2, 3), (3, 2), (4, 0), (6, 0)])
def test_the_starloom_pays_by_place(place: int, wanted: int) -> None:
    assert points("Mo", "monument", monument="the_starloom", starloom_place=place) == wanted


@pytest.mark.parametrize(("ahead", "wanted"), [(0, 0), (1, 3), (2, 5), (3, 7), (4, 8), (5, 9)])
def test_the_larkstone_pays_for_being_behind(ahead: int, wanted: int) -> None:
    others = ["Sh Sh Sh Sh / Sh"] * ahead + ["Sh"] * (5 - ahead)  # 5 - 11 or 1 - 15; the town of the Larkstone has -13
    larkstone = {"grid": "Mo Sh", "monument": "larkstone"}
    sheet = result(larkstone, *others)["players"][0]
    assert {line["rule"]: line["points"] for line in sheet["lines"]}["monument"] == wanted
    assert sheet["total"] == 1 - 14 + wanted
    alone = result({**larkstone, "players_ahead": ahead})["players"][0]
    assert alone["total"] == sheet["total"]


def test_the_larkstone_asks_only_who_is_alone_in_the_record() -> None:
    larkstone = {"grid": "Mo Sh", "monument": "larkstone"}
    assert [need["input"] for need in result(larkstone)["needs"]] == ["players_ahead"]
    assert not result({**larkstone, "players_ahead": 2}).get("needs")
    assert not result(larkstone, "Sh").get("needs") and not result(larkstone, mode="solo").get("needs")
    assert ("players_ahead", "/players/0/players_ahead") in codes(record({**larkstone, "players_ahead": 6}))
    warned = codes(record({**larkstone, "players_ahead": 1}, "Sh"), "warning")
    assert ("not_needed", "/players/0/players_ahead") in warned


def test_a_larkstone_compares_points_before_its_own() -> None:
    """A tie without the Larkstone is not behind; and what it brings may put its owner ahead of those who were."""
    found = result({"grid": "Mo Sh", "monument": "larkstone"}, "Fy Sh", "Sh Sh")
    assert [player["total"] for player in found["players"]] == [-13 + 3, -13, -12]
    assert found["winners"] == ["Ann"]


@pytest.mark.parametrize("said", [{}, {"starloom_place": 1}, {"starloom_place": 3}])
def test_in_solo_the_starloom_is_always_first(said: dict[str, int]) -> None:
    [player] = result({"grid": "Mo", "monument": "the_starloom", **said}, mode="solo")["players"]
    assert player["lines"][0]["points"] == 6


def test_the_cathedral_makes_empty_squares_free_but_not_full() -> None:
    found = sheet("Mo Wh", monument="cathedral_of_caterina", warehouse_cubes={"B1": 3})
    assert found["total"] == 2 - 3
    assert {"rule": "empty_squares", "value": 14} in found["tiebreaks"]
    assert [line["points"] for line in found["lines"] if line["rule"] == "empty"] == [0]


def test_the_mausoleum_feeds_nobody() -> None:
    facts = {"monument": "grand_mausoleum_of_the_rodina"}
    assert points("Co Te Co Mo", "cottage", **facts) == 6
    assert points("Co Te Co Mo", "temple", **facts) == 0
    assert points("Co Ch Co Mo", "chapel", **facts) == 0


def test_with_the_mausoleum_a_farm_feeds_for_temples_alone() -> None:
    town = "Co . Co Mo / Co . . . / . Co Te Co / Fa . Co"
    facts = {"monument": "grand_mausoleum_of_the_rodina"}
    assert points(town, "cottage", **facts) == 18
    assert points(town, "temple", **facts) == 4


CASTLE_CASES = [
    ("a Well counts it twice, unfed", "We Mo", "well", 2),
    ("a Well counts it beside a Cottage", "Mo We Co", "well", 3),
    ("Chapels count it twice, fed", "Mo Fa Ch Ch", "chapel", 4),
    ("Chapels do not count it unfed", "Mo Ch Ch", "chapel", 0),
    ("fed, it satisfies a Temple alone", "Te Mo Fa", "temple", 4),
    ("unfed, it does nothing for a Temple", "Te Mo", "temple", 0),
    ("a Theater sees a Cottage in it", "Th Mo", "theater", 1),
    ("a Theater sees one type in it and a Cottage", "Th Mo Co", "theater", 1),
    ("it does not help a Bakery", "Ba Mo", "bakery", 0),
    ("it does not disturb an Abbey", "Ab Mo", "abbey", 3),
    ("it is no Cottage to itself", "Mo Fa", "cottage", 0),
    ("its points stand on its own line", "Mo Co Fa", "monument", 5),
]


@pytest.mark.parametrize(("town", "rule", "wanted"), [c[1:] for c in CASTLE_CASES], ids=[c[0] for c in CASTLE_CASES])
def test_barrett_castle(town: str, rule: str, wanted: int) -> None:
    assert points(town, rule, monument="barrett_castle") == wanted


def test_barrett_castle_counts_twice_in_a_tie_and_says_so() -> None:
    found = sheet("Mo Co", monument="barrett_castle")
    [tie] = [tie for tie in found["tiebreaks"] if tie["rule"] == "cottages"]
    assert tie["value"] == 3 and "Barrett Castle counts as 2" in tie["why"]


def test_warehouse_cubes_cost_a_point_each() -> None:
    town = "Wh Wh . Wh"
    facts = {"warehouse_cubes": {"A1": 3, "B1": 1}}
    assert points(town, "warehouse", **facts) == -4
    assert why(town, "warehouse", **facts) == "Cubes on A1: 3. Cubes on B1: 1. Cubes on D1: 0"


# -- Feast Halls and their neighbours ----------------------------------------------------------------------------------


def feast(*towns: str) -> list[int]:
    players = result(*towns)["players"]
    return [sum(line["points"] for line in player["lines"] if line["rule"] == "feast_hall") for player in players]


def test_feast_halls_look_at_the_previous_player_clockwise() -> None:
    assert feast("FH FH", "FH", "FH FH FH") == [4, 2, 9]


def test_two_players_are_each_others_right_hand() -> None:
    assert feast("FH FH FH", "FH FH") == [9, 4]
    assert feast("FH FH", "FH FH") == [4, 4]


def test_feast_halls_against_none() -> None:
    assert feast("FH", "Co") == [3, 0]


def test_one_town_of_a_bigger_game_asks_for_its_neighbour() -> None:
    asked = result("FH FH")
    assert asked["needs"] == [
        {"input": "right_feast_halls", "players": ["Ann"], "where": ["/players/0/right_feast_halls"]}
    ]
    assert asked["winners"] == []
    assert points("FH FH", "feast_hall", right_feast_halls=1) == 6
    assert points("FH FH", "feast_hall", right_feast_halls=2) == 4


def test_a_typed_neighbour_is_asked_about_only_if_it_matters() -> None:
    typed = {"typed": {"total": 6}}
    assert result("FH FH", typed)["needs"][0]["where"] == ["/players/0/right_feast_halls"]
    assert result("Co", typed)["needs"] == []
    answered = result({"grid": "FH FH", "right_feast_halls": 1}, typed)
    assert answered["needs"] == [] and answered["players"][0]["lines"][0]["points"] == 6


def test_alone_nobody_sits_on_the_right() -> None:
    found = score(record("FH FH", mode="solo"))
    assert found["players"][0]["lines"][0]["points"] == 4 and found["needs"] == []
    assert "There is no player on the right" in found["players"][0]["lines"][0]["why"]
    assert [p["code"] for p in found["problems"]] == ["feast_hall_in_solo"]


# -- reasons -----------------------------------------------------------------------------------------------------------


def test_a_feeder_names_whom_it_feeds() -> None:
    assert why("Co Co / Co / Co . . Fa", "farm") == "D3 feeds A1, B1, A2 and A3"
    assert "feeds A1+B1" in why("Co Co . Co / Gh", "greenhouse")
    assert why("Gr Co / . . Gr", "granary") == "A1 feeds B1. C2 feeds B1"


def test_a_piece_without_points_says_why() -> None:
    assert why("Ab Ta", "abbey") == "A1 is beside a black, green or yellow building (B1): 0"
    assert why("Co", "cottage") == "A1 is not fed: 0"
    assert why("Fy", "factory") == "1 built: no points of its own"


def test_every_line_names_its_squares_and_its_source() -> None:
    for line in sheet("Co Fa We Ch / Ta Th Fy Mo", monument="silva_forum")["lines"]:
        assert line["cells"] and line["cite"] and line["why"]


# -- ties, titles and modes --------------------------------------------------------------------------------------------

TIED = "Ta Ta Ta Ta", "Ta Ta Ta / TP TP TP"  # 2 points each, 12 and 10 empty squares


def test_fewest_turns_as_master_builder_come_first() -> None:
    found = result(*({"grid": town, "master_builder_turns": turns} for town, turns in zip(TIED, (3, 4), strict=True)))
    assert (found["winners"], found["decided_by"]) == (["Ann"], "master_builder_turns")


def test_missing_turns_are_asked_for_in_a_standard_game_only() -> None:
    asked = result(*TIED)
    assert [need["input"] for need in asked["needs"]] == ["master_builder_turns"]
    assert (asked["winners"], asked["decided_by"]) == (["Ann", "Bob"], None)
    assert result(*TIED, mode="town_hall")["decided_by"] == "empty_squares"


FORGOTTEN = {"master_builder_turns": "unknown"}


@pytest.mark.parametrize("other", [FORGOTTEN, {"master_builder_turns": 3}, {}])
def test_turns_that_nobody_remembers_leave_the_tie_to_the_next_rung(other: dict[str, Any]) -> None:
    found = result({"grid": TIED[0], **FORGOTTEN}, {"grid": TIED[1], **other})
    assert (found["winners"], found["decided_by"], found["needs"]) == (["Bob"], "empty_squares", [])
    [told] = [rung for rung in found["players"][0]["tiebreaks"] if rung["rule"] == "master_builder_turns"]
    assert told["value"] == "unknown" and told["why"] == "Still to count, so we used the next tie-break"
    assert "Nobody counted the Master Builder turns, so the next tie-break decided." in as_text(GAME, found)


def test_of_typed_totals_the_turns_may_be_forgotten_too() -> None:
    found = result({"typed": {"tavern": 2}, **FORGOTTEN}, {"typed": {"tavern": 2}})
    assert [need["input"] for need in found["needs"]] == ["empty_squares"]


def test_a_winner_whom_no_answer_could_change_is_named() -> None:
    """Ann has 2 Feast Halls, so 4 or 6 for them; Bob's total is typed."""
    asked = result("FH FH", {"typed": {"total": 9}})
    assert [need["input"] for need in asked["needs"]] == ["right_feast_halls"]
    assert (asked["winners"], asked["decided_by"]) == (["Bob"], "points")
    ann = asked["players"][0]["total"]
    for more, winners in ((0, []), (1, []), (2, []), (3, ["Bob"])):
        assert result("FH FH", {"typed": {"total": ann + more}})["winners"] == winners
    assert result("FH FH", {"typed": {"total": ann - 1}})["winners"] == ["Ann"]


def test_typed_players_of_a_town_hall_are_never_asked_for_turns() -> None:
    found = result({"typed": {"tavern": 2}}, {"typed": {"tavern": 2}}, mode="town_hall")
    assert [need["input"] for need in found["needs"]] == ["empty_squares"]


def test_the_most_cottages_decide_third_then_the_victory_is_shared() -> None:
    assert result("Ta Co", "Ta Fy", mode="town_hall")["decided_by"] == "cottages"
    assert result("Ta Co", "Co Ta", mode="town_hall")["decided_by"] == "shared"


@pytest.mark.parametrize(
    ("total", "title"),
    [
        (38, "Master Architect"),
        (37, "Town Planner"),
        (32, "Town Planner"),
        (31, "Engineer"),
        (25, "Engineer"),
        (24, "Carpenter"),
        (18, "Carpenter"),
        (17, "Builder’s Apprentice"),
        (10, "Builder’s Apprentice"),
        (9, "Aspiring Architect"),
        (-16, "Aspiring Architect"),
    ],
)
def test_solo_players_earn_a_title(total: int, title: str) -> None:
    assert result({"typed": {"total": total}}, mode="solo")["rating"] == title


def test_only_solo_players_earn_a_title() -> None:
    assert "rating" not in result("Ta")


# -- properties --------------------------------------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """Any legal town of the base game, with the facts it needs."""
    cards = [draw(st.sampled_from(BASE[colour])) for colour in BASE]
    marks = [".", "Co", "Co", *(BUILDINGS[card].mark for card in cards if card != "bank")]
    squares = draw(st.lists(st.sampled_from(marks), min_size=16, max_size=16))
    facts: dict[str, Any] = {"right_feast_halls": 2}
    monument = draw(st.none() | st.sampled_from(BASE_MONUMENTS))
    if monument:
        squares[draw(st.integers(0, 15))] = "Mo"
        facts["monument"] = monument
        facts |= {"shrine_count": 1} if monument == "shrine_of_the_elder_tree" else {}
        facts |= {"starloom_place": 2} if monument == "the_starloom" else {}
    rows = [squares[start : start + 4] for start in range(0, 16, 4)]
    entered = record({"grid": " / ".join(" ".join(row) for row in rows), **facts})
    entered["table"]["cards"] = dict(zip(BASE, cards, strict=True))
    return entered


@given(tables())
def test_turning_and_mirroring_a_town_keeps_its_total(entered: dict[str, Any]) -> None:
    totals = set()
    for _ in range(4):
        for rows in (entered["players"][0]["grid"], entered["players"][0]["grid"][::-1]):
            town = {**entered["players"][0], "grid": rows}
            found = score({**entered, "players": [town]})
            assert found["ok"], found["problems"]
            totals.add(found["players"][0]["total"])
        entered["players"][0]["grid"] = [list(row) for row in zip(*entered["players"][0]["grid"], strict=True)][::-1]
    assert len(totals) == 1


@given(tables())
def test_every_building_that_stands_has_one_line(entered: dict[str, Any]) -> None:
    lines = score(entered)["players"][0]["lines"]
    standing = {piece for row in entered["players"][0]["grid"] for piece in row}
    assert sorted(line["rule"] for line in lines) == sorted(standing)
