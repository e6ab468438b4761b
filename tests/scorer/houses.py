"""Build tables of Copenhagen for tests: grids from their lowest floors, tiles from their ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorer.core import score

Record = dict[str, Any]
EMPTY = "....."
NOTHING = [EMPTY] * 9

# Players, grid and whether tiles can form it, None if the search may give up: found by climbing from random houses to
# those that take the most steps.
HARD: list[tuple[int, str, bool | None]] = [
    (2, "WWBWB WBWBW WWBW. WBWBB WB.WW WWW.W BBW.W WBWWW .BWWW", None),
    (4, "BWWWB .BW.. BBWWB WBWWW W.WBW WBBWW WW.WB WWB.W BWWWW", None),
    (3, "WWWBW .WWWB WWWBW WBBWW WWWBW BBWWB W.WWW WWWWB W..BW", True),
    (2, ".WBWB WWWBW ..WWB WBWWW WBWWB WBBWB WWWBW WWWWW WWWBW", True),
    (2, "WBWBW BWWWB WBWWW WWBWB BWWBW WBWWB BWWB. BWBWW W.WBB", True),
    (3, "BWWBB WBBWW BWBWB BWWBW WWBWB WBW.W WWBWW WWWBW BWWWB", False),
    (2, "WBWBB BWBWW BWWBW WBWBB WBWBW WWBWW BBWWW WWBWB BWWBW", False),
    (2, "WWBWW BBWBB WWBWB BBWWB BWWBW WWBWB WBWWB WBWWB WWBWW", False),
    (4, "WB.W. BWWWW WWWWB BWB.W WWWWB BBWBW BWWWW W.WBW W...W", None),
    (2, "BWWWW WWWWW WWWBB BWWWW WWBWW WWBWW WWWBW WWWWW WWBWW", False),
]


def house(*floors: str) -> list[str]:
    """Return a grid with these lowest floors, the first one at the bottom."""
    return [*[EMPTY] * (9 - len(floors)), *reversed(floors)]


def tile(kind: str, *cells: Sequence[int], brick: Sequence[int] | None = None) -> Record:
    return {"tile": kind, "cells": [list(cell) for cell in cells], "brick": None if brick is None else list(brick)}


def along(kind: str, column: int, floor: int) -> Record:
    """Return a straight tile along a floor, with its brickwork on the left."""
    return tile(kind, *((column + at, floor) for at in range(int(kind[-1]))), brick=(column, floor))


def up(kind: str, column: int, floor: int) -> Record:
    """Return a straight tile up a column, with its brickwork at the bottom."""
    return tile(kind, *((column, floor + at) for at in range(int(kind[-1]))), brick=(column, floor))


def record(*players: list[Any], end: str | None = "card") -> Record:
    """Return a record of grids or lists of tiles. A single player gets an empty opponent."""
    seats = [
        {"name": f"Player {number}", "grid" if not player or isinstance(player[0], str) else "tiles": player}
        for number, player in enumerate([*players, *([NOTHING] if len(players) == 1 else [])])
    ]
    return {"game": "copenhagen", "table": {} if end is None else {"end": end}, "players": seats}


def with_tiles(*tiles: Record, end: str | None = "card", players: int = 2) -> Record:
    empty: list[Record] = [{"name": f"Player {number}", "tiles": []} for number in range(1, players)]
    finished = {"game": "copenhagen", "table": {"end": end}, "players": [{"name": "Ann", "tiles": list(tiles)}, *empty]}
    return finished


def codes(finished: Record) -> list[str]:
    return [problem["code"] for problem in score(finished)["problems"]]


def faults(finished: Record) -> list[tuple[str, str]]:
    return [
        (problem["code"], problem["where"]) for problem in score(finished)["problems"] if problem["level"] == "error"
    ]
