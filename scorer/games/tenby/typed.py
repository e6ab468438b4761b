"""Check points entered by hand that no entered card explains: too many for accolades, or any for 0 resident cards."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Problem
from scorer.games.tenby.accolades import cards_laid, worth_to_all
from scorer.games.tenby.state import MODES, State
from scorer.record import Typed
from scorer.sentences import say


def typed_faults(state: State) -> Iterator[Problem]:
    """Yield a problem for impossible points entered by hand; `payouts` checks accolades whose cards are known."""
    typed = {seat: player for seat, player in enumerate(state.players) if isinstance(player, Typed)}
    paid = {seat: player.of("accolade") or 0 for seat, player in typed.items()}
    most = sum(cards_laid(mode, len(state.players))[-1] * worth_to_all(mode) for mode in MODES)
    if not state.accolades and sum(paid.values()) > most:
        message = say(
            "All accolades together score at most {most}. You entered {points}.",
            most=most,
            points=sum(paid.values()),
        )
        yield Problem("accolade_points", message, f"/players/{max(paid, key=lambda seat: paid[seat])}/typed/accolade")
    for seat, player in typed.items():
        if player.of("resident") and dict(player.facts).get("resident_cards") == 0:
            message = say("You entered points for residents but 0 resident cards. Check both.")
            yield Problem("lines_clash", message, f"/players/{seat}/resident_cards", "warning")
