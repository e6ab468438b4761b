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
from scorer.games.tiny_towns.phrases import at, counted, do
from scorer.games.tiny_towns.shapes import Rule, Score, beside_fed, flat, if_so, nothing
from scorer.games.tiny_towns.squares import BESIDE, COLUMNS, ROWS, Squares
from scorer.sentences import listed

LETTERS = "ABCD"


def root_cellar(board: Board) -> Score:
    lines = board.feeding.chosen
    if not lines:
        return 0, "no coin is spent here: nobody is fed"
    spent = counted(board.feeding.coins, "coin")
    return 0, f"{spent} spent: {listed([line_name(line) for line in lines])} with {at(board.feeding.fed)}"


def line_name(line: Squares) -> str:
    return f"row {ROWS.index(line) + 1}" if line in ROWS else f"column {LETTERS[COLUMNS.index(line)]}"


def tithe_barn(board: Board) -> Score:
    bought = board.feeding.chosen[0] if board.feeding.chosen else 0
    given = board.feeding.fed & ~bought
    parts = [f"{do(board.at['tithe_barn'], 'feeds', 'feed')} {at(given) if given else 'nobody'} next door"]
    if bought:
        parts.append(f"{counted(board.feeding.coins, 'coin')} spent to feed {at(bought)}")
    return 0, "; ".join(parts)


def coins(board: Board) -> Score:
    """What is left after feeding; Estival Festival makes coins worth more."""
    left = board.coins - board.feeding.coins
    spent = f", {board.feeding.coins} of {board.coins} spent on food" if board.feeding.coins else ""
    worth = f"{board.coin_worth} each" + (" with Estival Festival" if board.monument == "estival_festival" else "")
    return board.coin_worth * left, f"{counted(left, 'coin')} left{spent}, {worth}"


RULES: dict[str, Rule] = {
    "root_cellar": root_cellar,
    "tithe_barn": tithe_barn,
    "mine": nothing("mine"),
    "statue": nothing("statue"),
    "cathedral": if_so(
        "cathedral",
        lambda board, index: not BESIDE[index] & board.at["cathedral"],
        ("has no other Cathedral beside it", "have no other Cathedral beside them"),
        ("stands beside another Cathedral", "stand beside another Cathedral"),
    ),
    "parsonage": beside_fed("parsonage"),
    "gamblers_den": flat("gamblers_den"),
    "jeweler": flat("jeweler"),
    "teahouse": flat("teahouse"),
    "museum": nothing("museum"),
    "oddity_shop": flat("oddity_shop"),
}
