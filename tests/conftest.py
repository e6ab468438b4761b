"""What tests of every part share."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings

from scorer import games
from scorer.contract import Game

ROOT = Path(__file__).resolve().parent.parent

# CI machines are slow and noisy: a slow example is no fault, and every run tries the same ones.
settings.register_profile(
    "tidemark", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.load_profile("tidemark")


@dataclass(frozen=True)
class Example:
    """A golden file: a record, where its expected lines come from, and the lines."""

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


GAMES = games.everything()
EXAMPLES = [example for game in GAMES for example in examples_of(game)]
