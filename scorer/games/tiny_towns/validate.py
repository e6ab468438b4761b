"""What the rules of Tiny Towns forbid on a finished table (errors), and what is worth a second look (warnings)."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Problem
from scorer.games.tiny_towns.cards import (
    BUILDINGS,
    COLOURS,
    COTTAGE,
    EMPTY,
    EXPANSION_NAMES,
    MONUMENT,
    MONUMENTS,
    OPTIONS,
    UNREAD,
    Card,
    piece_name,
)
from scorer.games.tiny_towns.squares import COUNT, INDEX, SIDE
from scorer.games.tiny_towns.state import PLAYERS, State, Town, town_on_the_right
from scorer.sentences import Sentence, say, say_count

CAVERN = 2  # resources beside the board
CHEST = 4  # coins (Fortune)
WIDE_CHEST = 5  # with some of the monuments
HELD = {
    "wood": say("wood"),
    "wheat": say("wheat"),
    "brick": say("brick"),
    "glass": say("glass"),
    "stone": say("stone"),
}


def validate(state: State) -> list[Problem]:
    """Every fault of the table at once."""
    problems = list(of_table(state))
    in_play = may_stand(state)
    for index, player in enumerate(state.players):
        if isinstance(player, Town):
            where = f"/players/{index}"
            problems += of_pieces(player, in_play, where)
            problems += of_full_town(state, player, where)
            problems += of_monument(state, player, where)
            problems += of_cubes(player, where)
            problems += of_neighbour(state, index, player, where)
            problems += of_coins(state, player, where)
            problems += of_spare_facts(state, player, where)
    return problems


def may_stand(state: State) -> frozenset[str]:
    """What this table builds with; any building of a colour whose card could not be read."""
    unread = [card for colour in COLOURS if colour not in state.cards for card in OPTIONS[colour]]
    return frozenset({EMPTY, UNREAD, MONUMENT, COTTAGE, *state.cards.values(), *unread})


def warning(code: str, message: Sentence, where: str) -> Problem:
    return Problem(code, message, where, "warning")


# -- the table -------------------------------------------------------------------------------------------------------


def of_table(state: State) -> Iterator[Problem]:
    """The mode, the six cards, and the players' monument cards side by side."""
    if state.mode == "solo" and len(state.players) > 1:
        message = say("Solo is for one player, not {players}: choose another mode.", players=len(state.players))
        yield Problem("player_count", message, "/players")
    for colour, card_id in state.cards.items():
        yield from of_card(state, BUILDINGS[card_id], f"/table/cards/{colour}")
    holders: dict[str, str] = {}
    for index, player in enumerate(state.players):
        if not isinstance(player, Town) or not player.monument:
            continue
        card = MONUMENTS[player.monument]
        where = f"/players/{index}/monument"
        yield from of_card(state, card, where)
        if card.id in holders:
            message = say(
                "{player} holds {card} already, and there is one of each: check both cards.",
                player=holders[card.id],
                card=card.name,
            )
            yield Problem("same_monument", message, where)
        holders.setdefault(card.id, player.name)


def of_card(state: State, card: Card, where: str) -> Iterator[Problem]:
    """Whether this table can play with the card at all."""
    if card.expansion and not state.fortune:
        message = say(
            "{card} belongs to {expansion}: add that expansion, or choose another card.",
            card=card.name,
            expansion=EXPANSION_NAMES[card.expansion],
        )
        yield Problem("expansion_not_in_play", message, where)
    if state.mode in card.removed_in:
        # What Fortune removes we know from one source only.
        level = "warning" if card.expansion else "error"
        if state.mode == "solo":
            message = say("{card} is not played in the solo game: choose another card.", card=card.name)
        else:
            message = say("{card} is not played with the Town Hall rules: choose another card.", card=card.name)
        yield Problem(f"not_in_{state.mode}", message, where, level)


# -- one town --------------------------------------------------------------------------------------------------------


def of_pieces(town: Town, in_play: frozenset[str], where: str) -> Iterator[Problem]:
    """What stands on the squares."""
    if not in_play.issuperset(town.grid):
        for index, piece in enumerate(town.grid):
            if piece not in in_play:
                message = say(
                    "{building} is none of this table's cards: check the square or the cards.",
                    building=piece_name(piece),
                )
                yield Problem("building_not_in_play", message, square(where, index))
    if MONUMENT in town.grid:
        standing = [index for index, piece in enumerate(town.grid) if piece == MONUMENT]
        for index in standing[1:]:
            message = say("A player builds one monument at most: one of them is something else.")
            yield Problem("two_monuments", message, square(where, index))
        if not town.monument:
            yield Problem("monument_without_card", say("Say which Monument card this is."), f"{where}/monument")
    if "bank" in town.grid:
        banks = [index for index, piece in enumerate(town.grid) if piece == "bank"]
        for index in banks[BUILDINGS["bank"].most :]:
            message = say("A town has 5 Banks at most, one for each resource: one of them is something else.")
            yield Problem("too_many_banks", message, square(where, index))


def square(where: str, index: int) -> str:
    return f"{where}/grid/{index // SIDE}/{index % SIDE}"


def of_full_town(state: State, town: Town, where: str) -> Iterator[Problem]:
    """In the base game every construction leaves an empty square, but for those of three cards."""
    if EMPTY in town.grid or state.fortune:
        return
    monument = town.monument if MONUMENT in town.grid else ""
    if not any(BUILDINGS[piece].fills_town for piece in town.grid if piece in BUILDINGS) and not (
        monument and MONUMENTS[monument].fills_town
    ):
        message = say("Sixteen buildings without a Trading Post, Grove University or Opaleye's Watch: is that so?")
        yield warning("sixteen_buildings", message, f"{where}/grid")


def of_monument(state: State, town: Town, where: str) -> Iterator[Problem]:
    """The numbers that some monuments score by."""
    if MONUMENT not in town.grid:
        return
    if town.monument == "shrine_of_the_elder_tree":
        most = COUNT - town.grid.count(EMPTY)
        if town.shrine_count is None:
            message = say("Enter how many buildings the town had when the Shrine was built, itself included.")
            yield Problem("missing_field", message, f"{where}/shrine_count")
        elif not 1 <= town.shrine_count <= most:
            message = say_count(
                "The Shrine counts itself, and the town has {n} building now: enter 1.",
                "The Shrine counts itself, and the town has {n} buildings now: enter 1 to {n}.",
                most,
            )
            yield Problem("shrine_count", message, f"{where}/shrine_count")
    elif town.monument == "the_starloom" and state.mode != "solo":
        last = len(state.players) if len(state.players) > 1 else PLAYERS[-1]
        if town.starloom_place is None:
            message = say(
                "Enter in which place this town was completed; towns of the same round share the better place."
            )
            yield Problem("missing_field", message, f"{where}/starloom_place")
        elif not 1 <= town.starloom_place <= last:
            message = say("Enter a place from 1 to {last}: no more players finish a town.", last=last)
            yield Problem("starloom_place", message, f"{where}/starloom_place")
    elif town.monument == "hollow_hill" and town.hollow_hill_swaps is None:
        message = say("Enter how many coins were paid for other resources after Hollow Hill was built.")
        yield Problem("missing_field", message, f"{where}/hollow_hill_swaps")


def of_cubes(town: Town, where: str) -> Iterator[Problem]:
    """What lies on Warehouses, Banks and Cottages. Only Warehouse cubes change points."""
    holds = BUILDINGS["warehouse"].holds
    for cell, cubes in town.warehouse_cubes.items():
        place = f"{where}/warehouse_cubes/{cell}"
        if town.grid[INDEX[cell]] not in ("warehouse", UNREAD) and cubes:
            message = say("No Warehouse stands on {cell}: move the cubes to the square where it is.", cell=cell)
            yield Problem("no_warehouse_there", message, place)
        elif cubes > holds:
            message = say(
                "Enter 0 to {most} cubes, all that a Warehouse holds; this is {cubes}.", most=holds, cubes=cubes
            )
            yield Problem("too_many_cubes", message, place)
    held: dict[str, str] = {}
    for cell, resource in town.bank_resources.items():
        place = f"{where}/bank_resources/{cell}"
        if town.grid[INDEX[cell]] != "bank":
            yield warning("no_bank_there", say("No Bank stands on {cell}.", cell=cell), place)
        elif resource in held:
            message = say(
                "The Bank on {cell} holds {resource} already: each Bank has a resource of its own.",
                cell=held[resource],
                resource=HELD[resource],
            )
            yield Problem("same_bank_resource", message, place)
        else:
            held[resource] = cell


def of_neighbour(state: State, index: int, town: Town, where: str) -> Iterator[Problem]:
    """Feast Halls are compared with the player on the right, the previous one clockwise."""
    said, place = town.right_feast_halls, f"{where}/right_feast_halls"
    if state.mode == "solo":
        if "feast_hall" in town.grid:
            message = say("The solo rules do not say what a Feast Hall is worth without a neighbour: we count 2 each.")
            yield warning("feast_hall_in_solo", message, "/table/cards/green")
        if said is not None:
            yield warning("not_needed", say("In the solo game nobody sits on the right."), place)
        return
    if said is None:
        return
    if said > COUNT:
        message = say("A town has {squares} squares: enter 0 to {squares}.", squares=COUNT)
        yield Problem("right_feast_halls", message, place)
    right = town_on_the_right(state, index)
    if right is not None and right.grid.count("feast_hall") != said:
        yield warning("not_needed", counted_feast_halls(right), place)


def counted_feast_halls(right: Town) -> Sentence:
    number = right.grid.count("feast_hall")
    if not number:
        return say("{player} on the right has no Feast Hall in town, and that is what counts.", player=right.name)
    return say_count(
        "{player} on the right has {n} Feast Hall in town, and that is what counts.",
        "{player} on the right has {n} Feast Halls in town, and that is what counts.",
        number,
        player=right.name,
    )


def of_coins(state: State, town: Town, where: str) -> Iterator[Problem]:
    """The chest of Fortune."""
    place = f"{where}/coins"
    standing = town.monument if MONUMENT in town.grid else ""
    if not state.fortune:
        if town.coins:
            message = say("Coins belong to Fortune, which this table does not play.")
            yield warning("not_needed", message, place)
    elif town.coins is None:
        yield warning("coins_not_given", say("No coins are entered here: none are counted."), place)
    elif town.coins > WIDE_CHEST:
        message = say("A chest holds {coins} coins, {more} with some monuments.", coins=CHEST, more=WIDE_CHEST)
        yield Problem("too_many_coins", message, place)
    elif town.coins > CHEST and not (standing and MONUMENTS[standing].expansion):
        message = say("A chest holds {coins} coins unless a monument adds a place: is that so?", coins=CHEST)
        yield warning("fifth_coin", message, place)


def of_spare_facts(state: State, town: Town, where: str) -> Iterator[Problem]:
    """Facts that change nothing in this town, or that the rules bound without scoring them."""
    standing = town.monument if MONUMENT in town.grid else ""
    for key, card_id in MONUMENT_FACTS.items():
        if getattr(town, key) is not None and standing != card_id:
            name = MONUMENTS[card_id].name
            message = say("This counts only with {monument}, which is not in this town.", monument=name)
            yield warning("not_needed", message, f"{where}/{key}")
    if standing == "the_starloom" and state.mode == "solo" and town.starloom_place not in (None, 1):
        message = say("Alone you always complete your town first.")
        yield warning("not_needed", message, f"{where}/starloom_place")
    if town.master_builder_turns is not None and state.mode != "standard":
        if state.mode == "solo":
            message = say("Nobody is Master Builder in the solo game.")
        else:
            message = say("Nobody is Master Builder with the Town Hall rules.")
        yield warning("not_needed", message, f"{where}/master_builder_turns")
    if (town.cavern_cubes or 0) > CAVERN:
        message = say("The Cavern takes {resources} resources: is that so? They score nothing.", resources=CAVERN)
        yield warning("cavern_cubes", message, f"{where}/cavern_cubes")
    for cell in town.bondmaker_cubes:
        if town.grid[INDEX[cell]] != COTTAGE or standing != "statue_of_the_bondmaker":
            message = say("Cubes lie there only on a Cottage, with the Statue of the Bondmaker; they score nothing.")
            yield warning("no_cottage_there", message, f"{where}/bondmaker_cubes/{cell}")
    left = town.opaleye_remaining
    if left and (len(left) > MONUMENTS["opaleyes_watch"].holds or len(set(left)) < len(left)):
        message = say("Opaleye's Watch holds 3 different buildings at most; they score nothing.")
        yield warning("opaleye_remaining", message, f"{where}/opaleye_remaining")


MONUMENT_FACTS = {
    "shrine_count": "shrine_of_the_elder_tree",
    "starloom_place": "the_starloom",
    "hollow_hill_swaps": "hollow_hill",
}
