"""The expansion Fortune: its buildings, and the coins, 1 point each at the end of the game.

We know its cards from a careful transcription, not from the cards themselves. What is doubtful even there is left out:

- Schoolhouse (green): it is not clear whether the 2 points for at least as many coins as the right-hand neighbour
  hold without the fed Cottage beside it. A table that plays it cannot be scored here.
- Which monuments give a fifth place for a coin: a fifth coin is accepted and asked about.
- The patterns of the ten monuments.
- That Town Hall and solo do without some of the cards (Oddity Shop, Southern Semaphore): a warning only.

Our readings: whatever feeds in Fortune feeds every building with the feed symbol, as in the base game, so Barrett
Castle and Eraflage Vineyard too; and the owner spends coins on food where that brings more than keeping them.
Villagers, Architects, Tiny Trees and the promotional cards are not covered: their texts are not known to us.
"""

from __future__ import annotations

from scorer.games.tiny_towns.board import Board
from scorer.games.tiny_towns.shapes import Rule, Score, beside_fed, flat, if_so, nothing
from scorer.games.tiny_towns.squares import BESIDE, COLUMNS, ROWS, Squares, at
from scorer.sentences import Sentence, in_a_row, in_clauses, listed, say, say_count

LETTERS = "ABCD"


def root_cellar(board: Board) -> Score:
    lines = board.feeding.chosen
    if not lines:
        return 0, say("no coin is spent here: nobody is fed")
    return 0, say_count(
        "{n} coin spent: {lines} with {squares}",
        "{n} coins spent: {lines} with {squares}",
        board.feeding.coins,
        lines=listed([line_name(line) for line in lines]),
        squares=at(board.feeding.fed),
    )


def line_name(line: Squares) -> Sentence:
    if line in ROWS:
        return say("row {number}", number=ROWS.index(line) + 1)
    return say("column {letter}", letter=LETTERS[COLUMNS.index(line)])


def tithe_barn(board: Board) -> Score:
    bought = board.feeding.chosen[0] if board.feeding.chosen else 0
    given = board.feeding.fed & ~bought
    barns = board.at["tithe_barn"]
    if given:
        fed = say_count(
            "{squares} feeds {fed} next door",
            "{squares} feed {fed} next door",
            barns.bit_count(),
            squares=at(barns),
            fed=at(given),
        )
    else:
        fed = say_count(
            "{squares} feeds nobody next door",
            "{squares} feed nobody next door",
            barns.bit_count(),
            squares=at(barns),
        )
    if not bought:
        return 0, fed
    spent = say_count(
        "{n} coin spent to feed {squares}",
        "{n} coins spent to feed {squares}",
        board.feeding.coins,
        squares=at(bought),
    )
    return 0, in_clauses([fed, spent])


def coins(board: Board) -> Score:
    """What is left after feeding; Estival Festival makes coins worth more."""
    left = board.coins - board.feeding.coins
    parts = [say_count("{n} coin left", "{n} coins left", left) if left else say("no coin left")]
    if board.feeding.coins:
        parts.append(say("{spent} of {coins} spent on food", spent=board.feeding.coins, coins=board.coins))
    if board.monument == "estival_festival":
        parts.append(say("{worth} each with Estival Festival", worth=board.coin_worth))
    else:
        parts.append(say("{worth} each", worth=board.coin_worth))
    return board.coin_worth * left, in_a_row(parts)


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
            "{squares} stands beside another Cathedral: 0",
            "{squares} stand beside another Cathedral: 0",
            n,
            squares=squares,
        ),
    ),
    "parsonage": beside_fed("parsonage"),
    "gamblers_den": flat("gamblers_den"),
    "jeweler": flat("jeweler"),
    "teahouse": flat("teahouse"),
    "museum": nothing("museum"),
    "oddity_shop": flat("oddity_shop"),
}
