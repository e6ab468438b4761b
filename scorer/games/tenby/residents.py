"""Resident cards: one street with tiers, or every street that has enough (rulebook, Resident Cards).

Every resident is looked at by itself: nothing keeps two of them from paying for the same street.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.contract import Line
from scorer.games.tenby.anatomy import counted
from scorer.games.tenby.counting import tally
from scorer.games.tenby.state import Resident, Tier, Town, cell, is_completed

CITE = "rulebook, Resident Cards"


@dataclass(frozen=True, slots=True)
class Offer:
    """What one street brings a resident."""

    street: int
    amount: int
    completed: bool
    tier: Tier | None

    @property
    def points(self) -> int:
        if self.tier is None:
            return 0
        return self.tier.complete if self.completed else self.tier.incomplete

    @property
    def named(self) -> str:
        return f"street {self.street + 1} ({'completed' if self.completed else 'incomplete'})"


def resident_lines(town: Town) -> Iterator[Line]:
    """A line for every resident held, in the order they are listed."""
    for resident in town.residents:
        offers = [offer(town, street, resident) for street in range(len(town.streets))]
        used, said = each_street(offers, resident) if resident.type == "each" else single_street(offers, resident)
        cells = tuple(cell(o.street, c) for o in used for c in range(len(town.streets[o.street])))
        yield Line("resident", resident.name, sum(o.points for o in used), said, cells, CITE)


def offer(town: Town, street: int, resident: Resident) -> Offer:
    """The highest tier this street reaches, and in which row."""
    cards = town.streets[street]
    amount = tally([(cell(street, c), card) for c, card in enumerate(cards)], resident.targets).amount
    reached = [tier for tier in resident.tiers if amount >= tier.at_least]
    return Offer(street, amount, is_completed(cards), reached[-1] if reached else None)


def single_street(offers: list[Offer], resident: Resident) -> tuple[list[Offer], str]:
    """The one street that pays most; what lies above its tier adds nothing."""
    wanted = f"at least {counted(resident.tiers[0].at_least, resident.targets)}"
    if not offers:
        return [], f"No street yet; {wanted} in one would pay"
    best = max(offers, key=lambda o: (o.points, o.amount))
    has = counted(best.amount, resident.targets)
    if best.tier is None:
        return [], f"No street has {wanted}; the most is {best.amount}, in {best.named}"
    said = f"{best.named} has {has}: {best.points} for at least {best.tier.at_least}"
    return [best], said[0].upper() + said[1:]


def each_street(offers: list[Offer], resident: Resident) -> tuple[list[Offer], str]:
    """Every street with enough."""
    used = [o for o in offers if o.tier is not None]
    wanted = f"at least {counted(resident.tiers[0].at_least, resident.targets)}"
    if not used:
        return [], f"No street has {wanted}"
    told = ", ".join(f"{o.points} for {o.named} with {o.amount}" for o in used)
    return used, f"Streets with {wanted}: {told}"
