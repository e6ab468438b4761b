"""The only list of games: the sub-packages of this folder, each of which defines GAME."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from scorer.contract import Game
from scorer.sentences import Sentence


@functools.cache
def names() -> tuple[str, ...]:
    """The ids of all games, without importing any."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


@functools.cache
def find(name: str) -> Game | None:
    """The game of that id; only this one is imported, which keeps `tidemark score` quick to start."""
    if name not in names():
        return None
    game: Game = importlib.import_module(f"{__name__}.{name}").GAME
    assert game.id == name, f"the game in folder {name} calls itself {game.id}"
    return game


def everything() -> tuple[Game, ...]:
    """All games, in order of name."""
    found = [game for name in names() if (game := find(name)) is not None]
    return tuple(sorted(found, key=lambda game: game.name))


def titles() -> dict[str, Sentence]:
    """By id, what each game is called."""
    return {game.id: game.name for game in everything()}
