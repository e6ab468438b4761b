"""Prepare the changes that the town editor's buttons make to the record, as lists of path, value, path, value."""

from __future__ import annotations

from scorer.contract import Json
from scorer.games.tenby import choices
from scorer.games.tenby.builder import LANDMARK
from scorer.games.tenby.cards import PAINTS, PAIRS, Edges, base_of
from scorer.games.tenby.town import Card
from scorer.games.tenby.town_record import dump_card
from scorer.record import mapping

PLAIN_END = "plain_end"


def to_deck(path: str, card: Card, deck: str) -> list[Json]:
    """Return the changes that move the card at `path` to another deck, as path, value, path, value. For a plain end,
    the whole card is replaced."""
    if deck == PLAIN_END:
        return [path, choices.plain_end(base_of(card.edges), card.edges)]
    if deck == LANDMARK:
        # "It is no landmark" was stored in the icons and no longer holds.
        icons = mapping(dump_card(card).get("icons"))
        return [
            f"{path}/deck",
            deck,
            f"{path}/icons",
            {name: icons[name] for name in sorted(icons) if name != LANDMARK},
        ]
    return [f"{path}/deck", deck]


def to_no_landmark(path: str, card: Card) -> list[Json]:
    return [f"{path}/deck", card.base, f"{path}/icons/{LANDMARK}", 0]


def to_edges(path: str, card: Card, edges: Edges) -> Json:
    """Return a choice for the editor that gives the card at `path` these edges, with the changes that this makes. A
    landmark stays a landmark."""
    base = base_of(edges)
    deck = LANDMARK if card.deck == LANDMARK else base
    changes = [f"{path}/edges", list(edges), f"{path}/base", base, f"{path}/deck", deck]
    return {"edges": list(edges), "base": base, "name": PAIRS[edges].name, "put": changes}


def buildings(path: str, card: Card) -> Json:
    """Return, as JSON for the editor, the buildings of the card at `path`, and the changes for choosing each colour. A
    landmark or a card with several buildings gets one more; on other cards the building is replaced."""
    found = card.buildings or ()
    several = card.deck == LANDMARK or len(found) > 1
    where = f"{path}/buildings"
    return {
        "several": several,
        "may_be_two": bool(found) and not several and card.deck != PLAIN_END,
        "laid": [{"id": colour, "label": PAINTS[colour].paint if colour in PAINTS else colour} for colour in found],
        "colours": [
            {
                "id": paint.id,
                "label": paint.paint,
                "is_all": found == (paint.id,) and not several,
                "put": [f"{where}/-", paint.id] if several else [where, [paint.id]],
            }
            for paint in PAINTS.values()
        ],
    }
