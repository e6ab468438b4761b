"""Score the faces that do not compare players: paid at the end (rulebook p. 12), or during the rounds (p. 11)."""

from __future__ import annotations

from collections.abc import Callable

from scorer.games.old_london_bridge.cards import COIN_SPACES, FACES, HAND_8PLUS, bracket
from scorer.games.old_london_bridge.prizes import Paid, Rule, way_along_the_gate_track
from scorer.games.old_london_bridge.state import Architect, State
from scorer.sentences import in_a_row, in_clauses, say, say_count

Reward = Callable[[State, Architect], Paid]
TOO_FEW = say("Too few to earn anything")


def alone(reward: Reward) -> Rule:
    """Return the rule that pays each player the coins of `reward(state, player)`, without comparing players."""
    return lambda state: {architect.name: reward(state, architect) for _, architect in state.architects}


def per_round(zone: str) -> Reward:
    """Return the reward of a zone that has already paid during the rounds: 0 coins, and this as the reason."""

    def reward(state: State, architect: Architect) -> Paid:
        face = FACES[zone, state.face(zone)]
        won = dict(architect.round_winnings or ()).get(zone)
        if won:
            return 0, say("£{won} won in the rounds is already among the coins. Nothing more at the end", won=won)
        return 0, say(
            "The £{coins} for each round won is already among the coins. Nothing more at the end",
            coins=face.per_round,
        )

    return reward


def last_marker(state: State) -> int | None:
    """Return how many spaces the last marker on the chapel track has come, or None if unknown."""
    last = next(player for player in state.players if player.name == (state.order or ())[-1])
    if isinstance(last, Architect):
        return last.known("chapel_steps")
    steps = dict(last.facts).get("chapel_steps")
    if any(architect.fact("chapel_steps") == 0 for _, architect in state.architects):
        return 0
    return steps if isinstance(steps, int) else None


def gap_from_last(state: State, architect: Architect) -> Paid:
    mine, last = architect.known("chapel_steps"), last_marker(state)
    if last is None:
        return 0, say("On space {mine} of the chapel track. We don’t know yet where the last marker is", mine=mine)
    if mine == last:
        return 0, say("On space {mine} of the chapel track, where the last marker is", mine=mine)
    return mine - last, say_count(
        "On space {mine} of the chapel track, {n} space ahead of the last marker",
        "On space {mine} of the chapel track, {n} spaces ahead of the last marker",
        mine - last,
        mine=mine,
    )


def coin_spaces(_state: State, architect: Architect) -> Paid:
    reached = [coin for coin in COIN_SPACES if coin <= architect.known("last_coin_space")]
    if not reached:
        return 0, say("No coin reached on the chapel track")
    sums = " + ".join(map(str, reversed(reached)))
    return sum(reached), say("Coins passed on the chapel track: {sum}", sum=sums)


def step_brackets(_state: State, architect: Architect) -> Paid:
    steps = architect.known("gate_steps")
    earned = bracket("gate_steps", steps)
    way = way_along_the_gate_track(steps)
    return earned, way if earned else in_clauses([way, TOO_FEW])


def unused_tiles_squared(state: State, architect: Architect) -> Paid:
    tiles = state.unused_tiles(architect)
    if not tiles:
        return 0, say("No unused bonus tile")
    earned = bracket("unused_tiles", tiles)
    if tiles > 4:
        return earned, say_count(
            "{n} unused bonus tile: £{coins}, the same as for 4",
            "{n} unused bonus tiles: £{coins}, the same as for 4",
            tiles,
            coins=earned,
        )
    return earned, say_count("{n} unused bonus tile: £{coins}", "{n} unused bonus tiles: £{coins}", tiles, coins=earned)


def hand_count(state: State, architect: Architect) -> Paid:
    hand = sum(state.hand(architect).values())
    what = say_count(
        "{n} card in hand, including cards of value 0", "{n} cards in hand, including cards of value 0", hand
    )
    if hand < 8:
        earned = bracket("hand", hand)
        return earned, what if earned else in_clauses([what, TOO_FEW])
    coins = state.hand_8plus
    if coins is None:
        return HAND_8PLUS, in_clauses(
            [what, say("We use £{coins} for 8 or more cards. Check your scoring tile", coins=HAND_8PLUS)]
        )
    return coins, in_clauses([what, say("Your tile shows £{coins} for 8 or more cards", coins=coins)])


def card_combinations(_state: State, architect: Architect) -> Paid:
    """Return the coins, with a reason: 5 for cards 1+2, 10 for 1+2+3 and 15 for 1+2+3+4; each card counts once."""
    hand = dict(architect.cards or ())
    pairs = min(hand.get("1", 0), hand.get("2", 0))
    threes = min(pairs, hand.get("3", 0))
    fours = min(threes, hand.get("4", 0))
    combinations = [(fours, "1+2+3+4", 15), (threes - fours, "1+2+3", 10), (pairs - threes, "1+2", 5)]
    parts = [
        say("{count} × {cards}: £{coins} each", count=count, cards=cards, coins=coins)
        for count, cards, coins in combinations
        if count
    ]
    why = in_a_row(parts) if parts else say("No pair of a 1 and a 2")
    return sum(count * coins for count, _, coins in combinations), why


def numbers_up_to_30(_state: State, architect: Architect) -> Paid:
    low = architect.known("low30")
    if not low:
        return 0, say("No number of 30 or lower on the bridge")
    return 2 * low, say_count("{n} number of 30 or lower: £2", "{n} numbers of 30 or lower: £2 each", low)


def sets_of_six(_state: State, architect: Architect) -> Paid:
    complete = architect.known("sets")
    if not complete:
        return 0, say("No complete set of all six types")
    return 10 * complete, say_count(
        "{n} complete set of all six types: £10", "{n} complete sets of all six types: £10 each", complete
    )


REWARDS: dict[tuple[str, str], Reward] = {
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
REWARD_RULES: dict[tuple[str, str], Rule] = {face: alone(reward) for face, reward in REWARDS.items()}
