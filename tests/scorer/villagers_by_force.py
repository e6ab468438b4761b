"""Score Tiny Towns by brute force with the cards of all three boxes, trying every allowed feeding.

It is slow and simple on purpose, and shares no code with the game. A town is a dict from (row, column) to the building
there. Colours and numbers are written down again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any, TypeVar

T = TypeVar("T")
Place = tuple[int, int]
Fed = frozenset[Place]

COLOURS = {
    "blue": "cottage",
    "red": "farm granary orchard greenhouse root_cellar tithe_barn grange nectar_farm vegetable_patch",
    "grey": "well fountain millstone shed mine statue folly_tower hearth outhouse other_grey",
    "orange": "chapel abbey cloister temple cathedral parsonage monastery other_orange",
    "green": "tavern almshouse feast_hall inn gamblers_den schoolhouse brewery travelers_center other_green",
    "yellow": "theater bakery market tailor jeweler teahouse blacksmith friendly_local_game_store other_yellow",
    "black": "bank factory trading_post warehouse museum oddity_shop forge citadel post_office other_black",
}
COLOUR = {building: colour for colour, buildings in COLOURS.items() for building in buildings.split()}
EACH = {
    "shed": 1, "bank": 4, "trading_post": 1, "gamblers_den": 2, "jeweler": 4, "teahouse": 1, "oddity_shop": 2,
    "outhouse": 1, "travelers_center": 2, "citadel": 1,
}  # fmt: skip
TOTALS = {
    "tavern": [0, 2, 5, 9, 14, 20], "almshouse": [0, -1, 5, -3, 15, -5, 26], "brewery": [0, 3, 7, 12, 18],
}  # fmt: skip
FLAT_MONUMENTS = {
    "architects_guild": 1, "cathedral_of_caterina": 2, "fort_ironweed": 7, "grove_university": 3, "caterinas_grotto": 2,
    "estival_festival": 4, "masons_guild": 3, "petal_promenade": 3, "prism_forge": 1, "southern_semaphore": 1,
    "halfmoon_library": 5,
}  # fmt: skip
EVERYWHERE = [(row, column) for row in range(4) for column in range(4)]
CORNERS = [(0, 0), (0, 3), (3, 0), (3, 3)]
CENTRE = [(1, 1), (1, 2), (2, 1), (2, 2)]


@dataclass
class Town:
    """Hold one town and everything that its points depend on."""

    at: dict[Place, str]
    monument: str = ""
    coins: int = 0
    coins_on_the_right: int | None = None
    feast_halls_on_the_right: int | None = None
    height: int = 0
    tallest_elsewhere: int = 0
    shrine_count: int = 1
    starloom_place: int = 1
    swaps: int = 0
    warehouse_cubes: dict[Place, int] = field(default_factory=dict)
    blacksmith_cubes: dict[Place, int] = field(default_factory=dict)
    typed: dict[str, int] = field(default_factory=dict)
    rulings: dict[str, str] = field(default_factory=dict)

    def all(self, building: str) -> list[Place]:
        return [place for place in EVERYWHERE if self.at.get(place) == building]

    def castle(self) -> list[Place]:
        return self.all("monument") if self.monument == "barrett_castle" else []

    def colour(self, place: Place) -> str:
        """Return the type of the building there. The castle counts as the Cottages' type for everybody."""
        if self.at[place] == "monument":
            return "blue" if self.castle() else "purple"
        return COLOUR[self.at[place]]

    def colours(self, places: Sequence[Place]) -> set[str]:
        return {self.colour(place) for place in places if place in self.at}

    def hungry(self) -> list[Place]:
        """Return the buildings with the feed symbol."""
        fed = self.all("monument") if self.monument in ("barrett_castle", "eraflage_vineyard") else []
        return self.all("cottage") + fed

    def ruling(self, name: str, default: str) -> str:
        return self.rulings.get(name, default)


# -- places ------------------------------------------------------------------------------------------------------------


def steps(one: Place, other: Place) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def beside(place: Place) -> list[Place]:
    return [other for other in EVERYWHERE if steps(place, other) == 1]


def around(place: Place) -> list[Place]:
    return [o for o in EVERYWHERE if max(abs(place[0] - o[0]), abs(place[1] - o[1])) == 1]


def in_line(place: Place) -> list[Place]:
    return [other for other in EVERYWHERE if other != place and (other[0] == place[0] or other[1] == place[1])]


def connected(places: Sequence[Place]) -> list[list[Place]]:
    found: list[list[Place]] = []
    for place in places:
        near = [group for group in found if any(steps(place, other) == 1 for other in group)]
        found = [group for group in found if group not in near] + [[place, *chain.from_iterable(near)]]
    return found


# -- who may be fed ----------------------------------------------------------------------------------------------------


def some(things: Sequence[T], least: int, most: int) -> Iterator[tuple[T, ...]]:
    for number in range(least, min(most, len(things)) + 1):
        yield from combinations(things, number)


def union(parts: Sequence[Sequence[Place]]) -> list[Place]:
    return sorted(set(chain.from_iterable(parts)))


def feedings(town: Town) -> Iterator[tuple[list[Place], int]]:
    """Yield every set of buildings fed when all feeders feed as many as they can, and the coins it takes."""
    hungry = town.hungry()
    of = {building: town.all(building) for building in COLOUR}
    if of["farm"]:
        meals = min(4 * len(of["farm"]), len(hungry))
        yield from ((list(fed), 0) for fed in combinations(hungry, meals))
    elif of["granary"]:
        yield union([[h for h in hungry if h in around(granary)] for granary in of["granary"]]), 0
    elif of["orchard"]:
        yield union([[h for h in hungry if h in in_line(orchard)] for orchard in of["orchard"]]), 0
    elif of["greenhouse"]:
        for chosen in some(connected(hungry), 0 if not hungry else 1, len(of["greenhouse"])):
            yield union(chosen), 0
    elif of["grange"]:
        types = [colour for colour in (*COLOURS, "purple") if colour != "blue"]
        for picked in some(types, 1, len(of["grange"])):
            places = [place for place in town.at if town.colour(place) in picked]
            yield [h for h in hungry if any(steps(h, place) == 1 for place in places)], 0
    elif of["nectar_farm"]:
        yield (hungry if len(hungry) % 2 == 0 else []), 0
    elif of["vegetable_patch"]:
        lone = [h for h in hungry if not any(steps(h, other) == 1 for other in hungry)]
        yield from ((list(fed), 0) for fed in some(lone, 0, 6 * len(of["vegetable_patch"])))
    elif of["tithe_barn"]:
        given = [h for h in hungry if any(steps(h, barn) == 1 for barn in of["tithe_barn"])]
        others = [h for h in hungry if h not in given]
        for coins in range(town.coins + 1):
            for bought in combinations(others, min(2 * coins, len(others))):
                yield [*given, *bought], coins
    elif of["root_cellar"]:
        lines = [[h for h in hungry if h[axis] == number] for axis in (0, 1) for number in range(4)]
        for paid in some(lines, 0, town.coins):
            yield union(paid), len(paid)
    else:
        yield [], 0


def allowed(town: Town) -> Iterator[tuple[Fed, int]]:
    """Yield every allowed feeding. With the ruling that one may feed fewer, this includes every subset."""
    for fed, coins in feedings(town):
        if town.ruling("feeding", "must") == "may":
            yield from ((frozenset(part), coins) for part in some(fed, 0, len(fed)))
        else:
            yield frozenset(fed), coins


# -- points ------------------------------------------------------------------------------------------------------------


def cottages(town: Town, places: Sequence[Place]) -> int:
    """Return how many Cottages these buildings count as. The castle counts as 2."""
    return sum(
        1 if town.at[place] == "cottage" else 2 for place in places if place in (*town.all("cottage"), *town.castle())
    )


def steady(town: Town) -> dict[str, int]:
    """Return the points of the lines that do not depend on food."""
    lines = {"empty": 0 if town.monument == "cathedral_of_caterina" and town.all("monument") else len(town.at) - 16}
    for building in sorted(set(town.at.values())):
        places = town.all(building)
        if building in EACH:
            lines[building] = EACH[building] * len(places)
        elif building in TOTALS and building != "brewery":
            lines[building] = TOTALS[building][min(len(places), len(TOTALS[building]) - 1)]
        elif building in CARDS:
            lines[building] = CARDS[building](town, places)
        elif building in town.typed:
            lines[building] = town.typed[building]
    if town.all("monument"):
        lines["monument"] = monument(town, town.all("monument")[0])
    return lines


def feast_hall(town: Town, places: list[Place]) -> int:
    right = town.feast_halls_on_the_right
    return len(places) * (3 if right is not None and len(places) > right else 2)


def brewery(town: Town, places: list[Place]) -> int:
    good = [place for place in places if len(town.colours(beside(place))) >= 3]
    return TOTALS["brewery"][min(len(good), 4)]


def blacksmith(town: Town, places: list[Place]) -> int:
    if town.ruling("blacksmith_cube", "counts") == "removed":
        return len(places)
    return len([place for place in places if not town.blacksmith_cubes.get(place)])


def alone_in_line(town: Town, place: Place) -> bool:
    return not any(town.at.get(other) == town.at[place] for other in in_line(place))


def same_beside(town: Town, place: Place) -> bool:
    return any(town.at.get(other) == town.at[place] for other in beside(place))


def longest(places: list[Place], place: Place) -> int:
    return max(len([p for p in places if p[axis] == place[axis]]) for axis in (0, 1))


CARDS: dict[str, Callable[[Town, list[Place]], int]] = {
    "well": lambda town, places: sum(cottages(town, beside(p)) for p in places),
    "fountain": lambda town, places: 2 * len([p for p in places if "grey" in town.colours(beside(p))]),
    "millstone": lambda town, places: 2 * len([p for p in places if {"red", "yellow"} & town.colours(beside(p))]),
    "abbey": lambda town, places: (
        3 * len([p for p in places if not {"black", "green", "yellow"} & town.colours(beside(p))])
    ),
    "cloister": lambda _town, places: len(places) * len([p for p in places if p in CORNERS]),
    "cathedral": lambda town, places: 7 * len([p for p in places if not same_beside(town, p)]),
    "feast_hall": feast_hall,
    "inn": lambda town, places: 3 * len([p for p in places if alone_in_line(town, p)]),
    "brewery": brewery,
    "theater": lambda town, places: sum(len(town.colours(in_line(p)) - {"yellow"}) for p in places),
    "bakery": lambda town, places: 3 * len([p for p in places if {"red", "black"} & town.colours(beside(p))]),
    "market": lambda _town, places: sum(longest(places, p) for p in places),
    "tailor": lambda _town, places: len(places) * (1 + len([p for p in places if p in CENTRE])),
    "blacksmith": blacksmith,
    "warehouse": lambda town, places: -sum(town.warehouse_cubes.get(p, 0) for p in places),
    "folly_tower": lambda town, _places: town.height if town.tallest_elsewhere > town.height else 0,
}


def monument(town: Town, place: Place) -> int:
    """Return the points of the monument, apart from food."""
    card = town.monument
    if card in FLAT_MONUMENTS:
        return FLAT_MONUMENTS[card]
    if card == "archive_of_the_second_age":
        return len(town.colours(EVERYWHERE) - {"purple"})
    if card == "mandras_palace":
        return 2 * len(town.colours(beside(place)))
    if card == "shrine_of_the_elder_tree":
        return [1, 2, 3, 4, 5, 8][min(town.shrine_count, 6) - 1]
    if card == "silva_forum":
        kinds = [[p for p in town.at if town.colour(p) == colour] for colour in town.colours(EVERYWHERE)]
        return 1 + max(len(group) for kind in kinds for group in connected(kind))
    if card == "the_sky_baths":
        return 2 * (7 - len(town.colours(EVERYWHERE) - {"purple"}))
    if card == "the_starloom":
        return [6, 3, 2, 0, 0, 0][town.starloom_place - 1]
    if card == "eraflage_vineyard":
        return -2 * len(town.colours(in_line(place)))
    if card == "hollow_hill":
        return 7 - 2 * town.swaps
    if card == "treasury_at_okaver":
        return len([p for p in beside(place) if town.at.get(p) == "cottage"])
    if card == "clearfall_quarry":
        return 5 if any(p not in town.at for p in beside(place)) else 0
    return town.typed.get(card, 0)


def of_food(town: Town, fed: Fed, coins: int) -> int:
    """Return all points that depend on who is fed and on the coins it took."""
    fed_cottages = [place for place in (*town.all("cottage"), *town.castle()) if place in fed]
    standing = town.monument if town.all("monument") else ""
    points = (2 if standing == "estival_festival" else 1) * (town.coins - coins)
    mausoleum = standing == "grand_mausoleum_of_the_rodina"
    points += 3 * len([place for place in town.all("cottage") if place in fed or mausoleum])
    points += 5 * len([place for place in town.castle() if place in fed])
    if standing == "eraflage_vineyard" and town.all("monument")[0] in fed:
        points += 9
    points += len(town.all("chapel")) * cottages(town, fed_cottages)
    near = {place: cottages(town, [f for f in fed_cottages if steps(f, place) == 1]) for place in EVERYWHERE}
    points += 4 * len([place for place in town.all("temple") if near[place] >= 2])
    points += 4 * len([place for place in town.all("parsonage") if near[place] >= 1])
    points += sum(max(1, min([steps(place, f) for f in fed_cottages], default=1)) for place in town.all("monastery"))
    rich = town.coins_on_the_right is not None and town.coins >= town.coins_on_the_right
    apart = town.ruling("schoolhouse", "together") == "apart"
    crowd = cottages(town, [*town.all("cottage"), *town.castle()]) >= 5
    for place in town.all("friendly_local_game_store"):
        lined = cottages(town, [f for f in fed_cottages if f in in_line(place)])
        points += 1 + (2 if lined >= 2 else 0) + (1 if crowd else 0)
    for place in town.all("schoolhouse"):
        points += 2 if near[place] else 0
        points += 2 if rich and (apart or near[place]) else 0
    return points


def best(town: Town) -> int:
    """Return the most points that this town can score, beside another player without a town."""
    points = sum(steady(town).values()) + max(of_food(town, fed, coins) for fed, coins in set(allowed(town)))
    return points + (3 if points < 0 and town.monument == "larkstone" and town.all("monument") else 0)


def read(player: dict[str, Any]) -> dict[Place, str]:
    """Return the squares of a record's town that hold a building."""
    return {(r, c): piece for r, row in enumerate(player["grid"]) for c, piece in enumerate(row) if piece != "empty"}
