"""Find which points are open because the record says UNKNOWN, with the least and the most points.

An unknown count may leave a face open for all players if the face compares them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer import spans
from scorer.contract import Line, Missing
from scorer.games.old_london_bridge.cards import (
    BASE,
    CARD_VALUES,
    COIN_SPACES,
    FACES,
    HAND_8PLUS,
    PRIZES,
    SPACES,
    TYPES,
    ZEROS,
    ZONES,
    Face,
    bracket,
    needed_inputs,
)
from scorer.games.old_london_bridge.prizes import PRIZE_RULES, prize
from scorer.games.old_london_bridge.rewards import card_combinations
from scorer.games.old_london_bridge.state import NUMBERS, RULES, Architect, State, column_of, empty_column
from scorer.games.old_london_bridge.summary import COUNTED, Amounts, Summary, admitted, counts_of_type, narrowed
from scorer.record import STILL_TO_COUNT, Typed, settled_reason
from scorer.sentences import Sentence, say, say_count
from scorer.spans import Span

MANY = 99  # more than any row of a table of amounts
FULL_HAND = 8  # from this number of cards on, a hand pays the amount on the tile
LABELS = {
    "coins": say("Coins before final scoring"),
    "chapel_steps": say("Spaces up the chapel track"),
    "last_coin_space": say("Last coin passed on the chapel track"),
    "gate_steps": say("Steps along the gate track"),
    "cards": say("Cards in hand"),
    "unused_tiles": say("Unused bonus tiles"),
    "buildings": say("Buildings, including parks"),
    "longest": say("Longest sequence of descending numbers"),
    "low30": say("Numbers of 30 or lower"),
    "sets": say("Complete sets of all six types"),
    **{f"types/{letter}": one.heading for letter, one in TYPES.items()},
}
# The most coins of faces that do not compare players, if the tile sets a limit.
MOST_PAID = {
    "coin_spaces": sum(COIN_SPACES),
    "step_brackets": bracket("gate_steps", MANY),
    "unused_tiles_squared": bracket("unused_tiles", MANY),
}
PAID_EACH = {"numbers_up_to_30": 2, "sets_of_six": 10}
ALSO_READ = {("bridge", BASE): ("buildings",), ("gate", "unused_tiles_squared"): ("unused_tiles",)}
LINES_OF = {"coins": "coins", "unused_tiles": "bonus", "buildings": "empty"}


def missing(state: State, index: int, architect: Architect) -> Iterator[Missing]:
    """Yield the unknown facts of the player in seat `index` that have to be counted before all points are final."""
    for fact in needed_inputs({zone: state.face(zone) for zone in ZONES}):
        if architect.is_open(fact) and matters(state, architect, fact):
            yield Missing(fact, architect.name, f"/players/{index}{architect.pointer(fact)}", LABELS[fact])
    column = empty_column(architect)
    if column is not None and is_open_cost(state, column):
        yield Missing("empty_costs", architect.name, f"/table/empty_costs/{column}", cost_of(column))
    if is_open_hand(state, architect):
        label = say("Coins for 8 or more cards in hand")
        yield Missing("hand_8plus", architect.name, "/table/hand_8plus", label)


def matters(state: State, architect: Architect, fact: str) -> bool:
    """Return whether points stay open until the player's fact `fact` is known. These may be points of this player, or
    of others who are compared with this one."""
    found = [span_of(state, architect, LINES_OF[fact])] if fact in LINES_OF else []
    zones = [zone for zone in ZONES if fact in read_by(FACES[zone, state.face(zone)])]
    found += [span_in_zone(state, rival, zone) for zone in zones for _, rival in state.architects]
    return any(span is not None and not spans.is_exact(span) for span in found)


def read_by(face: Face) -> tuple[str, ...]:
    """Return the names of the facts that a face scores by."""
    return ALSO_READ.get((face.zone, face.id), face.needs)


def cost_of(column: str) -> Sentence:
    if column == "5+":
        return say("Cost of 5 or more empty spaces")
    return say_count("Cost of {n} empty space", "Cost of {n} empty spaces", int(column))


def is_open_cost(state: State, column: str) -> bool:
    return f"empty_costs/{column}" in state.open and state.empty_cost(column) is None


def is_open_hand(state: State, architect: Architect) -> bool:
    hand = sum(state.hand(architect).values())
    return "hand_8plus" in state.open and state.face("inn") == "hand_count" and hand >= 8


def with_open_points(state: State, architect: Architect, lines: Iterator[Line]) -> Iterator[Line]:
    """Yield the player's score lines; those that depend on an unknown fact get their least and most points."""
    found = {line.rule: line for line in lines}
    for rule in ("empty", "bonus"):
        if rule not in found and span_of(state, architect, rule):
            found[rule] = Line(rule, RULES[rule], 0, STILL_TO_COUNT)
    for rule in RULES:
        if rule in found:
            span = span_of(state, architect, rule)
            yield found[rule] if span is None else still_open(found[rule], span)


def still_open(line: Line, span: Span) -> Line:
    points = spans.certain(span)
    if spans.is_exact(span):
        return replace(line, points=points, why=settled_reason(points), cells=())
    return replace(line, points=points, why=STILL_TO_COUNT, cells=(), span=span)


def span_of(state: State, architect: Architect, rule: str) -> Span | None:
    """Return the least and the most points of a player's line, or None if no unknown fact affects it."""
    if rule in ZONES:
        return span_in_zone(state, architect, rule)
    if rule == "empty":
        return span_of_empty_spaces(state, architect)
    is_open = {
        "coins": architect.is_open("coins"),
        "bonus": tiles_are_open(state, architect) and state.face("gate") != "unused_tiles_squared",
    }
    return (0, None) if is_open[rule] else None


def span_of_empty_spaces(state: State, architect: Architect) -> Span | None:
    """Return the least and the most points for empty spaces, or None if all about them is known."""
    column = empty_column(architect)
    if not architect.is_open("buildings") and not (column and is_open_cost(state, column)):
        return None
    least, most = counts(architect, "buildings")
    columns = {column_of(built) for built in range(least, most + 1)}
    costs = [0 if one is None else state.empty_cost(one) for one in columns]
    return spans.union((None, 0) if cost is None else (-cost, -cost) for cost in costs)


def tiles_are_open(state: State, architect: Architect) -> bool:
    return architect.is_open("unused_tiles") and state.unused_tiles(architect) is None


def counts(architect: Architect, fact: str) -> tuple[int, int]:
    """Return the least and the most that the count `fact` of a bridge can be, given its other counts."""
    known = architect.fact(fact)
    if known is not None:
        return known, known
    summary = architect.summary or Summary()
    left = narrowed(summary)
    if not left:
        return 0, SPACES
    if fact in COUNTED:
        values: Sequence[int] = admitted(left, fact)
    elif fact == "buildings":
        values = sorted({outline.buildings for outline in left})
    else:
        values = counts_of_type(left, fact.removeprefix("types/"), summary.sets or 0)
    return values[0], values[-1]


def measured(architect: Architect, fact: str) -> tuple[int, int]:
    """Return the least and the greatest value of `fact` by which a face may compare a player. It is a number such as
    "coins", or the coins for "cards"; MANY stands for no limit."""
    if fact == "cards":
        return hand_value(architect, 0), hand_value(architect, MANY)
    if fact in NUMBERS:
        known = architect.fact(fact)
        return (0, MANY) if known is None else (known, known)
    return counts(architect, fact)


def hand_value(architect: Architect, uncounted: int) -> int:
    """Return the coins for the cards in hand if the player has `uncounted` cards of each value that was not counted."""
    return sum(int(value) * count for value, count in cards_with(architect, uncounted))


def cards_with(architect: Architect, uncounted: int) -> Amounts:
    """Return the cards in hand as pairs of value and number. Each value that was not counted, except 0, gets
    `uncounted` cards."""
    known = dict(architect.cards or ())
    is_open = {value for value in CARD_VALUES if value != "0" and {"cards", f"cards/{value}"} & architect.open}
    return tuple({**known, **dict.fromkeys(is_open - known.keys(), uncounted)}.items())


def span_in_zone(state: State, architect: Architect, zone: str) -> Span | None:
    face = FACES[zone, state.face(zone)]
    if (zone, face.id) in PRIZE_RULES:
        is_open = any(rival.is_open(fact) for _, rival in state.architects for fact in read_by(face))
        is_typed = any(zone in player.open for player in state.players if isinstance(player, Typed))
        return span_of_prize(state, architect, face, is_typed) if is_open or is_typed else None
    if face.id == "gap_from_last":
        return span_of_gap(state, architect)
    if face.id == "hand_count":
        return span_of_hand(state, architect)
    if face.id == "card_combinations" and architect.is_open("cards"):
        least, most = (
            card_combinations(state, replace(architect, cards=cards_with(architect, n)))[0] for n in (0, MANY)
        )
        return (least, None if most >= MANY else most)
    counts_tiles = face.id == "unused_tiles_squared" and tiles_are_open(state, architect)
    if face.id in PAID_EACH and architect.is_open(face.needs[0]):
        least, most = counts(architect, face.needs[0])
        return PAID_EACH[face.id] * least, PAID_EACH[face.id] * most
    if counts_tiles or any(architect.is_open(fact) for fact in face.needs):
        return (0, MOST_PAID.get(face.id))
    return None


def span_of_prize(state: State, architect: Architect, face: Face, is_typed: bool) -> Span | None:
    """Return the lowest and the highest prize that a player can still win for a face. `is_typed` says that somebody
    left this line open among points entered by hand, so any prize is possible. More of the player's own count never
    lowers a prize, more of others' never raises it."""
    if is_typed:
        return 0, PRIZES[len(state.players)][0]
    order = state.order or ()
    if face.zone == "chapel" and face.id == BASE:
        ahead = [rival for _, rival in state.architects if order.index(rival.name) < order.index(architect.name)]
        paid, moved = prize(state, face.zone, len(ahead), [])[0], state.has_moved(architect.name)
        return (paid if moved else 0), (0 if moved is False else paid)
    [fact] = read_by(face)
    ends = {rival.name: measured(rival, fact) for _, rival in state.architects}
    least = 0 if fact == "buildings" else 1

    def paid_for(mine: int, others: int) -> int:
        has = {name: span[mine if name == architect.name else others] for name, span in ends.items()}
        if has[architect.name] < least:
            return 0
        ranked = sorted(has, key=lambda name: (-has[name], order.index(name)))
        return prize(state, face.zone, ranked.index(architect.name), [])[0]

    return paid_for(0, 1), paid_for(1, 0)


def span_of_hand(state: State, architect: Architect) -> Span | None:
    """Return the least and the most coins for the cards in hand, or None if all about them is known."""
    if not architect.is_open("cards") and not is_open_hand(state, architect):
        return None
    known, most = (
        ZEROS.get(len(state.players), 0) + sum(count for value, count in cards_with(architect, n) if value != "0")
        for n in (0, MANY)
    )
    paid: list[int | None] = [bracket("hand", n) for n in range(known, min(most + 1, FULL_HAND))]
    if most >= FULL_HAND:
        printed = HAND_8PLUS if state.hand_8plus is None else state.hand_8plus
        paid.append(None if state.hand_8plus is None and "hand_8plus" in state.open else printed)
    return spans.union((0, None) if coins is None else (coins, coins) for coins in paid)


def span_of_gap(state: State, architect: Architect) -> Span | None:
    """Return the least and the most spaces between a player's marker and the last one, or None if both are known."""
    last = (state.order or ())[-1]
    if {architect.name, last} <= state.chapel_steps.keys():
        return None
    if architect.name == last:
        return 0, 0
    (least, most), (nearest, farthest) = steps_between(state, architect.name), steps_between(state, last)
    return max(0, least - MANY if farthest is None else least - farthest), None if most is None else most - nearest


def steps_between(state: State, name: str) -> tuple[int, int | None]:
    """Return the least and the most steps of a player's marker, given the known markers behind and ahead of it. The
    most is None if no limit is known."""
    steps, order = state.chapel_steps, state.order or ()
    if name in steps:
        return steps[name], steps[name]
    place = order.index(name)
    behind = [steps[other] for other in order[place + 1 :] if other in steps]
    ahead = [steps[other] for other in order[:place] if other in steps]
    return max(behind, default=0), min(ahead, default=None)
