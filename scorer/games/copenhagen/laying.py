"""The order in which a house can have been built (rulebook, "Placing a Facade Tile" and "Coat of arms actions").

A tile lies on the bottom floor or has at least one space directly above a tile laid before it. Nothing ever takes a
support away, so laying whatever can be laid, again and again, finds an order if there is one. A special tile moreover
has to be earned first, by a coat of arms covered or a coat-of-arms floor finished before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorer.games.copenhagen.facade import BOTTOM, COLUMNS, FLOORS, Spaces, below, coats_earned

GROUND: Spaces = 1 << COLUMNS * FLOORS  # always filled; what lies on the bottom floor rests on it


class Block(NamedTuple):
    """A tile, or several that stand or fall together, and the spaces of which one must be filled before."""

    spaces: Spaces
    rests_on: Spaces


def block(spaces: Spaces) -> Block:
    """A tile on these spaces."""
    return Block(spaces, below(spaces) | GROUND if spaces & BOTTOM else below(spaces))


def lay_all(filled: Spaces, blocks: Sequence[Block]) -> tuple[Spaces, Sequence[Block]]:
    """Lay every block that can be laid; what is filled then, and the blocks left over."""
    before = 0
    while blocks and filled != before:
        before, waiting = filled, []
        for one in blocks:
            if one.rests_on & filled:
                filled |= one.spaces
            else:
                waiting.append(one)
        blocks = waiting
    return filled, blocks


def is_earnable(blocks: Sequence[Block], specials: Sequence[Spaces], filled: Spaces = GROUND) -> bool:
    """Whether in some order every block can be laid, and every special tile be earned before it is laid.

    Blocks are laid as soon as they can be, as that costs no special action. Which special tile comes first may
    matter, so all choices are followed; there are at most seven.
    """
    open_: list[tuple[Spaces, Sequence[Block], Spaces]] = [(filled, blocks, 0)]
    seen = {0}
    while open_:
        filled, blocks, used = open_.pop()
        filled, blocks = lay_all(filled, blocks)
        earned = coats_earned(filled)
        if not blocks and earned >= len(specials):
            return True
        if earned <= used.bit_count():
            continue
        for special in specials:
            if special & BOTTOM or special >> COLUMNS & filled:
                now = used | special
                if now not in seen:
                    seen.add(now)
                    open_.append((filled | special, blocks, now))
    return False
