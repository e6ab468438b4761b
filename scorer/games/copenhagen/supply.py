"""Check whether the tiles in play can form the houses drawn as plain grids, one by one and all together.

Tiles on houses that were entered tile by tile are not available for grids.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from scorer.contract import Problem
from scorer.games.copenhagen.buildable import build
from scorer.games.copenhagen.facade import Facade, from_rows
from scorer.games.copenhagen.reasons import doubt_about
from scorer.games.copenhagen.shapes import OF_KIND, Stock, name_of, stock, with_number, without
from scorer.games.copenhagen.state import PLAYERS, State
from scorer.sentences import say

Found = Iterator[Problem]


def seats(state: State) -> int:
    """Return the number of players; one that the game does not allow becomes the nearest allowed one."""
    return min(max(len(state.players), PLAYERS[0]), PLAYERS[-1])


def cannot_be_built(state: State) -> Found:
    """Yield a problem for each grid that no tiles can form. Also yield one for each shape of which all grids together
    need too many tiles."""
    in_stock = unused(state)
    formed: list[Facade] = []
    for index, house in state.houses:
        if house.rows is None:
            continue
        facade = from_rows(house.rows)
        if build(facade, in_stock).is_buildable:
            formed.append(facade)
        else:
            yield Problem("not_buildable", doubt_about(facade, in_stock), f"/players/{index}/grid", "warning")
    yield from shortages(formed, in_stock)


def unused(state: State) -> Stock:
    """Return the stock of this game without the tiles on houses that were entered tile by tile."""
    left = stock(seats(state))
    for _, house in state.houses:
        for tile in house.tiles or ():
            left = without(left, OF_KIND[tile.kind])
    return left


def shortages(formed: Sequence[Facade], in_stock: Stock) -> Found:
    """Yield a problem for each shape of which the houses `formed` together need more tiles than there are. Each of them
    can be formed alone from `in_stock`; combinations of shapes are not checked."""
    if can_all_be_built(formed, in_stock):
        return
    used = [Counter(tile.shape for tile in build(facade, in_stock).tiles) for facade in formed]
    for shape, number in enumerate(in_stock):
        needed = sum(tiles[shape] for tiles in used)
        for facade, tiles in zip(formed, used, strict=True):
            if needed > number and tiles[shape]:
                needed += least(facade, in_stock, shape) - tiles[shape]
        if needed > number:
            message = say(
                "Together, these houses need {needed} × {tile}, but there are only {number}.",
                needed=needed,
                tile=name_of(shape),
                number=number,
            )
            yield Problem("not_buildable", message, "/players", "warning")


def can_all_be_built(formed: Sequence[Facade], in_stock: Stock) -> bool:
    """Return whether all houses in `formed` can be built in some order, each from the tiles in `in_stock` that are
    left."""
    return any(can_be_built_in_turn(order, in_stock) for order in itertools.permutations(formed))


def can_be_built_in_turn(formed: Sequence[Facade], left: Stock) -> bool:
    for facade in formed:
        answer = build(facade, left)
        if not answer.is_buildable:
            return False
        for tile in answer.tiles:
            left = without(left, tile.shape)
    return True


def least(facade: Facade, in_stock: Stock, shape: int) -> int:
    """Return the fewest tiles of the shape number `shape` with which tiles in stock can form the facade. A number for
    which the search cannot tell counts as enough."""
    numbers = range(in_stock[shape])
    stocks = (with_number(in_stock, shape, number) for number in numbers)
    possible = (number for number, few in enumerate(stocks) if build(facade, few).is_buildable is not False)
    return next(possible, in_stock[shape])
