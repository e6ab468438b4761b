"""Define the measures that all statistics share: rates with their uncertainty, averages and spreads.

The page "How we count" explains them. A published definition never changes: a better one gets a new name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count

from scorer.sentences import say

FEW = 3  # fewer games say nothing yet
Z = 1.959963984540054  # for 95%


@dataclass(frozen=True, slots=True)
class Rate:
    """Hold `hits` out of `of` tries. Wilson's interval from `low` to `high` contains the true rate 19 times in 20."""

    hits: int
    of: int

    @property
    def share(self) -> float:
        return self.hits / self.of if self.of else 0.0

    @property
    def is_few(self) -> bool:
        return self.of < FEW

    @property
    def low(self) -> float:
        return self._bound(-1)

    @property
    def high(self) -> float:
        return self._bound(1)

    def _bound(self, sign: int) -> float:
        if not self.of:
            return 0.0 if sign < 0 else 1.0
        n, p = self.of, self.share
        middle = p + Z * Z / (2 * n)
        reach = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return min(1.0, max(0.0, (middle + sign * reach) / (1 + Z * Z / n)))


@dataclass(frozen=True, slots=True)
class Average:
    """Hold the mean score of a month or a year. In 19 of 20 cases, the true mean is at most `reach` away from it."""

    period: str
    n: int
    mean: float
    reach: float

    @classmethod
    def of(cls, period: str, n: int, points: int, squared: int) -> Average:
        """Return the average of `n` scores in a month or year; `points` is their sum, `squared` the sum of their
        squares."""
        mean = points / n
        variance = max(0.0, squared / n - mean * mean)
        return cls(period, n, mean, Z * (variance / n) ** 0.5)


@dataclass(frozen=True, slots=True)
class Spread:
    """Hold how often each total was reached."""

    counts: Mapping[int, int]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int]]) -> Spread:
        counts: dict[int, int] = {}
        for total, times in rows:
            counts[total] = counts.get(total, 0) + times
        return cls(dict(sorted(counts.items())))

    @property
    def n(self) -> int:
        return sum(self.counts.values())

    @property
    def is_few(self) -> bool:
        return self.n < FEW

    @property
    def mean(self) -> float:
        return sum(total * times for total, times in self.counts.items()) / self.n if self.n else 0.0

    @property
    def median(self) -> float:
        """Return the total in the middle, or halfway between the two in the middle."""
        lower, upper = self._at((self.n - 1) // 2), self._at(self.n // 2)
        return (lower + upper) / 2

    def _at(self, place: int) -> int:
        for total, times in self.counts.items():
            if place < times:
                return total
            place -= times
        return 0

    @property
    def best(self) -> int:
        return max(self.counts, default=0)

    @property
    def worst(self) -> int:
        return min(self.counts, default=0)

    def bars(self, most: int = 16) -> list[tuple[str, int]]:
        """Return at most `most` ranges of totals, equally wide, each with its label and its number of totals."""
        if not self.counts:
            return []
        widths = (digit * 10**power for power in count() for digit in (1, 2, 5))
        width = next(w for w in widths if self.best // w - self.worst // w < most)
        steps = dict.fromkeys(range(self.worst // width, self.best // width + 1), 0)
        for total, times in self.counts.items():
            steps[total // width] += times
        return [(_step(step * width, width), times) for step, times in steps.items()]


def _step(first: int, width: int) -> str:
    return str(first) if width == 1 else say("{first} to {last}", first=first, last=first + width - 1)
