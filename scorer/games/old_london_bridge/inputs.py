"""What a form asks of a table of Old London Bridge: everything there is, and of that what matters now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.contract import Choice, Input, Json, Loaded
from scorer.games.old_london_bridge.bridge import open_numbers
from scorer.games.old_london_bridge.companion import winnings
from scorer.games.old_london_bridge.faces import (
    CARD_VALUES,
    COIN_SPACES,
    EMPTY_COLUMNS,
    FACES,
    HAND_8PLUS,
    PLURALS,
    PRINTED,
    SPACES,
    ZEROS,
    ZONES,
    needed_inputs,
    options,
)
from scorer.games.old_london_bridge.state import Architect, State, empty_column
from scorer.games.old_london_bridge.validate import chapel_steps


def face_choices(zone: str) -> tuple[Choice, ...]:
    return tuple(Choice(face, FACES[zone, face].name) for face in options(zone))


SCORING = tuple(
    Input(f"scoring/{zone}", f"Scoring of the {zone}", "choice", face_choices(zone), of="setup", default="base")
    for zone in ZONES
)
ORDER = Input(
    "chapel_order",
    "Order on the chapel track",
    "order",
    of="table",
    tonight=True,
    help="Whoever is ahead first; in one space, whoever lies on top. It settles every tie.",
)
COSTS = {
    column: Input(
        f"empty_costs/{column}",
        f"Printed for {column} empty space{'' if column == '1' else 's'}",
        "number",
        of="table",
        default=1 if column == "1" else None,
        help="Look at your players’ board: our copy of the rulebook does not show this amount.",
    )
    for column in EMPTY_COLUMNS
}
HAND = Input(
    "hand_8plus",
    "Printed for 8 or more cards in hand",
    "number",
    of="table",
    optional=True,
    help=f"Left blank, we take {HAND_8PLUS}: our copy of the rulebook is hard to read here.",
)
COINS = tuple(Choice(space, f"£{space}" if space else "none") for space in (0, *COIN_SPACES))
TILES = tuple(Choice(b["letter"], b["name"], b["letter"], b["tone"]) for b in PRINTED["building"])
CARDS = tuple(Input(f"cards/{value}", f"Cards of value {value}", "number", default=0) for value in CARD_VALUES)
BRIDGE = Input("bridge", "Bridge, from left to right", "tiles", TILES, size=(1, SPACES), high=60)
SUMMARY = Input("summary", "Counted on the bridge", "data", optional=True)
COUNTS = {
    "buildings": Input("summary/buildings", "Buildings, gardens included", "number", high=SPACES),
    **{
        f"types/{letter}": Input(f"summary/types/{letter}", plural.capitalize(), "number", high=SPACES)
        for letter, plural in PLURALS.items()
    },
    "longest": Input("summary/longest", "Longest row of descending numbers", "number", high=SPACES),
    "low30": Input("summary/low30", "Numbers of 30 or lower", "number", high=SPACES),
    "sets": Input("summary/sets", "Complete sets of all six types", "number", high=2),
}
TYPES_COUNTED = Input("summary/types", "Buildings of each type", "data", optional=True)
NUMBERS = {
    "coins": Input("coins", "Coins before final scoring", "number", high=999),
    "chapel_steps": Input("chapel_steps", "Spaces up the chapel track", "number"),
    "last_coin_space": Input("last_coin_space", "Last coin passed on the chapel track", "choice", COINS, optional=True),
    "gate_steps": Input("gate_steps", "Steps along the gate track", "number"),
}
TILES_LEFT = Input("unused_tiles", "Unused bonus tiles", "number")
REPLACED = Input(
    "replaced",
    "Buildings replaced during the game",
    "number",
    high=SPACES,
    optional=True,
    help="Only to check the bridge: every turn builds or replaces.",
)
WINNINGS = {
    zone: Input(
        f"round_winnings/{zone}",
        f"Won round by round at the {zone}",
        "number",
        optional=True,
        help="Already among the coins; only to check them.",
    )
    for zone in ZONES
}
INPUTS = (
    *SCORING,
    ORDER,
    *COSTS.values(),
    HAND,
    *NUMBERS.values(),
    *CARDS,
    BRIDGE,
    SUMMARY,
    TILES_LEFT,
    REPLACED,
    *WINNINGS.values(),
)


def asks(loaded: Loaded, player: int | None) -> tuple[Input, ...]:
    """What matters now of that player, or of the table (None)."""
    state: State = loaded.state
    if player is None:
        return (*SCORING, *facts_of_the_table(state))
    if not 0 <= player < len(state.players):
        return ()
    architect = state.players[player]
    if not isinstance(architect, Architect):
        return tuple(facts_beside_typed_lines(state))
    return (*facts_of(state, architect), *won_round_by_round(state, architect, loaded))


def facts_of_the_table(state: State) -> Iterator[Input]:
    names = tuple(Choice(name, name) for name in state.names)
    yield replace(ORDER, choices=names, default=order_by_steps(state))
    columns = {empty_column(architect) for _, architect in state.architects}
    yield from (cost for column, cost in COSTS.items() if column in columns)
    hands = [architect.fact("cards") or 0 for _, architect in state.architects]
    if state.face("inn") == "hand_count" and max(hands, default=0) >= 8:
        yield HAND


def order_by_steps(state: State) -> list[str] | None:
    """The order on the chapel track as far as the steps tell it; "" where markers share a space."""
    steps = chapel_steps(state)
    if len(steps) < len(state.names):
        return None
    order = sorted(state.names, key=lambda name: -steps[name])
    shared = [how_far for how_far in steps.values() if list(steps.values()).count(how_far) > 1]
    return ["" if steps[name] in shared else name for name in order]


def facts_beside_typed_lines(state: State) -> Iterator[Input]:
    """The others' distance may be measured from the marker of a player who typed her lines."""
    if state.face("chapel") == "gap_from_last":
        yield replace(NUMBERS["chapel_steps"], in_doubt=True)


def facts_of(state: State, architect: Architect) -> Iterator[Input]:
    """A player's facts that the chosen faces read, and what helps to check them."""
    needed = needed_inputs({zone: state.face(zone) for zone in ZONES})
    yield from (asked for fact, asked in NUMBERS.items() if fact in needed)
    if "cards" in needed:
        zeros = ZEROS.get(len(state.players), 1)
        yield from (replace(card, default=zeros) if card.name == "cards/0" else card for card in CARDS)
    yield from (BRIDGE,) if architect.summary is None else counts_on(architect, needed)
    yield TILES_LEFT
    built = architect.fact("buildings")
    if built is not None and 0 < built < SPACES:
        yield REPLACED


def won_round_by_round(state: State, architect: Architect, loaded: Loaded) -> Iterator[Input]:
    """With what the round companion has seen paid, if it was told."""
    paying = [zone for zone in ZONES if (face := FACES.get((zone, state.face(zone)))) and face.per_round]
    paid = winnings(loaded).get(architect.name, {}) if paying else {}
    yield from (replace(WINNINGS[zone], default=paid.get(zone)) for zone in paying)


def counts_on(architect: Architect, needed: tuple[str, ...]) -> Iterator[Input]:
    """Only what the faces count, for a bridge that is not entered building by building."""
    yield from (count for fact, count in COUNTS.items() if fact in needed)
    summary = architect.summary
    if "sets" in needed and summary is not None and summary.sets is None and summary.fact("sets") is not None:
        yield TYPES_COUNTED


def guide(loaded: Loaded, player: int) -> Json:
    """The numbers that may still stand on each space of a player's bridge, the next free one included."""
    state: State = loaded.state
    bridges = [p.bridge or () if isinstance(p, Architect) else () for p in state.players]
    if not 0 <= player < len(bridges):
        return {"open": []}
    spaces = min(len(bridges[player]) + 1, SPACES)
    return {"open": [open_numbers(bridges, player, space) for space in range(spaces)]}
