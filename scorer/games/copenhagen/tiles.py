"""Define the facade tiles: 21 kinds, their orientations and numbers (rulebook, "Components"; `tiles.toml`)."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scorer.contract import Entry
from scorer.games.copenhagen.facade import BRICK, COLUMNS, EMPTY, FLOORS, WINDOW, Space, Spaces, bit
from scorer.sentences import Sentence, printed

Pattern = tuple[str, ...]  # rows from the top: "W" is a window, "B" brickwork, "." not part of the tile
Drawn = tuple[tuple[Space, ...], Space | None]  # the spaces in order, counted from (0, 0), and the brickwork

SPECIAL = "white-1"
DATA = tomllib.loads(Path(__file__).with_name("tiles.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Kind:
    id: str
    name: Sentence
    text: Sentence
    orientations: tuple[Pattern, ...]  # all different ways to turn and mirror it, the printed one first

    @property
    def colour(self) -> str:
        return self.id.partition("-")[0]

    @property
    def size(self) -> int:
        return int(self.id.partition("-")[2])

    @property
    def pattern(self) -> Pattern:
        return self.orientations[0]

    @property
    def has_brick(self) -> bool:
        return self.id != SPECIAL


@dataclass(frozen=True, slots=True)
class Placement:
    """Hold one way to lay a tile on the house: its spaces, its brickwork, and its pattern as turned or mirrored."""

    spaces: Spaces
    brick: Spaces  # 0 for the special tile
    pattern: Pattern
    corner: Space  # the space of the pattern's bottom left corner


def turned(pattern: Pattern) -> Pattern:
    """Return the pattern after a quarter turn clockwise: ("BW",) becomes ("B", "W")."""
    return tuple("".join(column) for column in zip(*reversed(pattern), strict=True))


def orientations(pattern: Pattern) -> tuple[Pattern, ...]:
    """Return all different patterns from turning and mirroring a pattern."""
    found = []
    for side in (pattern, tuple(row[::-1] for row in pattern)):
        for _ in range(4):
            found.append(side)
            side = turned(side)
    return tuple(dict.fromkeys(found))


def drawn(pattern: Pattern) -> Drawn:
    """Return the spaces of a pattern, with its bottom left corner at (0, 0), and its space of brickwork or None."""
    top = len(pattern) - 1
    letters = {
        (column, top - row): letter
        for row, line in enumerate(pattern)
        for column, letter in enumerate(line)
        if letter != EMPTY
    }
    return tuple(sorted(letters)), next((space for space, letter in letters.items() if letter == BRICK), None)


def laid(pattern: Pattern, corner: Space) -> Drawn:
    """Return the spaces and the brickwork, if any, of a pattern whose bottom left corner lies on the space `corner`."""
    spaces, brick = drawn(pattern)
    column, floor = corner
    moved = tuple((column + right, floor + up) for right, up in spaces)
    return moved, (column + brick[0], floor + brick[1]) if brick else None


@functools.cache
def placements(pattern: Pattern) -> tuple[Placement, ...]:
    """Return all ways to lay a tile of this pattern on an empty house, turned and mirrored."""
    found = []
    for turned_pattern in orientations(pattern):
        for floor in range(1, FLOORS - len(turned_pattern) + 2):
            for column in range(1, COLUMNS - len(turned_pattern[0]) + 2):
                spaces, brick = laid(turned_pattern, (column, floor))
                found.append(
                    Placement(sum(map(bit, spaces)), bit(brick) if brick else 0, turned_pattern, (column, floor))
                )
    return tuple(found)


def read_kinds() -> Mapping[str, Kind]:
    """Read the kinds of tile from `tiles.toml`, and check them."""
    kinds = {}
    for row in DATA["kind"]:
        pattern: Pattern = tuple(row["pattern"])
        kind = Kind(row["id"], printed(row["name"]), printed(row["text"]), orientations(pattern))
        letters = "".join(pattern)
        assert kind.id not in kinds, kind.id
        assert len({len(row) for row in pattern}) == 1, kind.id
        assert kind.size == len(letters.replace(EMPTY, "")), kind.id
        assert letters.count(BRICK) == kind.has_brick, kind.id
        assert letters.count(WINDOW) == kind.size - kind.has_brick, kind.id
        kinds[kind.id] = kind
    assert len(kinds) == 21, "five colours of four sizes and the special tile"
    return kinds


KINDS = read_kinds()
KIND_NAMES = {kind.id: kind.name for kind in KINDS.values()}
COLOURS: Mapping[str, Sentence] = {row["id"]: printed(row["name"]) for row in DATA["colour"]}
COPIES: Mapping[int, Mapping[int, int]] = {
    int(players): {int(size): number for size, number in sizes.items()} for players, sizes in DATA["copies"].items()
}
SPECIAL_COPIES: int = DATA["special"]["copies"]
SHAPES = {kind.id: frozenset(drawn(way) for way in kind.orientations) for kind in KINDS.values()}


def copies(kind: Kind, players: int) -> int:
    """Return how many tiles of the kind are in play with this many players."""
    return COPIES[players][kind.size] if kind.has_brick else SPECIAL_COPIES


def catalogue() -> tuple[Entry, ...]:
    """Return every kind of tile, colour by colour."""
    return tuple(
        Entry(kind.id, kind.name, COLOURS[kind.colour], kind.text, kind.pattern)
        for kind in sorted(KINDS.values(), key=lambda kind: kind.id)
    )
