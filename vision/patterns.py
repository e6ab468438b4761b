"""Find patterns of coloured squares on a pale field, flatten them and read them square by square.

A card shows the cubes that a building needs as a few squares on a pale field. Their colours are compared with the
field's, since a lamp tints both in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import cv2
import numpy as np

from vision import fields
from vision.rectify import Floats, Image

Shape = tuple[int, int]  # rows and columns
Box = tuple[int, int, int, int]  # left, top, right and bottom
Rows = tuple[str, ...]  # a pattern: a letter for each square, "." where there is none
NOTHING = "."


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the thresholds for finding and reading patterns."""

    dark: float = 0.13  # how much darker than the field a square is, or how much more coloured
    speck: float = 0.006  # of the field, that is no square
    clean: float = 0.85  # of the field around the pattern that must be pale
    even: float = 0.13  # how much a colour varies within a square
    near: float = 0.6  # how far the colours of a pattern may be from the known ones, over their strength
    apart: float = 1.1  # how much farther the next pattern must be
    clear: tuple[float, float] = (0.33, 1.3)  # the same for a pattern that needs no other witness
    strengths: tuple[float, float] = (0.3, 2.4)  # that tone curves may give light and colour
    usual: float = 0.004  # what an unusual strength counts against a pattern
    squares: int = 4  # most squares along a pattern
    wider: float = 1.1  # what is laid flat, over the sheet: its edge is often seen within


LIMITS = Limits()
SIDE = 144  # pixels along a field laid flat
# Squares are as high as wide: what a square takes of the field's width, over what it takes of its height.
SQUARE = (0.3, 0.72)
PITCH = (0.09, 0.28)  # of the field's width
CENTRE = 0.16  # how far from the field's middle the pattern's may be
# Colours of the squares over the colour of the field, as photographs show them: wood, wheat, brick, glass, stone.
TONES: Mapping[str, tuple[float, float, float]] = {
    "w": (0.38, 0.29, 0.24),
    "h": (1.00, 0.82, 0.38),
    "b": (0.95, 0.40, 0.34),
    "g": (0.27, 0.52, 0.62),
    "s": (0.78, 0.74, 0.66),
    NOTHING: (1.0, 1.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class Field:
    """Hold a card's pale field and the pattern on it; the corners are clockwise from the upper left."""

    corners: Floats
    rows: Rows
    confidence: float
    strength: tuple[float, float]  # of light and of colour, over the usual
    is_clear: bool = False  # as near to its pattern and as far from others as in usual light
    others: tuple[Rows, ...] = ()  # patterns of this shape that it may show as well


@dataclass(frozen=True, slots=True)
class Match:
    """Hold a known pattern that squares show, with its confidence. `strength` has two factors by which it differs from
    the usual: that of its light and that of its colours."""

    rows: Rows
    confidence: float
    strength: tuple[float, float]
    is_clear: bool
    others: tuple[Rows, ...] = ()


def patterns(picture: Image, known: Known) -> list[Field]:
    """Return the pale fields of cards that show a `known` pattern, the right way up. The picture is in blue, green,
    red."""
    found: list[Field] = []
    for corners in fields.sheets(picture):
        field = read_field(picture, corners, known)
        if field:
            found.append(field)
    return _distinct(found)


def _distinct(found: Sequence[Field]) -> list[Field]:
    """Return the fields without those that overlap another one of higher confidence."""
    kept: list[Field] = []
    for field in sorted(found, key=lambda one: -one.confidence):
        if not any(_overlap(field.corners, other.corners) for other in kept):
            kept.append(field)
    return kept


def _overlap(one: Floats, other: Floats) -> bool:
    shared, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return bool(shared > 0.3 * min(cv2.contourArea(c.astype(np.float32)) for c in (one, other)))


def read_field(picture: Image, corners: Floats, known: Known) -> Field | None:
    """Return the printed field of squares on a card, or None. `corners` are those of a sheet in the picture, which must
    be pale and show a `known` pattern."""
    flat = laid_flat(picture, corners.mean(axis=0) + (corners - corners.mean(axis=0)) * LIMITS.wider)
    white = _white(flat)
    if white is None:
        return None
    tones = flat / white
    for box in _boxes(tones):
        read = [
            Field(np.roll(corners, -turn - half, axis=0), **asdict(match))
            for turn in (0, 1)
            for shape, squares in _readings(np.rot90(tones, turn), box if turn == 0 else _turned(box))
            for half, way in ((0, squares), (2, squares[::-1]))
            if (match := known.closest(shape, way))
        ]
        if read:
            return max(read, key=lambda field: field.confidence)
    return None


def laid_flat(picture: Image, corners: Floats) -> Floats:
    """Return the sheet with these corners, stretched to a square picture, in red, green, blue."""
    target = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32)
    frame = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    flat = cv2.warpPerspective(picture, frame, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat[:, :, ::-1], float)


def whiteness(picture: Image, corners: Floats) -> Floats:
    """Return the colour of a card's pale field, in red, green, blue, measured near the edges between these corners. If
    that is not pale, return white."""
    white = _white(laid_flat(picture, corners))
    return np.full(3, 255.0) if white is None else white


def ways(field: Field) -> list[Field]:
    """Return a list of the field, and its copy turned upside down if the pattern is the same both ways."""
    turned = replace(field, corners=np.roll(field.corners, -2, axis=0))
    return [field, turned] if _upside_down(field.rows) == field.rows else [field]


def squares_in(rows: Rows) -> int:
    return sum(letter != NOTHING for row in rows for letter in row)


def _white(flat: Floats) -> Floats | None:
    """Return the colour of a flattened field, measured along its rim, or None if the rim is not pale."""
    outer, inner = SIDE // 16, SIDE // 6
    rim = np.ones((SIDE, SIDE), bool)
    rim[:outer], rim[-outer:], rim[:, :outer], rim[:, -outer:] = False, False, False, False
    rim[inner:-inner, inner:-inner] = False
    pixels = flat[rim]
    light = pixels.sum(axis=1)
    white = np.median(pixels[light >= np.median(light)], axis=0)
    return np.asarray(white) if white.min() >= fields.LIMITS.pale else None


def _boxes(tones: Floats) -> Iterator[Box]:
    """Yield at most two boxes (left, top, right, bottom) around the pattern on a pale field. The second one ignores
    what is at the rim. `tones` are the field's pixels, divided by its pale colour."""
    mean = tones.mean(axis=2)
    coloured = np.abs(tones - mean[:, :, None]).max(axis=2)
    mask = ((1 - mean > LIMITS.dark) | (coloured > LIMITS.dark)).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    rim = round(SIDE * (1 - 1 / LIMITS.wider) / 2)
    for reach in (0, rim + 2):
        if reach:
            mask[:reach], mask[-reach:], mask[:, :reach], mask[:, -reach:] = 0, 0, 0, 0
        box = _box(mask, max(rim, reach - 1))
        if box:
            yield box


def _box(mask: Image, rim: int) -> Box | None:
    """Return the box around all large spots in `mask`, or None. It has left, top, right and bottom in pixels of the
    field. Spots below `LIMITS.speck` or within `rim` pixels of the edge don't count. It is None if the box is not
    near the middle, or much of the field around it is marked."""
    count, _, parts, _ = cv2.connectedComponentsWithStats(mask)
    left, top, wide, high, size = parts[1:count].T
    held = (left > rim) & (top > rim) & (left + wide < SIDE - rim) & (top + high < SIDE - rim)
    inside = held & (size > LIMITS.speck * SIDE * SIDE) if rim < SIDE // 14 else size > LIMITS.speck * SIDE * SIDE
    if not inside.any():
        return None
    x, y = left[inside].min(), top[inside].min()
    right, bottom = (left + wide)[inside].max(), (top + high)[inside].max()
    if max(abs(x + right - SIDE), abs(y + bottom - SIDE)) > 2 * CENTRE * SIDE:
        return None
    around = np.ones((SIDE, SIDE), bool)
    around[y:bottom, x:right] = False
    edge = SIDE // 12
    around[:edge], around[-edge:], around[:, :edge], around[:, -edge:] = False, False, False, False
    if not around.any() or (mask[around] == 0).mean() < LIMITS.clean:
        return None
    return int(x), int(y), int(right), int(bottom)


def _turned(box: Box) -> Box:
    """Return the box as it lies after a quarter turn of the field (SIDE x SIDE pixels) to the left."""
    left, top, right, bottom = box
    return top, SIDE - right, bottom, SIDE - left


def _upside_down(rows: Rows) -> Rows:
    return tuple(row[::-1] for row in reversed(rows))


def _readings(tones: Floats, box: Box) -> Iterator[tuple[Shape, Floats]]:
    """Yield each way to divide `box` into equal squares: rows and columns, and the squares' colours. `tones` are the
    field's pixels, divided by its pale colour; the colours are as `seen` returns them."""
    left, top, right, bottom = box
    for down in range(1, LIMITS.squares):
        for across in range(1, LIMITS.squares + 1):
            wide, high = (right - left) / across, (bottom - top) / down
            if SQUARE[0] < wide / high < SQUARE[1] and PITCH[0] * SIDE < wide < PITCH[1] * SIDE:
                places = [(left + wide * j, top + high * i) for i in range(down) for j in range(across)]
                squares = [_middle(tones, x, y, wide, high) for x, y in places]
                if all(pixels.std(axis=0).max() <= LIMITS.even for pixels in squares):
                    yield (down, across), seen(np.array([np.median(pixels, axis=0) for pixels in squares]))


def _middle(tones: Floats, x: float, y: float, wide: float, high: float) -> Floats:
    """Return the pixels of a square without its edges; its upper left corner is at `x`, `y`."""
    rows = slice(int(y + 0.28 * high), int(np.ceil(y + 0.72 * high)))
    return tones[rows, int(x + 0.28 * wide) : int(np.ceil(x + 0.72 * wide))].reshape(-1, 3)


def seen(tones: Floats) -> Floats:
    """Return three numbers for each colour, in which hue counts more than brightness, as it does for an eye. The last
    axis of `tones` is red, green and blue, divided by the colour of the card's pale field."""
    logs = np.log(np.clip(tones, 0.1, 1.2))
    red, green, blue = logs[..., 0], logs[..., 1], logs[..., 2]
    return np.stack([0.2 * (red + green + blue), red - green, 0.7 * (green - blue)], axis=-1)


class Known:
    """Hold the patterns to find, by their numbers of rows and columns.

    A phone may make all colours stronger or weaker together. So a pattern is compared as a whole, after its light and
    colour are scaled to fit best.
    """

    def __init__(self, patterns: Iterable[Rows]) -> None:
        letters = {letter: seen(np.array(tone)) for letter, tone in TONES.items()}
        self.rows: dict[Shape, list[Rows]] = {}
        for rows in sorted(set(patterns)):
            self.rows.setdefault((len(rows), len(rows[0])), []).append(rows)
        self.tones = {
            shape: np.array([[letters[letter] for letter in "".join(one)] for one in rows])
            for shape, rows in self.rows.items()
        }

    def closest(self, shape: Shape, squares: Floats) -> Match | None:
        """Return the known pattern that these squares show, or None if none is similar enough. `shape` is its number of
        rows and columns; `squares` has the colour of each square as `seen` returns it. If others are almost as
        similar, the first must be very similar, and the result names the rest in `others`."""
        if shape not in self.rows:
            return None
        known = self.tones[shape]
        strength = np.stack(
            [_fit(squares[None, :, :1], known[:, :, :1]), _fit(squares[None, :, 1:], known[:, :, 1:])], axis=1
        )
        scaled = known * strength[:, None, [0, 1, 1]]
        unlikely = LIMITS.usual * (np.log(strength) ** 2).sum(axis=1)
        apart = np.sqrt(((squares[None] - scaled) ** 2).sum(axis=2).mean(axis=1) + unlikely)
        apart /= np.sqrt((scaled**2).sum(axis=2).mean(axis=1))  # faint stains resemble any pattern, but none much
        best = int(apart.argmin())
        second = float(np.partition(apart, 1)[1]) if len(apart) > 1 else 1.0
        nearest = float(apart[best])
        as_near = apart < LIMITS.apart * nearest
        if nearest > (LIMITS.clear[0] if as_near.sum() > 1 else LIMITS.near):
            return None
        is_clear = nearest <= LIMITS.clear[0] and second >= LIMITS.clear[1] * nearest
        told = float(strength[best, 0]), float(strength[best, 1])
        others = tuple(self.rows[shape][i] for i in np.flatnonzero(as_near) if i != best)
        return Match(self.rows[shape][best], 1 - nearest / second, told, is_clear, others)


def _fit(shown: Floats, known: Floats) -> Floats:
    """Return a factor for each of the patterns in `known`, within `LIMITS.strengths`. Times this factor, the colours of
    the pattern come nearest to the colours `shown`."""
    strength = (shown * known).sum(axis=(1, 2)) / np.maximum((known**2).sum(axis=(1, 2)), 1e-9)
    return np.asarray(np.clip(strength, *LIMITS.strengths))
