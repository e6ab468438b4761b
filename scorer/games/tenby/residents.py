"""Resident cards: one street with tiers, or every street that has enough (rulebook, Resident Cards).

Every resident is looked at by itself: nothing keeps two of them from paying for the same street.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from scorer.contract import Line
from scorer.games.tenby.cards import counted
from scorer.games.tenby.counting import amount_in, limited, most_in, to_count
from scorer.games.tenby.names import named
from scorer.games.tenby.town import Resident, Tier, Town, cell, is_completed
from scorer.reading import STILL_TO_COUNT
from scorer.sentences import Sentence, in_a_row, say
from scorer.spans import Span, certain

CITE = say("rulebook, Resident Cards")
TYPED = say("typed in: what it asks for is nothing that can be counted here")


@dataclass(frozen=True, slots=True)
class Offer:
    """Hold what one street brings a resident."""

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
    def label(self) -> Sentence:
        if self.completed:
            return say("street {number} (completed)", number=self.street + 1)
        return say("street {number} (incomplete)", number=self.street + 1)


def resident_lines(town: Town) -> Iterator[Line]:
    """A line for every resident held, in the order they are listed."""
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
    """Return what a resident can bring once all open facts are known, None if none of them matters."""
    ranges = [points_between(town, street, resident) for street in range(len(town.streets))]
    join = sum if resident.type == "each" else partial(max, default=0)
    return limited(join([min(points) for points in ranges]), join([max(points) for points in ranges]))


def points_between(town: Town, street: int, resident: Resident) -> set[int]:
    """All that a street may pay, from the amount that is certain to the most there can be."""
    cards = town.streets[street]
    least = offer(town, street, resident)
    most = most_in(cards, resident.targets, int(least.completed))
    reached = [tier for tier in resident.ladder if least.amount < tier.at_least <= most]
    return {least.points, *(tier.complete if least.completed else tier.incomplete for tier in reached)}


def open_line(town: Town, resident: Resident, span: Span) -> Line:
    """A resident of whom the points that are certain count so far."""
    placed = [(cell(s, c), card) for s, street in enumerate(town.streets) for c, card in enumerate(street)]
    why = to_count(placed, resident.targets)
    return Line("resident", named(resident.name), certain(span), why, (), CITE, resident.name, span)


def typed_line(resident: Resident) -> Line:
    """The points of a resident that were typed."""
    if resident.points is None:
        return Line("resident", named(resident.name), 0, STILL_TO_COUNT, (), CITE, resident.name, (0, None))
    return Line("resident", named(resident.name), resident.points, TYPED, (), CITE, resident.name)


def offer(town: Town, street: int, resident: Resident) -> Offer:
    """The highest tier this street reaches, and in which row."""
    cards = town.streets[street]
    completed = is_completed(cards)
    amount = amount_in(cards, resident.targets, int(completed))
    reached = [tier for tier in resident.ladder if amount >= tier.at_least]
    return Offer(street, amount, completed, reached[-1] if reached else None)


def single_street(offers: list[Offer], resident: Resident) -> tuple[list[Offer], Sentence]:
    """The one street that pays most; what lies above its tier adds nothing."""
    wanted = counted(resident.ladder[0].at_least, resident.targets)
    if not offers:
        return [], say("No street yet; at least {things} in one would pay", things=wanted)
    best = max(offers, key=lambda o: (o.points, o.amount))
    if best.tier is None:
        return [], say(
            "No street has at least {things}; the most is {most}, in {street}",
            things=wanted,
            most=best.amount,
            street=best.label,
        )
    return [best], paid(best, counted(best.amount, resident.targets), best.tier.at_least)


def paid(best: Offer, has: Sentence, wanted: int) -> Sentence:
    """Return why a street pays what it pays."""
    number, points = best.street + 1, best.points
    if best.completed:
        return say(
            "Street {number} (completed) has {things}: {points} for at least {wanted}",
            number=number,
            things=has,
            points=points,
            wanted=wanted,
        )
    return say(
        "Street {number} (incomplete) has {things}: {points} for at least {wanted}",
        number=number,
        things=has,
        points=points,
        wanted=wanted,
    )


def each_street(offers: list[Offer], resident: Resident) -> tuple[list[Offer], Sentence]:
    """Every street with enough."""
    used = [o for o in offers if o.tier is not None]
    wanted = counted(resident.tiers[0].at_least, resident.targets)
    if not used:
        return [], say("No street has at least {things}", things=wanted)
    streets = [
        say("{points} for {street} with {amount}", points=o.points, street=o.label, amount=o.amount) for o in used
    ]
    return used, say("Streets with at least {things}: {streets}", things=wanted, streets=in_a_row(streets))
