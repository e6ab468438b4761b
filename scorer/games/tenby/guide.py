"""What an editor of a town wants to know while it is being entered: what fits where, and what is left to ask.

All of it is plain JSON that can be relied on, however broken the record: an editor page draws the town from this.
"""

from __future__ import annotations

from scorer.contract import Json, Loaded
from scorer.games.tenby import builder, choices
from scorer.games.tenby.anatomy import FEATURES, PAIRS, RANGES, Edges, label
from scorer.games.tenby.asks import mapping, sequence, targets_of
from scorer.games.tenby.builder import Facts
from scorer.games.tenby.counting import icon
from scorer.games.tenby.state import Card, Resident, Street, Town, cell, dump_card, dump_resident, is_completed


def guide(loaded: Loaded, player: int) -> Json:
    """Everything on offer, and that player's town with what may come next and what its cards leave open."""
    table, record = loaded.state, mapping(loaded.record)
    seats = sequence(record.get("players"))
    raw = mapping(seats[player]) if player < len(seats) else {}
    town = table.players[player] if player < len(table.players) else None
    if not isinstance(town, Town):
        return {"offers": choices.offers(), "streets": [], "residents": []}
    seen = builder.seen_in(table, town)
    return {
        "offers": choices.offers(),
        "streets": [
            about(s, street, seen[s], cards)
            for s, (street, cards) in enumerate(zip(town.streets, sequence(raw.get("streets")), strict=True))
        ],
        "residents": [
            about_resident(resident, mapping(told))
            for resident, told in zip(town.residents, sequence(raw.get("residents")), strict=True)
        ],
    }


def about(number: int, street: Street, seen: list[Facts], raw: Json) -> Json:
    """One street: the pairs that fit at both ends, and its cards."""
    edges = [card.edges for card in street]
    return {
        "before": pairs(builder.pairs_at(edges, 0)),
        "next": pairs(builder.next_pairs(edges)),
        "completed": is_completed(street),
        "has_landmark": any(card.deck == "landmark" for card in street),
        "cards": [
            {
                "cell": cell(number, index),
                "path": f"streets/{number}/{index}",
                "score": about_score(told),
                **about_card(street, index, seen[index]),
            }
            for index, told in enumerate(sequence(raw))
        ],
    }


def pairs(fitting: tuple[Edges, ...]) -> list[list[str]]:
    return [list(pair) for pair in fitting]


def about_card(street: Street, index: int, seen: Facts) -> dict[str, Json]:
    """One card: what it shows, what is still to be asked, and what might stand in its place."""
    card, edges = street[index], [each.edges for each in street]
    others = [each.deck for at, each in enumerate(street) if at != index]
    return {
        "record": dump_card(card),
        "title": PAIRS.get(card.edges, "Town card"),
        "buildings": None if card.buildings is None else list(card.buildings),
        "features": shown(card),
        "wanted": builder.wanted(card, seen),
        "ask": builder.unknown(card, seen),
        "before": pairs(builder.pairs_at(edges, index)),
        "instead": pairs(builder.pairs_instead(edges, index)),
        "removable": builder.is_removable(edges, index),
        "decks": list(builder.decks_for(card.edges, others)),
        "directions": {range_: list(builder.directions_for(range_, card.deck, card.edges)) for range_ in RANGES},
        "icons": {name: icon(card, name) for name in ("home", "business", "landmark")},
    }


def shown(card: Card) -> dict[str, int]:
    """The counts that are known, in the order of the features."""
    known = dict(card.features)
    return {feature: known[feature] for feature in FEATURES if feature in known}


def about_score(raw: Json) -> Json:
    """A card's number or condition as far as it is entered; None where nothing is said."""
    score = mapping(mapping(raw).get("score"))
    targets = targets_of(score)
    points = score.get("points")
    return {
        "type": score.get("type") if score.get("type") in ("flat", "per") else None,
        "targets": list(targets),
        "label": label(targets) if targets else "",
        "points": points if isinstance(points, int) and not isinstance(points, bool) else None,
        "range": score.get("range") if isinstance(score.get("range"), str) else None,
        "direction": score.get("direction") if score.get("direction") in ("left", "right") else "both",
    }


def about_resident(resident: Resident, raw: dict[str, Json]) -> Json:
    """One resident as far as it is entered."""
    targets = targets_of(raw)
    return {
        "record": dump_resident(resident),
        "type": resident.type,
        "targets": list(targets),
        "label": label(targets) if targets else "",
        "tiers": len(sequence(raw.get("tiers"))),
    }
