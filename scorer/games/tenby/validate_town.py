"""Check a Tenby town against the rules, and yield every fault of its cards, streets and residents.

See the rulebook, pp. 10 to 12 for placement, p. 20 onwards for limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from scorer.contract import Problem
from scorer.games.tenby.cards import (
    BOTH,
    COLOURS,
    COMPLETED_STREETS,
    DIRECTIONS,
    EDGES,
    FEATURES,
    MOST_IN_A_STREET,
    PAIRS,
    PIER,
    PLAIN_END_PAIRS,
    PLAIN_END_POINTS,
    RANGES,
    SEA,
    TARGET_NAMES,
    TARGETS,
    TERRACE,
    UNIQUE_COLOURS,
    WHITE,
    Targets,
    base_of,
    label,
)
from scorer.games.tenby.town import Card, Flat, Per, Resident, Street, Tier, Town
from scorer.record import escape, shown
from scorer.sentences import in_a_row, listed, say

# Limits for questions only, because the rulebook gives none. Cards usually have one building,
# and landmarks have several.
MOST_BUILDINGS, MOST_ON_LANDMARKS = 2, 4
DECK_DIFFERS = {
    "terrace": say("The terrace deck should only have terraces. Is this pier really from that deck?"),
    "pier": say("The pier deck should only have piers. Is this terrace really from that deck?"),
}
ON_PIER = {
    "home": say("Homes are usually terraces. Is this pier really a home?"),
    "business": say("Businesses are usually terraces. Is this pier really a business?"),
}


def town_faults(town: Town, where: str) -> Iterator[Problem]:
    for index, street in enumerate(town.streets):
        yield from street_faults(street, f"{where}/streets/{index}")
    for index, resident in enumerate(town.residents):
        yield from resident_faults(resident, f"{where}/residents/{index}")


# -- streets and their cards -----------------------------------------------------------------------------------


def street_faults(street: Street, where: str) -> Iterator[Problem]:
    """Yield a problem for each pair of cards that cannot lie side by side, and the faults of each card. `where` is the
    JSON Pointer of the street."""
    if not street:
        message = say("A street has at least one card. Add one or remove the street.")
        yield Problem("empty_street", message, where)
    landmarks = [index for index, card in enumerate(street) if card.deck == "landmark"]
    for extra in landmarks[1:]:
        message = say("A street has at most one landmark. Move this one to another street.")
        yield Problem("two_landmarks", message, f"{where}/{extra}/deck")
    for index, (left, right) in enumerate(pairwise(street)):
        yield from joint_faults(left, right, where, index)
    for index, card in enumerate(street):
        yield from card_faults(card, f"{where}/{index}")


def joint_faults(left: Card, right: Card, where: str, index: int) -> Iterator[Problem]:
    """Yield a problem if the touching edges of two neighbours differ, or if the sea lies between them. `index` is that
    of the left card, and `where` the JSON Pointer of the street."""
    end, start = left.edges[1], right.edges[0]
    place = f"{where}/{index + 1}/edges/0"
    if end != start and {end, start} <= EDGES.keys():
        message = say(
            "The edges between card {left} and card {right} don’t match ({end} and {start}). Change one.",
            left=index + 1,
            end=EDGES[end],
            right=index + 2,
            start=EDGES[start],
        )
        yield Problem("edge_mismatch", message, place)
    if SEA in (end, start):
        message = say(
            "The sea can only be at the end of a street, not between card {left} and card {right}.",
            left=index + 1,
            right=index + 2,
        )
        yield Problem("sea_inside_street", message, f"{where}/{index}/edges/1" if end == SEA else place)


def card_faults(card: Card, where: str) -> Iterator[Problem]:
    """Yield the faults of one town card by itself; `where` is its JSON Pointer."""
    if card.edges not in PAIRS:
        message = say("No card has these edges. Choose sea, pier or terrace for each side (not sea on both).")
        yield Problem("bad_edge_pair", message, f"{where}/edges")
    elif card.base != base_of(card.edges):
        edges = listed([EDGES[edge] for edge in card.edges])
        message = (
            say("A card with these edges is a terrace, not a pier: {edges}.", edges=edges)
            if card.base == PIER
            else say("A card with these edges is a pier, not a terrace: {edges}.", edges=edges)
        )
        yield Problem("base_edges_disagree", message, f"{where}/base")
    if card.base == PIER and card.subtype in ON_PIER:
        yield Problem("subtype_on_pier", ON_PIER[card.subtype], f"{where}/subtype", "warning")
    elif card.deck in DECK_DIFFERS and card.deck != card.base:
        yield Problem("deck_differs", DECK_DIFFERS[card.deck], f"{where}/deck", "warning")
    yield from building_faults(card, where)
    yield from feature_faults(card, where)
    if isinstance(card.score, Per):
        yield from condition_faults(card, card.score, where)
    if card.deck == "plain_end":
        yield from plain_end_faults(card, where)


def building_faults(card: Card, where: str) -> Iterator[Problem]:
    """Yield a problem for each impossible colour; white is only on plain end terraces and some landmarks. See the
    rulebook, Building Colours; `where` is the JSON Pointer of the card."""
    buildings = card.buildings or ()
    for index, colour in enumerate(buildings):
        if colour not in COLOURS and colour != WHITE:
            known = in_a_row(list(COLOURS))
            message = say(
                "{colour} is not a building colour. Choose white or one of {known}.", known=known, colour=shown(colour)
            )
            yield Problem("unknown_colour", message, f"{where}/buildings/{index}")
    if WHITE in buildings and card.deck != "landmark" and not (card.deck == "plain_end" and card.base == TERRACE):
        message = say("Only plain end terraces and landmarks have white buildings. Is this one white?")
        yield Problem("white_building", message, f"{where}/buildings/{buildings.index(WHITE)}", "warning")
    if len(buildings) > (MOST_ON_LANDMARKS if card.deck == "landmark" else MOST_BUILDINGS):
        message = say("{number} buildings on one card is a lot. Is this right?", number=len(buildings))
        yield Problem("many_buildings", message, f"{where}/buildings", "warning")


def feature_faults(card: Card, where: str) -> Iterator[Problem]:
    """Yield a problem for each feature that does not exist or is more often on the card than its limit. `where` is the
    JSON Pointer of the card."""
    for name, number in card.features:
        place = f"{where}/features/{escape(name)}"
        feature = FEATURES.get(name)
        if feature is None:
            message = say(
                "{name} is not a feature. Choose from {known}.", name=shown(name), known=in_a_row(list(FEATURES))
            )
            yield Problem("unknown_feature", message, place)
        elif number < 0:
            message = say("{things}: enter 0 or more.", things=feature.label)
            yield Problem("bad_number", message, place)
        elif number > feature.most:
            message = say(
                "{things}: a card shows at most {most}. You entered {number}.",
                things=feature.label,
                most=feature.most,
                number=shown(number),
            )
            yield Problem("feature_over_max", message, place)


def condition_faults(card: Card, score: Per, where: str) -> Iterator[Problem]:
    """Yield a problem for each fault in what a card counts and how far it sees, which `score` has. `where` is the JSON
    Pointer of the card."""
    yield from target_faults(score.targets, f"{where}/score/target")
    if COMPLETED_STREETS in score.targets and score.range in RANGES and score.range != "gold":
        message = say("Only a gold line counts a whole street. Does an arrow really count completed streets here?")
        yield Problem("street_out_of_range", message, f"{where}/score/range", "warning")
    if score.range not in RANGES:
        known = in_a_row(list(RANGES))
        message = say("Choose one of {known}. You entered {value}.", known=known, value=shown(score.range))
        yield Problem("bad_range", message, f"{where}/score/range")
    if score.direction not in DIRECTIONS:
        known = in_a_row(DIRECTIONS)
        message = say("Choose one of {known}. You entered {value}.", known=known, value=shown(score.direction))
        yield Problem("bad_range", message, f"{where}/score/direction")
    elif score.direction != BOTH and score.range in RANGES and not is_one_way_possible(card, score.range):
        message = say("Choose “Both ways”. Only grey arrows, and gold lines on pier-end landmarks, can point one way.")
        yield Problem("bad_range", message, f"{where}/score/direction")
    if UNIQUE_COLOURS in score.targets and not card.buildings and "buildings" not in card.open:
        message = say("A card that counts different colours always has a building of its own. Add its colour.")
        yield Problem("unique_needs_building", message, f"{where}/buildings")


def is_one_way_possible(card: Card, range_: str) -> bool:
    """Return whether a range may point to one side only on this card. That holds for grey arrows, and for gold lines on
    landmarks that end a pier."""
    return range_ == "grey" or (range_ == "gold" and card.deck == "landmark" and card.edges in PLAIN_END_PAIRS[PIER])


def plain_end_faults(card: Card, where: str) -> Iterator[Problem]:
    """Yield the faults in the points, the building and the edges of a plain end (rulebook, Plain End Terrace/Pier
    Cards). `where` is the JSON Pointer of the card."""
    if card.score != Flat(PLAIN_END_POINTS):
        message = say("A plain end always scores its {points} printed points. Enter {points}.", points=PLAIN_END_POINTS)
        yield Problem("plain_end_wrong", message, f"{where}/score")
    if card.base == TERRACE and card.buildings != (WHITE,):
        message = say("Enter exactly one building, a white one. A plain end terrace has no others.")
        yield Problem("plain_end_wrong", message, f"{where}/buildings")
    if card.edges in PAIRS and card.base == base_of(card.edges) and card.edges not in PLAIN_END_PAIRS[card.base]:
        message = say("A plain end has a terrace or pier on one side only. Check its edges.")
        yield Problem("plain_end_edges", message, f"{where}/edges", "warning")


def target_faults(targets: Targets, where: str) -> Iterator[Problem]:
    for target in targets:
        if target not in TARGETS:
            known = in_a_row(TARGET_NAMES)
            message = (
                say("Cards don’t count white buildings. Choose one of {known}.", known=known)
                if target == WHITE
                else say("Cards can’t score {target}. Choose from {known}.", target=shown(target), known=known)
            )
            yield Problem("unknown_target", message, where)


# -- residents -------------------------------------------------------------------------------------------------


def resident_faults(resident: Resident, where: str) -> Iterator[Problem]:
    """Yield the faults of a resident's targets and tiers, such as a tier that needs more targets but scores less.
    `where` is the JSON Pointer of the resident; one of type "typed" has no tiers."""
    if resident.type == "typed":
        return
    yield from target_faults(resident.targets, f"{where}/target")
    if not resident.tiers:
        message = say("Enter at least one tier, with the number it needs and its points.")
        yield Problem("resident_tiers", message, f"{where}/tiers")
    places = [where if resident.type == "each" else f"{where}/tiers/{index}" for index in range(len(resident.tiers))]
    for tier, place in zip(resident.tiers, places, strict=True):
        yield from tier_faults(tier, resident.targets, place)
    # Sorted, so that each tier is compared with the next lower one.
    climbing = sorted(zip(resident.tiers, places, strict=True), key=lambda placed: placed[0].at_least)
    for (low, _), (high, place) in pairwise(climbing):
        if high.at_least == low.at_least:
            message = say("Two tiers need {number}. Each tier needs a different number.", number=low.at_least)
            yield Problem("resident_tiers", message, f"{place}/at_least")
        for row in ("incomplete", "complete"):
            if getattr(high, row) < getattr(low, row):
                message = say(
                    "A tier that needs more can’t score less. Enter at least {points} points.", points=getattr(low, row)
                )
                yield Problem("resident_tiers", message, f"{place}/{row}")


def tier_faults(tier: Tier, targets: Targets, where: str) -> Iterator[Problem]:
    """Yield a warning for a tier that scores less for a completed street than for an incomplete one. Also warn if it
    needs more targets than any street can have; `where` is its JSON Pointer."""
    if tier.complete < tier.incomplete:
        message = say(
            "You entered fewer points for a completed street than for an incomplete one. Are the two rows swapped?"
        )
        yield Problem("resident_rows", message, f"{where}/complete", "warning")
    if targets and all(target in MOST_IN_A_STREET for target in targets):
        most = sum(MOST_IN_A_STREET[target] for target in targets)
        if tier.at_least > most:
            message = say(
                "{things}: {number} is more than in any street we know. Is this number right?",
                things=label(targets),
                number=tier.at_least,
            )
            yield Problem("never_reached", message, f"{where}/at_least", "warning")
