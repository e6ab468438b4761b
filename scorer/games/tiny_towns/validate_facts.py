"""Check facts about the buildings of a town: cubes, villagers, coins, and points of cards that players count
themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.contract import Problem
from scorer.games.tiny_towns.cards import (
    BUILDINGS,
    CARDS,
    COTTAGE,
    MONUMENT,
    MONUMENTS,
    TYPED,
    UNREAD,
)
from scorer.games.tiny_towns.squares import COUNT, INDEX, NAMES
from scorer.games.tiny_towns.state import State, Town, town_on_the_right
from scorer.games.tiny_towns.validate_monuments import warning
from scorer.sentences import Sentence, listed, say, say_as, say_count

CAVERN = 2  # resources beside the board
CHEST = 4  # coins (Fortune)
WIDE_CHEST = 5  # coins, with some monuments
VILLAGERS = 3  # of each player
TOWER = 18  # pieces of each building in the box, as far as we know
HELD = {
    "wood": say("wood"),
    "wheat": say("wheat"),
    "brick": say_as("resource", "brick"),
    "glass": say("glass"),
    "stone": say("stone"),
}


def of_facts(state: State, index: int, town: Town, may_stand: frozenset[str]) -> Iterator[Problem]:
    """Yield every fault of what the player in seat `index` entered besides pieces, such as cubes, villagers and coins.
    `may_stand` has the pieces that the table can build."""
    where = f"/players/{index}"
    yield from of_cubes(town, where)
    yield from of_neighbour(state, index, town, where)
    yield from of_tower(town, where)
    yield from of_blacksmiths(state, town, where)
    yield from of_villagers(state, town, where)
    yield from of_typed_points(town, where)
    yield from of_coins(state, town, where)
    yield from of_held(town, may_stand, where)


def squares_of(town: Town, building: str) -> list[str]:
    return [cell for cell, piece in zip(NAMES, town.grid, strict=True) if piece == building]


def of_cubes(town: Town, where: str) -> Iterator[Problem]:
    """Yield the faults of the cubes on Warehouses and of the resources on Banks; only Warehouse cubes change points.
    `where` is the JSON Pointer of the player."""
    holds = BUILDINGS["warehouse"].holds
    bare = [cell for cell in squares_of(town, "warehouse") if cell not in town.warehouse_cubes]
    if bare:
        message = say_count(
            "Is the Warehouse on {squares} empty? If so, enter 0. Each cube costs 1 point.",
            "Are the Warehouses on {squares} empty? If so, enter 0. Each cube costs 1 point.",
            len(bare),
            squares=listed(bare),
        )
        yield warning("warehouse_cubes_not_given", message, f"{where}/warehouse_cubes")
    for cell, cubes in town.warehouse_cubes.items():
        place = f"{where}/warehouse_cubes/{cell}"
        if town.grid[INDEX[cell]] not in ("warehouse", UNREAD) and cubes:
            message = say("There is no Warehouse on {cell}. Move the cubes to a Warehouse.", cell=cell)
            yield Problem("no_warehouse_there", message, place)
        elif cubes > holds:
            message = say("A Warehouse holds 0 to {most} cubes. You entered {cubes}.", most=holds, cubes=cubes)
            yield Problem("too_many_cubes", message, place)
    held: dict[str, str] = {}
    for cell, resource in town.bank_resources.items():
        place = f"{where}/bank_resources/{cell}"
        if town.grid[INDEX[cell]] != "bank":
            yield warning(
                "no_bank_there", say("There is no Bank on {cell}, so it can’t hold a resource.", cell=cell), place
            )
        elif resource in held:
            message = say(
                "The Bank on {cell} already has {resource}. Choose a different resource for each Bank.",
                cell=held[resource],
                resource=HELD[resource],
            )
            yield Problem("same_bank_resource", message, place)
        else:
            held[resource] = cell


def of_neighbour(state: State, index: int, town: Town, where: str) -> Iterator[Problem]:
    """Yield the faults of the Feast Halls and coins that a player entered for the player on the right. `index` is the
    player's seat, and `where` the player's JSON Pointer."""
    said, place = town.right_feast_halls, f"{where}/right_feast_halls"
    right = town_on_the_right(state, index)
    if town.right_coins is not None and (state.mode == "solo" or right is not None or not state.fortune):
        message = say("You don’t need to enter the coins of the player on your right here.")
        yield warning("not_needed", message, f"{where}/right_coins")
    if state.mode == "solo":
        if "feast_hall" in town.grid:
            message = say("The solo rules don’t say what a Feast Hall scores without a neighbour. We count 2 each.")
            yield warning("feast_hall_in_solo", message, "/table/cards/green")
        if said is not None:
            yield warning(
                "not_needed", say("In the solo game there is no player on your right. Leave this empty."), place
            )
        return
    if said is None:
        return
    if said > COUNT:
        message = say("A town has {squares} squares. Enter 0 to {squares}.", squares=COUNT)
        yield Problem("right_feast_halls", message, place)
    if right is not None and right.grid.count("feast_hall") != said:
        yield warning("not_needed", counted_feast_halls(right), place)


def counted_feast_halls(right: Town) -> Sentence:
    number = right.grid.count("feast_hall")
    if not number:
        return say("{player}, on your right, has no Feast Hall, so we count 0.", player=right.name)
    return say_count(
        "{player}, on your right, has {n} Feast Hall. We use that number, not yours.",
        "{player}, on your right, has {n} Feast Halls. We use that number, not yours.",
        number,
        player=right.name,
    )


def of_tower(town: Town, where: str) -> Iterator[Problem]:
    """Yield the faults of what was entered about Folly Towers, such as a missing height. `where` is the JSON Pointer of
    the player."""
    height, place = town.folly_tower_height, f"{where}/folly_tower_height"
    if "folly_tower" not in town.grid:
        if UNREAD in town.grid:
            return
        for key in ("folly_tower_height", "tallest_other_tower"):
            if getattr(town, key) is not None:
                yield warning("not_needed", say("There is no Folly Tower in this town."), f"{where}/{key}")
    elif height is None:
        yield Problem("missing_field", say("Enter how many levels the Folly Tower has."), place)
    elif height < 1:
        yield Problem("folly_tower_height", say("A Folly Tower has at least 1 level."), place)
    elif height > TOWER:
        message = say(
            "The box has only {pieces} pieces for the Folly Tower. Is the number of levels right?", pieces=TOWER
        )
        yield warning("tall_tower", message, place)


def of_blacksmiths(state: State, town: Town, where: str) -> Iterator[Problem]:
    """Yield the faults of the cubes on Blacksmiths, which hold at most one each. `where` is the JSON Pointer of the
    player."""
    holds = BUILDINGS["blacksmith"].holds
    in_play = "yellow" not in state.cards or state.cards["yellow"] == "blacksmith"
    smiths = squares_of(town, "blacksmith")
    if smiths and state.rulings.blacksmith_cube == "counts" and not any(town.blacksmith_cubes.values()):
        message = say_count(
            "Is there a cube on the Blacksmith on {squares}? With a cube it scores nothing.",
            "Are there cubes on the Blacksmiths on {squares}? A Blacksmith with a cube scores nothing.",
            len(smiths),
            squares=listed(smiths),
        )
        yield warning("blacksmith_cubes_not_given", message, f"{where}/blacksmith_cubes")
    for cell, cubes in town.blacksmith_cubes.items():
        place = f"{where}/blacksmith_cubes/{cell}"
        if town.grid[INDEX[cell]] not in ("blacksmith", UNREAD) and cubes:
            if in_play:
                message = say("There is no Blacksmith on {cell}. Move the cube to a Blacksmith.", cell=cell)
                yield Problem("no_blacksmith_there", message, place)
            else:
                yield warning("not_needed", say("The Blacksmith is not in this game."), place)
        elif cubes > holds:
            message = say("A Blacksmith holds at most 1 cube. You entered {cubes}.", cubes=cubes)
            yield Problem("too_many_cubes", message, place)


def of_villagers(state: State, town: Town, where: str) -> Iterator[Problem]:
    """Yield a problem for villagers on the same square, or too many in the town; all others are on the Lodge. `where`
    is the JSON Pointer of the player."""
    if not town.villagers:
        return
    if not state.villagers:
        message = say("Villagers need the Villagers expansion. Add it or remove them.")
        yield warning("not_needed", message, f"{where}/villagers")
        return
    if len(town.villagers) > VILLAGERS:
        message = say("Each player has only {villagers} villagers. Remove the extra ones.", villagers=VILLAGERS)
        yield Problem("too_many_villagers", message, f"{where}/villagers")
    for index, cell in enumerate(town.villagers):
        if cell in town.villagers[:index]:
            message = say("Two villagers can’t share a square. Move one of them off {cell}.", cell=cell)
            yield Problem("villagers_share_a_square", message, f"{where}/villagers/{index}")


def of_typed_points(town: Town, where: str) -> Iterator[Problem]:
    """Yield a problem if a player did not count the points of an unlisted card in the town. `where` is the JSON Pointer
    of the player."""
    standing = {*town.grid, town.monument if MONUMENT in town.grid else ""}
    if not town.typed_points and standing.isdisjoint(TYPED):
        return
    for card_id in TYPED:
        place = f"{where}/typed_points/{card_id}"
        if card_id in standing and card_id not in town.typed_points:
            message = say("Count the points for {card} and enter them.", card=CARDS[card_id].name)
            yield Problem("missing_field", message, place)
        elif card_id in town.typed_points and card_id not in standing and UNREAD not in town.grid:
            message = say("{card} is not in this town, so its points don’t count.", card=CARDS[card_id].name)
            yield warning("not_needed", message, place)


def of_coins(state: State, town: Town, where: str) -> Iterator[Problem]:
    place = f"{where}/coins"
    standing = town.monument if MONUMENT in town.grid else ""
    if not state.fortune:
        if town.coins:
            message = say("Coins need the Fortune expansion. Add it or remove them.")
            yield warning("not_needed", message, place)
    elif town.coins is None:
        yield warning("coins_not_given", say("No coins were entered, so we count 0."), place)
    elif town.coins > WIDE_CHEST:
        message = say(
            "A chest holds at most {coins} coins, or {more} with some monuments. Enter fewer coins.",
            coins=CHEST,
            more=WIDE_CHEST,
        )
        yield Problem("too_many_coins", message, place)
    elif town.coins > CHEST and not (standing and MONUMENTS[standing].widens_chest):
        message = say(
            "A chest holds only {coins} coins, unless a monument adds space. Is your number right?", coins=CHEST
        )
        yield warning("fifth_coin", message, place)


def of_held(town: Town, may_stand: frozenset[str], where: str) -> Iterator[Problem]:
    """Yield a warning for impossible cubes or buildings on the Cavern, on Cottages and on Opaleye's Watch. None of them
    scores; `may_stand` has the pieces that the table can build, and `where` is the JSON Pointer of the player."""
    standing = town.monument if MONUMENT in town.grid else ""
    if (town.cavern_cubes or 0) > CAVERN:
        message = say(
            "The Cavern holds only {resources} resources. Is your number right? It doesn’t change the score.",
            resources=CAVERN,
        )
        yield warning("cavern_cubes", message, f"{where}/cavern_cubes")
    for cell in town.bondmaker_cubes:
        if town.grid[INDEX[cell]] != COTTAGE or standing != "statue_of_the_bondmaker":
            message = say("Only the Statue of the Bondmaker puts cubes on Cottages. These cubes score nothing.")
            yield warning("no_cottage_there", message, f"{where}/bondmaker_cubes/{cell}")
    odd = of_opaleye(town.opaleye_remaining, standing, may_stand) if town.opaleye_remaining else None
    if odd:
        yield warning("opaleye_remaining", odd, f"{where}/opaleye_remaining")


def of_opaleye(left: Sequence[str], standing: str, may_stand: frozenset[str]) -> Sentence | None:
    """Return what is wrong with `left`, the buildings left on Opaleye's Watch, or None. `standing` is the town's
    monument, and `may_stand` has the pieces that the table can build."""
    if standing != "opaleyes_watch":
        return say("Only Opaleye’s Watch holds buildings, and it is not in this town.")
    absent = [BUILDINGS[card].name for card in dict.fromkeys(left) if card not in may_stand]
    if absent:
        return say(
            "You entered {buildings} on Opaleye’s Watch, but not among this game’s cards. Is this right?",
            buildings=listed(absent),
        )
    if len(left) > MONUMENTS["opaleyes_watch"].holds or len(set(left)) < len(left):
        return say("Opaleye’s Watch holds at most 3 buildings, all different. Buildings on it score nothing.")
    return None
