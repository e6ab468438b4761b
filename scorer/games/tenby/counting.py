"""How many of something a group of cards shows, and where (rulebook pp. 20 onwards).

White buildings are chosen anew for every count, so each count takes them as it likes best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.games.tenby.anatomy import COLOURS, FEATURES, ICONS, UNIQUE_COLOURS, WHITE, Targets, counted
from scorer.games.tenby.state import Card

Placed = tuple[str, Card]  # a card and the name of its place


@dataclass(frozen=True, slots=True)
class Tally:
    """An amount and the words for where it was seen, "1 on the pier 1.2, 2 on the landmark 1.3"."""

    amount: int
    places: str


def tally(cards: Sequence[Placed], targets: Targets) -> Tally:
    """How many of the targets these cards show together."""
    seen = [(place, card, shown_by(card, targets)) for place, card in cards]
    amount = sum(count for _, _, count in seen)
    places = [f"{count} on {called(place, card)}{wild(card, targets)}" for place, card, count in seen if count]
    if UNIQUE_COLOURS in targets:
        found = different_colours(cards)
        amount += len(found)
        places += found
    return Tally(amount, ", ".join(places))


def shown_by(card: Card, targets: Targets) -> int:
    """How many of the targets one card shows; different colours are no matter of one card."""
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


def different_colours(cards: Sequence[Placed]) -> list[str]:
    """The colours that appear, and those the white buildings stand for: five exist, so five is the most."""
    buildings = [building for _, card in cards for building in card.buildings or ()]
    present = [colour for colour in COLOURS if colour in buildings]
    missing = [colour for colour in COLOURS if colour not in buildings]
    return present + [f"white as {colour}" for colour in missing[: buildings.count(WHITE)]]


def called(place: str, card: Card) -> str:
    """ "the pier 1.2", or the card's own name."""
    return f"“{card.name}” {place}" if card.name else f"the {card.deck.replace('_', ' ')} {place}"


def wild(card: Card, targets: Targets) -> str:
    """A remark where white buildings were counted as the colour that is asked for."""
    colours = [target for target in targets if target in COLOURS]
    if not colours or WHITE not in (card.buildings or ()):
        return ""
    return f" (white as {colours[0]})"


def sentence(found: Tally, targets: Targets, where: str) -> str:
    """ "3 seagulls within two cards: 1 on the pier 1.2, 2 on the landmark 1.3"."""
    said = f"{counted(found.amount, targets)} {where}"
    return f"{said}: {found.places}" if found.places else said[0].upper() + said[1:]
