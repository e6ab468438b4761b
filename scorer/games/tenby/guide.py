"""What an editor of a town wants to know while it is being entered: what fits where, and what is left to ask."""

from __future__ import annotations

from scorer.core import Json, StateError
from scorer.games.tenby import builder, choices
from scorer.games.tenby.anatomy import RANGES
from scorer.games.tenby.read import load
from scorer.games.tenby.state import Street, Town, is_completed


def guide(record: Json, player: int) -> Json:
    """Everything on offer, and for each street of that player what may come next and what its cards leave open."""
    try:
        table = load(record)
    except StateError as unfinished:
        table = unfinished.state
    town = table.players[player] if player < len(table.players) else None
    asked = builder.questions_of(table)[player] if isinstance(town, Town) else []
    streets = town.streets if isinstance(town, Town) else ()
    return {
        "offers": choices.offers(),
        "streets": [about(street, open_) for street, open_ in zip(streets, asked, strict=True)],
    }


def about(street: Street, asked: list[list[str]]) -> Json:
    """One street: the pairs that fit at both ends, and its cards."""
    edges = [card.edges for card in street]
    return {
        "before": builder.pairs_at(edges, 0),
        "next": builder.next_pairs(edges),
        "completed": is_completed(street),
        "cards": [about_card(street, index, asked[index]) for index in range(len(street))],
    }


def about_card(street: Street, index: int, asked: list[str]) -> Json:
    """One card: what is still to be asked, what might stand in its place, and how its ranges may be drawn."""
    card, edges = street[index], [each.edges for each in street]
    others = [each.deck for at, each in enumerate(street) if at != index]
    return {
        "ask": asked,
        "instead": builder.pairs_instead(edges, index),
        "removable": builder.is_removable(edges, index),
        "decks": builder.decks_for(card.edges, others),
        "directions": {range_: builder.directions_for(range_, card.deck, card.edges) for range_ in RANGES},
    }
