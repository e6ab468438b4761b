"""Accolades: points for the most of something at the whole table, in three modes (rulebook, Option: Accolades).

An accolade needs everybody's amount. It is counted in the towns, unless somebody typed it: for goals that no count
can answer, and for players whose town is already cleared.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.contract import Line, Missing
from scorer.games.tenby.anatomy import COMPLETED_STREETS, counted, label
from scorer.games.tenby.counting import tally
from scorer.games.tenby.state import Accolade, Table, Town, cell, is_completed
from scorer.reading import Typed, escape
from scorer.sentences import listed

PRINTED = 10
REVEALED = PRINTED + 5  # Ebb & Flow: open to everybody
SECRET = PRINTED - 5  # Ebb & Flow: only for its holder
CITES = {
    "open_sea": "rulebook, Accolades: The Open Sea",
    "ebb_flow": "rulebook, Accolades: Ebb & Flow",
    "high_tide": "rulebook, Accolades: High Tide",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one accolade gives to whom, by the player's index: points and the reason; or whose amount is missing."""

    card: Accolade
    paid: dict[int, tuple[int, str]] = field(default_factory=dict)
    missing: tuple[Missing, ...] = ()


def judge_all(table: Table) -> list[Verdict]:
    return [judge(table, index) for index in range(len(table.accolades))]


def lines_and_needs(table: Table, verdicts: list[Verdict], player: int) -> tuple[list[Line], list[Missing]]:
    """One player's lines, and what must be known before they are final."""
    lines: list[Line] = []
    needs: list[Missing] = []
    for verdict in verdicts:
        if player in verdict.paid:
            points, why = verdict.paid[player]
            lines.append(Line("accolade", verdict.card.name, points, why, (), CITES[table.mode]))
            needs += verdict.missing
    return lines, needs


def is_in_play(card: Accolade, mode: str) -> bool:
    """In High Tide a card without a counter pays nobody."""
    return mode != "high_tide" or bool(card.active)


def is_secret(card: Accolade, mode: str) -> bool:
    return mode == "ebb_flow" and not card.revealed


def judge(table: Table, index: int) -> Verdict:
    """Who gets the accolade with that index."""
    card, names = table.accolades[index], [player.name for player in table.players]
    if not is_in_play(card, table.mode):
        return Verdict(card, dict.fromkeys(range(len(names)), (0, "No counter was committed to it")))
    amounts = [amount(card, player) for player in table.players]
    places = [f"/table/accolades/cards/{index}/amounts/{escape(name)}" for name in names]
    missing = tuple(
        Missing("amounts", name, place, question(card))
        for name, place, known in zip(names, places, amounts, strict=True)
        if known is None
    )
    if is_secret(card, table.mode):
        return secret(table, card, amounts, missing)
    if missing:
        return Verdict(card, dict.fromkeys(range(len(names)), (0, waiting(missing))), missing)
    return open_to_all(table, card, [known for known in amounts if known is not None])


def amount(card: Accolade, player: Town | Typed) -> int | None:
    """How many a player has, or None if nobody has said. A typed amount is taken as it is."""
    typed = dict(card.amounts).get(player.name)
    if typed is not None:
        return typed
    if isinstance(player, Town):
        return count(card, player)
    fact = dict(player.facts).get(COMPLETED_STREETS) if card.targets == (COMPLETED_STREETS,) else None
    return fact if isinstance(fact, int) else None


def count(card: Accolade, town: Town) -> int | None:
    """How many there are in the whole town; None for a goal that cannot be counted."""
    if not card.is_countable:
        return None
    cards = [(cell(s, c), each) for s, street in enumerate(town.streets) for c, each in enumerate(street)]
    streets = sum(is_completed(street) for street in town.streets) if COMPLETED_STREETS in card.targets else 0
    return tally(cards, card.targets).amount + streets


def open_to_all(table: Table, card: Accolade, amounts: list[int]) -> Verdict:
    """The most wins; those who tie split the points, and what cannot be split is lost."""
    worth = REVEALED if table.mode == "ebb_flow" else PRINTED
    most = max(amounts)
    if most == 0 and table.rulings.zero_accolade == "nobody":
        return Verdict(card, dict.fromkeys(range(len(amounts)), (0, "Nobody has any, so nobody gets the points")))
    best = [player for player, has in enumerate(amounts) if has == most]
    paid = {}
    for player in range(len(amounts)):
        others = [other for other in best if other != player]
        points = worth // len(best) if player in best else 0
        paid[player] = (points, compared(table, card, amounts, player, others, worth))
    return Verdict(card, paid)


def compared(table: Table, card: Accolade, amounts: list[int], player: int, others: list[int], worth: int) -> str:
    """A player's amount beside the best of the others."""
    has, names = said(amounts[player], card), [table.players[other].name for other in others]
    if amounts[player] < max(amounts):
        return f"{has}; {listed(names)} {'has' if len(names) == 1 else 'have'} {max(amounts)}"
    if names:
        shared = len(names) + 1
        lost = f", {worth % shared} lost" if worth % shared else ""
        return f"{has}, as many as {listed(names)}: {worth} split by {shared}{lost}"
    rest = [f"{other.name} {number}" for other, number in zip(table.players, amounts, strict=True)]
    del rest[player]
    return f"{has}, the most ({', '.join(rest)})" if rest else f"{has}, the most"


def secret(table: Table, card: Accolade, amounts: list[int | None], missing: tuple[Missing, ...]) -> Verdict:
    """Only the holder can get it, and only if nobody has more."""
    holder = next(index for index, player in enumerate(table.players) if player.name == card.holder)
    mine = amounts[holder]
    rivals = {index: known for index, known in enumerate(amounts) if known is not None and index != holder}
    ahead = [index for index, known in rivals.items() if mine is not None and known > mine]
    if mine is not None and ahead:
        best = max(ahead, key=lambda index: rivals[index])
        return Verdict(card, {holder: (0, f"{said(mine, card)}; {table.players[best].name} has {rivals[best]}")})
    if mine == 0 and table.rulings.zero_accolade == "nobody":
        return Verdict(card, {holder: (0, f"{said(0, card)}, so it pays nothing")})
    if mine is None or missing:
        return Verdict(card, {holder: (0, waiting(missing))}, missing)
    tied = [table.players[index].name for index, known in rivals.items() if known == mine]
    if not tied:
        return Verdict(card, {holder: (SECRET, f"{said(mine, card)}, the most; a secret card pays {SECRET}")})
    equals = f"{said(mine, card)}, as many as {listed(tied)}"
    if table.rulings.secret_tie == "full":
        return Verdict(card, {holder: (SECRET, f"{equals}, who cannot get a secret card's points")})
    share = SECRET // (len(tied) + 1)
    return Verdict(card, {holder: (share, f"{equals}: {SECRET} split by {len(tied) + 1}, the other parts are lost")})


def question(card: Accolade) -> str:
    return f"{card.name}: how many {label(card.targets).lower()}?" if card.is_countable else f"{card.name}: how many?"


def said(number: int, card: Accolade) -> str:
    has = counted(number, card.targets) if card.is_countable else f"{number} (typed)"
    return has[0].upper() + has[1:]


def waiting(missing: tuple[Missing, ...]) -> str:
    return f"Not settled: how many {'has' if len(missing) == 1 else 'have'} {listed([n.player for n in missing])}?"
