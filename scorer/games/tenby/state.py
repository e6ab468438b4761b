"""Define the state of a finished game of Tenby, and read and write its record (docs/developers/records.md).

Cards are named "street.card", both from 1: streets in the order of the record, cards from left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from scorer.contract import UNKNOWN, Fact, Json, Step
from scorer.games.tenby.cards import TARGETS, Targets
from scorer.games.tenby.quick import Quick, dump_quick, read_quick
from scorer.games.tenby.rulings import RULINGS, Rulings
from scorer.games.tenby.town import Counts, Town
from scorer.games.tenby.town_record import dump_targets, dump_town, is_open, read_targets, read_title, read_town
from scorer.record import POINTS, Reader, Typed, as_seated, read_players, read_record
from scorer.sentences import Sentence, say

GAME_ID = "tenby"
PLAYERS = range(1, 6)  # the prices of High Tide end at six cards, one more than the players
RULES = {"card": say("Town cards"), "resident": say("Residents"), "accolade": say("Accolades")}
# No card, resident or accolade of the rulebook takes points away.
LIMITS = {rule: range(POINTS + 1) for rule in (*RULES, "total")}
LADDER = (
    Step("completed_streets", say("most completed streets"), "most"),
    Step("resident_cards", say("most resident cards"), "most"),
)
FACTS = {
    "completed_streets": Fact(say("Completed streets"), say("completed streets")),
    "resident_cards": Fact(say("Resident cards"), say("resident cards")),
    "amounts": Fact(say("Accolade amounts"), say("accolade amounts")),
    "revealed": Fact(say("Revealed accolades"), say("revealed accolades")),
    "active": Fact(say("Counters on the accolades"), say("counters on the accolades")),
}


@dataclass(frozen=True, slots=True)
class Mode:
    name: Sentence
    text: Sentence


MODES = {
    "open_sea": Mode(say("The Open Sea"), say("1 to 3 open cards. For each card, the player with the most scores 10.")),
    "ebb_flow": Mode(
        say("Ebb & Flow"),
        say("One card for each player. A revealed card scores 15 for any player, a secret one 5 for its holder."),
    ),
    "high_tide": Mode(
        say("High Tide"), say("One more card than there are players. Each card with a counter scores 10.")
    ),
}
MODE_NAMES = {id_: mode.name for id_, mode in MODES.items()}


@dataclass(frozen=True, slots=True)
class Accolade:
    """Hold a goal for the whole table. Without targets, or with an unknown one, its amounts have to be entered by hand.
    `mode` is "" for a card with the table's mode. `revealed` and `active` (with a counter) are None if not entered.
    `open` lists the players whose amounts are UNKNOWN."""

    name: str
    targets: Targets
    mode: str = ""
    holder: str | None = None
    revealed: bool | None = None
    active: bool | None = None
    amounts: Counts = ()
    open: tuple[str, ...] = ()

    @property
    def is_countable(self) -> bool:
        return bool(self.targets) and TARGETS.issuperset(self.targets)


@dataclass(frozen=True, slots=True)
class State:
    """Hold the whole table; `mode` is "" without accolades.

    Modes can be mixed: each card may have its own, and `mode` is that of the cards without one.
    """

    players: tuple[Town | Quick | Typed, ...]
    mode: str
    accolades: tuple[Accolade, ...]
    rulings: Rulings

    def mode_of(self, card: Accolade) -> str:
        return card.mode or self.mode


def load(record: Json) -> State:
    """Return the state of a record, or raise StateError with everything that could not be read."""
    reader = read_record(record, GAME_ID)
    shared = reader.object("table")
    mode, accolades = read_accolades(shared)
    chosen = shared.object("rulings", required=False)
    rulings = Rulings(**{r.id: chosen.choice(r.id, r.names, default=r.default) for r in RULINGS})
    players = read_players(reader, PLAYERS, RULES, LADDER, read_player)
    state = State(players, mode, tuple(with_seated_names(card, players) for card in accolades), rulings)
    reader.finish(state)
    return state


def with_seated_names(card: Accolade, players: Sequence[Town | Quick | Typed]) -> Accolade:
    """Return the card with the names of its holder and of its amounts spelled like those of `players`."""
    if card.holder is None and not card.amounts and not card.open:
        return card
    return replace(
        card,
        holder=None if card.holder is None else as_seated(card.holder, players),
        amounts=tuple((as_seated(name, players), n) for name, n in card.amounts),
        open=tuple(as_seated(name, players) for name in card.open),
    )


def read_player(player: Reader, name: str) -> Town | Quick:
    """Read the player `name`: only scoring cards if the record has `cards`, otherwise a whole town."""
    return read_quick(player, name) if player.has("cards") else read_town(player, name)


def read_accolades(table: Reader) -> tuple[str, tuple[Accolade, ...]]:
    accolades = table.object("accolades", required=False)
    if not accolades.value:  # absent or empty if the table plays without accolades
        return "", ()
    mode = accolades.choice("mode", MODE_NAMES)
    if mode != accolades.value.get("mode"):
        mode = ""  # without a readable mode, the number of cards and their holders cannot be checked
    return mode, tuple(read_accolade(card) for card in accolades.elements("cards"))


def read_accolade(card: Reader) -> Accolade:
    """Read an accolade with all its fields; fields that its mode does not use change nothing."""
    card.as_object()
    return Accolade(
        name=read_title(card),
        targets=read_targets(card, required=False),
        mode=card.choice("mode", MODE_NAMES, default=""),
        holder=card.text("holder", default=None),
        revealed=None if is_open(card, "revealed") else card.flag("revealed", default=None),
        active=None if is_open(card, "active") else card.flag("active", default=None),
        amounts=tuple(
            (name, amount.as_number(0, POINTS)) for name, amount in card.entries("amounts") if amount.value != UNKNOWN
        ),
        open=tuple(name for name, amount in card.entries("amounts") if amount.value == UNKNOWN),
    )


def dump(state: State) -> Json:
    """Return the record that `load` reads as this state."""
    shared: dict[str, Json] = {}
    if state.mode:
        shared["accolades"] = {"mode": state.mode, "cards": [dump_accolade(card) for card in state.accolades]}
    rulings = {name: option for name, option in asdict(state.rulings).items() if option != getattr(Rulings(), name)}
    if rulings:
        shared["rulings"] = rulings
    return {"game": GAME_ID, "table": shared, "players": [dump_player(player) for player in state.players]}


def dump_player(player: Town | Quick | Typed) -> dict[str, Json]:
    if isinstance(player, Typed):
        return player.dump()
    return dump_quick(player) if isinstance(player, Quick) else dump_town(player)


def dump_accolade(card: Accolade) -> dict[str, Json]:
    record: dict[str, Json] = {"name": card.name}
    if card.targets:
        record["target"] = dump_targets(card.targets)
    if card.mode:
        record["mode"] = card.mode
    if card.holder is not None:
        record["holder"] = card.holder
    if card.revealed is not None:
        record["revealed"] = card.revealed
    if card.active is not None:
        record["active"] = card.active
    if card.amounts or card.open:
        record["amounts"] = {**dict(card.amounts), **dict.fromkeys(card.open, UNKNOWN)}
    return record
