"""One swap away: against scoring every swapped record anew."""

from __future__ import annotations

import copy
import time
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.contract import WhatIf
from scorer.core import score
from scorer.games.tiny_towns import GAME
from scorer.sentences import say
from tests.scorer.towns import record

CELLS = [f"{letter}{number}" for number in "1234" for letter in "ABCD"]
ON_SQUARES = ("warehouse_cubes", "bank_resources")


def best_swap(entered: dict[str, Any], player: int = 0) -> WhatIf | None:
    assert GAME.what_if is not None
    return GAME.what_if(GAME.load(entered), player)


def swapped(entered: dict[str, Any], one: str, other: str) -> dict[str, Any]:
    entered = copy.deepcopy(entered)
    town = entered["players"][0]
    (r, c), (s, d) = [(int(cell[1]) - 1, "ABCD".index(cell[0])) for cell in (one, other)]
    rows = town["grid"]
    rows[r][c], rows[s][d] = rows[s][d], rows[r][c]
    for key in ON_SQUARES:
        if key in town:
            town[key] = {{one: other, other: one}.get(cell, cell): lying for cell, lying in town[key].items()}
    return entered


def total(entered: dict[str, Any]) -> int:
    found = score(entered)
    assert found["ok"], found["problems"]
    points: int = found["players"][0]["total"]
    return points


MARKS = st.sampled_from([".", "Co", "Co", "Fa", "We", "Te", "FH", "Th", "Wh"])


@settings(max_examples=25)
@given(st.lists(MARKS, min_size=16, max_size=16), st.integers(0, 3))
def test_no_swap_brings_more_than_the_best(marks: list[str], cubes: int) -> None:
    rows = " / ".join(" ".join(marks[start : start + 4]) for start in range(0, 16, 4))
    held = {cell: cubes for cell, mark in zip(CELLS, marks, strict=True) if mark == "Wh"}
    entered = record({"grid": rows, "right_feast_halls": 1, "warehouse_cubes": held})
    now = total(entered)
    reached = max(total(swapped(entered, *pair)) for pair in combinations(CELLS, 2))
    best = best_swap(entered)
    if best is None:
        assert reached <= now
    else:
        assert best.total == reached == total(swapped(entered, *best.cells)) > now
        assert f"{reached} instead of {now}" in best.why


def test_a_swap_names_the_pieces_and_what_changes() -> None:
    best = best_swap(record("We . . Co / . . . . / . . . . / . . . Fa"))
    assert best == WhatIf(-9, ("A1", "C1"), say("swap A1 (Well) and C1 (empty): -9 instead of -10 (Wells +1)"))


def test_cubes_move_with_their_warehouse() -> None:
    best = best_swap(record({"grid": "Wh Mi . . / . . . Ba", "warehouse_cubes": {"A1": 3}}))
    assert best is not None and (best.total, best.cells) == (-13, ("A1", "D1"))  # the Bakery's 3, not the cubes' 3


def test_nothing_better_for_an_empty_town_or_a_typed_player() -> None:
    assert best_swap(record(".")) is None
    assert best_swap(record({"typed": {"well": 3}})) is None


CROWDED = [
    "Co Te Co Te / Te Co Te Co / Co Te Co Fa / Fa Co Te Co",
    "Th Co Th Co / Te Te Co Te / Te Te Te Te / Te Co Fa Co",
    "Co Te Co Te / Te Gh Te Co / Co Te . Co / Te Co Te Gh",
    "Te Te Co Co / Co Co Co Co / Te RC Co Co / Co Co Co Co",
    "TB Th Co Co / Th TB Co TB / Th Th Co TB / TB TB Co Pa",
]


@pytest.mark.parametrize("town", CROWDED)
def test_the_best_swap_is_found_in_a_moment(town: str) -> None:
    state = GAME.load(record({"grid": town, "coins": 5}))
    assert GAME.what_if is not None
    taken = []
    for _ in range(3):
        start = time.process_time()
        GAME.what_if(state, 0)
        taken.append(time.process_time() - start)
    assert min(taken) < 0.050
