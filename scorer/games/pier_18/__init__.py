"""Pier 18 (Rory Muldoon, Alley Cat Games): a pier of cards, its characters, patrons and a plan.

Spaces are named like squares: "A3" is the left one of the third section from the shore, "B3" the right one.
"""

from __future__ import annotations

from scorer.contract import Game
from scorer.games.pier_18.cardbox import CARDBOX
from scorer.games.pier_18.cards import catalogue
from scorer.games.pier_18.companion import PATRON_PHASE
from scorer.games.pier_18.guide import guide
from scorer.games.pier_18.inputs import INPUTS, asks
from scorer.games.pier_18.score import score
from scorer.games.pier_18.state import FACTS, GAME_ID, LADDER, LIMITS, PLAYERS, RULES, dump, load
from scorer.games.pier_18.validate import validate
from scorer.sentences import say

GAME = Game(
    id=GAME_ID,
    name=say("Pier 18"),
    players=PLAYERS,
    rules=RULES,
    ladder=LADDER,
    limits=LIMITS,
    load=load,
    dump=dump,
    validate=validate,
    score=score,
    inputs=INPUTS,
    catalogue=catalogue(),
    asks=asks,
    facts=FACTS,
    guide=guide,
    companion=PATRON_PHASE,
    cardbox=CARDBOX,
)
