"""Check the number of turns: each player has twelve, each builds or replaces one tile (rulebook, how to play).

The game ends early in the round in which three stacks run out. Every turn takes one tile and a stack has twelve. So
only four players can end the game early, after nine rounds or more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scorer.contract import Problem
from scorer.games.old_london_bridge.cards import COPIES, SPACES, TYPES
from scorer.games.old_london_bridge.state import Architect, State
from scorer.sentences import Sentence, say, say_count

TURNS = SPACES
STACKS = 3  # stacks that run out when the game ends early
EARLY_END = 4  # players
EARLY_ROUNDS = range(STACKS * COPIES // EARLY_END, TURNS)
Found = Iterator[Problem]
Built = tuple[int, Architect, int]  # seat, player, and number of buildings on the bridge


def built_by(state: State) -> list[Built]:
    """Return seat, player and number of buildings for each bridge whose number of buildings is known and possible."""
    counted = [(index, architect, architect.fact("buildings")) for index, architect in state.architects]
    return [(index, architect, n) for index, architect, n in counted if n is not None and 1 <= n <= SPACES]


def could_end_early(state: State) -> bool:
    """Return whether the game may have ended early: four play, and nobody entered whether it did."""
    return len(state.players) == EARLY_END and state.ended_early is None


def turns_add_up(state: State) -> Found:
    for index, architect, built in built_by(state):
        replaced = architect.replaced
        turns = built + (replaced or 0)
        if turns == TURNS or (replaced is not None and replaced < 0):
            continue
        if replaced is not None and turns > TURNS:
            message = say(
                "{buildings} buildings and {replaced} replaced ones make {turns} turns, but each player has "
                "{most}. Check both numbers.",
                turns=turns,
                buildings=built,
                replaced=replaced,
                most=TURNS,
            )
            yield Problem("impossible_turns", message, f"/players/{index}/replaced")
        elif state.ended_early and len(state.players) == EARLY_END:
            continue
        elif replaced is None or could_end_early(state):
            pointer = architect.pointer("buildings") if replaced is None else "/replaced"
            message = were_replaced(built, could_end_early(state))
            yield Problem("fewer_than_12_buildings", message, f"/players/{index}{pointer}", "warning")
        else:
            yield Problem("impossible_turns", too_few(state, built, replaced), f"/players/{index}/replaced")


def were_replaced(built: int, early: bool) -> Sentence:
    if early:
        return say_count(
            "This bridge has {n} building after {turns} turns. Were others replaced, or did the game end early?",
            "This bridge has {n} buildings after {turns} turns. Were others replaced, or did the game end early?",
            built,
            turns=TURNS,
        )
    return say_count(
        "This bridge has {n} building after {turns} turns. Were buildings replaced on all other turns?",
        "This bridge has {n} buildings after {turns} turns. Were buildings replaced on all other turns?",
        built,
        turns=TURNS,
    )


def too_few(state: State, built: int, replaced: int) -> Sentence:
    if len(state.players) == EARLY_END:
        return say(
            "{buildings} buildings and {replaced} replaced ones make {turns} turns, not {most}. Did the game end "
            "early?",
            buildings=built,
            replaced=replaced,
            turns=built + replaced,
            most=TURNS,
        )
    return say(
        "{buildings} buildings and {replaced} replaced ones make {turns} turns, but each player has {most}. Check "
        "both numbers.",
        buildings=built,
        replaced=replaced,
        turns=built + replaced,
        most=TURNS,
    )


def early_end_is_possible(state: State) -> Found:
    if not state.ended_early:
        return
    message = None
    if len(state.players) != EARLY_END:
        message = say(
            "Only a game with {players} players can end early. With {fewer}, three stacks can’t run out before the "
            "end.",
            players=EARLY_END,
            fewer=len(state.players),
        )
    elif full := [architect.name for _, architect, built in built_by(state) if built == SPACES]:
        message = say(
            "{name} has built {turns} times, so the game did not end early.",
            name=full[0],
            turns=TURNS,
        )
    elif not any(lasted(state, rounds) for rounds in EARLY_ROUNDS):
        message = say(
            "A game that ended early had {least} to {most} full rounds. Count the buildings and the replaced ones "
            "again.",
            least=EARLY_ROUNDS[0],
            most=EARLY_ROUNDS[-1],
        )
    if message:
        yield Problem("early_end_impossible", message, "/table/ended_early")


def lasted(state: State, rounds: int) -> bool:
    """Return whether the game can have ended early after `rounds` rounds, with three stacks used up."""
    for _, architect, built in built_by(state):
        if built > rounds or (architect.replaced is not None and built + architect.replaced != rounds):
            return False
    counts = [[architect.fact(f"types/{letter}") for _, architect in state.architects] for letter in TYPES]
    if len(state.architects) < len(state.players) or any(None in counted for counted in counts):
        return True
    rest = sorted(sum(count or 0 for count in counted) for counted in counts)[: len(TYPES) - STACKS]
    return sum(rest) <= EARLY_END * rounds - STACKS * COPIES


TURN_CHECKS: tuple[Callable[[State], Found], ...] = (turns_add_up, early_end_is_possible)
