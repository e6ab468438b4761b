"""Tell what the rules of Tiny Towns forbid on a finished table (errors), and what is worth a second look (warnings)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from scorer.contract import Problem
from scorer.games.tiny_towns.cards import (
    BUILDINGS,
    CARDS,
    COLOURS,
    COTTAGE,
    EMPTY,
    EXPANSION_NAMES,
    LIMITED,
    MONUMENT,
    MONUMENTS,
    OPTIONS,
    TYPED,
    UNREAD,
    Card,
    piece_name,
)
from scorer.games.tiny_towns.squares import COUNT, INDEX, NAMES, SIDE
from scorer.games.tiny_towns.state import PLAYERS, VILLAGER_CARDS, State, Town, town_on_the_right
from scorer.sentences import Sentence, listed, say, say_count

CAVERN = 2  # resources beside the board
CHEST = 4  # coins (Fortune)
WIDE_CHEST = 5  # with some of the monuments
VILLAGERS = 3  # of each player
FULL = 12  # buildings: only with more of them a town may be too full
TOWER = 18  # pieces of each building in the box, as far as we can tell
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
            problems += of_tower(player, where)
            problems += of_blacksmiths(state, player, where)
            problems += of_villagers(state, player, where)
            problems += of_typed_points(player, where)
            problems += of_coins(state, player, where)
            problems += of_spare_facts(state, player, where)
    return problems


def may_stand(state: State) -> frozenset[str]:
    """Return what this table builds with; any building of a colour whose card could not be read."""
    unread = [card for colour in COLOURS if colour not in state.cards for card in OPTIONS[colour]]
    return frozenset({EMPTY, UNREAD, MONUMENT, COTTAGE, *state.cards.values(), *unread})


def warning(code: str, message: Sentence, where: str) -> Problem:
    return Problem(code, message, where, "warning")


# -- the table -------------------------------------------------------------------------------------------------------


def of_table(state: State) -> Iterator[Problem]:
    """The mode, the six cards, the villager cards, and the players' monument cards side by side."""
    if state.mode == "solo" and len(state.players) > 1:
        message = say("Solo is for one player, not {players}. Choose another mode.", players=len(state.players))
        yield Problem("player_count", message, "/players")
    for colour, card_id in state.cards.items():
        if card_id in LIMITED:
            yield from of_card(state, BUILDINGS[card_id], f"/table/cards/{colour}")
    yield from of_villager_cards(state)
    holders: dict[str, str] = {}
    for index, player in enumerate(state.players):
        if not isinstance(player, Town) or not player.monument:
            continue
        card = MONUMENTS[player.monument]
        where = f"/players/{index}/monument"
        yield from of_card(state, card, where)
        if card.id in holders and not card.typed:  # two players may hold two monuments that are in no list
            message = say(
                "{player} already has {card}. There is only one of each. Check both cards.",
                player=holders[card.id],
                card=card.name,
            )
            yield Problem("same_monument", message, where)
        holders.setdefault(card.id, player.name)


def of_card(state: State, card: Card, where: str) -> Iterator[Problem]:
    """Yield whether this table can play with the card at all."""
    if card.expansion and card.expansion not in state.expansions:
        message = say(
            "{card} belongs to {expansion}. Add that expansion or choose another card.",
            card=card.name,
            expansion=EXPANSION_NAMES[card.expansion],
        )
        yield Problem("expansion_not_in_play", message, where)
    if state.mode in card.removed_in:
        # What Fortune removes we know from one source only.
        level: Literal["error", "warning"] = "warning" if card.expansion == "fortune" else "error"
        if state.mode == "solo":
            message = say("{card} is not used in the solo game. Choose another card.", card=card.name)
        else:
            message = say("{card} is not used with the Town Hall rules. Choose another card.", card=card.name)
        yield Problem(f"not_in_{state.mode}", message, where, level)


def of_villager_cards(state: State) -> Iterator[Problem]:
    """One of cost 1 and a dearer one are in play; none of them changes a point."""
    cards, where = state.villager_cards, "/table/villager_cards"
    if not state.villagers:
        if cards or state.tiny_tears:
            message = say("Villager cards and Tiny Tears need the Villagers expansion. Add it or remove them.")
            yield warning("not_needed", message, where if cards else "/table/tiny_tears")
        return
    costs = sorted([VILLAGER_CARDS[card] for card in cards])
    if cards and not (len(costs) == 2 and costs[0] == 1 < costs[1]):
        message = say("A game uses two villager cards: one costs 1, the other 2 or 3. Is this right?")
        yield warning("villager_cards", message, where)
    elif "solicit" in cards and not state.fortune:
        yield warning(
            "villager_cards", say("Solicit gives coins, so it needs the Fortune expansion. Is this right?"), where
        )


# -- one town --------------------------------------------------------------------------------------------------------


def of_pieces(town: Town, in_play: frozenset[str], where: str) -> Iterator[Problem]:
    """Yield what stands on the squares."""
    if not in_play.issuperset(town.grid):
        for index, piece in enumerate(town.grid):
            if piece not in in_play:
                message = say(
                    "{building} is not one of this game’s cards. Check the square or the cards.",
                    building=piece_name(piece),
                )
                yield Problem("building_not_in_play", message, square(where, index))
    if MONUMENT in town.grid:
        standing = [index for index, piece in enumerate(town.grid) if piece == MONUMENT]
        for index in standing[1:]:
            message = say("Each player builds at most one monument. Change one of these squares.")
            yield Problem("two_monuments", message, square(where, index))
        if not town.monument:
            yield Problem("monument_without_card", say("Choose the monument card."), f"{where}/monument")
    if "folly_tower" in town.grid:
        towers = [index for index, piece in enumerate(town.grid) if piece == "folly_tower"]
        for index in towers[1:]:
            message = say("A town has only one Folly Tower. Enter the others as levels of it.")
            yield Problem("two_folly_towers", message, square(where, index))
    if "bank" in town.grid:
        banks = [index for index, piece in enumerate(town.grid) if piece == "bank"]
        for index in banks[BUILDINGS["bank"].most :]:
            message = say("A town has at most 5 Banks, one for each resource. Change one of these squares.")
            yield Problem("too_many_banks", message, square(where, index))


def square(where: str, index: int) -> str:
    return f"{where}/grid/{index // SIDE}/{index % SIDE}"


def of_full_town(state: State, town: Town, where: str) -> Iterator[Problem]:
    """In the base game every construction takes its cubes away and fills one of their squares, but for three cards.

    So the last building, whichever it was, left as many squares empty as its pattern has cubes, less one. The cards of
    Fortune and Villagers build in other ways too.
    """
    if state.expansions or UNREAD in town.grid or len(town.grid) - town.grid.count(EMPTY) < FULL:
        return
    standing = {*town.grid} - {EMPTY, MONUMENT}
    cards = [CARDS[card] for card in (standing | {town.monument} if MONUMENT in town.grid else standing) if card]
    if not cards or any([card.fills_town or card.typed for card in cards]):
        return
    empty = town.grid.count(EMPTY)
    least = min([card.cubes for card in cards]) - 1
    if not empty:
        message = say("Sixteen buildings need a Trading Post, Grove University or Opaleye’s Watch. Is this right?")
        yield warning("sixteen_buildings", message, f"{where}/grid")
    elif empty < least:
        message = say_count(
            "The last of these to be built left at least {least} empty squares. Here {n} is empty. Is this right?",
            "The last of these to be built left at least {least} empty squares. Here {n} are empty. Is this right?",
            empty,
            least=least,
        )
        yield warning("too_full", message, f"{where}/grid")


def of_monument(state: State, town: Town, where: str) -> Iterator[Problem]:
    """The numbers that some monuments score by."""
    if MONUMENT not in town.grid:
        return
    if town.monument == "shrine_of_the_elder_tree":
        most = COUNT - town.grid.count(EMPTY)
        if town.shrine_count is None:
            message = say("Enter how many buildings the town had when the Shrine was built, including the Shrine.")
            yield Problem("missing_field", message, f"{where}/shrine_count")
        elif not 1 <= town.shrine_count <= most:
            message = say_count(
                "The Shrine counts itself, and the town has {n} building. Enter 1.",
                "The Shrine counts itself, and the town has {n} buildings. Enter 1 to {n}.",
                most,
            )
            yield Problem("shrine_count", message, f"{where}/shrine_count")
    elif town.monument == "the_starloom" and state.mode != "solo":
        last = len(state.players) if len(state.players) > 1 else PLAYERS[-1]
        if town.starloom_place is None:
            message = say(
                "Enter when this town was completed: 1 for first. Towns completed together get the better number."
            )
            yield Problem("missing_field", message, f"{where}/starloom_place")
        elif not 1 <= town.starloom_place <= last:
            message = say("Enter a number from 1 to {last}.", last=last)
            yield Problem("starloom_place", message, f"{where}/starloom_place")
    elif town.monument == "larkstone" and town.players_ahead is not None:
        if len(state.players) > 1 or state.mode == "solo":
            message = say("We know all players’ points, so you can leave this empty.")
            yield warning("not_needed", message, f"{where}/players_ahead")
        elif town.players_ahead > PLAYERS[-2]:
            message = say("Enter a number from 0 to {most}.", most=PLAYERS[-2])
            yield Problem("players_ahead", message, f"{where}/players_ahead")
    elif town.monument == "hollow_hill" and town.hollow_hill_swaps is None:
        message = say("Enter how many coins you paid to swap resources after building Hollow Hill.")
        yield Problem("missing_field", message, f"{where}/hollow_hill_swaps")


def squares_of(town: Town, building: str) -> list[str]:
    return [cell for cell, piece in zip(NAMES, town.grid, strict=True) if piece == building]


def of_cubes(town: Town, where: str) -> Iterator[Problem]:
    """Yield what lies on Warehouses, Banks and Cottages. Only Warehouse cubes change points."""
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
            yield warning("no_bank_there", say("There is no Bank on {cell}.", cell=cell), place)
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
    """Feast Halls are compared with the player on the right, the previous one clockwise."""
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
        return say("{player} on your right has no Feast Hall. We use that number.", player=right.name)
    return say_count(
        "{player} on your right has {n} Feast Hall. We use that number.",
        "{player} on your right has {n} Feast Halls. We use that number.",
        number,
        player=right.name,
    )


def of_tower(town: Town, where: str) -> Iterator[Problem]:
    """The height of a Folly Tower, and of the tallest one elsewhere."""
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
        message = say("The box has only {pieces} of these pieces. Is this right?", pieces=TOWER)
        yield warning("tall_tower", message, place)


def of_blacksmiths(state: State, town: Town, where: str) -> Iterator[Problem]:
    """Each holds one cube at most."""
    holds = BUILDINGS["blacksmith"].holds
    in_play = "yellow" not in state.cards or state.cards["yellow"] == "blacksmith"
    smiths = squares_of(town, "blacksmith")
    if smiths and state.rulings.blacksmith_cube == "counts" and not any(town.blacksmith_cubes.values()):
        message = say_count(
            "Is there a cube on the Blacksmith on {squares}? With a cube it scores nothing.",
            "Are there cubes on the Blacksmiths on {squares}? One with a cube scores nothing.",
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
            message = say("A Blacksmith holds 0 or 1 cube. You entered {cubes}.", cubes=cubes)
            yield Problem("too_many_cubes", message, place)


def of_villagers(state: State, town: Town, where: str) -> Iterator[Problem]:
    """At work in a building or on an empty square, one on each; those that are not listed are on the Lodge."""
    if not town.villagers:
        return
    if not state.villagers:
        message = say("Villagers need the Villagers expansion. Add it or remove them.")
        yield warning("not_needed", message, f"{where}/villagers")
        return
    if len(town.villagers) > VILLAGERS:
        message = say("Each player has {villagers} villagers. Remove the others.", villagers=VILLAGERS)
        yield Problem("too_many_villagers", message, f"{where}/villagers")
    for index, cell in enumerate(town.villagers):
        if cell in town.villagers[:index]:
            message = say("Two villagers can’t share a square. Move one of them off {cell}.", cell=cell)
            yield Problem("villagers_share_a_square", message, f"{where}/villagers/{index}")


def of_typed_points(town: Town, where: str) -> Iterator[Problem]:
    """Cards of no list are counted by the players."""
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
    """The chest of Fortune."""
    place = f"{where}/coins"
    standing = town.monument if MONUMENT in town.grid else ""
    if not state.fortune:
        if town.coins:
            message = say("Coins need the Fortune expansion. Add it or remove them.")
            yield warning("not_needed", message, place)
    elif town.coins is None:
        yield warning("coins_not_given", say("No coins were entered, so we count 0."), place)
    elif town.coins > WIDE_CHEST:
        message = say("A chest holds {coins} coins, or {more} with some monuments.", coins=CHEST, more=WIDE_CHEST)
        yield Problem("too_many_coins", message, place)
    elif town.coins > CHEST and not (standing and MONUMENTS[standing].widens_chest):
        message = say("A chest only holds {coins} coins, unless a monument adds space. Is this right?", coins=CHEST)
        yield warning("fifth_coin", message, place)


def of_spare_facts(state: State, town: Town, where: str) -> Iterator[Problem]:
    """Facts that change nothing in this town, or that the rules bound without scoring them."""
    standing = town.monument if MONUMENT in town.grid else ""
    for key, card_id in MONUMENT_FACTS.items():
        if getattr(town, key) is not None and standing != card_id:
            name = MONUMENTS[card_id].name
            message = say("This only counts with {monument}, which is not in this town.", monument=name)
            yield warning("not_needed", message, f"{where}/{key}")
    if standing == "the_starloom" and state.mode == "solo" and town.starloom_place not in (None, 1):
        message = say("When you play solo, you are always first.")
        yield warning("not_needed", message, f"{where}/starloom_place")
    if town.master_builder_turns is not None and state.mode != "standard":
        if state.mode == "solo":
            message = say("There is no Master Builder in the solo game.")
        else:
            message = say("There is no Master Builder with the Town Hall rules.")
        yield warning("not_needed", message, f"{where}/master_builder_turns")
    if (town.cavern_cubes or 0) > CAVERN:
        message = say(
            "The Cavern holds only {resources} resources. Is this right? They score nothing.", resources=CAVERN
        )
        yield warning("cavern_cubes", message, f"{where}/cavern_cubes")
    for cell in town.bondmaker_cubes:
        if town.grid[INDEX[cell]] != COTTAGE or standing != "statue_of_the_bondmaker":
            message = say("Only the Statue of the Bondmaker puts cubes on Cottages. They score nothing.")
            yield warning("no_cottage_there", message, f"{where}/bondmaker_cubes/{cell}")
    left = town.opaleye_remaining
    if left and standing != "opaleyes_watch":
        message = say("Only Opaleye’s Watch holds buildings, and it is not in this town.")
        yield warning("opaleye_remaining", message, f"{where}/opaleye_remaining")
    elif left and not may_stand(state).issuperset(left):
        names = listed([BUILDINGS[card].name for card in dict.fromkeys(left) if card not in may_stand(state)])
        message = say(
            "Opaleye’s Watch has {buildings}, but this game has no such card. Is this right?", buildings=names
        )
        yield warning("opaleye_remaining", message, f"{where}/opaleye_remaining")
    elif left and (len(left) > MONUMENTS["opaleyes_watch"].holds or len(set(left)) < len(left)):
        message = say("Opaleye’s Watch holds at most 3 different buildings. They score nothing.")
        yield warning("opaleye_remaining", message, f"{where}/opaleye_remaining")


MONUMENT_FACTS = {
    "shrine_count": "shrine_of_the_elder_tree",
    "starloom_place": "the_starloom",
    "hollow_hill_swaps": "hollow_hill",
    "players_ahead": "larkstone",
}
