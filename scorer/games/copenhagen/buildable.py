"""Whether real tiles can form a plain grid, exactly: every coloured tile has one space of brickwork.

A grid can be formed if some set of tiles in play fills it, could have been laid in some order, and has no special tile
that was not earned. The length of the search is counted in steps, never in seconds: the answer to a grid is the same
everywhere. If it ends without an answer, no warning is given.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from scorer.games.copenhagen.facade import BOTTOM, Facade, coats_earned
from scorer.games.copenhagen.half_laid import regions
from scorer.games.copenhagen.quick_search import OutOfSteps, QuickSearch
from scorer.games.copenhagen.shapes import SPECIALS, Option, Stock, atlas
from scorer.games.copenhagen.thorough_search import ThoroughSearch

ATTEMPTS = 15


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a grid can be formed, None if that was not settled; and how, if it can."""

    is_buildable: bool | None
    tiles: tuple[Option, ...] = ()


@functools.lru_cache(maxsize=4096)
def build(facade: Facade, stock: Stock) -> Answer:
    """Try to form the facade from this stock."""
    if not all(region & BOTTOM for region in regions(facade.filled)):
        return Answer(False)
    stock = (*stock[:SPECIALS], min(stock[SPECIALS], coats_earned(facade.filled)))
    fitting = atlas().fitting(facade, stock)
    quick = QuickSearch(facade)
    try:
        return answer(quick.fill(facade.filled, fitting, stock), quick.laid)
    except OutOfSteps:
        search = ThoroughSearch(facade, stock, fitting)
    for attempt in range(ATTEMPTS):
        try:
            return answer(search.attempt(attempt), search.laid)
        except OutOfSteps:
            continue
    return Answer(None)


def answer(is_buildable: bool, laid: list[Option]) -> Answer:
    return Answer(is_buildable, tuple(laid) if is_buildable else ())
