"""Squares and numbers as they read in a sentence."""

from __future__ import annotations

import functools

from scorer.games.tiny_towns.squares import Squares, names
from scorer.sentences import listed


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
