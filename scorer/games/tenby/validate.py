"""Check a finished game of Tenby against the rules: every town, and the accolades in their three modes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer.contract import Problem
from scorer.games.tenby.accolade_counts import count
from scorer.games.tenby.accolades import cards_laid
from scorer.games.tenby.names import named
from scorer.games.tenby.payouts import payout_faults
from scorer.games.tenby.quick import Quick
from scorer.games.tenby.state import MODES, Accolade, State
from scorer.games.tenby.town import Town
from scorer.games.tenby.validate_town import resident_faults, target_faults, town_faults
from scorer.record import are_named, escape, shown
from scorer.sentences import Sentence, say, say_count


def validate(state: State) -> list[Problem]:
    """Return all faults, in the order of the record."""
    return list(faults(state))


def faults(state: State) -> Iterator[Problem]:
    found = list(accolade_faults(state))
    yield from found
    if state.mode and are_named(state.players) and not any(fault.level == "error" for fault in found):
        yield from payout_faults(state)
    for index, player in enumerate(state.players):
        if isinstance(player, Town):
            yield from town_faults(player, f"/players/{index}")
        if isinstance(player, Quick):
            for number, resident in enumerate(player.residents):
                yield from resident_faults(resident, f"/players/{index}/residents/{number}")


def accolade_faults(state: State) -> Iterator[Problem]:
    where = "/table/accolades/cards"
    if state.mode:
        yield from number_faults(state, where)
    taken: set[str] = set()
    for index, card in enumerate(state.accolades):
        yield from goal_faults(card, f"{where}/{index}/target")
        if card.name.strip().casefold() in taken:
            message = say("{accolade} is here twice, but there is only one. Choose another.", accolade=named(card.name))
            yield Problem("accolade_duplicate", message, f"{where}/{index}/name")
        taken.add(card.name.strip().casefold())
        yield from amount_faults(state, card, f"{where}/{index}/amounts")
    if state.mode:
        yield from holder_faults(state, where)


def goal_faults(card: Accolade, where: str) -> Iterator[Problem]:
    """Yield a problem for each unknown target of an accolade, only a warning if its amounts are entered by hand.
    `where` is the JSON Pointer of its goal."""
    for fault in target_faults(card.targets, where):
        if card.amounts:
            message = say("We can’t count {accolade}, so we use the numbers you typed.", accolade=named(card.name))
            yield replace(fault, message=message, level="warning")
        else:
            yield fault


def number_faults(state: State, where: str) -> Iterator[Problem]:
    """Yield a problem for each mode with too few or too many accolades; `where` is the JSON Pointer of the list."""
    modes = [state.mode_of(card) for card in state.accolades]
    for mode in MODES:
        if mode == state.mode or mode in modes:
            number, allowed = modes.count(mode), cards_laid(mode, len(state.players))
            if number not in allowed:
                yield Problem("accolade_count", wrong_number(number, allowed), where)


def wrong_number(number: int, allowed: Sequence[int]) -> Sentence:
    if len(allowed) > 1:
        return say(
            "This mode needs {low} to {high} accolade cards. You entered {number}.",
            low=allowed[0],
            high=allowed[-1],
            number=number,
        )
    return say_count(
        "With this many players, this mode needs {n} accolade card. You entered {number}.",
        "With this many players, this mode needs {n} accolade cards. You entered {number}.",
        allowed[0],
        number=number,
    )


def holder_faults(state: State, where: str) -> Iterator[Problem]:
    """Yield a problem if in Ebb & Flow not every player holds exactly one card; `where` is the JSON Pointer of the
    list. If there are more cards than players, second cards are not reported, because another check reports them."""
    names = {player.name for player in state.players}
    held: set[str] = set()
    dealt = [(index, card) for index, card in enumerate(state.accolades) if state.mode_of(card) == "ebb_flow"]
    for index, card in dealt:
        place = f"{where}/{index}/holder"
        if card.holder not in names and are_named(state.players):
            message = say("Choose the player who was dealt {accolade}.", accolade=named(card.name))
            yield Problem("accolade_holder", message, place)
        elif card.holder in held and len(dealt) <= len(names):
            message = say("{player} already has another accolade. Each player is dealt one.", player=str(card.holder))
            yield Problem("accolade_holder", message, place)
        held.add(card.holder or "")
    if (dealt or state.mode == "ebb_flow") and len(dealt) != len(names) and are_named(state.players):
        for player in state.players:
            if player.name not in held:
                message = say("{player} was dealt an accolade too. Add it.", player=player.name)
                yield Problem("accolade_holder", message, where)


def amount_faults(state: State, card: Accolade, where: str) -> Iterator[Problem]:
    """Yield a problem for each amount entered by hand that belongs to no player, or differs from the town (a warning).
    `where` is the JSON Pointer of the amounts."""
    towns = {player.name: player for player in state.players}
    entered = (*card.amounts, *((name, None) for name in card.open))
    counted = Counter(name for name, _ in entered)
    for name, typed in entered:
        player = towns.get(name)
        if counted[name] > 1:
            message = say("{name} has two numbers for this accolade. Remove one.", name=shown(name))
            yield Problem("duplicate_name", message, where)
        elif player is None and are_named(state.players):
            message = say("No player is called {name}. Remove this number.", name=shown(name))
            yield Problem("unknown_field", message, f"{where}/{escape(name)}")
        elif typed is None or not isinstance(player, Town):
            continue
        elif (shows := count(card, player)) is not None and shows != typed:
            message = say(
                "{accolade}: {player}’s town shows {shows}, but {typed} was typed. We use the typed number.",
                player=name,
                shows=shows,
                typed=typed,
                accolade=named(card.name),
            )
            yield Problem("amount_differs", message, f"{where}/{escape(name)}", "warning")
