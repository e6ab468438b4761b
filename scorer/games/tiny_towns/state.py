"""Define the state of a finished game of Tiny Towns.

Squares are named by column and row: "B2" is the second square of the second row. Values that are readable but against
the rules stay as they are; `validate` judges them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.contract import Cell, Fact, Step
from scorer.games.tiny_towns.cards import (
    EMPTY,
    RESOURCES,
)
from scorer.games.tiny_towns.rulings import Rulings
from scorer.games.tiny_towns.squares import COUNT
from scorer.record import Typed
from scorer.sentences import say

PLAYERS = range(1, 7)
LADDER = (
    Step("master_builder_turns", say("fewest turns as Master Builder"), "fewest", forgettable=True),
    Step("empty_squares", say("fewest empty squares"), "fewest"),
    Step("cottages", say("most Cottages"), "most"),
)
FACTS = {
    "master_builder_turns": Fact(say("Turns as Master Builder"), say("Master Builder turns")),
    "empty_squares": Fact(say("Empty squares"), say("empty squares")),
    "cottages": Fact(say("Cottages"), say("Cottages")),
    "right_feast_halls": Fact(
        say("Feast Halls of the player on your right"), say("number of Feast Halls the player on your right has")
    ),
    "right_coins": Fact(say("Coins of the player on your right"), say("coins of the player on your right")),
    "tallest_other_tower": Fact(
        say("Levels of the other players’ tallest Folly Tower"),
        say("levels of the other players’ tallest Folly Tower"),
    ),
    "players_ahead": Fact(say("Players with more points"), say("number of players with more points")),
}
# Villager cards and their cost. They never change points; they are only stored with the game.
VILLAGER_CARDS = {
    "cut_corners": 1,
    "forage": 1,
    "scrap": 1,
    "cooperate": 2,
    "innovate": 2,
    "renovate": 3,
    "solicit": 3,
}
CUBES = tuple(f"cube_{resource}" for resource in RESOURCES)  # the names that photo readings use for cubes
NOTHING = (EMPTY,) * COUNT


@dataclass(frozen=True, slots=True)
class Town:
    """Hold what one player has built, square by square in reading order, and facts that the squares do not show."""

    name: str
    grid: tuple[str, ...] = NOTHING
    monument: str = ""  # the card, built or not; "" is none
    warehouse_cubes: Mapping[Cell, int] = field(default_factory=dict)
    bank_resources: Mapping[Cell, str] = field(default_factory=dict)
    bondmaker_cubes: Mapping[Cell, str] = field(default_factory=dict)
    opaleye_remaining: tuple[str, ...] = ()
    shrine_count: int | None = None
    starloom_place: int | None = None
    right_feast_halls: int | None = None  # of a player on the right whose town is not in the record
    right_coins: int | None = None  # of the same player
    tallest_other_tower: int | None = None  # of all players whose towns are not in the record
    players_ahead: int | None = (
        None  # with more points than this town without its Larkstone, if the record has only this town
    )
    cavern_cubes: int | None = None
    coins: int | None = None
    hollow_hill_swaps: int | None = None
    master_builder_turns: int | str | None = None  # or UNKNOWN
    folly_tower_height: int | None = None  # `validate` refuses values below 1
    blacksmith_cubes: Mapping[Cell, int] = field(default_factory=dict)
    villagers: tuple[Cell, ...] = ()  # squares of villagers that are not on the Lodge
    typed_points: Mapping[str, int] = field(default_factory=dict)  # of cards that are in no list
    monument_name: str = ""  # of an unlisted monument


@dataclass(frozen=True, slots=True)
class State:
    """Hold all players in clockwise order, and the cards, expansions and rulings in play."""

    players: tuple[Town | Typed, ...]
    mode: str = "standard"
    cards: Mapping[str, str] = field(default_factory=dict)  # colour -> building
    expansions: tuple[str, ...] = ()  # in the order of EXPANSIONS
    rulings: Rulings = field(default_factory=Rulings)
    card_names: Mapping[str, str] = field(default_factory=dict)  # colour -> name of an unlisted card
    villager_cards: tuple[str, ...] = ()
    tiny_tears: bool | None = None  # a harder variant with villagers; it does not change points

    @property
    def fortune(self) -> bool:
        return "fortune" in self.expansions

    @property
    def villagers(self) -> bool:
        return "villagers" in self.expansions


def town_on_the_right(state: State, index: int) -> Town | None:
    """Return the town of the player before seat `index` in clockwise order, or None if it is not in the record."""
    right = state.players[index - 1]
    return right if len(state.players) > 1 and isinstance(right, Town) else None
