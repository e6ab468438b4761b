"""Town cards: a printed number, or points for everything of a kind within the range (rulebook, Scoring)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer.contract import Line
from scorer.games.tenby.cards import BOTH, COMPLETED_STREETS, LEFT, RIGHT, UNIQUE_COLOURS, counted, label
from scorer.games.tenby.counting import Placed, called, limited, most_in, seen_on, to_count
from scorer.games.tenby.rulings import Rulings
from scorer.games.tenby.town import Card, Flat, Per, Town, cell, is_completed
from scorer.sentences import NOTHING, Sentence, in_a_row, say

DISTANCES = {"white": 1, "grey": 2}  # how many cards away an arrow reaches; a gold line reaches everything
WHERE = {"white": say("next to it"), "grey": say("within two cards"), "gold": say("in the street")}
ONE_WAY = {LEFT: say("within two cards to the left"), RIGHT: say("within two cards to the right")}
WHOLE_STREET = say("in the whole street")
ALONE = {
    BOTH: say("No card lies next to it"),
    LEFT: say("No card lies to the left"),
    RIGHT: say("No card lies to the right"),
}
PLAIN_ENDS, PRINTED_POINTS = say("Plain ends"), say("Printed points")
PRINTED_CITE = say("rulebook, Scoring Condition")
COLOURS_CITE, RANGE_CITE = say("rulebook, Unique Building Colours"), say("rulebook, Scoring Range")


def card_lines(town: Town, rulings: Rulings) -> Iterator[Line]:
    """A line for every card with a number or a condition, street by street."""
    for s, street in enumerate(town.streets):
        placed = [(cell(s, c), card) for c, card in enumerate(street)]
        for own, (place, card) in enumerate(placed):
            match card.score:
                case Flat(points):
                    kind = PLAIN_ENDS if card.deck == "plain_end" else PRINTED_POINTS
                    why = say("{points} printed on {card}", points=points, card=called(place, card))
                    yield Line("card", kind, points, why, (place,), PRINTED_CITE, card.name)
                case Per():
                    yield condition(placed, own, card.score, rulings)


def condition(street: Sequence[Placed], own: int, score: Per, rulings: Rulings) -> Line:
    """Return what the condition of the card at index `own` pays."""
    place, card = street[own]
    seen = cards_seen(street, own, score, rulings)
    # Each completed street is one instance (rulebook, Completed Street), and a card's range ends with its own street.
    whole = score.range == "gold" and COMPLETED_STREETS in score.targets
    completed = whole and is_completed([other for _, other in street])
    amount, places = seen_on(seen, score.targets, completed)
    most = most_in([other for _, other in seen], score.targets, int(completed))
    span = limited(amount * score.points, most * score.points)
    why = sight(amount, places, score) if seen else ALONE[score.direction]
    if span:
        why = to_count(seen, score.targets)
    if card.name:
        why = say("“{name}”: {why}", name=card.name, why=why)
    if amount and score.points != 1 and not span:
        why = say("{why}; {amount} × {points}", why=why, amount=amount, points=score.points)
    cite = COLOURS_CITE if UNIQUE_COLOURS in score.targets else RANGE_CITE
    return Line("card", label(score.targets), amount * score.points, why, (place,), cite, card.name, span)


def cards_seen(street: Sequence[Placed], own: int, score: Per, rulings: Rulings) -> list[Placed]:
    """The cards in range of the one at index `own`, as its condition looks at them."""
    place = street[own][0]
    seen = [street[index] for index in reach(len(street), own, score.range, score.direction)]
    if UNIQUE_COLOURS in score.targets and rulings.gold_unique_own == "exclude":
        # The rulebook says that this building never affects its card's condition; arrows never see it anyway.
        return [(at, without_buildings(other)) if at == place else (at, other) for at, other in seen]
    return seen


def without_buildings(card: Card) -> Card:
    return replace(card, buildings=(), open=card.open - {"buildings"})


def sight(amount: int, places: list[Sentence], score: Per) -> Sentence:
    """ "3 seagulls within two cards: 1 on the pier 1.2, 2 on the landmark 1.3"."""
    if score.targets == (COMPLETED_STREETS,):
        return seen_whole(amount, score.range)
    has, where = counted(amount, score.targets), where_seen(score.range, score.direction)
    if not amount:
        return say("{things} {where}", things=has, where=where)
    return say("{things} {where}: {places}", things=has, where=where, places=in_a_row(places))


def seen_whole(amount: int, range_: str) -> Sentence:
    """Return what a card sees that counts completed streets."""
    if range_ != "gold":
        return say("Arrows see single cards, never a whole street")
    return say("Its street is completed") if amount else say("Its street is not completed")


def where_seen(range_: str, direction: str) -> Sentence:
    """Return where a card looks, from where it lies; nothing for a range that does not exist."""
    if range_ == "grey" and direction in ONE_WAY:
        return ONE_WAY[direction]
    return WHERE.get(range_, NOTHING)


def arrow(range_: str, direction: str) -> Sentence:
    """Return what the arrow or the line of a card says of itself."""
    return WHOLE_STREET if range_ == "gold" else where_seen(range_, direction)


def reach(length: int, own: int, range_: str, direction: str) -> list[int]:
    """The indices of the cards in range, in a street of that length."""
    if range_ == "gold":
        return list(range(length))  # drawn one way on the landmarks at a pier's end, and the same all the same
    distance = DISTANCES.get(range_, 0)  # an unfinished card may not have a range yet
    left = 0 if direction == RIGHT else distance
    right = 0 if direction == LEFT else distance
    return [index for index in range(max(own - left, 0), min(own + right + 1, length)) if index != own]
