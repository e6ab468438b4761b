"""Choose which buildings are fed so that the owner of the town gets the most points.

Cottages, Barrett Castle and Eraflage Vineyard have the feed symbol. Granaries, Orchards and Nectar Farms leave no
choice. For other red buildings the rulebook does not say who chooses, so the owner does. Feeding one more building
never costs points, except with a Monastery (monasteries.py). But it matters which ones are fed, because Temples,
Parsonages, Schoolhouses and Friendly Local Game Stores score by particular squares. So the largest group is not always
best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from scorer.games.tiny_towns.cards import BUILDINGS
from scorer.games.tiny_towns.feeding_values import (
    FED,
    NOBODY_FED,
    Feeding,
    FeedingFacts,
    FeedingValues,
    Portion,
    best,
    value_feeding,
)
from scorer.games.tiny_towns.squares import AROUND, BESIDE, COLUMNS, IN_LINE, ROWS, SIDE, Squares, each, groups


def feed(at: dict[str, Squares], types: Mapping[str, Squares], monument: str, means: FeedingFacts) -> Feeding:
    """Return the best feeding of a town. A table plays one red card, so at most one kind of building feeds. `at` and
    `types` have the town's squares by building and by colour. `monument` is the id of its monument, and `means` has
    coins and rulings."""
    kind = next((kind for kind in FEEDERS if kind in at), None)
    if kind is None:
        return NOBODY_FED
    town = value_feeding(at, monument, means.lesson)
    if not town.feedable:
        return NOBODY_FED
    return FEEDERS[kind](town, at[kind], types, means)


def most_value(
    at: dict[str, Squares], types: Mapping[str, Squares], monument: str, means: FeedingFacts, beaten: int
) -> int | None:
    """Return the points of the best feeding minus those of the coins spent, or None if not more than `beaten`. The
    other arguments describe the town, as for `feed`."""
    kind = next((kind for kind in FEEDERS if kind in at), None)
    if kind is None:
        return None
    town = value_feeding(at, monument, means.lesson)
    if not town.feedable or town.value(town.portion(town.feedable)) <= beaten:
        return None
    found = FEEDERS[kind](town, at[kind], types, means)
    value = town.value(town.portion(found.fed)) - means.coin_worth * found.coins
    return value if value > beaten else None


Feeder = Callable[[FeedingValues, Squares, Mapping[str, Squares], FeedingFacts], Feeding]


def farm(town: FeedingValues, farms: Squares, _types: Mapping[str, Squares], _means: FeedingFacts) -> Feeding:
    """Return the best feeding by Farms: each feeds up to 4 buildings anywhere."""
    meals = BUILDINGS["farm"].feeds * farms.bit_count()
    return Feeding(best(town, list(town.portions.values()), meals) & FED, reach=town.feedable)


def granary(town: FeedingValues, granaries: Squares, _types: Mapping[str, Squares], _means: FeedingFacts) -> Feeding:
    """Return the feeding by Granaries: each feeds the 8 squares around it."""
    return without_choice(reached(granaries, AROUND) & town.feedable)


def orchard(town: FeedingValues, orchards: Squares, _types: Mapping[str, Squares], _means: FeedingFacts) -> Feeding:
    """Return the feeding by Orchards: each feeds its row and its column."""
    return without_choice(reached(orchards, IN_LINE) & town.feedable)


def nectar_farm(town: FeedingValues, _farms: Squares, _types: Mapping[str, Squares], _means: FeedingFacts) -> Feeding:
    """Return the feeding by Nectar Farms: all buildings with the feed symbol if their number is even, otherwise none.

    Barrett Castle counts as one building.
    """
    return without_choice(nectar(town))


def nectar(town: FeedingValues) -> Squares:
    return 0 if town.feedable.bit_count() % 2 else town.feedable


def without_choice(fed: Squares) -> Feeding:
    return Feeding(fed, reach=fed)


def greenhouse(
    town: FeedingValues, greenhouses: Squares, _types: Mapping[str, Squares], _means: FeedingFacts
) -> Feeding:
    """Return the best feeding by Greenhouses: each feeds one connected group anywhere."""
    portions = {group: town.portion(group) for group in groups(town.feedable)}
    fed = best(town, list(portions.values()), greenhouses.bit_count()) & FED
    return Feeding(fed, tuple(group for group in portions if group & fed), reach=town.feedable)


def grange(town: FeedingValues, granges: Squares, types: Mapping[str, Squares], _means: FeedingFacts) -> Feeding:
    """Return the best feeding by Granges: each feeds all buildings beside one type, but not that of Cottages."""
    most, found = -1, NOBODY_FED
    reach = 0
    for chosen, fed in by_types(town, types, granges.bit_count()):
        reach |= fed
        value = town.value(town.portion(fed))
        if value > most:
            most, found = value, Feeding(fed, chosen)
    return Feeding(found.fed, found.chosen, reach=reach)


def by_types(
    town: FeedingValues, types: Mapping[str, Squares], number: int
) -> Iterator[tuple[tuple[Squares, ...], Squares]]:
    """Yield each set of types that `number` Granges may pick, as the squares of each type, with the squares then fed.
    If there are more Granges than useful types, all useful types are picked. Barrett Castle has the type of
    Cottages, so it cannot be picked, unlike all other monuments."""
    others = [standing for colour, standing in types.items() if colour != "blue"]
    useful = [standing for standing in others if reached(standing, BESIDE) & town.feedable]
    for chosen in combinations(useful, min(number, len(useful))):
        yield chosen, reached(sum(chosen), BESIDE) & town.feedable


def vegetable_patch(
    town: FeedingValues, patches: Squares, _types: Mapping[str, Squares], _means: FeedingFacts
) -> Feeding:
    """Return the best feeding by Vegetable Patches. Each feeds up to 6 buildings with the feed symbol that have no
    other such building beside them."""
    apart = lone(town)
    meals = BUILDINGS["vegetable_patch"].feeds * patches.bit_count()
    return Feeding(best(town, [town.portions[index] for index in each(apart)], meals) & FED, reach=apart)


def lone(town: FeedingValues) -> Squares:
    """Return the squares of buildings with the feed symbol, fed or not, without another such building beside them."""
    return sum([1 << index for index in town.portions if not BESIDE[index] & town.feedable])


def tithe_barn(town: FeedingValues, barns: Squares, _types: Mapping[str, Squares], means: FeedingFacts) -> Feeding:
    """Return the best feeding by Tithe Barns. They feed buildings beside them for free, and 2 more for each coin if
    that gains points."""
    given = town.portion(reached(barns, BESIDE))
    others = [portion for portion in town.portions.values() if not portion & given & FED]
    meals = BUILDINGS["tithe_barn"].feeds
    useful = min(means.coins, -(-len(others) // meals))
    tries = [best(town, others, meals * paid, given) for paid in range(useful + 1)]
    paid = max(range(useful + 1), key=lambda paid: town.value(tries[paid]) - paid * means.coin_worth)
    fed = tries[paid] & FED
    return Feeding(fed, (fed & ~given,) if paid else (), paid, town.feedable if means.coins else given & FED)


def root_cellar(town: FeedingValues, _cellars: Squares, _types: Mapping[str, Squares], means: FeedingFacts) -> Feeding:
    """Return the best feeding by Root Cellars: a row or column for each coin spent, if that gains points.

    Several Root Cellars do no more than one.
    """
    most, found, lines = 0, 0, NO_LINES
    for chosen, portion in by_lines(town, means.coins):
        value = town.value(portion) - len(chosen) * means.coin_worth
        if value > most:
            most, found, lines = value, portion, chosen
    return Feeding(found & FED, lines, len(lines), town.feedable if means.coins else 0)


NO_LINES: tuple[Squares, ...] = ()
# Every set of rows and columns, smallest first: its rows as bits, its columns as bits, and the squares of each line.
LINES = tuple(
    (
        sum([1 << line for line in chosen if line < SIDE]),
        sum([1 << line - SIDE for line in chosen if line >= SIDE]),
        tuple((*ROWS, *COLUMNS)[line] for line in chosen),
    )
    for paid in range(1, 2 * SIDE + 1)
    for chosen in combinations(range(2 * SIDE), paid)
)


def by_lines(town: FeedingValues, coins: int) -> Iterator[tuple[tuple[Squares, ...], Portion]]:
    """Yield each set of rows and columns that the coins can pay for, with what it feeds as a `Portion`. The set is a
    tuple with the squares of each row or column."""
    rows = sum([1 << line for line, squares in enumerate(ROWS) if squares & town.feedable])
    columns = sum([1 << line for line, squares in enumerate(COLUMNS) if squares & town.feedable])
    sums = rows_and_columns(town)
    for some, others, chosen in LINES:
        if len(chosen) > coins:
            break
        if not (some & ~rows or others & ~columns):
            yield chosen, sums[some][others]


def rows_and_columns(town: FeedingValues) -> list[list[Portion]]:
    """Return what each set of rows and columns feeds: its portion is at [rows][columns]. `rows` is a number with one
    bit for each row, `columns` one with a bit for each column. A square in a row and a column of the set counts
    once."""
    on = [[town.portions.get(row * SIDE + column, 0) for column in range(SIDE)] for row in range(SIDE)]
    found = []
    rows = [
        (0, [sum(column) for column in zip(*on, strict=True)])
    ]  # for a set of rows: their sum, and the rest of each column
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
