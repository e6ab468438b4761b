"""Score the monuments, by the Monument cards and the monument clarifications of the rulebook.

A town has at most one monument. So only buildings, never another monument, count Barrett Castle as Cottages.
"""

from __future__ import annotations

from collections.abc import Callable

from scorer.games.tiny_towns.board import NOBODY, Board
from scorer.games.tiny_towns.cards import COTTAGE, MONUMENTS, TYPES, Card
from scorer.games.tiny_towns.shapes import COUNTED, Score
from scorer.games.tiny_towns.shops import type_name
from scorer.games.tiny_towns.squares import BESIDE, IN_LINE, Squares, at, each, groups
from scorer.sentences import in_clauses, listed, say, say_count

Rule = Callable[[Board, Card], Score]
COMPLETED = (
    say("1st to complete a town"),
    say("2nd to complete a town"),
    say("3rd to complete a town"),
)
MISSING = {
    "blue": say("Cottages"),
    "red": say("red"),
    "grey": say("grey"),
    "orange": say("orange"),
    "green": say("green"),
    "yellow": say("yellow"),
    "black": say("black"),
}


def score(board: Board) -> tuple[Card, Score]:
    """Return the card of the town's monument, and its score."""
    card = MONUMENTS[board.monument]
    return card, RULES.get(card.id, flat)(board, card)


def flat(_board: Board, card: Card) -> Score:
    if not card.worth:
        return 0, say("No points of its own")
    return card.worth, say("{points} for building it", points=card.worth)


def archive_of_the_second_age(board: Board, card: Card) -> Score:
    found = [colour for colour in board.types if colour != "purple"]
    if not found:
        return 0, say("There is no other building in the town")
    types = listed([type_name(board, one) for one in found])
    why = say_count("{n} building type: {types}", "{n} building types: {types}", len(found), types=types)
    return card.worth * len(found), why


def barrett_castle(board: Board, card: Card) -> Score:
    """Score Barrett Castle if it is fed; it is not if no building reaches it, or if feeding others brings more."""
    if board.castle & board.feeding.fed:
        return card.worth, say("It is fed")
    if board.castle & board.feeding.reach and "monastery" in board.at:
        return 0, say("It is not fed; feeding it would not score more")
    if board.castle & board.feeding.reach and board.feeding.fed:
        return 0, say("It is not fed; feeding other buildings scores at least as much")
    return 0, say("It is not fed")


def cathedral_of_caterina(_board: Board, card: Card) -> Score:
    return card.worth, say("{points} for building it; empty squares cost nothing", points=card.worth)


def grand_mausoleum_of_the_rodina(board: Board, card: Card) -> Score:
    """Score nothing for the Grand Mausoleum, because its points are on the line of the Cottages."""
    unfed = board.at.get(COTTAGE, 0) & ~board.feeding.fed
    if not unfed:
        return 0, say("Every Cottage is fed")
    return 0, say(
        "No points of its own. Unfed Cottages score {worth} each on the Cottages line: {squares}",
        squares=at(unfed),
        worth=card.worth,
    )


def mandras_palace(board: Board, card: Card) -> Score:
    beside = board.types_on(BESIDE[each(board.at["monument"])[0]])
    if not beside:
        return 0, say("Nothing is beside it")
    return card.worth * len(beside), say_count(
        "{n} building type beside it, {worth} each: {types}",
        "{n} building types beside it, {worth} each: {types}",
        len(beside),
        worth=card.worth,
        types=listed([type_name(board, colour) for colour in beside]),
    )


def shrine_of_the_elder_tree(board: Board, card: Card) -> Score:
    """Score the number of buildings that the town had when the Shrine was built."""
    number = board.town.shrine_count or 1
    points = card.totals[min(number, len(card.totals)) - 1]
    return points, say_count(
        "{n} building in the town when it was built, including itself",
        "{n} buildings in the town when it was built, including itself",
        number,
    )


def silva_forum(board: Board, card: Card) -> Score:
    """Score the largest group of one type; the Forum itself is a group of one, so 2 points are certain."""
    largest: Squares = 0
    kind = ""
    for colour, standing in board.types.items():
        for group in groups(standing):
            if group.bit_count() > largest.bit_count():
                largest, kind = group, colour
    size = largest.bit_count()
    if kind == "purple":
        why = say("{points}, and {size} for the largest group, which is the Forum itself", points=card.worth, size=size)
        return card.worth + size, why
    return card.worth + size, say(
        "{points}, and {size} for the largest group: {squares}", points=card.worth, size=size, squares=at(largest)
    )


def the_sky_baths(board: Board, card: Card) -> Score:
    missing = [colour for colour in TYPES if colour != "purple" and colour not in board.types]
    if not missing:
        return 0, say("No building type is missing")
    return card.worth * len(missing), say_count(
        "{n} building type missing, {worth} each: {types}",
        "{n} building types missing, {worth} each: {types}",
        len(missing),
        worth=card.worth,
        types=listed([MISSING[colour] for colour in missing]),
    )


def the_starloom(board: Board, card: Card) -> Score:
    """Score the entered place of the player in the order of completing towns; a solo player is always first."""
    place = 1 if board.around.feast_halls == NOBODY else board.town.starloom_place or 1
    if place > len(card.totals):
        return 0, say("{place}th to complete a town", place=place)
    return card.totals[place - 1], COMPLETED[place - 1]


def other_monument(board: Board, card: Card) -> Score:
    return board.town.typed_points.get(card.id, 0), COUNTED


# -- Villagers -------------------------------------------------------------------------------------------------------


def clearfall_quarry(board: Board, card: Card) -> Score:
    """Score the Quarry if a square beside it is empty, without cubes; one with only a villager counts as empty."""
    free = BESIDE[each(board.at["monument"])[0]] & board.empty
    if not free:
        return 0, say("There is no empty square beside it")
    return card.worth, say_count(
        "{squares} beside it is empty: {points}",
        "{squares} beside it are empty: {points}",
        free.bit_count(),
        squares=at(free),
        points=card.worth,
    )


# -- promo cards -----------------------------------------------------------------------------------------------------


def larkstone(board: Board, card: Card) -> Score:
    """Score the Larkstone by the number of players with more points, after all other points are final."""
    ahead = max(board.around.ahead, 0)
    points = card.totals[min(ahead, len(card.totals)) - 1] if ahead else 0
    if not ahead:
        return points, say("No player has more points")
    return points, say_count("{n} player has more points", "{n} players have more points", ahead)


# -- Fortune ---------------------------------------------------------------------------------------------------------


def eraflage_vineyard(board: Board, card: Card) -> Score:
    """Score the points of a fed Vineyard, minus a cost for each building type in its row and column."""
    standing = board.at["monument"]
    fed = card.worth if standing & board.feeding.fed else 0
    reason = say("It is fed: {points}", points=fed) if fed else say("It is not fed: 0")
    seen = board.types_on(IN_LINE[each(standing)[0]])
    if not seen:
        return fed, in_clauses([reason, say("There is no building type in its row and column")])
    beside = say_count(
        "{n} building type in its row and column: {types}",
        "{n} building types in its row and column: {types}",
        len(seen),
        types=listed([type_name(board, colour) for colour in seen]),
    )
    return fed + card.each * len(seen), in_clauses([reason, beside])


def estival_festival(_board: Board, card: Card) -> Score:
    return card.worth, say("{points} for building it; coins are worth {each} each", points=card.worth, each=card.each)


def hollow_hill(board: Board, card: Card) -> Score:
    swaps = board.town.hollow_hill_swaps or 0
    if not swaps:
        return card.worth, say("{points}; no coin was paid to swap resources", points=card.worth)
    return card.worth + card.each * swaps, say_count(
        "{points}, less {cost} for the {n} coin paid to swap resources",
        "{points}, less {cost} for each of the {n} coins paid to swap resources",
        swaps,
        points=card.worth,
        cost=-card.each,
    )


def treasury_at_okaver(board: Board, card: Card) -> Score:
    beside = BESIDE[each(board.at["monument"])[0]] & board.at.get(COTTAGE, 0)
    if not beside:
        return 0, say("No Cottage is beside it")
    number = beside.bit_count()
    return card.worth * number, say_count(
        "Cottage beside it: {squares}", "Cottages beside it: {squares}", number, squares=at(beside)
    )


RULES: dict[str, Rule] = {
    "archive_of_the_second_age": archive_of_the_second_age,
    "barrett_castle": barrett_castle,
    "cathedral_of_caterina": cathedral_of_caterina,
    "grand_mausoleum_of_the_rodina": grand_mausoleum_of_the_rodina,
    "mandras_palace": mandras_palace,
    "shrine_of_the_elder_tree": shrine_of_the_elder_tree,
    "silva_forum": silva_forum,
    "the_sky_baths": the_sky_baths,
    "the_starloom": the_starloom,
    "other_monument": other_monument,
    "clearfall_quarry": clearfall_quarry,
    "larkstone": larkstone,
    "eraflage_vineyard": eraflage_vineyard,
    "estival_festival": estival_festival,
    "hollow_hill": hollow_hill,
    "treasury_at_okaver": treasury_at_okaver,
}
