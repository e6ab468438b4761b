"""Score town cards: a printed number, or points for each target within the range (rulebook, Scoring)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer.contract import Line
from scorer.games.tenby.cards import BOTH, COMPLETED_STREETS, LEFT, RIGHT, UNIQUE_COLOURS, label
from scorer.games.tenby.counting import WHITE_COUNTS, Placed, counts_white, limited, most_in, seen_on, to_count
from scorer.games.tenby.rulings import Rulings
from scorer.games.tenby.town import Card, Flat, Per, Town, cell, is_completed
from scorer.sentences import NOTHING, Sentence, in_a_row, in_clauses, say

DISTANCES = {"white": 1, "grey": 2}  # how many cards an arrow reaches; a gold line reaches the whole street
ALONE = {
    BOTH: say("No card lies next to this one"),
    LEFT: say("No card lies to the left"),
    RIGHT: say("No card lies to the right"),
}
PLAIN_ENDS, PRINTED_POINTS = say("Plain ends"), say("Printed points")
PRINTED_CITE = say("rulebook, Scoring Condition")
COLOURS_CITE, RANGE_CITE = say("rulebook, Unique Building Colours"), say("rulebook, Scoring Range")


def card_lines(town: Town, rulings: Rulings) -> Iterator[Line]:
    """Yield a score line for every card with a printed number or a condition, street by street."""
    for s, street in enumerate(town.streets):
        placed = [(cell(s, c), card) for c, card in enumerate(street)]
        for own, (place, card) in enumerate(placed):
            match card.score:
                case Flat(points):
                    kind = PLAIN_ENDS if card.deck == "plain_end" else PRINTED_POINTS
                    why = say("{points} printed on card {card}", points=points, card=place)
                    yield Line("card", kind, points, with_name(card.name, [why]), (place,), PRINTED_CITE, card.name)
                case Per():
                    yield condition(placed, own, card.score, rulings)


def condition(street: Sequence[Placed], own: int, score: Per, rulings: Rulings) -> Line:
    """Return the score line of the card at index `own` of a street, with points for each target that it sees. `score`
    has its targets, points and range."""
    place, card = street[own]
    seen = cards_seen(street, own, score, rulings)
    # Each completed street is one instance (rulebook, Completed Street), and a card's range ends with its own street.
    counts_street = score.range == "gold" and COMPLETED_STREETS in score.targets
    completed = counts_street and is_completed([other for _, other in street])
    amount, places = seen_on(seen, score.targets, completed)
    most = most_in([other for _, other in seen], score.targets, int(completed))
    span = limited(amount * score.points, most * score.points)
    if span:
        why = [to_count(seen, score.targets)]
    elif not seen:
        why = [ALONE[score.direction]]
    else:
        why = seen_in_words(amount, places, score)
        if counts_white(seen, score.targets):
            why.append(WHITE_COUNTS)
        if amount and score.points != 1:
            why.append(say("{amount} × {points}", amount=amount, points=score.points))
    cite = COLOURS_CITE if UNIQUE_COLOURS in score.targets else RANGE_CITE
    points, reason = amount * score.points, with_name(card.name, why)
    return Line("card", label(score.targets), points, reason, (place,), cite, card.name, span)


def with_name(name: str, reasons: list[Sentence]) -> Sentence:
    """Return the reasons as one sentence, which begins with the card's name if it has one."""
    return in_clauses([say("“{text}”", text=name), *reasons] if name else reasons)


def cards_seen(street: Sequence[Placed], own: int, score: Per, rulings: Rulings) -> list[Placed]:
    """Return the cards in range of the card at index `own` of a street; `score` has its range. If that card counts
    different colours, a ruling may leave out its own building."""
    place = street[own][0]
    seen = [street[index] for index in reach(len(street), own, score.range, score.direction)]
    if UNIQUE_COLOURS in score.targets and rulings.gold_unique_own == "exclude":
        # The rulebook says that this building never affects its own card; arrows never see it anyway.
        return [(at, without_buildings(other)) if at == place else (at, other) for at, other in seen]
    return seen


def without_buildings(card: Card) -> Card:
    return replace(card, buildings=(), open=card.open - {"buildings"})


def seen_in_words(amount: int, places: list[Sentence], score: Per) -> list[Sentence]:
    """Return in words what a card sees and where, such as ["3 within two cards", "1 on card 1.2"]. `amount` is the
    number of targets, `places` says where they are, and `score` has the range. If streets are counted, only say
    whether the street is completed."""
    if score.targets == (COMPLETED_STREETS,):
        return [seen_whole(amount, score.range)]
    seen = in_range(amount, score.range, score.direction)
    return [seen, in_a_row(places)] if places else [seen]


def seen_whole(amount: int, range_: str) -> Sentence:
    """Say whether a card's street is completed, which `amount` 1 means. A range that is not gold never sees a whole
    street."""
    if range_ != "gold":
        return say("Arrows can’t see a whole street")
    return say("Its street is completed") if amount else say("Its street is not completed")


def in_range(amount: int, range_: str, direction: str) -> Sentence:
    """Say that a card sees `amount` targets: "3 within two cards to the left" for "grey" and "left". Return NOTHING if
    `range_` is not "white", "grey" or "gold"."""
    match range_, direction:
        case "white", _:
            return say("{amount} next to it", amount=amount)
        case "grey", "left":
            return say("{amount} within two cards to the left", amount=amount)
        case "grey", "right":
            return say("{amount} within two cards to the right", amount=amount)
        case "grey", _:
            return say("{amount} within two cards", amount=amount)
        case "gold", _:
            return say("{amount} in the street", amount=amount)
    return NOTHING


def in_short(what: Sentence, points: int | str, range_: str, direction: str) -> Sentence:
    """Return what a card scores in a few words, such as "Benches: 2 each, next to it". `what` is the label of its
    targets, and `points` are the points for each."""
    match range_, direction:
        case "white", _:
            return say("{things}: {points} each, next to it", things=what, points=points)
        case "grey", "left":
            return say("{things}: {points} each, within two cards to the left", things=what, points=points)
        case "grey", "right":
            return say("{things}: {points} each, within two cards to the right", things=what, points=points)
        case "grey", _:
            return say("{things}: {points} each, within two cards", things=what, points=points)
        case "gold", _:
            return say("{things}: {points} each, in the whole street", things=what, points=points)
    return say("{things}: {points} each", things=what, points=points)


def reach(length: int, own: int, range_: str, direction: str) -> list[int]:
    """Return the indices of the cards in range of the card at index `own`, in a street of `length` cards. `range_` is
    such as "grey", and `direction` such as "left"."""
    if range_ == "gold":
        return list(range(length))  # the drawn direction makes no difference
    distance = DISTANCES.get(range_, 0)  # an unfinished card may not have a range yet
    left = 0 if direction == RIGHT else distance
    right = 0 if direction == LEFT else distance
    return [index for index in range(max(own - left, 0), min(own + right + 1, length)) if index != own]
