"""Find the fewest buildings that bring the points of a line, in a town with given fed and unfed Cottages.

Buildings that score by neighbours are limited by `TOUCHING`: how often two sets of squares can be side by side.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE
from scorer.games.tiny_towns.feeding_values import CASTLE_COTTAGES
from scorer.games.tiny_towns.monasteries import FARTHEST
from scorer.games.tiny_towns.shops import COTTAGE_TOWN
from scorer.games.tiny_towns.squares import COUNT, SIDE

Least = Callable[[int, "Town"], int | None]

# How often two sets of squares can touch: row a, column b for a and b squares, both counted from 1, and a <= b.
TOUCHING = (
    (1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4),
    (2, 4, 5, 6, 7, 8, 8, 8, 8, 8, 8, 8, 8, 8),
    (3, 5, 7, 8, 9, 10, 11, 11, 11, 11, 11, 11, 11),
    (4, 6, 8, 10, 12, 13, 14, 14, 14, 14, 14, 14),
    (4, 7, 9, 12, 13, 15, 16, 17, 17, 17, 17),
    (4, 8, 10, 13, 15, 17, 18, 20, 20, 20),
    (4, 8, 11, 14, 16, 18, 20, 22, 22),
    (4, 8, 11, 14, 17, 20, 22, 24),
)
# The points that Markets can bring together, by their number from 0.
MARKETS: tuple[set[int], ...] = (
    {0},
    {1},
    {2, 4},
    {3, 5, 6, 9},
    {4, 6, 7, 8, 10, 11, 16},
    {8, 9, 10, 12, 13, 15, 18},
    {10, 11, 12, 14, 15, 16, 17, 18, 20, 22},
    {13, 14, 16, 17, 18, 19, 20, 21, 22, 24, 25, 28},
    {16, 19, 20, 21, 22, 23, 24, 26, 27, 28, 30, 32},
    {23, 24, 25, 26, 27, 28, 30, 31, 32, 34, 35},
    {28, 29, 30, 32, 33, 34, 36, 37, 38, 40},
    {32, 33, 36, 37, 39, 40, 41, 43},
    {36, 40, 42, 43, 44, 46, 48},
    {46, 49, 51, 52},
    {54, 56},
    {60},
    {64},
)
LONE = COUNT // 2  # the most squares of a town that touch none of each other


@dataclass(frozen=True, slots=True)
class Kind:
    """Describe a kind of monument, such as a fed Barrett Castle, or all monuments without a special effect. It has the
    `points` that the monument may bring, its `squares`, and its effects on Cottages, empty squares and coins."""

    points: range
    squares: int = 1
    castle: bool = False
    meals: int = 0
    unfed_pay: bool = False
    empty_free: bool = False
    coin: int = 1


@dataclass(frozen=True, slots=True)
class Town:
    """Describe a town by its kind of monument and its numbers of fed and unfed Cottages."""

    kind: Kind
    fed: int
    unfed: int
    halls: int | None = None  # Feast Halls, if their number matters
    apart: bool = False  # whether coins count for a Schoolhouse without a fed Cottage

    @property
    def castle(self) -> int:
        """Return 1 if Barrett Castle is fed, otherwise 0."""
        return self.kind.meals

    @property
    def fed_cottages(self) -> int:
        return self.fed + CASTLE_COTTAGES * self.kind.meals

    @property
    def squares(self) -> int:
        return self.fed + self.unfed + self.kind.squares


def touching(some: int, others: int) -> int:
    """Return how many neighbouring pairs `some` buildings of one colour and `others` of another can form at most."""
    fewer, more = sorted((some, others))
    if fewer <= 0:
        return 0
    return TOUCHING[fewer - 1][more - 1] if fewer + more <= COUNT else 4 * fewer


def exactly(worth: int, most: int) -> Least:
    """Return a function that finds how many buildings bring given points, or None. Each building brings `worth` points,
    and at most `most` of them score."""

    def least(points: int, _town: Town) -> int | None:
        number, rest = divmod(points, worth)
        return number if not rest and 0 < number <= most else None

    return least


def of_totals(card: str) -> Least:
    """Return a function that finds how many buildings bring given points by the card's printed totals, or None."""
    totals = BUILDINGS[card].totals
    return lambda points, _town: totals.index(points) + 1 if points in totals else None


def first(test: Callable[[int, int, Town], bool]) -> Least:
    """Return a function that finds the fewest buildings that bring given points in a given town, or None. `test(number,
    points, town)` tells whether `number` buildings are enough."""

    @functools.lru_cache(maxsize=4096)
    def least(points: int, town: Town) -> int | None:
        return next((number for number in range(1, COUNT + 1) if points > 0 and test(number, points, town)), None)

    return least


def wells(number: int, points: int, town: Town) -> bool:
    castle = CASTLE_COTTAGES * min(number, SIDE) if town.kind.castle else 0
    return touching(number, town.fed + town.unfed) + castle >= points


def fountains(points: int, _town: Town) -> int | None:
    """Return how many Fountains bring these points, or None if no number does; each needs another beside it."""
    number, rest = divmod(points, BUILDINGS["fountain"].worth)
    return number if not rest and number > 1 else None


def chapels(points: int, town: Town) -> int | None:
    if not town.fed_cottages or points % town.fed_cottages:
        return None
    return points // town.fed_cottages


def temples(points: int, town: Town) -> int | None:
    """Return how many Temples bring these points, or None if no number does. A fed Barrett Castle beside a Temple is
    enough for it."""
    card = BUILDINGS["temple"]
    number, rest = divmod(points, card.worth)
    others = number - min(number, SIDE) * town.castle
    return number if not rest and touching(others, town.fed) >= card.needs * others else None


def parsonages(points: int, town: Town) -> int | None:
    number, rest = divmod(points, BUILDINGS["parsonage"].worth)
    return number if not rest and touching(number, town.fed + town.castle) >= number else None


def cloisters(number: int, points: int, _town: Town) -> bool:
    return points % number == 0 and points // number <= min(number, SIDE)


def tailors(number: int, points: int, _town: Town) -> bool:
    central, rest = divmod(points - number, number)
    return not rest and 0 <= central <= min(number, SIDE) and number - central <= COUNT - SIDE


def stores(number: int, points: int, town: Town) -> bool:
    """Return whether exactly `number` Friendly Local Game Stores can bring these points. Each brings 1 point, and 1
    more in a town with enough Cottages. It brings 2 more if enough fed Cottages are in its row and column."""
    card = BUILDINGS["friendly_local_game_store"]
    cottages = town.fed + town.unfed + CASTLE_COTTAGES * town.kind.castle
    more = points - number * (card.worth + (card.more if cottages >= COTTAGE_TOWN else 0))
    most = number if town.fed_cottages >= card.needs else 0
    return more % card.each == 0 and 0 <= more <= most * card.each


def monasteries(number: int, points: int, town: Town) -> bool:
    return number <= points <= number * (FARTHEST if town.fed_cottages else 1)


def feast_halls(points: int, town: Town) -> int | None:
    card = BUILDINGS["feast_hall"]
    found = [points // worth for worth in (card.more, card.worth) if points % worth == 0]
    return next((number for number in found if 0 < number <= COUNT and town.halls in (None, number)), None)


def schoolhouses(points: int, town: Town) -> int | None:
    """Return the fewest Schoolhouses that bring these points, or None if no number does. Either all of them get the
    extra points for coins, or none."""
    card = BUILDINGS["schoolhouse"]
    if points % card.more or not (town.fed_cottages or town.apart):
        return None
    both = card.worth + card.more
    return -(-points // both) if town.apart or points % both == 0 else points // card.worth


def markets(points: int, _town: Town) -> int | None:
    return next((number for number, sums in enumerate(MARKETS) if points in sums), None)


def per_cube(points: int, _town: Town) -> int | None:
    card = BUILDINGS["warehouse"]
    return -(points // card.holds) if points < 0 else None


def one(_points: int, _town: Town) -> int:
    return 1


# The fewest buildings that bring these points, None if none do. Theaters come last, in line_limits.py.
LEAST: dict[str, Least] = {
    **{card.id: exactly(card.worth, card.most or COUNT) for card in BUILDINGS.values() if card.worth > 0},
    **{card.id: one for card in BUILDINGS.values() if card.typed},
    **{card.id: of_totals(card.id) for card in BUILDINGS.values() if card.totals},
    "well": first(wells),
    "fountain": fountains,
    "folly_tower": one,
    "chapel": chapels,
    "cathedral": exactly(BUILDINGS["cathedral"].worth, LONE),
    "cloister": first(cloisters),
    "temple": temples,
    "parsonage": parsonages,
    "monastery": first(monasteries),
    "feast_hall": feast_halls,
    "inn": exactly(BUILDINGS["inn"].worth, SIDE),
    "schoolhouse": schoolhouses,
    "market": markets,
    "friendly_local_game_store": first(stores),
    "tailor": first(tailors),
    "warehouse": per_cube,
}
del LEAST[COTTAGE], LEAST["theater"]
