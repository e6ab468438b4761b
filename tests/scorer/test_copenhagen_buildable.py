"""Tell whether tiles can form a plain house of Copenhagen: against brute force, and on the hardest houses found."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer.core import score
from scorer.games.copenhagen import facade, laying, search
from scorer.games.copenhagen.buildable import Answer, build
from scorer.games.copenhagen.facade import FLOOR_SPACES, bit, from_rows, union
from scorer.games.copenhagen.laying import has_order
from scorer.games.copenhagen.reasons import doubt_about
from scorer.games.copenhagen.shapes import ALL, SPECIALS, Stock, stock
from tests.scorer import by_force
from tests.scorer.houses import EMPTY, HARD, house

SMALL = 12  # spaces that brute force can still cut up in every way


def tried(rows: list[str], in_stock: Stock) -> Answer:
    """The answer, not a remembered one; the tiles of the answer must indeed form the house."""
    found: Answer = build.__wrapped__(from_rows(rows), in_stock)
    if found.is_buildable:
        spaces = [tile.spaces for tile in found.tiles]
        assert sum(one.bit_count() for one in spaces) == union(spaces).bit_count() == from_rows(rows).filled.bit_count()
        assert all(sum(t.shape == shape for t in found.tiles) <= number for shape, number in enumerate(in_stock))
        coloured = [tile.spaces for tile in found.tiles if tile.shape != SPECIALS]
        assert has_order(coloured, [tile.spaces for tile in found.tiles if tile.shape == SPECIALS])
    return found


def without_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search.Search, "quick_attempt", lambda _: None)


def test_there_are_13_shapes_and_their_tiles_are_counted_together() -> None:
    assert len(ALL) == 13
    assert [shape.size for shape in ALL] == [2, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5]
    assert stock(2) == (10, 4, 6, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 12)
    assert stock(3) == (10, 6, 9, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 12)
    assert stock(4) == (15, 6, 9, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 12)


@pytest.mark.parametrize(
    ("rows", "can_be"),
    [
        pytest.param(house(), True, id="nothing"),
        pytest.param(house("WW..."), False, id="windows without any brickwork"),
        pytest.param(house("B...."), False, id="a brick on its own"),
        pytest.param(house("BW..."), True, id="a domino"),
        pytest.param(house("WBW.."), False, id="no tile has its brick in the middle of a line"),
        pytest.param(house("WBW..", ".B..."), False, id="two bricks, two windows that do not touch both"),
        pytest.param(house("WBBW."), True, id="two dominoes back to back"),
        pytest.param(house("BWWWW"), True, id="the long one"),
        pytest.param(house("BBBBB", "WWWWW"), True, id="five upright dominoes"),
        pytest.param(house("BBBBB"), False, id="brickwork only"),
        pytest.param(house(EMPTY, "BW..."), False, id="in the air"),
        pytest.param(house("BW...", "...BW"), False, id="one part in the air"),
        pytest.param(house("B....", "W....", "WB..."), True, id="held by one space"),
        pytest.param(house("W....", "B....", "WB..."), True, id="turned either way"),
        pytest.param(house("B....", "W....", ".B...", ".W..."), False, id="touching by a corner only"),
        pytest.param(house("..B..", "..W..", "..W..", "..W.."), True, id="four upright"),
        pytest.param(
            house("..B..", "..W..", "..W..", "..W..", "..W..", "..W.."), True, id="with an earned special tile"
        ),
        pytest.param(house(".B...", ".W...", ".W...", ".W...", ".W...", ".W..."), False, id="no coat, no special tile"),
        pytest.param(house("..W..", "..B..", "..W.."), False, id="the special tile would have to carry its coat"),
    ],
)
@pytest.mark.parametrize("is_quick", [True, False])
def test_what_tiles_can_form(rows: list[str], can_be: bool, is_quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_quick:
        without_luck(monkeypatch)
    assert tried(rows, stock(2)).is_buildable is can_be


def test_the_number_of_players_decides_what_there_is() -> None:
    rows = house(*["BBBBB", "WWWWW"] * 3)
    assert tried(rows, stock(4)).is_buildable is True  # fifteen dominoes
    assert tried(rows, stock(3)).is_buildable is False  # ten, and nothing else fits


def small_house(chance: random.Random) -> list[str]:
    """A house built by the rules, often with a space or three changed."""
    built = by_force.random_house(chance, chance.choice([2, 3, 4, 5]))
    if chance.random() < 0.7:
        for _ in range(chance.choice([1, 2, 3])):
            built[chance.choice([*built, (chance.randint(1, 5), chance.randint(1, 5))])] = chance.choice("WWWB.")
    return by_force.rows_of(built)


def some_stock(chance: random.Random) -> Stock:
    full = stock(chance.choice([2, 3, 4]))
    if chance.random() < 0.5:
        return full
    return tuple(chance.randint(0, min(2, number)) if chance.random() < 0.6 else number for number in full)


def move_coats(chance: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put coats of arms where a small house can reach them."""
    coats = {(chance.randint(1, 5), chance.randint(1, 4)) for _ in range(chance.randint(1, 4))}
    floors = chance.sample([1, 2, 3], chance.choice([0, 0, 1]))
    monkeypatch.setattr(by_force, "COATS", coats)
    monkeypatch.setattr(by_force, "COAT_FLOORS", floors)
    for module in (facade, laying):
        monkeypatch.setattr(module, "COAT_SPACES", sum(map(bit, coats)))
        monkeypatch.setattr(module, "COAT_FLOORS", tuple(FLOOR_SPACES[floor - 1] for floor in floors))


@settings(max_examples=200)
@given(st.integers(0, 10**9), st.booleans(), st.booleans())
def test_the_answer_is_that_of_brute_force(seed: int, is_quick: bool, coats_are_low: bool) -> None:
    chance = random.Random(seed)
    rows = small_house(chance)
    assume(len(by_force.letters(rows)) <= SMALL)
    in_stock = some_stock(chance)
    with pytest.MonkeyPatch.context() as monkeypatch:
        if coats_are_low:
            move_coats(chance, monkeypatch)
        if not is_quick:
            without_luck(monkeypatch)
        assert tried(rows, in_stock).is_buildable is by_force.can_be_formed(rows, in_stock)


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_a_house_built_by_the_rules_is_never_doubted(seed: int) -> None:
    built = by_force.random_house(random.Random(seed), 20)
    endless = (*(15,) * SPECIALS, 12)
    assert tried(by_force.rows_of(built), endless).is_buildable is not False


@pytest.mark.parametrize(("players", "rows", "can_be"), HARD)
def test_hard_houses_are_settled(players: int, rows: str, can_be: bool | None) -> None:
    assert tried(rows.split(), stock(players)).is_buildable is can_be


def test_a_search_ends_after_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    fill = search.Search.fill

    def counted(self: search.Search, rest: int, in_stock: Stock) -> bool:
        steps.append(rest)
        return fill(self, rest, in_stock)

    monkeypatch.setattr(search.Search, "fill", counted)
    [(players, rows), *_] = [(players, rows) for players, rows, can_be in HARD if can_be is None]
    assert tried(rows.split(), stock(players)).is_buildable is None
    most = search.QUICK + sum(search.STEPS << number for number in range(search.ATTEMPTS))
    assert len(steps) <= 8 * most  # a step opens a rest, and meets those that are hopeless or full


def table(players: int, *grids: list[str], **others: Any) -> dict[str, Any]:
    seats = [{"name": str(number), "grid": [EMPTY] * 9} for number in range(players)]
    for seat, grid in zip(seats, grids, strict=False):
        seat["grid"] = grid
    return {"game": "copenhagen", "table": {}, "players": seats, **others}


def warned(finished: dict[str, Any]) -> list[str]:
    result = score(finished)
    assert result["ok"], result["problems"]
    assert all((p["code"], p["level"]) == ("not_buildable", "warning") for p in result["problems"])
    return [problem["where"] for problem in result["problems"]]


def test_a_house_no_tiles_form_is_scored_with_a_warning() -> None:
    finished = table(2, house("BW..."), house("WWWWW"))
    assert warned(finished) == ["/players/1/grid"]
    assert score(finished)["players"][1]["total"] == 2


PLUS = house(".W...", "WWB..", ".W...")
PILLAR = house("B....", *["W...."] * 4)


def test_houses_that_need_the_same_tile_are_doubted_together() -> None:
    assert warned(table(3, PLUS, PILLAR)) == []
    assert warned(table(3, PLUS, PLUS)) == ["/players"]
    assert "Green five" in score(table(3, PLUS, PLUS))["problems"][0]["message"]


def test_a_tile_that_another_player_has_laid_is_gone() -> None:
    finished = table(2, PILLAR)
    assert warned(finished) == []
    tiles = [{"tile": "purple-5", "cells": [[column, 1] for column in range(1, 6)], "brick": [1, 1]}]
    finished["players"][1] = {"name": "Bob", "tiles": tiles}
    assert warned(finished) == ["/players/0/grid"]


def why(*grids: list[str], players: int = 2) -> str:
    [problem] = score(table(players, *grids))["problems"]
    assert (problem["code"], problem["level"]) == ("not_buildable", "warning")
    return str(problem["message"]).removeprefix("No set of tiles can make this house. ")


@pytest.mark.parametrize(
    ("rows", "players", "reason"),
    [
        pytest.param(
            house("WWWWW"),
            2,
            "Check A1 or E1. With brickwork instead of a window there, the house would be possible.",
            id="window",
        ),
        pytest.param(
            house("BWWBB"),
            2,
            "Check D1 or E1. With a window instead of brickwork there, the house would be possible.",
            id="brick",
        ),
        pytest.param(
            house(EMPTY, "BW..."),
            2,
            "A2, B2 hang in the air. Every tile must be connected to floor 1.",
            id="in the air",
        ),
        pytest.param(
            ["BW...", *[EMPTY] * 8],
            2,
            "The floors seem to be upside down. Enter the top floor first.",
            id="bottom first",
        ),
        pytest.param(
            house(*["WWWWW"] * 3),
            2,
            "There is no brickwork in the 15 connected spaces around A1. Every coloured tile has one space of "
            "brickwork.",
            id="no brickwork",
        ),
        pytest.param(
            house("BWWWW", "WWWWW", "WWWWW"),
            2,
            "There is too little brickwork around A1. It allows 1 tile, which fills only 7 of 15 spaces.",
            id="too little brickwork",
        ),
        pytest.param(
            house("BBBBB"),
            2,
            "There is too much brickwork around A1: 5 of 5 connected spaces. Every tile has one "
            "space of brickwork and at least one window.",
            id="much",
        ),
        pytest.param(
            house(*["BBBBB", "WWWWW"] * 3),
            3,
            "This house needs 15 × Purple two or Green two or Red two or Blue two or Yellow two, but there are "
            "only 10.",
            id="dominoes",
        ),
    ],
)
def test_the_question_says_why_and_where(rows: list[str], players: int, reason: str) -> None:
    assert why(rows, players=players) == reason


def test_a_house_that_was_not_settled_is_a_question_of_its_own() -> None:
    [(players, rows), *_] = [(players, rows) for players, rows, can_be in HARD if can_be is None]
    assert why(rows.split(), players=players).startswith("We couldn’t find tiles that make this house,")


def test_houses_that_share_the_tiles_out_among_them_are_not_doubted() -> None:
    dominoes = house(*["BBBBB", "WWWWW"] * 2)  # the tiles of one house alone would leave too few for the others
    assert warned(table(4, dominoes, house("BBBBB", "WWWWW"))) == []
    assert warned(table(3, dominoes, house("BBBBB", "WWWWW"))) == ["/players"]


def test_a_doubt_says_whether_the_search_gave_up_and_how_much_is_wrong() -> None:
    def told(rows: str, players: int) -> str:
        return str(doubt_about(from_rows(rows.split()), stock(players)))

    assert told(HARD[8][1], HARD[8][0]).startswith("We couldn’t find tiles that make this house, but there may be some")
    assert told(HARD[7][1], HARD[7][0]).endswith("At least two spaces must be wrong.")
    assert told(HARD[9][1], HARD[9][0]).startswith("No set of tiles can make this house. Check A1, B1, D1, E1, A2 or")
