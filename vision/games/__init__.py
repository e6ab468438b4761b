"""Which games can be read from a photo: those with a module here, named like the game. No list, no other place."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from vision.contract import GameReader


@functools.cache
def names() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@functools.cache
def find(game_id: str) -> GameReader | None:
    """The reader of that game, if it has one."""
    if game_id not in names():
        return None
    reader: GameReader = importlib.import_module(f"{__name__}.{game_id}").READER
    assert reader.game == game_id, f"the reader in {game_id}.py calls its game {reader.game}"
    return reader


def only() -> GameReader:
    """The reader of the single game that has one, for whoever names no game."""
    if len(names()) != 1:
        raise LookupError(f"name one of these games: {', '.join(names())}")
    reader = find(names()[0])
    assert reader is not None
    return reader
