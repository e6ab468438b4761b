"""What the forms ask for: the fields every table has, and the facts that a town makes matter."""

from __future__ import annotations

from dataclasses import replace

from scorer.contract import Choice, Input, Loaded
from scorer.games.tiny_towns.cards import (
    BUILDINGS,
    COLOURS,
    COTTAGE,
    EMPTY,
    EXPANSION_NAMES,
    EXPANSIONS,
    FIRST_GAME,
    MONUMENT,
    MONUMENTS,
    OPTIONS,
    TYPES,
    Card,
)
from scorer.games.tiny_towns.score import has_rung
from scorer.games.tiny_towns.squares import COUNT, NAMES, SIDE
from scorer.games.tiny_towns.state import PLAYERS, State, Town, town_on_the_right
from scorer.games.tiny_towns.validate import WIDE_CHEST
from scorer.sentences import say

MODES = (
    Choice("standard", say("Standard")),
    Choice("town_hall", say("Town Hall")),
    Choice("solo", say("Solo")),
)
EMPTY_SQUARE = Choice(EMPTY, say("Empty"))
A_MONUMENT = Choice(MONUMENT, say("Monument"), "Mo", "purple")
ON_BANKS = (
    Choice("wood", say("Wood")),
    Choice("wheat", say("Wheat")),
    Choice("brick", say("Brick")),
    Choice("glass", say("Glass")),
    Choice("stone", say("Stone")),
)


def choice(card: Card) -> Choice:
    return Choice(card.id, card.name, card.mark, card.colour)


BUILDING = {card.id: choice(card) for card in BUILDINGS.values()}
SETUP = (
    Input("mode", say("Rules"), "choice", MODES, of="setup", default="standard"),
    Input(
        "expansions",
        say("Expansions"),
        "choices",
        tuple(Choice(one, EXPANSION_NAMES[one]) for one in EXPANSIONS),
        of="setup",
        default=[],
        optional=True,
    ),
)
CARDS = {
    colour: Input(
        f"cards/{colour}",
        TYPES[colour].name,
        "choice",
        tuple(BUILDING[card_id] for card_id in OPTIONS[colour]),
        of="setup",
        default=FIRST_GAME[colour],
    )
    for colour in COLOURS
}
GRID = Input(
    "grid",
    say("Town"),
    "grid",
    (EMPTY_SQUARE, *BUILDING.values(), A_MONUMENT),
    size=(SIDE, SIDE),
)
CARD = Input(
    "monument", say("Monument card"), "choice", tuple(choice(card) for card in MONUMENTS.values()), optional=True
)
SHRINE = Input("shrine_count", say("Buildings when the Shrine was built, itself included"), "number", low=1, high=COUNT)
STARLOOM = Input("starloom_place", say("Place in completing the town"), "number", low=1, high=PLAYERS[-1])
SWAPS = Input("hollow_hill_swaps", say("Coins paid for other resources since Hollow Hill was built"), "number")
ON_THE_RIGHT = Input(
    "right_feast_halls", say("Feast Halls of the player on the right"), "number", high=COUNT, optional=True
)
COINS = Input("coins", say("Coins left"), "number", high=WIDE_CHEST, default=0, optional=True)
CUBES = Input("warehouse_cubes", say("Cubes on Warehouses"), "data", optional=True)
RESOURCE = Input("bank_resources", say("Resources on Banks"), "data", optional=True)
TURNS = Input("master_builder_turns", say("Turns as Master Builder"), "number", optional=True, in_doubt=True)

INPUTS = (
    *SETUP,
    *CARDS.values(),
    GRID,
    CARD,
    *(replace(fact, optional=True) for fact in (SHRINE, STARLOOM, SWAPS)),
    replace(ON_THE_RIGHT, in_doubt=True),
    COINS,
    CUBES,
    RESOURCE,
    TURNS,
)


def asks(loaded: Loaded, index: int | None) -> tuple[Input, ...]:
    """What matters now, with the choices that are left: of the table (None), or of one player."""
    state: State = loaded.state
    if index is None:
        return (*SETUP, *(replace(asked, choices=played(state, asked.choices)) for asked in CARDS.values()))
    player = state.players[index] if index < len(state.players) else Town("")
    if not isinstance(player, Town):
        return ()  # her totals are typed
    palette = (EMPTY_SQUARE, *(BUILDING[card_id] for card_id in (COTTAGE, *state.cards.values())), A_MONUMENT)
    taken = {other.monument for other in state.players if isinstance(other, Town) and other is not player}
    free = tuple(card for card in played(state, CARD.choices) if card.value not in taken)
    # A card that is still in the hand changes nothing: nobody is asked for it.
    card = (replace(CARD, choices=free),) if MONUMENT in player.grid else ()
    turns = (TURNS,) if has_rung(state, TURNS.name) and len(state.players) > 1 else ()
    return (replace(GRID, choices=palette), *card, *facts(state, index, player), *turns)


def played(state: State, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Without the cards that this table's mode removes or its expansions do not bring."""
    cards = {**BUILDINGS, **MONUMENTS}
    return tuple(
        one
        for one in choices
        if state.mode not in cards[one.value].removed_in and (state.fortune or not cards[one.value].expansion)
    )


def facts(state: State, index: int, town: Town) -> list[Input]:
    """The facts that this town's points depend on, beyond its squares; and what its Banks hold."""
    standing = town.monument if MONUMENT in town.grid else ""
    asked = []
    for square, piece in zip(NAMES, town.grid, strict=True):
        if piece == "warehouse":
            holds = BUILDINGS[piece].holds
            asked.append(
                Input(
                    f"warehouse_cubes/{square}",
                    say("Cubes on {square}", square=square),
                    "number",
                    high=holds,
                    default=0,
                )
            )
        elif piece == "bank":
            label = say("Resource on {square}", square=square)
            asked.append(Input(f"bank_resources/{square}", label, "choice", ON_BANKS, optional=True))
    if standing == "shrine_of_the_elder_tree":
        asked.append(replace(SHRINE, high=COUNT - town.grid.count(EMPTY)))
    if standing == "the_starloom" and state.mode != "solo":
        asked.append(replace(STARLOOM, high=len(state.players)) if len(state.players) > 1 else STARLOOM)
    if standing == "hollow_hill":
        asked.append(SWAPS)
    if "feast_hall" in town.grid and state.mode != "solo" and town_on_the_right(state, index) is None:
        asked.append(ON_THE_RIGHT)
    if state.fortune:
        asked.append(COINS)
    return asked
