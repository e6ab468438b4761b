"""The quick search for tiles that form a grid: always for the space that the fewest placements can cover.

It settles nearly every house that is played, and most that cannot be, in a step for each tile.
"""

from __future__ import annotations

from scorer.games.copenhagen.facade import BOTTOM, COLUMNS, Facade, Spaces, each, union
from scorer.games.copenhagen.laying import block, is_earnable
from scorer.games.copenhagen.shapes import SPECIALS, Option, Stock, at, atlas, without

STEPS = 100


class OutOfSteps(Exception):
    """A search has taken all its steps."""


def special_spaces(facade: Facade) -> Spaces:
    """Where a special tile may lie: it is a window, and rests on the one space below it."""
    return facade.windows & (BOTTOM | facade.filled << COLUMNS)


class QuickSearch:
    """One house being filled."""

    def __init__(self, facade: Facade) -> None:
        self.specials_at = special_spaces(facade)
        self.laid: list[Option] = []
        self.steps = 0

    def fill(self, rest: Spaces, fitting: int, stock: Stock) -> bool:
        """Whether the rest can be filled with some of these placements."""
        self.steps += 1
        if self.steps > STEPS:
            raise OutOfSteps
        specials_at = self.specials_at if stock[SPECIALS] else 0
        bare, space = self.narrowest(rest, fitting, specials_at)
        if bare:
            forced = [Option(one, SPECIALS) for one in each(bare)]
            if bare & ~specials_at or len(forced) > stock[SPECIALS]:
                return False
            return self.goes_on(forced, rest, fitting, (*stock[:SPECIALS], stock[SPECIALS] - len(forced)))
        if not space:
            return self.could_be_laid()
        covering = fitting & atlas().covering[at(space)]
        for option in atlas().placed(covering):
            after = without(stock, option.shape)
            left = fitting & ~atlas().clashing(option.spaces)
            if not after[option.shape]:
                left &= ~atlas().of_shape[option.shape]
            if self.goes_on([option], rest, left, after):
                return True
        special = [Option(space, SPECIALS)]
        return bool(space & specials_at) and self.goes_on(special, rest, fitting & ~covering, without(stock, SPECIALS))

    def narrowest(self, rest: Spaces, fitting: int, specials_at: Spaces) -> tuple[Spaces, Spaces]:
        """The spaces that no placement covers, and of the others the one that can be covered in the fewest ways."""
        covering = atlas().covering
        bare, narrowest, fewest = 0, 0, len(atlas().options)
        for space in each(rest):
            ways = (fitting & covering[at(space)]).bit_count()
            if not ways:
                bare |= space
                continue
            ways += space & specials_at != 0
            if ways < fewest:
                narrowest, fewest = space, ways
        return bare, narrowest

    def goes_on(self, options: list[Option], rest: Spaces, fitting: int, stock: Stock) -> bool:
        """Note what was laid for as long as it may be part of an answer."""
        self.laid += options
        if self.fill(rest & ~union(option.spaces for option in options), fitting, stock):
            return True
        del self.laid[-len(options) :]
        return False

    def could_be_laid(self) -> bool:
        """Whether an order exists for the tiles found."""
        coloured = [block(option.spaces) for option in self.laid if option.shape != SPECIALS]
        return is_earnable(coloured, [option.spaces for option in self.laid if option.shape == SPECIALS])
