"""Find out exactly whether tiles can form a plain grid: each coloured tile has one space of brickwork.

A grid can be formed if some set of tiles in play fills it and could have been laid in some order, its special tiles
among them as soon as they were earned.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from scorer.games.copenhagen.facade import BOTTOM, Facade, Spaces, coats_earned, regions, union
from scorer.games.copenhagen.search import Search
from scorer.games.copenhagen.shapes import SPECIALS, Option, Stock, with_number


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold whether a grid can be formed, None if that was not settled; and how, if it can."""

    is_buildable: bool | None
    tiles: tuple[Option, ...] = ()
    is_filled: bool = False  # by some tiles, if only in no order that the rules allow


@functools.lru_cache(maxsize=4096)
def build(facade: Facade, stock: Stock) -> Answer:
    """Try to form the facade from this stock."""
    if floating(facade):
        return Answer(False)
    search = Search(facade, earned(facade, stock))
    return Answer(search.settle(), tuple(search.laid), search.found > 0)


def is_quickly_built(facade: Facade, stock: Stock, steps: int) -> bool:
    """Return whether tiles for it are found within so few steps."""
    return not floating(facade) and bool(Search(facade, earned(facade, stock)).try_luck(steps))


def earned(facade: Facade, stock: Stock) -> Stock:
    """The stock with no more special tiles than the house has coats of arms to earn them with."""
    return with_number(stock, SPECIALS, min(stock[SPECIALS], coats_earned(facade.filled)))


def floating(facade: Facade) -> Spaces:
    """The spaces that nothing joins to the bottom floor."""
    return union(region for region in regions(facade.filled) if not region & BOTTOM)
