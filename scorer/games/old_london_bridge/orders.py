"""Find what all possible orders on the chapel track agree on while the real order is not entered.

Markers on the same space may be in either order. Each order that fits the known facts is scored. A player is certain of
the least points from all orders. A player may win if at least one order makes this player win. So a game can be saved
even if nobody remembers the order; it can be entered later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations

from scorer import spans
from scorer.contract import Line, Missing, Sheet, TieBreak
from scorer.games.old_london_bridge.state import LADDER, State
from scorer.record import STILL_TO_COUNT
from scorer.sentences import Sentence, say

ORDER = LADDER[0].rule
WHERE = "/table/chapel_order"
Outcome = Sequence[Sheet]  # all sheets for one of the orders


def possible_orders(state: State) -> list[tuple[str, ...]]:
    """Return every order of the players on the chapel track that fits the known facts, or only the entered one."""
    if state.order is not None:
        return [state.order]
    steps, moves = state.chapel_steps, state.chapel_moves

    def can_lead(first: str, second: str) -> bool:
        known = first in steps and second in steps
        stairs = moves.get(first) is False and moves.get(second) is True
        return not stairs and not (known and steps[first] < steps[second])

    return [order for order in permutations(state.names) if all(can_lead(*pair) for pair in combinations(order, 2))]


def certain(outcomes: Sequence[Outcome]) -> list[Sheet]:
    """Return a sheet for each player with what is certain in every order on the chapel track. `outcomes` has all sheets
    for each order; a sheet asks for the order if that matters."""
    winners = {index for outcome in outcomes for index in possible_winners(outcome)}
    sheets = [
        certain_sheet([outcome[index] for outcome in outcomes], index in winners) for index in range(len(outcomes[0]))
    ]
    return [replace(sheet, tiebreaks=(tiebreak(outcomes, sheets, index),)) for index, sheet in enumerate(sheets)]


def possible_winners(outcome: Outcome) -> list[int]:
    """Return the seats that can win with this order on the chapel track: one, unless other facts are open too."""
    best = spans.possible_leaders([sheet.range for sheet in outcome])
    if all(outcome[index].is_final for index in best):
        return [max(best, key=lambda index: (outcome[index].total, -place(outcome[index])))]
    return best


def place(sheet: Sheet) -> int:
    """Return the player's place on the chapel track, from 1, in the order with which the sheet was scored."""
    [tiebreak] = sheet.tiebreaks
    assert isinstance(tiebreak.value, int)
    return tiebreak.value


def certain_sheet(mine: Sequence[Sheet], can_win: bool) -> Sheet:
    """Return what is certain of one player's sheet; `mine` has this sheet as scored with each order on the chapel
    track. `can_win` says whether the player wins with one of these orders."""
    lines = tuple(certain_line(among) for among in zip(*(sheet.lines for sheet in mine), strict=True))
    needs = tuple(dict.fromkeys(need for sheet in mine for need in sheet.needs))
    if depends_on_order(mine):
        needs += (Missing(ORDER, mine[0].player, WHERE),)
    span = spans.union(sheet.range for sheet in mine) if any(line.span for line in lines) else None
    return Sheet(mine[0].player, lines, (), needs, can_win=can_win, span=span)


def depends_on_order(mine: Sequence[Sheet]) -> bool:
    """Return whether the order on the chapel track changes a player's points; `mine` has the player's sheet for each
    order."""
    return any([line.points for line in sheet.lines] != [line.points for line in mine[0].lines] for sheet in mine)


def certain_line(among: Sequence[Line]) -> Line:
    """Return one score line as it is certain with every order on the chapel track. `among` has the line as scored with
    each order. If its points differ, it has the least points, and the span from the least to the most."""
    least, most = (pick(among, key=lambda line: line.points) for pick in (min, max))
    if all(line == least for line in among):
        return least
    if any(line.span for line in among):
        span = spans.union(line.span or (line.points, line.points) for line in among)
        return replace(least, points=spans.certain(span), why=STILL_TO_COUNT, span=span)
    return hangs_on_the_order(least, most)


def hangs_on_the_order(least: Line, most: Line) -> Line:
    span = None if least.points == most.points else (least.points, most.points)
    return replace(least, why=depends(least.points, most.points), span=span)


def depends(least: int, most: int) -> Sentence:
    if least == most:
        return say("£{coins}, in any possible order on the chapel track", coins=least)
    return say("£{least} to £{most}. The order on the chapel track is not known yet", least=least, most=most)


def tiebreak(outcomes: Sequence[Outcome], sheets: Sequence[Sheet], index: int) -> TieBreak:
    """Return the place on the chapel track of the player in seat `index`, as a tie-break. It has no value if the player
    is tied and an unknown order decides who wins. `outcomes` has all sheets for each order."""
    level = [other for other, sheet in enumerate(sheets) if sheet.total == sheets[index].total]
    first = {min(level, key=lambda other: place(outcome[other])) for outcome in outcomes}
    if len(first) > 1 and index in first:
        return TieBreak(ORDER, None, where=WHERE)
    return TieBreak(ORDER, min(place(outcome[index]) for outcome in outcomes))
