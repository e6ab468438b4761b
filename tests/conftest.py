"""Define what all tests share."""

from __future__ import annotations

import copy
import os
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from scorer import games
from scorer.contract import Game
from tests import second_look

ROOT = Path(__file__).resolve().parent.parent

MEMORY = Path("/dev/shm")
ROOM = 4 * 1024**3  # bytes; a run needs a tenth of it

# CI machines are slow and noisy: a slow example is no fault, and every run tries the same ones.
settings.register_profile(
    "tidemark", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.load_profile("tidemark")


def pytest_addoption(parser: pytest.Parser) -> None:
    choices = ("sqlite", "postgres")
    parser.addoption("--engine", choices=choices, default="sqlite", help="what keeps the databases of the web tests")
    span = "MILLISECONDS[-MILLISECONDS]"
    parser.addoption("--slow-pages", metavar=span, help="how much later pages come in the tests with browsers")
    parser.addoption("--slow-phones", metavar="TIMES", type=int, help="how much slower Chromium is in these tests")


def pytest_configure(config: pytest.Config) -> None:
    stay_in_memory()
    config.pluginmanager.register(second_look)
    config.addinivalue_line("markers", "sqlite: about the SQLite file itself, so there is nothing to ask a server")
    config.addinivalue_line("markers", "either: the same wherever the data lies, or with servers of its own")
    config.addinivalue_line("markers", "tests(source, *options): what is run by a test about running tests")
    config.addinivalue_line("markers", "postgres: about what happens on a server only")


def stay_in_memory() -> None:
    """Keep the tests' temporary files in memory if there is room, so that no disk slows them down."""
    if "TMPDIR" in os.environ or not MEMORY.is_dir():
        return
    found = os.statvfs(MEMORY)
    if found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    other = "postgres" if config.getoption("--engine") == "sqlite" else "sqlite"
    for_it = [item for item in items if item.get_closest_marker(other)]
    items[:] = [item for item in items if not item.get_closest_marker(other)]
    config.hook.pytest_deselected(items=for_it)
    long = {item.path for item in items if "browser" in (item.path.name + " ".join(getattr(item, "fixturenames", ())))}
    items.sort(key=lambda item: item.path not in long)  # the last files to be begun are short ones: nobody waits long


@dataclass(frozen=True)
class Example:
    """Hold a golden file: a record, the source of its expected lines, and the lines."""

    game: Game
    name: str
    content: dict[str, Any]

    @property
    def record(self) -> dict[str, Any]:
        return copy.deepcopy(self.content["state"])

    def __str__(self) -> str:
        return f"{self.game.id}/{self.name}"


def examples_of(game: Game) -> Iterator[Example]:
    for file in sorted((ROOT / "scorer" / "games" / game.id / "examples").glob("*.toml")):
        yield Example(game, file.stem, tomllib.loads(file.read_text(encoding="utf-8")))


GAMES = games.all_games()
EXAMPLES = [example for game in GAMES for example in examples_of(game)]
