"""What the forms ask for: the fields every table has, and the facts that a town makes matter."""

from __future__ import annotations

from scorer.core import Input
from scorer.games.tiny_towns.board import UNKNOWN
from scorer.games.tiny_towns.cards import (
    BUILDINGS,
    COLOURS,
    EMPTY,
    FIRST_GAME,
    MODES,
    MONUMENT,
    MONUMENTS,
    OPTIONS,
    RESOURCES,
    TYPES,
)
from scorer.games.tiny_towns.scoring import feast_halls_on_the_right
from scorer.games.tiny_towns.squares import COUNT, NAMES, SIDE
from scorer.games.tiny_towns.state import PLAYERS, Table, Town
from scorer.games.tiny_towns.validate import WIDE_CHEST

Choices = tuple[tuple[str, str], ...]
MODE_CHOICES = (("standard", "Standard"), ("town_hall", "Town Hall"), ("solo", "Solo"))
PIECE_CHOICES = (
    (EMPTY, "Empty"),
    *((card.id, card.name) for card in BUILDINGS.values()),
    (MONUMENT, "Monument"),
)
MONUMENT_CHOICES = (("", "None"), *((card.id, card.name) for card in MONUMENTS.values()))
RESOURCE_CHOICES = (("", "Not said"), *((resource, resource.title()) for resource in RESOURCES))


def cards_of(colour: str) -> Choices:
    return tuple((card_id, BUILDINGS[card_id].name) for card_id in OPTIONS[colour])


INPUTS = (
    Input("mode", "Rules", "choice", MODE_CHOICES, of="table", default=MODES[0]),
    *(
        Input(f"cards/{colour}", TYPES[colour].name, "choice", cards_of(colour), of="table", default=FIRST_GAME[colour])
        for colour in COLOURS
    ),
    Input("grid", "Town", "grid", PIECE_CHOICES, size=(SIDE, SIDE), default=EMPTY),
    Input("monument", "Monument card", "choice", MONUMENT_CHOICES, default=""),
    Input("master_builder_turns", "Turns as Master Builder", "number"),
)


def asks(table: Table, index: int) -> tuple[Input, ...]:
    """The facts that matter for this player's points beyond squares and cards, as things stand on the table.

    `name` is the path below the player. A default of None means that there is none: it has to be answered.
    """
    town = table.players[index]
    if not isinstance(town, Town):
        return ()
    standing = town.monument if MONUMENT in town.grid else ""
    asked = []
    for square, piece in zip(NAMES, town.grid, strict=True):
        if piece == "warehouse":
            holds = BUILDINGS[piece].holds
            asked.append(Input(f"warehouse_cubes/{square}", f"Cubes on {square}", "number", high=holds, default=0))
        elif piece == "bank":
            label = f"Resource on the Bank {square}"
            asked.append(Input(f"bank_resources/{square}", label, "choice", RESOURCE_CHOICES, default=""))
    if standing == "shrine_of_the_elder_tree":
        built = COUNT - town.grid.count(EMPTY)
        asked.append(Input("shrine_count", "Buildings when the Shrine was built", "number", low=1, high=built))
    if standing == "the_starloom" and table.mode != "solo":
        last = len(table.players) if len(table.players) > 1 else PLAYERS[-1]
        asked.append(Input("starloom_place", "Place in completing the town", "number", low=1, high=last))
    if standing == "hollow_hill":
        asked.append(Input("hollow_hill_swaps", "Coins paid for other resources since Hollow Hill", "number"))
    if "feast_hall" in town.grid and (
        town.right_feast_halls is not None or feast_halls_on_the_right(table, index) == UNKNOWN
    ):
        asked.append(Input("right_feast_halls", "Feast Halls of the player on the right", "number", high=COUNT))
    if table.fortune:
        asked.append(Input("coins", "Coins left", "number", high=WIDE_CHEST, default=0))
    return tuple(asked)
