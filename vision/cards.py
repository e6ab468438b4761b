"""Read cards in a photo by their patterns of coloured squares, their titles and the signs on their banners.

A pattern can be seen from far and from any side, so it is found first. It says how the card lies and which cards it may
be. Then the title is read at its place, and the sign's colour is compared. Two of the three must agree, unless the
pattern is clear, has at least three squares and belongs to one card only. If several patterns are possible, the title
must be read. Without tesseract no titles are read, and people are asked what only a title tells.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

import cv2
import numpy as np
import pytesseract
from numpy.typing import NDArray

from scorer.contract import Problem
from vision.contract import Cards, Title
from vision.patterns import Field, Known, patterns, seen, squares_in, ways, whiteness
from vision.problems import problem
from vision.reading import Card
from vision.rectify import Floats, Image


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the thresholds for reading cards."""

    close: float = 0.74  # how alike a line and a title must be
    hinted: float = 0.5  # if the pattern admits no other title
    certain: float = 0.9
    ahead: float = 0.12  # how much more alike than to the next title that the pattern admits
    sign: float = 0.02  # of the banner, that its sign covers at least
    tone: float = 0.5  # how far a sign's colour may be from the known one
    paper: float = 0.4  # of the banner, bare if its sign can't be distinguished from it
    few: int = 2  # squares that chance can lay beside each other, so that the title must be read
    enlarged: int = 1600  # pixels along the longer side of a picture, at least
    most: int = 24  # cards looked at in one picture
    patience: float = 6.0  # seconds for tesseract to read all titles of a picture


LIMITS = Limits()
os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # for a line or two, threads cost tesseract more than they save
# Pixels in which titles and banners are laid flat, a field's height being 1.
GRAIN = 260
LETTERS = (0.06, 0.36)  # how high a letter may be
# What else is on a banner, over the field's colour.
PAPER, SCROLL, WHITE = (0.95, 0.80, 0.45), (0.44, 0.27, 0.16), (1.0, 1.0, 1.0)


def is_available() -> bool:
    return shutil.which(pytesseract.pytesseract.tesseract_cmd) is not None


def read_cards(picture: Image, known: Cards, boards: Sequence[Floats] = ()) -> tuple[list[Card], list[Problem]]:
    """Return the cards in `known` that a picture shows, and a problem if tesseract, which reads titles, is missing. The
    picture is in blue, green, red. `boards` has the four corners of each board; nothing within them counts."""
    larger = max(1.0, LIMITS.enlarged / max(picture.shape[:2]))
    if larger > 1:
        picture = np.asarray(cv2.resize(picture, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC), np.uint8)
        boards = [board * larger for board in boards]
    fields = [field for field in patterns(picture, Known(known.patterns.values())) if not _on_any(boards, field)]
    suspects = [_Suspect(picture, way, known) for field in fields[: LIMITS.most] for way in ways(field)]
    if not suspects:
        return [], []
    lines = _titles([suspect.title for suspect in suspects]) if is_available() else []
    cards: dict[str, Card] = {}
    for number, suspect in enumerate(suspects):
        card = suspect.card(lines[number] if lines else [])
        if card and (card.id not in cards or cards[card.id].confidence < card.confidence):
            cards[card.id] = card
    found = [replace(card, box=tuple((x / larger, y / larger) for x, y in card.box)) for card in cards.values()]
    found.sort(key=lambda card: (card.box[0][1], card.box[0][0]))
    return found, [] if is_available() else [problem("no_tesseract")]


def _on_any(boards: Sequence[Floats], field: Field) -> bool:
    middle = tuple(map(float, field.corners.mean(axis=0)))
    return any(cv2.pointPolygonTest(board.astype(np.float32), middle, False) >= 0 for board in boards)


class _Suspect:
    """Represent a pale field with a pattern of coloured squares, and the cards that it may belong to."""

    def __init__(self, picture: Image, field: Field, known: Cards) -> None:
        self.known, self.field = known, field
        self.ids = [card for card, rows in known.patterns.items() if rows in (field.rows, *field.others)]
        # Over so short a way a card is seen without perspective; a field's own would be drawn too far out.
        unit = np.array([(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)], float)
        self.frame = np.linalg.lstsq(unit, field.corners, rcond=None)[0]
        self.title = self._part(picture, known.title)
        self.colours = self._signs(self._part(picture, known.banner)[:, :, ::-1] / whiteness(picture, field.corners))

    def _part(self, picture: Image, box: tuple[float, float, float, float]) -> Image:
        """Return the part of the card within `box` (left, top, right, bottom) as if seen from straight above.

        The box is measured in widths and heights of the card's pale field.
        """
        left, top, right, bottom = box
        corners = self._placed(((left, top), (right, top), (right, bottom), (left, bottom)))
        size = round((right - left) * GRAIN * self.known.field), round((bottom - top) * GRAIN)
        target = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
        frame = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
        return np.asarray(
            cv2.warpPerspective(picture, frame, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def _placed(self, points: Sequence[tuple[float, float]]) -> Floats:
        return np.asarray(np.hstack([np.array(points, float), np.ones((len(points), 1))]) @ self.frame)

    def _signs(self, tones: Floats) -> frozenset[str]:
        """Return the colours of the signs on the card's banner.

        `tones` are the banner's pixels, divided by the colour of the card's pale field.
        """
        small = np.asarray(cv2.resize(tones.astype(np.float32), (48, 48), interpolation=cv2.INTER_AREA), float)
        light, colour = self.field.strength

        def apart(tone: tuple[float, float, float]) -> Floats:
            return np.asarray(np.linalg.norm(seen(small) - seen(np.array(tone)) * (light, colour, colour), axis=2))

        paper, scroll, white = (apart(tone) for tone in (PAPER, SCROLL, WHITE))
        bare = np.minimum(np.minimum(paper, scroll), white)
        least = LIMITS.sign * bare.size
        signs = {sign: apart(tone) for sign, tone in self.known.signs.items()}
        shown = {sign for sign, far in signs.items() if _largest_spot((far < bare) & (far < LIMITS.tone)) >= least}
        if not shown and _largest_spot(scroll == bare) >= least:  # a scroll, and nothing seen on it
            shown = {self.known.faint} if (paper == bare).mean() > LIMITS.paper else shown
        return frozenset(shown)

    def card(self, lines: Sequence[str]) -> Card | None:
        """Return the card that pattern, title and banner agree on, or None if they leave it open. `lines` are the lines
        of text read at the title's place."""
        title, alike, line = self._read(lines)
        shown = [card for card in self.ids if self.known.colours[card] in self.colours]
        box = tuple((float(x), float(y)) for x, y in self._placed(self.known.around_field))
        if title in self.ids:
            return Card(title, line, max(alike, 0.95 if title in shown else 0.0), box)
        if title and self.known.colours[title] in self.colours and not shown:
            return Card(title, line, alike, box)  # a square was taken for another
        if squares_in(self.field.rows) > LIMITS.few and not title and not self.field.others:
            if len(shown) == 1:
                return Card(shown[0], "", min(0.95, 0.5 + self.field.confidence), box)
            if len(self.ids) == 1 and self.field.is_clear and not self.colours:
                return Card(self.ids[0], "", min(0.8, 0.4 + self.field.confidence), box)
        return None

    def _read(self, lines: Sequence[str]) -> tuple[str, float, str]:
        """Find the card whose title is most like one of the `lines` of text. Return its id, the likeness (0 to 1), and
        that line. If no title is similar enough, the id is ""."""
        best = ("", 0.0, "")
        for line in lines:
            admitted = sorted(((likeness(line, self._name(card)), card) for card in self.ids), reverse=True)
            alike, card = admitted[0]
            ahead = alike - (admitted[1][0] if len(admitted) > 1 else 0.0)
            needed = LIMITS.hinted if len(admitted) == 1 else LIMITS.close
            if alike >= needed and ahead >= LIMITS.ahead and alike > best[1]:
                best = (card, alike, line)
        if best[0]:
            return best
        for line in lines:
            card, alike = closest(line, self.known.titles)
            if alike >= LIMITS.certain and alike > best[1]:
                best = (card, alike, line)
        return best

    def _name(self, card: str) -> str:
        return dict(self.known.titles)[card]


def _largest_spot(mask: NDArray[np.bool_]) -> int:
    """Return the number of pixels of the largest spot in a mask; spots that touch its edge do not count."""
    high, wide = mask.shape
    count, _, parts, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    within = [
        size
        for left, top, across, down, size in parts[1:count]
        if left > 0 and top > 0 and left + across < wide and top + down < high
    ]
    return int(max(within, default=0))


def _titles(parts: Sequence[Image]) -> list[list[str]]:
    """Return the lines of text that tesseract reads on each of `parts`, pictures of titles; no lines if it fails. It
    runs once for all pictures, as starting it takes long."""
    strips = [strip for part in parts for strip in [_line_of_writing(part)]]
    with tempfile.TemporaryDirectory(prefix="tidemark-") as folder:
        names = []
        for number, strip in enumerate(strips):
            names.append(str(Path(folder) / f"{number}.png"))
            cv2.imwrite(names[-1], strip)
        table = Path(folder) / "titles.txt"
        table.write_text("\n".join(names), "utf-8")
        try:
            read = pytesseract.image_to_string(str(table), config="--psm 7", timeout=LIMITS.patience)
        except (RuntimeError, OSError, pytesseract.TesseractError):
            return [[] for _ in parts]
    pages = [[line.strip() for line in page.splitlines() if len(line.strip()) >= 3] for page in read.split("\f")]
    return [*pages, *([] for _ in parts)][: len(parts)]


def _line_of_writing(part: Image) -> Image:
    """Return the line of text cut out of `part`, a picture of a title. If none is found, return the whole picture in
    grey."""
    grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
    soft = cv2.GaussianBlur(grey, (0, 0), GRAIN / 160)
    across = round(GRAIN * 0.14) | 1
    ink = cv2.morphologyEx(soft, cv2.MORPH_BLACKHAT, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across)))
    level, _ = cv2.threshold(ink, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    count, _, parts, _ = cv2.connectedComponentsWithStats((ink > max(16.0, level)).astype(np.uint8))
    letters = [
        box for box in parts[1:count] if LETTERS[0] * GRAIN < box[3] < LETTERS[1] * GRAIN and box[2] < 0.9 * GRAIN
    ]
    row = max((_in_row(box, letters) for box in letters), key=lambda row: _weight(row, grey), default=[])
    if not row:
        return np.asarray(grey, np.uint8)
    margin = round(GRAIN * 0.05)
    left, top = (max(0, min(box[k] for box in row) - margin) for k in (0, 1))
    right, bottom = (max(box[k] + box[k + 2] for box in row) + margin for k in (0, 1))
    line = cv2.normalize(grey[top:bottom, left:right], np.empty(0), 0, 255, cv2.NORM_MINMAX)
    paper = int(np.percentile(line, 75))
    framed = cv2.copyMakeBorder(line, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=paper)
    return np.asarray(cv2.resize(framed, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA), np.uint8)


def _in_row(first: Floats, letters: Sequence[Floats]) -> list[Floats]:
    """Return those boxes of `letters` whose middle is at about the same height as that of the box `first`. The order
    stays the same, and `first` is included if it is one of them."""
    height = first[1] + first[3] / 2
    return [box for box in letters if abs(box[1] + box[3] / 2 - height) < 0.11 * GRAIN]


def _weight(row: Sequence[Floats], grey: Image) -> float:
    """Return a number that says how much a row of letters looks like a title; the highest wins. A title is long, on
    light ground, and at half the height of the picture `grey`. `row` has the letters' boxes in that picture: x, y,
    width and height."""
    top, bottom = min(box[1] for box in row), max(box[1] + box[3] for box in row)
    left, right = min(box[0] for box in row), max(box[0] + box[2] for box in row)
    ground = float(np.percentile(grey[top:bottom, left:right], 80)) / 255
    off = abs((top + bottom) / 2 - grey.shape[0] / 2) / grey.shape[0]
    return float(sum(float(box[2]) for box in row) * ground**2 * (1 - 1.6 * off))


def closest(text: str, titles: Sequence[Title]) -> tuple[str, float]:
    """Return the id of the title most like the text, and the likeness from 0 to 1."""
    alike, known = max(((likeness(text, name), known) for known, name in titles), default=(0.0, ""))
    return known, alike


def likeness(text: str, title: str) -> float:
    """Return the likeness of a text and a title from 0 to 1; extra letters around the title hardly count."""
    said, name = _plain(text), _plain(title)
    if not said or not name:
        return 0.0
    whole = SequenceMatcher(None, said, name, autojunk=False).ratio()
    if len(said) > 1.7 * len(name) + 2:
        return whole  # a sentence that speaks of the building
    parts = [said[i : i + len(name)] for i in range(len(said) - len(name) + 1)] if len(name) >= 4 else []
    within = max((SequenceMatcher(None, part, name, autojunk=False).ratio() for part in parts), default=0.0)
    return max(whole, within * (0.97 if len(name) >= 6 else 0.9))


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
