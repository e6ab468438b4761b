"""Define what the forms ask for: the inputs of every table, and the facts that matter for a certain town."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from scorer.contract import (
    Choice,
    ChoiceInput,
    ChoicesInput,
    DataInput,
    FlagInput,
    GridInput,
    Input,
    Loaded,
    NumberInput,
    Section,
    TextInput,
)
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
)
from scorer.games.tiny_towns.companion import RESOURCES, companion_notes
from scorer.games.tiny_towns.other_towns import asks_for_tower
from scorer.games.tiny_towns.rulings import RULINGS
from scorer.games.tiny_towns.score import has_rung
from scorer.games.tiny_towns.squares import COUNT, NAMES, SIDE
from scorer.games.tiny_towns.state import PLAYERS, State, Town, town_on_the_right
from scorer.games.tiny_towns.validate_facts import WIDE_CHEST
from scorer.sentences import say

MODES = (Choice("standard", say("Standard")), Choice("town_hall", say("Town Hall")), Choice("solo", say("Solo")))
EMPTY_SQUARE = Choice(EMPTY, say("Empty"))
A_MONUMENT = Choice(MONUMENT, say("Monument"), "Mo", "purple")
ON_BANKS = tuple(Choice(resource, name) for resource, name in RESOURCES.items())
ON_A_SMITH = (Choice(0, say("No cube")), Choice(1, say("A cube"), "■"))
CHOICES = {card.id: Choice(card.id, card.name, card.mark, card.colour) for card in CARDS.values()}
BUILDING = {card: CHOICES[card] for card in BUILDINGS}
SETUP = (
    ChoiceInput("mode", say("Rules"), MODES, section=Section.SETUP, default="standard", is_variant=True),
    ChoicesInput(
        "expansions",
        say("Expansions"),
        tuple(Choice(one, EXPANSION_NAMES[one]) for one in EXPANSIONS),
        section=Section.SETUP,
        is_variant=True,
        default=[],
        optional=True,
    ),
)
# Only for the history: no points depend on them.
OF_VILLAGERS = (
    ChoicesInput(
        "villager_cards",
        say("Villager cards"),
        (
            Choice("cut_corners", say("Cut Corners (1)")),
            Choice("forage", say("Forage (1)")),
            Choice("scrap", say("Scrap (1)")),
            Choice("cooperate", say("Cooperate (2)")),
            Choice("innovate", say("Innovate (2)")),
            Choice("renovate", say("Renovate (3)")),
            Choice("solicit", say("Solicit (3)")),
        ),
        section=Section.SETUP,
        optional=True,
    ),
    FlagInput("tiny_tears", say("Tiny Tears"), section=Section.SETUP, optional=True),
)
CARD_OF = {
    colour: ChoiceInput(
        f"cards/{colour}",
        TYPES[colour].name,
        tuple(BUILDING[card_id] for card_id in OPTIONS[colour]),
        section=Section.SETUP,
        default=FIRST_GAME[colour],
    )
    for colour in COLOURS
}
CARD_NAME = {
    "red": say("Name of the red card"),
    "grey": say("Name of the grey card"),
    "orange": say("Name of the orange card"),
    "green": say("Name of the green card"),
    "yellow": say("Name of the yellow card"),
    "black": say("Name of the black card"),
}
# Names of cards that are in no list. The club's next game keeps them.
NAME_OF = {
    colour: TextInput(f"card_names/{colour}", CARD_NAME[colour], section=Section.SETUP, optional=True)
    for colour in COLOURS
    if any(CARDS[card].typed for card in OPTIONS[colour])
}
RULING = {ruling.card: ruling.input for ruling in RULINGS}
GRID = GridInput(
    "grid",
    say("Town"),
    (EMPTY_SQUARE, *BUILDING.values(), A_MONUMENT),
    size=(SIDE, SIDE),
    carries=True,
    follows_cards=True,
)
CARD = ChoiceInput("monument", say("Monument card"), tuple(CHOICES[card] for card in MONUMENTS), optional=True)
OF_CARDS = {asked.name: asked for asked in (CARD, *CARD_OF.values())}
SHRINE = NumberInput(
    "shrine_count", say("Buildings when the Shrine was built, including the Shrine"), low=1, high=COUNT
)
STARLOOM = NumberInput("starloom_place", say("When this town was completed (1 = first)"), low=1, high=PLAYERS[-1])
SWAPS = NumberInput("hollow_hill_swaps", say("Coins paid to swap resources since Hollow Hill was built"))
ON_THE_RIGHT = NumberInput(
    "right_feast_halls", say("Feast Halls of the player on your right"), high=COUNT, optional=True
)
COINS_ON_THE_RIGHT = NumberInput(
    "right_coins", say("Coins of the player on your right"), high=WIDE_CHEST, optional=True
)
AHEAD = NumberInput(
    "players_ahead", say("Players with more points, not counting the Larkstone"), high=PLAYERS[-2], optional=True
)
HEIGHT = NumberInput("folly_tower_height", say("Levels of the Folly Tower"), low=1)
TALLEST = NumberInput("tallest_other_tower", say("Levels of the other players’ tallest Folly Tower"), optional=True)
ON_SMITHS = DataInput("blacksmith_cubes", say("Cubes on Blacksmiths"), optional=True)
COUNTED = DataInput("typed_points", say("Points for cards that are not in the list"), optional=True)
MONUMENT_NAME = TextInput("monument_name", say("Name of the monument"), optional=True)
COINS = NumberInput("coins", say("Coins left"), high=WIDE_CHEST, default=0, optional=True)
CUBES = DataInput("warehouse_cubes", say("Cubes on Warehouses"), optional=True)
RESOURCE = DataInput("bank_resources", say("Resources on Banks"), ON_BANKS, optional=True)
TURNS = NumberInput(
    "master_builder_turns", say("Turns as Master Builder"), optional=True, forgettable=True, in_doubt=True
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
    *(replace(fact, in_doubt=True) for fact in (ON_THE_RIGHT, COINS_ON_THE_RIGHT, TALLEST, AHEAD)),
    COINS,
    CUBES,
    RESOURCE,
    ON_SMITHS,
    COUNTED,
    TURNS,
)


def asks(loaded: Loaded, index: int | None) -> tuple[Input, ...]:
    """Return the inputs that matter now for the player in seat `index`, or for the table if that is None. Each input
    offers only the choices that remain possible."""
    state: State = loaded.state
    if index is None:
        return (*SETUP, *cards_asked(state), *(villager_cards_asked(state) if state.villagers else ()))
    player = state.players[index] if index < len(state.players) else Town("")
    if not isinstance(player, Town):
        return ()  # this player typed totals
    # A card in the hand changes nothing, so the form does not ask for it.
    card = (monument_card(state, player),) if MONUMENT in player.grid else ()
    turns = (TURNS,) if has_rung(state, TURNS.name) and len(state.players) > 1 else ()
    more = as_noted(loaded, index, (*facts(state, index, player), *turns))
    return (with_buildings(tuple(state.cards.values())), *card, *more)


@lru_cache(maxsize=64)
def with_buildings(cards: tuple[str, ...]) -> GridInput:
    """Return the board input with the Cottage and these cards as choices."""
    return replace(GRID, choices=(EMPTY_SQUARE, *(BUILDING[card] for card in (COTTAGE, *cards)), A_MONUMENT))


def monument_card(state: State, player: Town) -> ChoiceInput:
    """Return the input for the monument, without monuments of other players."""
    taken = {other.monument for other in state.players if isinstance(other, Town) and other is not player}
    cards = played(CARD.name, state.mode, state.expansions).choices
    return replace(CARD, choices=tuple(one for one in cards if one.value not in taken or CARDS[one.value].typed))


def as_noted(loaded: Loaded, index: int, asked: Iterable[Input]) -> tuple[Input, ...]:
    """Return the inputs `asked` of the player in seat `index`. Their defaults come from the notes that players took
    during the game."""
    notes = companion_notes(loaded)
    if notes is None:
        return tuple(asked)
    known = {TURNS.name: notes.turns_of(index), STARLOOM.name: notes.place_of(index)}
    return tuple(replace(one, default=known[one.name]) if one.name in known else one for one in asked)


def cards_asked(state: State) -> Iterator[Input]:
    """Yield the inputs for the six cards, for names of unlisted cards, and for rulings of cards in play."""
    for colour, asked in CARD_OF.items():
        yield played(asked.name, state.mode, state.expansions)
        card = state.cards.get(colour, "")
        if card and BUILDINGS[card].typed:
            yield NAME_OF[colour]
    for card, ruling in RULING.items():
        if card in state.cards.values():
            yield ruling


def villager_cards_asked(state: State) -> tuple[Input, ...]:
    """Return the inputs of Villagers; Solicit needs the coin chest, so it needs Fortune too."""
    cards, tears = OF_VILLAGERS
    return replace(cards, choices=tuple(one for one in cards.choices if one.value != "solicit" or state.fortune)), tears


@lru_cache(maxsize=256)
def played(name: str, mode: str, expansions: tuple[str, ...]) -> ChoiceInput:
    """Return the input `name` for a card, without cards that the mode or a missing expansion rules out."""
    asked = OF_CARDS[name]
    there = (one for one in asked.choices if CARDS[one.value].expansion in ("", *expansions))
    return replace(asked, choices=tuple(one for one in there if mode not in CARDS[one.value].removed_in))


def facts(state: State, index: int, town: Town) -> list[Input]:
    """Return the inputs for facts besides squares that the points of the town in seat `index` depend on."""
    return [
        *on_squares(state, town),
        *of_monument(state, town),
        *of_buildings(state, index, town),
        *([COINS] if state.fortune else []),
    ]


def on_squares(state: State, town: Town) -> Iterator[Input]:
    """Yield the inputs for cubes and resources on buildings."""
    for square, piece in zip(NAMES, town.grid, strict=True):
        if piece == "warehouse":
            label = say("Cubes on {square}", square=square)
            most = BUILDINGS[piece].holds
            yield NumberInput(f"warehouse_cubes/{square}", label, high=most, optional=True, square=square)
        elif piece == "blacksmith" and state.rulings.blacksmith_cube == "counts":
            label = say("Cube on the Blacksmith on {square}", square=square)
            yield ChoiceInput(f"blacksmith_cubes/{square}", label, ON_A_SMITH, default=0, square=square)
        elif piece == "bank":
            label = say("Resource on {square}", square=square)
            yield ChoiceInput(f"bank_resources/{square}", label, ON_BANKS, optional=True)


def of_monument(state: State, town: Town) -> Iterator[Input]:
    """Yield the input for the number that the town's monument scores by, such as the place of the Starloom."""
    standing, number = town.monument if MONUMENT in town.grid else "", len(state.players)
    if standing == "shrine_of_the_elder_tree":
        yield replace(SHRINE, high=COUNT - town.grid.count(EMPTY))
    elif standing == "the_starloom" and state.mode != "solo":
        yield replace(STARLOOM, high=number) if number > 1 else STARLOOM
    elif standing == "hollow_hill":
        yield SWAPS
    elif standing == "larkstone" and state.mode != "solo" and number == 1:
        yield AHEAD


def of_buildings(state: State, index: int, town: Town) -> Iterator[Input]:
    """Yield the inputs for Folly Towers, the coins and Feast Halls of the player on the right, and unlisted cards."""
    if "folly_tower" in town.grid:
        yield replace(HEIGHT, square=NAMES[town.grid.index("folly_tower")])
        if asks_for_tower(state, index, town):
            yield TALLEST
    if "schoolhouse" in town.grid and lacks_right(state, index):
        yield COINS_ON_THE_RIGHT
    standing = town.monument if MONUMENT in town.grid else ""
    for card_id in dict.fromkeys((*town.grid, standing)):
        if card_id in CARDS and CARDS[card_id].typed:
            label = say("Points for {card}", card=CARDS[card_id].name)
            yield NumberInput(f"typed_points/{card_id}", label, low=-99, high=199)
    if standing and MONUMENTS[standing].typed:
        yield MONUMENT_NAME
    if "feast_hall" in town.grid and lacks_right(state, index):
        yield ON_THE_RIGHT


def lacks_right(state: State, index: int) -> bool:
    """Return whether the player in seat `index` has somebody on the right whose town is not entered."""
    return state.mode != "solo" and town_on_the_right(state, index) is None
