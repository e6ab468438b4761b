"""Check a house that was entered tile by tile: its facade, and which tiles are wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scorer.contract import Problem
from scorer.games.copenhagen.facade import (
    COLUMNS,
    FLOORS,
    Facade,
    Space,
    Spaces,
    bit,
    is_on_house,
    name,
    names,
    union,
)
from scorer.games.copenhagen.laying import GROUND, block, lay_all
from scorer.games.copenhagen.state import Tile
from scorer.games.copenhagen.tiles import KINDS, SHAPES, Drawn
from scorer.record import shown
from scorer.sentences import in_a_row, in_sentences, say

Found = Iterator[Problem]


def spaces_of(tile: Tile) -> Spaces:
    """Return the spaces of the house that a tile covers."""
    return union([bit(space) for space in tile.spaces if is_on_house(space)])


def facade_of(tiles: Iterable[Tile]) -> Facade:
    filled = bricks = 0
    for tile in tiles:
        filled |= spaces_of(tile)
        if tile.brick is not None and tile.brick in tile.spaces and is_on_house(tile.brick):
            bricks |= bit(tile.brick)
    return Facade(filled & ~bricks, bricks)


def outline(tile: Tile) -> Drawn:
    """Return the spaces of a tile and its brickwork, if any, counted from the tile's own bottom left corner."""
    left = min((column for column, _ in tile.spaces), default=0)
    bottom = min((floor for _, floor in tile.spaces), default=0)

    def moved(space: Space) -> Space:
        return space[0] - left, space[1] - bottom

    return tuple(sorted(map(moved, tile.spaces))), None if tile.brick is None else moved(tile.brick)


def faults_of(tile: Tile, where: str) -> Found:
    """Yield a problem for each fault of a single tile: its kind, its spaces, its shape or its brickwork. `where` is its
    JSON Pointer."""
    kind = KINDS.get(tile.kind)
    if kind is None:
        message = say("There is no tile {id}. Enter colour and size, like purple-3 or white-1.", id=shown(tile.kind))
        yield Problem("unknown_tile", message, f"{where}/tile")
    off = [space for space in tile.spaces if not is_on_house(space)]
    if off:
        column, floor = off[0]
        message = say(
            "A house has {columns} columns and {floors} floors. Move the tile from column {column}, floor {floor}.",
            columns=COLUMNS,
            floors=FLOORS,
            column=column,
            floor=floor,
        )
        yield Problem("off_board", message, f"{where}/cells")
    if kind is None:
        return
    spaces, brick = outline(tile)
    if not any(spaces == shape for shape, _ in SHAPES[kind.id]):
        message = in_sentences(
            [say("{tile} can’t have this shape, even turned or mirrored.", tile=kind.name), kind.text]
        )
        yield Problem("shape", message, f"{where}/cells")
    elif (spaces, brick) not in SHAPES[kind.id]:
        message = in_sentences(
            [say("{tile} has its brickwork in a different place. Check this tile.", tile=kind.name), kind.text]
        )
        if not kind.has_brick:
            message = say("Remove the brickwork. The special tile is a window.")
        yield Problem("brick_position", message, f"{where}/brick")


def overlaps(tiles: Sequence[Tile], where: str) -> Found:
    """Yield a problem for each tile that covers a space of an earlier tile; `where` is the JSON Pointer of the list."""
    taken = 0
    for index, tile in enumerate(tiles):
        spaces = spaces_of(tile)
        if spaces & taken:
            message = say("Two tiles cover {spaces}. Move one of them.", spaces=in_a_row(names(spaces & taken)))
            yield Problem("overlap", message, f"{where}/{index}/cells")
        taken |= spaces


def unsupported(tiles: Sequence[Tile], where: str) -> Found:
    """Yield a problem for each tile that lies neither on the bottom floor nor on supported tiles. `where` is the JSON
    Pointer of the list."""
    covered = [spaces_of(tile) for tile in tiles]
    filled, _ = lay_all(GROUND, [block(spaces) for spaces in covered])
    for index, spaces in enumerate(covered):
        if spaces and not block(spaces).rests_on & filled:
            message = say(
                "{space} hangs in the air. A tile must rest on floor 1 or on another tile.",
                space=name(spaces & -spaces),
            )
            yield Problem("unsupported", message, f"{where}/{index}/cells")
