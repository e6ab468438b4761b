"""Help during the game: what the pages of the companions are asked and answer."""

from __future__ import annotations

from typing import Any

from scorer.core import load
from scorer.games.old_london_bridge import GAME as OLD_LONDON_BRIDGE
from scorer.games.old_london_bridge.companion import ROUND_COMPANION
from scorer.games.old_london_bridge.inputs import asks as asks_of_the_bridge
from scorer.games.pier_18 import GAME as PIER_18
from scorer.games.pier_18.companion import PATRON_PHASE
from scorer.sentences import Sentence

NAMES = ["Ann", "Bob/1", "Cid"]
START = {"chapel_order": ["Cid", "Ann", "Bob/1"]}


def table(**scoring: str) -> dict[str, Any]:
    return {
        "game": "old_london_bridge",
        "table": {"scoring": scoring},
        "players": [{"name": name} for name in NAMES],
    }


def asked(record: dict[str, Any], notes: Any) -> list[str]:
    return [one.name for one in ROUND_COMPANION.asks(load(OLD_LONDON_BRIDGE, record), notes)]


def by_turn(*values: int | None) -> dict[str, Any]:
    return {str(seat): {} if value is None else {"0": value} for seat, value in enumerate(values)}


def test_without_a_face_that_pays_every_round_there_is_nothing_to_accompany() -> None:
    assert asked(table(inn="hand_count", gate="base"), ROUND_COMPANION.blank) == []


def test_the_order_at_the_start_comes_first() -> None:
    record = table(chapel="per_round_leader")
    assert asked(record, ROUND_COMPANION.blank) == ["chapel_order"]
    assert asked(record, {"chapel_order": ["Ann"]}) == ["chapel_order"]
    assert asked(record, START) == ["chapel_order", "rounds/0/chapel_order"]


def test_a_round_asks_for_what_its_faces_pay_for() -> None:
    record = table(gate="per_round_leader", bridge="per_round_lowest_number")
    names = asked(record, START)
    assert names[1:] == [
        *(f"rounds/0/gate_steps/{seat}" for seat in range(3)),
        *(f"rounds/0/numbers/{seat}/0" for seat in range(3)),
        "rounds/0/chapel_order",
    ]


def test_two_players_have_two_turns_a_round() -> None:
    record = table(inn="per_round_highest_card")
    record["players"].pop()
    names = asked(record, {"chapel_order": NAMES[:2]})
    assert names[1:5] == ["rounds/0/cards/0/0", "rounds/0/cards/0/1", "rounds/0/cards/1/0", "rounds/0/cards/1/1"]


def test_cards_are_paid_at_once_and_numbers_when_the_round_is_over() -> None:
    record = table(inn="per_round_highest_card", bridge="per_round_lowest_number")
    notes: dict[str, Any] = {**START, "rounds": [{"cards": by_turn(4, 2, 4), "numbers": by_turn(30, None, 12)}]}
    [card] = ROUND_COMPANION.answer(load(OLD_LONDON_BRIDGE, record), notes)["payments"]
    assert (card["player"], card["coins"]) == ("Cid", 2)  # ahead of Ann at the start
    notes["rounds"].append({})
    answer = ROUND_COMPANION.answer(load(OLD_LONDON_BRIDGE, record), notes)
    assert [(paid["zone"], paid["player"]) for paid in answer["payments"]] == [("inn", "Cid"), ("bridge", "Cid")]
    assert answer["winnings"]["Cid"] == {"inn": 2, "bridge": 2} and answer["round"] == 2


def test_half_the_cards_pay_nobody_yet() -> None:
    notes = {**START, "rounds": [{"cards": by_turn(4, None, None)}]}
    answer = ROUND_COMPANION.answer(load(OLD_LONDON_BRIDGE, table(inn="per_round_highest_card")), notes)
    assert answer["ok"] and answer["payments"] == []


def test_a_round_that_was_left_with_something_missing_is_asked_about_again() -> None:
    notes = {**START, "rounds": [{"cards": by_turn(4, None, 1)}, {}]}
    names = asked(table(inn="per_round_highest_card"), notes)
    assert "rounds/0/cards/1/0" in names and "rounds/1/cards/1/0" in names


def test_a_round_starts_with_the_order_of_the_one_before() -> None:
    moved = ["Ann", "Cid", "Bob/1"]
    notes = {**START, "rounds": [{"chapel_order": moved}, {}]}
    [_, end] = ROUND_COMPANION.asks(load(OLD_LONDON_BRIDGE, table(chapel="per_round_leader")), notes)
    assert end.default == moved


def test_the_form_at_the_end_starts_with_what_the_companion_has_seen() -> None:
    record = table(chapel="per_round_leader")
    record["table"]["companion"] = {**START, "rounds": [{}, {}, {"chapel_order": NAMES}]}
    loaded = load(OLD_LONDON_BRIDGE, record)
    seen = {one.name: one.default for one in asks_of_the_bridge(loaded, 2)}
    assert seen["round_winnings/chapel"] == 2
    assert {one.name: one.default for one in asks_of_the_bridge(loaded, 0)}["round_winnings/chapel"] == 0


def test_what_the_rounds_paid_and_what_they_miss_is_said_in_sentences() -> None:
    loaded = load(OLD_LONDON_BRIDGE, table(inn="per_round_highest_card"))
    notes: dict[str, Any] = {**START, "rounds": [{"cards": by_turn(4, 2, 4)}, {}, {}]}
    [missing] = ROUND_COMPANION.answer(loaded, notes)["problems"]
    assert isinstance(missing["message"], Sentence)
    del notes["rounds"][1:]
    [paid] = ROUND_COMPANION.answer(loaded, notes)["payments"]
    assert isinstance(paid["why"], Sentence)
    assert paid["why"] == "4 is the highest card, ahead of Ann on the chapel track"


def pier(*rows: list[str]) -> dict[str, Any]:
    players = [{"name": name, "rows": mine} for name, mine in zip(NAMES, rows, strict=False)]
    return {"game": "pier_18", "table": {}, "players": players}


def test_the_patron_goes_to_the_pier_that_suits_best() -> None:
    answer = PATRON_PHASE.answer(load(PIER_18, pier(["F.", "F."], ["P.", "P."])), {"round": {"symbols": ["F", "L"]}})
    assert answer["winner"] == "Ann" and answer["points"] == {"Ann": 2, "Bob/1": 0}
    assert isinstance(answer["why"], Sentence)


def test_a_tie_asks_for_the_dates_of_those_who_tie() -> None:
    record = pier(["F."], ["F."], ["P."])
    notes: dict[str, Any] = {"round": {"symbols": ["F"]}}
    names = [one.name for one in PATRON_PHASE.asks(load(PIER_18, record), notes)]
    assert names == ["round/symbols", "round/dates/0", "round/dates/1"]
    notes["round"]["dates"] = {"0": "06-14", "1": "02-28"}
    assert PATRON_PHASE.answer(load(PIER_18, record), notes)["winner"] == "Bob/1"
    assert len(PATRON_PHASE.asks(load(PIER_18, record), notes)) == 3  # to be corrected


def test_piers_nobody_has_painted_are_empty() -> None:
    record = {"players": [{"name": "Ann"}, {"name": "Bob", "typed": {}}]}
    assert PATRON_PHASE.answer(load(PIER_18, record), {"round": {"symbols": ["S"]}})["points"] == {"Ann": 0, "Bob": 0}
