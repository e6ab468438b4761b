"""The street builder: only what fits is offered, all that fits is offered, and nothing is asked in vain."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.core import load, score
from scorer.games.tenby import GAME, builder, choices
from scorer.games.tenby.cards import PAIRS
from scorer.games.tenby.guide import guide
from scorer.games.tenby.town import Town
from tests.scorer.tenby_tables import (
    COLOURS,
    MOST,
    TARGETS,
    contest,
    each,
    per,
    pier,
    player,
    questions,
    record,
    streets,
    tables,
    terrace,
)

Json = Any
JOINTS = {"edge_mismatch", "sea_inside_street", "bad_edge_pair"}


def edges(street: list[Json]) -> list[list[str]]:
    return [card["edges"] for card in street]


def fits(pairs: list[Any]) -> bool:
    """Return whether cards with these edges make a street, as `validate` sees it."""
    cards = [pier(*pair, base="terrace" if "terrace" in pair else "pier") for pair in pairs]
    return not {problem["code"] for problem in score(record(cards))["problems"]} & JOINTS


@pytest.mark.parametrize(
    ("last", "names"),
    [
        ("terrace", ["Mid terrace", "Right end terrace", "Right end terrace (sea)"]),
        ("pier", ["Left end terrace", "Mid pier", "Right end pier"]),
        ("sea", []),
    ],
)
def test_after_an_edge_only_three_cards_fit_and_after_the_sea_none(last: str, names: list[str]) -> None:
    assert [PAIRS[pair].name for pair in builder.next_pairs([["terrace", last]])] == names


def test_any_card_may_come_first() -> None:
    assert builder.next_pairs([]) == tuple(PAIRS)


@given(streets(), st.data())
@settings(max_examples=60)
def test_exactly_the_pairs_that_fit_are_offered(street: list[Json], data: st.DataObject) -> None:
    pairs = edges(street)
    gap = data.draw(st.integers(0, len(pairs)))
    index = data.draw(st.integers(0, len(pairs) - 1))
    added = {pair for pair in PAIRS if fits([*pairs[:gap], pair, *pairs[gap:]])}
    exchanged = {pair for pair in PAIRS if fits([*pairs[:index], pair, *pairs[index + 1 :]])}
    assert set(builder.pairs_at(pairs, gap)) == added
    assert set(builder.pairs_instead(pairs, index)) == exchanged
    assert builder.is_removable(pairs, index) == (len(pairs) > 1 and fits([*pairs[:index], *pairs[index + 1 :]]))


@given(st.data())
@settings(max_examples=60)
def test_whatever_is_built_from_the_offers_is_legal(data: st.DataObject) -> None:
    street: list[Json] = []
    for _ in range(data.draw(st.integers(1, 6))):
        offers = builder.next_pairs(edges(street))
        if not offers:
            break
        pair = data.draw(st.sampled_from(offers))
        deck = data.draw(st.sampled_from(builder.decks_for(pair, [card["deck"] for card in street])))
        if deck == "plain_end":
            street.append(next(e["card"] for e in choices.plain_ends() if e["card"]["edges"] == list(pair)))
            continue
        target = data.draw(st.sampled_from([thing["id"] for group in choices.targets() for thing in group["things"]]))
        range_ = data.draw(st.sampled_from(sorted(builder.ranges_for((target,)))))
        direction = data.draw(st.sampled_from(builder.directions_for(range_, deck, pair)))
        base = next(each["base"] for each in choices.edge_pairs() if each["edges"] == list(pair))
        card = {"deck": deck, "base": base, "edges": list(pair), "buildings": ["red"]}
        street.append(card | {"score": per(target, 1, range_, direction=direction)})
    assert score(record(street))["problems"] == []


def test_a_second_landmark_is_not_offered() -> None:
    assert builder.decks_for(("pier", "pier"), []) == ("pier", "landmark")
    assert builder.decks_for(("pier", "pier"), ["landmark", "pier"]) == ("pier",)
    assert builder.decks_for(("pier", "terrace"), []) == ("terrace", "landmark", "plain_end")


def test_a_white_arrow_on_benches_asks_two_cards_for_benches() -> None:
    street = [terrace(), terrace(score=per("bench")), terrace(), terrace()]
    assert questions(record(street)) == [[[["bench"], [], ["bench"], []]]]


def test_a_resident_asks_every_card_of_its_town_and_an_accolade_every_town() -> None:
    towns = [player("Ann", [terrace()], [pier()], residents=(each("bin"),)), player("Bob", [terrace()])]
    table = contest("open_sea", [{"name": "Reds", "target": "red"}], *towns)
    assert questions(table) == [[[["bin", "buildings"]], [["bin", "buildings"]]], [[["buildings"]]]]


def test_an_idle_or_typed_accolade_asks_nothing() -> None:
    cards = [
        {"name": "Bins", "target": "bin", "active": False},
        {"name": "Benches", "target": "bench", "active": True, "amounts": {"Ann": 3}},
    ]
    assert questions(contest("high_tide", cards, player("Ann", [terrace()]))) == [[[[]]]]


def test_none_is_an_answer_and_silence_is_not() -> None:
    known = terrace(features={"bin": 0}, buildings=[], subtype="none")
    counting = [each(target, name=target) for target in ("bin", "red", "home")]
    table = record([known, terrace(), pier()], residents=tuple(counting))
    assert questions(table) == [[[[], ["bin", "buildings", "subtype"], ["bin", "buildings"]]]]


def test_a_landmark_is_asked_for_where_landmarks_count() -> None:
    street = [pier("sea", "pier", score=per("landmark", 4)), pier(), pier("pier", "sea")]
    assert questions(record(street)) == [[[[], ["landmark"], []]]]
    assert questions(record([street[0], {**street[1], "icons": {"landmark": 0}}, street[2]])) == [[[[], [], []]]]
    assert questions(record([street[0], {**street[1], "deck": "landmark"}, street[2]])) == [[[[], [], []]]]
    everywhere = record(street, residents=(each("landmark"),))
    assert questions(everywhere) == [[[["landmark"], ["landmark"], ["landmark"]]]]
    everywhere["players"][0]["streets"][0][2]["deck"] = "landmark"  # and no street holds two
    assert questions(everywhere) == [[[[], [], []]]]


def test_open_facts_are_told_for_each_player() -> None:
    cards = [{"name": "Reds", "target": "red"}]
    towns = [player("Ann", [terrace(), terrace(buildings=[])]), {"name": "Bob", "typed": {"total": 5}}]
    assert builder.open_facts(GAME.load(contest("open_sea", cards, *towns))) == [["streets/0/0/buildings"], []]


def test_an_unfinished_record_can_be_asked_about() -> None:
    street = [terrace(), terrace(score={"type": "per", "target": "bench", "points": 1}), {"deck": "pier"}]
    assert questions(record(street)) == [[[[], [], []]]]
    assert questions({"game": "tenby", "players": [{"name": "Ann", "typed": {}}]}) == [[]]
    assert questions(None) == []


@given(tables())
@settings(max_examples=120)
def test_what_nothing_can_see_changes_nothing(table: Json) -> None:
    """The towns without every fact that the conditions in play cannot see score the same, line by line."""
    state = GAME.load(table)
    bare = deepcopy(table)
    for town, player_ in zip(state.players, bare["players"], strict=True):
        assert isinstance(town, Town)
        seen = builder.seen_in(state, town)
        for street, facts in zip(player_["streets"], seen, strict=True):
            for card, wanted in zip(street, facts, strict=True):
                forget(card, wanted)
    assert score(bare)["players"] == score(table)["players"]


def forget(card: Json, wanted: frozenset[str]) -> None:
    """Take away everything that was not asked for."""
    for counts in ("features", "icons"):
        card[counts] = {name: number for name, number in card.get(counts, {}).items() if name in wanted}
    if "buildings" not in wanted:
        del card["buildings"]
    if not wanted & {"home", "business"}:
        card.pop("subtype", None)


@given(tables())
@settings(max_examples=120)
def test_answering_only_the_questions_gives_the_same_total(table: Json) -> None:
    """Conditions, residents and accolades first; then nothing but answers to what is asked."""
    asked = deepcopy(table)
    for player_ in asked["players"]:
        for street in player_["streets"]:
            for card in street:
                card.pop("features")
                card.pop("buildings")
                if card["base"] == "terrace":
                    card.pop("subtype", None)
    for truth, player_, streets_ in zip(table["players"], asked["players"], questions(asked), strict=True):
        for true_street, street, cards in zip(truth["streets"], player_["streets"], streets_, strict=True):
            for true_card, card, facts in zip(true_street, street, cards, strict=True):
                answer(card, true_card, facts)
    assert questions(asked) == [[[[] for _ in s] for s in p["streets"]] for p in table["players"]]
    assert [p["total"] for p in score(asked)["players"]] == [p["total"] for p in score(table)["players"]]


def answer(card: Json, truth: Json, facts: list[str]) -> None:
    for fact in facts:
        if fact == "buildings":
            card["buildings"] = truth["buildings"]
        elif fact == "subtype":
            card["subtype"] = truth.get("subtype", "none")
        elif fact == "landmark":
            card.setdefault("icons", {})["landmark"] = 0
        else:
            card.setdefault("features", {})[fact] = truth["features"].get(fact, 0)


def test_the_editor_is_told_everything_it_offers() -> None:
    assert {each["id"]: each["most"] for each in choices.features()} == MOST
    assert len(choices.edge_pairs()) == 8
    assert [each["id"] for each in choices.colours()] == [*COLOURS, "white"]
    assert {thing["id"] for group in choices.targets() for thing in group["things"]} == set(TARGETS)


def test_an_editor_is_guided_through_a_street() -> None:
    street = [pier("sea", "pier"), {**pier(), "deck": "landmark"}, pier("pier", "terrace", base="terrace")]
    street[2]["score"] = per("bench", 1, "grey", direction="left")
    guided = guide(load(GAME, json.loads(json.dumps(record(street)))), 0)
    (entered,) = json.loads(json.dumps(guided))["streets"]
    assert entered["before"] == []
    assert [PAIRS[tuple(pair)].name for pair in entered["next"]] == [
        "Mid terrace",
        "Right end terrace",
        "Right end terrace (sea)",
    ]
    assert not entered["completed"]
    assert [card["ask"] for card in entered["cards"]] == [["bench"], ["bench"], []]
    assert [card["removable"] for card in entered["cards"]] == [True, True, True]
    assert [deck["id"] for deck in entered["cards"][0]["decks"]] == ["pier", "plain_end"]
    assert [kind["edges"] for kind in entered["cards"][1]["instead"]] == [["pier", "pier"]]
    assert entered["cards"][2]["score"]["summary"] == "Benches: 1 each, within two cards to the left"


@pytest.mark.parametrize(
    ("range_", "deck", "edges_", "directions"),
    [
        ("white", "landmark", ("sea", "pier"), ("both",)),
        ("grey", "pier", ("pier", "pier"), ("both", "left", "right")),
        ("gold", "landmark", ("pier", "pier"), ("both",)),
        ("gold", "landmark", ("sea", "pier"), ("both", "right")),
        ("gold", "landmark", ("pier", "sea"), ("both", "left")),
        ("gold", "pier", ("sea", "pier"), ("both",)),
    ],
)
def test_a_range_is_drawn_only_as_cards_print_it(
    range_: str, deck: str, edges_: tuple[str, str], directions: tuple[str, ...]
) -> None:
    assert builder.directions_for(range_, deck, edges_) == directions


@given(st.dictionaries(st.sampled_from(["streets", "residents", "typed"]), st.lists(st.lists(st.just({})))))
def test_a_guide_copes_with_whatever_is_entered_so_far(state: Json) -> None:
    table = {"game": "tenby", "table": {}, "players": [{"name": "Ann", **state}]}
    assert json.dumps(guide(load(GAME, table), 0))


def test_the_four_plain_ends_are_ready_to_be_laid() -> None:
    ends = choices.plain_ends()
    assert [end["label"] for end in ends] == [
        "Plain left end terrace",
        "Plain right end terrace",
        "Plain left end pier",
        "Plain right end pier",
    ]
    for end in ends:
        assert score(record([end["card"]]))["players"][0]["total"] == 2


def test_a_street_longer_than_any_is_shown_as_far_as_it_is_read() -> None:
    card = {"deck": "pier", "base": "pier", "edges": ["pier", "pier"], "score": {"type": "flat", "points": 1}}
    record = {"game": "tenby", "table": {}, "players": [{"name": "Ann", "streets": [[card] * 120], "residents": []}]}
    [street] = guide(load(GAME, record), 0)["streets"]
    assert len(street["cards"]) == 100
