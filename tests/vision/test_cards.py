"""Cards: found by their patterns, turned upright, read, matched."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytesseract
import pytest

from tests.vision.conftest import file_of
from vision import cards, disturb, read
from vision.cards import closest
from vision.games.tiny_towns import CARDS
from vision.patterns import LIMITS, TONES, Known, seen, squares_in
from vision.training.cards import painted, table

MIXED = ["granary", "feast_hall", "architects_guild", "well", "chapel", "bakery", "trading_post", "cottage"]


def laid(names: list[str], seed: int = 3, size: tuple[int, int] = (1800, 1350)) -> np.ndarray:
    return table(np.random.default_rng(seed), names, CARDS, size)[0]


def ids(picture: np.ndarray) -> set[str]:
    return {card.id for card in cards.read_cards(picture, CARDS)[0]}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cards_are_read_whichever_way_they_lie(seed: int) -> None:
    found, problems = cards.read_cards(laid(MIXED, seed), CARDS)
    assert {card.id for card in found} == set(MIXED)
    assert problems == []


def test_a_card_is_told_where_it_lies() -> None:
    picture, [corners] = table(np.random.default_rng(5), ["granary"], CARDS, (1200, 900))
    [card] = cards.read_cards(picture, CARDS)[0]
    side = np.linalg.norm(corners[0] - corners[1])
    assert np.abs(np.array(card.box) - corners).max() < 0.25 * side


@pytest.mark.parametrize(
    "kind", ["JPEG quality 40", "cool light", "warm light", "gamma 0.5", "contrast x 0.6", "saturation x 0.4",
             "exposure x 0.4", "turned 45 degrees", "noisy"],
)  # fmt: skip
def test_no_light_makes_one_card_another(kind: str) -> None:
    seen_so = ids(disturb.KINDS[kind](laid(MIXED), np.random.default_rng(1))[0])
    assert seen_so <= set(MIXED)
    assert len(seen_so) >= 6


def test_greys_look_alike_but_for_their_titles() -> None:
    assert ids(laid(["well", "fountain", "shed", "millstone"])) == {"well", "fountain", "shed", "millstone"}


def test_a_pattern_that_is_the_same_upside_down_is_read_from_both_ends() -> None:
    assert [row[::-1] for row in reversed(CARDS.patterns["vegetable_patch"])] == list(CARDS.patterns["vegetable_patch"])
    for seed in range(4):
        assert ids(laid(["vegetable_patch"], seed, (900, 700))) == {"vegetable_patch"}


def test_without_tesseract_patterns_and_banners_are_enough_but_for_the_greys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", "no-such-program")
    found, problems = cards.read_cards(laid(MIXED), CARDS)
    assert {card.id for card in found} == set(MIXED) - {"well"}
    assert [problem.code for problem in problems] == ["no_tesseract"]
    assert problems[0].level == "warning"


def test_a_photo_of_cards_alone_is_no_failure() -> None:
    reading = read(file_of(laid(["orchard", "theater"])))
    assert reading.ok and {card.id for card in reading.cards} == {"orchard", "theater"}


def test_cards_can_be_left_out() -> None:
    reading = read(file_of(laid(["orchard"])), cards=False)
    assert reading.cards == [] and "cards" not in reading.stages


def test_cards_on_a_board_are_not_looked_for() -> None:
    everywhere = np.array([(0, 0), (1800, 0), (1800, 1350), (0, 1350)], float)
    assert cards.read_cards(laid(MIXED), CARDS, [everywhere])[0] == []


def field_alone(card: str) -> np.ndarray:
    """Return a picture of a card's field and nothing else of it."""
    sheet = painted(np.random.default_rng(1), card, CARDS)
    field = sheet[round(sheet.shape[0] * 0.55) : round(sheet.shape[0] * 0.85)]
    picture = np.full((900, 1200, 3), 90, np.uint8)
    picture[300 : 300 + field.shape[0], 400 : 400 + field.shape[1]] = field
    return picture


def test_a_clear_pattern_of_one_card_only_is_witness_enough_if_it_has_three_squares() -> None:
    assert CARDS.patterns["granary"] not in [rows for card, rows in CARDS.patterns.items() if card != "granary"]
    [card] = cards.read_cards(field_alone("granary"), CARDS)[0]
    assert card.id == "granary" and card.confidence <= 0.8
    assert squares_in(CARDS.patterns["well"]) == 2
    assert cards.read_cards(field_alone("well"), CARDS)[0] == []


def test_every_pattern_of_three_squares_or_more_is_that_of_one_card() -> None:
    large = [rows for rows in CARDS.patterns.values() if squares_in(rows) > 2]
    assert len(set(large)) == len(large)


def test_a_sheet_of_one_colour_is_no_card() -> None:
    """Resource cards show one large square."""
    picture = np.full((900, 1200, 3), 90, np.uint8)
    cv2.rectangle(picture, (300, 300), (900, 600), (234, 224, 222), -1)
    cv2.rectangle(picture, (500, 380), (700, 520), (80, 90, 210), -1)
    assert cards.read_cards(picture, CARDS)[0] == []


def test_nothing_is_claimed_where_no_cards_are() -> None:
    pictures = sorted((Path(__file__).parent / "photos").glob("*.jpg"))
    assert len(pictures) == 10
    for file in pictures[::2]:
        assert read(file).cards == [], file.name


@pytest.mark.parametrize("strength", [0.5, 1.0, 1.8])
def test_all_patterns_are_told_apart_however_strong_their_colours(strength: float) -> None:
    known = Known(CARDS.patterns.values())
    for rows in set(CARDS.patterns.values()):
        tones = strength * seen(np.array([TONES[letter] for letter in "".join(rows)]))
        match = known.closest((len(rows), len(rows[0])), tones)
        assert match is not None and match.rows == rows


def test_a_colour_between_two_leaves_both_patterns_to_the_title() -> None:
    known = Known(CARDS.patterns.values())
    one, two = ("hh", "wb"), ("hh", "ww")
    assert {one, two} <= set(CARDS.patterns.values())
    first, second = (seen(np.array([TONES[letter] for letter in "".join(rows)])) for rows in (one, two))
    match = known.closest((2, 2), 0.45 * first + 0.55 * second)
    assert match is not None and {match.rows, *match.others} >= {one, two}
    assert not match.is_clear


def test_stains_are_no_pattern() -> None:
    known, rng = Known(CARDS.patterns.values()), np.random.default_rng(1)
    for shape in known.rows:
        for _ in range(200):
            assert known.closest(shape, rng.normal(0, 0.04, (shape[0] * shape[1], 3))) is None
    assert LIMITS.clear[0] < 0.5


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


def test_every_card_with_a_pattern_has_a_title_of_its_own() -> None:
    assert set(CARDS.patterns) == {card for card, _ in CARDS.titles}
    assert all(closest(name, CARDS.titles)[0] == known for known, name in CARDS.titles)
