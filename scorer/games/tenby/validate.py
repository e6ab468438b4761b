"""What the rules of Tenby forbid: every fault of every card, street, resident and accolade at once.

Placement rulebook pp. 10 to 12, maxima p. 20 onwards, accolades in their three options.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from scorer.contract import Problem
from scorer.games.tenby.accolades import count
from scorer.games.tenby.anatomy import (
    ACCOLADE_TARGETS,
    BOTH,
    COLOURS,
    DIRECTIONS,
    FEATURES,
    PAIRS,
    PIER,
    PLAIN_END_PAIRS,
    PLAIN_END_POINTS,
    RANGES,
    SEA,
    TARGETS,
    TERRACE,
    UNIQUE_COLOURS,
    WHITE,
    Targets,
    base_of,
)
from scorer.games.tenby.state import Accolade, Card, Flat, Per, Resident, Street, Table, Town
from scorer.reading import are_named, escape, shown

OPEN_SEA_CARDS = range(1, 4)


def validate(table: Table) -> list[Problem]:
    """All faults, in the order of the record."""
    return list(faults(table))


def faults(table: Table) -> Iterator[Problem]:
    yield from accolade_faults(table)
    for index, player in enumerate(table.players):
        if isinstance(player, Town):
            yield from town_faults(player, f"/players/{index}")


def town_faults(town: Town, where: str) -> Iterator[Problem]:
    for index, street in enumerate(town.streets):
        yield from street_faults(street, f"{where}/streets/{index}")
    for index, resident in enumerate(town.residents):
        yield from resident_faults(resident, f"{where}/residents/{index}")


# -- streets and their cards -----------------------------------------------------------------------------------


def street_faults(street: Street, where: str) -> Iterator[Problem]:
    """Cards that cannot lie side by side, and what is wrong with each."""
    if not street:
        yield Problem("empty_street", "A street has at least one card: add one or take the street away.", where)
    landmarks = [index for index, card in enumerate(street) if card.deck == "landmark"]
    for extra in landmarks[1:]:
        said = "A street holds one landmark card at most: move this one to another street."
        yield Problem("two_landmarks", said, f"{where}/{extra}/deck")
    for index, (left, right) in enumerate(pairwise(street)):
        yield from joint_faults(left, right, where, index)
    for index, card in enumerate(street):
        yield from card_faults(card, f"{where}/{index}")


def joint_faults(left: Card, right: Card, where: str, index: int) -> Iterator[Problem]:
    """Two neighbours: touching edges are equal, and the sea lies only at the end of a street."""
    end, start = left.edges[1], right.edges[0]
    place = f"{where}/{index + 1}/edges/0"
    known = {edge for pair in PAIRS for edge in pair}
    if end != start and {end, start} <= known:
        said = f"Card {index + 1} ends with {end} and card {index + 2} begins with {start}: make touching edges equal."
        yield Problem("edge_mismatch", said, place)
    if SEA in (end, start):
        said = f"The sea ends a street: nothing can follow it between card {index + 1} and card {index + 2}."
        yield Problem("sea_inside_street", said, f"{where}/{index}/edges/1" if end == SEA else place)


def card_faults(card: Card, where: str) -> Iterator[Problem]:
    """One town card by itself."""
    if card.edges not in PAIRS:
        said = "No card has these edges: choose sea, pier or terrace for each, and not the sea on both sides."
        yield Problem("bad_edge_pair", said, f"{where}/edges")
    elif card.base != base_of(card.edges):
        said = f"A card with the edges {' and '.join(card.edges)} is a {base_of(card.edges)}, not a {card.base}."
        yield Problem("base_edges_disagree", said, f"{where}/base")
    if card.base == PIER and card.subtype in ("home", "business"):
        said = f"Homes and businesses are terraces as far as we know: is this pier a {card.subtype}?"
        yield Problem("subtype_on_pier", said, f"{where}/subtype", "warning")
    for index, colour in enumerate(card.buildings or ()):
        if colour not in COLOURS and colour != WHITE:
            said = f"A building is {', '.join(COLOURS)} or white, not {shown(colour)}."
            yield Problem("unknown_colour", said, f"{where}/buildings/{index}")
    yield from feature_faults(card, where)
    if isinstance(card.score, Per):
        yield from condition_faults(card, card.score, where)
    if card.deck == "plain_end":
        yield from plain_end_faults(card, where)


def feature_faults(card: Card, where: str) -> Iterator[Problem]:
    """Eleven features, each with the most that one card shows."""
    for name, number in card.features:
        place = f"{where}/features/{escape(name)}"
        feature = FEATURES.get(name)
        if feature is None:
            yield Problem("unknown_feature", f"{shown(name)} is no feature: {', '.join(FEATURES)} are.", place)
        elif number < 0:
            yield Problem("bad_number", f"Enter how many {feature.many} there are, 0 or more.", place)
        elif number > feature.most:
            said = f"A card shows at most {feature.most} {feature.one if feature.most == 1 else feature.many}."
            yield Problem("feature_over_max", f"{said} This says {shown(number)}.", place)


def condition_faults(card: Card, score: Per, where: str) -> Iterator[Problem]:
    """What a card counts, and how far it sees."""
    yield from target_faults(score.targets, TARGETS, f"{where}/score/target")
    if score.range not in RANGES:
        said = f"A range is {', '.join(RANGES)}; this is {shown(score.range)}."
        yield Problem("bad_range", said, f"{where}/score/range")
    if score.direction not in DIRECTIONS:
        said = f"A range looks {', '.join(DIRECTIONS)}; this is {shown(score.direction)}."
        yield Problem("bad_range", said, f"{where}/score/direction")
    elif score.direction != BOTH and score.range in RANGES and not is_one_way_possible(card, score.range):
        said = "White arrows look both ways, and a gold line does so except on a landmark at the end of a pier."
        yield Problem("bad_range", said, f"{where}/score/direction")
    if UNIQUE_COLOURS in score.targets and not card.buildings:
        said = "A card that counts different colours has a building of its own: add its colour."
        yield Problem("unique_needs_building", said, f"{where}/buildings")


def is_one_way_possible(card: Card, range_: str) -> bool:
    """Double grey arrows may point one way; a gold line only on landmarks that end a pier."""
    return range_ == "grey" or (range_ == "gold" and card.deck == "landmark" and card.edges in PLAIN_END_PAIRS[PIER])


def plain_end_faults(card: Card, where: str) -> Iterator[Problem]:
    """The end cards are all alike (rulebook, Plain End Terrace/Pier Cards)."""
    if card.score != Flat(PLAIN_END_POINTS):
        said = f"A plain end is worth {PLAIN_END_POINTS} points and counts nothing."
        yield Problem("plain_end_wrong", said, f"{where}/score")
    if card.base == TERRACE and card.buildings != (WHITE,):
        yield Problem(
            "plain_end_wrong", "A plain end terrace has exactly one building, a white one.", f"{where}/buildings"
        )
    if card.edges in PAIRS and card.base == base_of(card.edges) and card.edges not in PLAIN_END_PAIRS[card.base]:
        said = "A plain end has its terrace or pier on one side only, and the sea only beside a pier: look again."
        yield Problem("plain_end_edges", said, f"{where}/edges", "warning")


def target_faults(targets: Targets, allowed: frozenset[str], where: str) -> Iterator[Problem]:
    for target in targets:
        if target not in allowed:
            said = "White is wild and never asked for" if target == WHITE else f"Nothing counts {shown(target)}"
            yield Problem("unknown_target", f"{said}: choose a feature, an icon, a colour or different colours.", where)


# -- residents -------------------------------------------------------------------------------------------------


def resident_faults(resident: Resident, where: str) -> Iterator[Problem]:
    """Tiers ask for more and pay no less; a completed street pays no less than an incomplete one."""
    yield from target_faults(resident.targets, TARGETS, f"{where}/target")
    if not resident.tiers:
        yield Problem(
            "resident_tiers", "Enter at least one tier: how many it asks for and what it pays.", f"{where}/tiers"
        )
    places = [where if resident.type == "each" else f"{where}/tiers/{index}" for index in range(len(resident.tiers))]
    for tier, place in zip(resident.tiers, places, strict=True):
        if tier.complete < tier.incomplete:
            said = "A completed street pays at least as much as an incomplete one: are the two rows mixed up?"
            yield Problem("resident_rows", said, f"{place}/complete")
    for (low, high), place in zip(pairwise(resident.tiers), places[1:], strict=True):
        if high.at_least <= low.at_least:
            said = f"Each tier asks for more than the one before: more than {low.at_least} here."
            yield Problem("resident_tiers", said, f"{place}/at_least")
        for row in ("incomplete", "complete"):
            if getattr(high, row) < getattr(low, row):
                said = f"A higher tier never pays less: at least {getattr(low, row)} here."
                yield Problem("resident_tiers", said, f"{place}/{row}")


# -- accolades -------------------------------------------------------------------------------------------------


def accolade_faults(table: Table) -> Iterator[Problem]:
    where = "/table/accolades/cards"
    if table.mode:
        yield from number_faults(table, where)
    taken: set[str] = set()
    for index, card in enumerate(table.accolades):
        yield from goal_faults(card, f"{where}/{index}/target")
        if card.name.strip().casefold() in taken:
            said = f"Each accolade exists once, and {card.name} is here already: choose another."
            yield Problem("accolade_duplicate", said, f"{where}/{index}/name")
        taken.add(card.name.strip().casefold())
        yield from amount_faults(table, card, f"{where}/{index}/amounts")
    if table.mode == "ebb_flow":
        yield from holder_faults(table, where)


def goal_faults(card: Accolade, where: str) -> Iterator[Problem]:
    """What cannot be counted can be typed; then an unknown target is only remarked on."""
    for fault in target_faults(card.targets, ACCOLADE_TARGETS, where):
        said = f"We cannot count what {card.name} asks for: the typed amounts decide."
        yield replace(fault, message=said, level="warning") if card.amounts else fault


def number_faults(table: Table, where: str) -> Iterator[Problem]:
    """How many accolades each mode lays out."""
    players, cards = len(table.players), len(table.accolades)
    allowed = {
        "open_sea": OPEN_SEA_CARDS,
        "ebb_flow": range(players, players + 1),
        "high_tide": range(players + 1, players + 2),
    }[table.mode]
    if cards not in allowed:
        wanted = f"{allowed[0]} to {allowed[-1]}" if len(allowed) > 1 else f"{allowed[0]}"
        by = "1 player" if players == 1 else f"{players} players"
        said = f"Enter {wanted} accolade card{'s' * (wanted != '1')}, as this mode asks of {by}; there are {cards}."
        yield Problem("accolade_count", said, where)


def holder_faults(table: Table, where: str) -> Iterator[Problem]:
    """In Ebb & Flow every player holds one card. With too many cards, somebody has to hold two: said once is enough."""
    names = {player.name for player in table.players}
    held: set[str] = set()
    for index, card in enumerate(table.accolades):
        place = f"{where}/{index}/holder"
        if card.holder not in names and are_named(table.players):
            yield Problem("accolade_holder", f"Say which player was dealt {card.name}.", place)
        elif card.holder in held and len(table.accolades) <= len(names):
            said = f"{card.holder} holds another accolade already: everybody is dealt exactly one."
            yield Problem("accolade_holder", said, place)
        held.add(card.holder or "")


def amount_faults(table: Table, card: Accolade, where: str) -> Iterator[Problem]:
    """Typed amounts belong to players, and are worth a second look where the town shows another number."""
    towns = {player.name: player for player in table.players}
    for name, typed in card.amounts:
        player = towns.get(name)
        if player is None and are_named(table.players):
            said = f"Nobody called {shown(name)} plays: take this amount away."
            yield Problem("unknown_field", said, f"{where}/{escape(name)}")
        elif isinstance(player, Town) and (shows := count(card, player)) not in (None, typed):
            said = f"The town of {name} shows {shows}, but {typed} was typed for {card.name}; the typed amount counts."
            yield Problem("amount_differs", said, f"{where}/{escape(name)}", "warning")
