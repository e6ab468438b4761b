"""Compute with spans: the least and the most that points can become while facts are still to be counted.

A span may be too wide, never too narrow. None stands for an unknown end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Span = tuple[int | None, int | None]  # the least and the most
ANYTHING: Span = (None, None)


def total(spans: Iterable[Span]) -> Span:
    found = list(spans)
    return _sum([low for low, _ in found]), _sum([high for _, high in found])


def _sum(ends: list[int | None]) -> int | None:
    known = [end for end in ends if end is not None]
    return sum(known) if len(known) == len(ends) else None


def union(spans: Iterable[Span]) -> Span:
    """Return the narrowest span that contains all of the spans."""
    found = list(spans)
    lows, highs = [low for low, _ in found if low is not None], [high for _, high in found if high is not None]
    return min(lows) if len(lows) == len(found) else None, max(highs) if len(highs) == len(found) else None


def certain(span: Span) -> int:
    """Return one number for a span: the least points or, if unknown, the most; 0 if neither is known."""
    low, high = span
    if low is not None:
        return low
    return high if high is not None else 0


def is_exact(span: Span) -> bool:
    """Return whether the span allows only one number."""
    return span[0] is not None and span[0] == span[1]


def possible_leaders(totals: Sequence[Span]) -> list[int]:
    """Return the indices of the totals that can still be the highest, alone or shared."""
    most = max((low for low, _ in totals if low is not None), default=None)
    return [index for index, (_, high) in enumerate(totals) if most is None or high is None or high >= most]
