"""Accolades: points for the most of something at the whole table, in three modes (rulebook, Option: Accolades).

An accolade needs everybody's amount. It is counted in the towns, unless somebody typed it: for goals that no count
can answer, and for players whose town is already cleared.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.contract import Line, Missing
from scorer.games.tenby.cards import COMPLETED_STREETS, counted, things
from scorer.games.tenby.counting import amount_in
from scorer.games.tenby.names import named
from scorer.games.tenby.quick import Quick
from scorer.games.tenby.state import Accolade, State
from scorer.games.tenby.town import Town, is_completed
from scorer.reading import Typed, escape
from scorer.sentences import Sentence, in_a_row, listed, say, say_count

PRINTED = 10
REVEALED = PRINTED + 5  # Ebb & Flow: open to everybody
SECRET = PRINTED - 5  # Ebb & Flow: only for its holder
CITES = {
    "open_sea": say("rulebook, Accolades: The Open Sea"),
    "ebb_flow": say("rulebook, Accolades: Ebb & Flow"),
    "high_tide": say("rulebook, Accolades: High Tide"),
}
NOT_SAID_REVEALED = say("Not settled: was it revealed?")
NOT_SAID_ACTIVE = say("Not settled: does a counter lie on it?")
NO_COUNTER = say("No counter was committed to it")
NOBODY_HAS_ANY = say("Nobody has any, so nobody gets the points")


def cards_laid(mode: str, players: int) -> range:
    """How many accolades a mode lays out."""
    if mode == "open_sea":
        return range(1, 4)
    number = players if mode == "ebb_flow" else players + 1
    return range(number, number + 1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one accolade gives to whom, by the player's index: points and the reason; or whose amount is missing."""

    card: Accolade
    paid: dict[int, tuple[int, Sentence]] = field(default_factory=dict)
    missing: tuple[Missing, ...] = ()


def judge_all(state: State) -> list[Verdict]:
    return [judge(state, index) for index in range(len(state.accolades))]


def lines_and_needs(state: State, verdicts: list[Verdict], player: int) -> tuple[list[Line], list[Missing]]:
    """One player's lines, and what must be known before they are final."""
    lines: list[Line] = []
    needs: list[Missing] = []
    for verdict in verdicts:
        if player in verdict.paid:
            points, why = verdict.paid[player]
            cite = CITES[state.mode_of(verdict.card)]
            lines.append(Line("accolade", named(verdict.card.name), points, why, (), cite, verdict.card.name))
            needs += verdict.missing
    return lines, needs


def is_in_play(card: Accolade, mode: str) -> bool:
    """In High Tide a card without a counter pays nobody."""
    return mode != "high_tide" or card.active is not False


def is_secret(card: Accolade, mode: str) -> bool:
    return mode == "ebb_flow" and not card.revealed


def judge(state: State, index: int) -> Verdict:
    """Who gets the accolade with that index."""
    card, names = state.accolades[index], [player.name for player in state.players]
    mode = state.mode_of(card)
    if not is_in_play(card, mode):
        return Verdict(card, dict.fromkeys(range(len(names)), (0, NO_COUNTER)))
    unsaid = what_nobody_said(card, mode, f"/table/accolades/cards/{index}", names)
    if unsaid:
        why, fact = unsaid
        return Verdict(card, dict.fromkeys(range(len(names)), (0, why)), (fact,))
    amounts = [amount(card, player) for player in state.players]
    places = [f"/table/accolades/cards/{index}/amounts/{escape(name)}" for name in names]
    missing = tuple(
        Missing("amounts", name, place, question(card))
        for name, place, known in zip(names, places, amounts, strict=True)
        if known is None
    )
    if is_secret(card, mode):
        return secret(state, card, amounts, missing)
    if missing:
        return Verdict(card, dict.fromkeys(range(len(names)), (0, waiting(missing))), missing)
    return open_to_all(state, card, [known for known in amounts if known is not None])


def what_nobody_said(card: Accolade, mode: str, where: str, names: list[str]) -> tuple[Sentence, Missing] | None:
    """Whether a card was revealed, or has a counter on it, decides what it pays: neither is taken for granted."""
    if mode == "ebb_flow" and card.revealed is None:
        asked = say("Was {accolade} revealed?", accolade=named(card.name))
        return NOT_SAID_REVEALED, Missing("revealed", card.holder or names[0], f"{where}/revealed", asked)
    if mode == "high_tide" and card.active is None:
        asked = say("Does a counter lie on {accolade}?", accolade=named(card.name))
        return NOT_SAID_ACTIVE, Missing("active", names[0], f"{where}/active", asked)
    return None


def amount(card: Accolade, player: Town | Quick | Typed) -> int | None:
    """How many a player has, or None if nobody has said. A typed amount is taken as it is."""
    typed = dict(card.amounts).get(player.name)
    if typed is not None:
        return typed
    if isinstance(player, Town):
        return count(card, player)
    if card.targets != (COMPLETED_STREETS,):
        return None
    fact = player.completed_streets if isinstance(player, Quick) else dict(player.facts).get(COMPLETED_STREETS)
    return fact if isinstance(fact, int) else None


def count(card: Accolade, town: Town) -> int | None:
    """How many there are in the whole town; None for a goal that cannot be counted."""
    if not card.is_countable:
        return None
    cards = [each for street in town.streets for each in street]
    return amount_in(cards, card.targets, sum(is_completed(street) for street in town.streets))


def worth_to_all(mode: str) -> int:
    """What a card pays that anybody can get."""
    return REVEALED if mode == "ebb_flow" else PRINTED


def open_to_all(state: State, card: Accolade, amounts: list[int]) -> Verdict:
    """The most wins; those who tie split the points, and what cannot be split is lost."""
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
            paid[player] = (0, beaten(card, amounts[player], others, most))
        elif others:
            paid[player] = (worth // len(best), shared(card, most, others, worth))
        else:
            paid[player] = (worth, alone(card, names, amounts, player))
    return Verdict(card, paid)


def beaten(card: Accolade, has: int, best: list[str], most: int) -> Sentence:
    """Fewer than the best of the others."""
    return say_count(
        "{amount}; {players} has {most}",
        "{amount}; {players} have {most}",
        len(best),
        amount=held(has, card),
        players=listed(best),
        most=most,
    )


def shared(card: Accolade, most: int, others: list[str], worth: int) -> Sentence:
    """As many as others, with whom the points are split."""
    parts, amount, players = len(others) + 1, held(most, card), listed(others)
    if not worth % parts:
        return say(
            "{amount}, as many as {players}: {points} split by {parts}",
            amount=amount,
            players=players,
            points=worth,
            parts=parts,
        )
    return say(
        "{amount}, as many as {players}: {points} split by {parts}, {lost} lost",
        amount=amount,
        players=players,
        points=worth,
        parts=parts,
        lost=worth % parts,
    )


def alone(card: Accolade, names: list[str], amounts: list[int], player: int) -> Sentence:
    """More than everybody else."""
    rest = [say("{player} {number}", player=name, number=number) for name, number in zip(names, amounts, strict=True)]
    del rest[player]
    amount = held(amounts[player], card)
    if not rest:
        return say("{amount}, the most", amount=amount)
    return say("{amount}, the most ({others})", amount=amount, others=in_a_row(rest))


def secret(state: State, card: Accolade, amounts: list[int | None], missing: tuple[Missing, ...]) -> Verdict:
    """Only the holder can get it, and only if nobody has more."""
    names = [player.name for player in state.players]
    holder = next(index for index, name in enumerate(names) if name == card.holder)
    mine = amounts[holder]
    rivals = {index: known for index, known in enumerate(amounts) if known is not None and index != holder}
    ahead = [index for index, known in rivals.items() if mine is not None and known > mine]
    if mine is not None and ahead:
        best = max(ahead, key=lambda index: rivals[index])
        return Verdict(card, {holder: (0, beaten(card, mine, [names[best]], rivals[best]))})
    if mine == 0 and state.rulings.zero_accolade == "nobody":
        return Verdict(card, {holder: (0, say("{amount}, so it pays nothing", amount=held(0, card)))})
    if mine is None or missing:
        return Verdict(card, {holder: (0, waiting(missing))}, missing)
    tied = [names[index] for index, known in rivals.items() if known == mine]
    return Verdict(card, {holder: secretly(card, mine, tied, state.rulings.secret_tie)})


def secretly(card: Accolade, mine: int, tied: list[str], ruling: str) -> tuple[int, Sentence]:
    """What the holder of a secret accolade gets who has the most, perhaps with others, and why."""
    amount, parts = held(mine, card), len(tied) + 1
    if not tied:
        return SECRET, say("{amount}, the most; a secret card pays {points}", amount=amount, points=SECRET)
    if ruling == "full":
        return SECRET, say(
            "{amount}, as many as {players}, who cannot get a secret card's points", amount=amount, players=listed(tied)
        )
    return SECRET // parts, say(
        "{amount}, as many as {players}: {points} split by {parts}, the other parts are lost",
        amount=amount,
        players=listed(tied),
        points=SECRET,
        parts=parts,
    )


def question(card: Accolade) -> Sentence:
    if not card.is_countable:
        return say("{accolade}: how many?", accolade=named(card.name))
    return say("{accolade}: how many {things}?", accolade=named(card.name), things=things(card.targets))


def held(number: int, card: Accolade) -> Sentence:
    """How many a player has: "3 benches"."""
    return counted(number, card.targets) if card.is_countable else say("{number} (typed)", number=number)


def waiting(missing: tuple[Missing, ...]) -> Sentence:
    return say_count(
        "Not settled: how many has {players}?",
        "Not settled: how many have {players}?",
        len(missing),
        players=listed([need.player for need in missing]),
    )
