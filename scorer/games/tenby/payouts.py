"""Check whether accolades can have paid the points entered by hand: each card pays one player, or a tie equally.

Known amounts limit who can have the most; a player with an unknown amount always can. Both rulings on ties are allowed,
because points alone do not say which one was used.
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

BITS = 16  # bits for the points of one player, far more than needed
TOO_MANY = 50_000  # different sums, above which typed points are accepted; no table comes near


def payout_faults(state: State) -> Iterator[Problem]:
    """Yield a problem if all cards of this table cannot pay the accolade points that players entered by hand."""
    typed = {
        index: points
        for index, player in enumerate(state.players)
        if isinstance(player, Typed) and (points := player.of("accolade")) is not None
    }
    if state.accolades and typed and not can_pay(state, typed):
        suspect = max(typed, key=lambda index: (typed[index] > 0, index))
        yield Problem("accolade_points", message(state, typed), f"/players/{suspect}/typed/accolade")


def message(state: State, typed: dict[int, int]) -> Sentence:
    parts = [
        say("{player} {number}", player=state.players[index].name, number=points) for index, points in typed.items()
    ]
    return say(
        "These accolade points can’t be right: {points}. Each accolade scores for one player, or is split in a tie.",
        points=in_a_row(parts),
    )


def can_pay(state: State, typed: dict[int, int]) -> bool:
    """Return whether the cards can pay exactly the points in `typed`, which players entered by hand, by seat. Points of
    all players are one number with 16 bits for each. To keep the sums few, cards are split into two halves, and one
    half must pay what the other leaves."""
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
    """Yield each possible outcome of the card at `index`, as points by seat."""
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
    """Yield each possible outcome, as points by seat, of a card of `worth` points that every player can win. One
    outcome pays nobody if no known amount is above 0."""
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
