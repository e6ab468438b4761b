"""Compute the value of feeding in a town, and find the best choice among portions.

A *portion* is what one meal feeds: a square or a group. A *watching building* scores if enough Cottages near it are
fed. A portion is a single number, laid out so that the sum of portions without overlap is a portion too:

    bits 0-15     the squares that it feeds
    bits 16-143   lanes of four bits, each with the number of fed Cottages that a watching building sees
    above         its immediate points: for Cottages, Castle or Vineyard, and through Chapels

So one addition yields the squares, the points and the state of every watching building. All lanes have the same value;
a building worth twice as much has two lanes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE, MONUMENTS
from scorer.games.tiny_towns.squares import BESIDE, COUNT, IN_LINE, Squares, each

LANES = COUNT  # the first bit of the watchers' lanes
LANE = 4  # bits: a watcher sees at most 7 Cottages, five and the Castle as two, and is satisfied by 2 at most
POINTS = LANES + 2 * LANE * COUNT  # the first bit of the points; a watcher has two lanes at most
FED = (1 << COUNT) - 1  # the part of a portion that is squares,
WATCHED = (1 << POINTS) - (1 << LANES)  # and the part that is lanes
CASTLE_COTTAGES = 2  # Barrett Castle counts as 2 Cottages for all building scoring
COIN = 1  # point for each coin left (Fortune)
Portion = int


@dataclass(frozen=True, slots=True)
class Feeding:
    """Hold the fed squares, the groups or lines chosen for that, the coins spent, and all squares that could be fed."""

    fed: Squares = 0
    chosen: tuple[Squares, ...] = ()  # groups, lines, squares paid for, or all the buildings of a type
    coins: int = 0
    reach: Squares = 0


NOBODY_FED = Feeding()


@dataclass(frozen=True, slots=True)
class FeedingFacts:
    """Hold what decides the best feeding besides the buildings: coins and what they score, and two rulings."""

    coins: int = 0
    coin_worth: int = COIN
    lesson: int = 0  # points for a Schoolhouse beside a fed Cottage
    may: bool = False  # whether the owner may feed fewer than could be fed (a ruling)


@dataclass(frozen=True, slots=True)
class FeedingValues:
    """Hold the value of feeding each building of one town."""

    feedable: Squares  # the buildings with the feed symbol
    cottages: Squares  # the Cottages among them, including Barrett Castle
    portions: dict[int, Portion]  # for each feedable square
    reward: int  # points of a satisfied lane
    bias: int  # brings a lane to its highest bit as soon as the watcher is satisfied
    highest: int  # the highest bits of all lanes

    def value(self, portion: Portion) -> int:
        """Return the points that a portion, or a sum of portions, brings."""
        return (portion >> POINTS) + self.reward * ((portion + self.bias) & self.highest).bit_count()

    def portion(self, squares: Squares) -> Portion:
        """Return the portion that feeds all buildings with the feed symbol on these squares."""
        return sum([self.portions[index] for index in each(squares & self.feedable)])


def value_feeding(at: dict[str, Squares], monument: str, lesson: int) -> FeedingValues:
    """Return what feeding each building of a town is worth. `at` has its squares by building, and `monument` is the id
    of its monument. `lesson` is the points of a Schoolhouse beside a fed Cottage."""
    cottages = at.get(COTTAGE, 0)
    castle = at["monument"] if monument == "barrett_castle" else 0
    vineyard = at["monument"] if monument == "eraflage_vineyard" else 0
    chapels = at.get("chapel", 0).bit_count() * BUILDINGS["chapel"].worth
    # With the Mausoleum an unfed Cottage is also worth its 3 points.
    worth = 0 if monument == "grand_mausoleum_of_the_rodina" else BUILDINGS[COTTAGE].worth
    reward, watched = lanes_of(at, cottages | castle, lesson)
    portions = {}
    for index in each(cottages | castle | vineyard):
        square = 1 << index
        if square == vineyard:
            cottage, points = 0, MONUMENTS[monument].worth
        elif square == castle:
            cottage, points = CASTLE_COTTAGES, MONUMENTS[monument].worth + CASTLE_COTTAGES * chapels
        else:
            cottage, points = 1, worth + chapels
        lanes = sum([cottage << LANE * lane for lane, (near, _) in enumerate(watched) if near & square])
        portions[index] = square | lanes << LANES | points << POINTS
    half = 1 << LANE - 1
    bias = sum([half - needs << LANES + LANE * lane for lane, (_, needs) in enumerate(watched)])
    highest = sum([half << LANES + LANE * lane for lane in range(len(watched))])
    return FeedingValues(cottages | castle | vineyard, cottages | castle, portions, reward, bias, highest)


def lanes_of(at: dict[str, Squares], cottages: Squares, lesson: int) -> tuple[int, list[tuple[Squares, int]]]:
    """Return the points of a lane, and for each lane its Cottages and how many of them must be fed. A lane stands for a
    building that scores by fed Cottages, or for an equal part of its points. `at` has the squares by building,
    `cottages` all Cottages, and `lesson` the points of a Schoolhouse."""
    orange, store = BUILDINGS["temple" if "temple" in at else "parsonage"], BUILDINGS["friendly_local_game_store"]
    watchers = [(BESIDE[index], orange.worth, orange.needs) for index in each(at.get(orange.id, 0))]
    watchers += [(BESIDE[index], lesson, BUILDINGS["schoolhouse"].needs) for index in each(at.get("schoolhouse", 0))]
    watchers += [(IN_LINE[index], store.each, store.needs) for index in each(at.get(store.id, 0))]
    reward = math.gcd(*[worth for _, worth, _ in watchers])
    return reward, [(sees & cottages, needs) for sees, worth, needs in watchers for _ in range(worth // reward)]


def best(town: FeedingValues, portions: Sequence[Portion], meals: int, given: Portion = 0) -> Portion:
    """Return the sum of `given` and at most `meals` of the portions that brings the most points. They must not overlap.
    Portions that no building watches are taken by points, the highest first. Watched ones are tried in every
    combination. Fewer watched ones than possible are tried only if an unwatched one has more immediate points."""
    watched = [portion for portion in portions if portion & WATCHED]
    unwatched = sorted((p for p in portions if not p & WATCHED), key=lambda p: p >> POINTS, reverse=True)
    least = min([portion >> POINTS for portion in watched], default=0)
    tempting = sum([portion >> POINTS > least for portion in unwatched])
    top = min(meals, len(watched))
    most, found = -1, given
    for number in range(top, max(0, top - tempting) - 1, -1):
        rest = given + sum(unwatched[: meals - number])
        for chosen in combinations(watched, number):
            fed = sum(chosen, rest)
            value = (fed >> POINTS) + town.reward * ((fed + town.bias) & town.highest).bit_count()
            if value > most:
                most, found = value, fed
    return found
