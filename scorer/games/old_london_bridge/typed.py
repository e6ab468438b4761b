"""What typed lines cannot be: a prize that is not paid, or that somebody else has won (rulebook, end of the game)."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Problem
from scorer.games.old_london_bridge.cards import PRIZES
from scorer.games.old_london_bridge.prizes import PRIZE_RULES
from scorer.games.old_london_bridge.state import RULES, State
from scorer.reading import POINTS, TOTAL, Typed
from scorer.sentences import listed_or, say

# Empty spaces cost coins; nothing else does. The most that a face of the rulebook pays is 3 combinations of 15 or more
# at the inn, so the other zones stay far below.
LIMITS = {
    **{rule: range(POINTS + 1) for rule in RULES},
    "chapel": range(100),
    "gate": range(100),
    "bridge": range(100),
    "empty": range(-POINTS, 1),
    TOTAL: range(-POINTS, POINTS + 1),
}


def typed_faults(state: State) -> Iterator[Problem]:
    """In the zones whose face compares the players."""
    typed = [(seat, player) for seat, player in enumerate(state.players) if isinstance(player, Typed)]
    for zone in (zone for zone in RULES if (zone, state.face(zone)) in PRIZE_RULES):
        prizes, won = PRIZES.get(len(state.players), ()), dict[int, str]()
        for seat, player in typed:
            prize, where = player.of(zone), f"/players/{seat}/typed/{zone}"
            if not prize:
                continue
            if prize not in prizes:
                coins = listed_or([*(say("£{coins}", coins=paid) for paid in prizes), say("nothing")])
                message = say("“{line}” pays {prizes} here, not £{prize}.", line=RULES[zone], prizes=coins, prize=prize)
                yield Problem("no_such_prize", message, where)
            elif prize in won:
                message = say(
                    "{player} has won the £{prize} of “{line}” already, and no prize is paid twice.",
                    player=won[prize],
                    prize=prize,
                    line=RULES[zone],
                )
                yield Problem("prize_twice", message, where)
            won.setdefault(prize, player.name)
