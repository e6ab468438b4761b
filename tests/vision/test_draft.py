"""From a reading to a record: cards in play, cubes on black buildings, doubts, the game's own rules."""

from __future__ import annotations

import pytest

from scorer.core import score
from scorer.games.tiny_towns.cards import COLOURS
from vision.games.tiny_towns import COLOUR_NAMES, READER, draft, other_cards, with_cards_seen
from vision.reading import Board, Card, Reading, Square

NOWHERE = ((0.0, 0.0),) * 4


def board(rows: str, on_top: dict[int, tuple[str, ...]] | None = None, doubtful: tuple[int, ...] = ()) -> Board:
    """A board from sixteen letters in four words; `on_top` and `doubtful` count squares in reading order."""
    named = {"c": "cottage", "f": "farm", "w": "well", "h": "chapel", "t": "tavern", "s": "theater", "b": "factory",
             "m": "monument", ".": "empty", "B": "cube_brick"}  # fmt: skip
    labels = [named[letter] for letter in rows.replace(" ", "")]
    squares = [
        Square(label, 0.5 if i in doubtful else 0.98, (("cube_glass", 0.3), ("farm", 0.1)), (on_top or {}).get(i, ()))
        for i, label in enumerate(labels)
    ]
    return Board(NOWHERE, 0.97, tuple(tuple(squares[i : i + 4]) for i in range(0, 16, 4)))


def card(known: str, confidence: float = 0.9) -> Card:
    return Card(known, known, confidence, NOWHERE)


def test_colours_become_the_cards_in_play() -> None:
    reading = Reading(boards=[board("cfwh tsb. .... ....")], cards=[card("granary"), card("bakery"), card("temple")])
    made = draft(reading, ["Ann"])
    assert made.record["table"]["cards"] == {
        "red": "granary", "grey": "well", "orange": "temple", "green": "tavern", "yellow": "bakery", "black": "factory",
    }  # fmt: skip
    assert made.record["players"][0]["grid"][:2] == [
        ["cottage", "granary", "well", "temple"], ["tavern", "bakery", "factory", "empty"]]  # fmt: skip
    assert made.record["players"][0]["name"] == "Ann"


def test_cards_that_are_given_win_over_cards_seen() -> None:
    reading = Reading(boards=[board("f... .... .... ....")], cards=[card("granary")])
    assert draft(reading, setup={"cards": {"red": "orchard"}}).record["players"][0]["grid"][0][0] == "orchard"


def test_of_two_cards_of_one_colour_the_surer_one_counts() -> None:
    reading = Reading(boards=[board("f... .... .... ....")], cards=[card("granary", 0.8), card("orchard", 0.95)])
    assert draft(reading).record["table"]["cards"]["red"] == "orchard"


def test_cubes_on_warehouses_are_counted_by_square() -> None:
    loads = {0: ("cube_brick", "cube_wood"), 5: ("cube_stone",)}
    made = draft(Reading(boards=[board("b... .b.. .... ...b", loads)]), setup={"cards": {"black": "warehouse"}})
    assert made.record["players"][0]["warehouse_cubes"] == {"A1": 2, "B2": 1}


def test_the_cube_on_a_bank_names_its_resource_and_on_a_factory_means_nothing() -> None:
    reading = Reading(boards=[board("b... .... .... ....", {0: ("cube_glass",)})])
    assert draft(reading, setup={"cards": {"black": "bank"}}).record["players"][0]["bank_resources"] == {"A1": "glass"}
    assert set(draft(reading, setup={"cards": {"black": "factory"}}).record["players"][0]) == {"name", "grid"}


VILLAGERS = {"expansions": ["villagers"], "cards": {"grey": "folly_tower", "yellow": "blacksmith"}}


def test_grey_discs_are_one_folly_tower_and_its_height_is_asked_for() -> None:
    made = draft(Reading(boards=[board("w... .... .... ....")]), setup=VILLAGERS)
    assert made.record["players"][0]["grid"][0][0] == "folly_tower"
    assert made.record["table"]["expansions"] == ["villagers"]
    assert [(p.code, p.where) for p in made.problems if p.level == "error"] == [
        ("missing_field", "/players/0/folly_tower_height")
    ]


def test_grey_discs_on_two_squares_are_no_towers() -> None:
    made = draft(Reading(boards=[board("w..w .... .... ....")]), setup=VILLAGERS)
    assert "two_folly_towers" in [problem.code for problem in made.problems]


def test_a_cube_on_a_blacksmith_counts() -> None:
    reading = Reading(boards=[board("s..s .... .... ....", {0: ("cube_glass", "cube_wood")})])
    made = draft(reading, setup={**VILLAGERS, "cards": {"yellow": "blacksmith"}})
    assert made.record["players"][0]["blacksmith_cubes"] == {"A1": 1}


def test_only_a_warehouse_holds_two_cubes_so_it_must_be_one() -> None:
    reading = Reading(boards=[board("b... .... .... ....", {0: ("cube_glass", "cube_wood")})])
    assert draft(reading).record["table"]["cards"]["black"] == "warehouse"
    assert draft(reading, setup={"cards": {"black": "bank"}}).record["table"]["cards"]["black"] == "bank"


def test_cubes_left_on_the_board_are_empty_squares_and_told() -> None:
    made = draft(Reading(boards=[board("B... .c.. .... ....")]))
    assert made.record["players"][0]["grid"][0][0] == "empty"
    assert "cubes_left" in [p.code for p in made.problems]


def test_doubtful_squares_name_their_place_and_the_other_choices() -> None:
    made = draft(Reading(boards=[board("c... .... .... ....", doubtful=(0,))]), setup={"cards": {"red": "granary"}})
    assert [(d.where, d.choices) for d in made.doubts] == [("/players/0/grid/0/0", ("empty", "granary"))]


def test_the_players_choose_whose_board_is_which() -> None:
    reading = Reading(boards=[board("c... .... .... ...."), board("w... .... .... ....")])
    made = draft(reading, ["Ann", "Bob"], boards=[1, 0])
    assert [p["grid"][0][0] for p in made.record["players"]] == ["well", "cottage"]


def test_a_monument_card_in_the_photo_is_the_players_monument() -> None:
    reading = Reading(boards=[board("m... .... .... ....")], cards=[card("the_sky_baths")])
    made = draft(reading, ["Ann"])
    assert made.record["players"][0]["monument"] == "the_sky_baths"
    assert not [p for p in made.problems if p.level == "error"]
    assert score(made.record)["ok"]


TWO, NAMELESS = ("mm.. .... .... ....", "two_monuments"), ("m... .... .... ....", "monument_without_card")


@pytest.mark.parametrize(("rows", "code"), [TWO, NAMELESS])
def test_the_games_own_rules_judge_the_draft(rows: str, code: str) -> None:
    assert code in [p.code for p in draft(Reading(boards=[board(rows)])).problems]


def test_a_reading_without_boards_is_a_draft_without_players() -> None:
    made = draft(Reading())
    assert made.record["players"] == [] and made.problems[0].level == "error"


def test_the_squares_of_a_board_are_offered_likeliest_first() -> None:
    seen = board("f... .... .... ....")
    values = ["empty", "cottage", "granary", "well"]
    [[first, *_], *_] = READER.likeliest_first(seen, {"cards": {"red": "granary"}}, values)
    assert first == ["granary", "empty", "cottage", "well"]  # as read, then the glass cube, then all others


def test_cards_seen_that_the_table_does_not_play_with_are_named_and_can_be_taken_over() -> None:
    reading = Reading(cards=[card("granary"), card("bakery"), card("temple")])
    setup = {"mode": "standard", "cards": {"red": "granary", "yellow": "theater"}}
    assert other_cards(reading, setup) == ("Bakery", "Temple")
    assert with_cards_seen(reading, setup) == {
        "mode": "standard", "cards": {"red": "granary", "yellow": "bakery", "orange": "temple"},
    }  # fmt: skip


def test_every_colour_of_cards_has_a_name() -> None:
    assert set(COLOUR_NAMES) == set(COLOURS)
