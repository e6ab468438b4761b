"""What typed lines cannot be: of cards that are not in play, two cards of one colour, points no town can have."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Problem
from scorer.games.tiny_towns.cards import BUILDINGS, COLOURS, RULES
from scorer.games.tiny_towns.squares import COUNT
from scorer.games.tiny_towns.state import State
from scorer.reading import POINTS, TOTAL, Typed
from scorer.sentences import say

# No building of the base game or of Fortune takes points away; every empty square takes one (rulebook, game end).
LIMITS = {
    **{rule: range(POINTS + 1) for rule, card in BUILDINGS.items() if card.expansion in ("", "fortune")},
    "coins": range(6),
    "empty": range(-COUNT, 1),
    TOTAL: range(-POINTS, POINTS + 1),
}


def lines_of(state: State) -> list[str]:
    """The cards on the table, any of a colour whose card is not known, and what every town has."""
    out = {card.id for card in BUILDINGS.values() if state.cards.get(card.colour, card.id) != card.id}
    return [rule for rule in RULES if rule not in out and (rule != "coins" or state.fortune)]


def typed_faults(state: State) -> Iterator[Problem]:
    """One card of each colour is on the table, also where nobody says which."""
    known = dict(state.cards)
    for seat, player in enumerate(state.players):
        for rule, points in player.points if isinstance(player, Typed) else ():
            if points and rule in BUILDINGS and BUILDINGS[rule].colour in COLOURS:
                first = known.setdefault(BUILDINGS[rule].colour, rule)
                if first != rule and BUILDINGS[rule].colour not in state.cards:
                    message = say(
                        "“{line}” and “{other}” are of one colour, and a table has one card of each: leave one out.",
                        line=RULES[rule],
                        other=RULES[first],
                    )
                    yield Problem("two_of_one_colour", message, f"/players/{seat}/typed/{rule}")
