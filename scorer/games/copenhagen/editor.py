"""What the form of a house asks for, and what an editor wants to know so that a tile goes only where it can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from scorer.contract import Choice, Input, Json, Loaded, Problem, StateError
from scorer.games.copenhagen.facade import (
    BRICK,
    COLUMNS,
    EMPTY,
    FLOORS,
    NAMES,
    WINDOW,
    Space,
    Spaces,
    names,
    to_rows,
    union,
)
from scorer.games.copenhagen.laying import GROUND, block
from scorer.games.copenhagen.rules import look, one_short
from scorer.games.copenhagen.state import BY_CARD, BY_POINTS, House, State, Tile, load
from scorer.games.copenhagen.supply import seats
from scorer.games.copenhagen.tiles import KINDS, Kind, Pattern, Placement, copies, drawn, laid, placements
from scorer.games.copenhagen.tiling import faults_of, spaces_of, unsupported

ENDS = (Choice(BY_POINTS, "Somebody reached 12 points"), Choice(BY_CARD, "The End of Game card came up"))
LETTERS = (Choice(EMPTY, "Empty"), Choice(WINDOW, "Window", "W", "blue"), Choice(BRICK, "Brickwork", "B", "red"))
CELLS = tuple(NAMES[COLUMNS * floor :][:COLUMNS] for floor in reversed(range(FLOORS)))

TABLE = (Input("end", "How the game ended", "choice", ENDS, of="table", optional=True),)
GRID = Input(
    "grid", "House, the top floor first", "letters", LETTERS, size=(FLOORS, COLUMNS), cells=CELLS, default=EMPTY
)
TILES = Input("tiles", "Tiles on the house", "data", optional=True)
INPUTS = (*TABLE, GRID, TILES)


def asks(loaded: Loaded, index: int | None) -> tuple[Input, ...]:
    """The end of the table (None); of a player the house, tile by tile if it was begun so."""
    if index is None:
        return TABLE
    house = house_of(loaded.state, index)
    return (GRID,) if house.tiles is None else (TILES,)


def house_of(state: State, index: int) -> House:
    """The player's house, an empty one if there is none."""
    player = state.players[index] if index < len(state.players) else None
    return player if isinstance(player, House) else House("")


def shows(record: Json, player: int) -> dict[str, Json]:
    """The house painted, also where it was laid tile by tile."""
    try:
        state: State = load(record)
    except StateError:
        return {}
    house = state.players[player]
    return {GRID.name: list(to_rows(look(house)))} if isinstance(house, House) else {}


def drop_faults(tile: Tile, others: Sequence[Tile]) -> list[Problem]:
    """Why this tile cannot be laid next on a house with these others; nothing if it can."""
    faults = list(faults_of(tile, ""))
    spaces, filled = spaces_of(tile), filled_by(others)
    if spaces & filled:
        message = f"There is a tile on {', '.join(names(spaces & filled))} already."
        faults.append(Problem("overlap", message, "/cells"))
    if not block(spaces).rests_on & (filled | GROUND):
        faults.append(Problem("unsupported", "Lay it on floor 1, or with a space directly above a tile.", "/cells"))
    return faults


def legal_drops(kind: Kind, others: Sequence[Tile]) -> list[Placement]:
    """Every way to lay such a tile next, orientation by orientation, from the bottom left up."""
    filled = filled_by(others)
    return [
        placement
        for placement in placements(kind.pattern)
        if not placement.spaces & filled and block(placement.spaces).rests_on & (filled | GROUND)
    ]


def dropped(kind: Kind, placement: Placement) -> Tile:
    """The tile as it lies there."""
    return Tile(kind.id, *laid(placement.pattern, placement.corner))


def removable(tiles: Sequence[Tile]) -> list[int]:
    """The tiles that can be taken off, by their places in the list, without leaving another in the air."""
    return [
        index for index in range(len(tiles)) if not any(unsupported([*tiles[:index], *tiles[index + 1 :]], "/tiles"))
    ]


def filled_by(tiles: Sequence[Tile]) -> Spaces:
    return union(map(spaces_of, tiles))


def guide(loaded: Loaded, player: int) -> Json:
    """For each kind of tile how many are left and where it can go, what can be taken off, and how close lines are.

    {"squares": [[{"letter": "W", "colour": "purple", "tile": 0}, ...], ...], the top floor first,
     "tiles": [{"id": "purple-2", "name": ..., "colour": ..., "size": 2, "has_brick": true, "left": 1, "drops": 0}],
     "drops": [[{"pattern": ["BW"], "cells": [[0, 0], [1, 0]], "brick": [0, 0], "corners": [[1, 1], ...]}, ...]],
     "removable": [0, 3], "near": [{"section": "floor 1", "missing": "E1", "with_window": 2, "with_brick": 1}]}

    `drops` of a tile is the place of its shape in the list of drops; a corner is the bottom left one of the pattern.
    """
    state: State = loaded.state
    house = house_of(state, player)
    tiles = house.tiles or ()
    by_pattern: dict[tuple[str, ...], int] = {}
    return {
        "tiles": [
            about(kind, state) | {"drops": by_pattern.setdefault(kind.pattern, len(by_pattern))}
            for kind in KINDS.values()
        ],
        "drops": [orientations(kind, tiles) for kind in KINDS.values() if is_first_of_its_pattern(kind)],
        "squares": squares(house),
        "removable": removable(tiles),
        "near": [asdict(near) for near in one_short(look(house))],
    }


def about(kind: Kind, state: State) -> dict[str, Json]:
    """A kind of tile and how many nobody has laid yet."""
    used = sum(tile.kind == kind.id for _, house in state.houses for tile in house.tiles or ())
    return {
        "id": kind.id,
        "name": kind.name,
        "colour": kind.colour,
        "size": kind.size,
        "has_brick": kind.has_brick,
        "left": max(0, copies(kind, seats(state)) - used),
    }


def is_first_of_its_pattern(kind: Kind) -> bool:
    return next(other for other in KINDS.values() if other.pattern == kind.pattern) is kind


def orientations(kind: Kind, others: Sequence[Tile]) -> list[dict[str, Json]]:
    """The patterns of a tile, each with the corners where it can be laid next."""
    corners: dict[tuple[str, ...], list[list[int]]] = {pattern: [] for pattern in kind.orientations}
    for placement in legal_drops(kind, others):
        corners[placement.pattern].append(list(placement.corner))
    return [way_to_lie(pattern) | {"corners": found} for pattern, found in corners.items()]


def way_to_lie(pattern: Pattern) -> dict[str, Json]:
    """A pattern, and where its spaces and its brickwork lie from its bottom left corner."""
    spaces, brick = drawn(pattern)
    return {"pattern": list(pattern), "cells": [list(space) for space in spaces], "brick": brick and list(brick)}


def squares(house: House) -> list[list[dict[str, Json]]]:
    """The house, the top floor first: what each space shows, and the tile it belongs to by its place in the list."""
    shown: dict[Space, dict[str, Json]] = {}
    for index, tile in enumerate(house.tiles or ()):
        for space in tile.spaces:
            letter = BRICK if space == tile.brick else WINDOW
            shown[space] = {"letter": letter, "colour": tile.kind.partition("-")[0], "tile": index}
    for row, letters in enumerate(house.rows or ()):
        for column, letter in enumerate(letters):
            shown[column + 1, FLOORS - row] = {"letter": letter, "colour": "", "tile": None}
    nothing = {"letter": EMPTY, "colour": "", "tile": None}
    return [[shown.get((column, floor), nothing) for column in range(1, COLUMNS + 1)] for floor in range(FLOORS, 0, -1)]
