"""The best feeding where a Monastery stands: it wants its nearest fed Cottage far away, so to feed more can hurt.

Exact over all choices that the red card leaves. A choice is an *offer*: squares that are fed anyhow, squares that may
be left out, and squares of which a number is picked. For one offer it is enough to decide how far every Monastery keeps
fed Cottages away: closer Cottages are left out, and among all others more never hurts again. Distances that leave out
the same Cottages are one decision, and those that cannot beat what was found already are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from scorer.games.tiny_towns.cards import BUILDINGS
from scorer.games.tiny_towns.feeding import (
    FED,
    FEEDERS,
    Appetite,
    Feeding,
    Means,
    Portion,
    appetite,
    best,
    by_lines,
    by_types,
    lone,
    nectar,
    reached,
)
from scorer.games.tiny_towns.squares import AROUND, BESIDE, COUNT, IN_LINE, STEPS, Squares, each, groups

FARTHEST = max(STEPS[0])  # steps from corner to corner
# CLOSER[square][far]: the squares less than so many steps away.
CLOSER = tuple(
    tuple(sum([1 << index for index in range(COUNT) if steps[index] < far]) for far in range(FARTHEST + 1))
    for steps in STEPS
)


@dataclass(frozen=True, slots=True)
class Offer:
    """One way to use the buildings that feed, as far as it leaves a choice."""

    fixed: Squares = 0  # fed whether one likes it or not
    free: Squares = 0  # fed or not, each of them
    picked: Squares = 0  # of these
    least: int = 0  # at least so many,
    most: int = 0  # and at most so many are fed
    coins: int = 0
    chosen: tuple[Squares, ...] = ()


def nearest(index: int, cottages: Squares) -> int:
    """How many steps it is from this square to the nearest of these Cottages; 0 if there is none."""
    return min([STEPS[index][cottage] for cottage in each(cottages)], default=0)


def farthest(index: int, cottages: Squares) -> int:
    """How many steps it is to the farthest of these; 1 if there is none, which is worth as much."""
    return max([STEPS[index][cottage] for cottage in each(cottages)], default=1)


def worth(index: int, cottages: Squares) -> int:
    """What a Monastery is worth when these Cottages are fed: 1, and the squares between, which are the steps less 1."""
    return BUILDINGS["monastery"].worth * max(1, nearest(index, cottages))


def points(monasteries: Squares, cottages: Squares) -> int:
    return sum([worth(index, cottages) for index in each(monasteries)])


def feed(at: dict[str, Squares], types: Mapping[str, Squares], monument: str, means: Means) -> Feeding:
    """The best of all offers; those that promise most come first."""
    kind = next((kind for kind in FEEDERS if kind in at), None)
    if kind is None:
        return Feeding()
    town = appetite(at, monument, means.lesson)
    if not town.hungry:
        return Feeding()
    different: dict[tuple[int, ...], Offer] = {}
    for offer in offers(kind, town, at[kind], types, means):  # of equal ones the first, which costs the fewest coins
        different.setdefault((offer.fixed, offer.free, offer.picked, offer.most), offer)
    search = [Search(town, offer, at["monastery"], means.coin_worth * offer.coins) for offer in different.values()]
    most, found, reach = -1, Feeding(), 0
    for one in sorted(search, key=lambda one: one.bound, reverse=True):
        reach |= one.offer.fixed | one.offer.free | one.offer.picked
        if one.bound <= most:
            continue
        value, fed = one.best(most)
        if value > most:
            paid_for = one.offer.coins and one.offer.picked
            most = value
            found = Feeding(fed, (fed & one.offer.picked,) if paid_for else one.offer.chosen, one.offer.coins)
    return Feeding(found.fed, found.chosen, found.coins, reach)


def offers(kind: str, town: Appetite, feeders: Squares, types: Mapping[str, Squares], means: Means) -> Iterator[Offer]:
    """What the red card leaves to the owner (ruling `feeding`: all that can be fed must be, or may be)."""
    number = feeders.bit_count()
    if kind in ("granary", "orchard", "nectar_farm"):
        fed = nectar(town) if kind == "nectar_farm" else reached(feeders, AROUND if kind == "granary" else IN_LINE)
        yield whole(fed & town.hungry, means)
    elif kind == "farm":
        meals = min(BUILDINGS[kind].feeds * number, town.hungry.bit_count())
        yield Offer(picked=town.hungry, least=0 if means.may else meals, most=meals)
    elif kind == "vegetable_patch":
        yield Offer(picked=lone(town), most=BUILDINGS[kind].feeds * number)
    elif kind == "greenhouse":
        found = groups(town.hungry)
        for size in range(1, min(number, len(found)) + 1):
            for chosen in combinations(found, size):
                yield whole(sum(chosen), means, chosen)
    elif kind == "grange":
        for size in range(number + 1):
            for chosen, fed in by_types(town, types, size):
                yield whole(fed, means, chosen)
    elif kind == "tithe_barn":
        yield from bought(town, reached(feeders, BESIDE) & town.hungry, means)
    else:
        yield Offer()
        for chosen, fed in by_lines(town, means.coins):
            yield whole(fed, means, chosen, len(chosen))


def whole(fed: Squares, means: Means, chosen: tuple[Squares, ...] = (), coins: int = 0) -> Offer:
    """All of these, or under the milder ruling any of them."""
    return Offer(free=fed, chosen=chosen, coins=coins) if means.may else Offer(fed, chosen=chosen, coins=coins)


def bought(town: Appetite, given: Squares, means: Means) -> Iterator[Offer]:
    """A Tithe Barn: nobody has to spend a coin, but a coin that is spent feeds 2."""
    others = town.hungry & ~given
    each_coin = BUILDINGS["tithe_barn"].feeds
    for coins in range(min(means.coins, -(-others.bit_count() // each_coin)) + 1):
        meals = min(each_coin * coins, others.bit_count())
        if means.may:
            yield Offer(free=given, picked=others, most=meals, coins=coins)
        else:
            yield Offer(given, picked=others, least=meals, most=meals, coins=coins)


class Search:
    """The best way to accept one offer."""

    def __init__(self, town: Appetite, offer: Offer, monasteries: Squares, cost: int) -> None:
        self.town, self.offer, self.monasteries, self.cost = town, offer, monasteries, cost
        fixed, others = offer.fixed & town.cottages, (offer.free | offer.picked) & town.cottages
        self.caps = [(index, nearest(index, fixed) or farthest(index, others)) for index in each(monasteries)]
        self.most_fed = town.value(self.fill(offer.free | offer.picked)) - cost
        # A Monastery is as far from fed Cottages as the fixed ones let it be, or as the farthest of all, at best.
        self.bound = self.most_fed + sum([cap for _, cap in self.caps])

    def fill(self, allowed: Squares) -> Portion:
        """The most valuable feeding that leaves out what is not allowed."""
        given = self.town.portion(self.offer.fixed | self.offer.free & allowed)
        if not self.offer.most:
            return given
        picked = [self.town.portions[index] for index in each(self.offer.picked & allowed)]
        return best(self.town, picked, self.offer.most, given)

    def best(self, beaten: int) -> tuple[int, Squares]:
        """The points and who is fed; less than `beaten` is not looked for."""
        most, found = beaten, 0
        for allowed, steps in sorted(self.kept_away().items(), key=lambda pair: pair[1], reverse=True):
            if steps + self.most_fed <= most:
                break
            portion = self.fill(allowed)
            fed = portion & FED
            value = self.town.value(portion) - self.cost + points(self.monasteries, fed & self.town.cottages)
            if value > most:
                most, found = value, fed
        return most, found

    def kept_away(self) -> dict[Squares, int]:
        """Every different set of squares that may still be fed when the Monasteries keep a distance, each with the
        greatest sum of distances that leaves it."""
        states = {self.offer.free | self.offer.picked: 0}
        for index, cap in self.caps:
            closer = [squares & self.town.cottages for squares in CLOSER[index]]
            further: dict[Squares, int] = {}
            for allowed, steps in states.items():
                for far in range(1, cap + 1):
                    left = allowed & ~closer[far]
                    if (left & self.offer.picked).bit_count() < self.offer.least:
                        break
                    if further.get(left, -1) < steps + far:
                        further[left] = steps + far
            states = further
        return states
