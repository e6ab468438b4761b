"""Define the state of a finished game of Old London Bridge.

Readable values stay as entered, even if illegal, so that `validate` can report every fault at once. None stands for
missing values. Facts have the names of their fields; those of the bridge are "buildings", "types/C", "longest", "low30"
and "sets". Facts that follow from others need not be entered.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.contract import Fact, Step
from scorer.games.old_london_bridge import bridge as bridges
from scorer.games.old_london_bridge.cards import (
    BASE,
    BONUS_SPACE_EVERY,
    CERTAIN_COSTS,
    EMPTY_COLUMNS,
    SPACES,
    TYPES,
    ZEROS,
)
from scorer.games.old_london_bridge.summary import Amounts, Summary
from scorer.record import Typed
from scorer.sentences import say, say_as

PLAYERS = range(2, 5)
RULES = {
    "coins": say("Coins in hand"),
    "chapel": say_as("Old London Bridge", "Chapel"),
    "gate": say("Bridge gate"),
    "inn": say_as("Old London Bridge", "Inn"),
    "bridge": say("Bridge"),
    "empty": say("Empty spaces"),
    "bonus": say("Unused bonus tiles"),
}
LADDER = (Step("chapel_order", say("the lead on the chapel track"), "fewest"),)
FACTS = {
    "chapel_order": Fact(say("Chapel order"), say("chapel order")),
    "chapel_steps": Fact(say("Chapel steps"), say("chapel steps")),
}
# Players who typed lines may enter this too, because another player's distance may be measured from their marker.
TYPED_FACTS = (Step("chapel_steps", say("spaces up the chapel track"), "most"),)


@functools.lru_cache(maxsize=64)  # all checks and faces count the same few bridges
def summary_of(bridge: tuple[str, ...]) -> Summary:
    """Return the counts of a bridge that is entered building by building."""
    counts = Counter(building.letter for _, building in bridges.buildings(bridge))
    return Summary(
        buildings=len(bridge),
        types=tuple((letter, counts[letter]) for letter in TYPES),
        longest=len(bridges.longest_run(bridge)),
        low30=len(bridges.low_numbers(bridge)),
        sets=min(counts[letter] for letter in TYPES),
    )


@dataclass(frozen=True, slots=True)
class Architect:
    """Hold what one player entered, such as coins, steps on the two tracks, cards and the bridge."""

    name: str
    coins: int | None = None  # before final scoring
    chapel_steps: int | None = None
    chapel_moved: bool | None = None  # whether the marker has left the stairs, if its steps are not counted
    gate_steps: int | None = None
    cards: Amounts | None = None  # number of cards by value
    unused_tiles: int | None = None
    last_coin_space: int | None = None
    bridge: tuple[str, ...] | None = None
    summary: Summary | None = None
    replaced: int | None = None  # buildings that the player remembers having replaced
    round_winnings: Amounts | None = None  # coins won by zone, for faces that pay every round
    open: frozenset[str] = frozenset()  # paths below the player that say UNKNOWN: "summary/longest"

    @property
    def counted(self) -> Summary | None:
        """Return the counts of the bridge, entered as such or counted from its buildings. Return None if nothing was
        entered; an empty bridge counts as not entered."""
        return summary_of(self.bridge) if self.bridge else self.summary

    def fact(self, name: str) -> int | None:
        """Return the count or number `name`, as entered or as it follows from other counts, or None if unknown."""
        if name in NUMBERS:
            number: int | None = getattr(self, name)
            return number
        counted = self.counted
        return None if counted is None else counted.fact(name)

    def known(self, name: str) -> int:
        """Return the count or number `name`, or 0 if it says UNKNOWN; `validate` refuses a record that has neither."""
        number = self.fact(name)
        if number is None and self.is_open(name):
            return 0
        assert number is not None, f"validate asks {self.name} for {name}"
        return number

    def is_open(self, name: str) -> bool:
        """Return whether the record says UNKNOWN for the fact `name`, such as "longest"."""
        if not self.open:
            return False
        if name == "cards":
            return any(place.partition("/")[0] == name for place in self.open)
        if self.fact(name) is not None:
            return False
        return not self.open.isdisjoint({name} if name in NUMBERS else {f"summary/{name}", "summary", "bridge"})

    def pointer(self, name: str) -> str:
        """Return the path of a fact in the player's record, such as "/coins" or "/summary/longest"."""
        if name in NUMBERS or name == "cards":
            return f"/{name}"
        return f"/summary/{name}" if self.summary is not None else "/bridge"


def empty_column(architect: Architect) -> str | None:
    """Return the column on the player board, such as "5+", that gives the cost of this bridge's empty spaces. Return
    None if no space is empty or the number of buildings is unknown."""
    built = architect.fact("buildings")
    return None if built is None else column_of(built)


def column_of(built: int) -> str | None:
    """Return the column on the player board, such as "5+", for the empty spaces of a bridge with `built` buildings. It
    gives their cost. Return None if no space is empty, or if the number is impossible."""
    if not 1 <= built < SPACES:
        return None
    return EMPTY_COLUMNS[min(SPACES - built, len(EMPTY_COLUMNS)) - 1]


NUMBERS = ("coins", "chapel_steps", "gate_steps", "unused_tiles", "last_coin_space", "replaced")
SUMMARY_NUMBERS = ("buildings", "longest", "low30", "sets")


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Architect | Typed, ...]
    chapel_order: tuple[str, ...] | None = None
    scoring: tuple[tuple[str, str], ...] = ()
    empty_costs: Amounts = ()
    hand_8plus: int | None = None
    ended_early: bool | None = None  # three stacks ran out before the twelfth round
    open: frozenset[str] = frozenset()  # paths below the table that say UNKNOWN: "hand_8plus", "empty_costs/3"
    # The players who entered a bridge, with their seats.
    architects: tuple[tuple[int, Architect], ...] = field(init=False, repr=False, compare=False)
    faces: Mapping[str, str] = field(init=False, repr=False, compare=False)  # zone -> face, as entered
    # The order on the chapel track: as entered, or by the steps if they all differ.
    order: tuple[str, ...] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found = tuple((index, player) for index, player in enumerate(self.players) if isinstance(player, Architect))
        object.__setattr__(self, "architects", found)
        object.__setattr__(self, "faces", dict(self.scoring))
        order = self.order_by_steps if self.chapel_order is None else self.chapel_order
        object.__setattr__(self, "order", order)

    def face(self, zone: str) -> str:
        return self.faces.get(zone, BASE)

    def empty_cost(self, column: str) -> int | None:
        """Return the coins that empty spaces in a column of the player board, such as "5+", cost; None if unknown."""
        return {**CERTAIN_COSTS, **dict(self.empty_costs)}.get(column)

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    @property
    def chapel_steps(self) -> dict[str, int]:
        """Return the known steps on the chapel track, keyed by player, including players who entered points by hand."""
        steps = {
            player.name: player.chapel_steps
            if isinstance(player, Architect)
            else dict(player.facts).get("chapel_steps")
            for player in self.players
        }
        return {name: how_far for name, how_far in steps.items() if isinstance(how_far, int) and how_far >= 0}

    @property
    def order_by_steps(self) -> tuple[str, ...] | None:
        steps = self.chapel_steps
        if not len(self.players) == len(steps) == len(set(steps.values())):
            return None
        return tuple(sorted(steps, key=lambda name: -steps[name]))

    @property
    def chapel_moves(self) -> dict[str, bool]:
        """Return, keyed by player, whether the marker has left the chapel stairs; players for whom it is unknown are
        left out."""
        moves = {
            player.name: player.chapel_moved
            for _, player in self.architects
            if player.chapel_moved is not None and player.chapel_steps is None
        }
        return moves | {name: steps > 0 for name, steps in self.chapel_steps.items()}

    def has_moved(self, name: str) -> bool | None:
        """Return whether a player's marker has left the chapel stairs, as entered or by the order of markers; None if
        unknown."""
        moves, order = self.chapel_moves, self.order or ()
        if name in moves or name not in order:
            return moves.get(name)
        place = order.index(name)
        if any(moves.get(behind) for behind in order[place + 1 :]):
            return True
        return False if any(moves.get(ahead) is False for ahead in order[:place]) else None

    def hand(self, architect: Architect) -> dict[str, int]:
        """Return how many cards of each value a player has; {} if no cards were entered. Cards of value 0 always return
        to the hand, so they need not be entered."""
        zeros = ZEROS.get(len(self.players), 0)
        return {"0": zeros, **dict(architect.cards)} if architect.cards is not None else {}

    def knows(self, architect: Architect, fact: str) -> bool:
        """Return whether the fact `fact` of a player was entered, follows from other facts, or says UNKNOWN."""
        if architect.is_open(fact):
            return True
        if fact == "cards":
            return architect.cards is not None
        if fact == "unused_tiles":
            return self.unused_tiles(architect) is not None
        if fact == "buildings" and architect.summary and architect.summary.types and not architect.summary.outlines:
            return True  # the counted types are impossible, which another check reports
        if fact == "chapel_steps" and self.face("chapel") == BASE and self.has_moved(architect.name) is not None:
            return True
        return architect.fact(fact) is not None

    def unused_tiles(self, architect: Architect) -> int | None:
        """Return the number of unused bonus tiles, None if unknown, or 0 before the first bonus space (3 steps)."""
        if architect.unused_tiles is None and architect.gate_steps in range(BONUS_SPACE_EVERY):
            return 0
        return architect.unused_tiles
