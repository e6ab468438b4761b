"""Copenhagen: in which order a house was laid. Coats of arms are used at once, and 12 points end the game."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from scorer.core import score
from scorer.games.copenhagen import ending, facade, last_turn, laying
from scorer.games.copenhagen.buildable import build
from scorer.games.copenhagen.facade import FLOOR_SPACES, Facade, Spaces, bit, from_rows
from scorer.games.copenhagen.laying import Turns, has_order
from scorer.games.copenhagen.shapes import stock
from tests.scorer import by_force
from tests.scorer.houses import NOTHING, Record, along, codes, faults, house, record, tile, up, with_tiles

Tiles = list[tuple[by_force.Laid, bool]]
MOST = 12  # tiles whose orders brute force can still go through


def spaces(tiles: Tiles, special: bool) -> list[Spaces]:
    return [sum(map(bit, laid)) for laid, is_special in tiles if is_special is special]


def facade_of(painted: dict[by_force.Space, str]) -> Facade:
    return from_rows(by_force.rows_of(painted))


def move_coats(chance: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put coats of arms where a small house can reach them."""
    coats = {(chance.randint(1, 5), chance.randint(1, 4)) for _ in range(chance.randint(1, 5))}
    floors = chance.sample([1, 2, 3], chance.choice([0, 1, 1, 2, 3]))
    monkeypatch.setattr(by_force, "COATS", coats)
    monkeypatch.setattr(by_force, "COAT_FLOORS", floors)
    for module in (facade, laying, last_turn):
        monkeypatch.setattr(module, "COAT_SPACES", sum(map(bit, coats)))
        monkeypatch.setattr(module, "COAT_FLOORS", tuple(FLOOR_SPACES[floor - 1] for floor in floors))


def some_layout(chance: random.Random, most: int = 9) -> tuple[Tiles, dict[by_force.Space, str]]:
    """Tiles that rest on each other, with special tiles wherever there was room for one, earned or not."""
    painted: dict[by_force.Space, str] = {}
    tiles: Tiles = []
    for _ in range(chance.randint(3, most)):
        places = [found for _ in range(40) if (found := by_force.random_drop(chance, painted))]
        free = [
            (x, y)
            for x in range(1, 6)
            for y in range(1, 10)
            if (x, y) not in painted and (y == 1 or (x, y - 1) in painted)
        ]
        if not free:
            break
        if chance.random() < 0.25 or not places:
            space = chance.choice(free)
            painted[space] = "W"
            tiles.append((frozenset([space]), True))
        else:
            laid, brick = min(chance.sample(places, min(3, len(places))), key=lambda one: max(y for _, y in one[0]))
            painted |= {space: "B" if space == brick else "W" for space in laid}
            tiles.append((laid, False))
    return tiles, painted


def some_house(chance: random.Random) -> dict[by_force.Space, str]:
    """Two or three floors and a half of any windows and bricks that may well be tiles."""
    width = chance.randint(0, 5)
    rows = [[chance.choice("WWB") for _ in range(5)] for _ in range(2)] + [[chance.choice("WWB") for _ in range(width)]]
    return {(column, floor): letter for floor, row in enumerate(rows, 1) for column, letter in enumerate(row, 1)}


@settings(max_examples=300)
@given(st.integers(0, 10**9), st.booleans())
def test_an_order_is_found_exactly_if_brute_force_finds_one(seed: int, coats_are_low: bool) -> None:
    chance = random.Random(seed)
    with pytest.MonkeyPatch.context() as monkeypatch:
        if coats_are_low:
            move_coats(chance, monkeypatch)
        tiles, _ = some_layout(chance)
        assume(len(tiles) <= MOST)
        assert has_order(spaces(tiles, False), spaces(tiles, True)) is by_force.has_order(tiles)


@settings(max_examples=300)
@given(st.integers(0, 10**9), st.integers(1, 3))
def test_a_last_turn_is_found_exactly_if_brute_force_finds_one(seed: int, goal: int) -> None:
    chance = random.Random(seed)
    with pytest.MonkeyPatch.context() as monkeypatch:
        move_coats(chance, monkeypatch)
        monkeypatch.setattr(last_turn, "GOAL", goal)
        tiles, painted = some_layout(chance)
        assume(len(tiles) <= MOST and by_force.points(painted) >= goal and by_force.has_order(tiles))
        found = last_turn.tiles_have_last_turn(spaces(tiles, False), spaces(tiles, True), facade_of(painted))
        assert found is by_force.has_order(tiles, painted, goal)


@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 10**9), st.integers(1, 2))
def test_a_last_turn_of_a_grid_is_found_exactly_if_brute_force_finds_one(seed: int, goal: int) -> None:
    chance = random.Random(seed)
    with pytest.MonkeyPatch.context() as monkeypatch:
        move_coats(chance, monkeypatch)
        monkeypatch.setattr(last_turn, "GOAL", goal)
        painted = some_house(chance)
        assume(len(painted) <= MOST and by_force.points(painted) >= goal)
        answer = build.__wrapped__(facade_of(painted), stock(4))
        assume(answer.is_buildable)
        monkeypatch.setattr(last_turn, "build", build.__wrapped__)  # nothing remembered: the coats have moved
        found = last_turn.grid_has_last_turn(facade_of(painted), stock(4), answer.tiles)
        ways = by_force.covers(by_force.letters(by_force.rows_of(painted)), stock(4))
        assert found is any(by_force.has_order(tiles, painted, goal) for tiles in ways)


def test_an_order_is_sought_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in houses full of tiles, and where there is none."""
    steps: list[Spaces] = []
    next_tiles = Turns.next_tiles

    def counted(self: Turns, filled: Spaces, left: int, used: int) -> Iterator[tuple[Spaces, int, int]]:
        steps.append(filled)
        return next_tiles(self, filled, left, used)

    monkeypatch.setattr(Turns, "next_tiles", counted)
    found = set()
    for seed in range(300):
        tiles, _ = some_layout(random.Random(seed), most=24)
        steps.clear()
        found.add(has_order(spaces(tiles, False), spaces(tiles, True)[:7]))
        assert len(steps) < 5000, seed
    assert found == {True, False}


# -- examples ---

PILLAR = [up("purple-5", 3, 1), tile("purple-3", (3, 6), (3, 7), (3, 8), brick=(3, 8))]


def test_a_coat_of_arms_cannot_be_saved_up() -> None:
    # C3 is earned by the tile below, while C8 is empty; nothing else earns a coat, so nothing was laid on C9.
    saved = with_tiles(*PILLAR, tile("white-1", (3, 9)))
    assert faults(saved) == [("white_exceeds_coats", "/players/0/tiles/2/tile")]
    assert "as soon as a coat of arms is covered" in score(saved)["problems"][0]["message"]
    assert codes(with_tiles(*PILLAR, tile("white-1", (1, 1)))) == []  # it was laid with the lower tile


def test_a_coat_of_arms_cannot_be_saved_up_in_a_grid_either() -> None:
    painted = record(house("..B..", *["..W.."] * 6, "..B..", "..W.."))
    assert faults(painted) == [] and codes(painted) == ["not_buildable"]


def test_the_tile_that_finishes_a_coat_floor_may_be_chosen_for_its_coat() -> None:
    # Floor 2 is finished by the tile that carries the special one: by either of its two tiles, the other lies already.
    floors = [along("purple-5", 1, 1), along("green-3", 1, 2), up("red-2", 4, 2), up("blue-2", 5, 2)]
    assert codes(with_tiles(*floors, tile("white-1", (5, 4)))) == []
    assert codes(with_tiles(*floors, tile("white-1", (4, 4)))) == []
    stacked = [*floors, tile("white-1", (5, 4)), tile("white-1", (5, 5))]  # E5 is earned by itself, too late
    assert codes(with_tiles(*stacked)) == ["white_exceeds_coats"]


# Thirteen tiles and a special one on A5. Only the tile below it could have been the last: without any other the house
# has 12 points already or falls down. But it earned no coat, so the special tile was not laid with it.
CARRIES = [
    tile("red-4", (1, 1), (1, 2), (2, 1), (2, 2), brick=(1, 2)),
    tile("green-2", (5, 1), (5, 2), brick=(5, 1)),
    tile("blue-4", (4, 1), (4, 2), (4, 3), (5, 3), brick=(4, 1)),
    tile("green-3", (3, 1), (3, 2), (3, 3), brick=(3, 3)),
    tile("blue-2", (1, 3), (2, 3), brick=(1, 3)),
    tile("green-2", (4, 4), (5, 4), brick=(5, 4)),
    tile("purple-3", (1, 4), (2, 4), (3, 4), brick=(1, 4)),
    tile("white-1", (1, 5)),
    tile("green-4", (2, 5), (3, 5), (3, 6), (4, 5), brick=(3, 6)),
    tile("yellow-4", (4, 6), (4, 7), (5, 5), (5, 6), brick=(5, 6)),
    tile("red-3", (2, 6), (2, 7), (3, 7), brick=(2, 6)),
    tile("purple-4", (1, 6), (1, 7), (1, 8), (1, 9), brick=(1, 6)),
    tile("yellow-4", (4, 8), (4, 9), (5, 7), (5, 8), brick=(5, 8)),
    tile("red-4", (2, 8), (2, 9), (3, 8), (3, 9), brick=(3, 8)),
]


def laid(tiles: list[Record]) -> tuple[Tiles, dict[by_force.Space, str]]:
    painted = {
        (column, floor): "B" if one["brick"] == [column, floor] else "W"
        for one in tiles
        for column, floor in one["cells"]
    }
    return [(frozenset((c, f) for c, f in one["cells"]), one["tile"] == "white-1") for one in tiles], painted


def test_a_tile_that_carries_others_was_not_the_last_one() -> None:
    tiles, painted = laid(CARRIES)
    assert by_force.has_order(tiles) and not by_force.has_order(tiles, painted, 12)
    assert faults(with_tiles(*CARRIES, end="points", players=4)) == [
        ("game_should_have_ended_earlier", "/players/0/tiles")
    ]


def test_a_grid_that_came_too_late_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a lower goal, so that one sees it at once."""
    for module in (last_turn, ending):
        monkeypatch.setattr(module, "GOAL", 1)
    dominoes = house(*["BBBBB", "WWWWW"] * 3)  # whichever came last, it finished two floors of the six
    late = record(dominoes, NOTHING, NOTHING, NOTHING, end="points")
    assert faults(late) == [("game_should_have_ended_earlier", "/players/0/grid")]
    in_time = record(house("BWWWW"), NOTHING, NOTHING, NOTHING, end="points")
    assert codes(in_time) == []


def test_a_grid_of_twelve_points_or_more_that_tiles_do_not_form_is_scored() -> None:
    windows = record(["WWWWW"] * 9, NOTHING, end="points")
    assert score(windows)["players"][0]["total"] == 38
    assert codes(windows) == ["not_buildable"]
