"""Histories keep the rule and item of a line, never its label: the two have to tell the line in every language."""

from __future__ import annotations

from typing import Any

import pytest

from scorer import games
from scorer.core import score
from scorer.result import ResultLine, label_of
from scorer.sentences import Sentence
from tests.conftest import EXAMPLES, GAMES, Example
from tests.scorer.towns import record

# The lines of these rules are labelled by what they count ("Benches"), which nobody keeps: once they cannot be scored
# again, they are told by their card's own name or as lines of the rule.
LABELLED_BY_WHAT_THEY_COUNT = {("tenby", "card")}


def lines_of(entered: Any) -> list[ResultLine]:
    result = score(entered)
    assert result["ok"], result["problems"]
    return [line for player in result["players"] for line in player["lines"]]


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_line_is_labelled_by_its_item_or_its_rule(example: Example) -> None:
    for line in lines_of(example.record):
        assert type(line["item"]) is str, "a sentence would change with its wording"
        if (example.game.id, line["rule"]) not in LABELLED_BY_WHAT_THEY_COUNT:
            assert line["label"] == (line["item"] or example.game.rules[line["rule"]])


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_line_that_cannot_be_scored_again_is_labelled_all_the_same(example: Example) -> None:
    for line in lines_of(example.record):
        label = label_of(example.game, line["rule"], line["item"])
        assert isinstance(label, Sentence)
        assert label == (line["item"] or example.game.rules[line["rule"]])


def test_the_label_of_a_monument_can_be_translated() -> None:
    label = label_of(games.find("tiny_towns"), "monument", "Silva Forum")
    assert isinstance(label, Sentence) and label.template == "Silva Forum"


def test_lines_of_a_game_that_is_gone_are_labelled_by_what_is_known() -> None:
    assert label_of(None, "long_walls", "") == "Long walls"
    assert label_of(None, "long_walls", "The mole") == "The mole"
    assert label_of(None, "total", "") == "Total"


def items(entered: Any) -> list[tuple[str, str, str]]:
    return [(line["rule"], line["item"], line["label"]) for line in lines_of(entered) if line["rule"] != "empty"]


def test_a_monument_is_an_item_and_a_building_is_none() -> None:
    entered = record({"grid": "Mo We", "monument": "silva_forum"})
    assert items(entered) == [("well", "", "Wells"), ("monument", "Silva Forum", "Silva Forum")]


def test_a_card_of_no_list_is_an_item_once_somebody_has_named_it() -> None:
    named = {
        "grid": "Mo",
        "monument": "other_monument",
        "typed_points": {"other_monument": 4},
        "monument_name": "Clock tower",
    }
    nameless = {key: value for key, value in named.items() if key != "monument_name"}
    assert items(record(named)) == [("monument", "Clock tower", "Clock tower")]
    assert items(record(nameless)) == [("monument", "", "Monument")]


CARD = {"deck": "terrace", "base": "terrace", "edges": ["terrace", "terrace"], "features": {"bench": 1}}
FOR_BENCHES = {**CARD, "score": {"type": "per", "points": 2, "range": "gold", "target": "bench"}}


def test_what_a_record_of_tenby_calls_a_card_is_its_item() -> None:
    entered = {
        "game": "tenby",
        "table": {"accolades": {"mode": "open_sea", "cards": [{"name": "Most benches", "target": "bench"}]}},
        "players": [
            {
                "name": "Ann",
                "streets": [[FOR_BENCHES, {**FOR_BENCHES, "name": "Gull perch"}]],
                "residents": [{"name": "Resident 1", "type": "typed", "points": 3}],
            }
        ],
    }
    assert items(entered) == [
        ("card", "", "Benches"),
        ("card", "Gull perch", "Benches"),
        ("resident", "Resident 1", "Resident 1"),
        ("accolade", "Most benches", "Most benches"),
    ]


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.game.cards.in_play], ids=str)
def test_a_card_in_play_finds_its_lines_by_their_item(example: Example) -> None:
    assert example.game.cards.in_play is not None
    for card in example.game.cards.in_play(example.record):
        assert card.rule in example.game.rules
        if card.item:
            assert (card.rule, card.item) in [(line["rule"], line["item"]) for line in lines_of(example.record)]


def test_items_are_told_of_every_game() -> None:
    """Each game is either covered above, or none of its lines has an item."""
    with_items = {example.game.id for example in EXAMPLES if any(line["item"] for line in lines_of(example.record))}
    assert with_items == {"tenby", "tiny_towns"} <= {game.id for game in GAMES}
