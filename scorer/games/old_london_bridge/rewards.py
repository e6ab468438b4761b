"""The faces without comparison: paid to every player alone (rulebook p. 12), or paid in every round already (p. 11)."""

from __future__ import annotations

from scorer.games.old_london_bridge.faces import COIN_SPACES, FACES, HAND_8PLUS, bracket
from scorer.games.old_london_bridge.prizes import Rule, Told, counted, gate_told
from scorer.games.old_london_bridge.state import Architect, State


def per_round(zone: str) -> Rule:
    """Paid during play, as the round companion works out; nothing at the end."""

    def rule(state: State, architect: Architect) -> Told:
        face = FACES[zone, state.face(zone)]
        won = dict(architect.round_winnings or ()).get(zone)
        already = f"£{won} won in the rounds is" if won else f"£{face.per_round} a round was paid during play and is"
        return 0, f"{already} already among the coins; nothing at the end"

    return rule


def last_marker(state: State) -> int | None:
    """How far the last marker on the chapel track has come, None if its owner typed her lines and nobody has said."""
    last = next(player for player in state.players if player.name == (state.chapel_order or ())[-1])
    if isinstance(last, Architect):
        return last.known("chapel_steps")
    told = dict(last.facts).get("chapel_steps")
    if any(architect.known("chapel_steps") == 0 for _, architect in state.architects):
        return 0
    return told if isinstance(told, int) else None


def gap_from_last(state: State, architect: Architect) -> Told:
    mine, last = architect.known("chapel_steps"), last_marker(state)
    if last is None:
        return 0, f"space {mine} of the chapel track; how far the last marker has come is not known yet"
    if mine == last:
        return 0, f"space {mine} of the chapel track, where the last marker stands"
    return mine - last, f"space {mine} of the chapel track, {counted(mine - last, 'space')} ahead of the last on {last}"


def coin_spaces(state: State, architect: Architect) -> Told:
    reached = [coin for coin in COIN_SPACES if coin <= architect.known("last_coin_space")]
    if not reached:
        return 0, "no coin of the chapel track reached"
    sums = " + ".join(map(str, reversed(reached)))
    return sum(reached), f"coins of the chapel track once more: {sums}"


def step_brackets(state: State, architect: Architect) -> Told:
    steps = architect.known("gate_steps")
    earned = bracket("gate_steps", steps)
    return earned, gate_told(steps) + ("" if earned else ": too few to earn anything")


def unused_tiles_squared(state: State, architect: Architect) -> Told:
    tiles = architect.known("unused_tiles")
    if tiles == 0:
        return 0, "no unused bonus tile"
    earned = bracket("unused_tiles", tiles)
    return earned, f"{counted(tiles, 'unused bonus tile')}: £{earned}" + (", as for 4" if tiles > 4 else "")


def hand_count(state: State, architect: Architect) -> Told:
    hand = architect.known("cards")
    why = f"{counted(hand, 'card')} in hand, zeros included"
    if hand < 8:
        earned = bracket("hand", hand)
        return earned, why if earned else f"{why}: too few to earn anything"
    if state.hand_8plus is None:
        return HAND_8PLUS, f"{why}: we take £{HAND_8PLUS} for 8 or more, check what your tile prints"
    return state.hand_8plus, f"{why}: your tile prints £{state.hand_8plus} for 8 or more"


def card_combinations(state: State, architect: Architect) -> Told:
    """Each card in one combination only: every pair 1+2 earns 5, and each 3 and then 4 that joins one 5 more."""
    hand = dict(architect.cards or ())
    pairs = min(hand.get("1", 0), hand.get("2", 0))
    threes = min(pairs, hand.get("3", 0))
    fours = min(threes, hand.get("4", 0))
    made = [(fours, "1+2+3+4", 15), (threes - fours, "1+2+3", 10), (pairs - threes, "1+2", 5)]
    parts = [f"{count} x {name} at £{coins}" for count, name, coins in made if count]
    return sum(count * coins for count, _, coins in made), ", ".join(parts) or "no 1 and 2 that go together"


def numbers_up_to_30(state: State, architect: Architect) -> Told:
    low = architect.known("low30")
    return 2 * low, f"{counted(low, 'number')} of 30 or lower at £2"


def sets_of_six(state: State, architect: Architect) -> Told:
    complete = architect.known("sets")
    return 10 * complete, f"{counted(complete, 'complete set')} of all six types at £10"


REWARD_RULES: dict[tuple[str, str], Rule] = {
    ("chapel", "per_round_leader"): per_round("chapel"),
    ("chapel", "gap_from_last"): gap_from_last,
    ("chapel", "coin_spaces"): coin_spaces,
    ("gate", "per_round_leader"): per_round("gate"),
    ("gate", "step_brackets"): step_brackets,
    ("gate", "unused_tiles_squared"): unused_tiles_squared,
    ("inn", "per_round_highest_card"): per_round("inn"),
    ("inn", "hand_count"): hand_count,
    ("inn", "card_combinations"): card_combinations,
    ("bridge", "per_round_lowest_number"): per_round("bridge"),
    ("bridge", "numbers_up_to_30"): numbers_up_to_30,
    ("bridge", "sets_of_six"): sets_of_six,
}
