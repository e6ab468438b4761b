"""The parts Tenby's cards are made of: features, icons, colours, edges and ranges (rulebook pp. 12 and 20 onwards).

Their names and numbers stand in cards.toml and are checked when it is loaded.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Edges = tuple[str, str]  # left and right
Targets = tuple[str, ...]  # what is counted; several are counted together

SEA, PIER, TERRACE = "sea", "pier", "terrace"
WHITE = "white"
UNIQUE_COLOURS = "unique_colours"
COMPLETED_STREETS = "completed_streets"
BOTH, LEFT, RIGHT = "both", "left", "right"
DIRECTIONS = (BOTH, LEFT, RIGHT)
BASES = (TERRACE, PIER)
SUBTYPES = ("home", "business", "none")


@dataclass(frozen=True, slots=True)
class Thing:
    """Something a condition can count. `most` is what one card shows at most, for features."""

    id: str
    one: str
    many: str
    text: str
    most: int = 0

    @property
    def label(self) -> str:
        return self.many.capitalize()


@dataclass(frozen=True, slots=True)
class Named:
    """A deck or a range."""

    id: str
    name: str
    text: str


def load_things(data: dict[str, Any], group: str) -> dict[str, Thing]:
    """The things of one group of cards.toml, by id."""
    things = [Thing(**entry) for entry in data[group]]
    assert len({thing.id for thing in things}) == len(things), f"two entries of {group} share an id"
    assert all(thing.one and thing.many and thing.text for thing in things), f"an entry of {group} lacks words"
    return {thing.id: thing for thing in things}


def load_pairs(data: dict[str, Any]) -> dict[Edges, str]:
    """The eight edge pairs and their names."""
    pairs = {(entry["left"], entry["right"]): entry["name"] for entry in data["pair"]}
    assert len(pairs) == len(data["pair"]) == 8, "there are eight pairs of edges"
    assert {edge for pair in pairs for edge in pair} == {SEA, PIER, TERRACE}, "an edge is sea, pier or terrace"
    assert (SEA, SEA) not in pairs, "no card has the sea on both sides"
    return pairs


_DATA = tomllib.loads(Path(__file__).with_name("cards.toml").read_text(encoding="utf-8"))
FEATURES = load_things(_DATA, "feature")
ICONS = load_things(_DATA, "icon")
COLOURS = load_things(_DATA, "colour")
WHOLES = load_things(_DATA, "whole")
PAIRS = load_pairs(_DATA)
DECKS = {entry["id"]: Named(**entry) for entry in _DATA["deck"]}
RANGES = {entry["id"]: Named(**entry) for entry in _DATA["range"]}
assert all(feature.most > 0 for feature in FEATURES.values()), "every feature has a maximum"
assert set(RANGES) == {"white", "grey", "gold"}

THINGS = {**FEATURES, **ICONS, **COLOURS, **WHOLES}
ACCOLADE_TARGETS = frozenset(THINGS)
TARGETS = ACCOLADE_TARGETS - {COMPLETED_STREETS}  # of cards and residents, which look at one street

# The pairs of the plain ends are printed as pictures only: an end that is no end would make no sense.
PLAIN_END_PAIRS = {
    TERRACE: ((PIER, TERRACE), (TERRACE, PIER)),
    PIER: ((SEA, PIER), (PIER, SEA)),
}
PLAIN_END_POINTS = 2


def base_of(edges: Edges) -> str:
    """A terrace shows a terrace edge, a pier shows none."""
    return TERRACE if TERRACE in edges else PIER


def label(targets: Targets) -> str:
    """ "Benches", or "Benches and bins" where several are counted together."""
    return " and ".join(THINGS[target].many for target in targets).capitalize()


def counted(amount: int, targets: Targets) -> str:
    """ "3 seagulls", "1 bench", "no clouds"."""
    words = [THINGS[target].one if amount == 1 else THINGS[target].many for target in targets]
    joined = (" and " if amount != 1 else " or ").join(words)
    return f"{amount or 'no'} {joined}"
