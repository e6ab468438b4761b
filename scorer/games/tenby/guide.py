"""Prepare what the editor of a town shows while it is being entered: which cards fit, and what to ask for.

Everything is plain JSON, and broken records are allowed.
"""

from __future__ import annotations

from scorer.contract import Json, Loaded
from scorer.games.tenby import builder, changes, choices
from scorer.games.tenby.builder import Facts
from scorer.games.tenby.cards import (
    ALSO_CALLED,
    DECKS,
    FEATURES,
    ICONS,
    PAIRS,
    THINGS,
    Edges,
    Targets,
    label,
)
from scorer.games.tenby.conditions import in_short
from scorer.games.tenby.counting import icon
from scorer.games.tenby.names import named
from scorer.games.tenby.quick import Quick
from scorer.games.tenby.town import Card, Resident, Street, Town, cell, is_completed, printed
from scorer.games.tenby.town_record import dump_card, dump_resident
from scorer.record import POINTS, mapping, seated, sequence
from scorer.sentences import NOTHING, Sentence, say

TOWN_CARD = say("Town card")


def guide(loaded: Loaded, player: int, _opened: str = "") -> Json:
    """Return all choices for the editor, and the player's town with the cards that fit and the open facts, as JSON."""
    state, seats = loaded.state, seated(loaded.record)
    raw = seats[player] if player < len(seats) else {}
    town = state.players[player] if player < len(state.players) else None
    empty: dict[str, Json] = {
        "offers": choices.offers(),
        "quick": None,
        "streets": [],
        "residents": [],
        "new_residents": choices.residents(0),
        "none_for_the_rest": [],
    }
    if isinstance(town, Quick):
        return empty | guide_quick(town, raw)
    if not isinstance(town, Town):
        return empty
    seen = builder.seen_in(state, town)
    # A record may have more streets than are read, so the shorter list decides.
    return empty | {
        "streets": [
            about(s, street, seen[s], cards)
            for s, (street, cards) in enumerate(zip(town.streets, sequence(raw.get("streets")), strict=False))
        ],
        "residents": [
            about_resident(number, resident, mapping(entered))
            for number, (resident, entered) in enumerate(
                zip(town.residents, sequence(raw.get("residents")), strict=False)
            )
        ],
        "new_residents": choices.residents(len(town.residents)),
        "none_for_the_rest": none_for_the_rest(builder.open_in(state, town)),
    }


def none_for_the_rest(places: list[str]) -> list[Json]:
    """Return the changes of the button that answers all open facts with "none", as path, value, path, value. `places`
    are the paths of the facts."""
    none = {builder.BUILDINGS: [], builder.SUBTYPE: "none"}
    return [part for place in places for part in (place, none.get(place.rpartition("/")[2], 0))]


def guide_quick(player: Quick, raw: dict[str, Json]) -> dict[str, Json]:
    """Return the scoring cards and residents of a player who entered no streets; `raw` is this player's record."""
    return {
        "quick": [about_quick(number, mapping(card)) for number, card in enumerate(sequence(raw.get("cards")))],
        "residents": [
            {
                "path": f"residents/{number}",
                "title": named(resident.name),
                "points": entered_number(mapping(entered).get("points")),
            }
            for number, (resident, entered) in enumerate(
                zip(player.residents, sequence(raw.get("residents")), strict=False)
            )
        ],
        "new_residents": choices.residents(len(player.residents)),
    }


def about_quick(number: int, entered: dict[str, Json]) -> dict[str, Json]:
    """Return one scoring card for the editor, as far as it is entered; `number` is its index, `entered` its record."""
    points, seen = entered_number(entered.get("points")), entered_number(entered.get("seen"))
    is_printed = entered.get("type") == "flat"
    total = points if is_printed or points is None or seen is None else points * seen
    return {
        "path": f"cards/{number}",
        "number": number + 1,
        "printed": is_printed,
        "points": points,
        "seen": seen,
        "total": total if is_printed or seen is not None else None,
    }


def entered_number(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= POINTS else None


def about(number: int, street: Street, seen: list[Facts], raw: Json) -> Json:
    """Return one street for the editor: the pairs of edges that fit at both ends, and its cards. `number` is its index,
    `seen` has the facts that scoring needs of each card, and `raw` is its record."""
    edges = [card.edges for card in street]
    return {
        "before": pairs(builder.pairs_at(edges, 0)),
        "next": pairs(builder.next_pairs(edges)),
        "completed": is_completed(street),
        "has_landmark": any(card.deck == "landmark" for card in street),
        "cards": [
            {
                "cell": cell(number, index),
                "score": about_score(entered),
                **about_card(f"streets/{number}/{index}", street, index, facts),
            }
            for index, (facts, entered) in enumerate(zip(seen, sequence(raw), strict=False))
        ],
    }


def pairs(fitting: tuple[Edges, ...]) -> list[list[str]]:
    return [list(pair) for pair in fitting]


def about_card(path: str, street: Street, index: int, seen: Facts) -> dict[str, Json]:
    """Return one card for the editor: its content, the facts to ask for, and the changes that its buttons make. `path`
    and `index` say where it lies; `seen` has the facts that scoring needs."""
    card, edges = street[index], [each.edges for each in street]
    others = builder.other_decks(street, index)
    return {
        "path": path,
        "record": dump_card(card),
        "title": title(card),
        "building": changes.buildings(path, card),
        "buildings": None if card.buildings is None else list(card.buildings),
        "features": shown(card),
        "wanted": builder.wanted(card, seen, others),
        "ask": builder.unknown(card, seen, others),
        "before": pairs(builder.pairs_at(edges, index)),
        "instead": [changes.to_edges(path, card, pair) for pair in builder.pairs_instead(edges, index)],
        "removable": builder.is_removable(edges, index),
        "decks": [
            {"id": deck, "name": DECKS[deck].name, "put": changes.to_deck(path, card, deck)}
            for deck in builder.decks_for(card.edges, others)
        ],
        "as_landmark": changes.to_deck(path, card, builder.LANDMARK),
        "as_no_landmark": changes.to_no_landmark(path, card),
        "icons": {name: icon(card, name) for name in ICONS},
    }


def title(card: Card) -> Sentence:
    """Return the editor's title for a card without a name: the name of its deck or of its edges."""
    if card.deck == builder.LANDMARK:
        return DECKS[card.deck].name
    return PAIRS[card.edges].name if card.edges in PAIRS else TOWN_CARD


def shown(card: Card) -> dict[str, int]:
    """Return the entered counts of a card, keyed by feature, in the order of cards.toml."""
    known = dict(card.features)
    return {feature: known[feature] for feature in FEATURES if feature in known}


def about_score(raw: Json) -> Json:
    """Return, as JSON for the editor, how a card scores, as far as it is entered; `raw` is its record."""
    score = mapping(mapping(raw).get("score"))
    kind, targets, points = score.get("type"), targets_of(score), score.get("points")
    points = points if isinstance(points, int) and not isinstance(points, bool) else None
    range_ = str(score["range"]) if isinstance(score.get("range"), str) else None
    direction = str(score["direction"]) if score.get("direction") in ("left", "right") else "both"
    return {
        "type": kind if kind in ("flat", "per") else None,
        "targets": list(targets),
        "label": label(targets) if targets else NOTHING,
        "points": points,
        "ranges": list(builder.ranges_for(targets)),
        "range": range_,
        "direction": direction,
        "summary": summary(kind, targets, "?" if points is None else points, range_ or "", direction),
    }


def summary(kind: Json, targets: Targets, points: int | str, range_: str, direction: str) -> Sentence:
    """Return in short how a card scores: "4 points" if `kind` is "flat", otherwise "Benches: 2 each, next to it".
    `targets` are what it counts and `points` those for each, "?" if missing. `range_` and `direction` say how far it
    looks. Without targets, return NOTHING unless it is "flat"."""
    if kind == "flat":
        return say("{points} points", points=points)
    if not targets:
        return NOTHING
    return in_short(label(targets), points, range_, direction)


def targets_of(thing: dict[str, Json]) -> Targets:
    """Return the entered targets of a condition or resident, without those that the game does not know."""
    entered = thing.get("target")
    written = [t for t in (entered if isinstance(entered, list) else [entered]) if isinstance(t, str)]
    known = (ALSO_CALLED.get(target, target) for target in written)
    return tuple(target for target in dict.fromkeys(known) if target in THINGS)


def about_resident(number: int, resident: Resident, raw: dict[str, Json]) -> Json:
    """Return one resident for the editor as far as it is entered, with the path of each of its tiers. `number` is its
    index and `raw` its record."""
    targets, path = targets_of(raw), f"residents/{number}"
    tiers = [f"{path}/tiers/{tier}" for tier in range(len(sequence(raw.get("tiers"))))]
    return {
        "path": path,
        "record": dump_resident(printed(resident)),
        "title": named(resident.name),
        "type": resident.type,
        "targets": list(targets),
        "label": label(targets) if targets else NOTHING,
        "summary": resident_goal(resident.type, targets),
        "tiers": tiers if resident.type == "single" else [path],
    }


def resident_goal(kind: str, targets: Targets) -> Sentence:
    """Return what a resident wants to see, and where, as a sentence; `kind` is its type, such as "single"."""
    if kind == "typed":
        return say("Something else")
    if not targets:
        return NOTHING
    if kind == "each":
        return say("{things}, in every street", things=label(targets))
    return say("{things}, in one street", things=label(targets))
