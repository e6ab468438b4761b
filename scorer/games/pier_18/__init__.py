"""Pier 18 (Rory Muldoon, Alley Cat Games): a pier of cards, its characters, patrons and a plan.

Spaces are named like squares: "A3" is the left one of the third section from the shore, "B3" the right one.
"""

from __future__ import annotations

from scorer.contract import Entry, Game
from scorer.games.pier_18.companion import PATRON_PHASE
from scorer.games.pier_18.inputs import INPUTS, asks, guide
from scorer.games.pier_18.pier import PRINTED
from scorer.games.pier_18.rules import score
from scorer.games.pier_18.state import LADDER, PLAN_POINTS, PLAYERS, RULES, dump, load
from scorer.games.pier_18.validate import validate

REST = (
    Entry("patron", "Patron", "scoring", "The card left over in a round joins the pier it suits best.", points="1"),
    Entry(
        "plan",
        "Plan",
        "scoring",
        "The card that ends the pier. Its goal brings a bonus, its date settles the last tie.",
        points=str(PLAN_POINTS),
    ),
)

GAME = Game(
    id="pier_18",
    name="Pier 18",
    players=PLAYERS,
    rules=RULES,
    ladder=LADDER,
    load=load,
    dump=dump,
    validate=validate,
    score=score,
    inputs=INPUTS,
    catalogue=(*(Entry(c["letter"], c["name"], "character", c["text"]) for c in PRINTED["character"]), *REST),
    asks=asks,
    guide=guide,
    companion=PATRON_PHASE,
)
