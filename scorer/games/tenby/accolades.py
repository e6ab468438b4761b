"""Score accolades: points for the most of something at the table, in three modes (rulebook, Option: Accolades).

An accolade needs the amounts of all players: counted in their towns or, where that is impossible, entered by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scorer.contract import Line, Missing
from scorer.games.tenby.accolade_counts import amount, amounts_between
from scorer.games.tenby.cards import label
from scorer.games.tenby.names import named
from scorer.games.tenby.quick import Quick
from scorer.games.tenby.state import Accolade, State
from scorer.games.tenby.town import Town
from scorer.record import Typed, escape
from scorer.sentences import Sentence, in_a_row, listed, say, say_count
from scorer.spans import Span, certain, is_exact, union

Ranges = Sequence[tuple[int, int]]  # the least and the most that each player can have

PRINTED = 10
REVEALED = PRINTED + 5  # Ebb & Flow: for any player
SECRET = PRINTED - 5  # Ebb & Flow: only for its holder
IS_SPLIT = {"full": False, "share": True}  # whether a tied secret card is split, by ruling
CITES = {
    "open_sea": say("rulebook, Accolades: The Open Sea"),
    "ebb_flow": say("rulebook, Accolades: Ebb & Flow"),
    "high_tide": say("rulebook, Accolades: High Tide"),
}
NOT_SAID_REVEALED = say("Not known yet whether it was revealed")
NOT_SAID_ACTIVE = say("Not known yet whether a counter is on it")
NO_COUNTER = say("No counter was placed on it")
NOBODY_HAS_ANY = say("Every player has 0, so no player gets the points")


def cards_laid(mode: str, players: int) -> range:
    """Return the numbers of accolade cards that a mode allows with this many players, as a range."""
    if mode == "open_sea":
        return range(1, 4)
    number = players if mode == "ebb_flow" else players + 1
    return range(number, number + 1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Hold how one accolade scores: `paid` has each player's points and reason, by seat. While points are undecided,
    `spans` has the least and most points of each undecided player. `missing` has the facts to ask for that no town
    shows."""

    card: Accolade
    paid: dict[int, tuple[int, Sentence]] = field(default_factory=dict)
    missing: tuple[Missing, ...] = ()
    spans: dict[int, Span] = field(default_factory=dict)


def judge_all(state: State) -> list[Verdict]:
    return [judge(state, index) for index in range(len(state.accolades))]


def lines_and_needs(state: State, verdicts: list[Verdict], player: int) -> tuple[list[Line], list[Missing]]:
    """Return the accolade lines of the player in seat `player`, and the facts still missing for them."""
    lines: list[Line] = []
    needs: list[Missing] = []
    for verdict in verdicts:
        if player in verdict.paid:
            points, why = verdict.paid[player]
            cite = CITES[state.mode_of(verdict.card)]
            name, span = verdict.card.name, verdict.spans.get(player)
            lines.append(Line("accolade", named(name), points, why, (), cite, name, span))
            needs += verdict.missing if span else ()
    return lines, needs


def is_in_play(card: Accolade, mode: str) -> bool:
    """Return whether a card played in this mode can score: in High Tide a card without a counter scores nothing."""
    return mode != "high_tide" or card.active is not False


def is_secret(card: Accolade, mode: str) -> bool:
    return mode == "ebb_flow" and not card.revealed


def judge(state: State, index: int) -> Verdict:
    """Return each player's points for the accolade at `index`, or the possible points while they are undecided."""
    card, names = state.accolades[index], [player.name for player in state.players]
    mode = state.mode_of(card)
    if not is_in_play(card, mode):
        return Verdict(card, dict.fromkeys(range(len(names)), (0, NO_COUNTER)))
    ranges = [amounts_between(card, player) for player in state.players]
    undecided = undecided_status(card, mode, f"/table/accolades/cards/{index}", names)
    if undecided:
        why, fact = undecided
        can_get = possible_payouts(state, card, ranges)
        return still_open(card, why, can_get, (fact,))
    if all(least == most for least, most in ranges):
        amounts = [least for least, _ in ranges]
        return secret(state, card, amounts) if is_secret(card, mode) else open_to_all(state, card, amounts)
    spans = spans_of_secret(state, card, ranges) if is_secret(card, mode) else spans_to_all(state, card, ranges)
    known = [least if least == most else None for least, most in ranges]
    if is_secret(card, mode) and (ahead := beaten_for_certain(state, card, known)):
        return ahead
    return still_open(card, waiting_reason(names, known), spans, not_said(state, index, card))


def still_open(card: Accolade, why: Sentence, spans: dict[int, Span], missing: Sequence[Missing]) -> Verdict:
    """Return the verdict on an undecided card: `why`, the least and most points `spans` by seat, and what to ask."""
    paid = {player: (certain(span), why) for player, span in spans.items()}
    return Verdict(card, paid, tuple(missing), {player: span for player, span in spans.items() if not is_exact(span)})


def not_said(state: State, index: int, card: Accolade) -> tuple[Missing, ...]:
    """Return a missing fact for each player whose amount for the accolade at `index` no town shows."""
    where = f"/table/accolades/cards/{index}/amounts"
    return tuple(
        Missing("amounts", player.name, f"{where}/{escape(player.name)}", question(card))
        for player in state.players
        if is_to_be_typed(card, player)
    )


def is_to_be_typed(card: Accolade, player: Town | Quick | Typed) -> bool:
    is_counted = isinstance(player, Town) and card.is_countable and player.name not in card.open
    return amount(card, player) is None and not is_counted


def undecided_status(card: Accolade, mode: str, where: str, names: list[str]) -> tuple[Sentence, Missing] | None:
    """Return the reason and the fact to ask while a card lacks `revealed` in "ebb_flow" or `active` in "high_tide".
    Otherwise return None. The holder or the first of `names` is asked; `where` is the card's JSON Pointer."""
    if mode == "ebb_flow" and card.revealed is None:
        asked = say("Was {accolade} revealed?", accolade=named(card.name))
        return NOT_SAID_REVEALED, Missing("revealed", card.holder or names[0], f"{where}/revealed", asked)
    if mode == "high_tide" and card.active is None:
        asked = say("Is there a counter on {accolade}?", accolade=named(card.name))
        return NOT_SAID_ACTIVE, Missing("active", names[0], f"{where}/active", asked)
    return None


def worth_to_all(mode: str) -> int:
    """Return the points, in this mode, of a card that every player can win."""
    return REVEALED if mode == "ebb_flow" else PRINTED


def open_to_all(state: State, card: Accolade, amounts: list[int]) -> Verdict:
    """Return the verdict on a card that all can win: the highest of `amounts` wins, and ties split the points."""
    worth = worth_to_all(state.mode_of(card))
    most = max(amounts)
    if most == 0 and state.rulings.zero_accolade == "nobody":
        return Verdict(card, dict.fromkeys(range(len(amounts)), (0, NOBODY_HAS_ANY)))
    best = [player for player, has in enumerate(amounts) if has == most]
    names = [player.name for player in state.players]
    paid = {}
    for player in range(len(amounts)):
        others = [names[other] for other in best if other != player]
        if player not in best:
            paid[player] = (0, fewer_reason(amounts[player], others, most))
        elif others:
            paid[player] = (worth // len(best), tie_reason(most, others, worth))
        else:
            paid[player] = (worth, most_reason(names, amounts, player))
    return Verdict(card, paid)


def fewer_reason(has: int, best: list[str], most: int) -> Sentence:
    """Say that a player has `has` targets, fewer than the `most` that the players in `best` have."""
    return say_count(
        "{amount}, but {players} has {most}",
        "{amount}, but {players} have {most}",
        len(best),
        amount=has,
        players=listed(best),
        most=most,
    )


def tie_reason(most: int, others: list[str], worth: int) -> Sentence:
    """Say that a player ties with `others` at `most` targets, and how they share the `worth` points of the card."""
    parts, players = len(others) + 1, listed(others)
    if not worth % parts:
        return say(
            "{amount}, tied with {players}: {points} ÷ {parts}",
            amount=most,
            players=players,
            points=worth,
            parts=parts,
        )
    return say(
        "{amount}, tied with {players}: {points} ÷ {parts}, {lost} left over",
        amount=most,
        players=players,
        points=worth,
        parts=parts,
        lost=worth % parts,
    )


def most_reason(names: list[str], amounts: list[int], player: int) -> Sentence:
    """Say that the player in seat `player` has the most: "5, the most (Bob 3)". The lists are in order of seats."""
    rest = [say("{player} {number}", player=name, number=number) for name, number in zip(names, amounts, strict=True)]
    del rest[player]
    amount = amounts[player]
    if not rest:
        return say("{amount}, the most", amount=amount)
    return say("{amount}, the most ({others})", amount=amount, others=in_a_row(rest))


def spans_to_all(state: State, card: Accolade, ranges: Ranges) -> dict[int, Span]:
    """Return the least and most points by seat for a card that all can win; `ranges` has possible amounts."""
    worth = worth_to_all(state.mode_of(card))
    return {player: share(state, ranges, player, worth) for player in range(len(ranges))}


def spans_of_secret(state: State, card: Accolade, ranges: Ranges) -> dict[int, Span]:
    """Return a secret card's least and most points by its holder's seat; `ranges` has possible amounts."""
    holder = holder_of(state, card)
    return {holder: share(state, ranges, holder, SECRET, IS_SPLIT[state.rulings.secret_tie])}


def share(state: State, ranges: Ranges, player: int, worth: int, splits: bool = True) -> Span:
    """Return one player's least and most points for a card of `worth` points; `ranges` has each player's least and most
    targets. With `splits`, tied players share the points; otherwise each gets all."""
    (least, most), others = ranges[player], [ends for other, ends in enumerate(ranges) if other != player]
    pays_nobody = state.rulings.zero_accolade == "nobody"
    low = high = 0
    if all(theirs <= least for _, theirs in others) and (least or not pays_nobody):
        low = worth // (1 + sum(theirs == least for _, theirs in others) if splits else 1)
    if all(theirs <= most for theirs, _ in others) and (most or not pays_nobody):
        high = worth // (1 + sum(theirs == most for theirs, _ in others) if splits else 1)
    return low, high


def possible_payouts(state: State, card: Accolade, ranges: Ranges) -> dict[int, Span]:
    """Return the least and most points of a card, by seat, while nobody entered if it is revealed or active."""
    otherwise = spans_of_secret(state, card, ranges) if state.mode_of(card) == "ebb_flow" else {}
    openly = spans_to_all(state, card, ranges)
    return {player: union([span, otherwise.get(player, (0, 0))]) for player, span in openly.items()}


def holder_of(state: State, card: Accolade) -> int:
    return next(index for index, player in enumerate(state.players) if player.name == card.holder)


def beaten_for_certain(state: State, card: Accolade, amounts: Sequence[int | None]) -> Verdict | None:
    """Return the verdict on a secret card if, by `amounts`, its holder certainly scores nothing, or None."""
    holder = holder_of(state, card)
    mine = amounts[holder]
    if mine is None:
        return None
    rivals = {index: known for index, known in enumerate(amounts) if known is not None and index != holder}
    if any(known > mine for known in rivals.values()):
        best = max(rivals, key=lambda index: rivals[index])
        return Verdict(card, {holder: (0, fewer_reason(mine, [state.players[best].name], rivals[best]))})
    if mine == 0 and state.rulings.zero_accolade == "nobody":
        return Verdict(card, {holder: (0, say("{amount}, so it scores nothing", amount=0))})
    return None


def secret(state: State, card: Accolade, amounts: list[int]) -> Verdict:
    """Return the verdict on a secret card, which scores for its holder if none of the `amounts` is higher."""
    holder = holder_of(state, card)
    mine = amounts[holder]
    tied = [player.name for index, player in enumerate(state.players) if index != holder and amounts[index] == mine]
    return beaten_for_certain(state, card, amounts) or Verdict(
        card, {holder: secret_points(mine, tied, state.rulings.secret_tie)}
    )


def secret_points(mine: int, tied: list[str], ruling: str) -> tuple[int, Sentence]:
    """Return the points and the reason for the holder of a secret accolade, who has `mine` targets, the most. `tied`
    has others with as many. In a tie, the `ruling` "full" pays all points, and "share" an equal part of them."""
    parts = len(tied) + 1
    if not tied:
        return SECRET, say("{amount}, the most. A secret accolade scores {points}", amount=mine, points=SECRET)
    if ruling == "full":
        return SECRET, say(
            "{amount}, tied with {players}. Only the holder can score a secret accolade",
            amount=mine,
            players=listed(tied),
        )
    return SECRET // parts, say(
        "{amount}, tied with {players}: {points} ÷ {parts}. Nobody scores the other parts",
        amount=mine,
        players=listed(tied),
        points=SECRET,
        parts=parts,
    )


def question(card: Accolade) -> Sentence:
    if not card.is_countable:
        return say("{accolade}: how many?", accolade=named(card.name))
    return say("{accolade}: how many? ({things})", accolade=named(card.name), things=label(card.targets))


def waiting_reason(names: Sequence[str], known: Sequence[int | None]) -> Sentence:
    open_ones = [name for name, amount in zip(names, known, strict=True) if amount is None]
    return say("Still to count: {players}", players=in_a_row(open_ones))
