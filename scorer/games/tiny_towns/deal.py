"""Draw random cards that are legal for the mode and the expansions of a table."""

from __future__ import annotations

from random import SystemRandom

from scorer.contract import Json, Loaded
from scorer.games.tiny_towns.cards import BUILDINGS, COLOURS, OPTIONS
from scorer.games.tiny_towns.state import VILLAGER_CARDS, State

CHANCE = SystemRandom()


def deal(loaded: Loaded) -> dict[str, Json]:
    """Return random cards for a table, keyed by path: one of each colour, such as "cards/red". With Villagers,
    "villager_cards" has one villager card that costs 1 and one that costs more."""
    state: State = loaded.state
    drawn: dict[str, Json] = {f"cards/{colour}": CHANCE.choice(in_the_box(state, colour)) for colour in COLOURS}
    if state.villagers:
        cheap = [card for card, cost in VILLAGER_CARDS.items() if cost == 1]
        dear = [card for card, cost in VILLAGER_CARDS.items() if cost > 1 and (card != "solicit" or state.fortune)]
        drawn["villager_cards"] = [CHANCE.choice(cheap), CHANCE.choice(dear)]
    return drawn


def in_the_box(state: State, colour: str) -> list[str]:
    """Return the ids of the listed cards of a colour that may be drawn at this table."""
    cards = [BUILDINGS[card] for card in OPTIONS[colour]]
    return [
        card.id
        for card in cards
        if not (card.typed or card.promo)
        and card.expansion in ("", *state.expansions)
        and state.mode not in card.removed_in
    ]
