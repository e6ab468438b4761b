"""Define what Tenby's cards show and count: features, icons, colours, edges, decks, ranges (rulebook pp. 12, 20-).

Their names and numbers are in cards.toml and are checked when it is read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

from scorer.sentences import NOTHING, Sentence, printed, say

Edges = tuple[str, str]  # left and right
Targets = tuple[str, ...]  # ids of things that are counted together

SEA, PIER, TERRACE = "sea", "pier", "terrace"
WHITE = "white"
UNIQUE_COLOURS = "unique_colours"
COMPLETED_STREETS = "completed_streets"
BOTH, LEFT, RIGHT = "both", "left", "right"
DIRECTIONS = (BOTH, LEFT, RIGHT)
BASES = (TERRACE, PIER)


@dataclass(frozen=True, slots=True)
class Thing:
    """Describe one sort of thing that a card can count, such as benches or the wild colour. For features, `most` is how
    many of them one card shows at most."""

    id: str
    one: Sentence
    many: Sentence
    label: Sentence
    name: Sentence
    text: Sentence
    paint: Sentence = NOTHING  # of colours only
    most: int = 0


@dataclass(frozen=True, slots=True)
class Deck:
    id: str
    name: Sentence
    text: Sentence


@dataclass(frozen=True, slots=True)
class Range:
    id: str
    name: Sentence
    text: Sentence


@dataclass(frozen=True, slots=True)
class Pair:
    """Hold the name of the cards with one pair of edges; `plain` is the name of the plain end with these edges."""

    name: Sentence
    text: Sentence
    plain: Sentence = NOTHING


def load_things(data: dict[str, Any], group: str) -> dict[str, Thing]:
    """Return the entries of one group, such as "features", as `Thing`s keyed by id; `data` is the content of
    cards.toml."""
    things = [load_thing(entry) for entry in data[group]]
    assert len({thing.id for thing in things}) == len(things), f"two entries of {group} share an id"
    return {thing.id: thing for thing in things}


def load_thing(entry: dict[str, Any]) -> Thing:
    return Thing(
        entry["id"],
        one=printed(entry["one"]),
        many=printed(entry["many"]),
        label=printed(entry["label"]),
        name=printed(entry.get("name", entry["one"])),
        text=printed(entry["text"]),
        paint=printed(entry.get("paint", "")),
        most=entry.get("most", 0),
    )


def load_pairs(data: dict[str, Any]) -> dict[Edges, Pair]:
    """Return the eight pairs of left and right edge in `data`, the content of cards.toml. Each comes with the words for
    the cards that have it."""
    pairs = {
        (entry["left"], entry["right"]): Pair(
            printed(entry["name"]), printed(entry["text"]), printed(entry.get("plain", ""))
        )
        for entry in data["pair"]
    }
    assert len(pairs) == len(data["pair"]) == 8, "there are eight pairs of edges"
    assert {edge for pair in pairs for edge in pair} == {SEA, PIER, TERRACE}, "an edge is sea, pier or terrace"
    assert (SEA, SEA) not in pairs, "no card has the sea on both sides"
    return pairs


def load_deck(entry: dict[str, Any]) -> Deck:
    return Deck(entry["id"], printed(entry["name"]), printed(entry["text"]))


def load_range(entry: dict[str, Any]) -> Range:
    return Range(entry["id"], printed(entry["name"]), printed(entry["text"]))


_DATA = tomllib.loads(Path(__file__).with_name("cards.toml").read_text(encoding="utf-8"))
FEATURES = load_things(_DATA, "feature")
ICONS = load_things(_DATA, "icon")
COLOURS = load_things(_DATA, "colour")
WHOLES = load_things(_DATA, "whole")
PAINTS = {**COLOURS, **load_things(_DATA, "wild")}
PAIRS = load_pairs(_DATA)
DECKS = {entry["id"]: load_deck(entry) for entry in _DATA["deck"]}
RANGES = {entry["id"]: load_range(entry) for entry in _DATA["range"]}
assert all(feature.most > 0 for feature in FEATURES.values()), "every feature has a maximum"
assert set(RANGES) == {"white", "grey", "gold"}
assert list(PAINTS) == [*COLOURS, WHITE]
assert all(paint.paint for paint in PAINTS.values()), "a colour of cards.toml lacks its word for a building"

THINGS = {**FEATURES, **ICONS, **COLOURS, **WHOLES}
TARGETS = frozenset(THINGS)
# The labels that people may write instead of ids.
DECK_NAMES = {deck.id: deck.name for deck in DECKS.values()}
RANGE_NAMES = {range_.id: range_.name for range_ in RANGES.values()}
PAINT_NAMES = {paint.id: paint.name for paint in PAINTS.values()}
FEATURE_NAMES = {feature.id: feature.label for feature in FEATURES.values()}
ICON_NAMES = {icon.id: icon.label for icon in ICONS.values()}
ALSO_CALLED = {"completed_street": COMPLETED_STREETS}  # the rulebook's list of icons uses the singular
TARGET_NAMES = (*THINGS, *ALSO_CALLED)
TARGET_LABELS = {**{one.id: one.label for one in THINGS.values()}, **dict.fromkeys(ALSO_CALLED, NOTHING)}
# The most in one street of targets that do not grow with its cards.
MOST_IN_A_STREET = {UNIQUE_COLOURS: len(COLOURS), COMPLETED_STREETS: 1}
EDGES = {SEA: say("sea"), PIER: say("pier"), TERRACE: say("terrace")}
SUBTYPE_LABELS = {"home": say("Home"), "business": say("Business"), "none": say("Neither")}


def base_of(edges: Edges) -> str:
    """Return "terrace" if the card has a terrace edge, otherwise "pier"."""
    return TERRACE if TERRACE in edges else PIER


# The rulebook only shows plain ends as pictures; we take the pairs that can end a street.
PLAIN_END_PAIRS = {
    base: tuple(edges for edges, pair in PAIRS.items() if pair.plain and base_of(edges) == base) for base in BASES
}
PLAIN_END_POINTS = 2


@lru_cache(maxsize=1024)
def label(targets: Targets) -> Sentence:
    """Return the label for what a card counts: "Benches", or "Benches and bins" if they are counted together."""
    first, *others = (THINGS[target] for target in targets)
    return together([first.label, *(thing.many for thing in others)])


def together(parts: Iterable[Sentence]) -> Sentence:
    """Join the names of things that are counted together: "benches and bins and clouds"."""
    return reduce(lambda before, last: say("{before} and {last}", before=before, last=last), parts)
