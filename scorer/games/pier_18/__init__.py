"""Pier 18 (Rory Muldoon, Alley Cat Games): a pier of cards, its characters, patrons and a plan.

Spaces are named like squares: "A3" is the left one of the third section from the shore, "B3" the right one.
"""

from __future__ import annotations

from scorer.core import Choice, Entry, Game, Input
from scorer.games.pier_18.pier import EMPTY, PRINTED
from scorer.games.pier_18.rules import score
from scorer.games.pier_18.state import CARDS, LADDER, PLAN_POINTS, PLAYERS, RULES, dump, load
from scorer.games.pier_18.validate import validate

LONGEST = 3 * max(CARDS.values())  # sections the form offers: six cards of three, laid without overlap
SYMBOLS = (
    Choice(EMPTY, "Empty"),
    *(Choice(c["letter"], c["name"], c["letter"], c["tone"]) for c in PRINTED["character"]),
)
ACROSS = (Choice("ignore", "do not matter"), Choice("must_be_empty", "spoil the lovers"))

TABLE = (
    Input("lovers_across", "Characters across the pier from lovers", "choice", ACROSS, of="setup", default="ignore"),
    Input("plan_points", "Points for an achieved plan", "number", of="setup", default=PLAN_POINTS),
    Input("sections_per_card", "Sections on each card", "number", low=1, of="setup", optional=True),
)
BUILDER = (
    Input("rows", "Pier, from the shore to the sea", "letters", SYMBOLS, size=(LONGEST, 2), default=EMPTY),
    Input("patrons", "Patrons", "number"),
    Input("plan/achieved", "Goal of the plan achieved", "flag"),
    Input("plan/date", "Date on the plan card", "date", optional=True, in_doubt=True),
)
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
    inputs=(*TABLE, *BUILDER),
    catalogue=(*(Entry(c["letter"], c["name"], "character", c["text"]) for c in PRINTED["character"]), *REST),
)
