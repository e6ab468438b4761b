"""Copenhagen (Asger Harding Granerud and Daniel Skjold Pedersen, Queen Games 2019).

Spaces are named by column, A to E from the left, and floor, 1 to 9 from the bottom: "A1" is bottom left.
"""

from __future__ import annotations

from scorer.contract import Cards, Editor, Game, TypedLines, WhatIf
from scorer.games.copenhagen.companion import CARDS_AND_END
from scorer.games.copenhagen.guide import guide
from scorer.games.copenhagen.inputs import INPUTS, asks, shows
from scorer.games.copenhagen.score import score, what_if
from scorer.games.copenhagen.state import FACTS, LADDER, LIMITS, PLAYERS, RULES, dump, load
from scorer.games.copenhagen.tiles import catalogue
from scorer.games.copenhagen.typed_lines import COUNTS, typed_faults
from scorer.games.copenhagen.validate import validate
from scorer.sentences import say

GAME = Game(
    id="copenhagen",
    name=say("Copenhagen"),
    players=PLAYERS,
    rules=RULES,
    ladder=LADDER,
    load=load,
    dump=dump,
    validate=validate,
    score=score,
    inputs=INPUTS,
    asks=asks,
    facts=FACTS,
    typed=TypedLines(LIMITS, COUNTS, faults=typed_faults),
    cards=Cards(catalogue()),
    editor=Editor(guide=guide, shows=shows),
    what_if=WhatIf(what_if),
    companion=CARDS_AND_END,
    names=("companion/first/*",),
)
