"""Find the best total that a town could have had with any two squares exchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

from scorer.contract import Better, Cell, Line
from scorer.games.tiny_towns.board import Around, board_of, points_of_feeding
from scorer.games.tiny_towns.cards import RULES, piece_name
from scorer.games.tiny_towns.other_towns import around, has_larkstone
from scorer.games.tiny_towns.score import lines
from scorer.games.tiny_towns.squares import COUNT, NAMES
from scorer.games.tiny_towns.state import State, Town
from scorer.sentences import Sentence, in_a_row, say

T = TypeVar("T")


def what_if(state: State, index: int) -> Better | None:
    """Return the best exchange of two squares in the town in seat `index`, or None if none brings more points. Only
    this town is scored again. Towns with the Larkstone get no swap, because it pays for being behind."""
    town = state.players[index]
    if not isinstance(town, Town) or has_larkstone(town):
        return None
    others = around(state, index)
    now = lines(board_of(town, others), state.card_names)
    total = sum([line.points for line in now])
    most, best = total, None
    for pair in combinations(range(COUNT), 2):
        if not is_change(town, *pair):
            continue
        reached = more_than(most, swapped(town, *pair), others)
        if reached is not None:
            most, best = reached, pair
    if best is None:
        return None
    first, second = best
    then = lines(board_of(swapped(town, *best), others), state.card_names)
    why = say(
        "Trade {first} ({piece}) with {second} ({other}): {most} instead of {total} ({difference})",
        first=NAMES[first],
        piece=piece_name(town.grid[first]),
        second=NAMES[second],
        other=piece_name(town.grid[second]),
        most=most,
        total=total,
        difference=difference(now, then),
    )
    return Better(most, (NAMES[first], NAMES[second]), why)


def more_than(most: int, town: Town, others: Around) -> int | None:
    """Return a town's total, or None if it is not more than `most`; `others` has the facts about other players. Feeding
    is only searched if it can decide that."""
    board = board_of(town, others, meals=False)
    total = sum([line.points for line in lines(board, {})])
    total += points_of_feeding(board, most - total) or 0
    return total if total > most else None


def is_change(town: Town, first: int, second: int) -> bool:
    """Return whether exchanging the squares `first` and `second` can change points: only if their pieces differ. What
    lies on a piece, such as cubes, moves with it."""
    return town.grid[first] != town.grid[second]


def swapped(town: Town, first: int, second: int) -> Town:
    """Return the town with the squares `first` and `second` exchanged, together with what lies on them."""
    grid = list(town.grid)
    grid[first], grid[second] = grid[second], grid[first]
    cells = (NAMES[first], NAMES[second])
    return replace(
        town,
        grid=tuple(grid),
        warehouse_cubes=moved(town.warehouse_cubes, *cells),
        bank_resources=moved(town.bank_resources, *cells),
        bondmaker_cubes=moved(town.bondmaker_cubes, *cells),
        blacksmith_cubes=moved(town.blacksmith_cubes, *cells),
    )


def moved(things: Mapping[Cell, T], one: Cell, other: Cell) -> dict[Cell, T]:
    places = {one: other, other: one}
    return {places.get(cell, cell): what for cell, what in things.items()}


def difference(now: list[Line], then: list[Line]) -> Sentence:
    """Return how the points of each line change from `now` to `then`, in order of lines: "Wells +2, Chapels −1"."""
    before = {line.rule: line.points for line in now}
    after = {line.rule: line.points for line in then}
    changes = [(RULES[rule], after.get(rule, 0) - before.get(rule, 0)) for rule in RULES]
    return in_a_row(
        [
            say("{line} {points}", line=label, points=f"{change:+}".replace("-", "−"))
            for label, change in changes
            if change
        ]
    )
