"""One swap away: against scoring every swapped record anew."""

from __future__ import annotations

import copy
import random
import sys
from dataclasses import replace
from itertools import combinations
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.contract import Better
from scorer.core import score
from scorer.games.tiny_towns import GAME, swap
from scorer.sentences import say
from tests.scorer.test_tiny_towns_by_force import drawn
from tests.scorer.towns import record

CELLS = [f"{letter}{number}" for number in "1234" for letter in "ABCD"]
ON_SQUARES = ("warehouse_cubes", "bank_resources")


def best_swap(entered: dict[str, Any], player: int = 0) -> Better | None:
    assert GAME.what_if is not None
    return GAME.what_if.best(GAME.load(entered), player)


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
        assert f"{reached} instead of {now}".replace("-", "−") in best.why


def test_a_swap_names_the_pieces_and_what_changes() -> None:
    best = best_swap(record("We . . Co / . . . . / . . . . / . . . Fa"))
    assert best == Better(-9, ("A1", "C1"), say("Trade A1 (Well) with C1 (empty): −9 instead of −10 (Wells +1)"))


def test_cubes_move_with_their_warehouse() -> None:
    best = best_swap(record({"grid": "Wh Mi . . / . . . Ba", "warehouse_cubes": {"A1": 3}}))
    assert best is not None and (best.total, best.cells) == (-13, ("A1", "D1"))  # the Bakery's 3, not the cubes' 3


def test_nothing_better_for_an_empty_town_or_a_typed_player() -> None:
    assert best_swap(record(".")) is None
    assert best_swap(record({"typed": {"well": 3}})) is None


# -- how far we look ---------------------------------------------------------------------------------------------------

# Found by climbing: for each red card the towns whose swaps took longest, with the ruling, the monument and the coins.
WORST = [
    ("may", "Co Co Th Th / Co My . Co / My Co Co RC / My Fy Co My", "", 5),
    ("must", "Co Co Th Co / Co My RC My / My Fy Mo . / My Sc My Co", "barrett_castle", 5),
    ("must", "Ta . Mo Co / Co Co Co Fy / RC My Co Co / Co Co Sc Co", "eraflage_vineyard", 5),
    ("may", "My My Co My / Co We Co My / Co Mo TB My / My Co My Co", "barrett_castle", 4),
    ("must", "My Th We Co / Fy Fy Th Mo / My TB Ta Ta / My Sc Co Co", "grand_mausoleum_of_the_rodina", 4),
    ("may", "Gh Co My Co / Mo We Gh Sc / My Co Gh Co / Co Gh My My", "barrett_castle", 4),
    ("must", ". Co Gh Gh / Te . Co Ta / Sc Te Co Sc / We Sc Mo Fy", "grand_mausoleum_of_the_rodina", 4),
    ("may", "My My Co Co / Co Th My Ga / Ga Co Co Co / My Co We My", "", 0),
    ("must", "Sc Co My Co / Ga Co Ga Co / My Ga Fy Fy / Co Mo Th Co", "eraflage_vineyard", 5),
    ("may", "Co Mo My My / Co Ta Co My / My Co My Fa / Co Fa My Co", "barrett_castle", 0),
    ("must", "We Fy We Co / Co Th Sc . / Sc Co Fa Co / Mo Co Sc We", "barrett_castle", 4),
    ("may", "Co Co My . / Co Sc Co We / Ta NF My Co / Co Co Th NF", "", 0),
    ("may", "Co My My Fy / Sc VP My . / Co Mo Fy My / Th VP Co We", "estival_festival", 5),
]
STEPS = 900_000  # lines of Python for the swaps of one town: about 30 ms, and 200 ms for six of them


def town_of(ruling: str, grid: str, monument: str, coins: int) -> dict[str, Any]:
    facts: dict[str, Any] = {"coins": coins, **({"monument": monument} if monument else {})}
    return record({"grid": grid, **facts}, expansions=["fortune", "villagers"], rulings={"feeding": ruling})


@pytest.mark.parametrize(("ruling", "grid", "monument", "coins"), WORST)
def test_the_swaps_of_the_worst_towns_take_a_moment(ruling: str, grid: str, monument: str, coins: int) -> None:
    entered, count = town_of(ruling, grid, monument, coins), 0

    def trace(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        best_swap(entered)
    finally:
        sys.settrace(before)
    assert count < STEPS


@pytest.mark.parametrize("block", range(6))
def test_what_is_left_out_of_the_search_could_not_have_been_better(block: int) -> None:
    """Towns of all three boxes: each swap scored as a whole, against the search that skips what cannot be best."""
    chance = random.Random(block)
    for _ in range(4):
        entered, _ = drawn(chance)
        state = GAME.load(entered)
        best = best_swap(entered)
        if entered["players"][0].get("monument") == "larkstone":
            assert best is None
            continue
        totals = []
        for one, other in combinations(range(16), 2):
            changed = replace(state, players=(swap.swapped(state.players[0], one, other), *state.players[1:]))
            totals.append(GAME.score(changed)[0].total)
        now = GAME.score(state)[0].total
        assert (best.total if best else now) == max(now, *totals), entered
