"""Tenby: streets of terraces, piers and landmarks by the sea, residents with wishes, and accolades for the table."""

from __future__ import annotations

from scorer.contract import Cards, Editor, Game, TypedLines
from scorer.games.tenby.builder import open_facts
from scorer.games.tenby.cardbox import CARDBOX
from scorer.games.tenby.choices import CATALOGUE
from scorer.games.tenby.companion import ROUND_BY_ROUND
from scorer.games.tenby.guide import guide
from scorer.games.tenby.in_play import cards
from scorer.games.tenby.inputs import INPUTS, asks
from scorer.games.tenby.options import options
from scorer.games.tenby.score import score
from scorer.games.tenby.state import FACTS, GAME_ID, LADDER, LIMITS, PLAYERS, RULES, dump, load
from scorer.games.tenby.typed import typed_faults
from scorer.games.tenby.validate import validate
from scorer.sentences import say

GAME = Game(
    id=GAME_ID,
    name=say("Tenby"),
    players=PLAYERS,
    rules=RULES,
    ladder=LADDER,
    load=load,
    dump=dump,
    validate=validate,
    score=score,
    names=("accolades/cards/*/holder", "accolades/cards/*/amounts/{name}"),
    inputs=INPUTS,
    asks=asks,
    facts=FACTS,
    points_depend_on_others=True,
    typed=TypedLines(LIMITS, faults=typed_faults),
    cards=Cards(CATALOGUE, cards),
    editor=Editor(guide=guide, options=options, open_facts=open_facts),
    cardbox=CARDBOX,
    companion=ROUND_BY_ROUND,
)
