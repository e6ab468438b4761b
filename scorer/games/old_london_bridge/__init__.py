"""Old London Bridge (Gabriele Bubola and Leo Colovini, Queen Games): bridges, two tracks and a hand of characters.

The spaces of a bridge are called "1" to "12" from the left.
"""

from __future__ import annotations

from scorer.contract import Game
from scorer.games.old_london_bridge.cards import catalogue
from scorer.games.old_london_bridge.companion import ROUND_COMPANION
from scorer.games.old_london_bridge.guide import guide
from scorer.games.old_london_bridge.inputs import INPUTS, SCORING, asks
from scorer.games.old_london_bridge.score import score
from scorer.games.old_london_bridge.state import FACTS, LADDER, PLAYERS, RULES, dump, load
from scorer.games.old_london_bridge.typed import LIMITS, typed_faults
from scorer.games.old_london_bridge.validate import validate
from scorer.sentences import say

GAME = Game(
    id="old_london_bridge",
    name=say("Old London Bridge"),
    players=PLAYERS,
    rules=RULES,
    ladder=LADDER,
    limits=LIMITS,
    typed_faults=typed_faults,
    load=load,
    dump=dump,
    validate=validate,
    score=score,
    inputs=INPUTS,
    variants=tuple(asked.name for asked in SCORING),
    names=("chapel_order/*", "companion/chapel_order/*", "companion/rounds/*/chapel_order/*"),
    catalogue=catalogue(),
    asks=asks,
    facts=FACTS,
    guide=guide,
    companion=ROUND_COMPANION,
)
