"""The thorough search for tiles that form a grid: it goes through the house from A1 on.

It knows for every rest of the house which numbers of tiles can fill it (`fillings`), and of half-laid houses that can
be finished in the same ways it tries only one (`half_laid`). It is cut into attempts that prefer different tiles and
share what they have found, for an unlucky preference can hide a solution for long.
"""

from __future__ import annotations

from scorer.games.copenhagen.facade import Facade, Spaces, each
from scorer.games.copenhagen.fillings import Fillings
from scorer.games.copenhagen.half_laid import (
    NOTHING,
    HalfLaid,
    earning_spaces,
    essential,
    lay_coloured,
    may_be_finished,
    signature,
)
from scorer.games.copenhagen.laying import GROUND
from scorer.games.copenhagen.quick_search import OutOfSteps, special_spaces
from scorer.games.copenhagen.shapes import ALL, SPECIALS, Option, Stock, at, atlas, without

STEPS = 400  # of an attempt
SHUFFLE = 2_147_483_647  # a prime: multiples of it scatter the placements in a different way for each attempt


class ThoroughSearch:
    """One house being filled."""

    def __init__(self, facade: Facade, stock: Stock, fitting: int) -> None:
        self.filled = facade.filled
        self.stock = stock
        self.specials_at = special_spaces(facade)
        self.earning = earning_spaces(self.filled)
        self.options = {space: atlas().placed(fitting & atlas().from_lowest[at(space)]) for space in each(self.filled)}
        self.fillings = Fillings(self.options, self.specials_at, self.stock)
        self.known: dict[object, bool] = {}
        self.laid: list[Option] = []
        self.steps = self.last_step = 0

    def attempt(self, number: int) -> bool:
        """Search with one order of preference, big tiles first, then small ones, then any."""
        self.steps, self.last_step, self.laid = 0, STEPS, []
        for options in self.options.values():
            options.sort(key=lambda option: preference(option, number))
        if not self.fillings.allows(self.filled, self.stock):
            return False
        return self.can_finish(self.filled, NOTHING, self.stock)

    def can_finish(self, rest: Spaces, house: HalfLaid, stock: Stock, is_counted: bool = True) -> bool:
        """Whether the rest can be laid on what stands; the stock never runs out if it is not counted."""
        key: object = (rest, stock, is_counted)
        if house.hanging or house.specials:
            house = essential(house, rest, self.earning)
            key = (key, signature(house, rest, self.earning))
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self.may_finish(rest, house, stock, is_counted) and (
                not rest or self.lay_next(rest, house, stock, is_counted)
            )
        return known

    def may_finish(self, rest: Spaces, house: HalfLaid, stock: Stock, is_counted: bool) -> bool:
        """Whether an order is possible: first with tiles of any shape, then, as that is shared, with any number."""
        self.steps += 1
        if self.steps > self.last_step:
            raise OutOfSteps
        if not (house.hanging or house.specials):
            return True
        if not may_be_finished(house, rest):
            return False
        whole = (*self.stock[:SPECIALS], stock[SPECIALS])
        return not is_counted or self.can_finish(rest, house, whole, False)

    def lay_next(self, rest: Spaces, house: HalfLaid, stock: Stock, is_counted: bool) -> bool:
        """Try whatever can cover the lowest space of the rest, special tiles last."""
        lowest = rest & -rest
        for option in self.options[lowest]:
            spaces, shape = option
            if spaces & rest != spaces or not stock[shape]:
                continue
            after = without(stock, shape) if is_counted else stock
            if not self.fillings.allows(rest ^ spaces, after):
                continue
            then = lay_coloured(house, spaces, self.filled | GROUND)
            if then and self.goes_on(rest ^ spaces, then, after, is_counted, option):
                return True
        after = without(stock, SPECIALS)
        if not (lowest & self.specials_at and stock[SPECIALS]):
            return False
        if not self.fillings.allows(rest ^ lowest, after):
            return False
        then = house._replace(specials=(*house.specials, lowest))
        return self.goes_on(rest ^ lowest, then, after, is_counted, Option(lowest, SPECIALS))

    def goes_on(self, rest: Spaces, house: HalfLaid, stock: Stock, is_counted: bool, laid: Option) -> bool:
        """Note what was laid for as long as it may be part of an answer."""
        if not is_counted:
            return self.can_finish(rest, house, stock, False)
        self.laid.append(laid)
        if self.can_finish(rest, house, stock):
            return True
        self.laid.pop()
        return False


def preference(option: Option, attempt: int) -> int:
    """Lowest first."""
    size = ALL[option.shape].size
    return -size if attempt == 0 else size if attempt == 1 else option.spaces * attempt % SHUFFLE
