"""What the reader of a game tells the rest of this package: what to look for, and what it means in the game's record.

A module in `vision/games` named like the game makes one `GameReader`. Boards of four by four squares are found alike
for all games; what stands on the squares and which cards lie beside them is the game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.contract import Problem
from scorer.sentences import Sentence
from vision.reading import Board, Point, Reading

Title = tuple[str, str]  # a card's id and its printed name
Setup = Mapping[str, Any]  # the part of a record that concerns the whole table, as far as it is known


@dataclass(frozen=True, slots=True)
class Pieces:
    """What two networks, ONNX files both, tell apart on a board."""

    squares: Path  # from the patch of a square to what is seen there
    # From what is seen on all squares of a board to what stands on each: a number for each label and then, for each
    # sort of cube, one for 0, 1, 2 and 3 of them on top.
    board: Path
    labels: tuple[str, ...]
    cubes: tuple[str, ...]  # those of the labels that may also stand on another piece,
    carrier: str  # which is this one


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards worth reading, and how one is laid out, in widths and heights of its pale field.

    Boxes are left, top, right, bottom; the field is from 0, 0 to 1, 1.
    """

    titles: tuple[Title, ...]
    patterns: Mapping[str, tuple[str, ...]]  # by id, the squares on the field as printed: a letter each, "." for none
    colours: Mapping[str, str]  # by id, the colour of the sign on the banner
    signs: Mapping[str, tuple[float, float, float]]  # the tones of these colours over the field's, as photographed
    faint: str  # the colour that can hardly be told from the banner itself
    title: tuple[float, float, float, float]  # where it stands
    banner: tuple[float, float, float, float]
    around_field: tuple[Point, ...]  # the card's corners
    field: float  # how much wider than high the field is


@dataclass(frozen=True, slots=True)
class Doubt:
    """A square to look at again: where it stands in the record, and what else it may be, likeliest first."""

    where: str
    confidence: float
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A record made of a reading."""

    record: dict[str, Any]
    doubts: tuple[Doubt, ...]
    problems: tuple[Problem, ...]  # what the game itself says of the record, and what we had to assume


@dataclass(frozen=True, slots=True)
class GameReader:
    """How a game is read from a photo."""

    game: str
    pieces: Pieces
    cards: Cards
    # A record: player number n, by name, has the board of the reading that the third value names (else board n).
    draft: Callable[[Reading, Sequence[str], Sequence[int] | None, Setup], Draft]
    # What each square of a board may hold, of these values of the record: as read, the runners-up, then all others.
    likeliest_first: Callable[[Board, Setup, Sequence[str]], list[list[list[str]]]]
    # The names of cards on the photo that the table does not play with, and the table's setup with them in play.
    other_cards: Callable[[Reading, Setup], tuple[Sentence, ...]]
    with_cards_seen: Callable[[Reading, Setup], dict[str, Any]]
    # The fields of the table that cards answer, and by field what those on the photo say.
    card_fields: tuple[str, ...]
    cards_seen: Callable[[Reading], Mapping[str, str]]
    # The field of a player that a card of her own answers, and the cards of that kind on the photo, surest first.
    own_card: str
    own_cards_seen: Callable[[Reading], tuple[str, ...]]
