"""Cards in a photo: found as oblong sheets, turned upright, their words read by tesseract, matched to the known titles.

A card's own edge is pale on a pale table, so a white field that every card carries counts as well: from it follows
where the card must lie. Without tesseract installed this part says so and everything else works.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from time import monotonic

import cv2
import numpy as np
import pytesseract

from scorer.contract import Problem
from scorer.sentences import say
from vision.contract import Cards, Title
from vision.reading import Card
from vision.rectify import Floats, Image


@dataclass(frozen=True, slots=True)
class Limits:
    """Thresholds of this stage."""

    slim: tuple[float, float] = (1.25, 2.3)  # long side over short side, as the lens may show it
    smallest: float = 0.0015  # of the picture
    largest: float = 0.95
    sharp: float = 45.0  # pixels along the short side below which no title can be read
    close: float = 0.74  # how alike a line and a title must be
    certain: float = 0.9
    short: int = 5  # letters of a title that chance can spell, so that only a certain match counts
    most: int = 40  # sheets looked at in one picture
    patience: float = 4.0  # seconds for one run of tesseract
    budget: float = 12.0  # seconds for all of them, if somebody asked for the cards
    glance: float = 2.0  # if nobody did


LIMITS = Limits()
os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # for a line or two, threads cost tesseract more than they save
NO_TESSERACT = Problem(
    "no_tesseract",
    say("Cards were not read, because tesseract is not installed here. Choose the cards by hand."),
    level="warning",
)


def is_available() -> bool:
    return shutil.which(pytesseract.pytesseract.tesseract_cmd) is not None


def read_cards(
    picture: Image, known: Cards, boards: Sequence[Floats] = (), budget: float = LIMITS.budget
) -> tuple[list[Card], list[Problem]]:
    """The known cards whose titles can be read within `budget` seconds; `picture` in blue, green, red.

    Nothing on the `boards` is a card.
    """
    if not is_available():
        return [], [NO_TESSERACT]
    until = monotonic() + budget
    cards: list[Card] = []
    for sheet in sheets(picture)[: LIMITS.most]:
        if monotonic() > until:
            break
        if any(_covers(board, sheet) for board in boards) or any(_covers(np.array(c.box), sheet) for c in cards):
            continue
        card = _card(picture, sheet, known)
        if card:
            cards = [c for c in cards if c.id != card.id or c.confidence > card.confidence]
            cards += [card] if card.id not in {c.id for c in cards} else []
    return sorted(cards, key=lambda card: (card.box[0][1], card.box[0][0])), []


def sheets(picture: Image) -> list[Floats]:
    """Corners, clockwise, of what may be a card or its white field, the largest first."""
    found: list[Floats] = []
    area = picture.shape[0] * picture.shape[1]
    for mask in _outlines(picture):
        outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            hull = cv2.convexHull(outline)
            size = cv2.contourArea(hull)
            if not LIMITS.smallest * area < size < LIMITS.largest * area:
                continue
            corners = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(float)
            # A hull much larger than its outline is a heap of edges, not a sheet.
            if len(corners) == 4 and _is_slim(corners) and cv2.contourArea(outline) > 0.8 * size:
                found.append(_clockwise(corners))
    kept: list[Floats] = []
    for corners in sorted(found, key=lambda c: -cv2.contourArea(c.astype(np.float32))):
        if not any(_same(corners, other) for other in kept):
            kept.append(corners)
    return kept


def _outlines(picture: Image) -> Iterator[Image]:
    """Masks whose outlines may be those of cards: edges, and what is brighter than its surroundings."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.2)
    kernel = np.ones((3, 3), np.uint8)
    for low, high in ((20, 60), (60, 150)):
        yield np.asarray(cv2.dilate(cv2.Canny(grey, low, high), kernel), np.uint8)
    _, bright = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield np.asarray(bright, np.uint8)
    for share, above in ((6, -4), (12, -14)):
        block = max(picture.shape[:2]) // share | 1
        local = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, above)
        yield np.asarray(cv2.morphologyEx(local, cv2.MORPH_OPEN, kernel), np.uint8)


def _clockwise(corners: Floats) -> Floats:
    return corners if cv2.contourArea(corners.astype(np.float32), True) > 0 else np.asarray(corners[::-1])


def _sides(corners: Floats) -> tuple[float, float]:
    """The mean lengths of the two pairs of opposite sides, the first side's pair first."""
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(lengths[0::2].mean()), float(lengths[1::2].mean())


def _is_slim(corners: Floats) -> bool:
    short, long = sorted(_sides(corners))
    return short >= LIMITS.sharp and LIMITS.slim[0] <= long / short <= LIMITS.slim[1]


def _shared(corners: Floats, other: Floats) -> float:
    return float(cv2.intersectConvexConvex(corners.astype(np.float32), other.astype(np.float32))[0])


def _same(corners: Floats, other: Floats) -> bool:
    return _shared(corners, other) > 0.8 * max(cv2.contourArea(c.astype(np.float32)) for c in (corners, other))


def _covers(outer: Floats, inner: Floats) -> bool:
    return _shared(outer, inner) > 0.6 * cv2.contourArea(inner.astype(np.float32))


def _card(picture: Image, sheet: Floats, known: Cards) -> Card | None:
    """The card that this sheet is, or whose white field it is, whichever way it lies."""
    narrow = sheet if _sides(sheet)[0] < _sides(sheet)[1] else np.roll(sheet, -1, axis=0)
    frames = [narrow, np.roll(narrow, -2, axis=0)]
    uprights = [_upright(picture, frame, known.upright) for frame in frames]
    if _is_white(uprights[0]):
        wide = np.roll(narrow, -1, axis=0)
        frames = [_around_field(field, known) for field in (wide, np.roll(wide, -2, axis=0))]
        uprights = [_upright(picture, frame, known.upright) for frame in frames]
    best: Card | None = None
    for upright, frame in zip(uprights, frames, strict=True):
        best = _surer(best, _matched(_words(upright[: known.title_rows], 6), known.titles, frame))
        if best and best.confidence >= LIMITS.certain:
            return best
    for upright in (*uprights, *(np.rot90(u).copy() for u in uprights)):
        if best is None:
            best = _matched(_words(np.asarray(upright, np.uint8), 11), known.titles, narrow)
    return best


def _surer(one: Card | None, other: Card | None) -> Card | None:
    return max((card for card in (one, other) if card), key=lambda card: card.confidence, default=None)


def _matched(lines: Sequence[str], titles: Sequence[Title], frame: Floats) -> Card | None:
    """The best match of any line to any title."""
    box = tuple((float(x), float(y)) for x, y in frame)
    best: Card | None = None
    for line in lines:
        known, alike = closest(line, titles)
        short = len(dict(titles).get(known, "")) <= LIMITS.short
        if alike >= (LIMITS.certain if short else LIMITS.close):
            best = _surer(best, Card(known, line, alike, box))
    return best


def _is_white(upright: Image) -> bool:
    """Pale for the most part, as the field is on which a card shows its cubes."""
    colours = cv2.cvtColor(cv2.resize(upright, (32, 32), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2HSV)
    return bool(np.median(colours[..., 1]) < 70 and np.median(colours[..., 2]) > 120)


def _around_field(field: Floats, known: Cards) -> Floats:
    """The corners of the card around its white field."""
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    plane = cv2.getPerspectiveTransform(unit, field.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(np.array([known.around_field]), plane)[0])


def _upright(picture: Image, corners: Floats, size: tuple[int, int]) -> Image:
    wide, high = size
    target = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    frame = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    warped = cv2.warpPerspective(picture, frame, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def _words(part: Image, layout: int) -> list[str]:
    """Lines of words, as tesseract reads them with one of its page layouts."""
    grey = cv2.createCLAHE(2.0, (4, 4)).apply(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY))
    try:
        read = pytesseract.image_to_string(grey, config=f"--psm {layout}", timeout=LIMITS.patience)
    except (RuntimeError, OSError, pytesseract.TesseractError):
        return []
    return [line.strip() for line in read.splitlines() if len(line.strip()) >= 3]


def closest(text: str, titles: Sequence[Title]) -> tuple[str, float]:
    """The id of the title most like the text, and how alike they are (0 to 1)."""
    said = _plain(text)
    alike, known = max(((_alike(said, _plain(name)), known) for known, name in titles), default=(0.0, ""))
    return known, alike


def _alike(said: str, name: str) -> float:
    """How alike; a little of what tesseract made of the picture around a title does not count against it."""
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
