"""Old London Bridge (Gabriele Bubola and Leo Colovini, Queen Games): bridges, two tracks and a hand of characters.

The spaces of a bridge are named "1" to "12" from the left.
"""

from __future__ import annotations

from scorer.contract import Cards, Editor, Game, TypedLines
from scorer.games.old_london_bridge.cards import catalogue
from scorer.games.old_london_bridge.companion import ROUND_COMPANION
from scorer.games.old_london_bridge.guide import guide
from scorer.games.old_london_bridge.inputs import INPUTS, asks
from scorer.games.old_london_bridge.record import dump, load
from scorer.games.old_london_bridge.score import score
from scorer.games.old_london_bridge.state import FACTS, LADDER, PLAYERS, RULES
from scorer.games.old_london_bridge.typed import LIMITS, typed_faults
from scorer.games.old_london_bridge.validate import validate
from scorer.sentences import say

GAME = Game(
    id="old_london_bridge",
    name=say("Old London Bridge"),
    players=PLAYERS,
    rules=RULES,
    ladder=LADDER,
    load=load,
    dump=dump,
    validate=validate,
    score=score,
    inputs=INPUTS,
    names=(
        "chapel_order/*",
        "companion/chapel_order/*",
        "companion/rounds/*/chapel_order/*",
        "companion/events/*/name",
    ),
    asks=asks,
    facts=FACTS,
    points_depend_on_others=True,
    typed=TypedLines(LIMITS, faults=typed_faults),
    cards=Cards(catalogue()),
    editor=Editor(guide=guide),
    companion=ROUND_COMPANION,
)
