"""A finished Tenby table: streets of cards, residents, accolades and rulings (formats: README, "Records and results").

What a card does not mention is unknown: a feature without a count has not been asked for, which is not the same as a
count of 0. Scoring takes the unknown as none; the card box and the street builder know the difference.
Cards are named "street.card", both from 1, the streets as they are listed and their cards from left to right.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from scorer.contract import Json, Step
from scorer.games.tenby.anatomy import ACCOLADE_TARGETS, BOTH, SEA, Edges, Targets
from scorer.games.tenby.rulings import Rulings
from scorer.reading import Typed

GAME_ID = "tenby"
PLAYERS = range(1, 6)  # the prices of High Tide end at a sixth card, one more than the players
RULES = {"card": "Town cards", "resident": "Residents", "accolade": "Accolades"}
LADDER = (
    Step("completed_streets", "most completed streets", "most"),
    Step("resident_cards", "most resident cards", "most"),
)
MODES = {
    "open_sea": ("The Open Sea", "One to three cards lie open; whoever has the most gets 10 points."),
    "ebb_flow": ("Ebb & Flow", "Everybody holds one card: revealed it pays anybody 15, secret only its holder 5."),
    "high_tide": ("High Tide", "One card more than players; each pays 10 once a counter lies on it."),
}
Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Flat:
    """A card that is worth a number and looks at nothing."""

    points: int


@dataclass(frozen=True, slots=True)
class Per:
    """A card that pays for every target it sees."""

    targets: Targets
    points: int
    range: str
    direction: str = BOTH


@dataclass(frozen=True, slots=True)
class Card:
    """A town card. `subtype` "" and `buildings` None mean that nobody has said."""

    deck: str
    base: str
    edges: Edges
    subtype: str = ""
    buildings: tuple[str, ...] | None = None
    features: Counts = ()
    icons: Counts = ()  # only where a card shows more or fewer of an icon than its kind
    score: Flat | Per | None = None
    name: str = ""


Street = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Tier:
    """What a resident pays for a street with at least so many."""

    at_least: int
    incomplete: int
    complete: int


@dataclass(frozen=True, slots=True)
class Resident:
    """A resident card: `single` looks at one street and has tiers, `each` pays one tier for every street."""

    name: str
    type: str
    targets: Targets
    tiers: tuple[Tier, ...]


@dataclass(frozen=True, slots=True)
class Town:
    """A player's streets and residents."""

    name: str
    streets: tuple[Street, ...]
    residents: tuple[Resident, ...]


@dataclass(frozen=True, slots=True)
class Accolade:
    """A goal for the whole table. Without targets, or with one we cannot count, its amounts have to be typed."""

    name: str
    targets: Targets
    holder: str | None = None
    revealed: bool | None = None
    active: bool | None = None
    amounts: Counts = ()

    @property
    def is_countable(self) -> bool:
        return bool(self.targets) and ACCOLADE_TARGETS.issuperset(self.targets)


@dataclass(frozen=True, slots=True)
class Table:
    """The whole table; `mode` is "" without accolades."""

    players: tuple[Town | Typed, ...]
    mode: str = ""
    accolades: tuple[Accolade, ...] = ()
    rulings: Rulings = Rulings()


def is_completed(street: Street) -> bool:
    """The sea at both ends (rulebook, Completed Streets). No single card has it, so one card is never enough."""
    return bool(street) and street[0].edges[0] == SEA and street[-1].edges[1] == SEA


def cell(street: int, card: int) -> str:
    """The name of a card's place, from indices."""
    return f"{street + 1}.{card + 1}"


def dump(table: Table) -> Json:
    """The record that loads as this table."""
    shared: dict[str, Json] = {}
    if table.mode:
        shared["accolades"] = {"mode": table.mode, "cards": [dump_accolade(card) for card in table.accolades]}
    rulings = {name: option for name, option in asdict(table.rulings).items() if option != getattr(Rulings(), name)}
    if rulings:
        shared["rulings"] = rulings
    players = [player.dump() if isinstance(player, Typed) else dump_town(player) for player in table.players]
    return {"game": GAME_ID, "table": shared, "players": players}


def dump_town(town: Town) -> dict[str, Json]:
    return {
        "name": town.name,
        "streets": [[dump_card(card) for card in street] for street in town.streets],
        "residents": [dump_resident(resident) for resident in town.residents],
    }


def dump_card(card: Card) -> dict[str, Json]:
    told: dict[str, Json] = {"name": card.name} if card.name else {}
    told |= {"deck": card.deck, "base": card.base, "edges": list(card.edges)}
    if card.subtype:
        told["subtype"] = card.subtype
    if card.buildings is not None:
        told["buildings"] = list(card.buildings)
    if card.features:
        told["features"] = dict(card.features)
    if card.icons:
        told["icons"] = dict(card.icons)
    match card.score:
        case Flat(points):
            told["score"] = {"type": "flat", "points": points}
        case Per(targets, points, range_, direction):
            told["score"] = {"type": "per", "target": dump_targets(targets), "points": points, "range": range_}
            if direction != BOTH:
                told["score"]["direction"] = direction
    return told


def dump_targets(targets: Targets) -> Json:
    return targets[0] if len(targets) == 1 else list(targets)


def dump_tier(tier: Tier) -> dict[str, Json]:
    return {"at_least": tier.at_least, "incomplete": tier.incomplete, "complete": tier.complete}


def dump_resident(resident: Resident) -> dict[str, Json]:
    told: dict[str, Json] = {"name": resident.name, "type": resident.type, "target": dump_targets(resident.targets)}
    if resident.type == "each":
        return told | dump_tier(resident.tiers[0])
    return told | {"tiers": [dump_tier(tier) for tier in resident.tiers]}


def dump_accolade(card: Accolade) -> dict[str, Json]:
    told: dict[str, Json] = {"name": card.name}
    if card.targets:
        told["target"] = dump_targets(card.targets)
    if card.holder is not None:
        told["holder"] = card.holder
    if card.revealed is not None:
        told["revealed"] = card.revealed
    if card.active is not None:
        told["active"] = card.active
    if card.amounts:
        told["amounts"] = dict(card.amounts)
    return told
