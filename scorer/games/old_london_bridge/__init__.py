"""Old London Bridge (Gabriele Bubola and Leo Colovini, Queen Games): bridges, two tracks and a hand of characters.

The spaces of a bridge are called "1" to "12" from the left.
"""

from __future__ import annotations

from scorer.core import Choice, Game, Input
from scorer.games.old_london_bridge.faces import (
    CARD_VALUES,
    COIN_SPACES,
    EMPTY_COLUMNS,
    FACES,
    ZONES,
    catalogue,
    options,
)
from scorer.games.old_london_bridge.rules import score
from scorer.games.old_london_bridge.state import LADDER, PLAYERS, RULES, dump, load
from scorer.games.old_london_bridge.validate import validate


def face_choices(zone: str) -> tuple[Choice, ...]:
    return tuple(Choice(face, FACES[zone, face].name) for face in options(zone))


SCORING = tuple(
    Input(f"scoring/{zone}", f"Scoring of the {zone}", "choice", face_choices(zone), of="setup", default="base")
    for zone in ZONES
)
COSTS = tuple(
    Input(
        f"empty_costs/{column}",
        f"Printed for {column} empty space{'' if column == '1' else 's'}",
        "number",
        of="table",
        default=1 if column == "1" else None,
        optional=True,
        help="Look at your players' board: our copy of the rulebook does not show these amounts.",
    )
    for column in EMPTY_COLUMNS
)
TABLE = (
    Input(
        "chapel_order",
        "Order on the chapel track",
        "order",
        of="table",
        help="Whoever is ahead first; in one space, whoever lies on top.",
    ),
    *COSTS,
    Input("hand_8plus", "Printed for 8 or more cards in hand", "number", of="table", optional=True),
)
COINS = tuple(Choice(space, f"£{space}" if space else "none") for space in (0, *COIN_SPACES))
ARCHITECT = (
    Input("coins", "Coins before final scoring", "number", high=999),
    Input("chapel_steps", "Spaces up the chapel track", "number", optional=True),
    Input("gate_steps", "Steps along the gate track", "number", optional=True),
    Input("last_coin_space", "Last coin passed on the chapel track", "choice", COINS, optional=True),
    *(Input(f"cards/{value}", f"Cards of value {value} in hand", "number", optional=True) for value in CARD_VALUES),
    Input("bridge", "Bridge, from left to right", "data"),
    Input("summary", "Counted on the bridge, if it is not entered", "data", optional=True),
    Input("unused_tiles", "Unused bonus tiles", "number"),
    Input("replaced", "Buildings replaced", "number", high=12, optional=True),
    Input("round_winnings", "Won round by round, by zone", "data", optional=True),
)

GAME = Game(
    id="old_london_bridge",
    name="Old London Bridge",
    players=PLAYERS,
    rules=RULES,
    ladder=LADDER,
    load=load,
    dump=dump,
    validate=validate,
    score=score,
    inputs=(*SCORING, *TABLE, *ARCHITECT),
    catalogue=catalogue(),
)
