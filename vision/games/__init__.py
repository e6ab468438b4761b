"""Which games can be read from a photo: those with a module here, named like the game. No list, no other place."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def find(game_id: str) -> ModuleType | None:
    """The reader of that game: `draft` makes a record of a reading, `piece` says what a label means on the table."""
    if game_id not in {module.name for module in pkgutil.iter_modules(__path__)}:
        return None
    return importlib.import_module(f"{__name__}.{game_id}")
