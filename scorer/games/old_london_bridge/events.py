"""Follow a game event by event: cards, buildings, the two tracks and bonus tiles (rulebook, how to play).

An event is {"name": "Ann", "did": "card", "value": 3}. Impossible events are ignored, such as a card that two phones
noted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scorer.contract import Json
from scorer.games.old_london_bridge.cards import (
    BONUS_SPACE_EVERY,
    COPIES,
    GARDEN,
    HIGHEST_NUMBER,
    ROUNDS,
    SPACES,
    TYPES,
)
from scorer.games.old_london_bridge.rounds import HIGHEST_CARD, TURNS
from scorer.games.old_london_bridge.tracks import Track
from scorer.games.old_london_bridge.turns import STACKS
from scorer.names import folded
from scorer.record import mapping

GUILD = "U"
CRESTS = ("blue", "orange", "grey", "green")
BONUS_STEPS = 2  # spaces that a bonus tile moves a marker
MOST_EVENTS = 600


@dataclass(frozen=True, slots=True)
class Tile:
    """Hold a building that a player takes: the letter of its type, its crest, and its number once it is known."""

    letter: str
    crest: str = ""
    number: int | None = None

    def has(self, crest: str) -> bool:
        return self.letter == GUILD or self.crest == crest

    def __str__(self) -> str:
        return self.letter if self.number is None else f"{self.letter}{self.number}"


@dataclass(slots=True)
class Progress:
    """Hold the state of an unfinished game after the events so far: tracks, bridges, bonus tiles and cards."""

    players: Sequence[str]
    stairs: list[str] = field(default_factory=list)
    chapel: Track = field(init=False)
    gate: Track = field(init=False)
    bridges: dict[str, list[Tile]] = field(init=False)
    bonus: Counter[str] = field(default_factory=Counter)  # bonus tiles by player
    fresh: Counter[str] = field(default_factory=Counter)  # bonus tiles gained in this round, not usable yet
    stacks: Counter[str] = field(default_factory=Counter)  # buildings taken, by type
    numbers: set[int] = field(default_factory=set)
    rounds: list[dict[str, Json]] = field(default_factory=list)  # the rounds that are over
    cards: dict[str, list[int]] = field(init=False)
    raised: Counter[tuple[str, int]] = field(default_factory=Counter)
    built: dict[str, list[int]] = field(init=False)  # the numbers built in this round
    turns: list[str] = field(default_factory=list)  # players who have built in this round
    taken: Tile | None = None  # a tile taken but not laid yet
    moved: tuple[str, str] | None = None  # the player whose marker moved last, and the track
    laid: tuple[str, Tile, int] | None = None  # the player who built last, the tile, and the power of its effect

    def __post_init__(self) -> None:
        self.chapel = Track(dict.fromkeys(self.players, 0), list(self.players))
        self.gate = Track(dict.fromkeys(self.players, 0), list(self.players))
        self.bridges = {name: [] for name in self.players}
        self.begin_round()

    def begin_round(self) -> None:
        self.cards = {name: [] for name in self.players}
        self.built = {name: [] for name in self.players}
        self.turns, self.raised, self.fresh = [], Counter(), Counter()

    # -- where the game stands --

    @property
    def turns_each(self) -> int:
        return TURNS.get(len(self.players), 1)

    @property
    def last_round(self) -> int:
        return ROUNDS.get(len(self.players), 0)

    @property
    def has_order(self) -> bool:
        return bool(self.players) and len(self.stairs) == len(self.players)

    @property
    def ended_early(self) -> bool:
        """Return whether three stacks ran out before the last round."""
        return len(self.rounds) < self.last_round and sum(self.stacks[letter] >= COPIES for letter in TYPES) >= STACKS

    @property
    def is_over(self) -> bool:
        return not any(self.cards.values()) and (len(self.rounds) >= self.last_round or self.ended_early)

    @property
    def waiting_for(self) -> str | None:
        """Return the first player who has still to reveal a card in this round, or None if all have."""
        return next((name for name in self.players if len(self.cards[name]) < self.turns_each), None)

    @property
    def order(self) -> list[str]:
        """Return the player of each turn, from the highest card to the lowest; the chapel track breaks ties. The list
        is empty until all cards are revealed."""
        if self.waiting_for is not None or not self.has_order:
            return []
        revealed = self.chapel_before()
        values = [
            (card + self.raised[name, turn], name)
            for name in self.players
            for turn, card in enumerate(self.cards[name])
        ]
        return [name for _, name in sorted(values, key=lambda one: (-one[0], revealed.index(one[1])))]

    def chapel_before(self) -> list[str]:
        """Return the players in their order on the chapel track when the cards were revealed, the leader first."""
        return list(self.rounds[-1]["chapel_order"]) if self.rounds else self.stairs

    @property
    def next(self) -> str | None:
        """Return the player whose turn it is, or None if all cards are not yet revealed or the game is over."""
        left = self.order[len(self.turns) :]
        return left[0] if left else None

    def usable(self, name: str) -> int:
        """Return how many bonus tiles a player may use: those from earlier rounds."""
        return self.bonus[name] - self.fresh[name]

    def power(self, name: str, crest: str) -> int:
        """Return how many buildings on a player's bridge have this crest. A guild counts for every crest."""
        return sum(tile.has(crest) for tile in self.bridges[name])

    def places(self, name: str, number: int) -> list[int]:
        """Return the spaces, counted from 0, where a tile of this number can lie on a player's bridge. That is the next
        free space or, if it does not fit there, those where it can replace a building."""
        numbers = [tile.number for tile in self.bridges[name]]
        last = numbers[-1] if numbers else None
        if len(numbers) < SPACES and (last is None or number < last):
            return [len(numbers)]
        around: list[int | None] = [None, *numbers, None]
        return [
            space
            for space, own in enumerate(numbers)
            if own is not None and (around[space] or HIGHEST_NUMBER + 1) > number > (around[space + 2] or 0)
        ]

    # -- what happens --

    def apply(self, event: dict[str, Json]) -> None:
        did, spelt = event.get("did"), folded(str(event.get("name")))
        name = next((one for one in self.players if folded(one) == spelt), None)
        happens = EVENTS.get(did) if isinstance(did, str) else None
        if happens is None or (name is None and did != "round"):
            return
        if did == "stairs" or (self.has_order and not self.is_over):
            happens(self, name or "", event.get("value"))

    def take_stair(self, name: str, _: Json) -> None:
        if name not in self.stairs:
            self.stairs.append(name)
            self.chapel.order = [*self.stairs, *(one for one in self.players if one not in self.stairs)]

    def reveal(self, name: str, card: Json) -> None:
        if is_number(card, 0, HIGHEST_CARD) and len(self.cards[name]) < self.turns_each:
            self.cards[name].append(card)

    def raise_card(self, name: str, turn: Json) -> None:
        """Use a bonus tile to add 1 to the card that a player revealed for one turn of this round; `turn` 0 is the
        first. Nothing happens before all cards are revealed, after somebody has built, or without a usable tile."""
        if self.usable(name) > 0 and is_number(turn, 0, self.turns_each - 1) and self.order and not self.turns:
            self.raised[name, turn] += 1
            self.bonus[name] -= 1

    def use(self, name: str, what: Json) -> None:
        """Use a bonus tile in the player's own turn before building; without a usable tile, nothing happens. `what` is
        the track on which the marker moves, "chapel" or "gate", or "other" for no move."""
        if self.usable(name) > 0 and self.next == name and self.taken is None and what in ("chapel", "gate", "other"):
            self.bonus[name] -= 1
            if what != "other":
                self.go(name, what, BONUS_STEPS)

    def take(self, name: str, what: Json) -> None:
        """Take the building `what` in the player's own turn; if none of its type is left, nothing happens. It is
        written as letter and crest, "C blue"; a guild or a park is only a letter. A park is laid at once, other
        buildings once their number is known."""
        letter, _, crest = str(what).partition(" ")
        crests = ("",) if letter in (GUILD, GARDEN) else CRESTS
        if name != self.next or self.taken or letter not in TYPES or crest not in crests:
            return
        if self.stacks[letter] < COPIES:
            self.taken = Tile(letter, crest)
            self.stacks[letter] += 1
            if letter == GARDEN:
                self.lay(name, len(self.bridges[name]))

    def read_number(self, name: str, number: Json) -> None:
        if name != self.next or self.taken is None or self.taken.number or number in self.numbers:
            return
        if is_number(number, 1, HIGHEST_NUMBER) and (places := self.places(name, number)):
            self.taken = Tile(self.taken.letter, self.taken.crest, number)
            self.numbers.add(number)
            if len(places) == 1:
                self.lay(name, places[0])

    def choose(self, name: str, space: Json) -> None:
        """Lay the taken building on `space`, counted from 0, in the player's own turn, where it replaces another. If
        its number is unknown or does not fit there, nothing happens."""
        number = self.taken.number if self.taken is not None and name == self.next else None
        if number is not None and is_number(space, 0, SPACES) and space in self.places(name, number):
            self.lay(name, space)

    def lay(self, name: str, space: int) -> None:
        tile, self.taken = self.taken, None
        assert tile is not None
        self.bridges[name][space : space + 1] = [tile]
        power = self.power(name, tile.crest) if tile.crest else 0
        self.laid, self.moved = (name, tile, power), None
        self.turns.append(name)
        if tile.number is not None:
            self.built[name].append(tile.number)
        if tile.letter in TRACK_OF:
            self.go(name, TRACK_OF[tile.letter], power)

    def go(self, name: str, where: str, spaces: int) -> None:
        track: Track = self.chapel if where == "chapel" else self.gate
        before = track.steps[name]
        track.move(name, spaces)
        self.moved = name, where
        if where == "gate":
            gained = track.steps[name] // BONUS_SPACE_EVERY - before // BONUS_SPACE_EVERY
            self.bonus[name] += gained
            self.fresh[name] += gained

    def reach_end(self, name: str, where: Json) -> None:
        if self.moved == (name, where):
            (self.chapel if where == "chapel" else self.gate).end(name)

    def end_round(self, _: str, __: Json) -> None:
        if self.order and self.next is None:
            self.rounds.append(self.seen())
            self.begin_round()
            self.laid = self.moved = None

    def seen(self) -> dict[str, Json]:
        """Return the facts of this round, such as cards and the chapel order, in the form that the module `rounds`
        reads."""
        cards = {} if self.waiting_for is not None else {"cards": {name: [*self.cards[name]] for name in self.players}}
        return cards | {
            "chapel_order": [*self.chapel.order],
            "gate_steps": {**self.gate.steps},
            "numbers": {name: [*self.built[name]] for name in self.players},
        }


def is_number(value: Json, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


TRACK_OF = {"C": "chapel", "G": "gate"}
EVENTS: dict[str, Callable[[Progress, str, Json], None]] = {
    "stairs": Progress.take_stair,
    "card": Progress.reveal,
    "raise": Progress.raise_card,
    "bonus": Progress.use,
    "tile": Progress.take,
    "number": Progress.read_number,
    "space": Progress.choose,
    "end": Progress.reach_end,
    "round": Progress.end_round,
}


def replay(players: Sequence[str], events: Sequence[Json]) -> Progress:
    """Return the state of the game after these events; those beyond the first MOST_EVENTS are ignored."""
    noted = Progress(players)
    for event in events[:MOST_EVENTS]:
        noted.apply(mapping(event))
    return noted
