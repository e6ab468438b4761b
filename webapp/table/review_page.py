"""Prepare what the page of a review shows: each photo with its boards outlined, and the squares of each board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorer.contract import Cell, Json
from scorer.sentences import Sentence, as_it_is, say
from vision.reading import Point
from webapp.table import kinds
from webapp.table.photos import Photo
from webapp.table.review import Review, Seen

MARGIN = 0.22  # around a photo whose corners are marked by hand, as a share of its size
LETTERS = 22  # words on a photo are this part of its longer side
BOARD_WIDTH = 480  # pixels


class Square(NamedTuple):
    name: str  # "0/1"
    cell: str
    value: str
    choices: list[str]
    is_doubtful: bool
    wants_card: bool


class ShownBoard(NamedTuple):
    seen: Seen
    rows: list[list[Square]]
    checked: str  # the squares that somebody has checked, as a field of the page holds them
    wide: int
    high: int


class Outline(NamedTuple):
    """Hold the outline of a board on a photo, in pixels. At its centre (`x`, `y`) are words such as "Ann", whose board
    it is, or "Board 2"."""

    board: str
    kind: str
    points: Sequence[Point]
    words: Sentence
    x: float
    y: float


class Picture(NamedTuple):
    photo: Photo
    boards: list[Seen]
    outlines: list[Outline]
    wide: float
    high: float
    letters: float  # the height of words
    frame: tuple[float, float, float, float]  # x, y, width and height of the photo with a margin
    marks: Json  # the corners to begin with


def pictures(review: Review) -> list[Picture]:
    return [_picture(review, photo) for photo in review.photos]


def _picture(review: Review, photo: Photo) -> Picture:
    wide, high = photo.reading.size
    boards = [seen for seen in review.boards if seen.photo.id == photo.id]
    return Picture(
        photo,
        boards,
        [_outline(review, seen) for seen in boards],
        wide,
        high,
        max(wide, high) / LETTERS,
        (-MARGIN * wide, -MARGIN * high, (1 + 2 * MARGIN) * wide, (1 + 2 * MARGIN) * high),
        photo.marks[boards[0].number if boards else 0],
    )


def _outline(review: Review, seen: Seen) -> Outline:
    corners = seen.photo.reading.boards[seen.number].corners
    if not seen.is_played:
        kind, words = "nobodys", say("Nobody")
    elif seen.seat is None:
        kind, words = "asked", say("Board {n}", n=seen.place)
    else:
        kind, words = "given", as_it_is(review.table.seats[seen.seat].name)
    x, y = (sum(values) / len(corners) for values in zip(*corners, strict=True))
    return Outline(seen.name, kind, corners, words, x, y)


def boards(review: Review) -> list[ShownBoard]:
    cells = kinds.painted([review.asked])[0].cells()
    return [_board(review, seen, cells) for seen in review.boards]


def _board(review: Review, seen: Seen, cells: Sequence[Sequence[Cell]]) -> ShownBoard:
    rings, photo = review.rings(seen), review.reader.photo
    rows = [
        [
            Square(
                f"{row}/{column}",
                cells[row][column],
                value,
                seen.choices[row][column],
                rings[row][column],
                review.wants_card(seen, value),
            )
            for column, value in enumerate(pieces)
        ]
        for row, pieces in enumerate(seen.squares)
    ]
    places = {square.name for row in rows for square in row}
    checked = ",".join(place for place in seen.looked if place in places)
    return ShownBoard(seen, rows, checked, BOARD_WIDTH, BOARD_WIDTH * photo.rows // photo.columns)
