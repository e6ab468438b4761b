"""Tell what two phones made of one board is put together; cards that change take their pieces along."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import games
from scorer.contract import Input
from tests.webapp.conftest import Device, Laid
from webapp.table import merging, relevant_inputs, tables
from webapp.table.entries import Entries

pytestmark = pytest.mark.either

SQUARES = ["empty", "cottage", "farm", "well"]


def inputs_of(game: str) -> tuple[Input, ...]:
    found = games.find(game)
    assert found is not None
    return found.inputs


def town(*cells: str) -> dict[str, Any]:
    row = [*cells, *["empty"] * (4 - len(cells))]
    return {"grid": [row, *[["empty"] * 4 for _ in range(3)]]}


grids = st.lists(st.lists(st.sampled_from(SQUARES), min_size=4, max_size=4), min_size=4, max_size=4)


@given(base=grids, mine=grids, theirs=grids)
def test_every_square_that_only_one_changed_is_as_that_one_left_it(base: Any, mine: Any, theirs: Any) -> None:
    found = merging.merge(inputs_of("tiny_towns"), {"grid": base}, {"grid": mine}, {"grid": theirs})
    for row in range(4):
        for column in range(4):
            was, one, other = (grid[row][column] for grid in (base, mine, theirs))
            ours, their = found.mine["grid"][row][column], found.theirs["grid"][row][column]
            if one == other or other == was:
                assert ours == their == one
            elif one == was:
                assert ours == their == other
            else:
                assert (ours, their) == (one, other)


def test_a_board_that_neither_had_begun_is_put_together_too() -> None:
    found = merging.merge(inputs_of("tiny_towns"), {}, town("farm"), town("empty", "well"))
    assert found.theirs == found.mine and found.theirs["grid"][0] == ["farm", "well", "empty", "empty"]


def test_rows_written_as_letters_are_taken_apart_and_other_texts_are_not() -> None:
    inputs = inputs_of("copenhagen")
    house = ["....."] * 8
    found = merging.merge(inputs, {"grid": [*house, "....."]}, {"grid": [*house, "W...."]}, {"grid": [*house, "....B"]})
    assert found.theirs == found.mine and found.theirs["grid"][8] == "W...B"
    tokens = merging.merge((), {"bridge": ["C56"]}, {"bridge": ["G56"]}, {"bridge": ["C57"]})
    assert (tokens.mine, tokens.theirs) == ({"bridge": ["G56"]}, {"bridge": ["C57"]})


def test_lists_that_grew_on_both_phones_are_left_to_be_chosen() -> None:
    found = merging.merge((), {"cards": ["a"]}, {"cards": ["a", "b"], "x": 1}, {"cards": ["a", "c"], "y": 2})
    assert found.mine == {"cards": ["a", "b"], "x": 1, "y": 2}
    assert found.theirs == {"cards": ["a", "c"], "x": 1, "y": 2}


def test_what_was_taken_away_on_one_phone_stays_away() -> None:
    found = merging.merge((), {"a": 1, "b": 2}, {"b": 2}, {"a": 1, "b": 3})
    assert found.mine == found.theirs == {"b": 3}


# -- over the web ---


def test_different_squares_of_two_phones_are_put_together(laid: Laid, stranger: Device) -> None:
    laid.join(stranger)
    laid.tap(stranger, 1, version="1", **{"grid/0/0": "cottage"})
    laid.tap(laid.member, 1, version="2", **{"grid/0/0": "cottage", "grid/0/1": "farm"})
    squares = {"grid/0/0": "cottage", "grid/0/1": "empty", "grid/0/2": "well"}
    fields = {"version": "2", "change": "a tap", "tags": "{}", **squares}
    for _ in ("arrived", "its answer was lost"):
        answer = stranger.post(f"{laid.path}/seats/1", fields, headers={"X-Tidemark": "part"})
        assert answer.status_code == 200 and answer.json
        assert answer.json["fields"] == {"grid/0/1": "farm"}  # what this phone has not done itself
        assert "B1: now" in answer.json["notice"] and "C1" not in answer.json["notice"]
    state = laid.table().seats[1].state
    assert state and state["grid"][0] == ["cottage", "farm", "well", "empty"]
    assert "B1: now" in stranger.get(f"{laid.path}/seats/1?moved=2")


def test_only_squares_that_both_changed_are_asked(laid: Laid, stranger: Device) -> None:
    laid.join(stranger)
    laid.tap(stranger, 1, version="1", **{"grid/0/0": "cottage"})
    laid.tap(laid.member, 1, version="2", **{"grid/0/0": "farm", "grid/0/1": "farm"})
    assert laid.tap(stranger, 1, version="2", **{"grid/0/0": "well", "grid/0/2": "well"}) == 409
    state = laid.table().seats[1].state
    assert state and state["grid"][0] == ["farm", "farm", "well", "empty"]
    page = stranger.get(f"{laid.path}/seats/1")
    assert "Only these squares differ: A1." in page
    stranger.post(f"{laid.path}/seats/1/settle", {"keep": "mine", "version": str(laid.table().seats[1].version)})
    state = laid.table().seats[1].state
    assert state and state["grid"][0] == ["well", "farm", "well", "empty"]


def test_a_board_that_was_only_looked_at_meets_nothing_when_it_is_sent_again(laid: Laid, stranger: Device) -> None:
    laid.join(stranger)
    looked = {"version": "1", "player": "Bob", "change": "a look", "grid/0/0": "empty"}
    assert laid.tap(laid.member, 1, **looked) == 200
    laid.tap(stranger, 1, version="1", **{"grid/0/0": "cottage"})
    assert laid.tap(laid.member, 1, **looked) == 200
    assert laid.cell(1) == "cottage"


# -- cards ---

CARDS = {
    "red": "granary",
    "grey": "fountain",
    "orange": "chapel",
    "green": "tavern",
    "yellow": "theater",
    "black": "factory",
}


def chosen(laid: Laid, **other: str) -> None:
    setup = {**laid.table().setup, "mode": "standard", "cards": {**CARDS, **other}}
    tables.keep_setup(laid.db, laid.table(), setup)


def test_a_card_that_the_host_changes_takes_its_squares_along(laid: Laid, stranger: Device) -> None:
    chosen(laid)
    laid.seat(stranger, 1)
    laid.tap(stranger, 1, **{"grid/0/0": "granary", "grid/0/1": "cottage"})
    version = laid.table().seats[1].version
    before = json.loads(stranger.client.get(f"{laid.path}/events").data)["laid"]
    laid.member.get(f"{laid.path}/setup")
    laid.member.post(
        f"{laid.path}/setup", {"mode": "standard", **{f"cards/{c}": v for c, v in {**CARDS, "red": "farm"}.items()}}
    )
    state = laid.table().seats[1].state
    assert state and state["grid"][0] == ["farm", "cottage", "empty", "empty"]
    assert json.loads(stranger.client.get(f"{laid.path}/events").data)["laid"] == before + 1
    page = stranger.get(f"{laid.path}/seats/1?moved={version}")
    assert "A1: now Farm." in page and "none of this table" not in page
    # What the phone had on its way when the cards changed finds its squares changed along.
    assert (
        laid.tap(
            stranger, 1, version=str(version), **{"grid/0/0": "granary", "grid/0/1": "cottage", "grid/0/2": "well"}
        )
        == 200
    )
    state = laid.table().seats[1].state
    assert state and state["grid"][0][0] == "farm"


@pytest.mark.parametrize("went", ["typed", "nothing"])
def test_boards_without_that_card_stay_as_they_are(laid: Laid, stranger: Device, went: str) -> None:
    chosen(laid)
    laid.seat(stranger, 1)
    if went == "typed":
        laid.tap(stranger, 1, put='["typed", {}]')
    before = laid.table().seats
    laid.member.get(f"{laid.path}/setup")
    laid.member.post(
        f"{laid.path}/setup", {"mode": "standard", **{f"cards/{c}": v for c, v in {**CARDS, "red": "farm"}.items()}}
    )
    assert laid.table().seats == before


def test_differences_are_told_by_squares_and_fields(laid: Laid) -> None:
    chosen(laid)
    inputs = relevant_inputs.visible(Entries(laid.table()).inputs(0), town())
    found = merging.differences(inputs, town("empty", "farm"), {**town("cottage", "cottage"), "monument": "none"})
    assert [(str(one.label), one.cells) for one in found if one.cells] == [("Cottage", ("A1", "B1"))]
