"""Define the inputs for a table of Old London Bridge, and which of them matter now."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from scorer.contract import (
    Choice,
    ChoiceInput,
    DataInput,
    FlagInput,
    Input,
    Json,
    Loaded,
    NumberInput,
    OrderInput,
    Section,
    TilesInput,
)
from scorer.games.old_london_bridge.cards import (
    BASE,
    CARD_VALUES,
    COIN_SPACES,
    EMPTY_COLUMNS,
    FACES,
    HAND_8PLUS,
    HIGHEST_NUMBER,
    SPACES,
    TYPES,
    ZONES,
    needed_inputs,
    options,
)
from scorer.games.old_london_bridge.companion import at_the_end, of_player_at_the_end, winnings
from scorer.games.old_london_bridge.state import Architect, State, empty_column, summary_of
from scorer.games.old_london_bridge.summary import COUNTED, Summary, without_count
from scorer.games.old_london_bridge.turns import EARLY_END
from scorer.sentences import Sentence, as_it_is, say, say_count


def face_choices(zone: str) -> tuple[Choice, ...]:
    return tuple(Choice(face, FACES[zone, face].name) for face in options(zone))


SCORING_OF = {
    "chapel": say("Chapel scoring"),
    "gate": say("Bridge gate scoring"),
    "inn": say("Inn scoring"),
    "bridge": say("Bridge scoring"),
}
SCORING = tuple(
    ChoiceInput(
        f"scoring/{zone}",
        SCORING_OF[zone],
        face_choices(zone),
        section=Section.SETUP,
        default="base",
        is_variant=True,
        this_game_only=True,  # tiles are drawn for each game, so the last game's tiles must not be kept
    )
    for zone in ZONES
)
ORDER = OrderInput(
    "chapel_order",
    say("Order on the chapel track"),
    section=Section.TABLE,
    this_game_only=True,
    help=say("Enter the leader first. On the same space, the marker on top leads. This order breaks every tie."),
)


def printed_for(column: str) -> Sentence:
    if column == "5+":
        return say("Cost of 5 or more empty spaces")
    return say_count("Cost of {n} empty space", "Cost of {n} empty spaces", int(column))


COSTS = {
    column: NumberInput(
        f"empty_costs/{column}",
        printed_for(column),
        section=Section.TABLE,
        default=1 if column == "1" else None,
        help=say("Your player board shows this amount."),
    )
    for column in EMPTY_COLUMNS
}
HAND = NumberInput(
    "hand_8plus",
    say("Coins for 8 or more cards in hand"),
    section=Section.TABLE,
    optional=True,
    help=say("The inn’s scoring tile shows this amount. If you leave it empty, we use £{coins}.", coins=HAND_8PLUS),
)
ENDED_EARLY = FlagInput(
    "ended_early",
    say("The game ended early because three stacks ran out"),
    section=Section.TABLE,
    optional=True,
    this_game_only=True,
)
COINS = tuple(Choice(space, say("£{coins}", coins=space) if space else say("none")) for space in (0, *COIN_SPACES))
TILES = tuple(Choice(one.letter, one.name, one.letter, one.tone) for one in TYPES.values())
CARDS = tuple(
    NumberInput(f"cards/{value}", say("Cards of value {value}", value=value), default=0)
    for value in CARD_VALUES
    if value != "0"  # all players keep these; the number of players says how many
)
BRIDGE = TilesInput("bridge", say("Bridge, from left to right"), TILES, places=SPACES, high=HIGHEST_NUMBER)
SUMMARY = DataInput("summary", say("Counts on the bridge"), optional=True)
COUNTS = {
    "buildings": NumberInput("summary/buildings", say("Buildings, including parks"), high=SPACES),
    **{
        f"types/{letter}": NumberInput(f"summary/types/{letter}", one.heading, high=SPACES)
        for letter, one in TYPES.items()
    },
    "longest": NumberInput("summary/longest", say("Longest sequence of descending numbers"), high=SPACES),
    "low30": NumberInput("summary/low30", say("Numbers of 30 or lower"), high=SPACES),
    "sets": NumberInput("summary/sets", say("Complete sets of all six types"), high=2),
}
TYPES_COUNTED = DataInput("summary/types", say("Buildings of each type"), optional=True)
NUMBERS = {
    "coins": NumberInput("coins", say("Coins before final scoring"), high=999),
    "chapel_steps": NumberInput("chapel_steps", say("Spaces up the chapel track")),
    "last_coin_space": ChoiceInput(
        "last_coin_space", say("Last coin passed on the chapel track"), COINS, optional=True
    ),
    "gate_steps": NumberInput("gate_steps", say("Steps along the gate track")),
}
MOVED = ChoiceInput(
    "chapel_moved",
    say("Has the marker left the chapel stairs?"),
    (Choice(True, say("yes")), Choice(False, say("no"))),
    optional=True,
    help=say("If you enter the order on the chapel track, you don’t need to count spaces."),
)
TILES_LEFT = NumberInput("unused_tiles", say("Unused bonus tiles"))
REPLACED = NumberInput(
    "replaced",
    say("Buildings replaced during the game"),
    high=SPACES,
    optional=True,
    help=say("Optional. We use this to check the bridge."),
)
WON_AT = {
    "chapel": say("Coins won at the chapel during the rounds"),
    "gate": say("Coins won at the bridge gate during the rounds"),
    "inn": say("Coins won at the inn during the rounds"),
    "bridge": say("Coins won at the bridge during the rounds"),
}
WINNINGS = {
    zone: NumberInput(
        f"round_winnings/{zone}",
        WON_AT[zone],
        optional=True,
        help=say("Optional. These coins are already among your coins. We only use this to check them."),
    )
    for zone in ZONES
}
INPUTS = (
    *SCORING,
    ORDER,
    *COSTS.values(),
    HAND,
    ENDED_EARLY,
    *NUMBERS.values(),
    MOVED,
    *CARDS,
    BRIDGE,
    SUMMARY,
    TILES_LEFT,
    REPLACED,
    *WINNINGS.values(),
)


def asks(loaded: Loaded, player: int | None) -> tuple[Input, ...]:
    """Return the inputs that matter now for one player, or for the table if `player` is None."""
    state: State = loaded.state
    if player is None:
        return (*SCORING, *begun_with(at_the_end(loaded), facts_of_the_table(state)))
    if not 0 <= player < len(state.players):
        return ()
    architect = state.players[player]
    if not isinstance(architect, Architect):
        return tuple(facts_beside_typed_lines(state))
    known = of_player_at_the_end(loaded, player)
    bridge = known.get("bridge", [])
    counts = {COUNTS[fact].name: summary_of(tuple(bridge)).fact(fact) for fact in COUNTS} if bridge else {}
    asked = facts_of(state, architect, is_counted=bool(bridge))
    return (*begun_with({**known, **counts}, asked), *won_round_by_round(state, architect, loaded))


def begun_with(known: dict[str, Json], asked: Iterable[Input]) -> Iterator[Input]:
    """Yield the inputs in `asked`, with defaults from the companion's notes; `known` has these by input name."""
    return (replace(one, default=known[one.name]) if one.name in known else one for one in asked)


def facts_of_the_table(state: State) -> Iterator[Input]:
    if not steps_are_asked(state) or state.order_by_steps is None:
        yield replace(ORDER, choices=tuple(Choice(name, as_it_is(name)) for name in from_the_front(state)))
    columns = {empty_column(architect) for _, architect in state.architects}
    yield from (cost for column, cost in COSTS.items() if column in columns)
    if len(state.players) == EARLY_END and columns != {None}:
        yield ENDED_EARLY
    hands = [sum(state.hand(architect).values()) for _, architect in state.architects]
    if state.face("inn") == "hand_count" and max(hands, default=0) >= 8:
        yield HAND


def steps_are_asked(state: State) -> bool:
    """Return whether every player is asked for the spaces up the chapel track."""
    all_entered = len(state.architects) == len(state.players)
    return state.face("chapel") == "gap_from_last" or (state.face("chapel") == BASE and all_entered)


def from_the_front(state: State) -> list[str]:
    """Return the players' names in an order on the chapel track that fits the known facts, the leader first."""
    steps, moves = state.chapel_steps, state.chapel_moves

    def distance(name: str) -> float:
        return steps.get(name, 0.5 if moves.get(name, True) else 0)

    return sorted(state.names, key=lambda name: -distance(name))


def facts_beside_typed_lines(state: State) -> Iterator[Input]:
    """Yield the input for the chapel marker of a player who entered points by hand, if a face measures from it."""
    if state.face("chapel") == "gap_from_last":
        yield replace(NUMBERS["chapel_steps"], in_doubt=True)


def facts_of(state: State, architect: Architect, is_counted: bool) -> Iterator[Input]:
    """Yield the inputs for what the chosen faces need of a player: numbers, cards, the bridge, bonus tiles.
    `is_counted` says that the companion has counted the bridge already."""
    needed = needed_inputs({zone: state.face(zone) for zone in ZONES})
    for fact, asked in NUMBERS.items():
        if fact in needed:
            yield asked
        if fact == "chapel_steps" and fact in needed and state.face("chapel") == BASE and architect.fact(fact) is None:
            yield MOVED
    if "cards" in needed:
        yield from CARDS
    if is_laid(state, architect, needed) and (architect.bridge or not is_counted):
        yield BRIDGE
    else:
        yield from counts_on(architect.summary or Summary(), needed)
    if architect.unused_tiles is not None or "gate_steps" not in needed or state.unused_tiles(architect) is None:
        yield TILES_LEFT
    built = architect.fact("buildings")
    if built is not None and 0 < built < SPACES and not state.ended_early:
        yield REPLACED


def is_laid(state: State, architect: Architect, needed: tuple[str, ...]) -> bool:
    """Return whether a player enters the bridge building by building, not as counts. A player who has entered nothing
    follows the others. If nobody has entered anything, it is True if the facts `needed` are more than the number of
    buildings."""
    if architect.summary is not None:
        return False
    others = [other for _, other in state.architects if other is not architect]
    if architect.bridge is not None or any(other.bridge for other in others):
        return architect.bridge is not None or not any(other.summary for other in others)
    return not any(other.summary for other in others) and any(fact in needed for fact in COUNTS if fact != "buildings")


def won_round_by_round(state: State, architect: Architect, loaded: Loaded) -> Iterator[Input]:
    """Yield the inputs for coins won from faces that pay every round, with the companion's sums as defaults."""
    paying = [zone for zone in ZONES if (face := FACES.get((zone, state.face(zone)))) and face.per_round]
    paid = winnings(loaded).get(architect.name, {}) if paying else {}
    yield from (replace(WINNINGS[zone], default=paid.get(zone)) for zone in paying)


def counts_on(summary: Summary, needed: tuple[str, ...]) -> Iterator[Input]:
    """Yield the inputs for those counts of a bridge, among the facts `needed`, that do not follow from others."""
    known = following(summary, needed)
    yield from (count for fact, count in COUNTS.items() if fact in needed and fact not in known)
    if known and summary.types:
        yield TYPES_COUNTED  # the missing count may follow from these


@functools.lru_cache(maxsize=256)
def following(summary: Summary, needed: tuple[str, ...]) -> Mapping[str, int]:
    """Return, by name, the value of each count in `needed` that follows from other counts. If two follow from each
    other, only the later one in COUNTS is returned, and forms ask for the earlier."""
    found = {}
    for fact in set(COUNTED) - set(needed):
        summary = without_count(summary, fact)
    for fact in reversed(COUNTS):
        rest = without_count(summary, fact)
        value = rest.fact(fact)
        if fact in needed and value is not None and summary.entered(fact) in (None, value):
            found[fact], summary = value, rest
    return dict(reversed(found.items()))
