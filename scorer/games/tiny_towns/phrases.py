"""Squares and numbers as they read in a sentence."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from scorer.games.tiny_towns.squares import Squares, names


def listed(parts: Sequence[str], last: str = "and") -> str:
    """ "A1", "A1 and B2", "A1, B2 and C3"."""
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else parts[0]


@functools.lru_cache(maxsize=4096)
def at(squares: Squares) -> str:
    """The names of the squares, of which there is at least one."""
    return listed(names(squares))


def counted(number: int, one: str, many: str = "") -> str:
    """ "no Cottage", "1 Cottage", "2 Cottages"."""
    return f"{number} {many or one + 's'}" if number > 1 else f"{number or 'no'} {one}"


def do(squares: Squares, one: str, many: str) -> str:
    """ "A1 feeds", "A1 and B2 feed"."""
    return f"{at(squares)} {many if several(squares) else one}"


def apiece(squares: Squares) -> str:
    return " each" if several(squares) else ""


def several(squares: Squares) -> bool:
    return squares & (squares - 1) != 0
