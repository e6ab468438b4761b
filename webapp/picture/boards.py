"""Boards on pictures, laid out of the same drawings as on pages: what lies on each square, and what stands around.

Drawings are looked up by the id of the game; a game without any has no board on its picture.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image, ImageOps

from webapp import worlds
from webapp.picture.painter import painted


class Placed(NamedTuple):
    """A drawing on a square: its name, where it stands and how large it is, in shares of the square."""

    name: str
    left: float = 0.0
    top: float = 0.0
    wide: float = 1.0
    high: float = 1.0
    mirrored: bool = False


class Square(NamedTuple):
    """A square by its name, and what lies on it, from the back to the front."""

    cell: str
    holds: tuple[Placed, ...]


Board = tuple[tuple[Square, ...], ...]  # row by row


class Frame(NamedTuple):
    """What a board of a game is laid on; lengths in widths of a square."""

    aspect: float = 1.0  # of a square
    back: str = "#ffffff00"
    side: float = 0.0  # left and right of the squares, and above and below where nothing stands there
    gap: float = 0.0
    ground: str = ""
    grounds: dict[str, str] = {}  # noqa: RUF012, of single squares; never changed
    above: str = ""
    below: str = ""
    piece: Placed = Placed("")  # where a piece stands on its square
    columns: int = 99


FRAMES = {
    "tiny_towns": Frame(back="#7c5a34", side=0.12, gap=0.05, ground="ground"),
    "copenhagen": Frame(
        aspect=1.5,
        back="#c0543d",
        side=0.28,
        gap=0.04,
        ground="ground",
        grounds={"C3": "coat", "E5": "coat", "B7": "coat", "D9": "coat"},
        above="copenhagen-gable",
        below="copenhagen-street",
    ),
    "old_london_bridge": Frame(
        aspect=48 / 84,
        back="#d6e9f0",
        ground="old_london_bridge-arch",
        piece=Placed("", 0, 0, 1, 48 / 84),
        columns=6,
    ),
    "pier_18": Frame(
        aspect=96 / 36,
        back="#4f9fc4",
        side=0.25,
        ground="pier_18-planks",
        above="pier_18-shore",
        below="pier_18-sea",
        piece=Placed("", (1 - 36 / 96) / 2, 0, 36 / 96, 1),
    ),
    "tenby": Frame(aspect=96 / 60, gap=0.02, columns=6),
}
PLAIN = Frame()


@functools.lru_cache(maxsize=128)
def laid(game: str, board: Board, room: tuple[int, int]) -> Image.Image | None:
    """The board, as large as the room allows; None if there is nothing to draw."""
    pieces, frame = worlds.pieces(game), FRAMES.get(game, PLAIN)
    rows = [row[at : at + frame.columns] for row in board for at in range(0, len(row), frame.columns)]
    columns = max((len(row) for row in rows), default=0)
    if not pieces or not columns:
        return None
    above, below = worlds.backdrop(frame.above), worlds.backdrop(frame.below)
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
            _fill(image, frame, pieces, square, (left * unit, top * unit, unit, unit / frame.aspect))
    return image


Box = tuple[float, float, float, float]  # left, top, wide, high


def _fill(image: Image.Image, frame: Frame, pieces: dict[str, worlds.Drawing], square: Square, box: Box) -> None:
    ground = frame.grounds.get(square.cell, frame.ground)
    under = pieces.get(ground) or worlds.backdrop(ground)
    if under:
        _put(image, under, box)
    for one in square.holds:
        place = frame.piece if one == Placed(one.name) else one
        drawing = pieces.get(one.name)
        if drawing:
            left, top, wide, high = box
            inside = (left + place.left * wide, top + place.top * high, place.wide * wide, place.high * high)
            _put(image, drawing, inside, one.mirrored)


def _put(image: Image.Image, drawing: worlds.Drawing, box: Box, mirrored: bool = False) -> None:
    left, top = round(box[0]), round(box[1])
    size = (max(1, round(box[0] + box[2]) - left), max(1, round(box[1] + box[3]) - top))
    found = painted(drawing.shapes, (drawing.wide, drawing.high), size)
    found = ImageOps.mirror(found) if mirrored else found
    part = image.crop((left, top, left + size[0], top + size[1]))
    image.paste(Image.alpha_composite(part, found), (left, top))


def rows_of(squares: Sequence[tuple[object, Square]]) -> Board:
    """Squares in rows, by what each stands in."""
    rows: dict[object, list[Square]] = {}
    for row, square in squares:
        rows.setdefault(row, []).append(square)
    return tuple(tuple(row) for row in rows.values())
