"""Score the yellow buildings of the base game."""

from __future__ import annotations

from scorer.games.tiny_towns.board import Board, by_value
from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE, MONUMENT, piece_name
from scorer.games.tiny_towns.shapes import (
    Score,
    for_each,
)
from scorer.games.tiny_towns.squares import (
    CENTRE,
    COLUMNS,
    IN_LINE,
    NAMES,
    ROWS,
    SIDE,
    Squares,
    at,
    each,
)
from scorer.sentences import Sentence, cached_sentence, in_a_row, in_clauses, say, say_count

COTTAGE_TOWN = 5  # with so many Cottages, fed or not, each Friendly Local Game Store scores one more point


def theater(board: Board) -> Score:
    """Score each Theater by the other building types in its row and column.

    Barrett Castle has the type of Cottages, not of monuments.
    """
    points, parts = 0, []
    for index in each(board.at["theater"]):
        line = IN_LINE[index]
        seen = tuple([type_name(board, colour) for colour in board.types_on(line) if colour != "yellow"])
        points += len(seen)
        parts.append(types_counted(index, seen))
    return BUILDINGS["theater"].worth * points, in_clauses(parts)


@cached_sentence
def types_counted(index: int, types: tuple[Sentence, ...]) -> Sentence:
    """Say which building types, by name, the Theater on the square number `index` counts, and how many."""
    if not types:
        return say("{square} has no other building type in its row and column: 0", square=NAMES[index])
    return say("{square} scores {points}: {types}", square=NAMES[index], types=in_a_row(types), points=len(types))


def type_name(board: Board, colour: str) -> Sentence:
    """Return the name of the building of this colour in the town; Barrett Castle may stand for Cottages."""
    if colour == "purple":
        return piece_name(MONUMENT)
    for piece in board.at:
        if piece in BUILDINGS and BUILDINGS[piece].colour == colour:
            return BUILDINGS[piece].name
    return say("Barrett Castle (as Cottage)")


def market(board: Board) -> Score:
    """Score each Market by the Markets in its row or its column, whichever has more, including itself."""
    standing = board.at["market"]
    seen = {
        index: max((standing & ROWS[index // SIDE]).bit_count(), (standing & COLUMNS[index % SIDE]).bit_count())
        for index in each(standing)
    }
    parts = [markets_counted(squares, number) for number, squares in by_value(standing, seen)]
    return BUILDINGS["market"].worth * sum(seen.values()), in_clauses(parts)


@cached_sentence
def markets_counted(markets: Squares, number: int) -> Sentence:
    """Say that each of the Markets on these squares scores for `number` Markets in its row or column."""
    return say_count(
        "Markets counted by {squares}: {markets}",
        "Markets counted by {squares}: {markets} each",
        markets.bit_count(),
        squares=at(markets),
        markets=number,
    )


def friendly_local_game_store(board: Board) -> Score:
    """Score 1 a store, 2 more with enough fed Cottages in its row and column, 1 more with enough in town."""
    card = BUILDINGS["friendly_local_game_store"]
    standing = board.at[card.id]
    cottages = board.cottages(board.at.get(COTTAGE, 0) | board.castle)
    town = card.more if cottages >= COTTAGE_TOWN else 0
    fed = {index: board.fed_cottages(IN_LINE[index]) for index in each(standing)}
    worth = {index: card.worth + town + (card.each if seen >= card.needs else 0) for index, seen in fed.items()}
    parts = [say_count("{n} Cottage in the town", "{n} Cottages in the town", cottages)]
    parts += [store_points(squares, number, worth[each(squares)[0]]) for number, squares in by_value(standing, fed)]
    return sum(worth.values()), in_clauses(parts)


@cached_sentence
def store_points(stores: Squares, fed: int, worth: int) -> Sentence:
    """Say that each store on these squares has `fed` fed Cottages in its row and column, and scores `worth`."""
    return say_count(
        "{squares} scores {worth} (fed Cottages in its row and column: {number})",
        "{squares} score {worth} each (fed Cottages in each row and column: {number})",
        stores.bit_count(),
        squares=at(stores),
        worth=worth,
        number=fed,
    )


def tailor(board: Board) -> Score:
    """Score each Tailor: its worth, and 1 more for each Tailor in the centre.

    The card says "each Tailor" in the centre, so a Tailor there counts itself. The rulebook's word "other" only
    concerns Tailors outside the centre.
    """
    standing = board.at["tailor"]
    central = standing & CENTRE
    points = BUILDINGS["tailor"].worth + central.bit_count()
    where = (
        say_count(
            "{squares} is in the centre",
            "{squares} are in the centre",
            central.bit_count(),
            squares=at(central),
        )
        if central
        else say("No Tailor is in the centre of the town")
    )
    return points * standing.bit_count(), for_each(where, points, standing)
