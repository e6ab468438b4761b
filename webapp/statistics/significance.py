"""Test whether a difference is more than chance: exactly for few games, approximately for many.

Many questions at once need stronger evidence. `significant` (Benjamini and Hochberg) keeps the share of false alarms
below one in twenty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

FALSE_ALARMS = 0.05
Chances = np.ndarray[tuple[int, ...], np.dtype[np.float64]]  # the probability of each number of hits
Numbers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
EXACT_UP_TO = 600  # games; beyond that the normal approximation is as good
LOG_FACTORIALS = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, EXACT_UP_TO + 1)))])


@dataclass(frozen=True, slots=True)
class Fourfold:
    """Hold wins with and without something, such as a card: `hits` of `of`, and `other_hits` of `other_of`."""

    hits: int
    of: int
    other_hits: int
    other_of: int

    @property
    def n(self) -> int:
        return self.of + self.other_of

    @property
    def expected(self) -> float:
        """Return the number of `hits` to expect if `hits` and `other_hits` were equally frequent."""
        return self.of * (self.hits + self.other_hits) / self.n if self.n else 0.0

    @property
    def variance(self) -> float:
        won = self.hits + self.other_hits
        if self.n < 2:
            return 0.0
        return self.of * self.other_of * won * (self.n - won) / (self.n**2 * (self.n - 1))


def association(strata: Iterable[Fourfold]) -> float:
    """Return the probability that luck alone makes wins with a card and without it differ as much as here.

    Each `Fourfold` has games that can be compared, such as those with three players. This is Fisher's exact test. For
    several of them it is that of Cochran, Mantel and Haenszel: exact by the sum of the hypergeometric distributions, or
    by its normal approximation with Yates' correction.
    """
    usable = [one for one in strata if one.variance > 0]
    if not usable:
        return 1.0
    if sum(one.n for one in usable) > EXACT_UP_TO:
        apart = abs(sum(one.hits - one.expected for one in usable))
        return two_sided(max(0.0, apart - 0.5) / math.sqrt(sum(one.variance for one in usable)))
    chances = np.ones(1)
    first = 0
    for one in usable:
        low, each = hypergeometric(one)
        first += low
        chances = np.convolve(chances, each)
    seen = chances[sum(one.hits for one in usable) - first]
    return min(1.0, float(chances[chances <= seen * (1 + 1e-9)].sum()))


def hypergeometric(one: Fourfold) -> tuple[int, Chances]:
    """Return the smallest possible number of hits, and an array with the probability of it and each larger number. Hits
    are wins with the card. The number of all wins is fixed, and luck alone spreads them over games with and without
    it."""
    won = one.hits + one.other_hits
    low, high = max(0, won - one.other_of), min(one.of, won)
    k = np.arange(low, high + 1)
    weights: Chances = np.exp(
        log_choose(one.of, k) + log_choose(one.other_of, won - k) - log_choose(one.n, np.array([won]))
    )
    return low, weights


def log_choose(n: int, k: Numbers) -> Chances:
    """Return the logarithms of the binomial coefficients "n choose k", for each k."""
    found: Chances = LOG_FACTORIALS[n] - LOG_FACTORIALS[k] - LOG_FACTORIALS[n - k]
    return found


def standardised_shares(strata: Iterable[Fourfold], least: int) -> tuple[float, float] | None:
    """Return the shares of wins with and without a card, as if both groups had played at equally large tables.

    Each `Fourfold` has the games of one table size. They are weighted as by Mantel and Haenszel, since plain shares
    mislead if one group had larger tables. Return None if a group has fewer than `least` games. Also return None if one
    table size, with `least` games in both groups, has the opposite difference.
    """
    weighted = [(one, one.of * one.other_of / one.n) for one in strata if one.of and one.other_of]
    if min(sum(one.of for one, _ in weighted), sum(one.other_of for one, _ in weighted)) < least:
        return None
    total = sum(weight for _, weight in weighted)
    with_it = sum(weight * one.hits / one.of for one, weight in weighted) / total
    without = sum(weight * one.other_hits / one.other_of for one, weight in weighted) / total
    against = (
        (one.hits * one.other_of - one.other_hits * one.of) * (with_it - without) < 0
        for one, _ in weighted
        if min(one.of, one.other_of) >= least
    )
    return None if any(against) else (with_it, without)


@dataclass(frozen=True, slots=True)
class Tosses:
    """Hold `hits` in `of` games; `chance` is the probability of a hit in each if only luck decides."""

    hits: int
    of: int
    chance: float


def binomial_test(strata: Iterable[Tosses]) -> float:
    """Return the probability that chance alone gives a number of hits as unlikely as this one, or less likely. Higher
    and lower numbers both count; hits and games are summed over the `strata`. A player wins a game and not a score
    sheet, so games are counted."""
    usable = [one for one in strata if one.of and 0 < one.chance < 1]
    if not usable:
        return 1.0
    if sum(one.of for one in usable) > EXACT_UP_TO:
        off = abs(sum(one.hits - one.of * one.chance for one in usable))
        return two_sided(max(0.0, off - 0.5) / math.sqrt(sum(one.of * one.chance * (1 - one.chance) for one in usable)))
    chances = np.ones(1)
    for one in usable:
        chances = np.convolve(chances, binomial(one))
    seen = chances[sum(one.hits for one in usable)]
    return min(1.0, float(chances[chances <= seen * (1 + 1e-9)].sum()))


def binomial(one: Tosses) -> Chances:
    """Return an array of `of` + 1 numbers: the probability of 0, 1, 2 ... `of` hits if each game has the probability
    `chance` of a hit."""
    yes, no = math.log(one.chance), math.log1p(-one.chance)
    k = np.arange(one.of + 1)
    found: Chances = np.exp(log_choose(one.of, k) + k * yes + (one.of - k) * no)
    return found


def welch_test(mean: float, variance: float, n: int, other: float, other_variance: float, other_n: int) -> float:
    """Return the probability that chance alone brings two means so far apart (Welch's test, normal approximation). Each
    mean comes with its variance and its number of values, `n` or `other_n`, which must be at least thirty."""
    spread = variance / n + other_variance / other_n
    return two_sided(abs(mean - other) / math.sqrt(spread)) if spread > 0 else 1.0


def two_sided(deviations: float) -> float:
    """Return the probability that a normal variable is at least so many standard deviations from its mean."""
    return math.erfc(deviations / math.sqrt(2))


def significant(chances: Sequence[float]) -> list[bool]:
    """Return for each test, given its probability, whether it is significant among all of them.

    This is the procedure of Benjamini and Hochberg (1995).
    """
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    count = max(
        (rank for rank, place in enumerate(order, 1) if chances[place] <= FALSE_ALARMS * rank / len(chances)), default=0
    )
    found = [False] * len(chances)
    for place in order[:count]:
        found[place] = True
    return found
