"""Check a finished game of Copenhagen for impossible values, and for houses that no tiles can form.

The ending is only checked if every house has no fault, because otherwise it would report the same mistake again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from scorer.contract import Problem
from scorer.games.copenhagen import supply
from scorer.games.copenhagen.ending import ended_wrongly
from scorer.games.copenhagen.facade import BRICK, COLUMNS, EMPTY, FLOORS, NAMES, WINDOW, coats_earned
from scorer.games.copenhagen.laying import has_order
from scorer.games.copenhagen.state import State, Tile
from scorer.games.copenhagen.tiles import KINDS, SPECIAL, Kind, copies
from scorer.games.copenhagen.tiling import facade_of, faults_of, overlaps, spaces_of, unsupported
from scorer.games.copenhagen.typed_lines import typed_faults
from scorer.record import shown
from scorer.sentences import Sentence, say

Found = Iterator[Problem]
LETTERS = frozenset((EMPTY, WINDOW, BRICK))


def validate(state: State) -> list[Problem]:
    """Return the faults of houses and, if none is an error, of the way the game ended and of plain grids.

    The ending is only checked if points entered by hand have no error either. Grids, which tiles must be able to form,
    are only checked if the ending has no error.
    """
    faults = [*rows_are_floors(state), *tiles_are_real(state), *tiles_suffice(state)]
    if not has_error([*faults, *typed_faults(state)]):
        faults += ended_wrongly(state)
    if not has_error(faults):
        faults += supply.cannot_be_built(state)
    return faults


def has_error(faults: Iterable[Problem]) -> bool:
    return any(fault.level == "error" for fault in faults)


def rows_are_floors(state: State) -> Found:
    """Yield a problem for each grid that is not nine floors of five spaces, each empty, a window or brickwork."""
    for index, house in state.houses:
        where = f"/players/{index}/grid"
        rows = house.rows or ()
        if house.rows is not None and len(rows) != FLOORS:
            message = say("A house has {floors} floors. You entered {number}.", floors=FLOORS, number=len(rows))
            yield Problem("grid_size", message, where)
        for at, row in enumerate(rows[:FLOORS]):
            if len(row) != COLUMNS:
                message = say(
                    "Enter a floor as {spaces} letters. You entered {number}.",
                    spaces=COLUMNS,
                    number=len(row),
                )
                yield Problem("grid_size", message, f"{where}/{at}")
            for column, letter in enumerate(row[:COLUMNS]):
                if letter not in LETTERS:
                    place = NAMES[(FLOORS - 1 - at) * COLUMNS + column]
                    message = say(
                        "{space} must be empty (.), a window (W) or brickwork (B), not {letter}.",
                        space=place,
                        letter=shown(letter),
                    )
                    yield Problem("bad_symbol", message, f"{where}/{at}/{column}")


def tiles_are_real(state: State) -> Found:
    """Yield the problems of each house's tiles: single tiles, overlaps, missing support, special tiles not earned."""
    for index, house in state.houses:
        where = f"/players/{index}/tiles"
        tiles = house.tiles or ()
        faults = [fault for at, tile in enumerate(tiles) for fault in faults_of(tile, f"{where}/{at}")]
        faults += [*overlaps(tiles, where), *unsupported(tiles, where)]
        yield from faults
        yield from specials_are_earned(tiles, where, is_sound=not faults)


def specials_are_earned(tiles: Sequence[Tile], where: str, is_sound: bool) -> Found:
    """Yield a problem if a house has more special tiles than coats of arms, or no order of tiles earns them. The order
    is checked only if `is_sound`: no tile has another fault. `where` is the JSON Pointer of the list of tiles."""
    specials = [at for at, tile in enumerate(tiles) if tile.kind == SPECIAL]
    earned = coats_earned(facade_of(tiles).filled)
    if len(specials) > earned:
        message = say(
            "You entered {specials} special tiles, but this house earned only {coats}.",
            specials=len(specials),
            coats=earned,
        )
        yield Problem("white_exceeds_coats", message, f"{where}/{specials[earned]}/tile")
    elif specials and is_sound:
        coloured = [spaces_of(tile) for tile in tiles if tile.kind != SPECIAL]
        if not has_order(coloured, [spaces_of(tiles[at]) for at in specials]):
            message = say(
                "A special tile is placed as soon as a coat of arms is covered. "
                "These tiles can’t have been placed that way."
            )
            yield Problem("white_exceeds_coats", message, f"{where}/{specials[0]}/tile")


def tiles_suffice(state: State) -> Found:
    """Yield a problem for each tile beyond the number of tiles of its kind that the game has."""
    players, used = supply.seats(state), Counter[str]()
    for index, house in state.houses:
        for at, tile in enumerate(house.tiles or ()):
            kind = KINDS.get(tile.kind)
            used[tile.kind] += 1
            if kind and used[tile.kind] > copies(kind, players):
                message = too_many(kind, players, used[tile.kind])
                yield Problem("supply", message, f"/players/{index}/tiles/{at}/tile")


def too_many(kind: Kind, players: int, number: int) -> Sentence:
    """Say how many tiles of this kind a game of `players` players has, and that tile number `number` was entered."""
    there = copies(kind, players)
    return say(
        "With {players} players there are only {copies} × {tile}. This is number {number}.",
        players=players,
        copies=there,
        tile=kind.name,
        number=number,
    )
