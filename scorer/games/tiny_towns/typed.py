"""What typed lines cannot be: of cards that are not in play, two cards of one colour, points no town can have."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Problem
from scorer.games.tiny_towns.cards import BUILDINGS, COLOURS, MONUMENTS, RULES, Card
from scorer.games.tiny_towns.monasteries import FARTHEST
from scorer.games.tiny_towns.squares import COUNT
from scorer.games.tiny_towns.state import State
from scorer.reading import POINTS, TOTAL, Typed
from scorer.sentences import listed_or, say

# The most that one building can bring, where it is not what its card is worth: it counts others, or is paid more.
ALONE = {
    "well": 5,  # four neighbours, one of them Barrett Castle, which counts as two Cottages
    "chapel": COUNT,
    "cloister": 4,
    "theater": 6,
    "market": 4,
    "tailor": 5,
    "monastery": FARTHEST,
    "feast_hall": BUILDINGS["feast_hall"].more,
    "schoolhouse": BUILDINGS["schoolhouse"].worth + BUILDINGS["schoolhouse"].more,
}
# How many of them can be paid in one town, where that is fewer than its squares.
PAID = {"inn": 4, "cathedral": COUNT // 2}
COINS = 5 * MONUMENTS["estival_festival"].each  # in a chest that is widened, and each is worth so much


def limit(card: Card) -> range:
    """The points that all buildings of this card can bring together."""
    if card.typed or card.id == "folly_tower":  # counted by the players themselves; as high as there are pieces
        return range(-POINTS if card.typed else 0, POINTS + 1)
    if card.totals:
        return range(min(0, *card.totals), max(card.totals) + 1)
    if card.worth < 0:
        return range(card.worth * card.holds * COUNT, 1)
    return range(ALONE.get(card.id, card.worth) * PAID.get(card.id, card.most or COUNT) + 1)


LIMITS = {
    **{rule: limit(card) for rule, card in BUILDINGS.items()},
    "coins": range(COINS + 1),
    "empty": range(-COUNT, 1),
    TOTAL: range(-POINTS, POINTS + 1),
}


def lines_of(state: State) -> list[str]:
    """The cards on the table, any of a colour whose card is not known, and what every town has."""
    out = {card.id for card in BUILDINGS.values() if state.cards.get(card.colour, card.id) != card.id}
    return [rule for rule in RULES if rule not in out and (rule != "coins" or state.fortune)]


def lines_known(state: State) -> list[str]:
    """Without the cards of a colour of which nobody has said which card lies there: they are told in the set-up."""
    unsaid = {card.id for card in BUILDINGS.values() if card.colour in COLOURS and card.colour not in state.cards}
    return [rule for rule in lines_of(state) if rule not in unsaid]


def typed_faults(state: State) -> Iterator[Problem]:
    """Nothing between the totals that a card prints; and one card of each colour, also where nobody says which."""
    known = dict(state.cards)
    for seat, player in enumerate(state.players):
        for rule, points in player.points if isinstance(player, Typed) else ():
            if points and rule in BUILDINGS and BUILDINGS[rule].colour in COLOURS:
                where, card = f"/players/{seat}/typed/{rule}", BUILDINGS[rule]
                first = known.setdefault(card.colour, rule)
                if first != rule and card.colour not in state.cards:
                    message = say(
                        "“{line}” and “{other}” are of one colour, and a table has one card of each: leave one out.",
                        line=RULES[rule],
                        other=RULES[first],
                    )
                    yield Problem("two_of_one_colour", message, where)
                elif card.totals and points in LIMITS[rule] and points not in card.totals:
                    printed = listed_or([*map(str, sorted({0, *card.totals}))])
                    message = say(
                        "“{line}” bring {printed} points; this is {points}.",
                        line=RULES[rule],
                        printed=printed,
                        points=points,
                    )
                    yield Problem("bad_number", message, where)
