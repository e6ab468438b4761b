"""Score a finished game of Tenby: town cards, residents, accolades, and the two tie-breaks."""

from __future__ import annotations

from dataclasses import replace

from scorer.contract import Sheet, TieBreak
from scorer.games.tenby.accolades import Verdict, judge_all, lines_and_needs
from scorer.games.tenby.conditions import card_lines
from scorer.games.tenby.quick import Quick, quick_lines
from scorer.games.tenby.residents import resident_lines, typed_line
from scorer.games.tenby.state import LADDER, LIMITS, RULES, State
from scorer.games.tenby.town import Town, is_completed
from scorer.games.tenby.uncounted import missing
from scorer.record import Typed


def score(state: State) -> list[Sheet]:
    """Return a sheet for every player, in the order of seats."""
    verdicts = judge_all(state)
    sheets = []
    for index, player in enumerate(state.players):
        match player:
            case Town():
                sheets.append(sheet(state, verdicts, index, player))
            case Quick():
                sheets.append(quick_sheet(state, verdicts, index, player))
            case Typed():
                sheets.append(typed_sheet(state, verdicts, index, player))
    return sheets


def sheet(state: State, verdicts: list[Verdict], index: int, town: Town) -> Sheet:
    """Return the score sheet of the player in seat `index`, who entered a town; `verdicts` has the results of all
    accolades. A resident counts for ties even if it scores nothing (rulebook, Game End)."""
    awards, needs = lines_and_needs(state, verdicts, index)
    completed = sum(is_completed(street) for street in town.streets)
    values = (completed, len(town.residents))
    return Sheet(
        town.name,
        (*card_lines(town, state.rulings), *resident_lines(town), *awards),
        tuple(TieBreak(step.rule, value) for step, value in zip(LADDER, values, strict=True)),
        (*missing(state, index, town), *needs),
    )


def quick_sheet(state: State, verdicts: list[Verdict], index: int, player: Quick) -> Sheet:
    """Return the sheet of the player in seat `index`, who entered scoring cards; `verdicts` has the results of all
    accolades. Completed streets are only known if entered."""
    awards, needs = lines_and_needs(state, verdicts, index)
    streets, residents = (step.rule for step in LADDER)
    return Sheet(
        player.name,
        (*quick_lines(player), *map(typed_line, player.residents), *awards),
        (
            TieBreak(streets, player.completed_streets, where=f"/players/{index}/{streets}"),
            TieBreak(residents, len(player.residents)),
        ),
        (*missing(state, index, player), *needs),
    )


def typed_sheet(state: State, verdicts: list[Verdict], index: int, player: Typed) -> Sheet:
    """Return the sheet of the player in seat `index`, who entered points by hand. Without accolade points among them,
    accolades are scored by `verdicts`, the results of all accolades."""
    typed = player.sheet(RULES, LADDER, f"/players/{index}", LIMITS)
    if player.is_total or player.has("accolade"):
        return typed
    awards, needs = lines_and_needs(state, verdicts, index)
    return replace(typed, lines=(*typed.lines, *awards), needs=(*typed.needs, *needs))
