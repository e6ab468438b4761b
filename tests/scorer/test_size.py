"""Scoring costs no more than the size of the record asks for: twice the record, at most about twice the steps."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from scorer import games
from scorer.core import load, score
from scorer.result import MOST_PROBLEMS
from tests.conftest import EXAMPLES, Example

FEW = 300
ODD_ONES: tuple[Any, ...] = ({}, "", "x", 7, None, [], {"target": "sea"})
FIRST = {example.game.id: example for example in reversed(EXAMPLES)}


def steps(record: Any) -> int:
    """Return how many functions are called, ours and the language's."""
    called = 0

    def note(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        score(record)
    finally:
        sys.setprofile(None)
    return called


def containers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a record that can be made longer."""
    if isinstance(value, list | dict | str):
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in list(inner)[:3]:
        yield from containers(child, (*path, key))


def swollen(record: Any, path: tuple[Any, ...], odd: Any, number: int) -> Any:
    """The record with so many odd things at the end of what lies there."""
    grown = copy.deepcopy(record)
    outer = grown
    for key in path[:-1]:
        outer = outer[key]
    found = outer[path[-1]]
    if isinstance(found, list):
        found += [copy.deepcopy(found[0]) if odd is None and found else odd for _ in range(number)]
    elif isinstance(found, dict):
        found.update({f"{key}x": odd for key in range(number)})
    else:
        outer[path[-1]] = found + "W." * number
    return grown


@pytest.mark.parametrize("example", FIRST.values(), ids=str)
def test_twice_the_record_costs_twice_the_steps(example: Example) -> None:
    score(example.record)  # what is remembered of the cards is remembered now
    for path in containers(example.record):
        for odd in ({}, "x", None, {"target": "sea"}) if path else ():
            once, twice = (swollen(example.record, path, odd, number) for number in (FEW, 2 * FEW))
            before, after = steps(once), steps(twice)
            assert after < 2.2 * before + 7_000, f"{path} of {odd!r}: {before} steps, then {after}"
            assert before < 60 * len(json.dumps(once)) + 100_000, f"{path} of {odd!r}: {before} steps"


@pytest.mark.parametrize("game", games.ids())
@pytest.mark.parametrize(
    "field", ["streets", "residents", "rows", "patrons", "bridge", "tiles", "grid", "typed", "name"]
)
def test_a_stranger_s_record_stops_nobody(game: str, field: str) -> None:
    for odd in ODD_ONES:
        players = [{"name": name, field: [[odd] * 6400]} for name in "ab"]
        record = {"game": game, "table": {}, "players": players}
        assert steps(record) < 2_000_000
        result = score(record)
        assert len(result["problems"]) <= MOST_PROBLEMS and len(json.dumps(result)) < 200_000


def test_of_more_than_a_hundred_problems_the_last_says_how_many_more() -> None:
    record = {"game": "tiny_towns", "players": [], **{f"field{number}": 1 for number in range(250)}}
    problems = score(record)["problems"]
    assert len(problems) == 100
    last = problems[-1]
    assert (last["code"], last["where"], last["level"]) == ("more_problems", "", "error")
    assert last["message"] == "152 more problems. Fix these first."


def test_a_hundred_problems_are_all_listed() -> None:
    record = {"game": "tiny_towns", "players": [], **{f"field{number}": 1 for number in range(99)}}
    codes = [problem["code"] for problem in score(record)["problems"]]
    assert len(codes) == 100 and "more_problems" not in codes


def test_a_list_longer_than_any_table_is_one_fault() -> None:
    record = {"game": "tenby", "table": {}, "players": [{"name": "Ann", "streets": [[{}]] * 6400}]}
    assert "too_many" in [problem["code"] for problem in score(record)["problems"]]


ODD: tuple[Any, ...] = ({}, [{}], "..", ["S", "P"])


@pytest.mark.parametrize("game", games.ids())
def test_pages_bear_lists_longer_than_any_table(game: str) -> None:
    found = games.find(game)
    assert found is not None
    for field in ("streets", "residents", "rows", "cards", "bridge", "tiles", "grid"):
        for odd in ODD:
            players = [{"name": name, field: [odd] * 300} for name in "ab"]
            loaded = load(found, {"game": game, "table": {}, "players": players})
            for player in (None, 0, 1) if found.asks else ():
                assert found.asks is not None and found.asks(loaded, player)
            if found.editor.guide is not None:
                found.editor.guide(loaded, 0, "")
            if found.editor.options is not None:
                found.editor.options(loaded)
