"""Define the card box: the names of cards that are in no list, by colour.

{"format": "tidemark-cards", "version": 1, "game": "tiny_towns", "yellow": [{"name": "Cobbler"}], "monuments": []}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.cardbox import Item, Kind, Shelf, has_name
from scorer.contract import Problem
from scorer.games.tiny_towns.cards import BUILDINGS, TYPED
from scorer.record import Reader
from scorer.sentences import NOTHING, Sentence, say

CARDS_OF = {
    "grey": say("Grey cards"),
    "orange": say("Orange cards"),
    "green": say("Green cards"),
    "yellow": say("Yellow cards"),
    "black": say("Black cards"),
}


@dataclass(frozen=True, slots=True)
class Named:
    """Hold a card that is known only by name; players count its points themselves."""

    name: str


def read_named(item: Reader) -> Named:
    name = item.child("name", required=True)
    if name is not None and not has_name(name.value):
        name.fail("missing_field", say("Enter the name of the card."))
    return Named(item.text("name"))


def no_faults(_card: Named, _where: str) -> Iterator[Problem]:
    return iter(())


def dump_named(card: Named) -> Item:
    return {"name": card.name}


def no_summary(_card: Named) -> Sentence:
    return NOTHING


def kind(label: Sentence) -> Kind:
    return Kind(label, read_named, no_faults, dump_named, no_summary, by_name=True)


COLOURS_OF_TYPED = tuple(BUILDINGS[card].colour for card in TYPED if card in BUILDINGS)
CARDBOX = Shelf(
    "tiny_towns",
    {**{colour: kind(CARDS_OF[colour]) for colour in COLOURS_OF_TYPED}, "monuments": kind(say("Monuments"))},
).card_box()
