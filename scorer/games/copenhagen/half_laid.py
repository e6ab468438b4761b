"""A half-laid house: what is laid so far, reduced to what matters for the tiles still to come.

While a house is tried out floor by floor, a coloured tile may for now hang in the air: everything it can rest on is
either not laid yet or a special tile that has to be earned first. What hangs on the same spaces falls into place at the
same moment and counts as one block; so two ways of tiling a region are the same thing once they hang alike, and a
search need not look at both.
"""

from __future__ import annotations

from typing import NamedTuple

from scorer.games.copenhagen.facade import (
    COAT_FLOORS,
    COAT_SPACES,
    COLUMNS,
    LEFT_EDGE,
    RIGHT_EDGE,
    Spaces,
    below,
    union,
)
from scorer.games.copenhagen.laying import GROUND, Block, block, is_earnable


class HalfLaid(NamedTuple):
    """What is laid: on firm ground, hanging in the air, and special tiles in the order of their spaces."""

    firm: Spaces = GROUND
    hanging: tuple[Block, ...] = ()
    specials: tuple[Spaces, ...] = ()


NOTHING = HalfLaid()


def lay_coloured(laid: HalfLaid, tile: Spaces, filled: Spaces) -> HalfLaid | None:
    """With one more coloured tile, or None if something can never stand; `filled` is the finished house and ground.

    What a block rests on is given as spaces outside all blocks: not laid yet, or special tiles.
    """
    firm, hanging, specials = laid
    rests_on = block(tile).rests_on & filled
    if rests_on & firm:
        if not hanging:
            return HalfLaid(firm | tile, (), specials)
        for one in hanging:
            if one.rests_on & tile:
                firm |= one.spaces
        return HalfLaid(firm | tile, tuple(one for one in hanging if not one.rests_on & tile), specials)
    for one in hanging:
        if one.spaces & rests_on:
            rests_on = rests_on & ~one.spaces | one.rests_on
    rests_on &= ~tile
    blocks = {rests_on: tile}
    for one in hanging:
        on = one.rests_on & ~tile | rests_on if one.rests_on & tile else one.rests_on
        blocks[on] = blocks.get(on, 0) | one.spaces
    return None if 0 in blocks else HalfLaid(firm, tuple(Block(spaces, on) for on, spaces in blocks.items()), specials)


def essential(laid: HalfLaid, rest: Spaces, earning: Spaces) -> HalfLaid:
    """Without the special tiles and blocks that nothing to come depends on; `earning` are spaces that earn coats.

    Such a special tile can be laid last of all, when every coat is earned; such a block falls into place by itself.
    """
    wanted = earning | below(rest) | union(one.rests_on for one in laid.hanging)
    specials = []
    for special in reversed(laid.specials):
        if special & wanted:
            specials.append(special)
            wanted |= special >> COLUMNS
    kept = tuple(reversed(specials))
    wanted = earning | rest >> COLUMNS | union(specials) >> COLUMNS
    hanging = tuple(one for one in laid.hanging if one.spaces & wanted)
    return HalfLaid(laid.firm, hanging, kept)


def signature(laid: HalfLaid, rest: Spaces, earning: Spaces) -> object:
    """Equal for half-laid houses that can be finished in the same ways."""
    wanted = earning | rest >> COLUMNS | union(laid.specials) >> COLUMNS
    return laid.specials, frozenset((one.spaces & wanted, one.rests_on) for one in laid.hanging)


def may_be_finished(laid: HalfLaid, rest: Spaces) -> bool:
    """Whether an order exists if the rest came in tiles as large as one could wish; if not, none exists at all."""
    return is_earnable([*laid.hanging, *map(block, regions(rest))], laid.specials, laid.firm)


def regions(spaces: Spaces) -> list[Spaces]:
    """The connected parts."""
    found = []
    while spaces:
        region, before = spaces & -spaces, 0
        while region != before:
            before = region
            beside = (region & ~RIGHT_EDGE) << 1 | (region & ~LEFT_EDGE) >> 1
            region |= (beside | region << COLUMNS | region >> COLUMNS) & spaces
        found.append(region)
        spaces ^= region
    return found


def earning_spaces(filled: Spaces) -> Spaces:
    """The spaces of a finished house on which the number of coats depends."""
    return filled & COAT_SPACES | union(floor for floor in COAT_FLOORS if filled & floor == floor)
