"""Facts that the record calls unknown: what they leave open, and between which ends.

A face that compares the players is open for all of them as soon as one count is. Nothing here supposes an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer import spans
from scorer.contract import Line, Missing
from scorer.games.old_london_bridge.cards import (
    COIN_SPACES,
    FACES,
    PRIZES,
    SPACES,
    TYPES,
    ZONES,
    bracket,
    needed_inputs,
)
from scorer.games.old_london_bridge.prizes import PRIZE_RULES
from scorer.games.old_london_bridge.state import RULES, Architect, State, empty_column
from scorer.reading import STILL_TO_COUNT, Typed
from scorer.sentences import Sentence, say, say_count
from scorer.spans import Span

MANY = 99  # above every row of a table of amounts
LABELS = {
    "coins": say("Coins before final scoring"),
    "chapel_steps": say("Spaces up the chapel track"),
    "last_coin_space": say("Last coin passed on the chapel track"),
    "gate_steps": say("Steps along the gate track"),
    "cards": say("Cards in hand"),
    "unused_tiles": say("Unused bonus tiles"),
    "buildings": say("Buildings, gardens included"),
    "longest": say("Longest row of descending numbers"),
    "low30": say("Numbers of 30 or lower"),
    "sets": say("Complete sets of all six types"),
    **{f"types/{letter}": one.heading for letter, one in TYPES.items()},
}
# The most that a face can pay a player alone, where the tile sets a limit.
MOST_PAID = {
    "coin_spaces": sum(COIN_SPACES),
    "step_brackets": bracket("gate_steps", MANY),
    "unused_tiles_squared": bracket("unused_tiles", MANY),
    "numbers_up_to_30": 2 * SPACES,
    "sets_of_six": 10 * (SPACES // len(TYPES)),
}


def missing(state: State, index: int, architect: Architect) -> Iterator[Missing]:
    """Yield what has to be counted before this player's points are final."""
    for fact in needed_inputs({zone: state.face(zone) for zone in ZONES}):
        if architect.is_open(fact):
            yield Missing(fact, architect.name, f"/players/{index}{architect.pointer(fact)}", LABELS[fact])
    column = empty_column(architect)
    if column is not None and is_open_cost(state, column):
        yield Missing("empty_costs", architect.name, f"/table/empty_costs/{column}", cost_of(column))
    if is_open_hand(state, architect):
        label = say("Printed for 8 or more cards in hand")
        yield Missing("hand_8plus", architect.name, "/table/hand_8plus", label)


def cost_of(column: str) -> Sentence:
    if column == "5+":
        return say("Printed for 5+ empty spaces")
    return say_count("Printed for {n} empty space", "Printed for {n} empty spaces", int(column))


def is_open_cost(state: State, column: str) -> bool:
    return f"empty_costs/{column}" in state.open and state.empty_cost(column) is None


def is_open_hand(state: State, architect: Architect) -> bool:
    hand = sum(state.hand(architect).values())
    return "hand_8plus" in state.open and state.face("inn") == "hand_count" and hand >= 8


def opened(state: State, architect: Architect, lines: Iterator[Line]) -> Iterator[Line]:
    """The lines, those that hang on an open fact with what they can bring."""
    found = {line.rule: line for line in lines}
    for rule in ("empty", "bonus"):
        if rule not in found and span_of(state, architect, rule):
            found[rule] = Line(rule, RULES[rule], 0, STILL_TO_COUNT)
    for rule in RULES:
        if rule in found:
            span = span_of(state, architect, rule)
            yield found[rule] if span is None else still_open(found[rule], span)


def still_open(line: Line, span: Span) -> Line:
    return replace(line, points=spans.certain(span), why=STILL_TO_COUNT, cells=(), span=span)


def span_of(state: State, architect: Architect, rule: str) -> Span | None:
    """Return what a line can bring, None if nothing of it is open."""
    if rule in ZONES:
        return span_in_zone(state, architect, rule)
    column = empty_column(architect)
    is_open = {
        "coins": architect.is_open("coins"),
        "empty": architect.is_open("buildings") or (column is not None and is_open_cost(state, column)),
        "bonus": tiles_are_open(state, architect) and state.face("gate") != "unused_tiles_squared",
    }
    if not is_open[rule]:
        return None
    return (None, 0) if rule == "empty" else (0, None)


def tiles_are_open(state: State, architect: Architect) -> bool:
    return architect.is_open("unused_tiles") and state.unused_tiles(architect) is None


def span_in_zone(state: State, architect: Architect, zone: str) -> Span | None:
    face = FACES[zone, state.face(zone)]
    if (zone, face.id) in PRIZE_RULES:
        typed = [player for player in state.players if isinstance(player, Typed)]
        compared = (*face.needs, "buildings") if zone == "bridge" else face.needs
        is_open = any(rival.is_open(fact) for _, rival in state.architects for fact in compared)
        is_open = is_open or any(zone in player.open for player in typed)
        return (0, PRIZES[len(state.players)][0]) if is_open else None
    if face.id == "gap_from_last":
        return span_of_gap(state, architect)
    if is_open_hand(state, architect) and zone == "inn":
        return (0, None)
    counts_tiles = face.id == "unused_tiles_squared" and tiles_are_open(state, architect)
    if counts_tiles or any(architect.is_open(fact) for fact in face.needs):
        return (0, MOST_PAID.get(face.id))
    return None


def span_of_gap(state: State, architect: Architect) -> Span | None:
    """The distance from the last marker: hers, if nobody knows where the last one is."""
    if architect.is_open("chapel_steps"):
        return (0, None)
    steps, last = state.chapel_steps, (state.order or ())[-1]
    return None if last in steps or 0 in steps.values() else (0, architect.known("chapel_steps"))
