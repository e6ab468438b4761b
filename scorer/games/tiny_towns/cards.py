"""Read the cards from `cards.toml` and check them once, when the game is imported.

The colours are the building types: every table plays the Cottage and one card of each other colour.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.contract import Entry
from scorer.games.tiny_towns.squares import SIDE
from scorer.sentences import NOTHING, Sentence, printed, say

RESOURCES = ("wood", "wheat", "brick", "glass", "stone")
MODES = ("standard", "town_hall", "solo")
EXPANSIONS = ("fortune", "villagers")
EMPTY = "empty"
UNREAD = ""  # stand-in for an unreadable piece; no rule objects to it
MONUMENT = "monument"
COTTAGE = "cottage"
SYMBOLS = frozenset("whbgs.")
WORDS = frozenset({"name", "plural", "text", "points", "cite"})  # fields of cards.toml that people read
EXPANSION_NAMES = {"": NOTHING, "fortune": say("Fortune"), "villagers": say("Villagers")}
PROMO = say("Promo card")
BARE = {EMPTY: say("empty"), MONUMENT: say("monument")}  # pieces that are no building


@dataclass(frozen=True, slots=True)
class Type:
    """Describe a building type: its colour, the wooden piece for all its cards, and its name."""

    colour: str
    piece: str
    name: Sentence


@dataclass(frozen=True, slots=True)
class Card:
    """Hold what cards.toml says about one card: its name, texts, colour and pattern, and the numbers it scores by."""

    id: str
    name: Sentence
    text: Sentence
    points: Sentence  # in words, for the catalogue
    plural: Sentence = NOTHING  # for buildings
    mark: str = ""  # short enough for a small square
    colour: str = "purple"
    pattern: tuple[str, ...] = ()
    cubes: int = 0  # in the pattern
    worth: int = 0  # points for each thing that the card counts
    more: int = 0  # extra points: Feast Hall: each, with the most of them; Game Store: each, in a town of 5 Cottages
    each: int = 0  # points for a second thing the card counts
    totals: tuple[int, ...] = ()  # points for 1, 2, 3, ...
    feeds: int = 0
    needs: int = 0  # fed Cottages beside it; Brewery: types beside it
    holds: int = 0
    most: int = 0  # in one town
    fills_town: bool = False  # with it a town can be built up to the last square
    widens_chest: bool = False  # makes room for a fifth coin
    typed: bool = False  # a card in no list, whose points players count themselves
    removed_in: tuple[str, ...] = ()  # modes
    expansion: str = ""
    promo: bool = False  # a promotional card, which no box contains
    cite: Sentence = NOTHING


def _fields(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of cards.toml with its words as sentences and its lists as tuples."""
    return {
        key: printed(value) if key in WORDS else tuple(value) if isinstance(value, list) else value
        for key, value in entry.items()
    }


def _read(entry: dict[str, Any]) -> Card:
    """Return the card of an entry of cards.toml, with the usual citation if it has none. Raise ValueError if the entry
    is wrong."""
    fields = _fields(entry)
    usual = {
        "": say("card; clarifications in the rulebook"),
        "fortune": say("card (Fortune)"),
        "villagers": say("card; clarifications in the Villagers rulebook"),
    }[entry.get("expansion", "")]
    cubes = sum(len(row) - row.count(".") for row in fields.get("pattern", ()))
    card = Card(**{"cite": usual, "cubes": cubes, **fields})
    if not set("".join(card.pattern)) <= SYMBOLS or len({len(row) for row in card.pattern}) > 1:
        raise ValueError(f"{card.id}: a pattern is a rectangle of {''.join(sorted(SYMBOLS))}")
    if max([len(card.pattern), *map(len, card.pattern)]) > SIDE:
        raise ValueError(f"{card.id}: the pattern does not fit a town")
    if not (set(card.removed_in) <= set(MODES) and card.expansion in ("", *EXPANSIONS)):
        raise ValueError(f"{card.id}: unknown mode or expansion")
    return card


def _unique(cards: list[Card]) -> dict[str, Card]:
    found = {card.id: card for card in cards}
    if len(found) != len(cards):
        raise ValueError("two cards have one id")
    return found


_DATA = tomllib.loads(Path(__file__).with_name("cards.toml").read_text("utf-8"))
TYPES = {entry["colour"]: Type(**_fields(entry)) for entry in _DATA["type"]}
BUILDINGS = _unique([_read(entry) for entry in _DATA["building"]])
MONUMENTS = _unique([_read(entry) for entry in _DATA["monument"]])
CARDS = {**BUILDINGS, **MONUMENTS}
TYPED = tuple(card.id for card in CARDS.values() if card.typed)
LIMITED = frozenset(card.id for card in CARDS.values() if card.expansion or card.removed_in)  # not for every table
COLOURS = tuple(colour for colour in TYPES if colour not in ("blue", "purple"))  # the six a table chooses cards for
OPTIONS = {colour: tuple(card.id for card in BUILDINGS.values() if card.colour == colour) for colour in COLOURS}
CARD_NAMES = {colour: {card: BUILDINGS[card].name for card in cards} for colour, cards in OPTIONS.items()}
BUILDING_NAMES = {card.id: card.name for card in BUILDINGS.values()}
MONUMENT_NAMES = {card.id: card.name for card in MONUMENTS.values()}
FIRST_GAME: dict[str, str] = _DATA["first_game"]
PIECES = {**BARE, **BUILDING_NAMES}  # the values of a square in a record
# Line rule -> label, in the order of a sheet: buildings type by type, then monument, coins and empty squares.
RULES = {
    **{card.id: card.plural for colour in TYPES for card in BUILDINGS.values() if card.colour == colour},
    "monument": say("Monument"),
    "coins": say("Coins"),
    "empty": say("Empty squares"),
}

if any(FIRST_GAME.get(colour) not in OPTIONS[colour] for colour in COLOURS):
    raise ValueError("first_game needs one card of each colour")
if any(card.colour not in TYPES for card in BUILDINGS.values()):
    raise ValueError("a building has an unknown colour")
if len({card.mark for card in BUILDINGS.values()}) != len(BUILDINGS):
    raise ValueError("two buildings have one mark")


def piece_name(piece: str) -> Sentence:
    return PIECES[piece]


def _entry(card: Card) -> Entry:
    expansion = PROMO if card.promo else EXPANSION_NAMES[card.expansion]
    return Entry(card.id, card.name, TYPES[card.colour].name, card.text, card.pattern, card.points, expansion)


CATALOGUE = tuple(_entry(card) for card in (*BUILDINGS.values(), *MONUMENTS.values()))
