"""Count how many targets a group of cards shows, and where (rulebook p. 20 onwards).

White buildings count as any colour, chosen for each count.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scorer.games.tenby.cards import (
    COLOURS,
    COMPLETED_STREETS,
    FEATURES,
    ICONS,
    PAINTS,
    UNIQUE_COLOURS,
    WHITE,
    Targets,
    label,
)
from scorer.games.tenby.town import Card
from scorer.sentences import Sentence, in_a_row, say, say_count
from scorer.spans import Span

Placed = tuple[str, Card]  # a card and the name of its place

MANY = 1_000_000  # a number without a limit; no record comes near it
KINDS = ("home", "business")  # the icons that a subtype shows

ITSELF = say("the completed street")
WHITE_COUNTS = say("White buildings count too")


def amount_in(cards: Collection[Card], targets: Targets, completed: int) -> int:
    """Return how many of the targets these cards show. `completed` is the number of completed streets among them, which
    count if streets are a target."""
    amount = sum(shown_by(card, targets) for card in cards)
    if UNIQUE_COLOURS in targets:
        amount += len(different_colours(cards))
    return amount + completed if COMPLETED_STREETS in targets else amount


def most_in(cards: Collection[Card], targets: Targets, completed: int) -> int:
    """Return the most of the targets that these cards can show, whatever the answers to their open facts. It is at
    least MANY if there is no limit. `completed` is the number of completed streets among the cards."""
    most = amount_in(cards, targets, completed) + sum(left_open(card, targets) for card in cards)
    if UNIQUE_COLOURS in targets and any("buildings" in card.open for card in cards):
        most += len(COLOURS) - len(different_colours(cards))
    return most


def left_open(card: Card, targets: Targets) -> int:
    """Return how many more of the targets a card may show once its open facts are entered."""
    more = 0
    for target in targets:
        if target in FEATURES and target in card.open:
            more += FEATURES[target].most
        elif target in ICONS:
            more += icons_left_open(card, target)
    if "buildings" in card.open and any(target in COLOURS for target in targets):
        more += MANY
    return more


def icons_left_open(card: Card, name: str) -> int:
    """Return how many more of the icon `name` a card may show once its open facts are entered. Landmark, home and
    business icons appear at most once."""
    if name in card.open:
        return 1 if name == "landmark" else MANY
    is_overridden = any(override == name for override, _ in card.icons)
    return int(name in KINDS and "subtype" in card.open and not is_overridden)


def limited(least: int, most: int) -> Span | None:
    """Return the span from `least` to `most`, or None if they are equal; MANY or more means no upper limit."""
    if least == most:
        return None
    return least, (most if most < MANY else None)


def to_count(cards: Sequence[Placed], targets: Targets) -> Sentence:
    """Return a sentence that says what is still to count, such as "Still to count: Benches (card 1.2)"."""
    missing = [place for place, card in cards if hides(card, targets)]
    return say_count(
        "Still to count: {things} (card {cards})",
        "Still to count: {things} (cards {cards})",
        len(missing),
        things=label(targets),
        cards=in_a_row(missing),
    )


def hides(card: Card, targets: Targets) -> bool:
    """Return whether a card has an open fact that may change how many of the targets it shows."""
    return left_open(card, targets) > 0 or (UNIQUE_COLOURS in targets and "buildings" in card.open)


def seen_on(cards: Sequence[Placed], targets: Targets, completed: bool) -> tuple[int, list[Sentence]]:
    """Return how many of the targets these cards show, and where: "1 on card 1.2", or the names of colours. `completed`
    says that the cards are a whole completed street, which is itself a target if streets are counted."""
    amount, places = 0, []
    for place, card in cards:
        number = shown_by(card, targets)
        if number:
            amount += number
            places.append(say("{number} on card {card}", number=number, card=place))
    if UNIQUE_COLOURS in targets:
        found = different_colours([card for _, card in cards])
        amount, places = amount + len(found), places + found
    if completed and COMPLETED_STREETS in targets:
        amount, places = amount + 1, [*places, ITSELF]
    return amount, places


def counts_white(cards: Sequence[Placed], targets: Targets) -> bool:
    """Return whether a white building on one of these cards counts as a colour that is among the targets."""
    return any(target in COLOURS for target in targets) and any(WHITE in (card.buildings or ()) for _, card in cards)


def shown_by(card: Card, targets: Targets) -> int:
    """Return how many of the targets one card shows. Different colours and completed streets among the targets add
    nothing here, because they are counted for several cards together."""
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
    """Return how many of the icon `name` a card shows: as entered, otherwise 1 if the icon fits the card (rulebook p.
    20)."""
    for override, number in card.icons:
        if override == name:
            return number
    if name in card.open:
        return 0
    return int(name == "town" or name in (card.base, card.subtype) or name == card.deck == "landmark")


def different_colours(cards: Collection[Card]) -> list[Sentence]:
    """Return the names of the different colours on these cards; white stands for missing colours, up to five in all."""
    buildings = [building for card in cards for building in card.buildings or ()]
    present = [colour.name for colour in COLOURS.values() if colour.id in buildings]
    whites = min(buildings.count(WHITE), len(COLOURS) - len(present))
    return present + [PAINTS[WHITE].name] * whites
