"""What the buildings of the base game score: for each card a function from the town to points and the reason.

Implements the cards and the rulebook's building clarifications. Adjacent means up, down, left and right.
"""

from __future__ import annotations

from scorer.games.tiny_towns.board import NOBODY, UNKNOWN, Board, by_value
from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE
from scorer.games.tiny_towns.phrases import apiece, at, counted, do, several
from scorer.games.tiny_towns.shapes import Rule, Score, beside_fed, by_count, flat, if_so, nothing
from scorer.games.tiny_towns.squares import (
    AROUND,
    BESIDE,
    CENTRE,
    COLUMNS,
    CORNERS,
    IN_LINE,
    NAMES,
    ROWS,
    SIDE,
    Squares,
    each,
    names,
)
from scorer.sentences import listed

# -- blue and red ----------------------------------------------------------------------------------------------------


def cottage(board: Board) -> Score:
    """Fed ones score; with the Mausoleum the unfed ones do too, without becoming fed."""
    worth = BUILDINGS[COTTAGE].worth
    fed = board.at[COTTAGE] & board.feeding.fed
    unfed = board.at[COTTAGE] & ~fed
    parts = [f"{do(fed, 'is', 'are')} fed: {worth}{apiece(fed)}"] if fed else []
    if unfed and board.monument == "grand_mausoleum_of_the_rodina":
        fed |= unfed
        parts.append(f"{do(unfed, 'is', 'are')} not fed, but worth {worth}{apiece(unfed)} with the Grand Mausoleum")
    elif unfed:
        parts.append(f"{do(unfed, 'is', 'are')} not fed: 0")
    return worth * fed.bit_count(), "; ".join(parts)


def farm(board: Board) -> Score:
    fed = board.feeding.fed
    if not fed:
        return 0, "nobody to feed"
    left = "; nobody else would bring more" if hungry(board) & ~fed else ""
    return 0, f"{do(board.at['farm'], 'feeds', 'feed')} {at(fed)}{left}"


def feeder_in_place(card_id: str, reach: tuple[Squares, ...]) -> Rule:
    """Granaries and Orchards: what each of them reaches."""

    def score(board: Board) -> Score:
        parts = []
        for index in each(board.at[card_id]):
            fed = reach[index] & board.feeding.fed
            parts.append(f"{NAMES[index]} feeds {at(fed) if fed else 'nobody'}")
        return 0, "; ".join(parts)

    return score


def greenhouse(board: Board) -> Score:
    groups = board.feeding.chosen
    if not groups:
        return 0, "nobody to feed"
    left = "; nobody else would bring more" if hungry(board) & ~board.feeding.fed else ""
    fed = listed([f"the group {'+'.join(names(group))}" if several(group) else at(group) for group in groups])
    return 0, f"{do(board.at['greenhouse'], 'feeds', 'feed')} {fed}{left}"


def hungry(board: Board) -> Squares:
    """What has the feed symbol."""
    vineyard = board.at["monument"] if board.monument == "eraflage_vineyard" else 0
    return board.at.get(COTTAGE, 0) | board.castle | vineyard


# -- grey ------------------------------------------------------------------------------------------------------------


def well(board: Board) -> Score:
    """Cottages beside it, fed or not; Barrett Castle counts as two."""
    standing = board.at["well"]
    seen = {index: board.cottages(BESIDE[index]) for index in each(standing)}
    parts = [
        f"{do(squares, 'sees', 'see')} {counted(number, 'Cottage')}{apiece(squares) if number else ''}"
        for number, squares in by_value(standing, seen)
    ]
    castle = " (Barrett Castle counts as 2)" if any(BESIDE[index] & board.castle for index in seen) else ""
    return BUILDINGS["well"].worth * sum(seen.values()), "; ".join(parts) + castle


# -- orange ----------------------------------------------------------------------------------------------------------


def chapel(board: Board) -> Score:
    chapels = board.at["chapel"].bit_count()
    fed = board.fed_cottages(board.feeding.fed)
    castle = " (Barrett Castle counts as 2)" if board.castle & board.feeding.fed else ""
    times = f", counted by each of {chapels} Chapels" if fed and chapels > 1 else ""
    return BUILDINGS["chapel"].worth * chapels * fed, f"{counted(fed, 'fed Cottage')}{castle}{times}"


def abbey(board: Board) -> Score:
    """Black, green and yellow neighbours disturb it; the rulebook's icons are lost to us, the card shows them."""
    worth = BUILDINGS["abbey"].worth
    quiet, parts = 0, []
    for index in each(board.at["abbey"]):
        loud = board.beside(index, "black", "green", "yellow")
        if loud:
            parts.append(f"{NAMES[index]} stands beside {listed(neighbours(board, loud))}: 0")
        else:
            quiet |= 1 << index
    if quiet:
        parts.insert(0, f"{do(quiet, 'is', 'are')} left in peace: {worth}{apiece(quiet)}")
    return worth * quiet.bit_count(), "; ".join(parts)


def neighbours(board: Board, squares: Squares) -> list[str]:
    """ "the Tavern on B2", building by building."""
    return [
        f"the {BUILDINGS[piece].name if piece in BUILDINGS else 'monument'} on {at(standing & squares)}"
        for piece, standing in board.at.items()
        if standing & squares
    ]


def cloister(board: Board) -> Score:
    """Also a Cloister outside the corners counts those in the corners."""
    standing = board.at["cloister"]
    cornered = standing & CORNERS
    points = BUILDINGS["cloister"].worth * cornered.bit_count()
    where = f"{do(cornered, 'stands', 'stand')} in a corner" if cornered else "none stands in a corner"
    return points * standing.bit_count(), f"{where}: {points} for {'each of ' * several(standing)}{at(standing)}"


# -- green -----------------------------------------------------------------------------------------------------------


def feast_hall(board: Board) -> Score:
    """The right-hand neighbour is the previous player clockwise, as the hammer is passed to the left."""
    card = BUILDINGS["feast_hall"]
    number = board.at["feast_hall"].bit_count()
    here, each_of = counted(number, card.name), " each" * (number > 1)
    if board.right == NOBODY:
        # The rulebook is silent: without a neighbour there is nobody one could have more than.
        return card.worth * number, f"{here}: {card.worth}{each_of}, as nobody sits on the right"
    if board.right == UNKNOWN:
        return card.worth * number, f"{here}: {card.worth}{each_of} until the number on the right is known"
    if number > board.right:
        return card.more * number, f"{here}: {card.more}{each_of}, against {board.right or 'none'} on the right"
    verb = "is" if board.right == 1 else "are"
    return card.worth * number, f"{here}: {card.worth}{each_of}, as there {verb} {board.right} on the right"


# -- yellow ----------------------------------------------------------------------------------------------------------


def theater(board: Board) -> Score:
    """Different types in row and column together; Barrett Castle adds the Cottage's type and no monument's."""
    points, parts = 0, []
    for index in each(board.at["theater"]):
        line = IN_LINE[index]
        seen = [named(board, colour) for colour in board.types_on(line) if colour != "yellow"]
        points += len(seen)
        parts.append(f"{NAMES[index]} sees {listed(seen) if seen else 'no other type'}: {len(seen)}")
    return BUILDINGS["theater"].worth * points, "; ".join(parts)


def named(board: Board, colour: str) -> str:
    """What stands for this type in the town."""
    if colour == "purple":
        return "monument"
    for piece in board.at:
        if piece in BUILDINGS and BUILDINGS[piece].colour == colour:
            return BUILDINGS[piece].name
    return "Barrett Castle (as Cottage)"


def market(board: Board) -> Score:
    """Row or column, whichever holds more; itself counts."""
    standing = board.at["market"]
    seen = {
        index: max((standing & ROWS[index // SIDE]).bit_count(), (standing & COLUMNS[index % SIDE]).bit_count())
        for index in each(standing)
    }
    parts = [
        f"{do(squares, 'counts', 'count')} {number}{apiece(squares)}" for number, squares in by_value(standing, seen)
    ]
    return BUILDINGS["market"].worth * sum(seen.values()), "; ".join(parts)


def tailor(board: Board) -> Score:
    """The card says "each Tailor" in the centre, so one that stands there counts itself (the rulebook's "other" is
    about those outside)."""
    standing = board.at["tailor"]
    central = standing & CENTRE
    points = BUILDINGS["tailor"].worth + central.bit_count()
    where = f"{do(central, 'stands', 'stand')} in the centre" if central else "none stands in the centre"
    return points * standing.bit_count(), f"{where}: {points} for {'each of ' * several(standing)}{at(standing)}"


# -- black -----------------------------------------------------------------------------------------------------------


def warehouse(board: Board) -> Score:
    """Each cube costs a point; the building itself is worth nothing."""
    standing = board.at["warehouse"]
    cubes = {index: board.town.warehouse_cubes.get(NAMES[index], 0) for index in each(standing)}
    parts = [
        f"{do(squares, 'holds', 'hold')} {counted(number, 'cube')}{apiece(squares) if number else ''}"
        for number, squares in by_value(standing, cubes)
    ]
    return BUILDINGS["warehouse"].worth * sum(cubes.values()), "; ".join(parts)


RULES: dict[str, Rule] = {
    "cottage": cottage,
    "farm": farm,
    "granary": feeder_in_place("granary", AROUND),
    "orchard": feeder_in_place("orchard", IN_LINE),
    "greenhouse": greenhouse,
    "well": well,
    "fountain": if_so(
        "fountain",
        lambda board, index: board.beside(index, "grey"),
        ("stands beside another Fountain", "stand beside another Fountain"),
        ("stands apart", "stand apart"),
    ),
    "millstone": if_so(
        "millstone",
        lambda board, index: board.beside(index, "red", "yellow"),
        ("has a red or yellow building beside it", "have a red or yellow building beside them"),
        ("has no red or yellow building beside it", "have no red or yellow building beside them"),
    ),
    "shed": flat("shed"),
    "chapel": chapel,
    "abbey": abbey,
    "cloister": cloister,
    "temple": beside_fed("temple"),
    "tavern": by_count("tavern"),
    "almshouse": by_count("almshouse"),
    "feast_hall": feast_hall,
    "inn": if_so(
        "inn",
        lambda board, index: not IN_LINE[index] & board.at["inn"],
        ("is alone in its row and column", "are alone in their rows and columns"),
        ("shares a row or column with another Inn", "share a row or column with another Inn"),
    ),
    "theater": theater,
    "bakery": if_so(
        "bakery",
        lambda board, index: board.beside(index, "red", "black"),
        ("has a red or black building beside it", "have a red or black building beside them"),
        ("has no red or black building beside it", "have no red or black building beside them"),
    ),
    "market": market,
    "tailor": tailor,
    "bank": flat("bank"),
    "factory": nothing("factory"),
    "trading_post": flat("trading_post"),
    "warehouse": warehouse,
}
