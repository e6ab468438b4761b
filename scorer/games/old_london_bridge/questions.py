"""What is legal but worth a second look: questions to the players, never refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scorer.contract import Problem
from scorer.games.old_london_bridge.bridge import LOW
from scorer.games.old_london_bridge.faces import (
    BONUS_SPACE_EVERY,
    CERTAIN_COSTS,
    EMPTY_COLUMNS,
    FACES,
    ROUNDS,
    SPACES,
    ZONES,
)
from scorer.games.old_london_bridge.prizes import counted
from scorer.games.old_london_bridge.state import State

Found = Iterator[Problem]
EARLY_END = 4  # players: with fewer, three stacks never run out (12 tiles each, one turn a tile)


def question(code: str, message: str, where: str) -> Problem:
    return Problem(code, message, where, "warning")


def tiles_come_from_bonus_spaces(state: State) -> Found:
    """We assume bonus spaces after 3, 6, 9 ... steps; the rulebook only says that there is one every 3 steps."""
    for index, architect in state.architects:
        tiles, steps = architect.unused_tiles, architect.gate_steps
        if tiles is not None and steps is not None and tiles > steps // BONUS_SPACE_EVERY:
            passed = steps // BONUS_SPACE_EVERY
            reached = f"{counted(passed, 'bonus space') if passed else 'no bonus space'} reached"
            way = f"{counted(steps, 'step')} along the gate track"
            message = f"{way}: {reached}, so can {counted(tiles, 'tile')} be left?"
            yield question("more_tiles_than_bonus_spaces", message, f"/players/{index}/unused_tiles")


def every_turn_built_something(state: State) -> Found:
    """Twelve turns, each of which builds or replaces: fewer buildings mean replaced ones, or an early end."""
    for index, architect in state.architects:
        built, replaced = architect.fact("buildings"), architect.replaced or 0
        if built is None or built + replaced == SPACES:
            continue
        pointer = architect.pointer("buildings") if architect.replaced is None else "/replaced"
        early = " Or did the game end early?" if len(state.players) == EARLY_END else ""
        spare = f"{counted(built, 'building')} after {SPACES} turns"
        message = f"{spare}: did all other turns replace one?{early}"
        yield question("fewer_than_12_buildings", message, f"/players/{index}{pointer}")


def coins_follow_the_chapel_track(state: State) -> Found:
    """Who is further up the track has passed at least as many of its coins."""
    seen = [
        (architect.chapel_steps, architect.last_coin_space, index, architect.name)
        for index, architect in state.architects
        if architect.chapel_steps is not None and architect.last_coin_space is not None
    ]
    for steps, space, index, _ in seen:
        where = f"/players/{index}/last_coin_space"
        if steps == 0 and space > 0:
            yield question("coin_space_contradicts_steps", "A marker still on the stairs has passed no coin?", where)
        for other_steps, other_space, _, other in seen:
            if steps >= other_steps and space < other_space:
                message = f"{other} is no further up the chapel track, but has passed the coin of £{other_space}?"
                yield question("coin_space_contradicts_steps", message, where)


def low_numbers_exist_once(state: State) -> Found:
    counts = [(architect.fact("low30") or 0, index, architect) for index, architect in state.architects]
    if sum(count for count, _, _ in counts) > LOW:
        _, index, architect = max(counts, key=lambda found: found[0])
        message = f"There are only {LOW} numbers up to {LOW}, but the bridges hold more?"
        yield question("too_many_low_numbers", message, f"/players/{index}{architect.pointer('low30')}")


def costs_are_as_printed(state: State) -> Found:
    told = dict(state.empty_costs)
    for column, cost in CERTAIN_COSTS.items():
        if told.get(column, cost) != cost:
            message = f"The rulebook's example pays £{cost} for {column} empty space: does your board print another?"
            yield question("empty_cost_differs", message, f"/table/empty_costs/{column}")
    known = [(column, told[column]) for column in EMPTY_COLUMNS if column in told]
    for (_, less), (column, more) in zip(known, known[1:], strict=False):
        if more < less:
            message = "More empty spaces cost less than fewer: are the amounts in the right columns?"
            yield question("empty_costs_fall", message, f"/table/empty_costs/{column}")


def rounds_paid_no_more_than_they_could(state: State) -> Found:
    """A face that pays every round pays one player, so a table earns at most rounds times its amount."""
    for zone in ZONES:
        face = FACES.get((zone, state.face(zone)))
        won = [(index, dict(player.round_winnings or ()).get(zone, 0)) for index, player in state.architects]
        total = sum(coins for _, coins in won)
        if face is None or total <= 0:
            continue
        most = face.per_round * ROUNDS.get(len(state.players), 0)
        if total > most:
            message = f"{face.name} pays at most £{most} in all rounds, not £{total}?"
            index = max(won, key=lambda found: found[1])[0]
            yield question("round_winnings_above_ceiling", message, f"/players/{index}/round_winnings/{zone}")


def coins_hold_what_rounds_paid(state: State) -> Found:
    """Coins can be spent (the centre costs £2), so less than was won is only worth a question."""
    for index, architect in state.architects:
        won = sum(coins for _, coins in architect.round_winnings or ())
        if architect.coins is not None and won > architect.coins >= 0:
            message = f"The rounds alone paid {architect.name} £{won}: was some of it spent, or never taken?"
            yield question("fewer_coins_than_rounds_paid", message, f"/players/{index}/coins")


QUESTIONS: tuple[Callable[[State], Found], ...] = (
    costs_are_as_printed,
    tiles_come_from_bonus_spaces,
    every_turn_built_something,
    coins_follow_the_chapel_track,
    low_numbers_exist_once,
    rounds_paid_no_more_than_they_could,
    coins_hold_what_rounds_paid,
)
