"""The final scoring of Pier 18 (rulebook, scoring and end game)."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Line, Sheet, TieBreak
from scorer.games.pier_18.pier import ACROSS, EARN, counted, spaces, symbols
from scorer.games.pier_18.state import LADDER, PLAN_POINTS, RULES, Builder, State
from scorer.reading import Typed

CHARACTER_RULES = {"flower_sellers": "S", "poets": "P", "lovers": "L", "fishers": "F"}
CITES = {
    "flower_sellers": "rulebook, scoring; publisher's answers",
    "lovers": "rulebook, scoring; publisher's answers on the ends",
}


def score(state: State) -> list[Sheet]:
    return [
        player.sheet(RULES, LADDER, f"/players/{index}")
        if isinstance(player, Typed)
        else sheet(state, player, f"/players/{index}")
        for index, player in enumerate(state.players)
    ]


def sheet(state: State, builder: Builder, where: str) -> Sheet:
    visible = symbols(builder.rows)
    rungs = (
        TieBreak("symbols", visible, f"{counted(visible, 'visible symbol')}, scoring or not"),
        TieBreak("plan_date", builder.plan.date, "on the plan", f"{where}/plan/date"),
    )
    return Sheet(builder.name, tuple(lines(state, builder)), rungs)


def lines(state: State, builder: Builder) -> Iterator[Line]:
    for rule, letter in CHARACTER_RULES.items():
        if spaces(builder.rows, letter):
            earned = EARN[letter](builder.rows, state.lovers_across or ACROSS[0])
            cite = CITES.get(rule, "rulebook, scoring")
            yield Line(rule, RULES[rule], earned.points, earned.why, earned.cells, cite)
    if builder.patrons:
        why = f"{counted(builder.patrons, 'patron')} at 1 point"
        yield Line("patrons", RULES["patrons"], builder.patrons, why, cite="rulebook, patron phase")
    yield plan(state, builder)


def plan(state: State, builder: Builder) -> Line:
    """Every pier ends with a plan; whether its goal is met is the player's word, as the goals are not published."""
    worth = state.points_of(builder.plan)
    points, why = (worth, f"goal achieved: {worth}") if builder.plan.achieved else (0, "goal not achieved")
    usual = f"; {PLAN_POINTS} points as on Board Game Arena" if worth == PLAN_POINTS else ""
    return Line("plan", RULES["plan"], points, why, cite=f"rulebook, end game{usual}")
