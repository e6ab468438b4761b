"""Define the contract of a game's reader: what to find in a photo, and what it means in the game's record.

A game says in `GAME.photo` where its `GameReader` is and what its board looks like. Boards are found in the same way
for all games, unless a reader finds its own. The reader knows the pieces on squares and the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.contract import Photo, Problem
from scorer.sentences import Sentence
from vision.closeup import Found
from vision.reading import Board, Point, Reading, Square
from vision.rectify import Floats, Image, Shape

Title = tuple[str, str]  # a card's id and its printed name
Grid = tuple[tuple[Square, ...], ...]
Setup = Mapping[str, Any]  # the part of a record that concerns the whole table, as far as it is known


@dataclass(frozen=True, slots=True)
class Pieces:
    """Describe what the two networks (ONNX files) that read squares can distinguish on a board."""

    squares: Path  # from the patch of a square to what is seen there
    # From what is seen on all squares of a board to what stands on each: a number for each label and then, for each
    # sort of cube, one for 0, 1, 2 and 3 of them on top.
    board: Path
    shape: Shape  # of the boards that the second network compares
    daylight: tuple[float, float, float]  # median blue, green and red of a board that the networks learned from
    labels: tuple[str, ...]
    cubes: tuple[str, ...]  # those of the labels that may also stand on another piece,
    carrier: str  # which is this one


@dataclass(frozen=True, slots=True)
class Cards:
    """Hold the cards to read and the layout of a card, in widths and heights of its pale field.

    Boxes are left, top, right, bottom; the field is from 0, 0 to 1, 1.
    """

    titles: tuple[Title, ...]
    patterns: Mapping[str, tuple[str, ...]]  # by id, the squares on the field as printed: a letter each, "." for none
    colours: Mapping[str, str]  # by id, the colour of the sign on the banner
    signs: Mapping[str, tuple[float, float, float]]  # the tones of these colours over the field's, as photographed
    faint: str  # the colour that is hard to distinguish from the banner
    title: tuple[float, float, float, float]  # its box
    banner: tuple[float, float, float, float]
    around_field: tuple[Point, ...]  # the card's corners
    field: float  # how much wider than high the field is


@dataclass(frozen=True, slots=True)
class Doubt:
    """Hold a square to check: its place in the record, and what else it may be, likeliest first."""

    where: str
    confidence: float
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """Hold a record made from a reading, the squares to check, and the problems that the game's code found."""

    record: dict[str, Any]
    doubts: tuple[Doubt, ...]
    problems: tuple[Problem, ...]  # what the game itself says of the record, and what we had to assume


def labels_first(board: Board, _: Setup, values: Sequence[str]) -> list[list[list[str]]]:
    """Return for each square of the board, row by row, those `values` that it may have, likeliest first. The label that
    was read comes first, then its runners-up, then all other values."""

    def choices(square: Square) -> list[str]:
        seen = (square.label, *(label for label, _ in square.alternatives))
        return list(dict.fromkeys(value for value in (*seen, *values) if value in values))

    return [[choices(square) for square in row] for row in board.grid]


@dataclass(frozen=True, slots=True)
class CardsOnPhotos:
    """Describe the cards on photos and the fields of the record that they fill; by default there are none."""

    known: Cards | None = None
    # The names of cards on the photo that the table does not play with, and the table's setup with them in play.
    others: Callable[[Reading, Setup], tuple[Sentence, ...]] = lambda _, __: ()
    with_seen: Callable[[Reading, Setup], dict[str, Any]] = lambda _, setup: dict(setup)
    # The fields of the table that cards answer, and by field what those on the photo say.
    fields: tuple[str, ...] = ()
    seen: Callable[[Reading], Mapping[str, str]] = lambda _: {}
    # The field of a player that a card of her own answers, and the cards of that kind on the photo, surest first.
    own: str = ""
    own_seen: Callable[[Reading], tuple[str, ...]] = lambda _: ()


@dataclass(frozen=True, slots=True)
class GameReader:
    """Describe how a game is read from a photo. Everything but `photo` and `squares` has a default.

    Pictures are arrays of rows of pixels in blue, green and red. Corners are four points (x, y) in pixels, clockwise,
    and rows run from the first to the second.
    """

    photo: Photo  # the same as the game's
    # The label of each square of the board with these corners, row by row, as in `photo`.
    squares: Callable[[Image, Floats], Grid]
    # The boards in a picture. By default our networks look for them, which learned from one kind of board (README).
    boards: Callable[[Image], Sequence[Found]] | None = None
    # One player's part of the record, but for the name. By default the labels fill the first board of `inputs`.
    player: Callable[[Board, Setup], Mapping[str, Any]] | None = None
    # What each square of a board may hold, of these values of the record: as read, the runners-up, then all others.
    likeliest_first: Callable[[Board, Setup, Sequence[str]], list[list[list[str]]]] = labels_first
    cards: CardsOnPhotos = CardsOnPhotos()

    @property
    def shape(self) -> Shape:
        return Shape(self.photo.rows, self.photo.columns)
