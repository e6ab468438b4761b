"""Tell how often a save calls the database: each call is a way to the server and back."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.webapp.conftest import Device
from webapp.database import Database

MOST_CALLS = 19
MOST_CALLS_OF_STANDINGS = 8
NAMES = ("Ann", "Bob", "Cid", "Dot")
OF_STANDINGS = {"standings.py", "achievements.py"}
CALLS = ("execute", "executemany", "insert", "load")


class Calls:
    """The calls of the database: where they came from, and what was asked."""

    def __init__(self) -> None:
        self.found: list[tuple[set[str], str]] = []
        self.depth = 0

    def counting(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        def call(db: Database, what: str, *others: Any, **more: Any) -> Any:
            if self.depth == 0:  # one that another one makes is no call of its own
                self.found.append((modules(sys._getframe(1)), re.sub(r"\s+", " ", what)))
            self.depth += 1
            try:
                return plain(db, what, *others, **more)
            finally:
                self.depth -= 1

        return call


def modules(frame: FrameType | None) -> set[str]:
    found = set()
    while frame is not None:
        found.add(Path(frame.f_code.co_filename).name)
        frame = frame.f_back
    return found


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, db: Database) -> Calls:
    calls = Calls()
    for name in CALLS:
        monkeypatch.setattr(type(db), name, calls.counting(getattr(type(db), name)))
    return calls


def lay_four_towns(device: Device) -> str:
    device.get("/")
    path = str(device.post("/tables", {"game": "tiny_towns"}).location).removesuffix("/setup")
    for name in NAMES:
        device.post(f"{path}/setup", {"add": name})
    for number in range(len(NAMES)):
        device.post(f"{path}/seats/{number}", {f"grid/0/{column}": "cottage" for column in range(number)})
    device.get(f"{path}/seats")
    return path


@pytest.mark.parametrize("before", [0, 1])
def test_saving_a_game_of_four_takes_few_calls(member: Device, calls: Calls, before: int) -> None:
    for _ in range(before):
        assert member.post(f"{lay_four_towns(member)}/save").status_code == 303
    path = lay_four_towns(member)
    calls.found.clear()
    answer = member.post(f"{path}/save", {"two": "1"})
    assert "/plays/" in str(answer.location)
    of_standings = [what for where, what in calls.found if where & OF_STANDINGS]
    others = [what for where, what in calls.found if not where & OF_STANDINGS]
    newcomers = [what for what in others if what == "players"]
    assert len(newcomers) == (0 if before else len(NAMES))
    assert len(others) - len(newcomers) <= MOST_CALLS, "\n".join(others)
    assert len(of_standings) <= MOST_CALLS_OF_STANDINGS, "\n".join(of_standings)
