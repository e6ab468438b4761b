"""Find the readers of photos, which `GAME.photo` names in our own games and in installed packages."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path

from scorer import games
from scorer.sentences import Sentence, say
from vision.contract import GameReader

MOST_TOLD = 300  # letters of somebody else's exception


class NoReader(Exception):
    """Signal that a reader can't be used; `why` says what is wrong."""

    def __init__(self, why: Sentence) -> None:
        self.why = why
        super().__init__(why)


def load(path: str) -> GameReader:
    """Return the photo reader at `path`, such as "package.module:READER"; raise NoReader if it can't be used."""
    module, _, name = path.partition(":")
    try:
        reader = getattr(importlib.import_module(module), name, None)
    except (Exception, SystemExit) as fault:  # importing an installed package may raise anything
        said = " ".join(f"{type(fault).__name__}: {fault}".split())[:MOST_TOLD]
        raise NoReader(say("importing {package} failed: {fault}", package=module, fault=said)) from fault
    if not isinstance(reader, GameReader):
        raise NoReader(say("{module} must define {name} = GameReader(…)", module=module, name=name))
    return reader


@functools.cache
def _looked_at(game_id: str) -> GameReader | Sentence | None:
    """Return the reader of the game, a sentence on why it can't be used, or None if the game has none."""
    game = games.find(game_id)
    if game is None or game.photo is None:
        return None
    try:
        reader = load(game.photo.reader)
    except NoReader as refused:
        return refused.why
    return reader if reader.photo == game.photo else say("{reader}.photo must be GAME.photo", reader=game.photo.reader)


def find(game_id: str) -> GameReader | None:
    """Return the reader of the game if it has one that can be used, or None."""
    found = _looked_at(game_id)
    return found if isinstance(found, GameReader) else None


@functools.cache
def names() -> tuple[str, ...]:
    """Return the ids of all games whose boards can be read from photos."""
    return tuple(name for name in games.ids() if find(name))


def refused() -> Iterator[Sentence]:
    """Yield a sentence for every game whose reader can't be used."""
    for name in games.ids():
        if isinstance(why := _looked_at(name), Sentence):
            yield say("We can’t read photos of “{id}”: {why}.", id=name, why=why)


def only() -> GameReader:
    """Return the photo reader of Tidemark's own game that has one, for callers that name no game.

    Raise LookupError if several have one, or none.
    """
    own = [reader for name in names() if (reader := find(name)) and reader.photo.reader.startswith(f"{__name__}.")]
    if len(own) != 1:
        raise LookupError(f"name one of these games: {', '.join(names())}")
    return own[0]


@functools.cache
def packages() -> dict[str, str]:
    """Return the main file of each installed package whose game has a reader, by the package's name.

    It is `__init__.py` or the only module. The process that reads photos may read these packages wherever they are.
    """
    found = {}
    for name in names():
        reader = find(name)
        package = reader.photo.reader.partition(":")[0].partition(".")[0] if reader else ""
        spec = importlib.util.find_spec(package) if package not in ("", __name__.partition(".")[0]) else None
        if spec is not None and spec.origin is not None:
            found[package] = str(Path(spec.origin).resolve())
    return found
