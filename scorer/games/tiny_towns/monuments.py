"""What the monuments score, and why: the Monument cards and the rulebook's monument clarifications.

One card per player, so two monuments never meet in a town: Barrett Castle's double nature concerns buildings only.
"""

from __future__ import annotations

from collections.abc import Callable

from scorer.games.tiny_towns.board import NOBODY, Board
from scorer.games.tiny_towns.buildings import named
from scorer.games.tiny_towns.cards import COTTAGE, MONUMENTS, TYPES, Card
from scorer.games.tiny_towns.phrases import at, counted, do
from scorer.games.tiny_towns.shapes import Score
from scorer.games.tiny_towns.squares import BESIDE, IN_LINE, Squares, each, groups
from scorer.sentences import listed

Rule = Callable[[Board, Card], Score]
CHOOSERS = ("farm", "greenhouse", "tithe_barn", "root_cellar")  # the owner decides whom these feed
ORDINALS = ("1st", "2nd", "3rd")


def score(board: Board) -> tuple[Card, Score]:
    """The monument that stands in the town, and what it brings."""
    card = MONUMENTS[board.monument]
    return card, RULES.get(card.id, flat)(board, card)


def flat(board: Board, card: Card) -> Score:
    return card.worth, f"{card.worth} for having built it" if card.worth else "no points of its own"


def archive_of_the_second_age(board: Board, card: Card) -> Score:
    found = [colour for colour in board.types if colour != "purple"]
    if not found:
        return 0, "no other building in the town"
    words = listed([named(board, one) for one in found])
    return card.worth * len(found), f"{counted(len(found), 'building type')}: {words}"


def barrett_castle(board: Board, card: Card) -> Score:
    """It is fed unless nobody reaches it, or those who choose do better by feeding others."""
    if board.castle & board.feeding.fed:
        return card.worth, "it is fed"
    others = board.feeding.fed and any(kind in board.at for kind in CHOOSERS)
    return 0, "it is not fed: to feed others instead brings no less" if others else "it is not fed"


def cathedral_of_caterina(board: Board, card: Card) -> Score:
    return card.worth, f"{card.worth} for having built it, and empty squares cost nothing"


def grand_mausoleum_of_the_rodina(board: Board, card: Card) -> Score:
    """Its points are the Cottages': they stand on their line."""
    unfed = board.at.get(COTTAGE, 0) & ~board.feeding.fed
    if not unfed:
        return 0, "there is no unfed Cottage"
    return 0, f"no points of its own; it makes {at(unfed)} worth {card.worth} on the Cottages' line"


def mandras_palace(board: Board, card: Card) -> Score:
    beside = board.types_on(BESIDE[each(board.at["monument"])[0]])
    if not beside:
        return 0, "nothing stands beside it"
    words = listed([named(board, colour) for colour in beside])
    return card.worth * len(beside), f"{counted(len(beside), 'type')} beside it, {card.worth} each: {words}"


def shrine_of_the_elder_tree(board: Board, card: Card) -> Score:
    """The number stays what it was when the Shrine was built."""
    number = board.town.shrine_count or 1
    points = card.totals[min(number, len(card.totals)) - 1]
    return points, f"{counted(number, 'building')} in the town when it was built, itself included"


def silva_forum(board: Board, card: Card) -> Score:
    """The Forum is a group of one itself, so it never brings less than 2."""
    largest: Squares = 0
    kind = ""
    for colour, standing in board.types.items():
        for group in groups(standing):
            if group.bit_count() > largest.bit_count():
                largest, kind = group, colour
    size = largest.bit_count()
    if kind == "purple":
        return card.worth + size, f"{card.worth}, and {size} for the largest group, which is itself"
    return card.worth + size, f"{card.worth}, and {size} for the largest group: {named(board, kind)} on {at(largest)}"


def the_sky_baths(board: Board, card: Card) -> Score:
    missing = [colour for colour in TYPES if colour != "purple" and colour not in board.types]
    if not missing:
        return 0, "no building type is missing"
    words = listed(["Cottages" if colour == "blue" else colour for colour in missing])
    return card.worth * len(missing), f"{counted(len(missing), 'type')} missing, {card.worth} each: {words}"


def the_starloom(board: Board, card: Card) -> Score:
    """A shared place counts in full, so players say their places and we add nothing up. Alone one is always first."""
    place = 1 if board.right == NOBODY else board.town.starloom_place or 1
    if place > len(card.totals):
        return 0, f"the town was completed {place}th"
    return card.totals[place - 1], f"the town was completed {ORDINALS[place - 1]}"


# -- Fortune ---------------------------------------------------------------------------------------------------------


def eraflage_vineyard(board: Board, card: Card) -> Score:
    """Feeding brings its points; what shares its lines costs, fed or not."""
    standing = board.at["monument"]
    fed = card.worth if standing & board.feeding.fed else 0
    seen = board.types_on(IN_LINE[each(standing)[0]])
    words = f": {listed([named(board, colour) for colour in seen])}" if seen else ""
    reason = f"{'fed' if fed else 'not fed'}: {fed}; {counted(len(seen), 'type')} in its row and column{words}"
    return fed + card.each * len(seen), reason


def estival_festival(board: Board, card: Card) -> Score:
    return card.worth, f"{card.worth} for having built it, and coins are worth {card.each} each"


def hollow_hill(board: Board, card: Card) -> Score:
    swaps = board.town.hollow_hill_swaps or 0
    return card.worth + card.each * swaps, f"{card.worth}, and {card.each} for each of {counted(swaps, 'coin')} paid"


def treasury_at_okaver(board: Board, card: Card) -> Score:
    beside = BESIDE[each(board.at["monument"])[0]] & board.at.get(COTTAGE, 0)
    if not beside:
        return 0, "no Cottage stands beside it"
    return card.worth * beside.bit_count(), f"{do(beside, 'stands', 'stand')} beside it"


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
    "eraflage_vineyard": eraflage_vineyard,
    "estival_festival": estival_festival,
    "hollow_hill": hollow_hill,
    "treasury_at_okaver": treasury_at_okaver,
}
