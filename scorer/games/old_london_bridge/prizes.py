"""Score the faces that compare players and pay £5, £3 and £1 (rulebook, end of the game; expert builders, p. 11).

The player ahead, or on top, on the chapel track wins every tie, even one on the gate track. The rulebook names no other
tie-breaker, so the order of gate markers in a stack does not count. Ranks are strict and no prize is shared. Our ruling
on "as in the standard game": nobody wins a prize with a count of 0.
"""

from __future__ import annotations

from collections.abc import Callable

from scorer.games.old_london_bridge.cards import BASE, PRIZES
from scorer.games.old_london_bridge.state import Architect, State
from scorer.record import Typed
from scorer.sentences import Sentence, cached_sentence, in_clauses, listed, say, say_count

RANKS = (say("1st"), say("2nd"), say("3rd"), say("4th"))
Paid = tuple[int, Sentence]  # the coins, and the reason
Rule = Callable[[State], dict[str, Paid]]  # the payments by player
Measure = Callable[[State, Architect], int]
Words = Callable[[State, Architect], Sentence]


def prize_for(zone: str, measure: Measure, in_words: Words, least: int = 1) -> Rule:
    """Return the rule that pays the prizes of a zone to the players with the most by `measure(state, player)`. Players
    with less than `least` win nothing. `in_words(state, player)` says what a player has, as part of the reason.
    Prizes that players entered by hand are not paid again."""

    def rule(state: State) -> dict[str, Paid]:
        counts = {rival.name: measure(state, rival) for _, rival in state.architects}
        # Sorting is stable, so the order on the chapel track breaks ties.
        rivals = [name for name in state.order or () if name in counts and counts[name] >= least]
        rivals.sort(key=counts.__getitem__, reverse=True)
        paid = {}
        for _, architect in state.architects:
            name, what = architect.name, in_words(state, architect)
            if counts[name] < least:
                paid[name] = 0, what
            else:
                equals = [rival for rival in rivals if counts[rival] == counts[name]]
                paid[name] = prize(state, zone, rivals.index(name), [what, *tie(name, equals)])
        return paid

    return rule


def prize(state: State, zone: str, rank: int, reasons: list[Sentence]) -> Paid:
    """Return the coins that a rank wins in a zone of the board, and why; rank 0 is the best. The reason contains
    `reasons`, and a rank without a prize gets 0 coins. Prizes that players entered by hand are left out, and the
    ranks win the others in order."""
    prizes = PRIZES[len(state.players)]
    typed = [player.of(zone) for player in state.players if isinstance(player, Typed)]
    left = [prize for prize in prizes if prize not in typed]
    if rank < len(left):
        return left[rank], in_clauses([RANKS[prizes.index(left[rank])], *reasons])
    if typed:
        return 0, in_clauses([*reasons, say("Other players win the prizes")])
    return 0, in_clauses(
        [RANKS[rank], *reasons, say("No prize for this rank with {players} players", players=len(state.players))]
    )


def tie(name: str, equals: list[str]) -> list[Sentence]:
    """Return a sentence that says how the chapel track breaks a player's tie, in a list; [] without a tie. `equals` has
    the tied players, this one included, leader first."""
    if len(equals) == 1:
        return []
    ahead, behind = equals[: equals.index(name)], equals[equals.index(name) + 1 :]
    if not ahead:
        return [say("Tied with {rivals}, ahead on the chapel track", rivals=listed(behind))]
    if not behind:
        return [say("Tied with {rivals}, behind on the chapel track", rivals=listed(ahead))]
    return [
        say(
            "Tied. Behind {ahead} and ahead of {behind} on the chapel track", ahead=listed(ahead), behind=listed(behind)
        )
    ]


def most_of(zone: str, name: str, in_words: Callable[[int], Sentence], least: int = 1) -> Rule:
    """Return the rule that pays the prizes of a zone for the most of the count `name`, such as "types/C". Players with
    less than `least` win nothing. `in_words` turns a count into words for the reason."""

    def measure(_state: State, architect: Architect) -> int:
        return architect.known(name)

    return prize_for(zone, measure, lambda _state, architect: in_words(architect.known(name)), least)


def distance_up_the_chapel_track(state: State, architect: Architect) -> int:
    """Return how many spaces a marker is up the chapel track, 0 on the stairs. If its spaces are unknown, return a
    number by the order of markers, the highest for the leader."""
    if all(rival.chapel_steps is not None for _, rival in state.architects):
        return architect.known("chapel_steps")
    order = state.order or ()
    return len(order) - order.index(architect.name) if state.has_moved(architect.name) else 0


def place_on_the_chapel_track(state: State, architect: Architect) -> Sentence:
    if architect.chapel_steps is not None:
        return way_up_the_chapel_track(architect.chapel_steps)
    if state.has_moved(architect.name):
        return say("The marker has left the chapel stairs")
    return way_up_the_chapel_track(0)


def hand_value(_state: State, architect: Architect) -> int:
    return sum([int(value) * count for value, count in architect.cards or ()])


def hand_in_words(state: State, architect: Architect) -> Sentence:
    return cards_worth(hand_value(state, architect))


@cached_sentence
def cards_worth(value: int) -> Sentence:
    return say("Cards worth {value} in hand", value=value) if value else say("Only cards of value 0 in hand")


@cached_sentence
def way_up_the_chapel_track(steps: int) -> Sentence:
    if not steps:
        return say("The marker never left the chapel stairs")
    return say_count("{n} space up the chapel track", "{n} spaces up the chapel track", steps)


@cached_sentence
def way_along_the_gate_track(steps: int) -> Sentence:
    if not steps:
        return say("The marker has not moved along the gate track")
    return say_count("{n} step along the gate track", "{n} steps along the gate track", steps)


@cached_sentence
def chapels(count: int) -> Sentence:
    return say_count("{n} chapel", "{n} chapels", count) if count else say("No chapel on the bridge")


@cached_sentence
def gates(count: int) -> Sentence:
    return say_count("{n} bridge gate", "{n} bridge gates", count) if count else say("No bridge gate on the bridge")


@cached_sentence
def inns(count: int) -> Sentence:
    return say_count("{n} inn", "{n} inns", count) if count else say("No inn on the bridge")


@cached_sentence
def all_buildings(count: int) -> Sentence:
    return say_count("{n} building, including parks", "{n} buildings, including parks", count)


@cached_sentence
def longest_row(length: int) -> Sentence:
    if not length:
        return say("No numbers on the bridge")
    return say_count("A sequence of {n} descending number", "A sequence of {n} descending numbers", length)


PRIZE_RULES: dict[tuple[str, str], Rule] = {
    ("chapel", BASE): prize_for("chapel", distance_up_the_chapel_track, place_on_the_chapel_track),
    ("chapel", "most_chapels"): most_of("chapel", "types/C", chapels),
    ("gate", BASE): most_of("gate", "gate_steps", way_along_the_gate_track),
    ("gate", "most_gates"): most_of("gate", "types/G", gates),
    ("inn", BASE): prize_for("inn", hand_value, hand_in_words),
    ("inn", "most_inns"): most_of("inn", "types/I", inns),
    # The rulebook sets no minimum for the most buildings, and every bridge has some.
    ("bridge", BASE): most_of("bridge", "buildings", all_buildings, least=0),
    ("bridge", "longest_sequence"): most_of("bridge", "longest", longest_row),
}
