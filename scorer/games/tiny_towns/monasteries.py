"""Find the best feeding in a town with a Monastery, where feeding more can cost points.

A Monastery scores by the distance to its nearest fed Cottage. The search covers all choices that the red card leaves. A
choice is an *offer* (`feeding_offers`): squares that are always fed, squares that may be left out, and squares of which
a number is picked. For one offer, only one thing has to be decided: how far each Monastery keeps fed Cottages away.
Closer Cottages are left out; among the others, feeding more never costs points. Distances that leave out the same
Cottages are tried only once, and those that cannot beat the best result so far are skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

from scorer.games.tiny_towns.cards import BUILDINGS
from scorer.games.tiny_towns.feeding import FEEDERS
from scorer.games.tiny_towns.feeding_offers import Offer, offers
from scorer.games.tiny_towns.feeding_values import FED, Feeding, FeedingFacts, FeedingValues, best, value_feeding
from scorer.games.tiny_towns.squares import COUNT, STEPS, Squares, each

NOTHING = -99  # fewer points than any feeding brings
FARTHEST = max(STEPS[0])  # steps from corner to corner
# CLOSER[square][far]: the squares less than `far` steps away.
CLOSER = tuple(
    tuple(sum([1 << index for index in range(COUNT) if steps[index] < far]) for far in range(FARTHEST + 1))
    for steps in STEPS
)


Fed = tuple[int, Squares, Offer]  # the points, the fed squares, and the offer


def nearest(index: int, cottages: Squares) -> int:
    """Return the steps from the square number `index` to the nearest of these Cottages, or 0 if there is none."""
    return min([STEPS[index][cottage] for cottage in each(cottages)], default=0)


def farthest(index: int, cottages: Squares) -> int:
    """Return the steps from the square number `index` to the farthest of these Cottages. Without Cottages it is 1,
    because a Monastery then brings the same points as at 1 step."""
    return max([STEPS[index][cottage] for cottage in each(cottages)], default=1)


def worth(index: int, cottages: Squares) -> int:
    """Return the points of a Monastery on square number `index`: the steps to the nearest of the fed `cottages`.
    Without fed Cottages it is 1 point."""
    return BUILDINGS["monastery"].worth * max(1, nearest(index, cottages))


def points(monasteries: Squares, cottages: Squares) -> int:
    return sum([worth(index, cottages) for index in each(monasteries)])


def feed(at: dict[str, Squares], types: Mapping[str, Squares], monument: str, means: FeedingFacts) -> Feeding:
    """Return the best feeding of a town with a Monastery, among all that its red card allows. `at` and `types` have its
    squares by building and by colour. `monument` is the id of its monument, and `means` has coins and rulings."""
    search = searches(at, types, monument, means)
    found = best_of(search, NOTHING)
    reach = 0
    for one in search:
        reach |= one.fixed | one.open
    if found is None:
        return Feeding(reach=reach)
    _, fed, offer = found
    paid_for = offer.coins and offer.picked
    return Feeding(fed, (fed & offer.picked,) if paid_for else offer.chosen, offer.coins, reach)


def most_value(
    at: dict[str, Squares], types: Mapping[str, Squares], monument: str, means: FeedingFacts, beaten: int
) -> int | None:
    """Return the points of the best feeding, including those of Monasteries, or None if not more than `beaten`. The
    other arguments describe the town, as for `feed`."""
    found = best_of(searches(at, types, monument, means, beaten), beaten)
    return None if found is None else found[0]


def searches(
    at: dict[str, Squares], types: Mapping[str, Squares], monument: str, means: FeedingFacts, beaten: int = NOTHING
) -> list[Settled | Search]:
    """Return searches that together find the best feeding, or [] if no feeding can bring more than `beaten`. An offer
    is one use of the card that feeds. One that leaves no choice comes first, as `Settled`. The other searches
    follow, the most promising first. The other arguments describe the town, as for `feed`."""
    kind = next((kind for kind in FEEDERS if kind in at), None)
    if kind is None:
        return []
    town = value_feeding(at, monument, means.lesson)
    away = sum([farthest(index, town.cottages) for index in each(at["monastery"])])
    if not town.feedable or town.value(town.portion(town.feedable)) + away <= beaten:
        return []
    different: dict[tuple[int, ...], Offer] = {}
    for offer in offers(
        kind, town, at[kind], types, means, beaten - away
    ):  # the first of equal offers costs the fewest coins
        different.setdefault((offer.fixed, offer.free, offer.picked, offer.most), offer)
    settled, at_will, bound = [], [], []
    for offer in different.values():
        if not (offer.free or offer.most):
            settled.append(offer)
        elif offer.fixed or offer.least:
            bound.append([offer])
        else:
            at_will.append(offer)
    search: list[Settled | Search] = []
    if settled:
        search.append(Settled(town, settled, at["monastery"], means.coin_worth, away))
    search += [Search(town, ways, at["monastery"], means.coin_worth) for ways in (at_will, *bound) if ways]
    return sorted(search, key=lambda one: one.bound, reverse=True)


def best_of(search: list[Settled | Search], beaten: int) -> Fed | None:
    """Return the best feeding that any of the searches finds, or None if none brings more than `beaten`."""
    most, found = beaten, None
    for one in search:
        if one.bound <= most:
            break
        better = one.best(most)
        if better is not None:
            most, found = better[0], better
    return found


class Settled:
    """Compare several offers that each fix which squares are fed, with nothing left to choose."""

    bound = 10**6  # they are cheap, so they come first

    def __init__(
        self, town: FeedingValues, ways: list[Offer], monasteries: Squares, coin_worth: int, away: int
    ) -> None:
        self.town, self.ways, self.monasteries, self.coin_worth = town, ways, monasteries, coin_worth
        self.away = away  # the sum of steps from each Monastery to its farthest Cottage
        self.fixed, self.open = 0, 0
        for way in ways:
            self.fixed |= way.fixed
            self.open |= way.picked

    def best(self, beaten: int) -> Fed | None:
        """Return the points (Monasteries included), fed squares and offer of the best feeding, or None if not more than
        `beaten`."""
        most, found = beaten, None
        for way in self.ways:
            value = self.town.value(self.town.portion(way.fixed)) - self.coin_worth * way.coins
            if value + self.away <= most:
                continue
            value += points(self.monasteries, way.fixed & self.town.cottages)
            if value > most:
                most, found = value, (value, way.fixed, way)
        return found


class Search:
    """Find the best feeding among the offers `ways`, by trying how far each Monastery keeps fed Cottages away. Several
    offers share a search only if none of them says that something must be fed."""

    def __init__(self, town: FeedingValues, ways: list[Offer], monasteries: Squares, coin_worth: int) -> None:
        self.town, self.monasteries = town, monasteries
        self.ways = sorted([(coin_worth * way.coins, way) for way in ways], key=itemgetter(0))
        self.fixed, self.least = ways[0].fixed, ways[0].least
        self.open, self.picked = 0, 0
        for way in ways:
            self.open |= way.free | way.picked
            self.picked |= way.picked
        fixed, others = self.fixed & town.cottages, self.open & town.cottages
        self.caps = [(index, nearest(index, fixed) or farthest(index, others)) for index in each(monasteries)]
        most = self.fill(self.open)
        self.most_fed = most[0] if most else NOTHING
        # A Monastery's distance is limited by the Cottages that are always fed, or else by the farthest Cottage.
        self.bound = self.most_fed + sum([cap for _, cap in self.caps])

    def fill(self, allowed: Squares, cottages: Squares = 0, beaten: int = NOTHING) -> Fed | None:
        """Return the best feeding if only the squares `allowed`, and those that are always fed, may be fed. Its points
        do not include Monasteries; return None if they are not more than `beaten`. If `cottages` is not empty, at
        least one of them must be fed."""
        town, tried = self.town, set()
        most = town.value(town.portion(self.fixed | self.open & allowed))
        found: Fed | None = None
        for cost, way in self.ways:
            if most - cost <= beaten:
                break
            given, picked = way.fixed | way.free & allowed, way.picked & allowed if way.most else 0
            if (given, picked, way.most) in tried or (cottages and not (given | picked) & cottages):
                continue
            tried.add((given, picked, way.most))
            portion = town.portion(given)
            if way.most:
                portion = best(town, [town.portions[index] for index in each(picked)], way.most, portion)
            value = town.value(portion) - cost
            if value > beaten:
                beaten, found = value, (value, portion & FED, way)
        return found

    def best(self, beaten: int) -> Fed | None:
        """Return the points (Monasteries included), fed squares and offer of the best feeding, or None if not more than
        `beaten`."""
        most, found = beaten, None
        for allowed, steps in sorted(self.kept_away().items(), key=itemgetter(1), reverse=True):
            if steps + self.most_fed <= most:
                break
            filled = self.fill(allowed, (self.fixed | allowed) & self.town.cottages, most - steps)
            if filled is None:
                continue
            value, fed, way = filled
            value += points(self.monasteries, fed & self.town.cottages)
            if value > most:
                most, found = value, (value, fed, way)
        return found

    def kept_away(self) -> dict[Squares, int]:
        """Return each set of squares that may be fed when Monasteries keep the Cottages near them unfed. Its value is
        the greatest sum of distances that the Monasteries can then have."""
        states = {self.open: 0}
        for index, cap in self.caps:
            closer = [squares & self.town.cottages for squares in CLOSER[index]]
            further: dict[Squares, int] = {}
            for allowed, steps in states.items():
                for far in range(1, cap + 1):
                    left = allowed & ~closer[far]
                    if (left & self.picked).bit_count() < self.least:
                        break
                    if further.get(left, -1) < steps + far:
                        further[left] = steps + far
            states = further
        others = self.open & ~self.town.cottages
        if (others & self.picked).bit_count() >= self.least:
            states.setdefault(others, len(self.caps))  # no Cottage is fed
        return states
