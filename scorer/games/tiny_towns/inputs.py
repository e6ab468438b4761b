"""What the forms ask for: the fields every table has, and the facts that a town makes matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from scorer.contract import Choice, Input, Loaded
from scorer.games.tiny_towns.cards import (
    BUILDINGS,
    CARDS,
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
from scorer.games.tiny_towns.companion import noted
from scorer.games.tiny_towns.others import asks_for_tower
from scorer.games.tiny_towns.rulings import RULINGS
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


ON_A_SMITH = (Choice(0, say("No cube")), Choice(1, say("A cube"), "■"))


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
# For the history alone: no point depends on them.
OF_VILLAGERS = (
    Input(
        "villager_cards",
        say("Villager cards"),
        "choices",
        (
            Choice("cut_corners", say("Cut Corners (1)")),
            Choice("forage", say("Forage (1)")),
            Choice("scrap", say("Scrap (1)")),
            Choice("cooperate", say("Cooperate (2)")),
            Choice("innovate", say("Innovate (2)")),
            Choice("renovate", say("Renovate (3)")),
            Choice("solicit", say("Solicit (3)")),
        ),
        of="setup",
        optional=True,
    ),
    Input("tiny_tears", say("Tiny Tears"), "flag", of="setup", optional=True),
)
CARD_OF = {
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
CARD_NAME = {
    "red": say("What the red card is called"),
    "grey": say("What the grey card is called"),
    "orange": say("What the orange card is called"),
    "green": say("What the green card is called"),
    "yellow": say("What the yellow card is called"),
    "black": say("What the black card is called"),
}
# Names of cards that are in no list. The club's next table begins with them.
NAME_OF = {
    colour: Input(f"card_names/{colour}", CARD_NAME[colour], "text", of="setup", optional=True)
    for colour in COLOURS
    if any(CARDS[card].typed for card in OPTIONS[colour])
}
RULING = {
    ruling.card: Input(
        f"rulings/{ruling.id}",
        ruling.title,
        "choice",
        tuple(Choice(name, sentence) for name, sentence in ruling.options),
        of="setup",
        default=ruling.default,
        help=ruling.sentence,
    )
    for ruling in RULINGS
}
GRID = Input(
    "grid",
    say("Town"),
    "grid",
    (EMPTY_SQUARE, *BUILDING.values(), A_MONUMENT),
    size=(SIDE, SIDE),
    carries=True,
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
COINS_ON_THE_RIGHT = Input(
    "right_coins", say("Coins of the player on the right"), "number", high=WIDE_CHEST, optional=True
)
HEIGHT = Input("folly_tower_height", say("Levels of the Folly Tower"), "number", low=1)
TALLEST = Input(
    "tallest_other_tower", say("Tallest Folly Tower of the players who are not here"), "number", optional=True
)
ON_SMITHS = Input("blacksmith_cubes", say("Cubes on Blacksmiths"), "data", optional=True)
COUNTED = Input("typed_points", say("Points of cards that are not in the list"), "data", optional=True)
MONUMENT_NAME = Input("monument_name", say("What the monument is called"), "text", optional=True)
COINS = Input("coins", say("Coins left"), "number", high=WIDE_CHEST, default=0, optional=True)
CUBES = Input("warehouse_cubes", say("Cubes on Warehouses"), "data", optional=True)
RESOURCE = Input("bank_resources", say("Resources on Banks"), "data", ON_BANKS, optional=True)
TURNS = Input(
    "master_builder_turns",
    say("Turns as Master Builder"),
    "number",
    optional=True,
    forgettable=True,
    in_doubt=True,
)

INPUTS = (
    *SETUP,
    *CARD_OF.values(),
    *NAME_OF.values(),
    *RULING.values(),
    *OF_VILLAGERS,
    GRID,
    CARD,
    MONUMENT_NAME,
    *(replace(fact, optional=True) for fact in (SHRINE, STARLOOM, SWAPS, HEIGHT)),
    *(replace(fact, in_doubt=True) for fact in (ON_THE_RIGHT, COINS_ON_THE_RIGHT, TALLEST)),
    COINS,
    CUBES,
    RESOURCE,
    ON_SMITHS,
    COUNTED,
    TURNS,
)


def asks(loaded: Loaded, index: int | None) -> tuple[Input, ...]:
    """What matters now, with the choices that are left: of the table (None), or of one player."""
    state: State = loaded.state
    if index is None:
        return (*SETUP, *cards_asked(state), *(villager_cards_asked(state) if state.villagers else ()))
    player = state.players[index] if index < len(state.players) else Town("")
    if not isinstance(player, Town):
        return ()  # her totals are typed
    palette = (EMPTY_SQUARE, *(BUILDING[card_id] for card_id in (COTTAGE, *state.cards.values())), A_MONUMENT)
    taken = {other.monument for other in state.players if isinstance(other, Town) and other is not player}
    free = tuple(card for card in played(state, CARD.choices) if card.value not in taken or CARDS[card.value].typed)
    # A card that is still in the hand changes nothing: nobody is asked for it.
    card = (replace(CARD, choices=free),) if MONUMENT in player.grid else ()
    turns = (TURNS,) if has_rung(state, TURNS.name) and len(state.players) > 1 else ()
    return (replace(GRID, choices=palette), *card, *as_noted(loaded, index, (*facts(state, index, player), *turns)))


def as_noted(loaded: Loaded, index: int, asked: Iterable[Input]) -> tuple[Input, ...]:
    """The inputs, those begun that the companion has counted."""
    notes = noted(loaded)
    if notes is None:
        return tuple(asked)
    known = {TURNS.name: notes.turns_of(index), STARLOOM.name: notes.place_of(index)}
    return tuple(replace(one, default=known[one.name]) if one.name in known else one for one in asked)


def cards_asked(state: State) -> Iterator[Input]:
    """The six cards, the names of those in no list, and the rulings that one of them brings up."""
    for colour, asked in CARD_OF.items():
        yield replace(asked, choices=played(state, asked.choices))
        card = state.cards.get(colour, "")
        if card and BUILDINGS[card].typed:
            yield NAME_OF[colour]
    for card, ruling in RULING.items():
        if card in state.cards.values():
            yield ruling


def villager_cards_asked(state: State) -> tuple[Input, ...]:
    """Solicit fills the coin chest, so it is played with Fortune only."""
    cards, tears = OF_VILLAGERS
    return replace(cards, choices=tuple(one for one in cards.choices if one.value != "solicit" or state.fortune)), tears


def played(state: State, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Without the cards that this table's mode removes or its expansions do not bring."""
    return tuple(
        one
        for one in choices
        if state.mode not in CARDS[one.value].removed_in and CARDS[one.value].expansion in ("", *state.expansions)
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
                    optional=True,
                    square=square,
                )
            )
        elif piece == "blacksmith" and state.rulings.blacksmith_cube == "counts":
            label = say("A cube on the Blacksmith on {square}", square=square)
            asked.append(Input(f"blacksmith_cubes/{square}", label, "choice", ON_A_SMITH, default=0, square=square))
        elif piece == "bank":
            label = say("Resource on {square}", square=square)
            asked.append(Input(f"bank_resources/{square}", label, "choice", ON_BANKS, optional=True))
    if standing == "shrine_of_the_elder_tree":
        asked.append(replace(SHRINE, high=COUNT - town.grid.count(EMPTY)))
    if standing == "the_starloom" and state.mode != "solo":
        asked.append(replace(STARLOOM, high=len(state.players)) if len(state.players) > 1 else STARLOOM)
    if standing == "hollow_hill":
        asked.append(SWAPS)
    if "folly_tower" in town.grid:
        asked.append(replace(HEIGHT, square=NAMES[town.grid.index("folly_tower")]))
        if asks_for_tower(state, index, town):
            asked.append(TALLEST)
    if "schoolhouse" in town.grid and state.mode != "solo" and town_on_the_right(state, index) is None:
        asked.append(COINS_ON_THE_RIGHT)
    for card_id in (*dict.fromkeys(town.grid), standing):
        if card_id in CARDS and CARDS[card_id].typed:
            label = say("Points of {card}", card=CARDS[card_id].name)
            asked.append(Input(f"typed_points/{card_id}", label, "number", low=-99, high=199))
    if standing and MONUMENTS[standing].typed:
        asked.append(MONUMENT_NAME)
    if "feast_hall" in town.grid and state.mode != "solo" and town_on_the_right(state, index) is None:
        asked.append(ON_THE_RIGHT)
    if state.fortune:
        asked.append(COINS)
    return asked
