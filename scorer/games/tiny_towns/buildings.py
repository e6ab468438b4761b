"""Score the buildings of the base game: each card has a function from the town to points and a reason.

The rules come from the cards and the building clarifications of the rulebook. Adjacent means up, down, left and right.
"""

from __future__ import annotations

from scorer.games.tiny_towns import cottages
from scorer.games.tiny_towns.board import NOBODY, UNKNOWN, Board, by_value
from scorer.games.tiny_towns.cards import BUILDINGS
from scorer.games.tiny_towns.shapes import (
    Rule,
    Score,
    beside_fed,
    built,
    by_count,
    flat,
    for_each,
    if_so,
    nothing,
)
from scorer.games.tiny_towns.shops import friendly_local_game_store, market, tailor, theater
from scorer.games.tiny_towns.squares import (
    BESIDE,
    CORNERS,
    IN_LINE,
    NAMES,
    Squares,
    at,
    each,
)
from scorer.sentences import Sentence, cached_sentence, in_clauses, say, say_count

# -- grey ------------------------------------------------------------------------------------------------------------


def well(board: Board) -> Score:
    """Score one point for each Cottage beside each Well, fed or not; Barrett Castle counts as two."""
    standing = board.at["well"]
    seen = {index: board.cottages(BESIDE[index]) for index in each(standing)}
    why = in_clauses([cottages_beside(squares, number) for number, squares in by_value(standing, seen)])
    if any(BESIDE[index] & board.castle for index in seen):
        why = with_castle(why)
    return BUILDINGS["well"].worth * sum(seen.values()), why


@cached_sentence
def cottages_beside(wells: Squares, number: int) -> Sentence:
    """Say that `number` Cottages are beside each of these Wells."""
    return say_count(
        "Cottages beside {squares}: {number}",
        "Cottages beside {squares}: {number} each",
        wells.bit_count(),
        squares=at(wells),
        number=number,
    )


def with_castle(why: Sentence) -> Sentence:
    """Add to a reason that Barrett Castle is among the Cottages."""
    return in_clauses([why, say("Barrett Castle counts as 2 Cottages")])


# -- orange ----------------------------------------------------------------------------------------------------------


def chapel(board: Board) -> Score:
    chapels = board.at["chapel"].bit_count()
    fed = board.fed_cottages(board.feeding.fed)
    return BUILDINGS["chapel"].worth * chapels * fed, fed_counted(chapels, fed, board.castle & board.feeding.fed != 0)


@cached_sentence
def fed_counted(chapels: int, fed: int, castle: bool) -> Sentence:
    """Say that each of `chapels` Chapels counts `fed` fed Cottages; `castle` says that Barrett Castle is one."""
    if not fed:
        return say("There is no fed Cottage")
    why = say_count("Fed Cottages: {fed}", "Fed Cottages: {fed}, counted by each of {n} Chapels", chapels, fed=fed)
    return with_castle(why) if castle else why


def abbey(board: Board) -> Score:
    """Score 3 points for each Abbey that has no black, green or yellow building beside it."""
    worth = BUILDINGS["abbey"].worth
    quiet, parts = 0, []
    for index in each(board.at["abbey"]):
        loud = board.beside(index, "black", "green", "yellow")
        if loud:
            parts.append(
                say(
                    "{square} is beside a black, green or yellow building ({squares}): 0",
                    square=NAMES[index],
                    squares=at(loud),
                )
            )
        else:
            quiet |= 1 << index
    if quiet:
        undisturbed = say_count(
            "{squares} has no black, green or yellow building beside it: {worth}",
            "{squares} have no black, green or yellow building beside them: {worth} each",
            quiet.bit_count(),
            squares=at(quiet),
            worth=worth,
        )
        parts.insert(0, undisturbed)
    return worth * quiet.bit_count(), in_clauses(parts)


def cloister(board: Board) -> Score:
    """Score each Cloister, in a corner or not, by the number of Cloisters in corners."""
    standing = board.at["cloister"]
    cornered = standing & CORNERS
    points = BUILDINGS["cloister"].worth * cornered.bit_count()
    if not cornered:
        return 0, say("No Cloister is in a corner of the town")
    where = say_count(
        "{squares} is in a corner",
        "{squares} are in a corner",
        cornered.bit_count(),
        squares=at(cornered),
    )
    return points * standing.bit_count(), for_each(where, points, standing)


# -- green -----------------------------------------------------------------------------------------------------------


def feast_hall(board: Board) -> Score:
    """Score 3 points for each Feast Hall if the player has more than the player on the right, otherwise 2."""
    card = BUILDINGS["feast_hall"]
    number = board.at["feast_hall"].bit_count()
    right = board.around.feast_halls
    worth = card.more if number > right >= 0 else card.worth
    if right == NOBODY:
        # The rulebook does not cover this: without a neighbour, a player cannot have more than the neighbour.
        other = say("There is no player on the right")
    elif right == UNKNOWN:
        other = say("Still to count: how many the player on the right has")
    else:
        other = say("The player on the right has {right}", right=right)
    return worth * number, in_clauses([built(number, worth), other])


# -- black -----------------------------------------------------------------------------------------------------------


def warehouse(board: Board) -> Score:
    """Subtract a point for each cube; the building itself is worth nothing."""
    standing = board.at["warehouse"]
    cubes = {index: board.town.warehouse_cubes.get(NAMES[index], 0) for index in each(standing)}
    parts = [cubes_on(squares, number) for number, squares in by_value(standing, cubes)]
    return BUILDINGS["warehouse"].worth * sum(cubes.values()), in_clauses(parts)


@cached_sentence
def cubes_on(warehouses: Squares, number: int) -> Sentence:
    """Say that `number` cubes are on each of these Warehouses."""
    return say_count(
        "Cubes on {squares}: {number}",
        "Cubes on {squares}: {number} each",
        warehouses.bit_count(),
        squares=at(warehouses),
        number=number,
    )


RULES: dict[str, Rule] = {
    **cottages.RULES,
    "well": well,
    "fountain": if_so(
        "fountain",
        lambda board, index: board.beside(index, "grey"),
        lambda n, squares, worth: say_count(
            "{squares} is beside another Fountain: {worth}",
            "{squares} are beside another Fountain: {worth} each",
            n,
            squares=squares,
            worth=worth,
        ),
        lambda n, squares: say_count(
            "{squares} is not beside another Fountain: 0",
            "{squares} are not beside another Fountain: 0",
            n,
            squares=squares,
        ),
    ),
    "millstone": if_so(
        "millstone",
        lambda board, index: board.beside(index, "red", "yellow"),
        lambda n, squares, worth: say_count(
            "{squares} has a red or yellow building beside it: {worth}",
            "{squares} have a red or yellow building beside them: {worth} each",
            n,
            squares=squares,
            worth=worth,
        ),
        lambda n, squares: say_count(
            "{squares} has no red or yellow building beside it: 0",
            "{squares} have no red or yellow building beside them: 0",
            n,
            squares=squares,
        ),
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
        lambda n, squares, worth: say_count(
            "{squares} has no other Inn in its row or column: {worth}",
            "{squares} have no other Inn in their rows or columns: {worth} each",
            n,
            squares=squares,
            worth=worth,
        ),
        lambda n, squares: say_count(
            "{squares} shares a row or column with another Inn: 0",
            "{squares} share a row or column with another Inn: 0",
            n,
            squares=squares,
        ),
    ),
    "theater": theater,
    "bakery": if_so(
        "bakery",
        lambda board, index: board.beside(index, "red", "black"),
        lambda n, squares, worth: say_count(
            "{squares} has a red or black building beside it: {worth}",
            "{squares} have a red or black building beside them: {worth} each",
            n,
            squares=squares,
            worth=worth,
        ),
        lambda n, squares: say_count(
            "{squares} has no red or black building beside it: 0",
            "{squares} have no red or black building beside them: 0",
            n,
            squares=squares,
        ),
    ),
    "market": market,
    "friendly_local_game_store": friendly_local_game_store,
    "tailor": tailor,
    "bank": flat("bank"),
    "factory": nothing("factory"),
    "trading_post": flat("trading_post"),
    "warehouse": warehouse,
}
