"""Score the expansion Fortune: its buildings, and the coins, 1 point each at the end of the game.

We know its cards from a careful transcription, not from the cards themselves. These are our rulings. Buildings that
feed in Fortune feed every building with the feed symbol, as in the base game, so also Barrett Castle and Eraflage
Vineyard. The owner spends coins on food if that brings more than keeping them. A Schoolhouse compares coins before
anybody pays for food, because otherwise the feedings of neighbours would depend on each other in a circle. Architects,
Tiny Trees and the promotional cards are not covered, because we do not know their texts.
"""

from __future__ import annotations

from scorer.games.tiny_towns.board import NOBODY, UNKNOWN, Board, has_coins
from scorer.games.tiny_towns.cards import BUILDINGS
from scorer.games.tiny_towns.shapes import (
    Rule,
    Score,
    beside_fed,
    flat,
    if_so,
    nothing,
    with_fed_beside,
)
from scorer.games.tiny_towns.squares import BESIDE, COLUMNS, ROWS, Squares, at, each
from scorer.sentences import Sentence, cached_sentence, in_a_row, in_clauses, say, say_count

LETTERS = "ABCD"


def root_cellar(board: Board) -> Score:
    lines = board.feeding.chosen
    if not lines:
        return 0, say("No coin was spent, so nothing is fed")
    return 0, in_clauses([spent(board.feeding.coins, board.feeding.fed), in_a_row([line_name(line) for line in lines])])


def spent(coins: int, fed: Squares) -> Sentence:
    return say_count("{n} coin spent to feed {squares}", "{n} coins spent to feed {squares}", coins, squares=at(fed))


def line_name(line: Squares) -> Sentence:
    if line in ROWS:
        return say("Row {number}", number=ROWS.index(line) + 1)
    return say("Column {letter}", letter=LETTERS[COLUMNS.index(line)])


def tithe_barn(board: Board) -> Score:
    bought = board.feeding.chosen[0] if board.feeding.chosen else 0
    given = board.feeding.fed & ~bought
    barns = board.at["tithe_barn"]
    if given:
        fed = say_count(
            "{squares} feeds {fed} beside it",
            "{squares} feed {fed} beside them",
            barns.bit_count(),
            squares=at(barns),
            fed=at(given),
        )
    else:
        fed = say_count(
            "{squares} feeds nothing beside it",
            "{squares} feed nothing beside them",
            barns.bit_count(),
            squares=at(barns),
        )
    if not bought:
        return 0, fed
    return 0, in_clauses([fed, spent(board.feeding.coins, bought)])


def schoolhouse(board: Board) -> Score:
    """Score 2 points for each Schoolhouse beside a fed Cottage. It brings 2 more if the player on the right does not
    have more coins. By the ruling "apart", the other Schoolhouses also bring these 2."""
    card = BUILDINGS["schoolhouse"]
    standing = board.at["schoolhouse"]
    fed: Squares = sum([1 << index for index in each(standing) if board.fed_cottages(BESIDE[index]) >= card.needs])
    apart = board.around.rulings.schoolhouse == "apart"
    paying = (standing if apart else fed).bit_count() if has_coins(board.coins, board.around) else 0
    why = [schoolhouses_by_cottages(fed, standing & ~fed)]
    if fed or apart:
        why.append(coins_compared(board.coins, board.around.coins))
    return card.worth * fed.bit_count() + card.more * paying, in_clauses(why)


@cached_sentence
def schoolhouses_by_cottages(fed: Squares, others: Squares) -> Sentence:
    """Say which Schoolhouses have a fed Cottage beside them (`fed`) and which do not (`others`)."""
    parts = []
    if fed:
        parts.append(
            say_count(
                "{squares} has a fed Cottage beside it: {worth}",
                "{squares} have a fed Cottage beside them: {worth} each",
                fed.bit_count(),
                squares=at(fed),
                worth=BUILDINGS["schoolhouse"].worth,
            )
        )
    if others:
        parts.append(with_fed_beside(others, 0, 0))
    return in_clauses(parts)


@cached_sentence
def coins_compared(coins: int, right: int) -> Sentence:
    """Say what each Schoolhouse gains if the player has `coins` coins and the player on the right has `right`; `right`
    may be unknown."""
    more = BUILDINGS["schoolhouse"].more
    if right == UNKNOWN:
        return say("{more} more points each if the player on your right doesn’t have more coins", more=more)
    if right == NOBODY:
        return say("There is no player on the right")
    if coins >= right:
        return say_count(
            "{n} coin, and {right} for the player on the right: {more} more points each",
            "{n} coins, and {right} for the player on the right: {more} more points each",
            coins,
            more=more,
            right=right,
        )
    return say_count(
        "{n} coin, but {right} for the player on the right: no extra points",
        "{n} coins, but {right} for the player on the right: no extra points",
        coins,
        right=right,
    )


def coins(board: Board) -> Score:
    """Score the coins left after feeding; Estival Festival makes them worth more."""
    left = board.coins - board.feeding.coins
    parts = [say_count("{n} coin left", "{n} coins left", left) if left else say("No coin left")]
    if board.feeding.coins:
        spent = board.feeding.coins
        parts.append(
            say_count(
                "{spent} of {n} coin spent to feed", "{spent} of {n} coins spent to feed", board.coins, spent=spent
            )
        )
    if board.monument == "estival_festival":
        parts.append(say("{worth} each with Estival Festival", worth=board.coin_worth))
    else:
        parts.append(say("{worth} each", worth=board.coin_worth))
    return board.coin_worth * left, in_clauses(parts)


RULES: dict[str, Rule] = {
    "root_cellar": root_cellar,
    "tithe_barn": tithe_barn,
    "mine": nothing("mine"),
    "statue": nothing("statue"),
    "cathedral": if_so(
        "cathedral",
        lambda board, index: not BESIDE[index] & board.at["cathedral"],
        lambda n, squares, worth: say_count(
            "{squares} has no other Cathedral beside it: {worth}",
            "{squares} have no other Cathedral beside them: {worth} each",
            n,
            squares=squares,
            worth=worth,
        ),
        lambda n, squares: say_count(
            "{squares} is beside another Cathedral: 0",
            "{squares} are beside another Cathedral: 0",
            n,
            squares=squares,
        ),
    ),
    "parsonage": beside_fed("parsonage"),
    "gamblers_den": flat("gamblers_den"),
    "schoolhouse": schoolhouse,
    "jeweler": flat("jeweler"),
    "teahouse": flat("teahouse"),
    "museum": nothing("museum"),
    "oddity_shop": flat("oddity_shop"),
}
