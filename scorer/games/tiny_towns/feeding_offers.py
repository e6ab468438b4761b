"""List the ways in which the red card of a table lets the owner of a town feed buildings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from scorer.games.tiny_towns.cards import BUILDINGS
from scorer.games.tiny_towns.feeding import by_lines, by_types, lone, nectar, reached
from scorer.games.tiny_towns.feeding_values import FED, FeedingFacts, FeedingValues
from scorer.games.tiny_towns.squares import AROUND, BESIDE, IN_LINE, Squares, groups


class Offer(NamedTuple):
    """Describe one way to feed: squares that are always fed (`fixed`), and squares that may be fed or not (`free`). Of
    the squares `picked`, at least `least` and at most `most` are fed. It costs `coins`, and `chosen` has the groups
    or lines that it feeds."""

    fixed: Squares = 0  # always fed
    free: Squares = 0  # each of these may be fed or not
    picked: Squares = 0  # among these,
    least: int = 0  # at least this many,
    most: int = 0  # and at most this many are fed
    coins: int = 0
    chosen: tuple[Squares, ...] = ()


def offers(
    kind: str, town: FeedingValues, feeders: Squares, types: Mapping[str, Squares], means: FeedingFacts, beaten: int
) -> Iterator[Offer]:
    """Yield the ways to feed with the red card `kind`, such as "farm", whose buildings are on `feeders`. `types` has
    squares by colour, `means` the rulings and coins. Rows and columns to buy are only listed if worth more than
    `beaten` points."""
    number = feeders.bit_count()
    if kind in ("granary", "orchard", "nectar_farm"):
        fed = nectar(town) if kind == "nectar_farm" else reached(feeders, AROUND if kind == "granary" else IN_LINE)
        yield offer_of(fed & town.feedable, means)
    elif kind == "farm":
        meals = min(BUILDINGS[kind].feeds * number, town.feedable.bit_count())
        yield Offer(picked=town.feedable, least=0 if means.may else meals, most=meals)
    elif kind == "vegetable_patch":
        yield Offer(picked=lone(town), most=BUILDINGS[kind].feeds * number)
    elif kind == "greenhouse":
        yield from by_groups(town, number, means)
    elif kind == "grange":
        for size in range(number + 1):
            for chosen, fed in by_types(town, types, size):
                yield offer_of(fed, means, chosen)
    elif kind == "tithe_barn":
        yield from tithe_barn_offers(town, reached(feeders, BESIDE) & town.feedable, means)
    else:
        yield from by_bought_lines(town, means, beaten)


def by_groups(town: FeedingValues, number: int, means: FeedingFacts) -> Iterator[Offer]:
    """Yield each way to feed with `number` Greenhouses, each of which feeds one connected group. `means` says whether
    some of a group may stay unfed."""
    found = groups(town.feedable)
    for size in range(1, min(number, len(found)) + 1):
        for chosen in combinations(found, size):
            yield offer_of(sum(chosen), means, chosen)


def by_bought_lines(town: FeedingValues, means: FeedingFacts, beaten: int) -> Iterator[Offer]:
    """Yield the offer to buy no row or column, and each offer to buy some that brings more than `beaten` points.
    `means` has the player's coins."""
    yield Offer()
    for chosen, portion in by_lines(town, means.coins):
        if town.value(portion) - means.coin_worth * len(chosen) > beaten:
            yield offer_of(portion & FED, means, chosen, len(chosen))


def offer_of(fed: Squares, means: FeedingFacts, chosen: tuple[Squares, ...] = (), coins: int = 0) -> Offer:
    """Return an offer to feed all squares `fed`. If `means.may`, each of them may also stay unfed. `chosen` are the
    groups or rows picked for it, and `coins` the coins spent."""
    return Offer(free=fed, chosen=chosen, coins=coins) if means.may else Offer(fed, chosen=chosen, coins=coins)


def tithe_barn_offers(town: FeedingValues, given: Squares, means: FeedingFacts) -> Iterator[Offer]:
    """Yield the ways to feed with a Tithe Barn. It feeds the squares `given` for free, and up to 2 more for each coin
    spent."""
    others = town.feedable & ~given
    each_coin = BUILDINGS["tithe_barn"].feeds
    for coins in range(min(means.coins, -(-others.bit_count() // each_coin)) + 1):
        meals = min(each_coin * coins, others.bit_count())
        if means.may:
            yield Offer(free=given, picked=others, most=meals, coins=coins)
        else:
            yield Offer(given, picked=others, least=meals, most=meals, coins=coins)
