"""Tiny Towns (Peter McPherson, AEG 2019), with the known parts of the expansions Fortune and Villagers."""

from scorer.contract import Cards, Deal, Game, TypedLines, WhatIf
from scorer.games.tiny_towns.cardbox import CARDBOX
from scorer.games.tiny_towns.cards import CATALOGUE, RULES
from scorer.games.tiny_towns.companion import MASTER_BUILDER
from scorer.games.tiny_towns.deal import deal
from scorer.games.tiny_towns.in_play import cards
from scorer.games.tiny_towns.inputs import INPUTS, asks
from scorer.games.tiny_towns.photo import PHOTO
from scorer.games.tiny_towns.record import dump, load
from scorer.games.tiny_towns.score import score
from scorer.games.tiny_towns.state import FACTS, LADDER, PLAYERS
from scorer.games.tiny_towns.swap import what_if
from scorer.games.tiny_towns.typed import LIMITS, lines_known, lines_of, typed_faults
from scorer.games.tiny_towns.validate import validate
from scorer.sentences import say

GAME = Game(
    id="tiny_towns",
    name=say("Tiny Towns"),
    players=PLAYERS,
    rules=RULES,
    ladder=LADDER,
    load=load,
    dump=dump,
    validate=validate,
    score=score,
    inputs=INPUTS,
    names=("companion/events/*/name",),
    asks=asks,
    facts=FACTS,
    points_depend_on_others=True,
    typed=TypedLines(LIMITS, lines_of=lines_of, lines_known=lines_known, faults=typed_faults),
    cards=Cards(CATALOGUE, cards),
    companion=MASTER_BUILDER,
    cardbox=CARDBOX,
    deal=Deal(deal),
    what_if=WhatIf(what_if),
    photo=PHOTO,
)
