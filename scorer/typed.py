"""Check points entered by hand, in any game, for numbers out of range and for cards that are not in play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scorer.contract import Game, Problem
from scorer.record import TOTAL, TOTAL_LABEL, Typed
from scorer.sentences import Sentence, say

ANYTHING = range(-999, 1000)


def faults(game: Game, state: Any) -> Iterator[Problem]:
    """Yield the faults of the points that each player entered by hand, and then of all players' points together."""
    players = [(seat, player) for seat, player in enumerate(state.players) if isinstance(player, Typed)]
    if not players:
        return
    counted = {count.rule for count in game.typed.counts}  # the game's own `faults` checks these as counts
    there = None if game.typed.lines_of is None else {*game.typed.lines_of(state), TOTAL}
    for seat, player in players:
        for rule, points in player.points:
            where = f"/players/{seat}/typed/{rule}"
            label = game.rules.get(rule, TOTAL_LABEL)
            if there is not None and rule not in there:
                message = say("“{line}” is not in this game. Check the cards or remove the line.", line=label)
                yield Problem("not_on_this_table", message, where)
            elif rule not in counted and points not in game.typed.limits.get(rule, ANYTHING):
                yield Problem("bad_number", out_of_range(label, points, game.typed.limits[rule]), where)
    if game.typed.faults is not None:
        yield from game.typed.faults(state)


def out_of_range(line: Sentence, points: int, allowed: range) -> Sentence:
    least, most = allowed[0], allowed[-1]
    return say(
        "“{line}” can only score {least} to {most}. You entered {points}.",
        line=line,
        least=least,
        most=most,
        points=points,
    )
