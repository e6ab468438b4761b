"""The faces that compare the players and pay £5, £3 and £1 (rulebook, end of the game; expert builders, p. 11).

Every tie goes to whoever is ahead, or on top, on the chapel track, also ties on the gate track: the rulebook names no
other tie-breaker, so gate markers in a stack do not count. Ranks are strict and no prize is shared. "As in the
standard game" we read as: nobody wins a prize with none of the thing compared.
"""

from __future__ import annotations

from collections.abc import Callable

from scorer.games.old_london_bridge.faces import BASE, PLURALS, PRIZES, TYPES
from scorer.games.old_london_bridge.state import Architect, State
from scorer.reading import Typed
from scorer.sentences import listed

PLACES = ("first", "second", "third", "fourth")
Told = tuple[int, str]  # the coins, and why
Rule = Callable[[State, Architect], Told]


def counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def prize_for(zone: str, measure: Callable[[Architect], int], told: Callable[[int], str], least: int = 1) -> Rule:
    """The most earns the first prize, and so on; fewer than `least` take no place.

    A player who typed her line keeps the prize she typed, and the others share out the rest: places are strict, so
    nothing else has to be known of her.
    """

    def rule(state: State, architect: Architect) -> Told:
        mine = measure(architect)
        if mine < least:
            return 0, f"{told(mine)}: no place"
        order = state.chapel_order or ()
        rivals = [rival for _, rival in state.architects if measure(rival) >= least]
        rivals.sort(key=lambda rival: (-measure(rival), order.index(rival.name)))
        rank, prizes = rivals.index(architect), PRIZES[len(state.players)]
        typed = [player.of(zone) for player in state.players if isinstance(player, Typed)]
        left = [prize for prize in prizes if prize not in typed]
        why = told(mine) + level(architect, [rival for rival in rivals if measure(rival) == mine])
        if rank < len(left):
            return left[rank], f"{why}: {PLACES[prizes.index(left[rank])]} place"
        if typed:
            return 0, f"{why}: the prizes go to others"
        return 0, f"{why}: {PLACES[rank]} place, not paid with {len(state.players)} players"

    return rule


def level(architect: Architect, equals: list[Architect]) -> str:
    """How the chapel track settles a tie, if there is one; `equals` stand in its order."""
    mine, names = equals.index(architect), [rival.name for rival in equals]
    sides = [("ahead", names[:mine]), ("behind", names[mine + 1 :])]
    told = [f"{listed(rivals)} ({side} on the chapel track)" for side, rivals in sides if rivals]
    return f", level with {listed(told)}" if told else ""


def fact(name: str) -> Callable[[Architect], int]:
    return lambda architect: architect.known(name)


def most(letter: str) -> Callable[[int], str]:
    one = TYPES[letter].lower()
    return lambda count: counted(count, one, PLURALS[letter]) if count else f"no {one} on the bridge"


def hand_value(architect: Architect) -> int:
    return sum(int(value) * count for value, count in architect.cards or ())


def chapel_told(steps: int) -> str:
    return f"{counted(steps, 'space')} up the chapel track" if steps else "the marker never left the chapel stairs"


def gate_told(steps: int) -> str:
    return f"{counted(steps, 'step')} along the gate track" if steps else "the marker never left the first gate"


def hand_told(value: int) -> str:
    return f"cards worth {value} in hand" if value else "nothing but zeros in hand"


def run_told(length: int) -> str:
    return f"a row of {counted(length, 'descending number')}" if length else "no numbers on the bridge"


def buildings_told(count: int) -> str:
    return f"{counted(count, 'building')}, gardens included"


PRIZE_RULES: dict[tuple[str, str], Rule] = {
    ("chapel", BASE): prize_for("chapel", fact("chapel_steps"), chapel_told),
    ("chapel", "most_chapels"): prize_for("chapel", fact("types/C"), most("C")),
    ("gate", BASE): prize_for("gate", fact("gate_steps"), gate_told),
    ("gate", "most_gates"): prize_for("gate", fact("types/G"), most("G")),
    ("inn", BASE): prize_for("inn", hand_value, hand_told),
    ("inn", "most_inns"): prize_for("inn", fact("types/I"), most("I")),
    # The rulebook states no minimum for the most buildings, and nobody ends without any.
    ("bridge", BASE): prize_for("bridge", fact("buildings"), buildings_told, least=0),
    ("bridge", "longest_sequence"): prize_for("bridge", fact("longest"), run_told),
}
