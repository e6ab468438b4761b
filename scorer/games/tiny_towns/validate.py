"""What the rules of Tiny Towns forbid on a finished table (errors), and what is worth a second look (warnings)."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Problem
from scorer.games.tiny_towns.cards import (
    BUILDINGS,
    COLOURS,
    COTTAGE,
    EMPTY,
    MONUMENT,
    MONUMENTS,
    OPTIONS,
    UNREAD,
    Card,
    piece_name,
)
from scorer.games.tiny_towns.phrases import counted
from scorer.games.tiny_towns.squares import COUNT, INDEX, SIDE
from scorer.games.tiny_towns.state import PLAYERS, Table, Town, town_on_the_right

CAVERN = 2  # resources beside the board
CHEST = 4  # coins (Fortune)
WIDE_CHEST = 5  # with some of the monuments
MODE_NAMES = {"town_hall": "with the Town Hall rules", "solo": "in the solo game"}


def validate(table: Table) -> list[Problem]:
    """Every fault of the table at once."""
    problems = list(of_table(table))
    in_play = may_stand(table)
    for index, player in enumerate(table.players):
        if isinstance(player, Town):
            where = f"/players/{index}"
            problems += of_pieces(player, in_play, where)
            problems += of_full_town(table, player, where)
            problems += of_monument(table, player, where)
            problems += of_cubes(player, where)
            problems += of_neighbour(table, index, player, where)
            problems += of_coins(table, player, where)
            problems += of_spare_facts(table, player, where)
    return problems


def may_stand(table: Table) -> frozenset[str]:
    """What this table builds with; any building of a colour whose card could not be read."""
    unread = [card for colour in COLOURS if colour not in table.cards for card in OPTIONS[colour]]
    return frozenset({EMPTY, UNREAD, MONUMENT, COTTAGE, *table.cards.values(), *unread})


def warning(code: str, message: str, where: str) -> Problem:
    return Problem(code, message, where, "warning")


# -- the table -------------------------------------------------------------------------------------------------------


def of_table(table: Table) -> Iterator[Problem]:
    """The mode, the six cards, and the players' monument cards side by side."""
    if table.mode == "solo" and len(table.players) > 1:
        yield Problem(
            "player_count", f"Solo is for one player, not {len(table.players)}: choose another mode.", "/players"
        )
    for colour, card_id in table.cards.items():
        yield from of_card(table, BUILDINGS[card_id], f"/table/cards/{colour}")
    holders: dict[str, str] = {}
    for index, player in enumerate(table.players):
        if not isinstance(player, Town) or not player.monument:
            continue
        card = MONUMENTS[player.monument]
        where = f"/players/{index}/monument"
        yield from of_card(table, card, where)
        if card.id in holders:
            message = f"{holders[card.id]} holds {card.name} already, and there is one of each: check both cards."
            yield Problem("same_monument", message, where)
        holders.setdefault(card.id, player.name)


def of_card(table: Table, card: Card, where: str) -> Iterator[Problem]:
    """Whether this table can play with the card at all."""
    if card.expansion and not table.fortune:
        message = f"{card.name} belongs to {card.expansion.title()}: add that expansion, or choose another card."
        yield Problem("expansion_not_in_play", message, where)
    if table.mode in card.removed_in:
        # What Fortune removes we know from one source only.
        level = "warning" if card.expansion else "error"
        message = f"{card.name} is not played {MODE_NAMES[table.mode]}: choose another card."
        yield Problem(f"not_in_{table.mode}", message, where, level)


# -- one town --------------------------------------------------------------------------------------------------------


def of_pieces(town: Town, in_play: frozenset[str], where: str) -> Iterator[Problem]:
    """What stands on the squares."""
    if not in_play.issuperset(town.grid):
        for index, piece in enumerate(town.grid):
            if piece not in in_play:
                message = f"{piece_name(piece)} is none of this table's cards: check the square or the cards."
                yield Problem("building_not_in_play", message, square(where, index))
    if MONUMENT in town.grid:
        standing = [index for index, piece in enumerate(town.grid) if piece == MONUMENT]
        for index in standing[1:]:
            message = "A player builds one monument at most: one of them is something else."
            yield Problem("two_monuments", message, square(where, index))
        if not town.monument:
            yield Problem("monument_without_card", "Say which Monument card this is.", f"{where}/monument")
    if "bank" in town.grid:
        banks = [index for index, piece in enumerate(town.grid) if piece == "bank"]
        for index in banks[BUILDINGS["bank"].most :]:
            message = "A town has 5 Banks at most, one for each resource: one of them is something else."
            yield Problem("too_many_banks", message, square(where, index))


def square(where: str, index: int) -> str:
    return f"{where}/grid/{index // SIDE}/{index % SIDE}"


def of_full_town(table: Table, town: Town, where: str) -> Iterator[Problem]:
    """In the base game every construction leaves an empty square, but for those of three cards."""
    if EMPTY in town.grid or table.fortune:
        return
    monument = town.monument if MONUMENT in town.grid else ""
    if not any(BUILDINGS[piece].fills_town for piece in town.grid if piece in BUILDINGS) and not (
        monument and MONUMENTS[monument].fills_town
    ):
        message = "Sixteen buildings without a Trading Post, Grove University or Opaleye's Watch: is that so?"
        yield warning("sixteen_buildings", message, f"{where}/grid")


def of_monument(table: Table, town: Town, where: str) -> Iterator[Problem]:
    """The numbers that some monuments score by."""
    if MONUMENT not in town.grid:
        return
    if town.monument == "shrine_of_the_elder_tree":
        most = COUNT - town.grid.count(EMPTY)
        if town.shrine_count is None:
            message = "Enter how many buildings the town had when the Shrine was built, itself included."
            yield Problem("missing_field", message, f"{where}/shrine_count")
        elif not 1 <= town.shrine_count <= most:
            possible = f"1 to {most}" if most > 1 else "1"
            message = f"The Shrine counts itself, and the town has {counted(most, 'building')} now: enter {possible}."
            yield Problem("shrine_count", message, f"{where}/shrine_count")
    elif town.monument == "the_starloom" and table.mode != "solo":
        last = len(table.players) if len(table.players) > 1 else PLAYERS[-1]
        if town.starloom_place is None:
            message = "Enter in which place this town was completed; towns of the same round share the better place."
            yield Problem("missing_field", message, f"{where}/starloom_place")
        elif not 1 <= town.starloom_place <= last:
            message = f"Enter a place from 1 to {last}: no more players finish a town."
            yield Problem("starloom_place", message, f"{where}/starloom_place")
    elif town.monument == "hollow_hill" and town.hollow_hill_swaps is None:
        message = "Enter how many coins were paid for other resources after Hollow Hill was built."
        yield Problem("missing_field", message, f"{where}/hollow_hill_swaps")


def of_cubes(town: Town, where: str) -> Iterator[Problem]:
    """What lies on Warehouses, Banks and Cottages. Only Warehouse cubes change points."""
    holds = BUILDINGS["warehouse"].holds
    for cell, cubes in town.warehouse_cubes.items():
        place = f"{where}/warehouse_cubes/{cell}"
        if town.grid[INDEX[cell]] not in ("warehouse", UNREAD) and cubes:
            message = f"No Warehouse stands on {cell}: move the cubes to the square where it is."
            yield Problem("no_warehouse_there", message, place)
        elif cubes > holds:
            yield Problem(
                "too_many_cubes", f"Enter 0 to {holds} cubes, all that a Warehouse holds; this is {cubes}.", place
            )
    held: dict[str, str] = {}
    for cell, resource in town.bank_resources.items():
        place = f"{where}/bank_resources/{cell}"
        if town.grid[INDEX[cell]] != "bank":
            yield warning("no_bank_there", f"No Bank stands on {cell}.", place)
        elif resource in held:
            message = f"The Bank on {held[resource]} holds {resource} already: each Bank has a resource of its own."
            yield Problem("same_bank_resource", message, place)
        else:
            held[resource] = cell


def of_neighbour(table: Table, index: int, town: Town, where: str) -> Iterator[Problem]:
    """Feast Halls are compared with the player on the right, the previous one clockwise."""
    said, place = town.right_feast_halls, f"{where}/right_feast_halls"
    if table.mode == "solo":
        if "feast_hall" in town.grid:
            message = "The solo rules do not say what a Feast Hall is worth without a neighbour: we count 2 each."
            yield warning("feast_hall_in_solo", message, "/table/cards/green")
        if said is not None:
            yield warning("not_needed", "In the solo game nobody sits on the right.", place)
        return
    if said is None:
        return
    if said > COUNT:
        yield Problem("right_feast_halls", f"A town has {COUNT} squares: enter 0 to {COUNT}.", place)
    right = town_on_the_right(table, index)
    if right is not None and right.grid.count("feast_hall") != said:
        number = right.grid.count("feast_hall")
        message = f"{right.name} on the right has {counted(number, 'Feast Hall')} in town, and that is what counts."
        yield warning("not_needed", message, place)


def of_coins(table: Table, town: Town, where: str) -> Iterator[Problem]:
    """The chest of Fortune."""
    place = f"{where}/coins"
    if not table.fortune:
        if town.coins:
            yield warning("not_needed", "Coins belong to Fortune, which this table does not play.", place)
    elif town.coins is None:
        yield warning("coins_not_given", "No coins are entered here: none are counted.", place)
    elif town.coins > WIDE_CHEST:
        yield Problem("too_many_coins", f"A chest holds {CHEST} coins, {WIDE_CHEST} with some monuments.", place)
    elif town.coins > CHEST and not (MONUMENT in town.grid and MONUMENTS[town.monument].expansion):
        yield warning("fifth_coin", f"A chest holds {CHEST} coins unless a monument adds a place: is that so?", place)


def of_spare_facts(table: Table, town: Town, where: str) -> Iterator[Problem]:
    """Facts that change nothing in this town, or that the rules bound without scoring them."""
    standing = town.monument if MONUMENT in town.grid else ""
    for key, card_id in MONUMENT_FACTS.items():
        if getattr(town, key) is not None and standing != card_id:
            name = MONUMENTS[card_id].name
            yield warning("not_needed", f"This counts only with {name}, which is not in this town.", f"{where}/{key}")
    if standing == "the_starloom" and table.mode == "solo" and town.starloom_place not in (None, 1):
        yield warning("not_needed", "Alone you always complete your town first.", f"{where}/starloom_place")
    if town.master_builder_turns is not None and table.mode != "standard":
        message = f"Nobody is Master Builder {MODE_NAMES[table.mode]}."
        yield warning("not_needed", message, f"{where}/master_builder_turns")
    if (town.cavern_cubes or 0) > CAVERN:
        message = f"The Cavern takes {CAVERN} resources: is that so? They score nothing."
        yield warning("cavern_cubes", message, f"{where}/cavern_cubes")
    for cell in town.bondmaker_cubes:
        if town.grid[INDEX[cell]] != COTTAGE or standing != "statue_of_the_bondmaker":
            message = "Cubes lie there only on a Cottage, with the Statue of the Bondmaker; they score nothing."
            yield warning("no_cottage_there", message, f"{where}/bondmaker_cubes/{cell}")
    left = town.opaleye_remaining
    if left and (len(left) > MONUMENTS["opaleyes_watch"].holds or len(set(left)) < len(left)):
        message = "Opaleye's Watch holds 3 different buildings at most; they score nothing."
        yield warning("opaleye_remaining", message, f"{where}/opaleye_remaining")


MONUMENT_FACTS = {
    "shrine_count": "shrine_of_the_elder_tree",
    "starloom_place": "the_starloom",
    "hollow_hill_swaps": "hollow_hill",
}
