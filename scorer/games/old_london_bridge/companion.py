"""Help during the game: what the chosen faces pay in each round, and the sums so far.

The notes are {"chapel_order": [...], "rounds": [{"cards": {"0": {"1": 3}}, "chapel_order": [...]}]}, with seats and
turns as keys, as a form fills them in. The last round is still being played and pays only for its cards.

Or players note every card and every building with one tap: {"events": [{"name": "Ann", "did": "card", "value": 3}]}.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scorer.contract import Choice, Companion, DataInput, Input, Json, Loaded, NumberInput, OrderInput
from scorer.games.old_london_bridge.cards import FACES, HIGHEST_NUMBER, ROUNDS, ZONES
from scorer.games.old_london_bridge.events import Progress, replay
from scorer.games.old_london_bridge.rounds import HIGHEST_CARD, TURNS, WATCHED, paid_so_far
from scorer.games.old_london_bridge.state import PLAYERS
from scorer.games.old_london_bridge.turn_by_turn import page
from scorer.names import folded
from scorer.record import POINTS, mapping, seated, sequence
from scorer.sentences import Sentence, as_it_is, say

ORDER = OrderInput(
    "chapel_order",
    say("Order on the chapel track at the start"),
    help=say("Enter the leader first. On the same space, the marker on top leads."),
)
EVENTS = DataInput("events", say("Cards and buildings"))
# Cards are revealed first, then all players build; the tracks are compared when all have moved.
AS_IT_HAPPENS = ("inn", "bridge", "gate", "chapel")


def asks(loaded: Loaded, notes: Json) -> tuple[Input, ...]:
    """Return the input for events if players note every card and building. Otherwise return the input for the order at
    the start and, once it is entered, those for unfinished rounds. These are the current round, and all rounds in
    which a fact is wrong or missing."""
    record = loaded.record
    if is_noted_by_turns(record, notes):
        return (EVENTS,) if is_table(record) else ()
    start = replace(ORDER, choices=tuple(Choice(name, as_it_is(name)) for name in names(record)))
    if not is_order(record, mapping(notes).get("chapel_order")):
        return (start,)
    last, faulty = len(rounds(notes)) - 1, faulty_rounds(loaded, notes)
    asked = [index for index in range(last + 1) if index == last or str(index) in faulty]
    return (start, *(one for index in asked for one in of_round(record, notes, start, index)))


def is_noted_by_turns(record: Json, notes: Json) -> bool:
    """Return whether players note every card and building as an event, as they always do if no face pays each round."""
    return not zones(record) or "events" in mapping(notes)


def is_table(record: Json) -> bool:
    """Return whether the number of players fits the game, and all have different names."""
    return len(names(record)) in PLAYERS and len(set(map(folded, names(record)))) == len(names(record))


def replay_events(record: Json, notes: Json) -> tuple[Progress, Json]:
    """Return the state of the game after the noted events, and the payments so far, as `paid_so_far` returns them."""
    noted = replay(names(record), sequence(mapping(notes).get("events")))
    revealed = {"cards": noted.seen()["cards"]} if noted.order else {}
    log = {
        "players": names(record),
        "scoring": {zone: faces(record)[zone] for zone in zones(record)},
        "chapel_order": noted.stairs,
        "rounds": [*noted.rounds, {**revealed, "finished": False}] if not noted.is_over else noted.rounds,
    }
    return noted, paid_so_far(log)


def faulty_rounds(loaded: Loaded, notes: Json) -> set[str]:
    """Return the indices, as text, of rounds in which a fact is wrong or missing."""
    where = [problem["where"].split("/") for problem in answer(loaded, notes)["problems"]]
    return {steps[2] for steps in where if steps[1:2] == ["rounds"] and len(steps) > 2}


def of_round(record: Json, notes: Json, start: Input, index: int) -> Iterator[Input]:
    """Yield the inputs for the round at `index`: facts of every player, then the order on the chapel track. `start` is
    the input for the order at the start of the game."""
    for zone in sorted(zones(record), key=AS_IT_HAPPENS.index):
        for seat, name in enumerate(names(record)):
            for asked in of_player(zone, f"rounds/{index}", seat, name, TURNS.get(len(names(record)), 1)):
                yield replace(asked, default=steps_before(notes, index, seat)) if zone == "gate" else asked
    orders = [mapping(notes).get("chapel_order"), *(played.get("chapel_order") for played in rounds(notes)[:index])]
    before = next((order for order in reversed(orders) if is_order(record, order)), None)
    label = say("Order on the chapel track at the end of round {round}", round=index + 1)
    yield replace(start, name=f"rounds/{index}/chapel_order", label=label, default=before)


def steps_before(notes: Json, index: int, seat: int) -> int | None:
    """Return the steps on the gate track that the notes have for the player in `seat` before the round at `index`.
    Return None if they have none."""
    seen = [mapping(played.get("gate_steps")).get(str(seat)) for played in rounds(notes)[:index]]
    known = [steps for steps in seen if isinstance(steps, int) and not isinstance(steps, bool)]
    return known[-1] if known else None


def at_the_end(loaded: Loaded) -> dict[str, Json]:
    """Return what the notes of a finished game say about the table, keyed by input name, such as "chapel_order"."""
    notes, record = mapping(mapping(loaded.record).get("table")).get("companion"), loaded.record
    if not notes:
        return {}
    if is_table(record) and is_noted_by_turns(record, notes):
        noted = replay(names(record), sequence(mapping(notes).get("events")))
        early = {"ended_early": True} if noted.ended_early else {}
        return {"chapel_order": noted.chapel.order, **early} if noted.is_over else {}
    played = rounds(notes)
    if len(played) < ROUNDS.get(len(names(record)), len(played) + 1):
        return {}
    order = played[-1].get("chapel_order")
    return {"chapel_order": order} if is_order(record, order) else {}


def of_player_at_the_end(loaded: Loaded, seat: int) -> dict[str, Json]:
    """Return what the notes of a finished game say about a player, keyed by input name, such as "bridge"."""
    notes, record = mapping(mapping(loaded.record).get("table")).get("companion"), loaded.record
    if not notes or not is_table(record) or not is_noted_by_turns(record, notes):
        return {}
    noted = replay(names(record), sequence(mapping(notes).get("events")))
    return counted(noted, names(record)[seat]) if noted.is_over else {}


def counted(noted: Progress, name: str) -> dict[str, Json]:
    """Return what the events of a finished game say about a player, keyed by input name, such as "bridge". If a marker
    is at the end of a track, its steps are unknown and left out."""
    bridge = [str(tile) for tile in noted.bridges[name]]
    found: dict[str, Json] = {"bridge": bridge, "replaced": len(noted.rounds) * noted.turns_each - len(bridge)}
    ended = name in noted.chapel.ended
    found |= {"chapel_moved": True} if ended else {"chapel_steps": noted.chapel.steps[name]}
    if name not in noted.gate.ended:
        found |= {"gate_steps": noted.gate.steps[name], "unused_tiles": noted.bonus[name]}
    return found


def of_player(zone: str, where: str, seat: int, name: str, turns: int) -> Iterator[Input]:
    """Yield the inputs of one player for the face of a zone in one round. `where` is the path of the round, such as
    "rounds/0", and `turns` is how many turns a player has in it."""
    if zone == "gate":
        label = say("{name}: steps along the gate track so far", name=name)
        yield NumberInput(f"{where}/gate_steps/{seat}", label, high=POINTS)
    for turn in range(turns if zone in {"inn", "bridge"} else 0):
        path = f"{where}/{WATCHED[zone]}/{seat}/{turn}"
        if zone == "inn":
            yield NumberInput(path, card_of(name, turn, turns), high=HIGHEST_CARD)
        else:
            yield NumberInput(path, number_of(name, turn, turns), low=1, high=HIGHEST_NUMBER)


def card_of(name: str, turn: int, turns: int) -> Sentence:
    return say("{name}: card {turn}", name=name, turn=turn + 1) if turns > 1 else say("{name}: card", name=name)


def number_of(name: str, turn: int, turns: int) -> Sentence:
    if turns > 1:
        return say("{name}: number on building {turn}", name=name, turn=turn + 1)
    return say("{name}: number on the building", name=name)


def answer(loaded: Loaded, notes: Json) -> Json:
    """Return what the page shows, as JSON: every payment with its reason, the running sums, and any problems. If
    players note every card and building, return the page of `turn_by_turn` instead."""
    record = loaded.record
    if is_noted_by_turns(record, notes):
        noted, paid = replay_events(record, notes)
        shown = page(noted, len(sequence(mapping(notes).get("events"))), paid)
        return {**shown, "optional": bool(zones(record))}
    played = rounds(notes)
    log = {
        "players": names(record),
        "scoring": {zone: faces(record)[zone] for zone in zones(record)},
        "rounds": [{**logged(record, one), "finished": index < len(played) - 1} for index, one in enumerate(played)],
    }
    if "chapel_order" in mapping(notes):
        log["chapel_order"] = mapping(notes)["chapel_order"]
    return {**paid_so_far(log), "round": len(played), "most": ROUNDS.get(len(names(record)), 0)}


def logged(record: Json, played: dict[str, Any]) -> dict[str, Json]:
    """Return the round `played` of the notes in the form that the module `rounds` reads, with names instead of seats.
    Steps and cards that are not entered for every player are left out."""
    one = {WATCHED[zone]: seen for zone in zones(record) if zone in WATCHED if (seen := by_name(record, played, zone))}
    return one | ({"chapel_order": played["chapel_order"]} if "chapel_order" in played else {})


def by_name(record: Json, played: dict[str, Any], zone: str) -> dict[str, Json] | None:
    by_seat = mapping(played.get(WATCHED[zone]))
    if zone == "gate":
        steps = {name: by_seat.get(str(seat)) for seat, name in enumerate(names(record))}
        return None if None in steps.values() else steps
    turns = TURNS.get(len(names(record)), 1)
    seen: dict[str, Json] = {}
    for seat, name in enumerate(names(record)):
        values = [mapping(by_seat.get(str(seat))).get(str(turn)) for turn in range(turns)]
        seen[name] = [value for value in values if value is not None]
        if zone == "inn" and None in values:  # a park has no number, but every player reveals a card
            return None
    return seen


def winnings(loaded: Loaded) -> dict[str, dict[str, int]]:
    """Return the coins that the companion has counted, as {player: {zone: coins}}; {} without notes."""
    notes = mapping(mapping(loaded.record).get("table")).get("companion")
    won: dict[str, dict[str, int]] = answer(loaded, notes)["winnings"] if notes else {}
    return won


def names(record: Json) -> list[str]:
    return [str(player.get("name")) for player in seated(record)]


def is_order(record: Json, order: Json) -> bool:
    """Return whether `order` is a list that names every player of the record exactly once."""
    return isinstance(order, list) and sorted(map(str, order)) == sorted(names(record))


def faces(record: Json) -> dict[str, Any]:
    return mapping(mapping(mapping(record).get("table")).get("scoring"))


def zones(record: Json) -> list[str]:
    """Return the zones of the board, such as "inn", whose chosen face pays every round."""
    chosen = [(zone, face) for zone in ZONES if isinstance(face := faces(record).get(zone), str)]
    return [zone for zone, face in chosen if (zone, face) in FACES and FACES[zone, face].per_round]


def rounds(notes: Json) -> list[dict[str, Any]]:
    """Return what the notes say about each round so far, the current round last."""
    played = sequence(mapping(notes).get("rounds"))[: max(ROUNDS.values())]
    return [mapping(one) for one in played] or [{}]


ROUND_COMPANION = Companion(
    name=say("Round companion"),
    text=say("Turn order, the power of each building, and what scoring tiles pay each round."),
    asks=asks,
    answer=answer,
    blank={"rounds": [{}]},
)
