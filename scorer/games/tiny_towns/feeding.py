"""Who is fed: the best choice for the owner of the town, found exactly.

What can be fed are the buildings with the feed symbol: Cottages, Barrett Castle, Eraflage Vineyard. Granaries and
Orchards leave no choice. Farms, Greenhouses, and the coins of Fortune do; the rulebook gives it to nobody in
particular, so the owner has it. To feed one more never costs points, but who is fed matters, because Temples and
Parsonages watch particular squares. The largest group is not always the best one.

The search. What one meal feeds (a square, a group) is a *portion*, and a portion is one number, laid out so that the
sum of portions that do not overlap is itself a portion:

    bits 0-15    the squares it feeds
    bits 16-79   one lane of four bits per watcher: how many of the fed Cottages beside it are in the portion
    above        the points it brings at once: for Cottages, Castle or Vineyard, and through Chapels

Adding up a set of portions so gives the squares, the points, and the state of every watcher in one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE, MONUMENTS
from scorer.games.tiny_towns.squares import AROUND, BESIDE, COLUMNS, COUNT, IN_LINE, ROWS, Squares, each, groups

LANES = COUNT  # the first bit of the watchers' lanes
LANE = 4  # bits: a watcher sees at most 5 Cottages, three and the Castle as two
POINTS = LANES + LANE * COUNT  # the first bit of the points
FED = (1 << COUNT) - 1  # the part of a portion that is squares,
WATCHED = (1 << POINTS) - (1 << LANES)  # and the part that is lanes
CASTLE_COTTAGES = 2  # Barrett Castle counts as 2 Cottages for all building scoring

Portion = int


@dataclass(frozen=True, slots=True)
class Feeding:
    """Who is fed, by which portions where there was a choice, and how many coins that took."""

    fed: Squares = 0
    chosen: tuple[Squares, ...] = ()
    coins: int = 0


@dataclass(frozen=True, slots=True)
class Appetite:
    """What it is worth to feed whom in one town."""

    hungry: Squares
    portions: dict[int, Portion]  # for each hungry square
    reward: int  # points of a satisfied watcher
    bias: int  # brings a lane to its highest bit as soon as the watcher is satisfied
    highest: int  # the highest bits of all lanes

    def value(self, portion: Portion) -> int:
        """The points a portion (a sum of portions) brings."""
        return (portion >> POINTS) + self.reward * ((portion + self.bias) & self.highest).bit_count()

    def portion(self, squares: Squares) -> Portion:
        """What it means to feed all that is hungry on these squares."""
        return sum([self.portions[index] for index in each(squares & self.hungry)])


def appetite(at: dict[str, Squares], monument: str) -> Appetite:
    """The worth of feeding in a town with these buildings, its standing monument among them."""
    cottages = at.get(COTTAGE, 0)
    castle = at["monument"] if monument == "barrett_castle" else 0
    vineyard = at["monument"] if monument == "eraflage_vineyard" else 0
    chapels = at.get("chapel", 0).bit_count() * BUILDINGS["chapel"].worth
    # With the Mausoleum a Cottage is worth its 3 points unfed as well.
    worth = 0 if monument == "grand_mausoleum_of_the_rodina" else BUILDINGS[COTTAGE].worth
    watcher = BUILDINGS["temple" if "temple" in at else "parsonage"]
    watched = [BESIDE[index] & (cottages | castle) for index in each(at.get(watcher.id, 0))]
    portions = {}
    for index in each(cottages | castle | vineyard):
        square = 1 << index
        if square == vineyard:
            cottage, points = 0, MONUMENTS[monument].worth
        elif square == castle:
            cottage, points = CASTLE_COTTAGES, MONUMENTS[monument].worth + CASTLE_COTTAGES * chapels
        else:
            cottage, points = 1, worth + chapels
        lanes = sum([cottage << LANE * lane for lane, near in enumerate(watched) if near & square])
        portions[index] = square | lanes << LANES | points << POINTS
    ones = sum([1 << LANES + LANE * lane for lane in range(len(watched))])
    half = 1 << LANE - 1
    return Appetite(cottages | castle | vineyard, portions, watcher.worth, ones * (half - watcher.needs), ones * half)


def feed(at: dict[str, Squares], monument: str, coins: int, coin_worth: int) -> Feeding:
    """The best feeding of a town; a table plays one red card, so at most one kind of building feeds."""
    kind = next((kind for kind in FEEDERS if kind in at), None)
    if kind is None:
        return Feeding()
    town = appetite(at, monument)
    if not town.hungry:
        return Feeding()
    return FREE[kind](town, at[kind]) if kind in FREE else PAID[kind](town, at[kind], coins, coin_worth)


def farm(town: Appetite, farms: Squares) -> Feeding:
    """Each Farm feeds 4 anywhere."""
    meals = BUILDINGS["farm"].feeds * farms.bit_count()
    return Feeding(best(town, list(town.portions.values()), meals) & FED)


def granary(town: Appetite, granaries: Squares) -> Feeding:
    """Each Granary feeds the 8 squares around it."""
    return Feeding(reached(granaries, AROUND) & town.hungry)


def orchard(town: Appetite, orchards: Squares) -> Feeding:
    """Each Orchard feeds its row and its column."""
    return Feeding(reached(orchards, IN_LINE) & town.hungry)


def greenhouse(town: Appetite, greenhouses: Squares) -> Feeding:
    """Each Greenhouse feeds one group anywhere."""
    portions = {group: town.portion(group) for group in groups(town.hungry)}
    fed = best(town, list(portions.values()), greenhouses.bit_count()) & FED
    return Feeding(fed, tuple(group for group in portions if group & fed))


def tithe_barn(town: Appetite, barns: Squares, coins: int, coin_worth: int) -> Feeding:
    """What stands beside it is fed for nothing; every coin feeds 2 more, if that brings more than the coin is worth."""
    given = town.portion(reached(barns, BESIDE))
    others = [portion for portion in town.portions.values() if not portion & given & FED]
    meals = BUILDINGS["tithe_barn"].feeds
    useful = min(coins, -(-len(others) // meals))
    tries = [best(town, others, meals * paid, given) for paid in range(useful + 1)]
    paid = max(range(useful + 1), key=lambda paid: town.value(tries[paid]) - paid * coin_worth)
    fed = tries[paid] & FED
    return Feeding(fed, (fed & ~given,) if paid else (), paid)


def root_cellar(town: Appetite, _cellars: Squares, coins: int, coin_worth: int) -> Feeding:
    """Every coin feeds one row or column, if that brings more than the coin is worth. One Root Cellar is enough."""
    lines = [line for line in (*ROWS, *COLUMNS) if line & town.hungry]
    most, found = 0, Feeding()
    for paid in range(1, min(coins, len(lines)) + 1):
        for chosen in combinations(lines, paid):
            fed = 0
            for line in chosen:
                fed |= line
            value = town.value(town.portion(fed)) - paid * coin_worth
            if value > most:
                most, found = value, Feeding(fed & town.hungry, chosen, paid)
    return found


FREE = {"farm": farm, "granary": granary, "orchard": orchard, "greenhouse": greenhouse}
PAID = {"tithe_barn": tithe_barn, "root_cellar": root_cellar}  # they feed for coins
FEEDERS = (*FREE, *PAID)


def reached(feeders: Squares, reach: Sequence[Squares]) -> Squares:
    found = 0
    for index in each(feeders):
        found |= reach[index]
    return found


def best(town: Appetite, portions: Sequence[Portion], meals: int, given: Portion = 0) -> Portion:
    """The best sum of at most `meals` portions on top of what is given, all without overlap.

    Portions nobody watches differ in points alone and are taken from the top. Among the watched ones every
    combination is tried, but not every number of them: to give up a watched portion pays only for one that brings
    more points at once (for Barrett Castle, say), as another portion never lowers what the watchers bring.
    """
    watched = [portion for portion in portions if portion & WATCHED]
    calm = sorted((p for p in portions if not p & WATCHED), key=lambda p: p >> POINTS, reverse=True)
    least = min([portion >> POINTS for portion in watched], default=0)
    tempting = sum([portion >> POINTS > least for portion in calm])
    top = min(meals, len(watched))
    most, found = -1, given
    for number in range(top, max(0, top - tempting) - 1, -1):
        rest = given + sum(calm[: meals - number])
        for chosen in combinations(watched, number):
            fed = sum(chosen, rest)
            value = (fed >> POINTS) + town.reward * ((fed + town.bias) & town.highest).bit_count()
            if value > most:
                most, found = value, fed
    return found
