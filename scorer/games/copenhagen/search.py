"""Search for tiles that form a grid: go through the house from A1 on, and try all tiles that can cover a space.

A quick first attempt settles nearly every real house. After that, `fillings` computes which numbers of tiles can fill
each rest. Then more attempts follow, each with more steps and another order of tiles, since a bad order can hide a
solution for long. Attempts are limited by steps, not seconds, so a grid gets the same answer on every machine.
"""

from __future__ import annotations

from scorer.games.copenhagen.facade import Facade, Spaces, each
from scorer.games.copenhagen.fillings import Fillings
from scorer.games.copenhagen.laying import has_order
from scorer.games.copenhagen.shapes import SPECIALS, Option, Stock, fitting, special_spaces, without

QUICK = 300  # steps of the first attempt
STEPS = 300  # steps of the second attempt; each later one may take twice as many as the one before
ATTEMPTS = 6
SHUFFLE = 2_147_483_647  # a prime: it mixes the order of options differently in each attempt


class OutOfSteps(Exception):
    """Report that an attempt has used all its steps."""


class Search:
    """Search for tiles that together fill one house and can be laid in some order."""

    def __init__(self, facade: Facade, stock: Stock) -> None:
        self.facade, self.stock = facade, stock
        self.options: dict[Spaces, list[Option]] = {}  # options by their lowest space
        self.specials_at = special_spaces(facade)
        self.laid: list[Option] = []
        self.hopeless: set[tuple[Spaces, Stock]] = set()  # rests that the stock cannot fill
        self.fillings: Fillings | None = None
        self.found = 0  # ways to fill the house, even without a legal order
        self.steps = 0

    def quick_attempt(self, steps: int = QUICK) -> bool | None:
        """Return whether tiles can form the house, or None if the search cannot tell after `steps` steps."""
        try:
            return self.attempt(steps)
        except OutOfSteps:
            return None

    def settle(self) -> bool | None:
        """Return whether tiles can form the house, or None if no attempt could tell. A quick attempt comes first, then
        a test by numbers of tiles. After that, up to ATTEMPTS attempts follow, each with more steps."""
        is_buildable = self.quick_attempt()
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
        """Return whether tiles of this stock can fill the spaces `rest`, after which all tiles can be laid in some
        order. The tiles chosen so far are in `self.laid`."""
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
        """Return the ways to lay a tile whose lowest space is `lowest`, special tiles last."""
        if lowest not in self.options:
            special = [Option(lowest, SPECIALS)] if lowest & self.specials_at and self.stock[SPECIALS] else []
            self.options[lowest] = fitting(lowest, self.facade, self.stock) + special
        return self.options[lowest]

    def can_be_laid(self) -> bool:
        """Return whether the tiles in `self.laid`, which fill the house, can be laid in some order."""
        coloured = [option.spaces for option in self.laid if option.shape != SPECIALS]
        return has_order(coloured, [option.spaces for option in self.laid if option.shape == SPECIALS])


def preference(option: Option, attempt: int) -> tuple[bool, int]:
    """Return the sort key of an option, so that each attempt tries the tiles in another order. Attempt 0 prefers big
    tiles, 1 small ones, others mix them; special tiles come last."""
    size = option.spaces.bit_count()
    liking = -size if attempt == 0 else size if attempt == 1 else option.spaces * attempt % SHUFFLE
    return option.shape == SPECIALS, liking
