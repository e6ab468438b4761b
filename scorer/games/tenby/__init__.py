"""Tenby: streets of terraces, piers and landmarks by the sea, the residents they please, and the town's accolades."""

from __future__ import annotations

from scorer.contract import Game
from scorer.games.tenby.builder import open_counts
from scorer.games.tenby.cardbox import CARDBOX
from scorer.games.tenby.choices import CATALOGUE
from scorer.games.tenby.guide import guide
from scorer.games.tenby.in_play import cards
from scorer.games.tenby.inputs import INPUTS, asks
from scorer.games.tenby.score import score
from scorer.games.tenby.state import FACTS, GAME_ID, LADDER, LIMITS, PLAYERS, RULES, dump, load
from scorer.games.tenby.validate import validate
from scorer.sentences import say

GAME = Game(
    id=GAME_ID,
    name=say("Tenby"),
    players=PLAYERS,
    rules=RULES,
    ladder=LADDER,
    limits=LIMITS,
    facts=FACTS,
    load=load,
    dump=dump,
    validate=validate,
    score=score,
    cards=cards,
    variants=("accolades/mode",),
    names=("accolades/cards/*/holder", "accolades/cards/*/amounts/{name}"),
    inputs=INPUTS,
    catalogue=CATALOGUE,
    asks=asks,
    guide=guide,
    open_counts=open_counts,
    cardbox=CARDBOX,
)
