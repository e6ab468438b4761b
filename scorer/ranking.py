"""Rank players by points, and players with equal points by the tie-breaks of the game, step by step.

Each step compares only players who are still tied. If a step needs a fact that is not entered, the players stay tied
until somebody enters it. Facts are only asked for if they can change who wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer import spans
from scorer.contract import UNKNOWN, Missing, Sheet, Step, TieBreak

Tied = list[int]  # indices of sheets that are tied so far


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hold the rank of each sheet, the winners, what decided who wins, such as "points", and the facts to ask for."""

    ranks: tuple[int, ...]
    winners: tuple[str, ...]
    decided_by: str | None
    needs: tuple[Missing, ...]


def rank(sheets: Sequence[Sheet], ladder: Sequence[Step]) -> Ranking:
    """Rank the sheets by points, then by the tie-breaks in `ladder`, and say what decided who wins."""
    by_points: dict[int, Tied] = {}
    for index, sheet in enumerate(sheets):
        by_points.setdefault(sheet.total, []).append(index)
    ranks = [0] * len(sheets)
    top: tuple[Tied, str | None, list[Missing]] | None = None
    place = 1
    for total in sorted(by_points, reverse=True):
        for group, decider, missing in break_ties(by_points[total], sheets, ladder):
            for index in group:
                ranks[index] = place
            top = top or (group, decider, missing)
            place += len(group)
    assert top is not None, "a table has at least one player"
    open_points = tuple(need for sheet in sheets for need in sheet.needs)
    if open_points or not all(sheet.is_final for sheet in sheets):
        return while_points_are_open(sheets, ladder, tuple(ranks), open_points)
    leaders, decided_by, missing = top
    winners = tuple(sheets[index].player for index in sorted(leaders))
    return Ranking(tuple(ranks), winners, decided_by, tuple(missing))


def while_points_are_open(
    sheets: Sequence[Sheet], ladder: Sequence[Step], ranks: tuple[int, ...], needs: tuple[Missing, ...]
) -> Ranking:
    """Return a ranking while points are open, with winners only if no answer to `needs` can change who wins. If only a
    tie-break in `ladder` is open, all who may still win are first. Otherwise the ranks are `ranks`, by the points
    known so far."""
    able = spans.possible_leaders([sheet.range for sheet in sheets])
    if len(able) == 1 < len(sheets):
        return Ranking(ranks, (sheets[able[0]].player,), "points", needs)
    if all(sheets[index].is_final for index in able):
        leaders, decided_by, missing = break_ties(able, sheets, ladder)[0]
        winners = tuple(sheets[index].player for index in sorted(leaders))
        return Ranking(ranks, winners, decided_by, (*needs, *missing))
    if needs and {need.input for need in needs} <= {step.rule for step in ladder}:
        return until_the_tie_is_settled(sheets, ladder, needs)
    return Ranking(ranks, (), None, needs)


def until_the_tie_is_settled(sheets: Sequence[Sheet], ladder: Sequence[Step], needs: tuple[Missing, ...]) -> Ranking:
    """Return a ranking while only a tie-break in `ladder` is open, with all who may still win in first place. `needs`
    are the facts to ask for."""
    able = [index for index, sheet in enumerate(sheets) if sheet.can_win]
    order = [(index not in able, -sheet.total if index not in able else 0) for index, sheet in enumerate(sheets)]
    ranks = tuple(1 + sum(other < mine for other in order) for mine in order)
    winners = tuple(sheets[index].player for index in able)
    return Ranking(ranks, winners, ladder[-1].rule if len(able) == 1 else None, needs)


def break_ties(
    tied: Tied, sheets: Sequence[Sheet], ladder: Sequence[Step], decider: str = "points"
) -> list[tuple[Tied, str | None, list[Missing]]]:
    """Split the players in `tied`, who have equal points, into groups, best first. Each group has the step that
    separated it, and its missing facts. The step is "shared" if the group stays tied, and None while a fact is
    missing. `decider` is the step, or "points", that separated these players from all others."""
    if len(tied) == 1:
        return [(tied, decider, [])]
    for rung, step in enumerate(ladder):
        values = {index: found for index in tied if (found := tiebreak_of(sheets[index], step)) is not None}
        if len(values) < len(tied):
            continue  # the step does not apply, as Town Hall has no Master Builder
        if any(brought.value == UNKNOWN for brought in values.values()):
            continue  # nobody remembers
        missing = [
            Missing(step.rule, sheets[index].player, brought.where)
            for index, brought in values.items()
            if brought.value is None
        ]
        if missing:
            able = [index for index in tied if sheets[index].can_win]
            behind = [index for index in tied if able and index not in able]
            return [(able or tied, None, missing), *([(behind, None, [])] if behind else [])]
        groups = grouped(values, step)
        if len(groups) > 1:
            return [part for group in groups for part in break_ties(group, sheets, ladder[rung + 1 :], step.rule)]
    return [(tied, "shared", [])]


def tiebreak_of(sheet: Sheet, step: Step) -> TieBreak | None:
    """Return the sheet's entry for this step of the tie-breaks, or None if the step does not apply."""
    return next((tiebreak for tiebreak in sheet.tiebreaks if tiebreak.rule == step.rule), None)


def grouped(values: dict[int, TieBreak], step: Step) -> list[Tied]:
    """Group the tied players, whose tie-breaks are in `values`, by equal value, with the preferred value first."""
    groups: dict[Any, Tied] = {}
    for index, tiebreak in values.items():
        groups.setdefault(tiebreak.value, []).append(index)
    return [groups[value] for value in sorted(groups, reverse=step.prefers == "most")]
