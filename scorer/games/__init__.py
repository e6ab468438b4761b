"""Find all games: the folders here, and installed packages with an entry point in the group `tidemark.games`.

Each game is a package whose `__init__.py` defines `GAME`. `admit` checks every package. A package that fails is left
out, `refused` says why, and all other games still work.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from scorer import about
from scorer.contract import Game
from scorer.contract_check import NotAdmitted, admit
from scorer.sentences import Sentence, as_it_is, in_sentences, say

GROUP = "tidemark.games"  # the entry points of packages: `cascadia = "tidemark_cascadia"`
ID = re.compile(r"[a-z][a-z0-9_]{0,39}")  # part of addresses, file names and saved games
LONGEST_FAULT = 300  # characters of an exception from another package


@dataclass(frozen=True, slots=True)
class Offer:
    """Name a package that offers a game. `source` is the distribution that it comes from, "" for our own."""

    id: str
    package: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Hold a package that is left out, and the reason."""

    offer: Offer
    why: Sentence

    @property
    def message(self) -> Sentence:
        """Return a sentence that names the package and the reason."""
        source = self.offer.source or self.offer.package
        left_out = say("The game “{id}” of {source} was not loaded.", id=self.offer.id, source=source)
        return in_sentences([left_out, self.why])


@functools.cache
def _built_in() -> dict[str, Offer]:
    found = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return {name: Offer(name, f"{__name__}.{name}") for name in found}


def is_built_in(name: str) -> bool:
    """Return whether a game is one of our own, in a folder of this package."""
    return name in _built_in()


@functools.cache
def _offers() -> tuple[Offer, ...]:
    """Return all packages that offer a game, our own first."""
    installed = [
        Offer(point.name, point.module, f"{point.dist.name} {point.dist.version}" if point.dist else point.module)
        for point in entry_points(group=GROUP)
    ]
    return (*_built_in().values(), *sorted(installed, key=lambda offer: (offer.id, offer.source)))


@functools.cache
def _first() -> dict[str, Offer]:
    """Return, for each game id, the package that offers the game. If several do, it is our own, or else the one whose
    distribution has the first name in the alphabet."""
    return {offer.id: offer for offer in reversed(_offers())}


def _offer(name: str) -> Offer | None:
    """Return the package that offers the game of that id, or None.

    Listing installed packages takes time, so our own games are looked up first.
    """
    return _built_in().get(name) or _first().get(name)


@functools.cache
def _inspected(offer: Offer) -> Game | Refused:
    if not ID.fullmatch(offer.id):
        why = say("“{id}” is not a valid id. Use up to 40 lowercase letters, digits and underscores.", id=offer.id)
        return Refused(offer, why)
    try:
        return admit(offer.id, importlib.import_module(offer.package))
    except NotAdmitted as refused:
        return Refused(offer, refused.why)
    except (Exception, SystemExit) as fault:  # another package may raise anything on import
        said = " ".join(f"{type(fault).__name__}: {fault}".split())[:LONGEST_FAULT]
        return Refused(offer, say("We can’t import {package}: {fault}", package=offer.package, fault=said))


def find(name: str) -> Game | None:
    """Return the game of that id, or None if there is none. Other games are not imported, so that `tidemark score`
    starts quickly."""
    offer = _offer(name)
    found = _inspected(offer) if offer is not None else None
    return found if isinstance(found, Game) else None


@functools.cache
def all_games() -> tuple[Game, ...]:
    """Return all games in order of name."""
    found = [game for name in _first() if (game := find(name)) is not None]
    return tuple(sorted(found, key=lambda game: (game.name, game.id)))


@functools.cache
def ids() -> tuple[str, ...]:
    return tuple(sorted(game.id for game in all_games()))


def installed() -> dict[str, str]:
    """Return, keyed by game id, the name and version of the package of each game that is not our own."""
    return {name: _first()[name].source for name in ids() if not is_built_in(name)}


class Titles(dict[str, Sentence]):
    """Map the id of a game to its name. If the game is not installed, the name is made from the id."""

    def __missing__(self, name: str) -> Sentence:
        return as_it_is(name.replace("_", " ").capitalize())


def titles() -> Titles:
    return Titles({game.id: game.name for game in all_games()})


def refused(name: str = "") -> Iterator[Refused]:
    """Yield every package whose game is not loaded, with the reason. With `name`, yield only packages that offer the
    game with this id."""
    for offer in _offers():
        if name not in ("", offer.id):
            continue
        if offer != _offer(offer.id):
            yield Refused(offer, say("Another game already uses the id “{id}”.", id=offer.id))
        elif isinstance(found := _inspected(offer), Refused):
            yield found


@functools.cache
def folder(name: str) -> Path:
    """Return the folder of a game without importing the game; raise LookupError if there is none."""
    offer = _offer(name)
    spec = importlib.util.find_spec(offer.package) if offer is not None else None
    if spec is None or not spec.submodule_search_locations:
        raise LookupError(name)
    return Path(spec.submodule_search_locations[0])


@functools.cache
def about_box(name: str) -> about.About:
    """Return the content of a game's `about.toml`, or an empty `About` if the game has none. Raise LookupError if there
    is no such game."""
    return about.about(folder(name))


def achievements(name: str) -> tuple[about.Achievement, ...]:
    """Return the achievements of a game, or () if the game is not installed."""
    return _achievements(name) if find(name) is not None else ()


@functools.cache
def _achievements(name: str) -> tuple[about.Achievement, ...]:
    return about.achievements(folder(name), name)
