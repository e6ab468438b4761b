"""Prepare the facts for the page that lays a house tile by tile: tiles left, where they fit, which can be removed."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from scorer.contract import Json, Loaded
from scorer.games.copenhagen.facade import BRICK, COLUMNS, EMPTY, FLOORS, WINDOW, Space, Spaces, union
from scorer.games.copenhagen.laying import GROUND, block
from scorer.games.copenhagen.score import Near, house_facade, one_short
from scorer.games.copenhagen.state import House, State, Tile
from scorer.games.copenhagen.supply import seats
from scorer.games.copenhagen.tiles import KINDS, Kind, Pattern, Placement, copies, drawn, placements
from scorer.games.copenhagen.tiling import spaces_of, unsupported
from scorer.record import seated
from scorer.sentences import Sentence, say

LETTER_NAMES = {WINDOW: say("window"), BRICK: say("brick"), EMPTY: say("gap")}


def legal_drops(kind: Kind, others: Sequence[Tile]) -> list[Placement]:
    """Return each way to lay a tile of this kind next on a house with the tiles `others`. They are sorted by
    orientation, then from the bottom left."""
    filled = filled_by(others)
    return [
        placement
        for placement in placements(kind.pattern)
        if not placement.spaces & filled and block(placement.spaces).rests_on & (filled | GROUND)
    ]


def removable(tiles: Sequence[Tile]) -> list[int]:
    """Return the indices of the tiles that can be removed without leaving another tile unsupported."""
    return [
        index for index in range(len(tiles)) if not any(unsupported([*tiles[:index], *tiles[index + 1 :]], "/tiles"))
    ]


def filled_by(tiles: Sequence[Tile]) -> Spaces:
    return union(map(spaces_of, tiles))


def guide(loaded: Loaded, player: int) -> Json:
    """Return how many tiles of each kind are left, where each can go, what can be removed, and how close lines are.

        {"squares": [[{"letter": "W", "colour": "purple", "tile": 0}, ...], ...], the top floor first,
         "tiles": [{"id": "purple-2", "name": ..., "colour": ..., "size": 2, "has_brick": true, "left": 1, "drops": 0}],
         "drops": [[{"pattern": ["BW"], "words": "brick window", "cells": [[0, 0], [1, 0]], "brick": [0, 0],
                     "corners": [[1, 1], ...]}, ...], ...],
         "removable": [0, 3], "near": [{"section": "floor 1", "missing": "E1", "with_window": 2, "with_brick": 1}]}

    The value of "drops" in a tile is the index of its shape in the list "drops". A corner is the bottom left one of the
    pattern. A house that is entered by spaces has no "tiles" and no "drops".
    """
    state: State = loaded.state
    house = state.house_of(player)
    tiles = house.tiles or ()
    by_pattern: dict[tuple[str, ...], int] = {}
    kinds = list(KINDS.values()) if is_laid(loaded, player) else []
    return {
        "tiles": [
            about(kind, state) | {"drops": by_pattern.setdefault(kind.pattern, len(by_pattern))} for kind in kinds
        ],
        "drops": [orientations(kind, tiles) for kind in kinds if is_first_of_its_pattern(kind)],
        "squares": squares(house),
        "removable": removable(tiles),
        "near": [nearly(near) for near in one_short(house_facade(house))],
    }


def is_laid(loaded: Loaded, player: int) -> bool:
    """Return whether the record has a list of tiles for the player, even an empty or unreadable one."""
    players = seated(loaded.record)
    return player < len(players) and "tiles" in players[player]


def nearly(near: Near) -> dict[str, Json]:
    return {
        "section": near.section,
        "missing": near.missing,
        "with_window": near.with_window,
        "with_brick": near.with_brick,
    }


def about(kind: Kind, state: State) -> dict[str, Json]:
    """Return a kind of tile as JSON, such as its id and colour, and how many such tiles nobody has entered yet."""
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
    """Return the turned and mirrored patterns of a tile, each with the corners where it can be laid next. `others` are
    the tiles already on the house."""
    corners: dict[tuple[str, ...], list[list[int]]] = {pattern: [] for pattern in kind.orientations}
    for placement in legal_drops(kind, others):
        corners[placement.pattern].append(list(placement.corner))
    return [orientation(pattern) | {"corners": found} for pattern, found in corners.items()]


def orientation(pattern: Pattern) -> dict[str, Json]:
    """Return a pattern as JSON, with its spaces and its brickwork counted from its bottom left corner."""
    spaces, brick = drawn(pattern)
    return {
        "pattern": list(pattern),
        "words": in_words(pattern),
        "cells": [list(space) for space in spaces],
        "brick": brick and list(brick),
    }


@functools.cache
def in_words(pattern: Pattern) -> Sentence:
    """Return the pattern in words for people who cannot see it, from the top row down."""
    rows = [functools.reduce(next_to, (LETTER_NAMES[letter] for letter in row)) for row in pattern]
    return functools.reduce(lambda above, below: say("{above}; below: {below}", above=above, below=below), rows)


def next_to(left: Sentence, right: Sentence) -> Sentence:
    return say("{left} {right}", left=left, right=right)


def squares(house: House) -> list[list[dict[str, Json]]]:
    """Return the house as rows from the top floor down. Each space has its letter, its colour, and the index of its
    tile or None."""
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
