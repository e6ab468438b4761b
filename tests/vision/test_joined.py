"""Two photos of one board: which squares come from which, and when they are not of one board."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from vision import joined as joining
from vision.joined import turned
from vision.reading import Board, Card, Reading, Square

joined = partial(joining.joined, empty="empty")
PLACE = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
TOWN = """
    cottage well    farm   empty
    empty   tavern  chapel factory
    cottage empty   well   theater
    farm    cottage empty  empty
"""


def board(words: str, sure: float = 0.99, **doubts: tuple[str, float]) -> Board:
    """Return a board; `r1c2=("well", 0.4)` is what is read there instead, and how sure that is."""
    grid = [[Square(label, sure) for label in line.split()] for line in words.split("\n") if line.strip()]
    for place, (label, confidence) in doubts.items():
        grid[int(place[1])][int(place[3])] = Square(label, confidence)
    return Board(PLACE, 0.9, tuple(tuple(row) for row in grid))


def labels(reading: Reading) -> list[str]:
    [one] = reading.boards
    return [square.label for row in one.grid for square in row]


@pytest.mark.parametrize("quarters", range(4))
def test_the_surer_reading_of_each_square_wins_whichever_side_the_second_photo_is_from(quarters: int) -> None:
    first = board(TOWN, r0c1=("empty", 0.6), r3c3=("well", 0.5))
    second = board(TOWN, r2c0=("cube_glass", 0.7))
    other = replace(second, grid=turned(second.grid, quarters))
    both = joined(Reading(boards=[first]), Reading(boards=[other]))
    assert labels(both) == TOWN.split()
    assert both.boards[0].corners == PLACE
    assert not any(square.is_doubtful for row in both.boards[0].grid for square in row)


def test_photos_of_an_oblong_board_are_joined_from_both_of_its_long_sides() -> None:
    rows = "\n".join(TOWN.strip().split("\n")[:3])
    first, second = board(rows, r0c1=("empty", 0.6)), board(rows)
    there = Reading(boards=[replace(second, grid=turned(second.grid, 2))])
    assert labels(joined(Reading(boards=[first]), there)) == rows.split()


def test_where_both_are_certain_of_different_things_the_square_is_in_doubt() -> None:
    both = joined(
        Reading(boards=[board(TOWN)]),
        Reading(boards=[board(TOWN, r0c0=("cube_glass", 0.995))]),
    )
    square = both.boards[0].grid[0][0]
    assert square.is_doubtful and square.label == "cube_glass"


def test_another_board_is_left_alone() -> None:
    other = TOWN.replace("cottage", "chapel").replace("well", "tavern")
    first = board(TOWN, r0c1=("empty", 0.6))
    assert joined(Reading(boards=[first]), Reading(boards=[board(other)])).boards == [first]


def test_an_empty_board_agrees_with_nothing() -> None:
    bare = "empty empty empty empty\n" * 4
    first = board(bare, r0c0=("well", 0.5))
    assert joined(Reading(boards=[first]), Reading(boards=[board(bare)])).boards == [first]


def test_each_board_of_the_second_photo_serves_one_of_the_first() -> None:
    mirrored = "\n".join(" ".join(line.split()[::-1]) for line in TOWN.strip().split("\n"))
    first = Reading(boards=[board(TOWN, r0c0=("well", 0.3)), board(mirrored, r1c1=("well", 0.3))])
    second = Reading(boards=[board(mirrored), board(TOWN)])
    both = joined(first, second)
    assert [[square.label for row in one.grid for square in row] for one in both.boards] == [
        TOWN.split(),
        mirrored.split(),
    ]


def test_the_cards_of_both_photos_count_once() -> None:
    def card(name: str, sure: float, x: float) -> Card:
        return Card(name, "", sure, ((x, 0.0),))

    both = joined(
        Reading(cards=[card("inn", 0.6, 1.0)]), Reading(cards=[card("inn", 0.9, 2.0), card("bakery", 0.8, 3.0)])
    )
    assert both.cards == [card("inn", 0.9, 1.0), card("bakery", 0.8, 3.0)]
