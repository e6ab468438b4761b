"""Towns of all three boxes mixed, against trying out every feeding (villagers_by_force.py)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from scorer.core import score
from scorer.games.tiny_towns.cards import BUILDINGS, COLOURS, MONUMENTS, OPTIONS
from tests.scorer import villagers_by_force as force
from tests.scorer.towns import NAMES

BOARDS = 2000
BLOCKS = 20
MOST_HUNGRY = 8  # what there is to try doubles with each


def cell(place: force.Place) -> str:
    return f"{'ABCD'[place[1]]}{place[0] + 1}"


def drawn(chance: random.Random) -> tuple[dict[str, Any], force.Town]:
    """A legal town of two players' table as a record, and the same town for the scorer by force."""
    cards = {colour: chance.choice(OPTIONS[colour]) for colour in COLOURS}
    if chance.random() < 0.5:
        cards["orange"] = "monastery"
    if chance.random() < 0.2:
        cards["green"] = "schoolhouse"
    if chance.random() < 0.2:
        cards["yellow"] = "friendly_local_game_store"
    monument = chance.choice([*MONUMENTS, "barrett_castle", "eraflage_vineyard", "grand_mausoleum_of_the_rodina", ""])
    palette = [*cards.values(), cards["red"], cards["orange"], *["cottage"] * chance.randint(2, 8), *["empty"] * 2]
    squares = [chance.choice(palette) for _ in range(16)]
    if monument:
        squares[chance.randrange(16)] = "monument"
    towers = [index for index, piece in enumerate(squares) if piece == "folly_tower"]
    banks = [index for index, piece in enumerate(squares) if piece == "bank"]
    hungry = [index for index, piece in enumerate(squares) if piece == "cottage"]
    for index in (*towers[1:], *banks[5:], *hungry[MOST_HUNGRY - 1 :]):
        squares[index] = "empty"
    at = {place: piece for place, piece in zip(force.EVERYWHERE, squares, strict=True) if piece != "empty"}
    town = force.Town(at, monument if "monument" in squares else "")
    town.rulings = {
        "feeding": chance.choice(["must", "must", "may"]),
        "blacksmith_cube": chance.choice(["counts", "removed"]),
        "schoolhouse": chance.choice(["together", "apart"]),
    }
    town.coins, town.coins_on_the_right = chance.randint(0, 4), chance.randint(0, 4)
    town.feast_halls_on_the_right = chance.randint(0, 3)
    town.height, town.tallest_elsewhere = chance.randint(1, 4), chance.randint(1, 4)
    town.swaps = chance.randint(0, 3)
    town.shrine_count, town.starloom_place = chance.randint(1, len(at) or 1), chance.randint(1, 2)
    town.warehouse_cubes = {place: chance.randint(0, 3) for place in town.all("warehouse")}
    town.blacksmith_cubes = {place: chance.randint(0, 1) for place in town.all("blacksmith")}
    town.typed = {card: chance.randint(-3, 9) for card in (*cards.values(), monument) if card.startswith("other_")}
    return record(cards, squares, town), town


def record(cards: dict[str, str], squares: list[str], town: force.Town) -> dict[str, Any]:
    ann = {
        "name": NAMES[0],
        "grid": [squares[start : start + 4] for start in range(0, 16, 4)],
        "monument": town.monument,
        "coins": town.coins,
        "right_coins": town.coins_on_the_right,
        "right_feast_halls": town.feast_halls_on_the_right,
        "warehouse_cubes": {cell(place): cubes for place, cubes in town.warehouse_cubes.items()},
        "blacksmith_cubes": {cell(place): cubes for place, cubes in town.blacksmith_cubes.items()},
        "typed_points": town.typed,
        "folly_tower_height": town.height,
        "tallest_other_tower": town.tallest_elsewhere,
        "shrine_count": town.shrine_count,
        "starloom_place": town.starloom_place,
        "hollow_hill_swaps": town.swaps,
    }
    if not town.monument:
        del ann["monument"]
    table = {"mode": "standard", "cards": cards, "expansions": ["fortune", "villagers"], "rulings": town.rulings}
    return {"game": "tiny_towns", "table": table, "players": [ann, {"name": NAMES[1], "typed": {"coins": 0}}]}


FOOD = {"cottage", "chapel", "temple", "parsonage", "schoolhouse", "friendly_local_game_store", "monastery", "coins"}


@pytest.mark.parametrize("block", range(BLOCKS))
def test_no_feeding_brings_more_and_every_other_line_is_right(block: int) -> None:
    chance = random.Random(block)
    for _ in range(BOARDS // BLOCKS):
        entered, town = drawn(chance)
        found = score(entered)
        assert found["ok"], (found["problems"], entered)
        ann = found["players"][0]
        assert ann["total"] == force.best(town), entered
        lines = {line["rule"]: line["points"] for line in ann["lines"]}
        wanted = force.steady(town)
        eaten = {"monument"} if town.monument in ("barrett_castle", "eraflage_vineyard", "larkstone") else set()
        for rule in (wanted.keys() | lines.keys()) - FOOD - eaten:
            assert lines.get(rule, 0) == wanted.get(rule, 0), (rule, entered)


def test_the_towns_hold_every_card() -> None:
    chance = random.Random(0)
    seen = set()
    for _ in range(BOARDS // 2):
        _, town = drawn(chance)
        seen |= {*town.at.values(), town.monument}
    assert seen >= {*BUILDINGS, *MONUMENTS}
