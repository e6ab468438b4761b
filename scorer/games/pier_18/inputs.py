"""What a form asks of a table of Pier 18: everything there is, and of that what matters now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.contract import Choice, Input, Loaded
from scorer.games.pier_18.cards import CARDS, CHARACTERS, PATRONS, PLAN_POINTS
from scorer.games.pier_18.patrons import patrons_left
from scorer.games.pier_18.pier import EMPTY, SIDES
from scorer.games.pier_18.state import Builder, State
from scorer.games.pier_18.validate import fewest_sections
from scorer.sentences import say

SYMBOLS = (
    Choice(EMPTY, say("Empty")),
    *(Choice(one.letter, one.name, one.letter, one.tone) for one in CHARACTERS.values()),
)
ACROSS = (Choice("ignore", say("do not matter")), Choice("must_be_empty", say("spoil the lovers")))
MOST_ON_A_CARD = 6  # sections, as far as we can imagine: nobody has published how many a card has
LONGEST = MOST_ON_A_CARD * max(CARDS.values())  # the form offers no more

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
INPUTS = (*TABLE, ROWS, BY_CARD, PATRONS_WON, ACHIEVED, POINTS, DATE)


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
    yield replace(PATRONS_WON, high=PATRONS.get(len(state.players), PATRONS_WON.high), default=rest(state, player))
    yield ACHIEVED
    if builder.plan.achieved or builder.plan.points is not None:
        yield POINTS
    yield DATE


def length_to_paint(state: State, builder: Builder) -> int:
    """The sections on show so far, or as many as the shortest pier has."""
    return min(max(len(builder.sections or ()), fewest_sections(state) or 1), LONGEST)


def rest(state: State, player: int) -> int | None:
    """The patrons that are left for this player, once those of everybody else are entered."""
    rivals = [rival for index, rival in enumerate(state.players) if index != player]
    others = [rival.patrons if isinstance(rival, Builder) else rival.of("patrons") for rival in rivals]
    known = [patrons for patrons in others if patrons is not None]
    if len(known) < len(others) or len(state.players) not in PATRONS:
        return None
    return patrons_left(len(state.players), known)
