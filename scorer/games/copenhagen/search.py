"""The search for tiles that form a grid: it goes through the house from A1 on and tries whatever can cover the space.

It first tries its luck, which settles nearly every house that is played. Then it works out which numbers of tiles can
fill each rest of the house (`fillings`) and begins again and again, each time with a longer breath and another liking
for tiles: an unlucky liking can hide a solution for long. Its length is counted in steps, never in seconds, so the
answer to a grid is the same everywhere.
"""

from __future__ import annotations

from scorer.games.copenhagen.facade import Facade, Spaces, each
from scorer.games.copenhagen.fillings import Fillings
from scorer.games.copenhagen.laying import has_order
from scorer.games.copenhagen.shapes import SPECIALS, Option, Stock, fitting, special_spaces, without

QUICK = 300  # steps of the first attempt
STEPS = 300  # of the second; every other may take twice as many as the one before
ATTEMPTS = 6
SHUFFLE = 2_147_483_647  # a prime: multiples of it scatter the options in a different way for each attempt


class OutOfSteps(Exception):
    """An attempt has taken all its steps."""


class Search:
    """Fill one house with tiles."""

    def __init__(self, facade: Facade, stock: Stock) -> None:
        self.facade, self.stock = facade, stock
        self.options: dict[Spaces, list[Option]] = {}  # by their lowest space
        self.specials_at = special_spaces(facade)
        self.laid: list[Option] = []
        self.hopeless: set[tuple[Spaces, Stock]] = set()  # rests that this stock does not fill
        self.fillings: Fillings | None = None
        self.found = 0  # ways to fill the house, whatever the order
        self.steps = 0

    def try_luck(self, steps: int = QUICK) -> bool | None:
        """Return whether tiles can form the house, None if a quick attempt cannot tell."""
        try:
            return self.attempt(steps)
        except OutOfSteps:
            return None

    def settle(self) -> bool | None:
        """Return whether tiles can form the house, None if no attempt could tell."""
        is_buildable = self.try_luck()
        if is_buildable is not None:
            return is_buildable
        for space in each(self.facade.filled):
            self.options_from(space)
        self.fillings = Fillings(self.options, self.stock)
        if not self.fillings.allows(self.facade.filled, self.stock):
            return False
        for number in range(ATTEMPTS):
            for options in self.options.values():
                options.sort(key=lambda option: preference(option, number))
            try:
                return self.attempt(STEPS << number)
            except OutOfSteps:
                continue
        return None

    def attempt(self, steps: int) -> bool:
        self.steps, self.laid = steps, []
        return self.fill(self.facade.filled, self.stock)

    def fill(self, rest: Spaces, stock: Stock) -> bool:
        """Return whether this stock can fill the rest; what was laid is noted for as long as it may be part of an
        answer.
        """
        if not rest:
            self.found += 1
            return self.can_be_laid()
        if (rest, stock) in self.hopeless:
            return False
        if not self.steps:
            raise OutOfSteps
        self.steps -= 1
        found = self.found
        for option in self.options_from(rest & -rest):
            if option.spaces & rest != option.spaces or not stock[option.shape]:
                continue
            left, after = rest ^ option.spaces, without(stock, option.shape)
            if self.fillings and not self.fillings.allows(left, after):
                continue
            self.laid.append(option)
            if self.fill(left, after):
                return True
            self.laid.pop()
        if found == self.found:
            self.hopeless.add((rest, stock))
        return False

    def options_from(self, lowest: Spaces) -> list[Option]:
        """Return what can cover this space and none before it, special tiles last."""
        if lowest not in self.options:
            special = [Option(lowest, SPECIALS)] if lowest & self.specials_at and self.stock[SPECIALS] else []
            self.options[lowest] = fitting(lowest, self.facade, self.stock) + special
        return self.options[lowest]

    def can_be_laid(self) -> bool:
        """Return whether there is an order for the tiles found."""
        coloured = [option.spaces for option in self.laid if option.shape != SPECIALS]
        return has_order(coloured, [option.spaces for option in self.laid if option.shape == SPECIALS])


def preference(option: Option, attempt: int) -> tuple[bool, int]:
    """Lowest first: big tiles, then small ones, then any, but special tiles always last."""
    size = option.spaces.bit_count()
    liking = -size if attempt == 0 else size if attempt == 1 else option.spaces * attempt % SHUFFLE
    return option.shape == SPECIALS, liking
