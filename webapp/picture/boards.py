"""Draw boards on pictures from the same drawings as pages use.

Drawings are found by the id of the game; a game without drawings has no board on its picture.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PIL import Image, ImageColor, ImageOps

from webapp import themes
from webapp.picture.painter import paint

log = logging.getLogger("tidemark.games")


class Placed(NamedTuple):
    """Hold a drawing on a square, with its position and size as shares of the square."""

    name: str
    left: float = 0.0
    top: float = 0.0
    wide: float = 1.0
    high: float = 1.0
    mirrored: bool = False


class Square(NamedTuple):
    """Hold the name of a square and the drawings on it, from back to front."""

    cell: str
    holds: tuple[Placed, ...]


Board = tuple[tuple[Square, ...], ...]  # row by row


class Frame(NamedTuple):
    """Hold how a game's board is drawn: the table `picture` of its about.toml, with lengths in widths of a square."""

    square: tuple[float, float] = (1, 1)  # how wide and how high it is
    piece: tuple[float, float, float, float] | None = None  # left, top, width and height on a square; None: all of it
    back: str = "#ffffff00"
    side: float = 0.0  # left and right of the squares, and above and below them without a drawing there
    gap: float = 0.0
    ground: str = ""
    grounds: Mapping[str, str] = {}  # of single squares; never changed
    above: str = ""
    below: str = ""
    columns: int = 99

    @property
    def aspect(self) -> float:
        return self.square[0] / self.square[1]

    @property
    def standing(self) -> Placed:
        (wide, high), (left, top, across, down) = self.square, self.piece or (0, 0, *self.square)
        return Placed("", left / wide, top / high, across / wide, down / high)


@functools.cache
def frame_of(game: str) -> Frame:
    """Return how a game's board is drawn, or plain squares if the game's about.toml says nothing valid."""
    try:
        frame = Frame(**themes.about(game).get("picture", {}))
        measures = (frame.aspect, *frame.standing[1:5], frame.side, frame.gap, frame.columns)
        if min(frame.aspect, frame.columns, 1 + sum(measures)) <= 0:
            raise ValueError("lengths are above 0")
        ImageColor.getrgb(frame.back)
        if not all(isinstance(name, str) for name in (frame.ground, frame.above, frame.below, *frame.grounds.values())):
            raise TypeError("drawings are called by their names")
    except (AttributeError, TypeError, ValueError, ZeroDivisionError) as fault:
        log.warning("Ignoring the table picture in about.toml of %s: %s", game, fault)
        return Frame()
    return frame


@functools.lru_cache(maxsize=128)
def board_image(game: str, board: Board, room: tuple[int, int]) -> Image.Image | None:
    """Return a picture of the board, as large as fits into `room` (pixels), or None without anything to draw."""
    pieces, frame = themes.pieces(game), frame_of(game)
    rows = [row[at : at + frame.columns] for row in board for at in range(0, len(row), frame.columns)]
    columns = max((len(row) for row in rows), default=0)
    if not pieces or not columns:
        return None
    above, below = themes.backdrop(game, frame.above), themes.backdrop(game, frame.below)
    across = columns * (1 + frame.gap) - frame.gap + 2 * frame.side
    ends = [across * end.high / end.wide if end else frame.side for end in (above, below)]
    down = len(rows) * (1 / frame.aspect + frame.gap) - frame.gap + sum(ends)
    unit = min(room[0] / across, room[1] / down)
    image = Image.new("RGBA", (max(1, round(across * unit)), max(1, round(down * unit))), frame.back)
    for end, top, high in ((above, 0.0, ends[0]), (below, down - ends[1], ends[1])):
        if end:
            _put(image, end, (0, top * unit, across * unit, high * unit))
    for number, row in enumerate(rows):
        top = ends[0] + number * (1 / frame.aspect + frame.gap)
        for column, square in enumerate(row):
            left = frame.side + column * (1 + frame.gap)
            _fill(image, game, square, (left * unit, top * unit, unit, unit / frame.aspect))
    return image


Box = tuple[float, float, float, float]  # left, top, wide, high


def _fill(image: Image.Image, game: str, square: Square, box: Box) -> None:
    pieces, frame = themes.pieces(game), frame_of(game)
    ground = frame.grounds.get(square.cell, frame.ground)
    under = pieces.get(ground) or themes.backdrop(game, ground)
    if under:
        _put(image, under, box)
    for one in square.holds:
        place = frame.standing if one == Placed(one.name) else one
        drawing = pieces.get(one.name)
        if drawing:
            left, top, wide, high = box
            inside = (left + place.left * wide, top + place.top * high, place.wide * wide, place.high * high)
            _put(image, drawing, inside, one.mirrored)


def _put(image: Image.Image, drawing: themes.Drawing, box: Box, mirrored: bool = False) -> None:
    left, top = round(box[0]), round(box[1])
    size = (max(1, round(box[0] + box[2]) - left), max(1, round(box[1] + box[3]) - top))
    found = paint(drawing.shapes, (drawing.wide, drawing.high), size)
    found = ImageOps.mirror(found) if mirrored else found
    part = image.crop((left, top, left + size[0], top + size[1]))
    image.paste(Image.alpha_composite(part, found), (left, top))


def rows_of(squares: Sequence[tuple[object, Square]]) -> Board:
    """Return a board: the squares grouped in rows. Each item of `squares` is the key of a row and a square in it."""
    rows: dict[object, list[Square]] = {}
    for row, square in squares:
        rows.setdefault(row, []).append(square)
    return tuple(tuple(row) for row in rows.values())
