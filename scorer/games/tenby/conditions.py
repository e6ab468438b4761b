"""Town cards: a printed number, or points for everything of a kind within the range (rulebook, Scoring)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer.contract import Line
from scorer.games.tenby.anatomy import BOTH, LEFT, RIGHT, UNIQUE_COLOURS, label
from scorer.games.tenby.counting import Placed, called, sentence, tally
from scorer.games.tenby.rulings import Rulings
from scorer.games.tenby.state import Flat, Per, Town, cell

DISTANCES = {"white": 1, "grey": 2}  # how many cards away an arrow reaches; a gold line reaches everything
WORDS = {"white": "next to it", "grey": "within two cards", "gold": "in the street"}


def card_lines(town: Town, rulings: Rulings) -> Iterator[Line]:
    """A line for every card with a number or a condition, street by street."""
    for s, street in enumerate(town.streets):
        placed = [(cell(s, c), card) for c, card in enumerate(street)]
        for own, (place, card) in enumerate(placed):
            match card.score:
                case Flat(points):
                    kind = "Plain ends" if card.deck == "plain_end" else "Printed points"
                    said = f"{points} printed on {called(place, card)}"
                    yield Line("card", kind, points, said, (place,), "rulebook, Scoring Condition")
                case Per():
                    yield condition(placed, own, card.score, rulings)


def condition(street: Sequence[Placed], own: int, score: Per, rulings: Rulings) -> Line:
    """What the condition of the card at index `own` pays."""
    place, card = street[own]
    seen = [street[index] for index in reach(len(street), own, score.range, score.direction)]
    unique = UNIQUE_COLOURS in score.targets
    if unique and rulings.gold_unique_own == "exclude":
        # The rulebook says that this building never affects its card's condition; arrows never see it anyway.
        seen = [(at, replace(other, buildings=())) if at == place else (at, other) for at, other in seen]
    found = tally(seen, score.targets)
    where = WORDS[score.range] + (f" to the {score.direction}" if is_one_way(score) else "")
    alone = "No card lies next to it" if score.direction == BOTH else f"No card lies to the {score.direction}"
    said = sentence(found, score.targets, where) if seen else alone
    said = f"“{card.name}”: {said}" if card.name else said
    times = f"; {found.amount} × {score.points}" if found.amount and score.points != 1 else ""
    cite = "rulebook, Unique Building Colours" if unique else "rulebook, Scoring Range"
    return Line("card", label(score.targets), found.amount * score.points, said + times, (place,), cite)


def reach(length: int, own: int, range_: str, direction: str) -> list[int]:
    """The indices of the cards in range, in a street of that length."""
    if range_ == "gold":
        return list(range(length))  # drawn one way on the landmarks at a pier's end, and the same all the same
    distance = DISTANCES.get(range_, 0)  # an unfinished card may not have a range yet
    left = 0 if direction == RIGHT else distance
    right = 0 if direction == LEFT else distance
    return [index for index in range(max(own - left, 0), min(own + right + 1, length)) if index != own]


def is_one_way(score: Per) -> bool:
    return score.range != "gold" and score.direction != BOTH
