"""Old London Bridge: what may stand where, against the checks of a whole table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.core import score
from scorer.games.old_london_bridge.bridge import longest_run, open_numbers, read_building, sets

TYPES = "CGIEU"


def lay(numbers: list[int], gardens: list[bool]) -> list[str]:
    """A legal bridge: numbers as they come, with a garden wherever one would rise or one is wished for."""
    bridge: list[str] = []
    last = 61
    for number, garden in zip(numbers, gardens, strict=False):
        if garden or number >= last:
            bridge.append("P")
            last = 61
        if number < last:
            bridge.append(f"{TYPES[number % 5]}{number}")
            last = number
    return bridge[:12]


bridges = st.lists(st.integers(1, 60), unique=True, max_size=20).flatmap(
    lambda numbers: st.tuples(st.integers(0, len(numbers)), st.lists(st.booleans(), min_size=20, max_size=20)).map(
        lambda cut: [lay(numbers[: cut[0]], cut[1]), lay(numbers[cut[0] :], cut[1][::-1])]
    )
)


def codes(bridge: list[str], other: list[str]) -> set[str]:
    players = [
        {
            "name": name,
            "coins": 0,
            "chapel_steps": 0,
            "gate_steps": 0,
            "cards": {"0": 2},
            "unused_tiles": 0,
            "bridge": row,
        }
        for name, row in (("Ann", bridge), ("Bob", other))
    ]
    costs = {"2": 2, "3": 3, "4": 4, "5+": 5}
    table = {"chapel_order": ["Ann", "Bob"], "empty_costs": costs}
    result = score({"game": "old_london_bridge", "table": table, "players": players})
    return {problem["code"] for problem in result["problems"]} & {"not_descending", "duplicate_number"}


@given(bridges, st.data())
def test_open_numbers_are_exactly_those_a_table_accepts(rows: list[list[str]], data: st.DataObject) -> None:
    own, other = rows
    space = data.draw(st.integers(0, min(len(own), 11)))
    offered = open_numbers(rows, 0, space)
    assert list(offered) == sorted(offered, reverse=True)
    for number in range(1, 61):
        changed = [*own[:space], f"C{number}", *own[space + 1 :]]
        assert (number in offered) is (not codes(changed, other)), f"{number} at {space} of {own}, {other}"


@pytest.mark.parametrize("space", [-1, 3, 12])
def test_nothing_is_open_beyond_the_next_space(space: int) -> None:
    assert open_numbers([["C50", "G40"], []], 0, space) == ()
    assert open_numbers([["P"] * 12, []], 0, 12) == ()


def test_a_replacement_fits_between_its_neighbours() -> None:
    bridges = [["C49", "G23", "I15", "E11"], ["U22"]]
    assert open_numbers(bridges, 0, 2) == (21, 20, 19, 18, 17, 16, 15, 14, 13, 12)
    assert open_numbers(bridges, 0, 4) == tuple(range(10, 0, -1))
    assert open_numbers([[*bridges[0], "P"], bridges[1]], 0, 5)[:3] == (60, 59, 58)


@given(bridges)
def test_the_longest_run_is_the_longest_stretch_without_a_garden(rows: list[list[str]]) -> None:
    stretches = "".join("P" if text == "P" else "x" for text in rows[0]).split("P")
    assert len(longest_run(rows[0])) == max(map(len, stretches))


def test_the_rulebook_run_has_six_buildings() -> None:
    bridge = ["C59", "G51", "I48", "E33", "U25", "C6", "P", "G58"]
    assert longest_run(bridge) == [0, 1, 2, 3, 4, 5]
    assert sets(bridge) == 1


@pytest.mark.parametrize("text", ["C56 ", "56", "CC5", "P-", "C٣", "\n", "C1234567890"])
def test_what_is_no_building_is_not_read(text: str) -> None:
    assert read_building(text) is None
