"""Install games as packages into a folder for a test: a small valid one, and broken ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorer import games
from vision import games as readers

PEBBLES = '''
"""Pebbles, a game of one number. Its `load` never asks for the table."""

from dataclasses import dataclass

from scorer.contract import Game, Line, NumberInput, Problem, Sheet
from scorer.record import Typed, read_players, read_record
from scorer.sentences import say

PLAYERS, RULES = range(1, 5), {"pebbles": say("Pebbles")}


@dataclass(frozen=True)
class Hand:
    name: str
    pebbles: int | None


@dataclass(frozen=True)
class State:
    players: tuple


def load(record):
    reader = read_record(record, "pebbles")
    players = read_players(reader, PLAYERS, RULES, (), lambda player, name: Hand(name, player.amount("pebbles")))
    state = State(players)
    reader.finish(state)
    return state


def dump(state):
    return {"game": "pebbles", "table": {}, "players": [dumped(one) for one in state.players]}


def dumped(hand):
    return hand.dump() if isinstance(hand, Typed) else {"name": hand.name, "pebbles": hand.pebbles}


def validate(state):
    return [
        Problem("missing_field", say("Count the pebbles."), f"/players/{seat}/pebbles")
        for seat, hand in enumerate(state.players)
        if isinstance(hand, Hand) and hand.pebbles is None
    ]


def sheet(state, seat, hand):
    if isinstance(hand, Typed):
        return hand.sheet(RULES, (), f"/players/{seat}")
    return Sheet(hand.name, (Line("pebbles", RULES["pebbles"], 2 * hand.pebbles, say("2 for each")),))


def score(state):
    return [sheet(state, seat, hand) for seat, hand in enumerate(state.players)]


GAME = Game(
    id="pebbles", name=say("Pebbles"), players=PLAYERS, rules=RULES, ladder=(),
    load=load, dump=dump, validate=validate, score=score, inputs=(NumberInput("pebbles", say("Pebbles")),),
)
'''
CACHES = (
    *(games._offers, games._first, games._inspected, games.all_games, games.ids),
    *(games.folder, games.about_box, games._achievements),
    *(readers._looked_at, readers.names, readers.packages),
)


def install(site: Path, name: str, code: str, game: str = "", version: str = "1.0", **files: str) -> None:
    """Install a package `tidemark_<name>` with a game, as pip would."""
    package, told = site / f"tidemark_{name}", site / f"tidemark_{name}-{version}.dist-info"
    for folder in (package, told):
        folder.mkdir(parents=True)
    (package / "__init__.py").write_text(code, encoding="utf-8")
    for file, content in files.items():
        (package / f"{file}.toml").write_text(content, encoding="utf-8")
    about = f"Metadata-Version: 2.1\nName: tidemark-{name}\nVersion: {version}\n"
    (told / "METADATA").write_text(about, encoding="utf-8")
    points = f"[{games.GROUP}]\n{game or name} = tidemark_{name}\n"
    (told / "entry_points.txt").write_text(points, encoding="utf-8")


@contextmanager
def installed(site: Path) -> Iterator[None]:
    """Discover games in this folder too, as a new process would."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        forget()
        yield
    forget()
    for name in [name for name in sys.modules if name.startswith("tidemark_")]:
        del sys.modules[name]


def forget() -> None:
    for cache in CACHES:
        cache.cache_clear()
