"""Tell whether the accolades can have paid what players typed: a card gives its points to one, or equal parts to
several.

Amounts that are known say who can have the most; of the others anybody may. Both readings of the house rules on ties
are allowed, since nobody says which of them the typed points were counted by.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from scorer.contract import Problem
from scorer.games.tenby.accolade_counts import amount
from scorer.games.tenby.accolades import SECRET, is_in_play, is_secret, judge, worth_to_all
from scorer.games.tenby.state import Accolade, State
from scorer.record import Typed
from scorer.sentences import Sentence, in_a_row, say

BITS = 16  # for the points of one player, who gets far fewer than they hold
TOO_MANY = 50_000  # different ways to share, beyond which typed points are believed: no table comes near


def payout_faults(state: State) -> Iterator[Problem]:
    """Typed accolade points that the cards of this table cannot pay together."""
    typed = {
        index: points
        for index, player in enumerate(state.players)
        if isinstance(player, Typed) and (points := player.of("accolade")) is not None
    }
    if state.accolades and typed and not can_pay(state, typed):
        culprit = max(typed, key=lambda index: (typed[index] > 0, index))
        yield Problem("accolade_points", message(state, typed), f"/players/{culprit}/typed/accolade")


def message(state: State, typed: dict[int, int]) -> Sentence:
    told = [
        say("{player} {number}", player=state.players[index].name, number=points) for index, points in typed.items()
    ]
    return say(
        "These accolade points can’t be right: {points}. Each accolade scores for one player, or is split in a tie.",
        points=in_a_row(told),
    )


def can_pay(state: State, typed: dict[int, int]) -> bool:
    """Return whether some outcome of all cards gives these players what they typed.

    What they get is one number with some bits for each of them. The cards are dealt into two halves, so that few sums
    have to be made: what one half pays must be completed by the other.
    """
    if min(typed.values()) < 0:
        return False
    bits = {player: BITS * place for place, player in enumerate(typed)}
    halves = [{0}, {0}]
    for index in range(len(state.accolades)):
        paid = [{p: points for p, points in outcome.items() if p in bits} for outcome in outcomes(state, index)]
        shares = {sum(points << bits[player] for player, points in outcome.items()) for outcome in paid}
        halves[index % 2] = {before + share for before in halves[index % 2] for share in shares}
        if len(halves[index % 2]) > TOO_MANY:
            return True
    wanted = sum(points << bits[player] for player, points in typed.items())
    return any(wanted - paid in halves[1] for paid in halves[0])


def outcomes(state: State, index: int) -> Iterator[dict[int, int]]:
    """Yield what one card may give to whom, by the player's index."""
    card = state.accolades[index]
    mode = state.mode_of(card)
    verdict = judge(state, index)
    if not verdict.spans:
        yield {player: points for player, (points, _) in verdict.paid.items()}
        return
    if is_secret(card, mode):
        seats = range(1, len(state.players) + 1)
        holder = next(number for number, player in enumerate(state.players) if player.name == card.holder)
        yield from ({holder: points} for points in (0, *(SECRET // parts for parts in seats)))
    if mode != "ebb_flow" or card.revealed is not False:
        yield from open_outcomes(state, card, worth_to_all(mode))
    if mode == "high_tide" and is_in_play(card, mode) and card.active is None:
        yield {}


def open_outcomes(state: State, card: Accolade, worth: int) -> Iterator[dict[int, int]]:
    """Return who can have the most, given the amounts that are known; nobody where all may have none."""
    amounts = [amount(card, player) for player in state.players]
    most = max((known for known in amounts if known is not None), default=0)
    best = [player for player, known in enumerate(amounts) if known == most]
    unknown = [player for player, known in enumerate(amounts) if known is None]
    if not most:
        yield {}
    for with_known, *picked in product((False, True), repeat=1 + len(unknown)):
        winners = [player for player, chosen in zip(unknown, picked, strict=True) if chosen]
        winners += best if with_known else []
        if winners:
            yield dict.fromkeys(winners, worth // len(winners))
