"""Ask the players about values that are legal but unlikely; none of these is an error."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from scorer.contract import Problem
from scorer.games.old_london_bridge.bridge import LOW
from scorer.games.old_london_bridge.cards import (
    BONUS_SPACE_EVERY,
    CERTAIN_COSTS,
    EMPTY_COLUMNS,
    FACES,
    ROUNDS,
    ZONES,
)
from scorer.games.old_london_bridge.state import State
from scorer.sentences import Sentence, say, say_count

Found = Iterator[Problem]


def question(code: str, message: Sentence, where: str) -> Problem:
    return Problem(code, message, where, "warning")


def tiles_come_from_bonus_spaces(state: State) -> Found:
    """Ask about a player with more unused bonus tiles than bonus spaces reached. We assume bonus spaces after 3, 6, 9
    ... steps; the rulebook only says that one comes every 3 steps."""
    for index, architect in state.architects:
        tiles, steps = architect.unused_tiles, architect.gate_steps
        if tiles is not None and steps is not None and tiles > steps // BONUS_SPACE_EVERY:
            passed = steps // BONUS_SPACE_EVERY
            message = say_count(
                "Bonus spaces reached: {reached}. Can there be {n} unused bonus tile?",
                "Bonus spaces reached: {reached}. Can there be {n} unused bonus tiles?",
                tiles,
                reached=passed,
            )
            yield question("more_tiles_than_bonus_spaces", message, f"/players/{index}/unused_tiles")


def coins_follow_the_chapel_track(state: State) -> Found:
    """Ask about a marker that has passed fewer coins than one that is no further up the chapel track."""
    seen = [
        (architect.chapel_steps, architect.last_coin_space, index, architect.name)
        for index, architect in state.architects
        if architect.chapel_steps is not None and architect.last_coin_space is not None
    ]
    for steps, space, index, _ in seen:
        where = f"/players/{index}/last_coin_space"
        if steps == 0 and space > 0:
            message = say("This marker is still on the chapel stairs. Has it really passed a coin?")
            yield question("coin_space_contradicts_steps", message, where)
        for other_steps, other_space, _, other in seen:
            if steps >= other_steps and space < other_space:
                message = say(
                    "{name} is no further up the chapel track than this player but has passed the £{coin} coin. "
                    "Are both right?",
                    name=other,
                    coin=other_space,
                )
                yield question("coin_space_contradicts_steps", message, where)


def low_numbers_exist_once(state: State) -> Found:
    counts = [(architect.fact("low30") or 0, index, architect) for index, architect in state.architects]
    if sum(count for count, _, _ in counts) > LOW:
        _, index, architect = max(counts, key=lambda found: found[0])
        message = say("There are only {low} numbers up to {low}. Do the bridges really have more?", low=LOW)
        yield question("too_many_low_numbers", message, f"/players/{index}{architect.pointer('low30')}")


def costs_are_as_printed(state: State) -> Found:
    costs = dict(state.empty_costs)
    for column, cost in CERTAIN_COSTS.items():
        if costs.get(column, cost) != cost:
            message = say(
                "The rulebook’s example shows £{coins} for {column} empty space. Is your board different?",
                coins=cost,
                column=column,
            )
            yield question("empty_cost_differs", message, f"/table/empty_costs/{column}")
    known = [(column, costs[column]) for column in EMPTY_COLUMNS if column in costs]
    for (_, less), (column, more) in itertools.pairwise(known):
        if more < less:
            message = say("With these amounts, more empty spaces would cost less. Are two amounts swapped?")
            yield question("empty_costs_fall", message, f"/table/empty_costs/{column}")


def rounds_paid_no_more_than_they_could(state: State) -> Found:
    """Ask about coins won at a zone if they are more than its face can pay in all rounds together."""
    for zone in ZONES:
        face = FACES.get((zone, state.face(zone)))
        won = [(index, dict(player.round_winnings or ()).get(zone, 0)) for index, player in state.architects]
        total = sum(coins for _, coins in won)
        if face is None or total <= 0:
            continue
        most = face.per_round * ROUNDS.get(len(state.players), 0)
        if total > most:
            message = say(
                "{face} pays at most £{most} in all rounds together. Is £{total} right?",
                face=face.name,
                most=most,
                total=total,
            )
            index = max(won, key=lambda found: found[1])[0]
            yield question("round_winnings_above_ceiling", message, f"/players/{index}/round_winnings/{zone}")


def coins_hold_what_rounds_paid(state: State) -> Found:
    """Ask about a player who has fewer coins than this player won in the rounds.

    That is possible, because coins can be spent during the game, such as £2 at the centre.
    """
    for index, architect in state.architects:
        won = sum(coins for _, coins in architect.round_winnings or ())
        if architect.coins is not None and won > architect.coins >= 0:
            message = say(
                "{name} won £{coins} in the rounds but has fewer coins. Were some spent, or never taken?",
                name=architect.name,
                coins=won,
            )
            yield question("fewer_coins_than_rounds_paid", message, f"/players/{index}/coins")


QUESTIONS: tuple[Callable[[State], Found], ...] = (
    costs_are_as_printed,
    tiles_come_from_bonus_spaces,
    coins_follow_the_chapel_track,
    low_numbers_exist_once,
    rounds_paid_no_more_than_they_could,
    coins_hold_what_rounds_paid,
)
