"""What a form asks of a table of Pier 18: everything there is, and of that what matters now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.contract import Choice, Input, Loaded
from scorer.games.pier_18.cards import CHARACTERS, LONGEST, MOST_ON_A_CARD, PATRONS, PLAN_POINTS
from scorer.games.pier_18.pier import EMPTY, SIDES
from scorer.games.pier_18.state import Builder, State
from scorer.games.pier_18.validate import fewest_sections
from scorer.sentences import say

SYMBOLS = (
    Choice(EMPTY, say("Empty")),
    *(Choice(one.letter, one.name, one.letter, one.tone) for one in CHARACTERS.values()),
)
ACROSS = (Choice("ignore", say("do not matter")), Choice("must_be_empty", say("spoil the lovers")))

TABLE = (
    Input(
        "lovers_across",
        say("Characters across the pier from lovers"),
        "choice",
        ACROSS,
        of="setup",
        default="ignore",
    ),
    Input("plan_points", say("Points for an achieved plan"), "number", of="setup", default=PLAN_POINTS),
    Input(
        "sections_per_card",
        say("Sections on each card"),
        "number",
        low=1,
        high=MOST_ON_A_CARD,
        of="setup",
        optional=True,
        help=say("Only to check the length of the piers. Leave it blank if you do not care."),
    ),
)
ROWS = Input("rows", say("Pier, from the shore to the sea"), "letters", SYMBOLS, size=(LONGEST, SIDES))
BY_CARD = Input("cards", say("Pier, card by card"), "data", optional=True)
PATRONS_WON = Input("patrons", say("Patrons"), "number", high=max(PATRONS.values()))
ACHIEVED = Input("plan/achieved", say("The plan is achieved"), "flag")
POINTS = Input(
    "plan/points",
    say("Points on this plan"),
    "number",
    optional=True,
    help=say("Only if its card shows another amount than usual."),
)
DATE = Input("plan/date", say("Date on the plan card"), "date", optional=True, in_doubt=True)
GOAL = Input(
    "plan/card/name",
    say("Goal of the plan"),
    "text",
    optional=True,
    help=say("In your own words, if you want to keep the plan in the card box."),
)
CARD = (
    Input("plan/card/points", say("Points on this plan"), "number", optional=True),
    Input("plan/card/date", say("Date on this plan"), "date", optional=True),
    Input("plan/card/sections", say("Sections of this plan"), "data", optional=True),
)
INPUTS = (*TABLE, ROWS, BY_CARD, PATRONS_WON, ACHIEVED, POINTS, DATE, GOAL, *CARD)


def asks(loaded: Loaded, player: int | None) -> tuple[Input, ...]:
    """What matters now of that player, or of the table (None)."""
    if player is None:
        return TABLE
    state: State = loaded.state
    builder = state.players[player] if 0 <= player < len(state.players) else None
    return tuple(facts_of(state, player, builder)) if isinstance(builder, Builder) else ()


def facts_of(state: State, player: int, builder: Builder) -> Iterator[Input]:
    if builder.cards is not None and builder.sections is None:
        yield BY_CARD
    else:
        yield replace(ROWS, size=(length_to_paint(state, builder), SIDES))
    most = PATRONS.get(len(state.players), PATRONS_WON.high)
    yield replace(PATRONS_WON, high=most, default=state.patrons_left(player))
    yield ACHIEVED
    plan = builder.plan
    is_described = plan.card is not None and bool(plan.card.name)
    if plan.points is not None or (plan.achieved and not is_described):
        yield POINTS
    yield DATE
    yield GOAL
    if is_described:
        yield from CARD


def length_to_paint(state: State, builder: Builder) -> int:
    """The sections on show so far, or as many as the shortest pier has."""
    return min(max(len(builder.sections or ()), fewest_sections(state) or 1), LONGEST)
