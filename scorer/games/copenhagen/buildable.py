"""Find out whether tiles can form a plain grid: a house entered as windows and brickwork instead of tiles.

A grid can be formed if some tiles in play fill it and can be laid in some order. Each coloured tile has one space of
brickwork. Special tiles must be laid as soon as they are earned.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from scorer.games.copenhagen.facade import BOTTOM, Facade, Spaces, coats_earned, regions, union
from scorer.games.copenhagen.search import Search
from scorer.games.copenhagen.shapes import SPECIALS, Option, Stock, with_number


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold in `is_buildable` whether tiles can form a grid, or None if the search could not tell. If they can, `tiles`
    form the grid."""

    is_buildable: bool | None
    tiles: tuple[Option, ...] = ()
    is_filled: bool = False  # some tiles fill the grid, even if no legal order was found


@functools.lru_cache(maxsize=4096)
def build(facade: Facade, stock: Stock) -> Answer:
    """Return whether tiles of this stock can form the facade and, if they can, such tiles."""
    if floating(facade):
        return Answer(False)
    search = Search(facade, earned(facade, stock))
    return Answer(search.settle(), tuple(search.laid), search.found > 0)


def is_quickly_built(facade: Facade, stock: Stock, steps: int) -> bool:
    """Return whether at most `steps` steps of the search find tiles of this stock that form the facade. If the steps
    run out before that, return False."""
    return not floating(facade) and bool(Search(facade, earned(facade, stock)).quick_attempt(steps))


def earned(facade: Facade, stock: Stock) -> Stock:
    """Return the stock without the special tiles beyond those that the house's coats of arms can earn."""
    return with_number(stock, SPECIALS, min(stock[SPECIALS], coats_earned(facade.filled)))


def floating(facade: Facade) -> Spaces:
    """Return the spaces that are not connected to the bottom floor."""
    return union(region for region in regions(facade.filled) if not region & BOTTOM)
