"""Check whether any town gives the lines of a score sheet, by counting the squares that they need.

Every combination of a kind of monument with fed and unfed Cottages is tried. Each line needs a fewest number of
buildings for its points. All of them, the red buildings that feed, and the empty squares must fit into the town.
Neighbouring buildings are limited by how often two sets of squares can touch. So a real town is never refused, while a
few impossible sheets pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from scorer.games.tiny_towns.cards import BUILDINGS, COLOURS, COTTAGE, MONUMENT, MONUMENTS
from scorer.games.tiny_towns.feeding_values import CASTLE_COTTAGES
from scorer.games.tiny_towns.fewest_buildings import LEAST, LONE, Kind, Town, touching
from scorer.games.tiny_towns.squares import COUNT, SIDE

Numbers = Mapping[str, int]  # points by rule, and tie-break values; anything missing may have any value

# The most squares that Granaries and Orchards reach, by their number from 1; more of them reach no more.
GRANARIES, ORCHARDS = (8, 12), (6, 10, 12)
# Buildings that always bring points.
ALWAYS_PAID = {
    *("almshouse", "bank", "citadel", "feast_hall", "gamblers_den", "jeweler", "monastery"),
    *("oddity_shop", "outhouse", "shed", "tavern", "teahouse", "trading_post", "travelers_center"),
}
assert not ALWAYS_PAID - BUILDINGS.keys(), "a building that is always paid has no card"
COUNT_UNFED = ("well", "friendly_local_game_store")  # cards whose points may need unfed Cottages
COINS = 5  # in the larger coin chest


def flat(card: str) -> range:
    worth = MONUMENTS[card].worth
    return range(worth, worth + 1)


NO_MONUMENT = Kind(range(1), squares=0)
OTHER_MONUMENT = range(-20, 21)  # for a monument in no list; listed ones bring 17 at most
KINDS = (
    NO_MONUMENT,
    Kind(OTHER_MONUMENT),
    Kind(range(1), castle=True),
    Kind(flat("barrett_castle"), castle=True, meals=1),
    Kind(range(1), unfed_pay=True),
    Kind(flat("cathedral_of_caterina"), empty_free=True),
    Kind(flat("estival_festival"), coin=MONUMENTS["estival_festival"].each),
)


@dataclass(frozen=True, slots=True)
class Cards:
    """Hold the cards of a table by colour, and the rulings that matter here."""

    known: Mapping[str, str]
    apart: bool = False
    may_starve: bool = False  # whether the owner may feed fewer than possible


def possible(numbers: Numbers, cards: Cards, halls: int | None = None) -> bool:
    """Return whether some town gives these numbers, the points or counts by line. If `halls` is given, only towns with
    that many Feast Halls are considered."""
    return any(fits(numbers, cards, Town(*way, halls, cards.apart)) for way in possible_towns(numbers))


def possible_towns(numbers: Numbers) -> Iterator[tuple[Kind, int, int]]:
    """Yield each kind of monument, number of fed and number of unfed Cottages that fit the entered numbers."""
    worth = BUILDINGS[COTTAGE].worth
    for kind in KINDS:
        if numbers.get(MONUMENT, kind.points[0]) in kind.points:
            for fed in range(COUNT - kind.squares + 1):
                for unfed in unfed_beside(fed, numbers, kind):
                    paid = fed + unfed if kind.unfed_pay else fed
                    if unfed >= 0 and numbers.get(COTTAGE, worth * paid) == worth * paid:
                        yield kind, fed, unfed


def unfed_beside(fed: int, numbers: Numbers, kind: Kind) -> Collection[int]:
    """Return which numbers of unfed Cottages are possible in a town with `fed` fed ones and this kind of monument. The
    number of Cottages entered for a tie decides it; players may count Barrett Castle in it or not. Without it, only
    Wells and Friendly Local Game Stores gain from unfed Cottages, and never from more than half a town."""
    if "cottages" in numbers:
        return {numbers["cottages"] - fed, numbers["cottages"] - fed - CASTLE_COTTAGES * kind.castle}
    if kind.unfed_pay and COTTAGE in numbers:
        return (numbers[COTTAGE] // BUILDINGS[COTTAGE].worth - fed,)
    return range(max(0, COUNT // 2 - fed) + 1) if any(map(numbers.get, COUNT_UNFED)) else range(1)


def fits(numbers: Numbers, cards: Cards, town: Town) -> bool:
    """Return whether the buildings that the lines need, the red ones that feed, and the empty squares fit into the
    town."""
    if not is_empty_enough(numbers, town.kind) or not coins_fit(numbers.get("coins", 0), town.kind):
        return False
    empty = numbers.get("empty_squares", -numbers.get("empty", 0))
    room = COUNT - empty - town.squares
    red = feeders(numbers, cards, town)
    if red is None or red > room:
        return False
    room -= red
    standing = {"red": red, "blue": town.fed + town.unfed + town.kind.castle}
    if town.kind.squares and not town.kind.castle:
        standing["purple"] = 1
    for rule, points in numbers.items():
        if points and rule in LEAST:
            least = LEAST[rule](points, town)
            if least is None or least > room:
                return False
            room -= least
            standing[BUILDINGS[rule].colour] = least
    return neighbours(numbers, standing) + theaters(numbers, cards, standing) <= room


def is_empty_enough(numbers: Numbers, kind: Kind) -> bool:
    """Return whether the points for empty squares fit the number of empty squares. The Cathedral of Caterina makes them
    free."""
    cost, empty = numbers.get("empty"), numbers.get("empty_squares")
    if cost is None or (empty is None and not cost):
        return True
    return cost == 0 if kind.empty_free else empty is None or cost == -empty


def coins_fit(points: int, kind: Kind) -> bool:
    return points % kind.coin == 0 and points <= COINS * kind.coin


def feeders(numbers: Numbers, cards: Cards, town: Town) -> int | None:
    """Return the fewest red buildings that feed exactly the fed Cottages of the town, or None if no number can."""
    meals, unfed = town.fed + town.kind.meals, town.unfed + town.kind.castle - town.kind.meals
    if not meals:
        return 0
    card = cards.known.get("red", "")
    if card in ("granary", "orchard"):
        reached = GRANARIES if card == "granary" else ORCHARDS
        return next((number for number, most in enumerate(reached, 1) if most >= meals), None)
    # A Vineyard may eat as well.
    eaten = {meals, meals + 1} if town.kind.points is OTHER_MONUMENT else {meals}
    if card == "nectar_farm":
        return 1 if cards.may_starve or (not unfed and any(number % 2 == 0 for number in eaten)) else None
    if card == "farm":
        # Everything that can be fed is fed, unless that would gain nothing.
        is_gain = not town.kind.unfed_pay or numbers.get("chapel")
        exact = not unfed or not is_gain or cards.may_starve
        each = BUILDINGS[card].feeds
        return -(-meals // each) if exact or any(number % each == 0 for number in eaten) else None
    if card == "vegetable_patch":
        return -(-meals // BUILDINGS[card].feeds) if meals <= LONE else None
    return 1


# Buildings that score beside one of these colours; a building has four neighbours at most.
BESIDE = {"millstone": ("red", "yellow"), "bakery": ("red", "black")}


def neighbours(numbers: Numbers, standing: Mapping[str, int]) -> int:
    """Return how many red buildings must be added so that Millstones and Bakeries have enough neighbours for their
    points. `standing` has the number of buildings by colour."""
    more = 0
    for rule, colours in BESIDE.items():
        number = numbers.get(rule, 0) // BUILDINGS[rule].worth
        near = sum(standing.get(colour, 0) for colour in colours)
        if number > 0:
            fewest = (found for found in range(COUNT) if touching(number, near + found) >= number)
            more = max(more, next(fewest, COUNT))
    return more


def theaters(numbers: Numbers, cards: Cards, standing: Mapping[str, int]) -> int:
    """Return how many squares the points of Theaters need in addition to all other buildings, which `standing` has by
    colour. Each Theater needs a square, and so does each building type that Theaters must count and that is not yet
    standing."""
    points = numbers.get("theater", 0)
    if points <= 0:
        return 0
    colours = ["blue", *(colour for colour in COLOURS if colour != "yellow"), "purple"]
    there = sum(1 for colour in colours if standing.get(colour))
    types = sum(1 for colour in colours if standing.get(colour) or may_stand(colour, numbers, cards))
    types = min(types, 2 * (SIDE - 1))
    if not types:
        return COUNT + 1
    return min(
        (number + max(0, -(-points // number) - there) for number in range(-(-points // types), COUNT + 1)),
        default=COUNT + 1,
    )


def may_stand(colour: str, numbers: Numbers, cards: Cards) -> bool:
    """Return whether the town may have a building of this colour that brings no points on any line."""
    if colour == "purple":
        return False
    card = cards.known.get(colour, "")
    return card not in ALWAYS_PAID or card not in numbers
