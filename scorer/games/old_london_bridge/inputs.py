"""What a form asks of a table of Old London Bridge: everything there is, and of that what matters now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.contract import Choice, Input, Loaded
from scorer.games.old_london_bridge.cards import (
    CARD_VALUES,
    COIN_SPACES,
    EMPTY_COLUMNS,
    FACES,
    HAND_8PLUS,
    HIGHEST_NUMBER,
    SPACES,
    TYPES,
    ZEROS,
    ZONES,
    needed_inputs,
    options,
)
from scorer.games.old_london_bridge.companion import winnings
from scorer.games.old_london_bridge.state import Architect, State, empty_column
from scorer.sentences import Sentence, say, say_count


def face_choices(zone: str) -> tuple[Choice, ...]:
    return tuple(Choice(face, FACES[zone, face].name) for face in options(zone))


SCORING_OF = {
    "chapel": say("Scoring of the chapel"),
    "gate": say("Scoring of the gate"),
    "inn": say("Scoring of the inn"),
    "bridge": say("Scoring of the bridge"),
}
SCORING = tuple(
    Input(f"scoring/{zone}", SCORING_OF[zone], "choice", face_choices(zone), of="setup", default="base")
    for zone in ZONES
)
ORDER = Input(
    "chapel_order",
    say("Order on the chapel track"),
    "order",
    of="table",
    tonight=True,
    help=say("Whoever is ahead first; in one space, whoever lies on top. It settles every tie."),
)


def printed_for(column: str) -> Sentence:
    if column == "5+":
        return say("Printed for 5+ empty spaces")
    return say_count("Printed for {n} empty space", "Printed for {n} empty spaces", int(column))


COSTS = {
    column: Input(
        f"empty_costs/{column}",
        printed_for(column),
        "number",
        of="table",
        default=1 if column == "1" else None,
        help=say("Look at your players’ board: our copy of the rulebook does not show this amount."),
    )
    for column in EMPTY_COLUMNS
}
HAND = Input(
    "hand_8plus",
    say("Printed for 8 or more cards in hand"),
    "number",
    of="table",
    optional=True,
    help=say("Left blank, we take {coins}: our copy of the rulebook is hard to read here.", coins=HAND_8PLUS),
)
COINS = tuple(Choice(space, say("£{coins}", coins=space) if space else say("none")) for space in (0, *COIN_SPACES))
TILES = tuple(Choice(one.letter, one.name, one.letter, one.tone) for one in TYPES.values())
CARDS = tuple(
    Input(f"cards/{value}", say("Cards of value {value}", value=value), "number", default=0) for value in CARD_VALUES
)
BRIDGE = Input("bridge", say("Bridge, from left to right"), "tiles", TILES, size=(1, SPACES), high=HIGHEST_NUMBER)
SUMMARY = Input("summary", say("Counted on the bridge"), "data", optional=True)
COUNTS = {
    "buildings": Input("summary/buildings", say("Buildings, gardens included"), "number", high=SPACES),
    **{
        f"types/{letter}": Input(f"summary/types/{letter}", one.heading, "number", high=SPACES)
        for letter, one in TYPES.items()
    },
    "longest": Input("summary/longest", say("Longest row of descending numbers"), "number", high=SPACES),
    "low30": Input("summary/low30", say("Numbers of 30 or lower"), "number", high=SPACES),
    "sets": Input("summary/sets", say("Complete sets of all six types"), "number", high=2),
}
TYPES_COUNTED = Input("summary/types", say("Buildings of each type"), "data", optional=True)
NUMBERS = {
    "coins": Input("coins", say("Coins before final scoring"), "number", high=999),
    "chapel_steps": Input("chapel_steps", say("Spaces up the chapel track"), "number"),
    "last_coin_space": Input(
        "last_coin_space", say("Last coin passed on the chapel track"), "choice", COINS, optional=True
    ),
    "gate_steps": Input("gate_steps", say("Steps along the gate track"), "number"),
}
TILES_LEFT = Input("unused_tiles", say("Unused bonus tiles"), "number")
REPLACED = Input(
    "replaced",
    say("Buildings replaced during the game"),
    "number",
    high=SPACES,
    optional=True,
    help=say("Only to check the bridge: every turn builds or replaces."),
)
WON_AT = {
    "chapel": say("Won round by round at the chapel"),
    "gate": say("Won round by round at the gate"),
    "inn": say("Won round by round at the inn"),
    "bridge": say("Won round by round at the bridge"),
}
WINNINGS = {
    zone: Input(
        f"round_winnings/{zone}",
        WON_AT[zone],
        "number",
        optional=True,
        help=say("Already among the coins; only to check them."),
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
    names = tuple(Choice(name, say("{name}", name=name)) for name in state.names)
    yield replace(ORDER, choices=names, default=order_by_steps(state))
    columns = {empty_column(architect) for _, architect in state.architects}
    yield from (cost for column, cost in COSTS.items() if column in columns)
    hands = [architect.fact("cards") or 0 for _, architect in state.architects]
    if state.face("inn") == "hand_count" and max(hands, default=0) >= 8:
        yield HAND


def order_by_steps(state: State) -> list[str] | None:
    """The order on the chapel track as far as the steps say it; "" where markers share a space."""
    steps = state.chapel_steps
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
    """With what the round companion has seen paid, if it was used."""
    paying = [zone for zone in ZONES if (face := FACES.get((zone, state.face(zone)))) and face.per_round]
    paid = winnings(loaded).get(architect.name, {}) if paying else {}
    yield from (replace(WINNINGS[zone], default=paid.get(zone)) for zone in paying)


def counts_on(architect: Architect, needed: tuple[str, ...]) -> Iterator[Input]:
    """Only what the faces count, for a bridge that is not entered building by building."""
    yield from (count for fact, count in COUNTS.items() if fact in needed)
    summary = architect.summary
    if "sets" in needed and summary is not None and summary.sets is None and summary.fact("sets") is not None:
        yield TYPES_COUNTED
