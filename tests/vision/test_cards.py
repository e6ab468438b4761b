"""Cards: found, turned upright, read, matched."""

from __future__ import annotations

import cv2
import numpy as np
import pytesseract
import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.vision.conftest import file_of
from vision import cards, read
from vision.cards import closest
from vision.games.tiny_towns import CARDS

PAPER, INK = (225, 205, 150), (40, 25, 15)


def card(title: str, rng: np.random.Generator) -> np.ndarray:
    """A card as the game has them: title, picture, white field with cubes, a line of rules."""
    sheet = Image.new("RGB", (420, 690), PAPER)
    pen = ImageDraw.Draw(sheet)
    pen.text((110, 38), title, font=ImageFont.load_default(46 if len(title) < 12 else 28), fill=INK)
    art = cv2.resize(rng.integers(0, 255, (9, 9, 3), np.uint8), (400, 260), interpolation=cv2.INTER_CUBIC)
    sheet.paste(Image.fromarray(art), (10, 110))
    pen.rectangle((45, 375, 375, 560), fill=(238, 238, 240), outline=(70, 40, 20), width=6)
    for k, tone in enumerate([(200, 50, 40), (240, 200, 60), (0, 110, 170)]):
        pen.rectangle((130 + 50 * k, 420, 175 + 50 * k, 465), fill=tone)
    return np.asarray(sheet)[:, :, ::-1].copy()


def table(titles: list[str], turns: list[float], paper_on_paper: bool = False) -> np.ndarray:
    """Cards on a table, each turned by so many degrees."""
    rng = np.random.default_rng(5)
    wide, high = 520 * len(titles) + 80, 760
    tone = np.array(PAPER[::-1] if paper_on_paper else (110, 90, 80), float)
    picture = np.clip(tone + rng.normal(0, 3, (high, wide, 1)), 0, 255).astype(np.uint8)
    for k, (title, turn) in enumerate(zip(titles, turns, strict=True)):
        frame = cv2.getRotationMatrix2D((210, 345), turn, 0.82)
        frame[:, 2] += np.array([300 + 520 * k, 380]) - [210, 345]
        sheet = cv2.warpAffine(card(title, rng), frame, (wide, high), flags=cv2.INTER_AREA)
        mask = cv2.warpAffine(np.full((690, 420), 255, np.uint8), frame, (wide, high))
        picture[mask > 128] = sheet[mask > 128]
    return picture


@pytest.mark.parametrize("turns", [[0, 90, 180], [270, 37, -160]])
def test_cards_are_read_whichever_way_they_lie(turns: list[float]) -> None:
    found, problems = cards.read_cards(table(["Granary", "Feast Hall", "Architect's Guild"], turns), CARDS)
    assert {c.id for c in found} == {"granary", "feast_hall", "architects_guild"}
    assert problems == []


def test_a_card_on_a_table_of_its_own_tone_is_found_by_its_white_field() -> None:
    found, _ = cards.read_cards(table(["Temple", "Bakery"], [0, 180], paper_on_paper=True), CARDS)
    assert {c.id for c in found} == {"temple", "bakery"}


def test_a_photo_of_cards_alone_is_no_failure() -> None:
    reading = read(file_of(table(["Orchard", "Well"], [10, 200])))
    assert reading.ok and {c.id for c in reading.cards} == {"orchard", "well"}


def test_without_tesseract_the_reading_says_so_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", "no-such-program")
    found, problems = cards.read_cards(table(["Well"], [0]), CARDS)
    assert found == [] and [p.code for p in problems] == ["no_tesseract"]
    assert problems[0].level == "warning"


def test_cards_on_a_board_are_not_looked_for() -> None:
    picture = table(["Well"], [0])
    everywhere = np.array([(0, 0), (600, 0), (600, 760), (0, 760)], float)
    assert cards.read_cards(picture, CARDS, [everywhere])[0] == []


@pytest.mark.parametrize(
    ("said", "known"),
    [("GRANARY", "granary"), ("Tradlng Post", "trading_post"), ("Feast Hal1", "feast_hall"), ("~ Well |", "well"),
     ("Architects Guild", "architects_guild"), ("The Sky Bath5", "the_sky_baths")],
)  # fmt: skip
def test_titles_are_matched_by_closeness(said: str, known: str) -> None:
    found, alike = closest(said, CARDS.titles)
    assert found == known and alike >= cards.LIMITS.close


@pytest.mark.parametrize("said", ["", "3 if fed", "adjacent to", "xqzzy", "1234"])
def test_other_words_are_no_titles(said: str) -> None:
    assert closest(said, CARDS.titles)[1] < cards.LIMITS.close


def test_all_forty_titles_are_known_and_each_is_closest_to_itself() -> None:
    assert len(CARDS.titles) == 40
    assert all(closest(name, CARDS.titles)[0] == known for known, name in CARDS.titles)
