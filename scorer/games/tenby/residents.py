"""Score resident cards: one street with tiers, or every street with enough targets (rulebook, Resident Cards).

Each resident is scored by itself, so two residents may score the same street.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from scorer.contract import Line
from scorer.games.tenby.cards import label
from scorer.games.tenby.counting import amount_in, limited, most_in, to_count
from scorer.games.tenby.names import named
from scorer.games.tenby.town import Resident, Tier, Town, cell, is_completed
from scorer.record import STILL_TO_COUNT
from scorer.sentences import Sentence, in_clauses, say
from scorer.spans import Span, certain

CITE = say("rulebook, Resident Cards")
TYPED = say("Typed, because we can’t count this")


@dataclass(frozen=True, slots=True)
class Offer:
    """Hold how many targets one street has for a resident, and the highest tier that it reaches, or None."""

    street: int
    amount: int
    completed: bool
    tier: Tier | None

    @property
    def points(self) -> int:
        if self.tier is None:
            return 0
        return self.tier.complete if self.completed else self.tier.incomplete


def resident_lines(town: Town) -> Iterator[Line]:
    """Yield a score line for every resident, in the order of the record."""
    for resident in town.residents:
        if resident.type == "typed":
            yield typed_line(resident)
            continue
        offers = [offer(town, street, resident) for street in range(len(town.streets))]
        span = span_of(town, resident)
        if span:
            yield open_line(town, resident, span)
            continue
        used, why = each_street(offers, resident) if resident.type == "each" else single_street(offers, resident)
        cells = tuple(cell(o.street, c) for o in used for c in range(len(town.streets[o.street])))
        yield Line("resident", named(resident.name), sum(o.points for o in used), why, cells, CITE, resident.name)


def span_of(town: Town, resident: Resident) -> Span | None:
    """Return the least and the most points that a resident can bring, or None if open facts do not change them."""
    ranges = [points_between(town, street, resident) for street in range(len(town.streets))]
    join = sum if resident.type == "each" else partial(max, default=0)
    return limited(join([min(points) for points in ranges]), join([max(points) for points in ranges]))


def points_between(town: Town, street: int, resident: Resident) -> set[int]:
    """Return all points that the street at index `street` may bring a resident, depending on the open facts of its
    cards."""
    cards = town.streets[street]
    least = offer(town, street, resident)
    most = most_in(cards, resident.targets, int(least.completed))
    reached = [tier for tier in resident.ladder if least.amount < tier.at_least <= most]
    return {least.points, *(tier.complete if least.completed else tier.incomplete for tier in reached)}


def open_line(town: Town, resident: Resident, span: Span) -> Line:
    """Return the line of a resident whose points lie in `span` until its open facts are entered."""
    placed = [(cell(s, c), card) for s, street in enumerate(town.streets) for c, card in enumerate(street)]
    why = to_count(placed, resident.targets)
    return Line("resident", named(resident.name), certain(span), why, (), CITE, resident.name, span)


def typed_line(resident: Resident) -> Line:
    if resident.points is None:
        return Line("resident", named(resident.name), 0, STILL_TO_COUNT, (), CITE, resident.name, (0, None))
    return Line("resident", named(resident.name), resident.points, TYPED, (), CITE, resident.name)


def offer(town: Town, street: int, resident: Resident) -> Offer:
    """Return how many targets the street at index `street` has for a resident, and the highest tier that it reaches."""
    cards = town.streets[street]
    completed = is_completed(cards)
    amount = amount_in(cards, resident.targets, int(completed))
    reached = [tier for tier in resident.ladder if amount >= tier.at_least]
    return Offer(street, amount, completed, reached[-1] if reached else None)


def single_street(offers: list[Offer], resident: Resident) -> tuple[list[Offer], Sentence]:
    """Return the street that brings a resident most points, in a list, and the reason; [] if no tier is reached.
    Targets above the reached tier bring nothing more."""
    things, wanted = label(resident.targets), resident.ladder[0].at_least
    if not offers:
        return [], say("{things}: needs at least {wanted} in one street", things=things, wanted=wanted)
    best = max(offers, key=lambda o: (o.points, o.amount))
    if best.tier is None:
        return [], say(
            "{things}: needs at least {wanted} in one street. Street {street} has {most}",
            things=things,
            wanted=wanted,
            street=best.street + 1,
            most=best.amount,
        )
    enough = say(
        "{things}: {amount}. At least {wanted} score {points}",
        things=things,
        amount=best.amount,
        wanted=best.tier.at_least,
        points=best.points,
    )
    return [best], in_clauses([in_street(best), enough])


def in_street(offer: Offer) -> Sentence:
    if offer.completed:
        return say("Street {number} (completed)", number=offer.street + 1)
    return say("Street {number} (incomplete)", number=offer.street + 1)


def each_street(offers: list[Offer], resident: Resident) -> tuple[list[Offer], Sentence]:
    """Return the offers of all streets that have enough targets for a resident, and the reason."""
    used = [o for o in offers if o.tier is not None]
    things, wanted = label(resident.targets), resident.tiers[0].at_least
    if not used:
        return [], say("{things}: no street has at least {wanted}", things=things, wanted=wanted)
    streets = [in_one(o) for o in used]
    return used, in_clauses([say("{things}: at least {wanted} in a street", things=things, wanted=wanted), *streets])


def in_one(offer: Offer) -> Sentence:
    """Return what one street brings a resident: "Street 1 (completed) has 4: 8" means 4 targets and 8 points."""
    number, amount, points = offer.street + 1, offer.amount, offer.points
    if offer.completed:
        return say("Street {number} (completed) has {amount}: {points}", number=number, amount=amount, points=points)
    return say("Street {number} (incomplete) has {amount}: {points}", number=number, amount=amount, points=points)
