"""Lines that are counted: the form asks how many there are, the record holds their points."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from scorer import games
from webapp.table import asking, forms

GAME = games.find("copenhagen")


def inputs() -> Any:
    assert GAME is not None
    return [asked for asked in asking.typed_inputs(GAME) if asked.kind == "counts"]


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


def test_points_that_are_no_whole_count_are_shown_for_correction() -> None:
    form = forms.build(inputs(), {"typed": {"window_floors": 3, "columns": "x"}})
    assert [form[f"typed/{rule}"].data for rule in ("floors", "window_floors", "columns")] == [None, 1.5, "x"]
