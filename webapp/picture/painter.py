"""Paint our own drawings: flat filled shapes of an SVG, and the lines of players' figures.

The page docs/developers/design.md says which shapes a drawing may have. Each drawing is painted once in each size and
cached. It is painted larger and then reduced, which makes edges smooth.
"""

from __future__ import annotations

import functools
import itertools
import logging
import math
import re
from collections.abc import Iterator

from PIL import Image, ImageChops, ImageDraw

log = logging.getLogger("tidemark.games")

SMOOTH = 3
ELEMENT = re.compile(r"<(path|rect|circle|polygon)\b([^>]*?)/?>")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
STEP = re.compile(r"([A-Za-z])|(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)")
TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
PIECES = 12  # straight pieces of a curve
Point = tuple[float, float]


@functools.lru_cache(maxsize=512)
def paint(shapes: str, box: tuple[float, float], size: tuple[int, int], cover: bool = False) -> Image.Image:
    """Return an image of `size` with the drawing `shapes` (SVG), which is designed for the size `box`.

    With `cover` the drawing keeps its proportions, fills the image, and may be cut at the upper edge and the sides.
    """
    wide, high = size
    across, down = wide * SMOOTH / box[0], high * SMOOTH / box[1]
    left = top = 0.0
    if cover:
        across = down = max(across, down)
        left, top = (wide * SMOOTH - box[0] * across) / 2, high * SMOOTH - box[1] * down
    image = Image.new("RGBA", (wide * SMOOTH, high * SMOOTH))
    for kind, given in ELEMENT.findall(shapes):
        try:
            attributes = dict(ATTRIBUTE.findall(given))
            outlines = [[(left + x * across, top + y * down) for x, y in line] for line in _outlines(kind, attributes)]
            if attributes.get("fill", "#000000") != "none":
                _fill(image, outlines, attributes)
            if "stroke" in attributes:
                _draw(image, outlines, attributes["stroke"], float(attributes.get("stroke-width", 1)) * across)
        except (LookupError, ValueError) as fault:  # in a drawing of an installed game
            log.warning("Leaving a %s out of a drawing: %s", kind, fault)
    return image.reduce(SMOOTH)


def _fill(image: Image.Image, outlines: list[list[Point]], attributes: dict[str, str]) -> None:
    """Fill a shape as the SVG `attributes` say; only the part of the picture that it covers is touched. `outlines` are
    the shape's closed lines."""
    points = [point for line in outlines for point in line]
    if not points:
        return
    x0, y0 = (max(0, math.floor(min(point[axis] for point in points))) for axis in (0, 1))
    x1, y1 = (min(image.size[axis], math.ceil(max(point[axis] for point in points)) + 1) for axis in (0, 1))
    if x1 <= x0 or y1 <= y0:
        return
    holes = attributes.get("fill-rule") == "evenodd"
    mask = Image.new("1", (x1 - x0, y1 - y0))
    for line in outlines:
        if len(line) < 3:
            continue
        shape = Image.new("1", mask.size)
        ImageDraw.Draw(shape).polygon([(x - x0, y - y0) for x, y in line], 1)
        mask = ImageChops.logical_xor(mask, shape) if holes else ImageChops.logical_or(mask, shape)
    opacity = float(attributes.get("opacity", 1)) * float(attributes.get("fill-opacity", 1))
    part = image.crop((x0, y0, x1, y1))
    colour = Image.new("RGBA", mask.size, attributes.get("fill", "#000000"))
    if opacity < 1:
        colour.putalpha(round(255 * opacity))
        colour = Image.alpha_composite(part, colour)
    part.paste(colour, mask=mask)
    image.paste(part, (x0, y0))


def _draw(image: Image.Image, outlines: list[list[Point]], colour: str, wide: float) -> None:
    """Draw a line of the width `wide` through the points of each of the `outlines`, with round ends and corners."""
    pen, radius = ImageDraw.Draw(image), wide / 2
    for line in outlines:
        pen.line(line, colour, round(wide))
        for x, y in line:
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), colour)


def _outlines(kind: str, given: dict[str, str]) -> list[list[Point]]:
    if kind == "path":
        return list(outlines(given["d"]))
    if kind == "polygon":
        numbers = [float(number) for _, number in STEP.findall(given["points"]) if number]
        return [list(zip(numbers[::2], numbers[1::2], strict=True))]
    if kind == "circle":
        x, y, radius = (float(given.get(name, 0)) for name in ("cx", "cy", "r"))
        turns = [2 * math.pi * step / 48 for step in range(48)]
        return [[(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]]
    x, y, wide, high = (float(given.get(name, 0)) for name in ("x", "y", "width", "height"))
    return [[(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]]


def outlines(path: str) -> Iterator[list[Point]]:
    """Yield each unbroken line of an SVG path as a list of points, with curves as short straight pieces."""
    line: list[Point] = []
    at: Point = (0.0, 0.0)
    start: Point = at
    bend: Point | None = None  # the last control point, which S and T mirror
    for command, numbers in _commands(path):
        step = command.upper()
        moved = at if command.islower() else (0.0, 0.0)
        if step == "M" and len(line) > 1:
            yield line
        if step == "M":
            at = start = (moved[0] + numbers[0], moved[1] + numbers[1])
            line = [at]
        elif step == "Z":
            if line:
                yield [*line, start] if line[-1] != start else line
            at, line = start, [start]
        elif step == "A":
            end = (moved[0] + numbers[5], moved[1] + numbers[6])
            line += _arc(at, end, numbers)
            at = end
        else:
            points, bend = _control(step, numbers, at, moved, bend)
            line += _bend([at, *points])
            at = points[-1]
            continue
        bend = None
    if len(line) > 1:
        yield line


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command of an SVG path with its numbers. A letter that stands for several commands is yielded with
    each."""
    command, numbers = "", list[float]()
    for letter, number in STEP.findall(path):
        if letter:
            command, numbers = letter, []
            if not TAKES[letter.upper()]:
                yield letter, []
        else:
            numbers.append(float(number))
            if len(numbers) == TAKES[command.upper()]:
                yield command, numbers
                numbers = []
                command = {"M": "L", "m": "l"}.get(command, command)


def _control(
    step: str, numbers: list[float], at: Point, moved: Point, bend: Point | None
) -> tuple[list[Point], Point | None]:
    """Return the points after `at` that define a line or curve, and the next command's control point or None. `step` is
    the SVG command in capitals. Its numbers count from `moved`; `bend` is the last control point."""
    if step == "H":
        return [(moved[0] + numbers[0], at[1])], None
    if step == "V":
        return [(at[0], moved[1] + numbers[0])], None
    points = [(moved[0] + x, moved[1] + y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    if step in {"S", "T"}:
        points.insert(0, (2 * at[0] - bend[0], 2 * at[1] - bend[1]) if bend else at)
    return points, points[-2] if len(points) > 1 else None


def _bend(points: list[Point]) -> list[Point]:
    """Return the points of a line or a Bézier curve, given its control points, without the first point."""
    if len(points) == 2:
        return points[1:]
    found = []
    for piece in range(1, PIECES + 1):
        share, level = piece / PIECES, points
        while len(level) > 1:
            level = [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in itertools.pairwise(level)]
        found.append(level[0])
    return found


def _arc(at: Point, end: Point, numbers: list[float]) -> list[Point]:
    """Return points on an arc from `at` to `end`, as SVG 1.1 computes it (F.6). `numbers` are those of the SVG command;
    the ellipse is upright."""
    across, down, _, large, sweep = numbers[:5]
    x, y = (at[0] - end[0]) / 2 / across, (at[1] - end[1]) / 2 / down
    scale = max(1.0, math.hypot(x, y))
    across, down, x, y = across * scale, down * scale, x / scale, y / scale
    root = math.sqrt(max(0.0, 1 / max(x * x + y * y, 1e-12) - 1)) * (-1 if large == sweep else 1)
    middle = (root * y, -root * x)
    begin, turn = math.atan2(y - middle[1], x - middle[0]), math.atan2(-y - middle[1], -x - middle[0])
    turn -= begin
    if sweep and turn < 0:
        turn += 2 * math.pi
    elif not sweep and turn > 0:
        turn -= 2 * math.pi
    cx, cy = (at[0] + end[0]) / 2 + middle[0] * across, (at[1] + end[1]) / 2 + middle[1] * down
    angles = [begin + turn * step / (2 * PIECES) for step in range(1, 2 * PIECES + 1)]
    return [(cx + across * math.cos(angle), cy + down * math.sin(angle)) for angle in angles]
