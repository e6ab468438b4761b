"""A random set of cards for tables that do not want to choose: legal for the mode and the expansions they play."""

from __future__ import annotations

from random import SystemRandom

from scorer.contract import Json, Loaded
from scorer.games.tiny_towns.cards import BUILDINGS, COLOURS, OPTIONS
from scorer.games.tiny_towns.state import VILLAGER_CARDS, State

CHANCE = SystemRandom()


def deal(loaded: Loaded) -> dict[str, Json]:
    """Deal one card of each colour and, with Villagers, two villager cards: one that costs 1 and a dearer one."""
    state: State = loaded.state
    dealt: dict[str, Json] = {f"cards/{colour}": CHANCE.choice(in_the_box(state, colour)) for colour in COLOURS}
    if state.villagers:
        cheap = [card for card, cost in VILLAGER_CARDS.items() if cost == 1]
        dear = [card for card, cost in VILLAGER_CARDS.items() if cost > 1 and (card != "solicit" or state.fortune)]
        dealt["villager_cards"] = [CHANCE.choice(cheap), CHANCE.choice(dear)]
    return dealt


def in_the_box(state: State, colour: str) -> list[str]:
    """The cards of this colour that the table may play. What is in no list cannot be dealt."""
    cards = [BUILDINGS[card] for card in OPTIONS[colour]]
    return [
        card.id
        for card in cards
        if not (card.typed or card.promo)
        and card.expansion in ("", *state.expansions)
        and state.mode not in card.removed_in
    ]
