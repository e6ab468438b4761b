"""Find which cards fit a street, and which facts of cards are worth asking for.

A street is given as the edges of its cards, from left to right. Next to given neighbours only some of the eight pairs
of edges fit, so the editor never offers a mismatch. The edges also show whether a street is completed.

A fact is a feature's id, "buildings", "subtype" or "landmark". `seen_in` returns the facts of each card that
conditions, residents and accolades need. `unknown` returns those among them that the card has no answer for. A count of
0, no buildings ([]), the subtype "none" and 0 landmark icons are answers too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from scorer.games.tenby.accolades import is_in_play
from scorer.games.tenby.cards import (
    BOTH,
    COLOURS,
    COMPLETED_STREETS,
    DECKS,
    DIRECTIONS,
    FEATURES,
    ICONS,
    LEFT,
    PAIRS,
    PIER,
    PLAIN_END_PAIRS,
    RANGES,
    RIGHT,
    SEA,
    TERRACE,
    UNIQUE_COLOURS,
    Edges,
    Targets,
    base_of,
)
from scorer.games.tenby.conditions import reach
from scorer.games.tenby.state import State
from scorer.games.tenby.town import Card, Per, Street, Town

EdgeList = Sequence[Sequence[str]]
Facts = frozenset[str]  # ids of features and icons, and "buildings"
BUILDINGS, SUBTYPE, LANDMARK = "buildings", "subtype", "landmark"
# The path of each fact below its card.
PLACES = {
    BUILDINGS: BUILDINGS,
    SUBTYPE: SUBTYPE,
    **{feature: f"features/{feature}" for feature in FEATURES},
    **{icon: f"icons/{icon}" for icon in ICONS},
}


# -- which cards fit -------------------------------------------------------------------------------------------


def next_pairs(street: EdgeList) -> tuple[Edges, ...]:
    """Return the pairs of edges that a card at the right end of the street may have. There are eight for the first
    card, and none after the sea."""
    return pairs_at(street, len(street))


def pairs_at(street: EdgeList, gap: int) -> tuple[Edges, ...]:
    """Return the pairs of edges that a card inserted before the card at index `gap` may have."""
    return pairs_between(street[:gap], street[gap:])


def pairs_instead(street: EdgeList, index: int) -> tuple[Edges, ...]:
    """Return the pairs of edges that the card at `index` may have between its neighbours."""
    return pairs_between(street[:index], street[index + 1 :])


def pairs_between(before: EdgeList, after: EdgeList) -> tuple[Edges, ...]:
    """Return the pairs of edges that a card may have between the cards `before` and `after` it. No card lies beyond the
    sea."""
    lefts = {before[-1][1]} - {SEA} if before else {SEA, PIER, TERRACE}
    rights = {after[0][0]} - {SEA} if after else {SEA, PIER, TERRACE}
    return tuple(pair for pair in PAIRS if pair[0] in lefts and pair[1] in rights)


def is_removable(street: EdgeList, index: int) -> bool:
    """Return whether the card at `index` can be removed, because its neighbours then match. The only card of a street
    cannot be."""
    if 0 < index < len(street) - 1:
        return street[index - 1][1] == street[index + 1][0] != SEA
    return len(street) > 1


def decks_for(edges: Edges, others: Iterable[str]) -> tuple[str, ...]:
    """Return the decks to which a card with these edges may belong; `others` are the decks of the other cards in its
    street."""
    base = base_of(edges)
    fitting = {base}
    if LANDMARK not in others:
        fitting.add(LANDMARK)
    if edges in PLAIN_END_PAIRS[base]:
        fitting.add("plain_end")
    return tuple(deck for deck in DECKS if deck in fitting)


def ranges_for(targets: Targets) -> tuple[str, ...]:
    """Return the ranges that a card counting these targets may have. If completed streets are among them, that is only
    "gold", which sees a whole street; otherwise it is all ranges."""
    return ("gold",) if COMPLETED_STREETS in targets else tuple(RANGES)


def directions_for(range_: str, deck: str, edges: Edges) -> tuple[str, ...]:
    """Return the directions that a range may have on a card of this deck with these edges. Gold lines point one way
    only on landmarks at a pier's end."""
    if range_ == "grey":
        return DIRECTIONS
    if range_ == "gold" and deck == "landmark" and edges in PLAIN_END_PAIRS[PIER]:
        return (BOTH, RIGHT if edges[0] == SEA else LEFT)
    return (BOTH,)


# -- what has to be asked --------------------------------------------------------------------------------------


def unknown(card: Card, facts: Facts, others: Collection[str] = ()) -> list[str]:
    """Return the facts among `facts` that the card can have but nobody has entered yet, such as "buildings". `others`
    are the decks of the other cards in its street."""
    known = {feature for feature, _ in card.features}
    known |= {BUILDINGS} if card.buildings is not None else set()
    known |= {SUBTYPE} if card.subtype else set()
    known |= {LANDMARK} if card.deck == LANDMARK or LANDMARK in dict(card.icons) else set()
    return [fact for fact in wanted(card, facts, others) if fact not in known]


def wanted(card: Card, facts: Facts, others: Collection[str] = ()) -> list[str]:
    """Return the facts among `facts` that the card can have, entered or not. `others` are the decks of the other cards
    in its street. Only terraces are homes or businesses. A street has at most one landmark, and a plain end is never
    one."""
    asked = [feature for feature in FEATURES if feature in facts]
    if BUILDINGS in facts:
        asked.append(BUILDINGS)
    overridden = {icon for icon, _ in card.icons}
    if facts & {"home", "business"} - overridden and card.base == TERRACE:
        asked.append(SUBTYPE)
    if LANDMARK in facts and LANDMARK not in others and card.deck != "plain_end":
        asked.append(LANDMARK)
    return asked


def other_decks(street: Street, index: int) -> list[str]:
    """Return the decks of all cards in the street except the one at `index`."""
    return [card.deck for at, card in enumerate(street) if at != index]


def open_facts(state: State) -> list[list[str]]:
    """Return, for each player, the paths of facts about the town that are still to be entered; [] without a town."""
    return [open_in(state, player) if isinstance(player, Town) else [] for player in state.players]


def open_in(state: State, town: Town) -> list[str]:
    return [
        f"streets/{s}/{c}/{PLACES[fact]}"
        for s, (street, seen) in enumerate(zip(town.streets, seen_in(state, town), strict=True))
        for c, (card, facts) in enumerate(zip(street, seen, strict=True))
        for fact in unknown(card, facts, other_decks(street, c))
    ]


def seen_in(state: State, town: Town) -> list[list[Facts]]:
    """Return, for each street and each card in it, the facts that some condition, resident or accolade needs."""
    everywhere = frozenset().union(
        *(facts_behind(resident.targets) for resident in town.residents),
        *(
            facts_behind(card.targets)
            for card in state.accolades
            if is_in_play(card, state.mode_of(card)) and town.name not in dict(card.amounts)
        ),
    )
    return [seen_in_street(street, everywhere) for street in town.streets]


def seen_in_street(street: Street, everywhere: Facts) -> list[Facts]:
    """Return, for each card of a street, the facts that scoring needs. These are the facts that conditions in the
    street count, and always those in `everywhere`."""
    seen = [set(everywhere) for _ in street]
    for own, card in enumerate(street):
        if isinstance(card.score, Per):
            facts = facts_behind(card.score.targets)
            for index in reach(len(street), own, card.score.range, card.score.direction):
                seen[index] |= facts
            if UNIQUE_COLOURS in card.score.targets:
                seen[own].add(BUILDINGS)  # such a card always has a building
    return [frozenset(facts) for facts in seen]


def facts_behind(targets: Targets) -> Facts:
    """Return the facts about a card that are needed to count these targets on it. They are the features and icons among
    the targets, and "buildings" if a target is a colour."""
    facts = {target for target in targets if target in FEATURES or target in ICONS}
    if any(target in COLOURS or target == UNIQUE_COLOURS for target in targets):
        facts.add(BUILDINGS)
    return frozenset(facts)
