"""The inputs that matter now: a table's accolades and rulings, and whatever a player's cards and residents hold.

Of a card only those counts are asked that something in play can see; counts that are known stay with it all the same.
Values that no longer apply, such as the range of a card that pays a printed number, are not listed and so left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from scorer.contract import Choice, Input, Json, Loaded
from scorer.games.tenby import builder
from scorer.games.tenby.anatomy import (
    ACCOLADE_TARGETS,
    BOTH,
    FEATURES,
    ICONS,
    RANGES,
    SUBTYPES,
    TARGETS,
    THINGS,
    Targets,
)
from scorer.games.tenby.read import CARD_POINTS
from scorer.games.tenby.rulings import RULINGS
from scorer.games.tenby.state import MODES, Accolade, Card, Per, Resident, Table, Town
from scorer.reading import POINTS, escape

Inputs = Iterator[Input]

SUBTYPE_LABELS = {"home": "Home", "business": "Business", "none": "Neither"}
DIRECTION_LABELS = {"both": "Both ways", "left": "To the left", "right": "To the right"}
TIER = {"at_least": "At least", "incomplete": "If incomplete", "complete": "If completed"}

MODE = Input(
    "accolades/mode",
    "Accolades",
    "choice",
    tuple(Choice(mode, name) for mode, (name, _) in MODES.items()),
    of="setup",
    optional=True,
)
CARDS = Input("accolades/cards", "Accolade cards", "data", of="setup", default=[], optional=True, tonight=True)
HOUSE_RULES = tuple(
    Input(
        f"rulings/{ruling.id}",
        ruling.title,
        "choice",
        tuple(Choice(name, sentence) for name, sentence in ruling.options),
        of="setup",
        default=ruling.default,
        help=ruling.sentence,
    )
    for ruling in RULINGS
)
STREETS = Input("streets", "Streets", "data", default=[])
RESIDENTS = Input("residents", "Resident cards", "data", default=[], optional=True)
INPUTS = (MODE, CARDS, *HOUSE_RULES, STREETS, RESIDENTS)


def asks(loaded: Loaded, player: int | None) -> tuple[Input, ...]:
    """What matters now for that player, or for the table (None)."""
    record = mapping(loaded.record)
    return tuple(table_inputs(record) if player is None else player_inputs(record, player))


def choices_of(targets: frozenset[str]) -> tuple[Choice, ...]:
    return tuple(Choice(thing.id, thing.label) for thing in THINGS.values() if thing.id in targets)


TARGET_CHOICES, GOAL_CHOICES = choices_of(TARGETS), choices_of(ACCOLADE_TARGETS)


# -- the table -------------------------------------------------------------------------------------------------


def table_inputs(record: dict[str, Json]) -> Inputs:
    accolades = mapping(mapping(record.get("table")).get("accolades"))
    mode, cards = accolades.get("mode"), sequence(accolades.get("cards"))
    if not (isinstance(mode, str) and mode in MODES):
        yield MODE
    else:
        yield replace(MODE, help=MODES[mode][1])
        if not cards:
            yield CARDS
        names = [name for each in sequence(record.get("players")) if isinstance(name := mapping(each).get("name"), str)]
        for index, card in enumerate(cards):
            yield from accolade_inputs(f"{CARDS.name}/{index}", mapping(card), mode, names)
    yield from HOUSE_RULES


def accolade_inputs(path: str, card: dict[str, Json], mode: str, names: list[str]) -> Inputs:
    """One goal: what its mode wants to know of it, and the amounts that cannot be counted."""
    yield of_table(f"{path}/name", "Name", "text")
    goal = "data" if isinstance(card.get("target"), list) else "choice"
    yield of_table(f"{path}/target", "Whoever has the most", goal, GOAL_CHOICES)
    if mode == "ebb_flow":
        seats = tuple(Choice(name, name) for name in names)
        yield Input(f"{path}/holder", "Dealt to", "choice", seats, of="setup", tonight=True)
        yield of_table(f"{path}/revealed", "Revealed", "flag")
    if mode == "high_tide":
        yield of_table(f"{path}/active", "A counter lies on it", "flag")
    typed = mapping(card.get("amounts"))
    for name in names:
        yield Input(
            f"{path}/amounts/{escape(name)}",
            f"Amount of {name}",
            "number",
            high=POINTS,
            of="setup",
            optional=True,
            in_doubt=name not in typed,
            tonight=True,
        )


def of_table(name: str, label: str, kind: str, choices: tuple[Choice, ...] = ()) -> Input:
    return Input(name, label, kind, choices, of="setup", optional=True, tonight=True)


# -- a player --------------------------------------------------------------------------------------------------


def player_inputs(record: dict[str, Json], number: int) -> Inputs:
    seats = sequence(record.get("players"))
    player = mapping(seats[number]) if 0 <= number < len(seats) else {}
    streets, residents = sequence(player.get("streets")), sequence(player.get("residents"))
    if not streets:
        yield STREETS
    if not residents:
        yield RESIDENTS
    if streets:
        for s, (street, seen) in enumerate(zip(streets, seen_by_card(record, player), strict=True)):
            for c, (card, facts) in enumerate(zip(sequence(street), seen, strict=True)):
                yield from card_inputs(f"streets/{s}/{c}", mapping(card), facts)
    for index, resident in enumerate(residents):
        yield from resident_inputs(f"residents/{index}", mapping(resident))


def seen_by_card(record: dict[str, Json], player: dict[str, Json]) -> list[list[builder.Facts]]:
    """The facts of each card that something in play can see, from no more of the record than that takes."""
    accolades = mapping(mapping(record.get("table")).get("accolades"))
    name = player.get("name")
    goals = tuple(sketched_goal(mapping(card), name) for card in sequence(accolades.get("cards")))
    streets = [[sketched_card(mapping(card)) for card in sequence(s)] for s in sequence(player.get("streets"))]
    residents = [Resident("", "", targets_of(mapping(each)), ()) for each in sequence(player.get("residents"))]
    town = Town(str(name), tuple(map(tuple, streets)), tuple(residents))
    return builder.seen_in(Table((town,), str(accolades.get("mode", "")), goals), town)


def sketched_goal(card: dict[str, Json], player: Json) -> Accolade:
    amounts = mapping(card.get("amounts"))
    typed = ((str(player), 0),) if isinstance(player, str) and player in amounts else ()
    return Accolade("", targets_of(card), active=card.get("active") is True, amounts=typed)


def sketched_card(card: dict[str, Json]) -> Card:
    score = mapping(card.get("score"))
    per = Per(targets_of(score), 0, str(score.get("range")), str(score.get("direction", BOTH)))
    return Card("", "", ("", ""), score=None if score.get("type") == "flat" else per)


def targets_of(thing: dict[str, Json]) -> Targets:
    """Those targets of a condition, resident or goal that exist."""
    told = thing.get("target")
    return tuple(t for t in (told if isinstance(told, list) else [told]) if isinstance(t, str) and t in THINGS)


def card_inputs(path: str, card: dict[str, Json], facts: builder.Facts) -> tuple[Input, ...]:
    """The leaves of a card as it stands; those of cards of the same build are made once."""
    score = mapping(card.get("score")) if "score" in card else None
    return leaves_of_card(
        path,
        frozenset(mapping(card.get("features"))) | facts,
        frozenset(mapping(card.get("icons"))),
        None if score is None else str(score.get("type")),
        None if score is None else has_direction(score, card),
    )


def has_direction(score: dict[str, Json], card: dict[str, Json]) -> bool:
    """Whether the range can be drawn in more than one way on such a card."""
    edges = card.get("edges")
    if score.get("range") not in ("grey", "gold") or not (isinstance(edges, list) and len(edges) == 2):
        return score.get("range") == "grey"
    pair = (str(edges[0]), str(edges[1]))
    return len(builder.directions_for(str(score["range"]), str(card.get("deck")), pair)) > 1


@lru_cache(maxsize=4096)
def leaves_of_card(
    path: str, features: frozenset[str], icons: frozenset[str], score: str | None, directed: bool | None
) -> tuple[Input, ...]:
    return tuple(all_leaves(path, features, icons, score, bool(directed)))


def all_leaves(path: str, features: frozenset[str], icons: frozenset[str], score: str | None, directed: bool) -> Inputs:
    for name in ("deck", "base", "edges", "buildings"):
        yield Input(f"{path}/{name}", name.capitalize(), "data")
    yield Input(f"{path}/name", "Name of the card", "text", optional=True)
    kinds = tuple(Choice(kind, SUBTYPE_LABELS[kind]) for kind in SUBTYPES)
    yield Input(f"{path}/subtype", "Home or business", "choice", kinds, optional=True)
    for feature in FEATURES.values():
        if feature.id in features:
            yield amount(f"{path}/features/{feature.id}", feature.label, 0, feature.most)
    for icon in ICONS.values():
        if icon.id in icons:
            yield amount(f"{path}/icons/{icon.id}", f"Icons: {icon.many}", 0, CARD_POINTS)
    if score is None:
        return
    yield Input(f"{path}/score/type", "Kind of score", "data")
    yield amount(f"{path}/score/points", "Points", 0, CARD_POINTS)
    if score != "flat":
        yield Input(f"{path}/score/target", "What it counts", "data")
        ranges = tuple(Choice(each.id, each.name) for each in RANGES.values())
        yield Input(f"{path}/score/range", "Range", "choice", ranges, optional=True)
        if directed:
            ways = tuple(Choice(way, label) for way, label in DIRECTION_LABELS.items())
            yield Input(f"{path}/score/direction", "It looks", "choice", ways, optional=True)


def resident_inputs(path: str, resident: dict[str, Json]) -> Inputs:
    yield Input(f"{path}/name", "Name", "text")
    yield Input(f"{path}/type", "Kind of resident", "data")
    yield Input(f"{path}/target", "What it counts", "data")
    if resident.get("type") == "single":
        tiers = sequence(resident.get("tiers"))
        if not tiers:
            yield Input(f"{path}/tiers", "Tiers", "data", default=[])
        for index in range(len(tiers)):
            yield from tier_inputs(f"{path}/tiers/{index}")
    else:
        yield from tier_inputs(path)


def tier_inputs(path: str) -> Inputs:
    for name, label in TIER.items():
        yield amount(f"{path}/{name}", label, int(name == "at_least"), POINTS)


def amount(name: str, label: str, low: int, high: int) -> Input:
    return Input(name, label, "number", low=low, high=high, optional=True)


# -- half-filled JSON ------------------------------------------------------------------------------------------


def mapping(value: Json) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def sequence(value: Json) -> list[Any]:
    return value if isinstance(value, list) else []
