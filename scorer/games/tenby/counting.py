"""How many of something a group of cards shows, and where (rulebook pp. 20 onwards).

White buildings are chosen anew for every count, so each count takes them as it likes best.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scorer.games.tenby.cards import (
    COLOURS,
    COMPLETED_STREETS,
    DECKS,
    FEATURES,
    ICONS,
    UNIQUE_COLOURS,
    WHITE,
    Targets,
)
from scorer.games.tenby.town import Card
from scorer.sentences import Sentence, say

Placed = tuple[str, Card]  # a card and the name of its place

ITSELF = say("the completed street itself")
WHITE_AS = {colour.id: say("white as {colour}", colour=colour.name) for colour in COLOURS.values()}


def amount_in(cards: Collection[Card], targets: Targets, completed: int) -> int:
    """How many of the targets these cards show together; so many of the streets they make up are completed."""
    amount = sum(shown_by(card, targets) for card in cards)
    if UNIQUE_COLOURS in targets:
        amount += len(different_colours(cards))
    return amount + completed if COMPLETED_STREETS in targets else amount


def seen_on(cards: Sequence[Placed], targets: Targets, completed: bool) -> tuple[int, list[Sentence]]:
    """The same, and where: "1 on the pier 1.2", "2 on the landmark 1.3"; of different colours their names.

    `completed` is whether a completed street is seen as a whole.
    """
    amount, places = 0, []
    for place, card in cards:
        number = shown_by(card, targets)
        if number:
            amount += number
            places.append(on_one(number, place, card, targets))
    if UNIQUE_COLOURS in targets:
        found = different_colours([card for _, card in cards])
        amount, places = amount + len(found), places + found
    if completed and COMPLETED_STREETS in targets:
        amount, places = amount + 1, [*places, ITSELF]
    return amount, places


def on_one(number: int, place: str, card: Card, targets: Targets) -> Sentence:
    """One card's share, with a remark where white buildings are counted as the colour that is asked for."""
    colours = [target for target in targets if target in COLOURS]
    if colours and WHITE in (card.buildings or ()):
        return say("{number} on {card} ({white})", number=number, card=called(place, card), white=WHITE_AS[colours[0]])
    return say("{number} on {card}", number=number, card=called(place, card))


def shown_by(card: Card, targets: Targets) -> int:
    """How many of the targets one card shows; different colours and streets are no matter of one card."""
    count = 0
    coloured = False
    for target in targets:
        if target in FEATURES:
            for feature, number in card.features:
                count += number if feature == target else 0
        elif target in ICONS:
            count += icon(card, target)
        elif target in COLOURS:
            coloured = True
    if coloured and card.buildings:
        count += sum(building == WHITE or building in targets for building in card.buildings)
    return count


def icon(card: Card, name: str) -> int:
    """One of each icon that fits the card, unless the card says otherwise (rulebook p. 20)."""
    for override, number in card.icons:
        if override == name:
            return number
    return int(name == "town" or name in (card.base, card.subtype) or name == card.deck == "landmark")


def different_colours(cards: Collection[Card]) -> list[Sentence]:
    """The colours that appear, and those the white buildings stand for: five exist, so five is the most."""
    buildings = [building for card in cards for building in card.buildings or ()]
    present = [colour.name for colour in COLOURS.values() if colour.id in buildings]
    missing = [colour for colour in COLOURS if colour not in buildings]
    return present + [WHITE_AS[colour] for colour in missing[: buildings.count(WHITE)]]


def called(place: str, card: Card) -> Sentence:
    """ "the pier 1.2", or the card's own name."""
    if card.name:
        return say("“{name}” {place}", name=card.name, place=place)
    return say("{card} {place}", card=DECKS[card.deck].called, place=place)
