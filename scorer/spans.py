"""Least and most: what points can become while facts that matter are still to be counted.

A span may be too wide, never too narrow. None stands for an end that nobody can tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Span = tuple[int | None, int | None]  # the least and the most
ANYTHING: Span = (None, None)


def together(spans: Iterable[Span]) -> Span:
    """Return the span of a sum."""
    found = list(spans)
    return _sum([low for low, _ in found]), _sum([high for _, high in found])


def _sum(ends: list[int | None]) -> int | None:
    known = [end for end in ends if end is not None]
    return sum(known) if len(known) == len(ends) else None


def either(spans: Iterable[Span]) -> Span:
    """Return the narrowest span that holds all of them."""
    found = list(spans)
    lows, highs = [low for low, _ in found if low is not None], [high for _, high in found if high is not None]
    return min(lows) if len(lows) == len(found) else None, max(highs) if len(highs) == len(found) else None


def certain(span: Span) -> int:
    """Return the points to count on: the least, or what nothing can raise, or none."""
    low, high = span
    if low is not None:
        return low
    return high if high is not None else 0


def is_exact(span: Span) -> bool:
    """Return whether nothing is open."""
    return span[0] is not None and span[0] == span[1]


def ahead(totals: Sequence[Span]) -> list[int]:
    """Return the places of those who can still have the most, alone or with others."""
    most = max((low for low, _ in totals if low is not None), default=None)
    return [index for index, (_, high) in enumerate(totals) if most is None or high is None or high >= most]
