"""The cost of a page does not grow with the history; statistics grow no faster than it.

Counted in steps of SQLite's machine, which are the same on every computer; `python -m tests.growth` measures times.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.growth import STATISTICS, visitor
from webapp.database import sqlite
from webapp.history import listing

pytestmark = pytest.mark.either
SMALL, LARGE = 800, 3_200
MOST = 1.5
NOISE = 400  # steps: a few rows more or less in a list
SORTED = 1.3  # sorting costs a little more than in proportion
TICK = 10
COUNTING = {"data", "a game", "a game long ago"}  # pages that say how many games there are, counted in an index
EACH = 4  # steps

Steps = dict[str, int]


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Steps, Steps]]:
    """For each page, the steps SQLite takes with a small and with a large history."""
    folder = tmp_path_factory.mktemp("growth")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listing, "FEW_GAMES", 100)  # which both histories have of each player
        yield counted(folder / "small.db", SMALL, patch), counted(folder / "large.db", LARGE, patch)


def counted(path: Path, games: int, patch: pytest.MonkeyPatch) -> Steps:
    ticks = 0

    def tick() -> int:
        nonlocal ticks
        ticks += 1
        return 0

    def connect(*how: Any) -> sqlite.Sqlite:
        db = plain(*how)
        db.conn.set_progress_handler(tick, TICK)
        return db

    found: Steps = {}
    with visitor(path, games) as (client, pages):
        plain = sqlite.connect
        patch.setattr(sqlite, "connect", connect)
        client.application.extensions["connections"].close()
        for name, address in pages.items():
            ticks = 0
            assert client.get(address).status_code == 200
            found[name] = ticks * TICK
        patch.setattr(sqlite, "connect", plain)
    return found


def test_no_page_costs_more_after_four_times_as_many_games(steps: tuple[Steps, Steps]) -> None:
    small, large = steps
    assert all(small[name] > 0 for name in small)
    flat = small.keys() - STATISTICS.keys() - COUNTING
    grown = {name: (small[name], large[name]) for name in flat if large[name] > MOST * small[name] + NOISE}
    assert not grown, grown


def test_statistics_grow_no_faster_than_the_history(steps: tuple[Steps, Steps]) -> None:
    small, large = steps
    times = LARGE / SMALL * SORTED
    grown = {name: (small[name], large[name]) for name in STATISTICS if large[name] > times * small[name] + NOISE}
    assert not grown, grown


def test_counting_games_takes_a_few_steps_of_each(steps: tuple[Steps, Steps]) -> None:
    small, large = steps
    most = EACH * (LARGE - SMALL) + NOISE
    grown = {name: (small[name], large[name]) for name in COUNTING if large[name] > small[name] + most}
    assert not grown, grown
