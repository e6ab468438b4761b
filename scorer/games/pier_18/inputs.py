"""Define the inputs for a table of Pier 18, and which of them matter now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer.contract import (
    UNKNOWN_LETTER,
    Choice,
    ChoiceInput,
    DataInput,
    DateInput,
    FlagInput,
    Input,
    Json,
    LettersInput,
    Loaded,
    NumberInput,
    OrderInput,
    Section,
    TextInput,
)
from scorer.games.pier_18.cards import CHARACTERS, LONGEST, MOST_ON_A_CARD, PATRONS, PLAN_POINTS
from scorer.games.pier_18.pier import EMPTY, SIDES
from scorer.games.pier_18.state import Builder, State
from scorer.games.pier_18.validate import fewest_sections
from scorer.record import STILL_TO_COUNT, mapping, sequence
from scorer.sentences import as_it_is, say

SYMBOLS = (
    Choice(EMPTY, say("Empty")),
    *(Choice(one.letter, one.name, one.letter, one.tone) for one in CHARACTERS.values()),
    Choice(UNKNOWN_LETTER, STILL_TO_COUNT, UNKNOWN_LETTER),
)
ACROSS = (Choice("ignore", say("don’t matter")), Choice("must_be_empty", say("stop the lovers from scoring")))

TABLE = (
    ChoiceInput(
        "lovers_across",
        say("Characters across the pier from lovers"),
        ACROSS,
        section=Section.SETUP,
        default="ignore",
    ),
    NumberInput("plan_points", say("Points for achieving the plan’s goal"), section=Section.SETUP, default=PLAN_POINTS),
    NumberInput(
        "sections_per_card",
        say("Sections on each card"),
        low=1,
        high=MOST_ON_A_CARD,
        section=Section.SETUP,
        optional=True,
        help=say("Optional. We use this to check the length of the piers."),
    ),
)
PLAN_ORDER = OrderInput(
    "plan_order",
    say("Plans by date, earliest first"),
    section=Section.TABLE,
    optional=True,
    in_doubt=True,
    this_game_only=True,
)
ROWS = LettersInput("rows", say("Pier, from the shore to the sea"), SYMBOLS, size=(LONGEST, SIDES))
BY_CARD = DataInput("cards", say("Pier, card by card"), optional=True)
PATRONS_WON = NumberInput("patrons", say("Patrons"), high=max(PATRONS.values()))
ACHIEVED = FlagInput("plan/achieved", say("The plan’s goal is achieved"))
POINTS = NumberInput(
    "plan/points",
    say("Points on this plan"),
    optional=True,
    help=say("Enter this only if your plan shows different points."),
)
DATE = DateInput("plan/date", say("Date on the plan card"), optional=True, in_doubt=True)
GOAL = TextInput(
    "plan/card/name",
    say("Goal of the plan"),
    optional=True,
    help=say("Optional. Describe it in your own words to save it in the card box."),
)
CARD = (
    NumberInput("plan/card/points", say("Points on this plan"), optional=True),
    DateInput("plan/card/date", say("Date on this plan"), optional=True),
    DataInput("plan/card/sections", say("Sections of this plan"), optional=True),
)
INPUTS = (*TABLE, PLAN_ORDER, ROWS, BY_CARD, PATRONS_WON, ACHIEVED, POINTS, DATE, GOAL, *CARD)


def asks(loaded: Loaded, player: int | None) -> tuple[Input, ...]:
    """Return the inputs that matter now for one player, or for the table if `player` is None."""
    state: State = loaded.state
    if player is None:
        choices = tuple(Choice(one.name, as_it_is(one.name)) for one in state.players) if state else ()
        return (*TABLE, replace(PLAN_ORDER, choices=choices))
    builder = state.players[player] if 0 <= player < len(state.players) else None
    if not isinstance(builder, Builder):
        return ()
    table = mapping(mapping(loaded.record).get("table"))
    joined = patrons_noted([one.name for one in state.players], table.get("companion"))
    all_known = len(joined) == PATRONS.get(len(state.players))
    known = joined.count(builder.name) if all_known else state.patrons_left(player)
    return tuple(facts_of(state, builder, known))


def patrons_noted(players: Sequence[str], notes: Json) -> list[str]:
    """Return the player whom the patron joined in each round that is over, in order, by the notes of the companion."""
    noted = [name for name in sequence(mapping(notes).get("patrons")) if isinstance(name, str) and name in players]
    return noted[: PATRONS.get(len(players), 0)]


def facts_of(state: State, builder: Builder, patrons: int | None) -> Iterator[Input]:
    if builder.cards is not None and builder.sections is None:
        yield BY_CARD
    else:
        yield replace(ROWS, size=(length_to_paint(state, builder), SIDES))
    most = PATRONS.get(len(state.players), PATRONS_WON.high)
    all_of_them = say("Each round gives one patron, so all players together have {most}.", most=most)
    yield replace(PATRONS_WON, high=most, default=patrons, help=all_of_them)
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
    """Return how many sections of a player's pier to show for painting. That is all entered ones, but at least as many
    as the shortest possible pier has."""
    return min(max(len(builder.sections or ()), fewest_sections(state) or 1), LONGEST)
