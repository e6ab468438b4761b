"""Draw a poster of a year: the number of games, highlights, and every day as a square.

Pillow draws it at twice its size for smooth edges, and in few colours to keep the file small.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from webapp.picture.fonts import write

SIZE = (1080, 1350)
SMOOTH = 2  # drawn larger by this
COLOURS = 48

DEEP, PAPER, FAINT, GLOW, TILE = "#0b3c49", "#fffdf8", "#a9cdd4", "#ffd98a", "#15515f"
STEPS = ("#2b7684", "#5aa5ad", "#a8d3c9", "#ffd98a")  # of days with few to many plays
MARGIN, WIDE = 72, 1080 - 2 * 72


@dataclass(frozen=True, slots=True)
class Poster:
    """Hold the contents of the poster, in the reader's language."""

    title: str
    club: str
    number: str
    counted: str
    facts: Sequence[tuple[str, str, str]]  # heading, answer and detail; six at most
    weeks: Sequence[Sequence[tuple[str, int] | None]]


class Sheet:
    """Draw on a picture that is enlarged; positions and sizes are given in pixels of the finished picture."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (SIZE[0] * SMOOTH, SIZE[1] * SMOOTH), DEEP)
        self.pen = ImageDraw.Draw(self.image)

    def write(
        self, x: float, y: float, text: str, size: int, colour: str, wide: float = WIDE, right: bool = False
    ) -> None:
        """Write one line with its baseline at `y`, smaller if it is wider than `wide`; with `right` it ends at `x`."""
        write(self.pen, (x * SMOOTH, y * SMOOTH), text, size * SMOOTH, colour, wide * SMOOTH, "rs" if right else "ls")

    def tile(self, x: float, y: float, wide: float, high: float, colour: str, round_by: float) -> None:
        corners = (x * SMOOTH, y * SMOOTH, (x + wide) * SMOOTH - 1, (y + high) * SMOOTH - 1)
        self.pen.rounded_rectangle(corners, round_by * SMOOTH, colour)

    def waves(self, y: float) -> None:
        """Draw two waves, Tidemark's mark, across the whole picture at the height `y`."""
        for row, colour in enumerate(("#1f6472", "#2b7684")):
            points = [(x * SMOOTH, (y + row * 22 + 9 * wave(x / 34 + row)) * SMOOTH) for x in range(-4, SIZE[0] + 8, 4)]
            self.pen.line(points, colour, 5 * SMOOTH, "curve")

    def png(self) -> bytes:
        small = self.image.resize(SIZE, Image.Resampling.LANCZOS).quantize(COLOURS, dither=Image.Dither.NONE)
        out = io.BytesIO()
        small.save(out, "PNG", optimize=True)
        return out.getvalue()


def wave(x: float) -> float:
    """Return the height, between -1 and 1, of a wave of length 4 at the place `x`."""
    arcs, part = divmod(x, 2)
    bent = 4 * (part / 2) * (1 - part / 2)
    return bent if int(arcs) % 2 == 0 else -bent


def draw_poster(poster: Poster) -> bytes:
    """Return the poster as a PNG."""
    sheet = Sheet()
    sheet.write(MARGIN, 112, poster.title, 46, PAPER, WIDE * 0.62)
    sheet.write(SIZE[0] - MARGIN, 112, poster.club, 34, FAINT, WIDE * 0.35, right=True)
    sheet.write(MARGIN - 8, 322, poster.number, 210, GLOW, WIDE * 0.72)
    sheet.write(MARGIN, 384, poster.counted, 46, PAPER)
    sheet.waves(432)
    facts(sheet, poster.facts[:6], 492)
    mosaic(sheet, poster.weeks, 1014)
    sheet.write(SIZE[0] - MARGIN, 1312, "Tidemark", 28, FAINT, right=True)
    return sheet.png()


def facts(sheet: Sheet, told: Sequence[tuple[str, str, str]], top: float) -> None:
    """Draw the highlights from the height `top` on, two beside each other. Each has a heading, a value and a note."""
    wide, high, gap = (WIDE - 24) / 2, 148, 20
    for place, (what, value, more) in enumerate(told):
        x, y = MARGIN + place % 2 * (wide + 24), top + place // 2 * (high + gap)
        sheet.tile(x, y, wide, high, TILE, 18)
        sheet.write(x + 26, y + 42, what, 25, FAINT, wide - 52)
        sheet.write(x + 26, y + 91, value, 40, PAPER, wide - 52)
        sheet.write(x + 26, y + 127, more, 25, FAINT, wide - 52)


def mosaic(sheet: Sheet, weeks: Sequence[Sequence[tuple[str, int] | None]], top: float) -> None:
    """Draw a square for each day, with a column for each week, in two halves below each other. They begin at the height
    `top`. `weeks` has for each day its date and number of games, or None outside the year."""
    most = max(2, *(day[1] for week in weeks for day in week if day))
    side = WIDE / 27
    for number, week in enumerate(weeks):
        half, column = divmod(number, 27)
        for weekday, day in enumerate(week):
            if day is None:
                continue
            colour = STEPS[min(3, (day[1] * 4 - 1) // most)] if day[1] else TILE
            x, y = MARGIN + column * side, top + half * 134 + weekday * 17.5
            sheet.tile(x, y, side - 5, 14, colour, 4)
