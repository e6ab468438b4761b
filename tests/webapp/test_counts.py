"""Lines that are counted: the form asks how many there are, the record holds their points."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from scorer import core, games
from webapp.table import forms, relevant_inputs

GAME = games.find("copenhagen")


def asked(typed: Any) -> list[tuple[str, str]]:
    """The kinds and names of the fields beside lines typed so."""
    assert GAME is not None
    record: Any = {"game": "copenhagen", "table": {}, "players": [{"name": "Ann", "typed": typed}]}
    inputs = relevant_inputs.visible(
        relevant_inputs.typed_inputs(GAME, core.load(GAME, record), 0), record["players"][0]
    )
    return [(one.kind, one.name) for one in inputs]


def inputs() -> Any:
    assert GAME is not None
    record: Any = {"game": "copenhagen", "table": {}, "players": [{"name": "Ann", "typed": {}}]}
    return [one for one in relevant_inputs.typed_inputs(GAME, core.load(GAME, record), 0) if one.kind == "counts"]


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ({}, [("number", "typed/total"), ("counts", "typed")]),
        ({"floors": 3}, [("counts", "typed")]),
        ({"total": 12}, [("number", "typed/total")]),
        ({"total": 12, "floors": 3}, [("number", "typed/total"), ("counts", "typed")]),
    ],
)
def test_counts_are_offered_beside_one_plain_total_until_either_is_begun(typed: Any, wanted: Any) -> None:
    assert asked(typed) == wanted


def posted(**counts: str) -> Any:
    return MultiDict({f"typed/{rule}": number for rule, number in counts.items()})


def read(**counts: str) -> Any:
    form = forms.build(inputs(), {"typed": {}}, posted(**counts))
    return forms.read(inputs(), form, {"typed": {}})["typed"]


@pytest.mark.parametrize(
    ("counts", "typed"),
    [
        ({}, {}),
        ({"floors": "5"}, {"floors": 5}),
        ({"floors": "5", "window_floors": "2"}, {"floors": 3, "window_floors": 4}),
        ({"columns": "3", "window_columns": "1"}, {"columns": 4, "window_columns": 4}),
        ({"columns": "2", "window_columns": "2"}, {"columns": 0, "window_columns": 8}),
        ({"floors": "1", "window_floors": "2"}, {"floors": -1, "window_floors": 4}),
        ({"window_floors": "2"}, {"window_floors": 4}),
        ({"floors": "many", "window_floors": "2"}, {"floors": "many", "window_floors": 4}),
    ],
)
def test_counts_become_points(counts: dict[str, str], typed: dict[str, Any]) -> None:
    assert read(**counts) == typed


@pytest.mark.parametrize(
    "counts",
    [
        {"floors": "5", "window_floors": "2", "columns": "1", "window_columns": "1"},
        {"floors": "1", "window_floors": "2"},
    ],
)
def test_points_are_shown_as_the_counts_they_came_from(counts: dict[str, str]) -> None:
    form = forms.build(inputs(), {"typed": read(**counts)})
    assert {rule: str(form[f"typed/{rule}"].data) for rule in counts} == counts


def test_a_total_and_counts_typed_at_once_are_both_kept_for_the_player_to_choose() -> None:
    assert GAME is not None
    record: Any = {"game": "copenhagen", "table": {}, "players": [{"name": "Ann", "typed": {}}]}
    both = relevant_inputs.typed_inputs(GAME, core.load(GAME, record), 0)
    form = forms.build(both, {"typed": {}}, posted(floors="2", total="12"))
    assert forms.read(both, form, {"typed": {}}) == {"typed": {"floors": 2, "total": 12}}


def test_points_that_are_no_whole_count_are_shown_for_correction() -> None:
    form = forms.build(inputs(), {"typed": {"window_floors": 3, "columns": "x"}})
    assert [form[f"typed/{rule}"].data for rule in ("floors", "window_floors", "columns")] == [None, 1.5, "x"]
