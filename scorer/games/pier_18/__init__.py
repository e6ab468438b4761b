"""Pier 18 (Rory Muldoon, Alley Cat Games): a pier of cards with characters, patrons and a plan.

Spaces are named like squares: "A3" is the left space of the third section from the shore, "B3" the right one.
"""

from __future__ import annotations

from scorer.contract import Cards, Editor, Game, TypedLines
from scorer.games.pier_18.cardbox import CARDBOX
from scorer.games.pier_18.cards import catalogue
from scorer.games.pier_18.companion import PATRON_PHASE
from scorer.games.pier_18.guide import guide
from scorer.games.pier_18.inputs import INPUTS, asks
from scorer.games.pier_18.score import score
from scorer.games.pier_18.state import FACTS, GAME_ID, LADDER, LIMITS, PLAYERS, RULES, dump, load
from scorer.games.pier_18.typed import typed_faults
from scorer.games.pier_18.validate import validate
from scorer.sentences import say

GAME = Game(
    id=GAME_ID,
    name=say("Pier 18"),
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
    names=("plan_order/*", "companion/first/*", "companion/patrons/*"),
    points_depend_on_others=True,
    typed=TypedLines(LIMITS, faults=typed_faults),
    cards=Cards(catalogue()),
    editor=Editor(guide=guide),
    companion=PATRON_PHASE,
    cardbox=CARDBOX,
)
