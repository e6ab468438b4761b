"""Score the buildings of the expansion Villagers. Its villagers act during the game and never change points.

We know 13 of its 18 buildings and 3 of its 5 monuments, from the publisher's rulebook. For the others, players enter
the points (`other_yellow` and so on). These are our rulings:

- The rulebook lists the Travelers' Center among cards that count types, but its text counts none: 2 each.
- Only Warehouses keep their cubes; cubes on an Outhouse, a Forge or a Post Office cost nothing.
- rulings.py has the rulings that players may choose; feeding.py has those about feeding, beside its functions.
"""

from __future__ import annotations

from scorer.games.tiny_towns.board import UNKNOWN, Board
from scorer.games.tiny_towns.cards import BUILDINGS
from scorer.games.tiny_towns.cottages import chosen, feedable
from scorer.games.tiny_towns.monasteries import nearest, worth
from scorer.games.tiny_towns.shapes import Rule, Score, flat, nothing, typed
from scorer.games.tiny_towns.shops import type_name
from scorer.games.tiny_towns.squares import BESIDE, NAMES, STEPS, Squares, at, each
from scorer.sentences import Sentence, cached_sentence, in_a_row, in_clauses, say, say_count

# -- red -------------------------------------------------------------------------------------------------------------


def grange(board: Board) -> Score:
    picked = [colour for colour, standing in board.types.items() if standing in board.feeding.chosen]
    if not board.feeding.fed or not picked:
        return 0, say("There is nothing to feed")
    granges = board.at["grange"]
    why = say_count(
        "{squares} feeds {fed}. Chosen type: {types}",
        "{squares} feed {fed}. Chosen types: {types}",
        granges.bit_count(),
        squares=at(granges),
        fed=at(board.feeding.fed),
        types=in_a_row([type_name(board, colour) for colour in picked]),
    )
    others = board.feeding.reach & ~board.feeding.fed
    return 0, in_clauses([why, say("Feeding other buildings instead would not score more")]) if others else why


def nectar_farm(board: Board) -> Score:
    number = feedable(board).bit_count()
    if not number:
        return 0, say("There is nothing to feed")
    if number % 2:
        return 0, say_count(
            "The number of buildings with the feed symbol is odd ({n}), so nothing is fed",
            "The number of buildings with the feed symbol is odd ({n}), so nothing is fed",
            number,
        )
    if not board.feeding.fed:
        return 0, say("The number of buildings with the feed symbol is even ({number}). None was fed", number=number)
    return 0, say(
        "The number of buildings with the feed symbol is even ({number}). Fed: {squares}",
        number=number,
        squares=at(board.feeding.fed),
    )


def vegetable_patch(board: Board) -> Score:
    fed, reach = board.feeding.fed, board.feeding.reach
    parts = []
    if fed:
        parts.append(chosen(board.at["vegetable_patch"], at(fed), reach & ~fed != 0))
    near = feedable(board) & ~reach
    if near:
        parts.append(
            say(
                "Can’t be fed, because another building with the feed symbol is beside it: {squares}",
                squares=at(near),
            )
        )
    return 0, in_clauses(parts or [say("There is nothing to feed")])


# -- grey ------------------------------------------------------------------------------------------------------------


def folly_tower(board: Board) -> Score:
    """Score the levels of a Folly Tower, unless it is the tallest or shares the greatest height."""
    height, other = board.town.folly_tower_height or 0, board.around.tower
    if other == UNKNOWN:
        why = say_count(
            "{n} level: 0 until the tallest tower of the other players is known",
            "{n} levels: 0 until the tallest tower of the other players is known",
            height,
        )
        return 0, why
    if other > height:
        points = BUILDINGS["folly_tower"].worth * height
        return points, say_count(
            "{n} level, and a taller tower has {other}",
            "{n} levels, and a taller tower has {other}",
            height,
            other=other,
        )
    return 0, say_count("{n} level: 0, because no tower is taller", "{n} levels: 0, because no tower is taller", height)


# -- orange ----------------------------------------------------------------------------------------------------------


def monastery(board: Board) -> Score:
    """Score for each Monastery the steps to the nearest fed Cottage, or 1 point if none is fed. Barrett Castle counts
    as a Cottage, Eraflage Vineyard does not."""
    cottages = board.at.get("cottage", 0) | board.castle
    fed = cottages & board.feeding.fed
    monasteries = board.at["monastery"]
    if not fed:
        points = sum([worth(index, fed) for index in each(monasteries)])
        return points, say("There is no fed Cottage: {points} each", points=BUILDINGS["monastery"].worth)
    parts = []
    points = 0
    for index in each(monasteries):
        steps = nearest(index, fed)
        cottage = next(one for one in each(fed) if STEPS[index][one] == steps)
        points += worth(index, fed)
        parts.append(distance_in_words(index, cottage, steps))
    return points, in_clauses(parts)


@cached_sentence
def distance_in_words(index: int, cottage: int, steps: int) -> Sentence:
    """Say that the Monastery on the square number `index` is `steps` steps from `cottage`, its nearest fed Cottage."""
    return say_count(
        "{square} is {n} step from its nearest fed Cottage, {cottage}: {points}",
        "{square} is {n} steps from its nearest fed Cottage, {cottage}: {points}",
        steps,
        square=NAMES[index],
        cottage=NAMES[cottage],
        points=BUILDINGS["monastery"].worth * steps,
    )


# -- green -----------------------------------------------------------------------------------------------------------


def brewery(board: Board) -> Score:
    """Score 3, 7, 12 or 18 points for 1 to 4 Breweries with at least 3 building types beside them. More add nothing;
    another Brewery or a monument is a type too."""
    card = BUILDINGS["brewery"]
    standing = board.at["brewery"]
    busy: Squares = sum([1 << index for index in each(standing) if len(board.types_on(BESIDE[index])) >= card.needs])
    number, most = busy.bit_count(), len(card.totals)
    points = card.totals[min(number, most) - 1] if number else 0
    return points, breweries_counted(busy, standing & ~busy, points)


@cached_sentence
def breweries_counted(busy: Squares, idle: Squares, points: int) -> Sentence:
    """Say which Breweries count (`busy`) and which do not (`idle`), and that the former score `points` together."""
    card = BUILDINGS["brewery"]
    parts = []
    if busy:
        parts.append(
            say_count(
                "{squares} has {types} or more building types beside it: {points}",
                "{squares} each have {types} or more building types beside them: {points} in total",
                busy.bit_count(),
                squares=at(busy),
                types=card.needs,
                points=points,
            )
        )
    if busy.bit_count() > len(card.totals):
        parts.append(say_count("At most {n} counts", "At most {n} count", len(card.totals)))
    if idle:
        parts.append(
            say_count("{squares} has fewer: 0", "{squares} have fewer: 0", idle.bit_count(), squares=at(idle))
            if busy
            else say_count(
                "{squares} has fewer than {types} building types beside it: 0",
                "{squares} each have fewer than {types} building types beside them: 0",
                idle.bit_count(),
                squares=at(idle),
                types=card.needs,
            )
        )
    return in_clauses(parts)


# -- yellow ----------------------------------------------------------------------------------------------------------


def blacksmith(board: Board) -> Score:
    card = BUILDINGS["blacksmith"]
    standing = board.at["blacksmith"]
    busy: Squares = 0
    if board.around.rulings.blacksmith_cube == "counts":
        busy = sum([1 << index for index in each(standing) if board.town.blacksmith_cubes.get(NAMES[index])])
    free = standing & ~busy
    return card.worth * free.bit_count(), blacksmiths_counted(free, busy)


@cached_sentence
def blacksmiths_counted(free: Squares, busy: Squares) -> Sentence:
    """Say which Blacksmiths score (`free`) and which have a cube (`busy`)."""
    parts = []
    if free:
        parts.append(
            say_count(
                "{squares} has no cube: {worth}",
                "{squares} have no cube: {worth} each",
                free.bit_count(),
                squares=at(free),
                worth=BUILDINGS["blacksmith"].worth,
            )
        )
    if busy:
        parts.append(
            say_count("{squares} has a cube: 0", "{squares} have a cube: 0", busy.bit_count(), squares=at(busy))
        )
    return in_clauses(parts)


RULES: dict[str, Rule] = {
    "grange": grange,
    "nectar_farm": nectar_farm,
    "vegetable_patch": vegetable_patch,
    "folly_tower": folly_tower,
    "hearth": nothing("hearth"),
    "outhouse": flat("outhouse"),
    "monastery": monastery,
    "brewery": brewery,
    "travelers_center": flat("travelers_center"),
    "blacksmith": blacksmith,
    "forge": nothing("forge"),
    "citadel": flat("citadel"),
    "post_office": nothing("post_office"),
    **{card.id: typed(card.id) for card in BUILDINGS.values() if card.typed},
}
