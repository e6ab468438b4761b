"""Check the turn that brought 12 points and ended the game at once (rulebook, "Ending the Game").

A turn lays one coloured tile, and then special tiles for the coats of arms that it earns. So the house without these
tiles must be possible and have fewer than 12 points. If other tiles rest on the last coloured tile, they must be
special tiles of the same turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from scorer.games.copenhagen.buildable import build
from scorer.games.copenhagen.facade import (
    COAT_FLOORS,
    COAT_SPACES,
    SECTIONS,
    Facade,
    Spaces,
    coats_earned,
    each,
    points,
    union,
)
from scorer.games.copenhagen.laying import GROUND, block, has_order
from scorer.games.copenhagen.shapes import SPECIALS, Option, Stock, fitting, special_spaces, with_number, without

GOAL = 12
MOST_TRIES = 200  # last turns to try for a house drawn as a grid


def is_turn(before: Spaces, tile: Spaces, specials: Sequence[Spaces]) -> bool:
    """Return whether one turn can lay the coloured `tile` and then `specials`, each as soon as it is earned. `before`
    are the filled spaces at the start of the turn."""
    if not block(tile).rests_on & (before | GROUND):
        return False
    filled = before | tile
    return ends(filled, coats_earned(filled) - coats_earned(before), specials)


def ends(filled: Spaces, coats: int, specials: Sequence[Spaces]) -> bool:
    """Return whether the rest of a turn can lay all tiles in `specials`, each for one coat of arms. `coats` is how many
    coats are earned and not used yet; the tiles laid may earn more. `filled` are the spaces filled so far."""
    if not specials:
        return True
    if not coats:
        return False
    for special in specials:
        if block(special).rests_on & (filled | GROUND):
            now = filled | special
            rest = [one for one in specials if one != special]
            if ends(now, coats - 1 + coats_earned(now) - coats_earned(filled), rest):
                return True
    return False


def turns(facade: Facade, last: Spaces, specials: Sequence[Spaces], number: int) -> Iterator[Sequence[Spaces]]:
    """Yield each set of `number` tiles in `specials` that one turn may have laid after the coloured tile `last`. Before
    that turn, the house has fewer than 12 points; `facade` is the house after it."""
    bare = taken_off(facade, (last,))
    earning = last & COAT_SPACES or any(last & floor for floor in COAT_FLOORS if floor & facade.filled == floor)
    if number and not earning:
        return
    worth = {special: sum(one.worth(bare) for one in SECTIONS if one.spaces & special) for special in specials}
    order = sorted((special for special in specials if not special & last), key=lambda special: -worth[special])
    for laid in choices(order, worth, points(bare) - GOAL + 1, number):
        before = taken_off(bare, laid)
        if points(before) < GOAL and is_turn(before.filled, last, laid):
            yield laid


def choices(
    specials: Sequence[Spaces], worth: Mapping[Spaces, int], surplus: int, number: int
) -> Iterator[tuple[Spaces, ...]]:
    """Yield each set of `number` special tiles that may together bring `surplus` points or more. `worth` has the points
    of each tile, and `specials` must be sorted by worth, the highest first."""
    if not number:
        if surplus <= 0:
            yield ()
        return
    for index, special in enumerate(specials):
        if surplus > worth[special] * number:
            return
        for others in choices(specials[index + 1 :], worth, surplus - worth[special], number - 1):
            yield special, *others


def taken_off(facade: Facade, tiles: Iterable[Spaces]) -> Facade:
    gone = union(tiles)
    return Facade(facade.windows & ~gone, facade.bricks & ~gone)


def tiles_have_last_turn(coloured: Sequence[Spaces], specials: Sequence[Spaces], facade: Facade) -> bool:
    """Return whether a single turn can have brought a house to 12 points. `coloured` and `specials` have the spaces of
    each coloured and each special tile; `facade` is the finished house."""
    return any(
        has_order([tile for tile in coloured if tile != last], [one for one in specials if one not in laid])
        for number in range(len(specials) + 1)
        for last in reversed(coloured)
        for laid in turns(facade, last, specials, number)
    )


def grid_has_last_turn(facade: Facade, stock: Stock, tiles: Sequence[Option]) -> bool | None:
    """Return whether a single turn can have brought a house drawn as a grid to 12 points; None if the search cannot
    tell. `tiles` are one way to form the grid, and are tried first; then all tiles in `stock` that fit are tried."""
    coloured = [tile.spaces for tile in tiles if tile.shape != SPECIALS]
    if tiles_have_last_turn(coloured, [tile.spaces for tile in tiles if tile.shape == SPECIALS], facade):
        return True
    unsettled = False
    for looks, (last, laid) in enumerate(grid_turns(facade, stock), 1):
        left = without(with_number(stock, SPECIALS, stock[SPECIALS] - len(laid)), last.shape)
        answer = build(taken_off(facade, (last.spaces, *laid)), left).is_buildable
        if answer:
            return True
        unsettled = unsettled or answer is None
        if looks == MOST_TRIES:
            return None
    return None if unsettled else False


def grid_turns(facade: Facade, stock: Stock) -> Iterator[tuple[Option, Sequence[Spaces]]]:
    """Yield each turn that may have been the last, as a coloured tile and its special tiles; shortest turns first.
    `stock` has the tiles that can form the house."""
    specials = list(each(special_spaces(facade)))
    lasts = [last for lowest in each(facade.filled) for last in fitting(lowest, facade, stock)]
    for number in range(min(stock[SPECIALS], coats_earned(facade.filled)) + 1):
        for last in reversed(lasts):
            for laid in turns(facade, last.spaces, specials, number):
                yield last, laid
