"""Score a finished game of Pier 18 (rulebook, scoring and end game)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.contract import Line, Sheet, TieBreak
from scorer.games.pier_18.cards import PLAN_POINTS
from scorer.games.pier_18.pier import ACROSS, EARN, Rows, symbols
from scorer.games.pier_18.state import LADDER, LIMITS, RULES, Builder, State
from scorer.record import Typed
from scorer.sentences import say, say_count

CHARACTER_RULES = {"flower_sellers": "S", "poets": "P", "lovers": "L", "fishers": "F"}
SCORING = say("rulebook, scoring")
CITES = {
    "flower_sellers": say("rulebook, scoring; publisher’s answers"),
    "lovers": say("rulebook, scoring; publisher’s answers about the ends of the pier"),
}
PATRON_PHASE = say("rulebook, patron phase")
COMPARED = say("in the order of the dates on the plans")


def score(state: State) -> list[Sheet]:
    doubled, compared = state.doubled_days, state.compared
    sheets = [
        player.sheet(RULES, LADDER, f"/players/{index}", LIMITS)
        if isinstance(player, Typed)
        else sheet(state, index, player, doubled)
        for index, player in enumerate(state.players)
    ]
    return [by_comparison(found, compared) for found in sheets] if compared else sheets


def by_comparison(found: Sheet, compared: tuple[str, ...]) -> Sheet:
    """Return the sheet `found` with a place as tie-break instead of the date of the plan. The place is the player's in
    `compared`, the players by date of plan, earliest first."""
    place = compared.index(found.player) + 1 if found.player in compared else None
    rungs = tuple(
        replace(rung, value=place, why=COMPARED) if rung.rule == "plan_date" else rung for rung in found.tiebreaks
    )
    return replace(found, tiebreaks=rungs)


def sheet(state: State, index: int, builder: Builder, doubled: set[str]) -> Sheet:
    rows = builder.rows
    visible = symbols(rows)
    why = say_count(
        "{n} visible symbol, including those that score nothing",
        "{n} visible symbols, including those that score nothing",
        visible,
    )
    # All cards have different dates, so a date that two players entered is asked for again.
    day = None if builder.plan.day in doubled else builder.plan.day
    rungs = (
        TieBreak("symbols", visible, why),
        TieBreak("plan_date", day, say("on the plan"), f"/players/{index}/plan/date"),
    )
    return Sheet(builder.name, tuple(lines(state, index, builder, rows)), rungs)


def lines(state: State, index: int, builder: Builder, rows: Rows) -> Iterator[Line]:
    for rule, letter in CHARACTER_RULES.items():
        if any(letter in section for section in rows):
            earned = EARN[letter](rows, state.lovers_across or ACROSS[0])
            yield Line(rule, RULES[rule], earned.points, earned.why, earned.cells, CITES.get(rule, SCORING))
    patrons = state.patrons_of(index)
    if patrons:
        why = say_count("{n} patron: 1", "{n} patrons: 1 each", patrons)
        yield Line("patrons", RULES["patrons"], patrons, why, cite=PATRON_PHASE)
    yield plan(state, builder)


def plan(state: State, builder: Builder) -> Line:
    """Return the score line for a player's plan. The player says whether its goal is met, because the goals are not
    published."""
    worth = state.points_of(builder.plan)
    if builder.plan.achieved:
        points, why = worth, say("Goal achieved: {points}", points=worth)
        if builder.plan.card is not None and builder.plan.card.name:
            why = say("“{goal}” achieved: {points}", goal=builder.plan.card.name, points=worth)
    else:
        points, why = 0, say("Goal not achieved")
    if worth == PLAN_POINTS:
        cite = say("rulebook, end game; {points} points as on Board Game Arena", points=PLAN_POINTS)
    else:
        cite = say("rulebook, end game")
    return Line("plan", RULES["plan"], points, why, cite=cite)
