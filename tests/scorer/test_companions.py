"""Help during the game: what the pages of the companions are asked and answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorer.core import load
from scorer.games.copenhagen import GAME as COPENHAGEN
from scorer.games.copenhagen.companion import CARDS_AND_END
from scorer.games.old_london_bridge import GAME as OLD_LONDON_BRIDGE
from scorer.games.old_london_bridge.companion import ROUND_COMPANION
from scorer.games.old_london_bridge.events import Progress, replay
from scorer.games.old_london_bridge.inputs import asks as asks_of_the_bridge
from scorer.games.old_london_bridge.tracks import Track
from scorer.games.pier_18 import GAME as PIER_18
from scorer.games.pier_18.companion import PATRON_PHASE
from scorer.games.pier_18.inputs import asks as asks_of_the_pier
from scorer.games.tenby import GAME as TENBY
from scorer.games.tenby.companion import ROUND_BY_ROUND, order_of
from scorer.games.tiny_towns import GAME as TINY_TOWNS
from scorer.games.tiny_towns.companion import MASTER_BUILDER
from scorer.games.tiny_towns.inputs import asks as asks_of_the_town
from scorer.record_names import renamed
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


def test_without_a_face_that_pays_every_round_every_building_is_noted() -> None:
    assert asked(table(inn="hand_count", gate="base"), ROUND_COMPANION.blank) == ["events"]


def test_the_order_at_the_start_comes_first() -> None:
    record = table(chapel="per_round_leader")
    assert asked(record, ROUND_COMPANION.blank) == ["chapel_order"]
    assert asked(record, {"chapel_order": ["Ann"]}) == ["chapel_order"]
    assert asked(record, START) == ["chapel_order", "rounds/0/chapel_order"]


def test_a_round_asks_for_what_its_faces_pay_for() -> None:
    record = table(gate="per_round_leader", bridge="per_round_lowest_number")
    names = asked(record, START)
    assert names[1:] == [
        *(f"rounds/0/numbers/{seat}/0" for seat in range(3)),
        *(f"rounds/0/gate_steps/{seat}" for seat in range(3)),
        "rounds/0/chapel_order",
    ]


def test_steps_at_the_gate_are_carried_from_round_to_round_and_the_order_into_the_final_score() -> None:
    record = table(gate="per_round_leader")
    notes: dict[str, Any] = {**START, "rounds": [{"gate_steps": {"0": 2, "1": 0, "2": 4}, "chapel_order": NAMES}, {}]}
    loaded = load(OLD_LONDON_BRIDGE, record)
    begun = {one.name: one.default for one in ROUND_COMPANION.asks(loaded, notes)}
    assert [begun[f"rounds/1/gate_steps/{seat}"] for seat in range(3)] == [2, 0, 4]
    assert begun["rounds/1/chapel_order"] == NAMES
    record["table"]["companion"] = {**notes, "rounds": [{}] * 11 + notes["rounds"][:1]}
    played = replace(loaded, record=record)
    assert {one.name: one.default for one in asks_of_the_bridge(played, None)}["chapel_order"] == NAMES


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
    assert paid["why"] == "4 is the highest card. Ahead of Ann on the chapel track"


BUILDERS = ["Ann", "Bob/1", "Cid", "Dee"]


def events(*told: str) -> list[dict[str, Any]]:
    """Events from "Ann card 3", "Ann tile C blue", "round"."""
    found: list[dict[str, Any]] = []
    for text in told:
        name, _, rest = text.partition(" ")
        did, _, value = rest.partition(" ")
        said = {"name": name, "did": did, "value": int(value) if value.isdecimal() else value}
        found.append({"did": "round"} if text == "round" else said)
    return found


def stairs(*names: str) -> list[str]:
    return [f"{name} stairs first" for name in names]


def noted(*told: str, players: int = 4) -> Progress:
    return replay(BUILDERS[:players], events(*told))


def cards(*values: int) -> list[str]:
    return [f"{name} card {value}" for name, value in zip(BUILDERS, values, strict=False)]


def test_the_highest_card_is_first_and_ties_go_by_the_chapel_track() -> None:
    """3 before 2; of two zeros the one ahead on the chapel track (rulebook, turn order)."""
    found = noted(*stairs("Cid", "Dee", "Ann", "Bob/1"), *cards(3, 2, 0, 0))
    assert found.order == ["Ann", "Bob/1", "Cid", "Dee"] and found.next == "Ann"
    assert noted(*stairs("Dee", "Cid", "Ann", "Bob/1"), *cards(3, 2, 0, 0)).order[2:] == ["Dee", "Cid"]


def test_two_players_take_a_turn_for_each_card() -> None:
    """Paola begins, then Lisa has both of hers, then Paola again (rulebook, 2 players)."""
    told = (*stairs("Ann", "Bob/1"), "Ann card 3", "Ann card 0", "Bob/1 card 2", "Bob/1 card 1")
    assert noted(*told, players=2).order == ["Ann", "Bob/1", "Bob/1", "Ann"]


def laid(*tiles: str) -> Progress:
    """A game in which Ann has built these, each with the number at its end, and leads with 4 in every round."""
    told = stairs("Bob/1", "Ann", "Cid")
    for tile in tiles:
        building, _, number = tile.rpartition(" ") if tile[-1].isdecimal() else (tile, "", "")
        told += [*cards(4, 0, 0), f"Ann tile {building}", *([f"Ann number {number}"] if number else [])]
        told += ["Bob/1 tile P", "Cid tile P", "round"]
    return replay(BUILDERS[:3], events(*told))


def test_the_power_counts_the_crests_on_the_bridge_with_guilds() -> None:
    """A chapel with the third blue crest moves 3 spaces; a guild has all four crests (rulebook, building effects)."""
    found = laid("I blue 59", "U 49", "C blue 32")
    assert found.chapel.steps["Ann"] == 3 and found.chapel.order == ["Ann", "Bob/1", "Cid"]
    assert [found.power("Ann", crest) for crest in ("blue", "orange", "grey", "green")] == [3, 1, 1, 1]


def test_a_gate_gives_a_bonus_tile_every_third_space() -> None:
    """With 4 orange crests a marker on space 2 goes to 6: past one bonus space and onto another (rulebook, gate)."""
    found = laid("I orange 60", "G orange 55", "E orange 50", "G orange 43")
    assert found.gate.steps["Ann"] == 2 + 4 and found.bonus["Ann"] == 2


def test_a_higher_number_replaces_one_that_keeps_the_row_descending() -> None:
    """20 may replace 23 or 15, not build after 11 (rulebook, building); after a park any number fits."""
    rows = ("E blue 49", "E grey 23", "E green 15", "E orange 11")
    assert laid(*rows).places("Ann", 20) == [1, 2]
    assert laid(*rows).places("Ann", 5) == [4] and laid(*rows, "P").places("Ann", 58) == [5]
    turn = [*cards(4, 0, 0), "Ann tile I blue", "Ann number 20"]
    found = laid(*rows)
    for event in events(*turn):
        found.apply(event)
    assert found.taken is not None and found.next == "Ann"
    for event in events("Ann space 0", "Ann space 2"):  # 49 may not go
        found.apply(event)
    assert [str(tile) for tile in found.bridges["Ann"]] == ["E49", "E23", "I20", "E11"]
    assert found.laid is not None and found.laid[2] == 2  # 49 and the inn itself


def test_bonus_tiles_are_used_from_the_next_round_on() -> None:
    found = laid("I orange 60", "E orange 55", "G orange 50")
    assert (found.bonus["Ann"], found.usable("Ann")) == (1, 1)
    for event in events(*cards(1, 1, 0), "Bob/1 raise 0", "Ann raise 0", "Ann raise 0"):
        found.apply(event)
    assert found.order == ["Ann", "Bob/1", "Cid"] and found.bonus["Ann"] == 0
    moved = laid("I orange 60", "E orange 55", "G orange 50")
    for event in events(*cards(4, 0, 0), "Ann bonus chapel"):
        moved.apply(event)
    assert moved.chapel.steps["Ann"] == 2 and moved.bonus["Ann"] == 0


def test_who_comes_later_lies_on_top_but_below_at_the_end_of_a_track() -> None:
    track = Track(dict.fromkeys("ABC", 0), list("ABC"))
    track.move("C", 2)
    track.move("B", 2)
    assert track.order == list("BCA")
    track.end("C")
    track.end("B")
    track.move("A", 9)
    assert track.order == list("CBA")


def test_events_that_cannot_have_happened_are_left_out() -> None:
    start = (*stairs("Ann", "Bob/1", "Cid"), *cards(4, 0, 0))
    odd = ["Ann card 2", "Bob/1 tile P", "Ann number 5", "round", "Ann tile C purple", "Zoe card 1", "Ann bonus chapel"]
    found = noted(*start, *odd, players=3)
    assert found.cards["Ann"] == [4] and found.next == "Ann" and found.taken is None and found.rounds == []


def game_of_two() -> list[dict[str, Any]]:
    """Six rounds in which Ann builds two numbered tiles each, and Bob two parks."""
    told = stairs("Ann", "Bob/1")
    for played in range(6):
        told += ["Ann card 4", "Ann card 3", "Bob/1 card 0", "Bob/1 card 0"]
        told += ["Ann tile C blue" if played < 3 else "Ann tile U"]
        told += [f"Ann number {60 - 2 * played}", "Ann tile E green", f"Ann number {59 - 2 * played}"]
        told += ["Bob/1 tile P", "Bob/1 tile P", "round"]
    return events(*told)


def test_the_game_ends_with_the_round_in_which_the_third_stack_runs_out() -> None:
    """Four players take 36 tiles of three types in nine rounds (rulebook, end of the game)."""
    told = stairs(*BUILDERS)
    for played in range(9):
        told += cards(0, 0, 0, 0)
        for seat, name in enumerate(BUILDERS):
            tile = ("P", "U", "E blue")[(4 * played + seat) // 12]
            told += [f"{name} tile {tile}", *([] if tile == "P" else [f"{name} number {60 - 4 * played - seat}"])]
        told.append("round")
    record: dict[str, Any] = {"game": "old_london_bridge", "players": [{"name": name} for name in BUILDERS]}
    record["table"] = {"companion": {"events": events(*told[:-1])}}
    before = ROUND_COMPANION.answer(load(OLD_LONDON_BRIDGE, record), record["table"]["companion"])
    assert "Three stacks are empty: the game ends after this round." in before["steps"]
    record["table"]["companion"]["events"] = events(*told)
    loaded = load(OLD_LONDON_BRIDGE, record)
    assert "over" in ROUND_COMPANION.answer(loaded, record["table"]["companion"])["heading"]
    assert {one.name: one.default for one in asks_of_the_bridge(loaded, 0)}["summary/buildings"] == 9


def test_a_game_noted_to_its_end_is_not_asked_about_again() -> None:
    """Ann moves 1, 2 and 3 spaces on the chapel track and builds 12; Bob never moves."""
    record: dict[str, Any] = {"game": "old_london_bridge", "players": [{"name": name} for name in BUILDERS[:2]]}
    record["table"] = {"companion": {"events": game_of_two()}}
    loaded = load(OLD_LONDON_BRIDGE, record)
    answer = ROUND_COMPANION.answer(loaded, record["table"]["companion"])
    assert answer["buttons"] == [] and "over" in answer["heading"]
    ann, bob = ({one.name: one.default for one in asks_of_the_bridge(loaded, seat)} for seat in range(2))
    assert (ann["chapel_steps"], ann["gate_steps"], ann["unused_tiles"]) == (1 + 2 + 3, 0, 0)
    assert (ann["summary/buildings"], bob["summary/buildings"], bob["chapel_steps"]) == (12, 12, 0)
    assert {one.name: one.default for one in asks_of_the_bridge(loaded, None)}["chapel_order"] == ["Ann", "Bob/1"]
    record["players"].reverse()
    assert {one.name: one.default for one in asks_of_the_bridge(load(OLD_LONDON_BRIDGE, record), 1)} == ann


def test_the_events_follow_a_player_who_gets_another_name() -> None:
    begun: list[tuple[Any, Any]] = [
        (OLD_LONDON_BRIDGE, events(*stairs("Ann", "Bob/1"))),
        (TINY_TOWNS, builder_notes("Ann begins", "Bob/1 wood")["events"]),
    ]
    for game, told in begun:
        new = renamed({"companion": {"events": told}}, game.names, {"Bob/1": "Bea"})
        assert [event["name"] for event in new["companion"]["events"]] == ["Ann", "Bea"]


def test_the_scoring_tiles_pay_from_what_is_noted() -> None:
    record = table(inn="per_round_highest_card", chapel="per_round_leader", bridge="per_round_lowest_number")
    told = [*stairs("Cid", "Ann", "Bob/1"), *cards(2, 4, 4)]
    first = ROUND_COMPANION.answer(load(OLD_LONDON_BRIDGE, record), {"events": events(*told)})
    assert any("Cid gets £2" in step for step in first["steps"])  # a tie with Bob, and Cid is ahead
    told += ["Cid tile E blue", "Cid number 30", "Bob/1 tile C blue", "Bob/1 number 12", "Ann tile P", "round"]
    later = ROUND_COMPANION.answer(load(OLD_LONDON_BRIDGE, record), {"events": events(*told)})
    assert later["winnings"]["Bob/1"] == {"inn": 0, "chapel": 1, "bridge": 2}


def pier(*rows: list[str]) -> dict[str, Any]:
    players = [{"name": name, "rows": mine} for name, mine in zip(NAMES, rows, strict=False)]
    return {"game": "pier_18", "table": {}, "players": players}


def test_the_patron_goes_to_the_pier_that_suits_best() -> None:
    answer = PATRON_PHASE.answer(load(PIER_18, pier(["F.", "F."], ["P.", "P."])), {"round": {"symbols": ["F", "L"]}})
    assert answer["winner"] == "Ann" and answer["points"] == {"Ann": 2, "Bob/1": 0}
    assert isinstance(answer["why"], Sentence)


def test_a_tie_offers_those_who_tie() -> None:
    record = pier(["F."], ["F."], ["P."])
    notes: dict[str, Any] = {"round": {"symbols": ["F"]}}
    assert [one.name for one in PATRON_PHASE.asks(load(PIER_18, record), notes)] == ["round/symbols"]
    answer = PATRON_PHASE.answer(load(PIER_18, record), notes)
    assert answer["winner"] is None and answer["ask"] == ["Ann", "Bob/1"]


def test_the_rounds_of_a_pier_are_counted_and_their_patrons_kept() -> None:
    """Three players: 3 rounds with 4 cards each, begun by the next player to the left (rulebook, gameplay)."""
    record = pier([], [], [])
    loaded = load(PIER_18, record)
    first = PATRON_PHASE.answer(loaded, {"first": ["Bob/1"]})
    assert (first["heading"], first["cards"], first["starts"]) == ("Round 1 of 3", 4, "Bob/1")
    later = PATRON_PHASE.answer(loaded, {"first": ["Bob/1"], "patrons": ["Ann", "Ann"]})
    assert (later["heading"], later["starts"]) == ("Round 3 of 3", "Ann")
    notes = {"patrons": ["Ann", "Ann", "Cid"]}
    assert PATRON_PHASE.answer(loaded, notes)["over"]
    assert [one.name for one in PATRON_PHASE.asks(loaded, notes)] == ["patrons"]
    record["table"]["companion"] = notes
    known = [
        next(one.default for one in asks_of_the_pier(replace(loaded, record=record), seat) if one.name == "patrons")
        for seat in range(3)
    ]
    assert known == [2, 0, 1]


def copenhagen(*names: str) -> Any:
    return load(COPENHAGEN, {"game": "copenhagen", "players": [{"name": name, "grid": []} for name in names]})


def test_the_first_hands_of_copenhagen() -> None:
    """2, 3, 3 and 4 cards in the order of play; three players leave 2 of each colour in the box (rulebook, set-up)."""
    loaded = copenhagen("Ann", "Bob", "Cid", "Dee")
    begins = CARDS_AND_END.answer(loaded, {})
    assert [button["put"] for button in begins["buttons"]] == [
        ["first", [name]] for name in ("Ann", "Bob", "Cid", "Dee")
    ]
    dealt = CARDS_AND_END.answer(loaded, {"first": ["Cid"]})["facts"]
    assert [(one["label"], one["value"]) for one in dealt] == [("Cid", 2), ("Dee", 3), ("Ann", 3), ("Bob", 4)]
    assert "Return 2 cards of each colour" in CARDS_AND_END.answer(copenhagen("Ann", "Bob", "Cid"), {})["steps"][0]


def test_the_end_of_copenhagen_comes_with_the_first_or_the_second_run_through_the_supply() -> None:
    two, three = copenhagen("Ann", "Bob"), copenhagen("Ann", "Bob", "Cid")
    begun = {"first": ["Ann"]}
    assert [one["put"] for one in CARDS_AND_END.answer(two, begun)["buttons"]] == [["ended", True]]
    assert [one["put"] for one in CARDS_AND_END.answer(three, begun)["buttons"]] == [["reshuffled", True]]
    later = CARDS_AND_END.answer(three, {**begun, "reshuffled": True})
    assert "End of Game card" in later["steps"][0] and later["facts"] == [] and later["back"] == "reshuffled"
    assert CARDS_AND_END.answer(three, {**begun, "reshuffled": True, "ended": True})["buttons"] == []


def tenby(*players: dict[str, Any], **shared: Any) -> Any:
    named = [{"name": name, "streets": [], **mine} for name, mine in zip(NAMES, players, strict=False)]
    return load(TENBY, {"game": "tenby", "table": shared, "players": named})


def facts(loaded: Any, notes: Any) -> dict[str, Any]:
    return {str(one["label"]): one["value"] for one in ROUND_BY_ROUND.answer(loaded, notes)["facts"]}


def test_the_market_and_the_rounds_of_tenby() -> None:
    """The market has players + 1, as many and one fewer; after round 9 all draw 3 cards (rulebook, set-up, p. 16)."""
    loaded = tenby({}, {}, {})
    found = facts(loaded, {})
    market = [found[f"{deck} cards in the market"] for deck in ("Terrace", "Pier", "Landmark")]
    assert market == [4, 3, 2] and found["Day cards"] == 4
    assert ROUND_BY_ROUND.answer(loaded, {"rounds": 9})["heading"] == "Round 10 of 10"
    assert any("draws 3" in step for step in ROUND_BY_ROUND.answer(loaded, {"rounds": 8})["steps"])
    assert ROUND_BY_ROUND.answer(loaded, {"rounds": 10})["buttons"] == []
    back = [ROUND_BY_ROUND.answer(loaded, {"rounds": over}) for over in (0, 1, 2)]
    assert [(one["back"], one["again"]) for one in back] == [("", []), ("rounds", []), ("", ["rounds", 1])]
    assert [one["put"] for one in back[2]["buttons"]] == [["rounds", 3]]
    assert ROUND_BY_ROUND.asks(load(TENBY, {"game": "tenby", "players": [{"name": "Ann"}]}), {}) == ()


def test_what_accolades_cost_and_where_they_stand() -> None:
    card = {"deck": "terrace", "base": "terrace", "edges": ["terrace", "terrace"], "features": {"bench": 1}}
    goals = [{"name": "Benches", "target": "bench", "active": True}, {"name": "Bins", "target": "bin", "active": False}]
    towns_ = ({"streets": [[card]]}, {"streets": [[{**card, "features": {"bench": 0}}]]})
    tide = tenby(
        *towns_, accolades={"mode": "high_tide", "cards": [*goals, {**goals[1], "name": "Homes", "target": "home"}]}
    )
    found = facts(tide, {"rounds": 4})
    assert found["Next counter on an accolade"] == "Life rings: 4"  # the second one
    assert found["Benches"] == "Leading now: Ann"
    held = [{"name": "Benches", "target": "bench", "holder": name, "revealed": name == "Ann"} for name in NAMES[:2]]
    ebb = tenby(
        *towns_, accolades={"mode": "ebb_flow", "cards": [held[0], {**held[1], "name": "Gulls", "target": "seagull"}]}
    )
    found = facts(ebb, {"rounds": 4})
    assert found["Reveal your secret accolade"] == "Life rings: 5"  # it is round 5
    assert found["Benches"] == "Leading now: Ann" and "Gulls" not in found


def test_piers_nobody_has_painted_are_empty() -> None:
    record = {"players": [{"name": "Ann"}, {"name": "Bob", "typed": {}}]}
    assert PATRON_PHASE.answer(load(PIER_18, record), {"round": {"symbols": ["S"]}})["points"] == {"Ann": 0, "Bob": 0}


def towns(mode: str = "standard", **table: Any) -> dict[str, Any]:
    cards = {"red": "farm", "grey": "well", "orange": "chapel", "green": "inn", "yellow": "bakery", "black": "bank"}
    grid = [["monument", "empty", "empty", "empty"], *[["empty"] * 4] * 3]
    players = [{"name": name, "grid": grid, "monument": "the_starloom"} for name in NAMES]
    return {"game": "tiny_towns", "table": {"mode": mode, "cards": cards, **table}, "players": players}


def hammer(notes: Any, record: Any = None) -> dict[str, Any]:
    answer: dict[str, Any] = MASTER_BUILDER.answer(load(TINY_TOWNS, record or towns()), notes)
    return answer


def builder_notes(*events: str) -> dict[str, Any]:
    """Notes from events like "Ann wood"."""
    return {"events": [dict(zip(("name", "did"), event.split(), strict=True)) for event in events]}


def standings(notes: Any, record: Any = None) -> dict[str, str]:
    return {str(one["label"]): str(one["value"]) for one in hammer(notes, record)["facts"]}


def test_the_hammer_goes_to_the_left_past_completed_towns() -> None:
    """Whose town is completed no longer names resources (rulebook, "Completing Your Town")."""
    assert [one["put"][1]["name"] for one in hammer({})["buttons"]] == NAMES
    begun = hammer(builder_notes("Bob/1 begins"))
    assert begun["heading"] == "Bob/1 is Master Builder"
    named = [one["put"] for one in begun["buttons"]]
    assert ["events/-", {"name": "Bob/1", "did": "glass"}] in named and len(named) == 5
    notes = builder_notes("Bob/1 begins", "Bob/1 glass", "Cid wood")
    assert hammer(notes)["heading"] == "Ann is Master Builder"
    assert standings(notes)["Ann"] == "0 turns" and standings(notes)["Cid"] == "1 turn"
    assert standings(notes)["Glass"] == "named once"
    notes["events"].append({"name": "Ann", "did": "completed"})
    assert hammer(notes)["heading"] == "Bob/1 is Master Builder"
    assert hammer(notes)["back"] == "events/3"
    over = builder_notes("Bob/1 begins", *(f"{name} completed" for name in NAMES))
    assert hammer(over)["buttons"] == [] and "complete" in hammer(over)["heading"]


def test_the_last_player_goes_on_alone() -> None:
    notes = builder_notes("Ann begins", "Ann wood", "Bob/1 wood", "Ann completed", "Bob/1 completed", "Cid brick")
    assert hammer(notes)["heading"] == "Cid is Master Builder"
    again = {"events": [*notes["events"], {"name": "Cid", "did": "stone"}]}
    assert standings(again)["Cid"] == "2 turns"


def test_the_hammer_passes_fort_ironweed_until_its_owner_is_the_last_player() -> None:
    """Its owner passes the token on, unless she is the last player in the game (rulebook, Fort Ironweed)."""
    notes = builder_notes("Ann begins", "Ann wood", "Bob/1 ironweed")
    assert hammer(notes)["heading"] == "Cid is Master Builder"
    notes["events"] += builder_notes("Cid wood", "Cid completed", "Ann completed")["events"]
    assert hammer(notes)["heading"] == "Bob/1 is Master Builder"


def test_one_turn_noted_by_two_phones_counts_once() -> None:
    notes = builder_notes("Ann begins", "Ann wood", "Ann glass")
    assert standings(notes)["Ann"] == "1 turn" and hammer(notes)["heading"] == "Bob/1 is Master Builder"


def test_notes_go_with_the_names_when_players_change_places() -> None:
    notes = builder_notes("Ann begins", "Ann wood", "Bob/1 wood", "Bob/1 completed")
    moved = towns()
    moved["players"].append(moved["players"].pop(0))  # Bob, Cid, Ann
    found = standings(notes, moved)
    assert found["Ann"] == "1 turn" and found["Bob/1"].startswith("1 turn. Number 1 to complete")
    del moved["players"][0]  # Bob leaves; Cid and Ann go on
    assert hammer(notes, moved)["heading"] == "Cid is Master Builder"


def test_towns_completed_in_one_round_share_the_better_place() -> None:
    turns = ("Ann wood", "Bob/1 wood", "Cid wood")
    found = standings(builder_notes(*turns, "Bob/1 completed", "Cid completed", "Ann brick", "Ann completed"))
    assert ["Number 3" in found["Ann"], *("Number 1" in found[name] for name in NAMES[1:])] == [True] * 3


def test_what_was_counted_stands_in_the_form() -> None:
    notes = builder_notes("Ann wood", "Bob/1 wood", "Cid wood", "Bob/1 completed", "Ann brick")
    loaded = load(TINY_TOWNS, towns(companion=notes))
    defaults = [{one.name: one.default for one in asks_of_the_town(loaded, seat)} for seat in range(3)]
    assert [one["master_builder_turns"] for one in defaults] == [2, 1, 1]
    assert [one["starloom_place"] for one in defaults] == [None, 1, None]
    assert {one.name: one.default for one in asks_of_the_town(load(TINY_TOWNS, towns()), 0)}["starloom_place"] is None


def test_nobody_is_master_builder_in_a_town_hall_or_alone() -> None:
    assert MASTER_BUILDER.asks(load(TINY_TOWNS, towns()), {})
    assert not MASTER_BUILDER.asks(load(TINY_TOWNS, towns("town_hall")), {})
    alone = towns()
    del alone["players"][1:]
    assert not MASTER_BUILDER.asks(load(TINY_TOWNS, alone), {})


def test_notes_that_make_no_sense_are_left_out() -> None:
    odd: list[Any] = [None, [], {"events": 5}, {"turns": [0, 1]}]
    odd.append(
        {"events": [9, "x", {"name": "Zoe", "did": "wood"}, {"name": "Ann", "did": ["wood"]}, {"did": "begins"}]}
    )
    for notes in odd:
        assert hammer(notes)["heading"] == "Who starts with the hammer?"
        assert list(standings(notes).values()) == ["0 turns"] * 3
    assert hammer({"events": [{"name": "Ann", "did": "wood"}] * 300})["buttons"] == []


def test_a_marker_at_the_end_of_its_track_stays_there() -> None:
    track = Track(dict.fromkeys("ABC", 0), list("ABC"))
    track.end("B")
    track.move("B", 2)
    track.move("C", 9)
    assert track.steps == {"A": 0, "B": 0, "C": 9} and track.order == ["B", "C", "A"]


def test_the_last_rounds_of_tenby_have_other_steps() -> None:
    usual = [str(step) for step in order_of(1, 3)]
    assert usual == [str(step) for step in order_of(8, 3)] and len(usual) == 5
    assert usual[-1] == "Refill the market. Draw 3 day cards."
    before_the_last = [str(step) for step in order_of(9, 3)]
    assert before_the_last == [*usual[:4], str(order_of(9, 3)[4]), usual[-1]]
    assert before_the_last[4].startswith("In night card order, each player draws 3 terrace or pier cards")
    assert [str(step) for step in order_of(10, 3)] == usual[:2]
