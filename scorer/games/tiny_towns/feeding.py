"""Choose who is fed: the best choice for the owner of the town, found exactly.

What can be fed are the buildings with the feed symbol: Cottages, Barrett Castle, Eraflage Vineyard. Granaries, Orchards
and Nectar Farms leave no choice. All others do; the rulebook gives it to nobody in particular, so the owner has it. To
feed one more never costs points unless a Monastery stands in the town (monasteries.py), but who is fed matters, because
Temples, Parsonages, Schoolhouses and Friendly Local Game Stores watch particular squares. The largest group is not
always the best one.

The search. What one meal feeds (a square, a group) is a *portion*, and a portion is one number, laid out so that the
sum of portions that do not overlap is itself a portion:

    bits 0-15     the squares it feeds
    bits 16-143   lanes of four bits for the watchers: how many of the fed Cottages they see are in the portion
    above         the points it brings at once: for Cottages, Castle or Vineyard, and through Chapels

Adding up a set of portions so gives the squares, the points, and the state of every watcher in one go. All lanes are
worth the same; a watcher that is worth twice as much as another has two of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE, MONUMENTS
from scorer.games.tiny_towns.squares import AROUND, BESIDE, COLUMNS, COUNT, IN_LINE, ROWS, SIDE, Squares, each, groups

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
    """Hold who is fed, by which portions where there was a choice, how many coins that took, and who could be fed at
    all.
    """

    fed: Squares = 0
    chosen: tuple[Squares, ...] = ()  # groups, lines, squares paid for, or all the buildings of a type
    coins: int = 0
    reach: Squares = 0


NOBODY_FED = Feeding()


@dataclass(frozen=True, slots=True)
class Means:
    """Hold what the feeding depends on besides the buildings."""

    coins: int = 0
    coin_worth: int = COIN
    lesson: int = 0  # what a fed Cottage beside a Schoolhouse brings
    may: bool = False  # whether the owner may feed fewer than could be fed (a ruling)


@dataclass(frozen=True, slots=True)
class Appetite:
    """Hold what it is worth to feed whom in one town."""

    hungry: Squares
    cottages: Squares  # those of the hungry that are Cottages, Barrett Castle among them
    portions: dict[int, Portion]  # for each hungry square
    reward: int  # points of a satisfied lane
    bias: int  # brings a lane to its highest bit as soon as the watcher is satisfied
    highest: int  # the highest bits of all lanes

    def value(self, portion: Portion) -> int:
        """The points a portion (a sum of portions) brings."""
        return (portion >> POINTS) + self.reward * ((portion + self.bias) & self.highest).bit_count()

    def portion(self, squares: Squares) -> Portion:
        """Return what it means to feed all that is hungry on these squares."""
        return sum([self.portions[index] for index in each(squares & self.hungry)])


def appetite(at: dict[str, Squares], monument: str, lesson: int) -> Appetite:
    """The worth of feeding in a town with these buildings, its standing monument among them."""
    cottages = at.get(COTTAGE, 0)
    castle = at["monument"] if monument == "barrett_castle" else 0
    vineyard = at["monument"] if monument == "eraflage_vineyard" else 0
    chapels = at.get("chapel", 0).bit_count() * BUILDINGS["chapel"].worth
    # With the Mausoleum a Cottage is worth its 3 points unfed as well.
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
    return Appetite(cottages | castle | vineyard, cottages | castle, portions, reward, bias, highest)


def lanes_of(at: dict[str, Squares], cottages: Squares, lesson: int) -> tuple[int, list[tuple[Squares, int]]]:
    """Return what a lane is worth, and for each lane the Cottages its watcher sees and how many of them have to be
    fed.
    """
    orange, store = BUILDINGS["temple" if "temple" in at else "parsonage"], BUILDINGS["friendly_local_game_store"]
    watchers = [(BESIDE[index], orange.worth, orange.needs) for index in each(at.get(orange.id, 0))]
    watchers += [(BESIDE[index], lesson, BUILDINGS["schoolhouse"].needs) for index in each(at.get("schoolhouse", 0))]
    watchers += [(IN_LINE[index], store.each, store.needs) for index in each(at.get(store.id, 0))]
    reward = math.gcd(*[worth for _, worth, _ in watchers])
    return reward, [(sees & cottages, needs) for sees, worth, needs in watchers for _ in range(worth // reward)]


def feed(at: dict[str, Squares], types: Mapping[str, Squares], monument: str, means: Means) -> Feeding:
    """The best feeding of a town; a table plays one red card, so at most one kind of building feeds."""
    kind = next((kind for kind in FEEDERS if kind in at), None)
    if kind is None:
        return NOBODY_FED
    town = appetite(at, monument, means.lesson)
    if not town.hungry:
        return NOBODY_FED
    return FEEDERS[kind](town, at[kind], types, means)


def most_value(
    at: dict[str, Squares], types: Mapping[str, Squares], monument: str, means: Means, beaten: int
) -> int | None:
    """Return what the best feeding brings, less what it costs; None if that is not more than `beaten`."""
    kind = next((kind for kind in FEEDERS if kind in at), None)
    if kind is None:
        return None
    town = appetite(at, monument, means.lesson)
    if not town.hungry or town.value(town.portion(town.hungry)) <= beaten:
        return None
    found = FEEDERS[kind](town, at[kind], types, means)
    value = town.value(town.portion(found.fed)) - means.coin_worth * found.coins
    return value if value > beaten else None


Feeder = Callable[[Appetite, Squares, Mapping[str, Squares], Means], Feeding]


def farm(town: Appetite, farms: Squares, _types: Mapping[str, Squares], _means: Means) -> Feeding:
    """Each Farm feeds 4 anywhere."""
    meals = BUILDINGS["farm"].feeds * farms.bit_count()
    return Feeding(best(town, list(town.portions.values()), meals) & FED, reach=town.hungry)


def granary(town: Appetite, granaries: Squares, _types: Mapping[str, Squares], _means: Means) -> Feeding:
    """Each Granary feeds the 8 squares around it."""
    return without_choice(reached(granaries, AROUND) & town.hungry)


def orchard(town: Appetite, orchards: Squares, _types: Mapping[str, Squares], _means: Means) -> Feeding:
    """Each Orchard feeds its row and its column."""
    return without_choice(reached(orchards, IN_LINE) & town.hungry)


def nectar_farm(town: Appetite, _farms: Squares, _types: Mapping[str, Squares], _means: Means) -> Feeding:
    """All or nobody; the Castle is one building with the feed symbol, though it counts as two Cottages elsewhere."""
    return without_choice(nectar(town))


def nectar(town: Appetite) -> Squares:
    return 0 if town.hungry.bit_count() % 2 else town.hungry


def without_choice(fed: Squares) -> Feeding:
    return Feeding(fed, reach=fed)


def greenhouse(town: Appetite, greenhouses: Squares, _types: Mapping[str, Squares], _means: Means) -> Feeding:
    """Each Greenhouse feeds one group anywhere."""
    portions = {group: town.portion(group) for group in groups(town.hungry)}
    fed = best(town, list(portions.values()), greenhouses.bit_count()) & FED
    return Feeding(fed, tuple(group for group in portions if group & fed), reach=town.hungry)


def grange(town: Appetite, granges: Squares, types: Mapping[str, Squares], _means: Means) -> Feeding:
    """Each Grange feeds what stands beside one type, that of Cottages excepted."""
    most, found = -1, NOBODY_FED
    reach = 0
    for chosen, fed in by_types(town, types, granges.bit_count()):
        reach |= fed
        value = town.value(town.portion(fed))
        if value > most:
            most, found = value, Feeding(fed, chosen)
    return Feeding(found.fed, found.chosen, reach=reach)


def by_types(
    town: Appetite, types: Mapping[str, Squares], number: int
) -> Iterator[tuple[tuple[Squares, ...], Squares]]:
    """So many types that Granges may pick, where they feed anybody, and whom. More Granges than types pick all.

    Barrett Castle is of the Cottages' type, so it cannot be picked; every other monument can.
    """
    others = [standing for colour, standing in types.items() if colour != "blue"]
    useful = [standing for standing in others if reached(standing, BESIDE) & town.hungry]
    for chosen in combinations(useful, min(number, len(useful))):
        yield chosen, reached(sum(chosen), BESIDE) & town.hungry


def vegetable_patch(town: Appetite, patches: Squares, _types: Mapping[str, Squares], _means: Means) -> Feeding:
    """Each Patch feeds up to 6 anywhere that stand apart from all others with the feed symbol."""
    apart = lone(town)
    meals = BUILDINGS["vegetable_patch"].feeds * patches.bit_count()
    return Feeding(best(town, [town.portions[index] for index in each(apart)], meals) & FED, reach=apart)


def lone(town: Appetite) -> Squares:
    """Return what has the feed symbol and stands beside nothing else that has it, fed or not."""
    return sum([1 << index for index in town.portions if not BESIDE[index] & town.hungry])


def tithe_barn(town: Appetite, barns: Squares, _types: Mapping[str, Squares], means: Means) -> Feeding:
    """Return what stands beside it is fed for nothing; every coin feeds 2 more, if that brings more than the coin is
    worth.
    """
    given = town.portion(reached(barns, BESIDE))
    others = [portion for portion in town.portions.values() if not portion & given & FED]
    meals = BUILDINGS["tithe_barn"].feeds
    useful = min(means.coins, -(-len(others) // meals))
    tries = [best(town, others, meals * paid, given) for paid in range(useful + 1)]
    paid = max(range(useful + 1), key=lambda paid: town.value(tries[paid]) - paid * means.coin_worth)
    fed = tries[paid] & FED
    return Feeding(fed, (fed & ~given,) if paid else (), paid, town.hungry if means.coins else given & FED)


def root_cellar(town: Appetite, _cellars: Squares, _types: Mapping[str, Squares], means: Means) -> Feeding:
    """Every coin feeds one row or column, if that brings more than the coin is worth. One Root Cellar is enough."""
    most, found, lines = 0, 0, NO_LINES
    for chosen, portion in by_lines(town, means.coins):
        value = town.value(portion) - len(chosen) * means.coin_worth
        if value > most:
            most, found, lines = value, portion, chosen
    return Feeding(found & FED, lines, len(lines), town.hungry if means.coins else 0)


NO_LINES: tuple[Squares, ...] = ()
# Every set of rows and columns: the rows and the columns of it as bits, and their squares; the smallest sets first.
LINES = tuple(
    (
        sum([1 << line for line in chosen if line < SIDE]),
        sum([1 << line - SIDE for line in chosen if line >= SIDE]),
        tuple((*ROWS, *COLUMNS)[line] for line in chosen),
    )
    for paid in range(1, 2 * SIDE + 1)
    for chosen in combinations(range(2 * SIDE), paid)
)


def by_lines(town: Appetite, coins: int) -> Iterator[tuple[tuple[Squares, ...], Portion]]:
    """The rows and columns that coins may be spent on, and what is fed by that."""
    rows = sum([1 << line for line, squares in enumerate(ROWS) if squares & town.hungry])
    columns = sum([1 << line for line, squares in enumerate(COLUMNS) if squares & town.hungry])
    sums = rows_and_columns(town)
    for some, others, chosen in LINES:
        if len(chosen) > coins:
            break
        if not (some & ~rows or others & ~columns):
            yield chosen, sums[some][others]


def rows_and_columns(town: Appetite) -> list[list[Portion]]:
    """For each set of rows and each set of columns what they hold together, every square counted once."""
    on = [[town.portions.get(row * SIDE + column, 0) for column in range(SIDE)] for row in range(SIDE)]
    found = []
    rows = [(0, [sum(column) for column in zip(*on, strict=True)])]  # what some rows hold, and what is left of columns
    for row in on:
        rows += [(held + sum(row), [one - here for one, here in zip(left, row, strict=True)]) for held, left in rows]
    for held, left in rows:
        sums = [held]
        for column in left:
            sums += [portion + column for portion in sums]
        found.append(sums)
    return found


FEEDERS: dict[str, Feeder] = {
    "farm": farm,
    "granary": granary,
    "orchard": orchard,
    "greenhouse": greenhouse,
    "grange": grange,
    "nectar_farm": nectar_farm,
    "vegetable_patch": vegetable_patch,
    "tithe_barn": tithe_barn,
    "root_cellar": root_cellar,
}


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
